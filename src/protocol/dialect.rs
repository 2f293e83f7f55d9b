//! The interface between a session and a protocol: [`Dialect`], the words and formats of a protocol for one game.
//!
//! Implemented by `uci` and `ucci`, called by `session`. A dialect has no state; the session decides which commands
//! are allowed when.

use super::command::{Command, Context, Oddity, Protocol};
use super::games::{Game, Variant};
use super::go;
use super::words::Words;
use crate::engine::{Entry, Info, Progress, Score};
use crate::game::{NotationError, Rules};

/// Settings for printing a search, fixed when the search starts.
#[derive(Clone, Copy, Debug)]
pub struct View<P> {
    /// The position searched.
    pub root: P,
    /// More than one line is reported.
    pub several_lines: bool,
    /// Report win, draw and loss probabilities.
    pub wdl: bool,
    /// Debug mode: report more.
    pub debug: bool,
}

/// The result of a search or of a book probe.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<M> {
    /// The move; `None` if there is none.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The last two exact scores of the first PV, the last one first. `None` if nothing was searched.
    pub scores: [Option<Score>; 2],
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// The moves of a dialect's game.
pub type MoveOf<D> = <<D as Dialect>::Position as Rules>::Move;

/// The words and formats of a protocol for one game. Formatters that return an empty text print nothing, as where a
/// protocol has no word for something.
pub trait Dialect: 'static {
    /// The game.
    type Position: Variant;
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
    /// Most lines that [`Dialect::info`] prints for one PV.
    const LINES_PER_INFO: usize;

    /// Detects the game of a FEN.
    ///
    /// # Errors
    /// If the FEN is not a valid position of that game.
    fn game_of(fen: &str) -> Result<Game, NotationError> {
        Game::of_fen(fen)
    }
    /// Whether the protocol has this command.
    fn has_command(word: &str) -> bool {
        Self::COMMANDS.split(' ').any(|command| command == word)
    }
    /// Parses a line, and lists what it does not understand. Unknown words before a command are skipped.
    fn parse<'a>(line: &'a str, context: Context, odd: &mut Vec<Oddity>) -> Command<'a> {
        let mut words = Words::new(line);
        let Some(command) = words.by_ref().find(|word| Self::has_command(word)) else {
            return Command::Unknown;
        };
        match command {
            "go" => Command::Go(go::read(words, Self::PROTOCOL, context, odd)),
            "d" => Command::Diagram,
            "eval" => Command::Evaluate,
            "bench" => words.bench(odd),
            "compiler" => Command::Compiler,
            "help" => Command::Help,
            _ => Self::parse_own(command, line, words, odd),
        }
    }
    /// Parses the rest of a line with a command that the other protocol does not have, or not in the same form.
    fn parse_own<'a>(command: &str, line: &'a str, words: Words<'a>, odd: &mut Vec<Oddity>) -> Command<'a>;
    /// The answer to `uci` or `ucci`, with the lines that announce the options.
    fn hello(options: &str) -> String;

    /// The internal score that this protocol prints as `shown` in `pos`.
    fn score_of(_pos: &Self::Position, shown: Score) -> Score {
        shown
    }
    /// Formats a PV with its score.
    fn info(view: &View<Self::Position>, info: &Info<'_, MoveOf<Self>>) -> String;
    /// Formats nodes, time and speed of the search.
    fn progress(view: &View<Self::Position>, progress: &Progress) -> String;
    /// Formats a message; `text` may have several lines.
    fn remark(text: &str) -> String {
        let lines: Vec<_> = text.lines().map(|line| format!("{} {line}", Self::REMARK)).collect();
        lines.join("\n")
    }
    /// Formats an error message for the user. Some GUIs show lines with `ERROR` and no other messages.
    fn fault(text: &str) -> String {
        Self::remark(&format!("ERROR: {text}"))
    }
    /// Formats the current root move.
    fn current_move(view: &View<Self::Position>, depth: u32, m: MoveOf<Self>, number: u32) -> String;
    /// Formats the current line of one thread.
    fn current_line(_view: &View<Self::Position>, _cpu: u32, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats a refutation; `line` begins with the refuted move.
    fn refutation(_view: &View<Self::Position>, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats the answer of a search.
    fn best(root: &Self::Position, answer: &Answer<MoveOf<Self>>) -> String;
    /// Formats the hash table entry of a position.
    fn table_entry(_pos: &Self::Position, _entry: Option<Entry>) -> String {
        String::new()
    }
    /// The complete answer to a `go` that requests the static evaluation.
    fn static_score(_pos: &Self::Position) -> String {
        String::new()
    }
    /// The static evaluation, for a person.
    fn evaluation(pos: &Self::Position) -> String;
}
