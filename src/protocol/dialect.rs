//! The contract between a session and a protocol: [`Dialect`], words and formats for one game.
//!
//! Implemented by `uci` and `ucci`, called by `session`. A dialect holds no state of the dialogue; what is
//! allowed when is the session's business.

use super::command::{Command, Context};
use super::games;
use super::options::{Options, Spec};
use super::variant::{Library, Variant};
use crate::engine::{Entry, Info, Progress, Score};
use crate::game::{NotationError, Rules};

/// What formatting a search's reports asks of the moment the search was started.
#[derive(Clone, Copy, Debug)]
pub struct View<P> {
    /// The position searched.
    pub root: P,
    /// More than one line is reported.
    pub several_lines: bool,
    /// Report expected shares of results.
    pub wdl: bool,
    /// Report more than usual.
    pub debug: bool,
}

/// The result of a search or of a look into the book.
#[derive(Clone, Copy, Debug)]
pub struct Answer<M> {
    /// The move; `None` if there is none.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The scores of the last two finished lines, the last one first. `None` where nothing was searched.
    pub scores: [Option<Score>; 2],
    /// The opponent has offered a draw.
    pub draw_offered: bool,
}

/// The moves of a dialect's game.
pub type MoveOf<D> = <<D as Dialect>::Position as Rules>::Move;

/// A protocol's words and formats for one game. A line of output is never empty: an empty text stands for
/// nothing to be said, as where a protocol has no word for it.
pub trait Dialect: 'static {
    /// The game.
    type Position: Variant;
    /// Every word that can open a line, a blank apart.
    const COMMANDS: &'static str;
    /// The options.
    const OPTIONS: &'static [Spec];
    /// The answer to `stop` when nothing is searched.
    const IDLE_STOP: &'static str;
    /// How a line begins that says something to the user.
    const REMARK: &'static str;
    /// The last line before the program leaves.
    const FAREWELL: &'static str;
    /// Whether an option that is not in the table is a fault to be reported.
    const REPORTS_UNKNOWN_OPTIONS: bool;
    /// The most lines that [`Dialect::info`] makes of one line of analysis.
    const LINES_PER_INFO: usize;

    /// The game, as a value of the option that chooses it, that a FEN looks to be of.
    ///
    /// # Errors
    /// If it is no position of that game.
    fn game_of(fen: &str) -> Result<&'static str, NotationError> {
        games::game_of(fen)
    }
    /// Whether a word can open a line.
    fn has_command(word: &str) -> bool {
        Self::COMMANDS.split(' ').any(|command| command == word)
    }
    /// Understands a line.
    fn parse<'a>(line: &'a str, context: Context<'_>) -> Command<'a>;
    /// The answer to the opening word, options included.
    fn hello() -> String;

    /// The score for which this protocol would show the number `shown` in `pos`.
    fn score_of(_pos: &Self::Position, shown: Score) -> Score {
        shown
    }
    /// Formats a line of analysis.
    fn info(view: &View<Self::Position>, info: &Info<'_, MoveOf<Self>>) -> String;
    /// Formats how far the search has come.
    fn progress(view: &View<Self::Position>, progress: &Progress) -> String;
    /// Formats a remark; `text` may have several lines.
    fn remark(text: &str) -> String {
        let lines: Vec<_> = text.lines().map(|line| format!("{} {line}", Self::REMARK)).collect();
        lines.join("\n")
    }
    /// Formats what a person should see: something that was asked for cannot be done. Some GUIs show lines that
    /// begin like this, and no other remarks.
    fn fault(text: &str) -> String {
        Self::remark(&format!("ERROR: {text}"))
    }
    /// Formats the root move being searched.
    fn current_move(
        view: &View<Self::Position>,
        depth: u32,
        m: MoveOf<Self>,
        number: u32,
    ) -> String;
    /// Formats the line being searched by one thread.
    fn current_line(_view: &View<Self::Position>, _cpu: u32, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats a refutation: `line` begins with the refuted move.
    fn refutation(_view: &View<Self::Position>, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats the answer.
    fn best(root: &Self::Position, answer: &Answer<MoveOf<Self>>) -> String;
    /// Formats what is to be said about the value of a move from the book, if anything.
    fn book_score(_root: &Self::Position, _m: MoveOf<Self>) -> String {
        String::new()
    }
    /// Formats what the table knows about a position.
    fn table_entry(_pos: &Self::Position, _entry: Option<Entry>) -> String {
        String::new()
    }
    /// The whole answer to a `go` that asks for the value of the position as it stands.
    fn static_score(_pos: &Self::Position) -> String {
        String::new()
    }
    /// The static evaluation, for a human.
    fn evaluation(pos: &Self::Position) -> String;

    /// Opens the book that the options ask for; a remark about it, or why the earlier one stays.
    ///
    /// # Errors
    /// If there is no such book.
    fn open_book(
        library: &mut Library<Self::Position>,
        options: &Options,
    ) -> Result<String, String>;
}
