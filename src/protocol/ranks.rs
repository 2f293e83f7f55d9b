//! Detects how the other program numbers ranks, and reads its games accordingly.
//!
//! In chess there is one convention. In xiangqi over UCI there are two: Pikafish, UCI-Cyclone and programs like them
//! count ranks from 0 (`h2e2`), Fairy-Stockfish and programs like it count from 1 (`h3e3`, up to rank 10). [`Ranks`]
//! detects the convention from what the program sends. `session` asks it whenever it reads a game or writes a move:
//!
//! * A game that is legal to its end in only one convention is evidence for that one. From the initial position every
//!   first move is such a game: none of the 44 is legal in both.
//! * If a game is legal in both, the convention detected before holds. If there is none, the default is 1 if the
//!   program selected the game by `UCI_Variant`, as programs do for Fairy-Stockfish, and 0 otherwise.
//! * If a game is legal in neither, a move with rank 0 or 10 decides; failing that, the convention detected before;
//!   failing that, the longer legal part.
//! * Games in other notations are legal in both: SAN, WXF, ICCS and Chinese do not depend on the convention.
//! * UCI-Cyclone omits `position`, and uci2wb starts a game with `moves` after half a FEN. Both count from 0, although
//!   uci2wb sets `UCI_Variant`.
//!
//! The detected convention holds until the program exits, across games of chess and `ucinewgame`, unless there is
//! evidence to the contrary. The option `XiangqiRanks` turns detection off and sets the convention.

use super::games::{ProgramGame, Variant};
use super::options::ProtocolOptions;
use super::words::looks_like_move;
use crate::game::text::fault::quoted;
use crate::game::text::notation::is_null_move;
use crate::game::{Board, NotationError, Position};
use std::ops::Range;

/// The legal part of a game as given.
pub struct Replay<B: Board> {
    /// The first position, or that after the last null move: nothing before it can be repeated.
    pub start: Position<B>,
    /// The last position.
    pub end: Position<B>,
    /// The legal moves since `start`.
    pub moves: Vec<B::Move>,
    /// The number of moves that were read, null moves included.
    pub read: usize,
    /// What is wrong with the next move, if there is one; later moves are ignored.
    pub fault: Option<NotationError>,
}

impl<B: ProgramGame> Replay<B> {
    fn new(start: Position<B>, texts: &[&str], options: &ProtocolOptions) -> Self {
        let moves = Vec::with_capacity(texts.len());
        let mut replay = Replay { start, end: start, moves, read: 0, fault: None };
        for text in texts {
            if let Err(fault) = replay.take(text, options) {
                replay.fault = Some(fault);
                break;
            }
            replay.read += 1;
        }
        replay
    }

    fn take(&mut self, text: &str, options: &ProtocolOptions) -> Result<(), NotationError> {
        if is_null_move(text) && !options.only_coordinates {
            let in_check =
                || NotationError::new("move", 0, format!("{} is a null move, illegal in check", quoted(text)));
            self.end = self.end.play_null().ok_or_else(in_check)?;
            self.start = self.end;
            self.moves.clear();
        } else {
            let m = read_move(&self.end, text, options)?;
            self.moves.push(m);
            self.end.make(m);
        }
        Ok(())
    }
}

/// Reads a move in any notation, or in coordinates only. Coordinates come first: they are the rule, and the fastest to
/// read. A wrong word that could stand for coordinates gets the message about these, which says how ranks are numbered.
fn read_move<B: ProgramGame>(
    pos: &Position<B>,
    text: &str,
    options: &ProtocolOptions,
) -> Result<B::Move, NotationError> {
    pos.parse_coordinates(text).or_else(|fault| {
        if options.only_coordinates || looks_like_move(text) {
            return Err(fault);
        }
        let is_plain = text.bytes().all(|b| matches!(b, b'a'..=b'i' | b'0'..=b'9'));
        pos.parse_move(text).map_err(|error| if is_plain { fault } else { error })
    })
}

/// What is known about the program's ranks. A convention is an index into [`ProgramGame::FIRST_RANKS`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranks {
    /// The detected convention.
    detected: Option<usize>,
    /// The game that the program selected by `UCI_Variant`.
    selected_game: Option<Variant>,
}

impl Ranks {
    /// Records that the program has selected a game by `UCI_Variant`.
    pub fn note_selected(&mut self, game: Variant) {
        self.selected_game = Some(game);
    }

