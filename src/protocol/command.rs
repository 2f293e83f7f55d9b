//! Parsed commands, independent of the protocol.
//!
//! A [`Dialect`](super::dialect::Dialect) parses lines into [`Command`]s and the session executes them. Plain data:
//! numbers are as given and not checked against any range.

use crate::game::{PerSide, Side};

/// A `go` command, with its numbers as given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    /// Search only these moves; `None` for all.
    pub search_moves: Option<Vec<&'a str>>,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// A mate ends the search even if it is infinite.
    pub until_mate: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// No search: report only the static evaluation.
    pub static_only: bool,
    /// Time on the clocks, in milliseconds.
    pub time: PerSide<Option<i64>>,
    /// Increment per move, in milliseconds.
    pub increment: PerSide<Option<i64>>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Depth limit, in plies.
    pub depth: Option<i64>,
    /// Node limit.
    pub nodes: Option<i64>,
    /// Search for a mate in this many moves.
    pub mate: Option<i64>,
    /// Time for this move, in milliseconds.
    pub movetime: Option<i64>,
    /// Run perft to this depth instead of searching.
    pub perft: Option<i64>,
}

impl Go<'_> {
    /// Whether both protocols have the word.
    pub fn has(word: &str) -> bool {
        matches!(word, "ponder" | "infinite" | "searchmoves")
            || Go::default().number(word).is_some()
    }

    /// Where the number after a word of UCI belongs; `None` if it is no such word. UCCI has some of them too.
    pub fn number(&mut self, word: &str) -> Option<&mut Option<i64>> {
        let (white, black) = (Side::First, Side::Second);
        Some(match word {
            "wtime" => &mut self.time[white],
            "btime" => &mut self.time[black],
            "winc" => &mut self.increment[white],
            "binc" => &mut self.increment[black],
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.movetime,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// Whether the line names nothing that ends the search, and does not ask for an endless one.
    pub fn has_no_limit(&self) -> bool {
        let numbers = [self.depth, self.nodes, self.mate, self.movetime, self.perft];
        let times = Side::BOTH.map(|side| self.time[side]);
        let is_limited = numbers.iter().chain(&times).any(Option::is_some);
        !is_limited && !self.infinite && !self.ponder
    }
}

/// Something in a line that was not understood, although it may have been meant to change what the line means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oddity {
    /// The word; it is reported once. If it is empty, the text is reported each time.
    pub word: String,
    /// What to report.
    pub text: String,
}

/// A position: a FEN (`None` for the initial position) and the moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionText<'a> {
    /// The FEN, its fields separated by single blanks.
    pub fen: Option<String>,
    /// The command names no position: neither `startpos` nor `fen` nor moves.
    pub is_missing: bool,
    /// The command has a form that only programs with ranks from 0 use.
    pub ranks_from_zero: bool,
    /// The moves as given.
    pub moves: Vec<&'a str>,
}

/// One parsed line of input. Borrows its words from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// The word that opens the protocol, `uci` or `ucci`.
    Hello,
    /// Answer once all earlier commands are done.
    IsReady,
    /// Debug output on or off; `None` if the line has neither word.
    Debug(Option<bool>),
    /// Set an option: name and value; `None` if the name is missing.
    SetOption(Option<(String, &'a str)>),
    /// The next position belongs to another game.
    NewGame,
    /// Set the position.
    Position(PositionText<'a>),
    /// Moves that must not be played in the current position.
    BanMoves(Vec<&'a str>),
    /// Search.
    Go(Go<'a>),
    /// Stop the search.
    Stop,
    /// The expected move was played; true if a draw was offered with it.
    PonderHit(bool),
    /// Print the hash table entry of a position.
    Probe(PositionText<'a>),
    /// Exit.
    Quit,
    /// A known command without effect.
    Nothing,
    /// Print the position.
    Diagram,
    /// Print the static evaluation.
    Evaluate,
    /// Exchange the colours.
    Flip,
    /// Run the search benchmark, to this depth if given.
    Bench(Option<i64>),
    /// Print information about the build.
    Compiler,
    /// Print the commands.
    Help,
    /// The line has no known word.
    Unknown,
}

/// What the meaning of a line may depend on: UCCI gives the clock of the side to move instead of White's, and its unit
/// of time is an option.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The side to move in the current position.
    pub side: Side,
    /// UCCI's times are in milliseconds.
    pub milliseconds: bool,
}
