//! What a line of input can mean, in no protocol's words.
//!
//! A [`Dialect`](super::dialect::Dialect) makes [`Command`]s of lines, the session obeys them. Plain data;
//! numbers are as they were given, so nothing here is in range yet.

use super::options::Options;
use crate::game::{PerSide, Side};

/// A `go`, with its numbers as they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    /// The moves to be searched; `None` for all.
    pub search_moves: Option<Vec<&'a str>>,
    /// Think in the opponent's time.
    pub ponder: bool,
    /// Until `stop`.
    pub infinite: bool,
    /// A mate ends even an infinite search.
    pub until_mate: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// No search: only the value of the position as it stands.
    pub static_only: bool,
    /// Milliseconds on the clocks.
    pub time: PerSide<Option<i64>>,
    /// Milliseconds added by each move.
    pub increment: PerSide<Option<i64>>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to mate.
    pub mate: Option<i64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Count move sequences of so many plies instead of searching.
    pub perft: Option<i64>,
}

/// A position as FEN (`None`: the initial one) and the moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionText<'a> {
    /// The FEN, its words one blank apart.
    pub fen: Option<String>,
    /// Nothing says which position is meant: neither `startpos` nor `fen` nor moves.
    pub is_missing: bool,
    /// It is written as only programs write it that count ranks from 0.
    pub ranks_from_zero: bool,
    /// The moves as they were given.
    pub moves: Vec<&'a str>,
}

/// One line of input, understood. Borrows its words from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// The word that opens the protocol.
    Hello,
    /// Say when everything so far is done.
    IsReady,
    /// Diagnostics on or off; `None` if neither was said.
    Debug(Option<bool>),
    /// Set an option: name and value; `None` if there was no name.
    SetOption(Option<(String, &'a str)>),
    /// What comes next belongs to another game.
    NewGame,
    /// Set the position.
    Position(PositionText<'a>),
    /// Moves that must not be played in the present position.
    BanMoves(Vec<&'a str>),
    /// Search.
    Go(Go<'a>),
    /// End the search.
    Stop,
    /// The expected move was played; true if a draw was offered with it.
    PonderHit(bool),
    /// Show what the table knows about a position.
    Probe(PositionText<'a>),
    /// Leave.
    Quit,
    /// Known, and nothing to be done.
    Nothing,
    /// Show the position.
    Diagram,
    /// Show the static evaluation.
    Evaluate,
    /// Exchange the colours.
    Flip,
    /// Run the benchmark, to this depth if one was given.
    Bench(Option<i64>),
    /// Say how the program was made.
    Compiler,
    /// Say what can be said to the program.
    Help,
    /// No word of the line is known.
    Unknown,
}

/// What the meaning of a line may depend on: some protocols give "my clock" instead of White's, or choose
/// the unit of time by an option.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The side to move in the current position.
    pub side: Side,
    /// The options as they are.
    pub options: &'a Options,
}
