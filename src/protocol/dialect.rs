//! The interface between a session and a protocol: [`Dialect`], the words and formats of a protocol for one game, and
//! `Printer`, which prints what the engine reports in a dialect.
//!
//! A dialect has no state; the session decides which commands are allowed when. The printer is called from the search
//! thread and never changes the session's state.

use super::command::{Command, Context, Oddity, Protocol};
use super::console::Console;
use super::games::{ProgramGame, Variant};
use crate::base::lock::lock;
use crate::engine::{Bound, Entry, Info, Progress, Report, Value, score};
use crate::game::{Board, NotationError, Position, Rules};
use std::sync::{Arc, Mutex};

/// Settings for printing a search, fixed when the search starts.
#[derive(Clone, Copy, Debug)]
pub struct View<B: Board> {
    /// The position searched.
    pub root: Position<B>,
    /// More than one line is reported.
    pub several_lines: bool,
    /// Report win, draw and loss probabilities.
    pub wdl: bool,
    /// Debug mode: report more.
    pub debug: bool,
}

/// The result of a search or of a book probe.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestMove<M> {
    /// The move; `None` if there is none.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The last two exact scores of the first PV, the last one first. `None` if nothing was searched.
    pub scores: [Option<Value>; 2],
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// The moves of a dialect's game.
pub type MoveOf<D> = <<D as Dialect>::Board as Rules>::Move;

/// The words and formats of a protocol for one game. Formatters that return an empty text print nothing, as where a
/// protocol has no word for something.
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
    /// Most lines that [`Dialect::info`] prints for one PV.
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
    /// Formats a PV with its score.
    fn info(view: &View<Self::Board>, info: &Info<'_, MoveOf<Self>>) -> String;
    /// Formats nodes, time and speed of the search.
    fn progress(view: &View<Self::Board>, progress: &Progress) -> String;
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
    fn current_move(view: &View<Self::Board>, depth: u32, m: MoveOf<Self>, number: u32) -> String;
    /// Formats the current line of one thread.
    fn current_line(_view: &View<Self::Board>, _cpu: u32, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats a refutation; `line` begins with the refuted move.
    fn refutation(_view: &View<Self::Board>, _line: &[MoveOf<Self>]) -> String {
        String::new()
    }
    /// Formats the answer of a search.
    fn best(root: &Position<Self::Board>, answer: &BestMove<MoveOf<Self>>) -> String;
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

/// Prints the reports of one search.
pub(super) struct Printer<D: Dialect> {
    pub console: Arc<Console>,
    pub view: View<D::Board>,
    /// The search looks for a mate.
    pub for_mate: bool,
    pub found: Mutex<Shown>,
}

/// What the first PV has shown so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// See [`BestMove::scores`].
    scores: [Option<Value>; 2],
    /// The PV ends in stalemate and is reported as a mate, because stalemate loses.
    stalemate: bool,
}

/// Whether a line that is reported as a mate ends in stalemate.
fn ends_in_stalemate<B: Board>(root: &Position<B>, info: &Info<'_, B::Move>) -> bool {
    let mut pos = *root;
    info.pv.iter().for_each(|&m| pos.make(m));
    score::is_mate(info.score) && pos.count_legal() == 0 && !pos.in_check()
}

impl<D: Dialect> Report<D::Board> for Printer<D> {
    fn lines_per_info(&self) -> usize {
        D::LINES_PER_INFO
    }
    fn info(&self, info: &Info<'_, MoveOf<D>>) {
        if info.multi_pv == 1 && info.bound == Bound::Exact {
            let mut found = lock(&self.found);
            if !info.repeated {
                found.scores = [Some(info.score), found.scores[0]];
            }
            found.stalemate = self.for_mate && ends_in_stalemate(&self.view.root, info);
        }
        self.console.say_thinking(&D::info(&self.view, info));
    }
    fn progress(&self, progress: &Progress) {
        self.console.say_thinking(&D::progress(&self.view, progress));
    }
    fn current_move(&self, depth: u32, m: MoveOf<D>, number: u32) {
        self.console.say_thinking(&D::current_move(&self.view, depth, m, number));
    }
    fn current_line(&self, cpu: u32, line: &[MoveOf<D>]) {
        self.console.say_thinking(&D::current_line(&self.view, cpu, line));
    }
    fn refutation(&self, m: MoveOf<D>, line: &[MoveOf<D>]) {
        let line: Vec<_> = std::iter::once(m).chain(line.iter().copied()).collect();
        self.console.say_thinking(&D::refutation(&self.view, &line));
    }
    fn message(&self, text: &str) {
        self.console.say_thinking(&D::remark(text));
    }
    fn fault(&self, text: &str) {
        self.console.say_thinking(&D::fault(text));
    }
    fn best(&self, best: Option<MoveOf<D>>, ponder: Option<MoveOf<D>>, score: Value) {
        let Shown { scores, stalemate } = *lock(&self.found);
        if stalemate {
            self.message("the line ends in stalemate, which loses");
        }
        if self.for_mate && score::is_forfeit(score) && score > 0 {
            let moves = (score::FORFEIT - score + 1) / 2;
            self.message(&format!("the opponent loses by a forbidden repetition in {moves}, which is no mate"));
        }
        let answer = BestMove { best, ponder, scores, draw_offered: self.console.is_draw_offered() };
        self.console.answer(&D::best(&self.view.root, &answer));
    }
}