    /// Whether the program has selected a game by `UCI_Variant`.
    pub fn has_selected_game(&self) -> bool {
        self.selected_game.is_some()
    }

    /// Records that the program uses a form that only programs with ranks from 0 use. Decides if nothing else has yet.
    pub fn note_ranks_from_zero(&mut self) {
        self.detected.get_or_insert(0);
    }

    /// Records the search moves that the program has sent for `pos`. Decides if nothing else has yet.
    pub fn note_search_moves<B: ProgramGame>(&mut self, pos: Position<B>, texts: &[&str], options: &ProtocolOptions) {
        if self.detected.is_none() {
            let legal = |pos: Position<B>| texts.iter().filter(|text| pos.parse_coordinates(text).is_ok()).count();
            let legal = allowed::<B>(options).map(|at| legal(adapted(pos, options, at))).collect::<Vec<_>>();
            self.update::<B>(options, texts, &legal);
        }
    }

    /// Replays a game in the convention that fits it.
    pub fn replay<B: ProgramGame>(
        &mut self,
        start: Position<B>,
        texts: &[&str],
        options: &ProtocolOptions,
    ) -> Replay<B> {
        let allowed = allowed::<B>(options);
        let first = allowed.start;
        let mut replays =
            allowed.map(|at| Replay::new(adapted(start, options, at), texts, options)).collect::<Vec<_>>();
        let legal = replays.iter().map(|replay| replay.read).collect::<Vec<_>>();
        replays.swap_remove(self.update::<B>(options, texts, &legal) - first)
    }

    /// The position with moves written as the options and the detected convention require.
    pub fn adapt<B: ProgramGame>(&self, pos: Position<B>, options: &ProtocolOptions) -> Position<B> {
        adapted(pos, options, self.convention::<B>(options))
    }

    fn convention<B: ProgramGame>(&self, options: &ProtocolOptions) -> usize {
        let allowed = allowed::<B>(options);
        let last = allowed.end - 1;
        let default = if self.selected_game == Some(B::GAME) { last } else { allowed.start };
        self.detected.filter(|at| allowed.contains(at)).unwrap_or(default)
    }

    /// Updates and returns the convention, given how many of `texts` are `legal` in each allowed convention.
    fn update<B: ProgramGame>(&mut self, options: &ProtocolOptions, texts: &[&str], legal: &[usize]) -> usize {
        let allowed = allowed::<B>(options);
        let most = legal.iter().copied().max();
        let best = allowed.clone().zip(legal).filter(|&(_, n)| Some(*n) == most);
        let best = best.map(|(at, _)| at).collect::<Vec<_>>();
        if legal.len() > 1 {
            let longest = if let [only] = best[..] { Some(only) } else { None };
            let evidence = if most == Some(texts.len()) {
                longest
            } else {
                convention_of_digits::<B>(texts).or(self.detected).or(longest)
            };
            self.detected = evidence.or(self.detected);
        }
        self.convention::<B>(options)
    }
}

/// The position with the rules and with moves written as the options require, in the given convention.
fn adapted<B: ProgramGame>(pos: Position<B>, options: &ProtocolOptions, at: usize) -> Position<B> {
    B::with_rules(B::adapt(pos, options.is_chess960(), B::FIRST_RANKS[at]), options.rules)
}

/// The conventions that the option allows: one, or all for `auto`.
fn allowed<B: ProgramGame>(options: &ProtocolOptions) -> Range<usize> {
    let fixed = B::FIRST_RANKS.iter().position(|&rank| options.first_rank == Some(rank));
    fixed.map_or(0..B::FIRST_RANKS.len(), |at| at..at + 1)
}

