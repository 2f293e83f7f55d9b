//! Input and output: lines that are read, whole lines written and flushed, and the texts that both protocols share.
//!
//! A closed output ends the program, since nobody reads the answers. Memory use is bounded whatever the input.

use super::command::Protocol;
use super::games::ProgramGame;
use crate::base::files::text_of;
use crate::base::reader;
use crate::base::time_limit::time_limit;
use crate::engine::{Bound, Event, Info, Progress, Value};
use crate::game::{Position, Rules, Side};
use crate::perft::Divide;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{self, BufRead, ErrorKind, Read as _, Write};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The name of the program.
pub const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));
/// What the program is.
pub const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    ", a table-driven engine for chess and xiangqi, MIT or Apache-2.0 licence"
);

// --- input ------------------------------------------------------------------------------------------

/// Longest accepted line, in bytes. A game of 5,000 plies needs 26,000.
pub const MAX_LINE: usize = 1 << 20;

/// The next line of `input` that is not blank, without its end, which is LF, CR or any mixture of the two; `None` at
/// the end of the input, which a read error counts as. A line that is too long is skipped, with a message as the error.
/// Names of files in a line may have bytes that are not UTF-8.
pub fn next_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    loop {
        let (mut line, mut is_ended) = (Vec::new(), false);
        for byte in input.by_ref().bytes().map_while(Result::ok) {
            is_ended = matches!(byte, b'\n' | b'\r');
            if is_ended {
                break;
            }
            if line.len() <= MAX_LINE {
                line.push(byte);
            }
        }
        if line.len() > MAX_LINE {
            return Some(Err(format!("skipped a line of more than {MAX_LINE} bytes")));
        }
        // Some shells start a pipe with a byte order mark.
        let text = text_of(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line));
        if !text.trim().is_empty() {
            return Some(Ok(text));
        }
        if !is_ended {
            return None;
        }
    }
}

// --- output -----------------------------------------------------------------------------------------

/// How often to check, while nothing is written, that somebody still reads the output.
fn check_interval() -> Duration {
    time_limit(500)
}

/// Where lines are written, and in which protocol.
pub struct Output {
    sink: RefCell<Box<dyn Write>>,
    /// The protocol that is spoken.
    pub protocol: Protocol,
    /// Debug mode: print more messages.
    pub debug: bool,
}

impl Output {
    /// An output that writes to `sink`.
    pub fn new(sink: impl Write + 'static) -> Self {
        Output { sink: RefCell::new(Box::new(sink)), protocol: Protocol::Uci, debug: false }
    }

    /// Writes one or more lines, unless `text` is empty.
    pub fn say(&self, text: &str) {
        if !text.is_empty() {
            let mut sink = self.sink.borrow_mut();
            let done = sink.write_all(format!("{text}\n").as_bytes()).and_then(|()| sink.flush());
            done.unwrap_or_else(|error| end_unheard(&error));
        }
    }

    /// Writes a message for the user.
    pub fn remark(&self, text: &str) {
        self.say(&self.protocol.remark(text));
    }

    /// Writes an error message for the user.
    pub fn error(&self, text: &str) {
        self.say(&self.protocol.error(text));
    }

    /// Writes a message in debug mode.
    pub fn remark_if_debug(&self, text: impl FnOnce() -> String) {
        if self.debug {
            self.remark(&text());
        }
    }
}

impl Protocol {
    /// Formats a message; `text` may have several lines.
    pub fn remark(self, text: &str) -> String {
        let start = match self {
            Protocol::Uci => "info string",
            Protocol::Ucci => "info message",
        };
        let lines: Vec<_> = text.lines().map(|line| format!("{start} {line}")).collect();
        lines.join("\n")
    }

    /// Formats an error message for the user. Some GUIs show lines with `ERROR` and no other messages.
    pub fn error(self, text: &str) -> String {
        self.remark(&format!("ERROR: {text}"))
    }
}

/// Ends the program, whose output cannot be written.
fn end_unheard(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        exit(0);
    }
    // If stderr is closed too, the exit code has to suffice.
    let _ = writeln!(io::stderr(), "tabiya: cannot write the output: {error}");
    exit(2);
}

/// Does `work`, which may write nothing for long. Ends the program if the reader of its standard output goes away.
pub fn while_read<T>(work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, end) = channel::<()>();
        let watch = move || {
            while end.recv_timeout(check_interval()) == Err(RecvTimeoutError::Timeout) {
                if reader::is_gone() {
                    end_unheard(&ErrorKind::BrokenPipe.into());
                }
            }
        };
        // Without a thread for it, the program ends when it next writes a line.
        let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(done);
        result
    })
}

// --- the lines of a search ----------------------------------------------------------------------------

