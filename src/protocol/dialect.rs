//! The interface between a session and a protocol: [`Dialect`], the words and formats of a protocol for one game, and
//! [`Command`], a line that it has parsed.
//!
//! A dialect has no state; the session decides which commands are allowed when.

use super::bench::Bench;
use super::games::{ProgramGame, Variant};
use crate::engine::{Bound, Entry, Event, Limits, Value};
use crate::game::{Board, NotationError, Position, Rules, Side};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

/// What a `go` command asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// The only moves to search, as given; empty for all.
    pub moves: Vec<&'a str>,
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

/// One parsed line of input, which borrows its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// The word that opens the protocol, `uci` or `ucci`.
    Hello,
    /// The word that opens UCCI, during UCI.
    Ucci,
    /// Debug output on or off; `None` if the line has neither word.
    Debug(Option<bool>),
    /// Answer once all earlier lines are executed, whether or not a search is running.
    IsReady,
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
    /// End the search.
    Stop,
    /// The expected move was played; `draw`: with the offer of a draw.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
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
    /// Run the search benchmark.
    Bench(Bench),
    /// Print information about the build.
    Compiler,
    /// Print the commands.
    Help,
    /// End the program.
    Quit,
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

/// What the lines of a search depend on besides its events.
#[derive(Clone, Debug)]
pub struct View<B: Board> {
    /// The position searched.
    pub root: Position<B>,
    /// Report win, draw and loss probabilities.
    pub wdl: bool,
    /// Debug mode: report more.
    pub debug: bool,
    /// The opponent offers a draw. This may change while the search runs.
    pub draw_offered: Arc<AtomicBool>,
    /// The last two exact scores of the first PV, the last one first. `None` if nothing was searched.
    pub scores: [Option<Value>; 2],
}

impl<B: Board> View<B> {
    /// Remembers the scores that `event` reports.
    pub(super) fn note(&mut self, event: &Event<'_, B::Move>) {
        if let Event::Line(info) = event
            && info.multi_pv == 1
            && info.bound == Bound::Exact
            && !info.repeated
        {
            self.scores = [Some(info.score), self.scores[0]];
        }
    }
}

/// The moves of a dialect's game.
pub type MoveOf<D> = <<D as Dialect>::Board as Rules>::Move;

/// The words and formats of a protocol for one game.
pub trait Dialect: 'static {
    /// The game.
    type Board: ProgramGame;
    /// The protocol.
    const PROTOCOL: Protocol;
    /// All commands, separated by blanks.
    const COMMANDS: &'static str;
    /// The answer to `stop` while no search is running.
    const IDLE_STOP: &'static str;
    /// The start of a line with a message for the user.
    const REMARK: &'static str;
    /// The last line before the program exits.
    const FAREWELL: &'static str;
    /// Whether setting an unknown option is reported as an error.
    const REPORTS_UNKNOWN_OPTIONS: bool;
    /// Most lines that [`Dialect::format`] prints for one PV.
    const LINES_PER_INFO: usize;

    /// Detects the game of a FEN.
    ///
    /// # Errors
    /// If the FEN is not a valid position of that game.
    fn game_of(fen: &str) -> Result<Variant, NotationError> {
        Variant::of_fen(fen)
    }
    /// Whether the protocol has this command.
    fn has_command(word: &str) -> bool {
        Self::COMMANDS.split(' ').any(|command| command == word)
    }
    /// Parses a line, and lists what it does not understand. Unknown words before a command are skipped.
    fn parse<'a>(line: &'a str, context: Context, odd: &mut Vec<Oddity>) -> Command<'a>;
    /// The answer to `uci` or `ucci`, with the lines that announce the options.
    fn hello(options: &str) -> String;

    /// The internal score that this protocol prints as `shown` in `pos`.
    fn score_of(_pos: &Position<Self::Board>, shown: Value) -> Value {
        shown
    }
    /// The lines for what a search reports; empty where the protocol has no word for it.
    fn format(view: &View<Self::Board>, event: &Event<'_, MoveOf<Self>>) -> String;
    /// Formats a message; `text` may have several lines.
    fn remark(text: &str) -> String {
        let lines: Vec<_> = text.lines().map(|line| format!("{} {line}", Self::REMARK)).collect();
        lines.join("\n")
    }
    /// Formats an error message for the user. Some GUIs show lines with `ERROR` and no other messages.
    fn fault(text: &str) -> String {
        Self::remark(&format!("ERROR: {text}"))
    }
    /// Formats the hash table entry of a position.
    fn table_entry(_pos: &Position<Self::Board>, _entry: Option<Entry>) -> String {
        String::new()
    }
    /// The complete answer to a `go` that requests the static evaluation.
    fn static_score(_pos: &Position<Self::Board>) -> String {
        String::new()
    }
    /// The static evaluation, for a person.
    fn evaluation(pos: &Position<Self::Board>) -> String;
}