/// The convention of moves that contain rank 0 or rank 10 but not both.
fn convention_of_digits<B: ProgramGame>(texts: &[&str]) -> Option<usize> {
    let moves = texts.iter().filter(|text| looks_like_move(text));
    let ranks = moves.flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    let (mut zero, mut ten) = (false, false);
    for rank in ranks {
        zero |= rank == "0";
        ten |= rank == "10";
    }
    let first = match (zero, ten) {
        (true, false) => 0,
        (false, true) => 1,
        _ => return None,
    };
    B::FIRST_RANKS.iter().position(|&rank| rank == first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::base::sample;
    use crate::xiangqi::{Board, Position};

    /// Rewrites a move with ranks from 0 to ranks from `first`.
    fn with_ranks_from(text: &str, first: usize) -> String {
        let spell = |letter: char| match letter.to_digit(10) {
            Some(rank) => (rank as usize + first).to_string(),
            None => letter.to_string(),
        };
        text.chars().map(spell).collect()
    }

    /// The number of the first rank in the current convention.
    fn first_rank_of<B: ProgramGame>(ranks: &Ranks, options: &ProtocolOptions) -> usize {
        B::FIRST_RANKS[ranks.convention::<B>(options)]
    }

    fn legal(pos: &Position) -> Vec<String> {
        let list = pos.legal_moves();
        list.as_slice().iter().map(|&m| pos.move_text(m).to_string()).collect()
    }

    /// Up to `most` random moves from `start`, with ranks from 0, each with the position after it.
    fn random_moves(start: Position, most: usize, rng: &mut SplitMix64) -> Vec<(String, Position)> {
        let (mut pos, mut game) = (start, Vec::new());
        while game.len() < most {
            let moves = legal(&pos);
            let Some(text) = (!moves.is_empty()).then(|| moves[rng.below(moves.len())].clone()) else {
                break;
            };
            let m = pos.parse_coordinates(&text).unwrap();
            pos.make(m);
            game.push((text, pos));
        }
        game
    }

    fn start() -> Position {
        Position::default()
    }

    /// The initial state for a program that has set `UCI_Variant` or not.
    fn fresh(names_variant: bool) -> (Ranks, ProtocolOptions) {
        let (mut ranks, mut options) = (Ranks::default(), ProtocolOptions::default());
        if names_variant {
            options.select("xiangqi");
            ranks.note_selected(options.game);
        }
        (ranks, options)
    }

    #[test]
    fn no_first_move_is_legal_in_both_conventions() {
        let moves = legal(&start());
        assert_eq!(moves.len(), 44);
        for text in &moves {
            assert!(!moves.contains(&with_ranks_from(text, 1)), "{text}");
            for (names_variant, first) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                let (mut ranks, options) = fresh(names_variant);
                let read = ranks.replay(start(), &[&with_ranks_from(text, first)], &options);
                assert_eq!((read.moves.len(), ranks.detected), (1, Some(first)), "{text}");
            }
        }
    }

    /// Sends games move by move, as programs do. From the initial position the first move must decide, and the wrong
    /// convention must never be detected.
    #[test]
    fn hundreds_of_games_in_each_convention() {
        let mut rng = SplitMix64::new(38);
        for first in [0, 1] {
            // Lists of moves from a FEN by length: all, and those legal in both conventions.
            let (mut sent, mut both) = ([0; 8], [0; 8]);
            for game in 0..sample(300, 1_000) {
                let opening = random_moves(start(), 10 + rng.below(70), &mut rng);
                let middle = opening.last().map_or(start(), |(_, pos)| *pos);
                for from in [start(), middle] {
                    let default = game % 2;
                    let (mut ranks, options) = fresh(default == 1);
                    let mut texts = Vec::new();
                    // Each list is replayed from its start, so long games are slow.
                    let longest = if game % 11 == 0 { 40 } else { 12 };
                    for (text, pos) in random_moves(from, longest, &mut rng) {
                        texts.push(with_ranks_from(&text, first));
                        let texts = texts.iter().map(String::as_str).collect::<Vec<_>>();
                        let read = ranks.replay(from, &texts, &options);
                        let now = first_rank_of::<Board>(&ranks, &options);
                        if from != start() {
                            sent[texts.len().min(8) - 1] += 1;
                            both[texts.len().min(8) - 1] += usize::from(ranks.detected.is_none());
                        }
                        match ranks.detected {
                            Some(detected) => assert_eq!(detected, first, "{texts:?}"),
                            // Legal in both: the default applies.
                            None => assert!(now == default && from != start(), "{texts:?}"),
                        }
                        if now == first {
                            assert_eq!(read.end.to_fen(), pos.to_fen(), "{texts:?}");
                            let shown = legal(&read.end);
                            let wanted = legal(&pos).iter().map(|m| with_ranks_from(m, first)).collect::<Vec<_>>();
                            assert_eq!(shown, wanted);
                        }
                        assert!(read.fault.is_none(), "{texts:?}");
                    }
                }
            }
            println!("ranks from {first}, lists from a FEN by length: {sent:?}, ambiguous {both:?}");
            assert!(both[0] > 0 && both[7] * 50 < sent[7], "the FENs do not test ambiguity");
        }
    }

    #[test]
    fn games_that_are_legal_in_no_convention() {
        let fen = "4k4/9/9/9/R8/9/9/9/9/3K5 w - - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        let read = |texts: &[&str], detected: Option<usize>| {
            let (mut ranks, options) = fresh(false);
            ranks.detected = detected;
            let read = ranks.replay(pos, texts, &options);
            (ranks.detected, read.moves.len(), read.fault.is_some())
        };
        // No evidence for either.
        assert_eq!(read(&["a5a6", "x"], None), (Some(0), 1, true), "the longer legal part");
        assert_eq!(read(&["a5a6", "x"], Some(1)), (Some(1), 0, true), "the detected convention holds");
        assert_eq!(read(&["x"], None), (None, 0, true));
        assert_eq!(read(&["x", "e9e10"], Some(0)), (Some(1), 0, true), "rank 10 decides");
        assert_eq!(read(&["x", "e1e0"], Some(1)), (Some(0), 0, true), "rank 0 decides");
        assert_eq!(read(&["e1e0", "e9e10"], None), (None, 0, true), "both ranks decide nothing");
        assert_eq!(read(&["0000", "a10", "b0"], None), (None, 0, true), "no moves");
        // Legal to the end in the other convention: the detected one was wrong.
        assert_eq!(read(&["a5a6"], Some(1)), (Some(0), 1, false));
        assert_eq!(read(&[], Some(1)), (Some(1), 0, false));
    }

    #[test]
    fn defaults_before_any_move() {
        let first = first_rank_of::<Board>;
        let (mut ranks, mut options) = fresh(false);
        assert_eq!(first(&ranks, &options), 0, "the game was not selected");
        options.select("xiangqi");
        assert_eq!(first(&ranks, &options), 0, "a FEN changed the game");
        ranks.note_selected(options.game);
        assert_eq!(first(&ranks, &options), 1, "the program set UCI_Variant");
        ranks.note_ranks_from_zero();
        assert_eq!(first(&ranks, &options), 0);
        options.select("chess");
        ranks.note_selected(options.game);
        assert_eq!(first(&ranks, &options), 0, "after a game of chess");
        assert_eq!(first(&fresh(true).0, &options), 1);
        // Search moves decide as well, but do not override what is known.
        let (mut ranks, options) = fresh(true);
        ranks.note_search_moves(start(), &["h2e2", "a0a1"], &options);
        assert_eq!(ranks.detected, Some(0));
        ranks.note_search_moves(start(), &["h3e3"], &options);
        assert_eq!(ranks.detected, Some(0));
        let (mut ranks, options) = fresh(false);
        ranks.note_search_moves(start(), &["x", "h3e3"], &options);
        assert_eq!(ranks.detected, Some(1));
    }

    #[test]
    fn the_option_overrides_detection_and_chess_has_one_convention() {
        for (first, other) in [(0, "h3e3"), (1, "h2e2")] {
            let (mut ranks, mut options) = fresh(first == 0);
            options.first_rank = Some(first);
            let read = ranks.replay(start(), &[other], &options);
            let fault = read.fault.map(|fault| fault.reason).unwrap_or_default();
            assert!(fault.contains("is not legal"), "{fault}");
            assert_eq!((read.moves.len(), first_rank_of::<Board>(&ranks, &options)), (0, first));
            ranks.note_search_moves(start(), &[other], &options);
            ranks.note_ranks_from_zero();
            assert_eq!(first_rank_of::<Board>(&ranks, &options), first);
            let pos = read.start;
            let fault = pos.parse_coordinates("e0e10").unwrap_err().reason;
            assert!(fault.contains(&format!("ranks {first} to {}", first + 9)), "{fault}");
        }
        let options = fresh(true).1;
        type Chess = crate::chess::Board;
        let chess = crate::chess::Position::default();
        for detected in [None, Some(0), Some(1)] {
            let mut ranks = Ranks { detected, selected_game: Some(Variant::Chess) };
            assert_eq!(ranks.replay(chess, &["e2e4", "e7e5"], &options).moves.len(), 2);
            assert_eq!((first_rank_of::<Chess>(&ranks, &options), ranks.detected), (1, detected));
        }
    }
}