/// What the lines of a search depend on besides its events.
#[derive(Clone, Debug)]
pub struct View<B: Rules> {
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

impl<B: Rules> View<B> {
    /// Remembers the scores that `event` reports.
    pub fn note(&mut self, event: &Event<'_, B::Move>) {
        if let Event::Line(info) = event
            && info.multi_pv == 1
            && info.bound == Bound::Exact
            && !info.repeated
        {
            self.scores = [Some(info.score), self.scores[0]];
        }
    }
}

/// The result of searching one ply, the book move `m`: the evaluation of the position after it.
pub fn book_info<'a, B: ProgramGame>(root: &Position<B>, line: &'a [B::Move; 1]) -> Info<'a, B::Move> {
    let mut after = *root;
    after.make(line[0]);
    let score = if after.in_check() { 0 } else { -B::evaluate(&after, &mut Default::default()) };
    let progress = Progress { nodes: 1, ..Progress::default() };
    Info { depth: 1, selective_depth: 1, score, pv: line, ..Info::empty(progress) }
}

/// The moves of a line played from `pos`, each after a blank, up to the first illegal one.
pub fn moves<B: ProgramGame>(mut pos: Position<B>, line: &[B::Move]) -> String {
    let mut out = String::new();
    for &m in line {
        if !pos.is_legal(m) {
            break;
        }
        let _ = write!(out, " {}", pos.move_text(m));
        pos.make(m);
    }
    out
}

/// The `bestmove` line, with `ponder` if that reply is legal and does not end the game.
pub fn best_line<B: ProgramGame>(root: &Position<B>, best: B::Move, ponder: Option<B::Move>) -> String {
    let mut out = format!("bestmove {}", root.move_text(best));
    let mut pos = *root;
    pos.make(best);
    if let Some(ponder) = ponder.filter(|&m| pos.is_legal(m)) {
        let text = pos.move_text(ponder);
        pos.make(ponder);
        if pos.count_legal() > 0 {
            let _ = write!(out, " ponder {text}");
        }
    }
    out
}

/// A divide of `pos` in Stockfish's form, sorted by the text of the moves, with an empty line at the end.
pub fn divide<B: ProgramGame>(pos: &Position<B>, divide: &Divide<B::Move>) -> String {
    let mut moves = Vec::from_iter(divide.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)));
    moves.sort();
    let lines: String = moves.iter().map(|(text, count)| format!("{text}: {count}\n")).collect();
    format!("{lines}\nNodes searched: {}\n", divide.total)
}

/// A diagram of the position, with its FEN, key and checkers.
pub fn diagram<B: ProgramGame>(pos: &Position<B>) -> String {
    let fen = pos.to_fen();
    let rows: Vec<&str> = fen.split(' ').next().unwrap_or("").split('/').collect();
    let files = cells(rows[0]).len();
    let rule = format!(" +{}\n", "---+".repeat(files));
    let mut out = format!("\n{rule}");
    for (i, row) in rows.iter().enumerate() {
        for cell in cells(row) {
            let _ = write!(out, " | {cell}");
        }
        let _ = write!(out, " | {}\n{rule}", B::first_rank(pos) + rows.len() - 1 - i);
    }
    let names: Vec<String> = ('a'..).take(files).map(String::from).collect();
    let _ = writeln!(out, "   {}\n", names.join("   "));
    let _ = writeln!(out, "Fen: {fen}\nKey: {:016X}", pos.key());
    let _ = write!(out, "Checkers:{}", B::checker_names(pos));
    out
}

/// The static evaluation in internal centipawns from White's or Red's point of view; `None` in check.
pub fn evaluation<B: ProgramGame>(pos: &Position<B>) -> Option<i32> {
    if pos.in_check() {
        return None;
    }
    let own = B::evaluate(pos, &mut Default::default());
    Some(if pos.side() == Side::First { own } else { -own })
}

/// The squares of a row of a FEN; blank for an empty square.
fn cells(row: &str) -> Vec<char> {
    row.chars()
        .flat_map(|c| match c.to_digit(10) {
            Some(empty) => vec![' '; empty as usize],
            None => vec![c],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<Result<String, String>> {
        std::iter::from_fn(|| next_line(&mut bytes)).collect()
    }

    fn lines(words: &[&str]) -> Vec<Result<String, String>> {
        words.iter().map(|w| Ok(w.to_string())).collect()
    }

    #[test]
    fn every_kind_of_line_end_is_accepted() {
        let expected = lines(&["uci", "isready", "quit"]);
        for text in [
            "uci\nisready\nquit\n",
            "uci\r\nisready\r\nquit\r\n",
            "uci\risready\rquit",
            "uci\n\risready\n\n\r\r  \t \nquit",
        ] {
            assert_eq!(all(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_and_the_byte_order_mark_is_dropped() {
        assert_eq!(all(b"\xef\xbb\xbfuci\n"), lines(&["uci"]));
        assert_eq!(all(b"a\xffb\0c\n"), lines(&["a\u{10ffff}b\0c"]));
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_too_long_is_skipped_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; MAX_LINE + 5];
        text.extend_from_slice(b"\nuci\n");
        text.extend(vec![b'y'; MAX_LINE]);
        text.extend_from_slice(b"\n");
        text.extend(vec![b'z'; MAX_LINE + 1]);
        let skipped = || Err(format!("skipped a line of more than {MAX_LINE} bytes"));
        assert_eq!(all(&text), [skipped(), Ok("uci".to_string()), Ok("y".repeat(MAX_LINE)), skipped()]);
    }
}
