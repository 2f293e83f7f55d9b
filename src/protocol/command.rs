//! Parsed commands, independent of the protocol.
//!
//! A [`Dialect`](super::dialect::Dialect) parses lines into [`Command`]s and the session executes them. Plain data.

use crate::engine::Limits;
use crate::game::Side;

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

/// What a `go` command asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request<'a> {
    /// The limits of the search, with the moves as given.
    pub limits: Limits<&'a str>,
    /// The opponent offers a draw.
    pub draw: bool,
    /// No search: report only the static evaluation.
    pub static_only: bool,
    /// Run perft to this depth instead of searching.
    pub perft: Option<u32>,
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

/// One parsed line of input, other than `isready`, `stop`, `ponderhit` and `quit`, which the input thread understands.
/// Borrows its words from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// The word that opens the protocol, `uci` or `ucci`.
    Hello,
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
    Go(Request<'a>),
    /// Print the hash table entry of a position.
    Probe(PositionText<'a>),
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
