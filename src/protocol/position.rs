//! Commands about the position of a session: set, flip, probe, and ban moves.

use super::dialect::{Dialect, PositionText, Protocol, Request};
use super::games::{ProgramGame as _, Variant, by_game};
use super::ranks::{Ranks, Replay};
use super::session::Session;
use super::text;
use crate::engine::{Event, SearchResult};
use crate::game::text::fen::Tolerance;
use crate::game::{NotationError, Position};
use crate::perft::count::Divide;

impl<D: Dialect> Session<D> {
    /// Replays `game` for the command `what` and reports errors. Moves from the first illegal one on are ignored.
    ///
    /// # Errors
    /// The reason in one line, if there is no position to start from.
    fn replay(&mut self, what: &str, game: &PositionText<'_>) -> Result<Replay<D::Board>, String> {
        if game.is_missing {
            return Err("expected startpos or fen FEN".to_string());
        }
        let fen = game.fen.as_deref().unwrap_or(Position::<D::Board>::START_FEN);
        let mut tolerance = Tolerance::lenient().for_chess960(self.options.is_chess960());
        let start = Position::<D::Board>::read_fen(fen, &mut tolerance)
            // A FEN that is valid in neither game gets the error of the game that it looks like.
            .map_err(|error| D::game_of(fen).err().unwrap_or(error).to_string())?;
        if let Some(warning) = tolerance.warning() {
            self.remark(&format!("{what}: {warning}"));
        }
        if game.ranks_from_zero {
            self.ranks.note_ranks_from_zero();
        }
        let before = self.ranks;
        let replay = self.ranks.replay(start, &game.moves, &self.options);
        if let Some(NotationError { reason, .. }) = &replay.fault {
            if let Some(other) = self.other_game_of_moves(game).map(Variant::name) {
                self.ranks = before;
                let own = D::Board::NAME;
                return Err(format!(
                    "these are moves of {other}, not of {own}; set UCI_Variant to {other}, or start \
                     tabiya --game {other}"
                ));
            }
            let at = replay.read + 1;
            self.fault(&format!("{what}, move {at}: {reason}; the rest is ignored"));
        }
        Ok(replay)
    }

    /// The other game, if the FEN is a position of it.
    pub(super) fn other_game(&self, game: &PositionText<'_>) -> Option<Variant> {
        let other = D::game_of(game.fen.as_ref()?).ok()?;
        (other != D::Board::GAME).then_some(other)
    }

    /// Another game in which the moves from the initial position are legal, unless the program has said which game it
    /// plays.
    fn other_game_of_moves(&self, game: &PositionText<'_>) -> Option<Variant> {
        if D::PROTOCOL == Protocol::Ucci || game.fen.is_some() || self.ranks.has_selected_game() {
            return None;
        }
        let is_legal = |name: &Variant| {
            by_game!(*name, B => {
                let start = Position::<B>::default();
                Ranks::default().replay(start, &game.moves, &self.options).fault.is_none()
            })
        };
        Variant::ALL.into_iter().filter(|name| *name != D::Board::GAME).find(is_legal)
    }

    pub(super) fn set_position(&mut self, game: &PositionText<'_>) {
        if let Some(other) = self.other_game(game) {
            self.end_search();
            self.options.select(other.name());
            let other = other.name();
            return self.remark(&format!("this is a {other} position; switching to {other}"));
        }
        let Replay { start, end: pos, moves, .. } = match self.replay("position", game) {
            Ok(replay) => replay,
            Err(reason) => {
                self.fault(&format!("position rejected: {reason}"));
                return self.rejected = Some(reason);
            }
        };
        self.current = pos;
        self.rejected = None;
        self.banned.clear();
        self.engine.set_position(start, &moves);
        self.remark_if_debug(|| format!("position {} key {:016x}", pos.to_fen(), pos.key()));
    }

    /// Reports that there is no position.
    pub(super) fn report_no_position(&self) {
        let reason = self.rejected.as_deref().unwrap_or_default();
        self.fault(&format!("no position set; the last one was rejected: {reason}"));
    }

    /// Answers a `go` after a rejected position. A move for an earlier position would be worse than none. The last line
    /// has the usual form, for programs that wait for it.
    pub(super) fn answer_without_position(&self, go: &Request<'_>) {
        self.report_no_position();
        if go.perft.is_some() {
            return self.output.say(&text::divide(&self.current, &Divide::default()));
        }
        self.output.say(&D::format(&self.view(go.draw), &Event::Best(SearchResult::NONE)));
    }

    /// Adds moves of the current position to the banned ones.
    pub(super) fn ban(&mut self, moves: &[&str]) {
        for text in moves {
            match self.current.parse_coordinates(text) {
                Ok(m) => self.banned.push(m),
                Err(error) => self.fault(&format!("banmoves: {error}")),
            }
        }
    }

    pub(super) fn probe(&mut self, game: &PositionText<'_>) {
        let pos = match self.replay("probe", game) {
            Ok(replay) => Some(replay.end),
            Err(reason) => {
                self.fault(&format!("probe rejected: {reason}"));
                None
            }
        };
        let entry = pos.and_then(|pos| self.engine.probe(pos.key()));
        self.output.say(&D::table_entry(&pos.unwrap_or(self.current), entry));
    }

    pub(super) fn flip(&mut self) {
        match text::flipped(&self.root()) {
            Some(pos) => {
                self.current = pos;
                self.banned.clear();
                self.engine.set_position(self.root(), &[]);
            }
            None => self.fault("this position cannot be flipped"),
        }
    }
}
