//! The position of a session: set and flipped, refused, looked up in the table, with moves that are banned.
//!
//! The part of [`Session`] that obeys the commands about positions; called by `session`.

use super::command::{Go, PositionText};
use super::dialect::{Answer, Dialect};
use super::options::OptionId;
use super::perft;
use super::ranks::Replay;
use super::session::Session;
use super::text;
use super::variant::Variant as _;
use crate::engine::Score;
use crate::game::notation::FenReader;
use crate::game::{Keyed, Notation, NotationError, Rules, Side};

impl<D: Dialect> Session<D> {
    /// The current position in the notation that the options ask for.
    pub(super) fn root(&self) -> D::Position {
        self.ranks.adapt(self.current, &self.options)
    }

    /// Plays `game`, for the command `what`. Says what is wrong; the moves from the first illegal one on are
    /// left out.
    ///
    /// # Errors
    /// With the reason in one line, if there is no position to play from.
    fn replay(
        &mut self,
        what: &str,
        game: &PositionText<'_>,
    ) -> Result<Replay<D::Position>, String> {
        if game.is_missing {
            return Err("expected startpos, or fen and a FEN".to_string());
        }
        let fen = game.fen.as_deref().unwrap_or(D::Position::START_FEN);
        let mut reader = FenReader::lenient();
        let start = D::Position::read_fen(fen, &mut reader)
            // What is a position of neither game gets the message of the one it looks like.
            .map_err(|error| D::game_of(fen).err().unwrap_or(error).to_string())?;
        if let Some(warning) = reader.warning() {
            self.remark(&format!("{what}: {warning}"));
        }
        if game.ranks_from_zero {
            self.ranks.hear_zero();
        }
        let replay = self.ranks.replay(start, &game.moves, &self.options);
        if let Some(NotationError { reason, .. }) = &replay.fault {
            let at = replay.moves.len() + 1;
            self.fault(&format!("{what}, move {at}: {reason}; the rest is ignored"));
        }
        Ok(replay)
    }

    /// The game whose position this is, if it is not a position of the present one.
    pub(super) fn other_game(&self, game: &PositionText<'_>) -> Option<&'static str> {
        let other = D::game_of(game.fen.as_ref()?).ok()?;
        (other != D::Position::NAME).then_some(other)
    }

    pub(super) fn set_position(&mut self, game: &PositionText<'_>) {
        if let Some(other) = self.other_game(game)
            && self.options.assign(OptionId::Variant, other).is_ok()
        {
            return self.remark(&format!("a position of {other}: this is the game from now on"));
        }
        let Replay { start, end: pos, moves, .. } = match self.replay("position", game) {
            Ok(replay) => replay,
            Err(reason) => {
                self.fault(&format!("position is refused: {reason}"));
                return self.refused = Some(reason);
            }
        };
        self.current = pos;
        self.refused = None;
        self.banned.clear();
        self.engine.set_position(start, &moves);
        self.remark_if_debug(|| format!("position {} key {:016x}", pos.to_fen(), pos.key()));
    }

    /// Says that there is no position.
    pub(super) fn explain(&self) {
        let reason = self.refused.as_deref().unwrap_or_default();
        self.fault(&format!("there is no position, the last one was refused: {reason}"));
    }

    /// Answers a `go` for a position that was refused: a move for another one would be worse than none. The last
    /// line has the usual form, for programs that wait for it.
    pub(super) fn refuse(&self, go: &Go<'_>) {
        self.explain();
        if go.perft.is_some() {
            return self.console.say(&perft::total(0));
        }
        let draw_offered = go.draw;
        let answer = Answer { best: None, ponder: None, scores: [None; 2], draw_offered };
        self.console.say(&D::best(&self.current, &answer));
    }

    /// Forbids moves of the present position, besides those that are forbidden already.
    pub(super) fn ban(&mut self, moves: &[&str]) {
        for text in moves {
            match self.current.parse_move(text) {
                Ok(m) => self.banned.push(m),
                Err(error) => self.fault(&format!("banmoves: {error}")),
            }
        }
    }

    pub(super) fn probe(&mut self, game: &PositionText<'_>) {
        let pos = match self.replay("probe", game) {
            Ok(replay) => Some(replay.end),
            Err(reason) => {
                self.fault(&format!("probe is refused: {reason}"));
                None
            }
        };
        let entry = pos.and_then(|pos| self.engine.probe(pos.key()));
        self.console.say(&D::table_entry(&pos.unwrap_or(self.current), entry));
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

    /// `<value> [+] <fen>`, `clear [+] <fen>` or `clearall`; the value in centipawns as they are shown for that
    /// position, seen from the first side.
    pub(super) fn set_position_value(&mut self) {
        let text = self.options.text(OptionId::SetPositionValue).to_string();
        let mut words = text.split_whitespace().filter(|word| *word != "+");
        let (first, fen) = (words.next().unwrap_or(""), words.collect::<Vec<_>>().join(" "));
        if first.eq_ignore_ascii_case("clearall") {
            return self.engine.clear_position_values();
        }
        let value = if first.eq_ignore_ascii_case("clear") {
            Some(None)
        } else {
            first.parse().ok().map(Some)
        };
        let Some(value) = value else {
            return self.fault("option UCI_SetPositionValue: expected a number, clear or clearall");
        };
        let pos = match D::Position::read_fen(&fen, &mut FenReader::lenient()) {
            Ok(pos) => pos,
            Err(error) => return self.fault(&format!("option UCI_SetPositionValue: {error}")),
        };
        let seen = |value: Score| {
            let value = D::score_of(&pos, value).clamp(-Score::MAX, Score::MAX);
            if pos.side() == Side::First { value } else { -value }
        };
        if !self.engine.set_position_value(pos.key(), value.map(seen)) {
            self.fault("option UCI_SetPositionValue: no room for another position");
        }
    }
}
