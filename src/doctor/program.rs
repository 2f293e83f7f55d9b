//! Other programs that print divides: [`Divider`] asks them, `Process` runs them.
//!
//! The programs are untrusted: whatever they print, or do not, may cause neither a panic nor an endless wait.

use super::read::{Line, Reading, line_of, read};
use crate::base::files::path_of;
use crate::base::lock::lock;
use crate::base::signals::Group;
use crate::game::text::fault::quoted;
use crate::game::{Counting, Position};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Debian's folder of engines, which is not in every `PATH`.
const GAMES: &str = "/usr/games";
/// Limits on unread lines and on the length of one, so that a program that floods its output cannot fill the memory.
const BACKLOG: usize = 1024;
const LONGEST_LINE: u64 = 1 << 16;
/// How long a program may take to end, and to tell why, after its last output.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// Lines of its stderr that are repeated.
const MOST_WORDS: usize = 4;
/// More than any divide has moves, over all depths, and text, in bytes.
const MOST_COUNTS: usize = 1 << 16;
const MOST_TEXT: usize = 1 << 24;

/// What a program is asked for: a divide of `depth` plies after `moves`, which are separated by blanks, from `fen`.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub fen: &'a str,
    pub moves: &'a str,
    pub depth: u32,
    /// How many legal moves there are. Without one, nothing may be printed.
    pub legal: usize,
    /// How long the count may take; `None` for as long as it likes.
    pub patience: Option<Duration>,
}

/// What a program prints; an error if it prints no move with a number, does not answer, or has ended.
pub type Answer = Result<String, String>;

/// Another program that counts moves.
pub struct Divider<'a> {
    /// What to call it.
    pub name: String,
    /// What it calls itself; may be empty.
    pub id: String,
    /// Whether it is told the moves. Otherwise it must be given the position after them.
    pub takes_moves: bool,
    /// By how much its ranks exceed ours: some programs number those of xiangqi from 1.
    pub rank_offset: u32,
    /// How long a count may take from now on.
    pub patience: Option<Duration>,
    /// What may be the reason of its first failure.
    pub doubt: String,
    /// Whether it has not answered the last question.
    pub has_failed: bool,
    ask: Box<dyn FnMut(Question<'_>) -> Answer + 'a>,
}

impl<'a> Divider<'a> {
    /// A program that `ask` asks.
    pub fn new(name: &str, takes_moves: bool, ask: impl FnMut(Question<'_>) -> Answer + 'a) -> Divider<'a> {
        let (name, ask) = (name.to_string(), Box::new(ask));
        let (id, doubt) = (String::new(), String::new());
        Divider { name, id, takes_moves, rank_offset: 0, patience: None, doubt, has_failed: false, ask }
    }

    /// What it prints for `depth` plies after `moves`, in our spelling, from `fen`, where there are `legal` moves.
    ///
    /// # Errors
    /// If the program fails.
    pub fn ask(&mut self, fen: &str, moves: &[String], depth: u32, legal: usize) -> Answer {
        let moves = Vec::from_iter(moves.iter().map(|m| respell(m, self.rank_offset))).join(" ");
        let answer = (self.ask)(Question { fen, moves: &moves, depth, legal, patience: self.patience });
        self.has_failed = answer.is_err();
        answer
    }

    /// Its divide of `pos`, of `depth` plies, which is reached by `moves` from `fen`.
    ///
    /// # Errors
    /// If the program fails, or what it prints can't be read.
    pub fn divide<B: Counting>(
        &mut self,
        (fen, moves): (&str, &[String]),
        pos: &Position<B>,
        depth: u32,
    ) -> Result<Reading, String> {
        let text = self.ask(fen, moves, depth, pos.count_legal() as usize)?;
        let reading = read(pos, &text, Some(self.rank_offset));
        reading.map_err(|reason| format!("{}, asked for depth {depth} of {}: {reason}", self.name, pos.to_fen()))
    }

    /// Detects whether it numbers ranks as we do or one higher, from its moves in `pos`. Afterwards all moves are
    /// translated.
    ///
    /// # Errors
    /// If the program fails.
    pub fn learn_ranks<B: Counting>(&mut self, pos: &Position<B>) -> Result<(), String> {
        let text = self.ask(&pos.to_fen(), &[], 1, pos.count_legal() as usize);
        let reading = text.and_then(|text| read(pos, &text, None)).map_err(|reason| reason + &self.doubt)?;
        if !reading.moves.iter().any(|m| m.legal) {
            let Divider { name, doubt, .. } = self;
            return Err(format!("{name} has none of the legal moves of {}{doubt}", pos.to_fen()));
        }
        self.rank_offset = reading.rank_offset;
        Ok(())
    }
}

/// One of our moves with `offset` added to its ranks.
pub(super) fn respell(text: &str, offset: u32) -> String {
    let raise = |letter: char| match letter.to_digit(10) {
        Some(rank) => (rank + offset).to_string(),
        None => letter.to_string(),
    };
    text.chars().map(raise).collect()
}

/// A program that runs; it is ended when this is dropped, with all that it has started.
pub(super) struct Process {
    pub name: String,
    pub input: Option<ChildStdin>,
    child: Child,
    group: Option<Group>,
    lines: Receiver<String>,
    /// The last lines of what it has printed on stderr, and the thread that reads them until stderr ends.
    complaint: Arc<Mutex<VecDeque<String>>>,
    listener: JoinHandle<()>,
}

impl Process {
    /// Starts the program `words[0]`, or the one of that name in Debian's folder of engines.
    pub fn start(words: &[String]) -> Result<Process, String> {
        let (name, arguments) = words.split_first().ok_or("the command is empty")?;
        if name.is_empty() {
            return Err("the name of the program is empty".into());
        }
        let program = path_of(name);
        let start = |program: &Path| {
            let mut command = Command::new(program);
            command.args(arguments.iter().map(|word| path_of(word))).stdin(Stdio::piped()).stdout(Stdio::piped());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.stderr(Stdio::piped()).spawn()
        };
        let mut started = start(&program);
        if !is_path(&program) && started.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            started = start(&Path::new(GAMES).join(&program)).or(started);
        }
        let name = program.display().to_string();
        let mut child = started.map_err(|error| format!("cannot start {name}: {}", why_not(&program, &error)))?;
        let (input, output, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on, dropping the process ends the program.
        let group = Some(Group::of_leader(child.id()));
        let complaint = Arc::default();
        let last = Arc::clone(&complaint);
        let spawn = thread::Builder::new().spawn(move || keep_complaint(stderr, &last));
        let listener = spawn.map_err(|e| format!("cannot read {name}: {e}"))?;
        let (sender, lines) = sync_channel(BACKLOG);
        let process = Process { name: name.clone(), input, child, group, lines, complaint, listener };
        let read = move || {
            let Some(output) = output else { return };
            let (mut output, mut line) = (BufReader::new(output), Vec::new());
            let longest = LONGEST_LINE;
            while output.by_ref().take(longest).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let mut text = String::from_utf8_lossy(&line).trim().to_string();
                // A part of a line without end keeps its zeros: by their number it is seen to be one.
                if line.ends_with(b"\n") {
                    text = text.replace('\0', "");
                }
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        };
        thread::Builder::new().spawn(read).map_err(|e| format!("cannot read {name}: {e}"))?;
        Ok(process)
    }

    /// The next line of output; `Disconnected` at its end.
    pub fn line(&self, deadline: Option<Instant>) -> Result<String, RecvTimeoutError> {
        match deadline {
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            // There is always a line of a program that floods its output.
            Some(until) if until <= Instant::now() => Err(RecvTimeoutError::Timeout),
            Some(until) => self.lines.recv_timeout(until.saturating_duration_since(Instant::now())),
        }
    }

    /// How a program that has closed its output ends, its exit status or signal, and its last words on stderr.
    pub fn ending(&mut self) -> (Option<ExitStatus>, String) {
        let deadline = Instant::now() + LAST_WORDS;
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                other => break other.ok().flatten(),
            }
        };
        // What it has started may hold stderr open.
        self.group = None;
        let deadline = Instant::now() + LAST_WORDS;
        while !self.listener.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let words = Vec::from_iter(lock(&self.complaint).iter().cloned()).join(" | ");
        (status, if words.is_empty() { words } else { format!(": {words}") })
    }

    /// What is to be said of stderr where an answer was expected on stdout.
    pub fn aside(&self) -> String {
        let complaint = lock(&self.complaint);
        if complaint.iter().any(|line| matches!(line_of(0, line), Line::Move(_))) {
            return "; there are moves with counts on its stderr; expected on stdout".into();
        }
        complaint.back().map_or(String::new(), |last| format!("; the last line on its stderr is {}", quoted(last)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a program is named by its path, and not looked for.
fn is_path(program: &Path) -> bool {
    program.components().count() != 1 || program.is_absolute()
}

/// Says why a program cannot be started, and where it was looked for.
fn why_not(program: &Path, error: &Error) -> String {
    if error.kind() != ErrorKind::NotFound {
        error.to_string()
    } else if is_path(program) {
        let place = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
        format!("{error}; looked for {}; a path with blanks needs quotes", place.display())
    } else {
        format!("{error}; looked for it in the folders of PATH and in {GAMES}")
    }
}

/// Keeps the last lines of what a program prints on stderr: not blank ones, nor the notes after a panic.
fn keep_complaint(stderr: Option<ChildStderr>, complaint: &Mutex<VecDeque<String>>) {
    let (Some(stderr), mut line) = (stderr, Vec::new()) else { return };
    let mut stderr = BufReader::new(stderr);
    while stderr.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        let text = String::from_utf8_lossy(&line).trim().to_string();
        if !text.is_empty() && !text.starts_with("note: ") {
            let mut last = lock(complaint);
            last.push_back(text);
            if last.len() > MOST_WORDS {
                last.pop_front();
            }
        }
        line.clear();
    }
}

/// What a program has printed so far for a question.
#[derive(Default)]
pub(super) struct Heard {
    pub text: String,
    /// How many moves with numbers it has.
    pub moves: usize,
    /// Whether it has printed a total, and whether that is 0.
    pub total: Option<bool>,
}

impl Heard {
    /// Adds a line, and returns what it is; refuses a program that prints without end.
    pub fn take(&mut self, line: &str, name: &str) -> Result<Line, String> {
        let kind = line_of(0, line);
        match &kind {
            Line::Move(_) => self.moves += 1,
            Line::Total(numbers) => self.total = Some(numbers.contains(&0)),
            Line::Several | Line::Other => {}
        }
        self.text += line;
        self.text.push('\n');
        if self.moves > MOST_COUNTS || self.text.len() > MOST_TEXT {
            Err(format!("{name} prints without end"))
        } else {
            Ok(kind)
        }
    }
}

/// A program that prints a divide and ends, run once for each position. The words of `command` are split at blanks as
/// in a shell; quotes keep blanks together. They hold `{depth}`, `{fen}` and, if it takes moves, `{moves}`.
///
/// # Errors
/// If the command has no `{depth}` or no `{fen}`, another placeholder, or an open quote.
pub fn by_command(command: &str) -> Result<Divider<'static>, String> {
    let words = split_command(command)?;
    for part in ["{depth}", "{fen}"] {
        if !words.iter().skip(1).any(|word| word.contains(part)) {
            let example = "my-perft {depth} \"{fen}\" \"{moves}\"";
            return Err(format!("the command has no {part}; expected the form {example}"));
        }
    }
    for (at, _) in command.match_indices('{') {
        let Some((name, _)) = command[at + 1..].split_once('}') else { continue };
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic());
        if is_name && !command[..at].ends_with('$') && !matches!(name, "depth" | "fen" | "moves") {
            return Err(format!("unknown placeholder {{{name}}}; expected {{depth}}, {{fen}} or {{moves}}"));
        }
    }
    let takes_moves = words.iter().any(|word| word.contains("{moves}"));
    let name = words[0].clone();
    Ok(Divider::new(&name, takes_moves, move |question| run(&words, question)))
}

/// Runs a program once.
fn run(words: &[String], question: Question<'_>) -> Answer {
    let Question { fen, moves, depth, legal, patience } = question;
    let fill = |word: &String| {
        let word = word.replace("{depth}", &depth.to_string());
        word.replace("{fen}", fen).replace("{moves}", moves)
    };
    let filled = Vec::from_iter(words[1..].iter().map(fill));
    let mut process = Process::start(&[&words[..1], &filled].concat())?;
    process.input = None;
    let after = if moves.is_empty() { "" } else { " after " };
    let asked = format!("for depth {depth} of {fen}{after}{moves}");
    let name = &words[0];
    let (begin, mut heard) = (Instant::now(), Heard::default());
    let deadline = patience.map(|patience| begin + patience);
    loop {
        match process.line(deadline) {
            Ok(line) => _ = heard.take(&line, name)?,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let seconds = begin.elapsed().as_secs_f32();
                return Err(format!("{name} has not ended within {seconds:.1} s {asked}{}", process.aside()));
            }
        }
    }
    let (status, words) = process.ending();
    let is_killed = status.is_some_and(|status| status.code().is_none());
    if !is_killed && (heard.moves > 0 || heard.total == Some(true) || legal == 0) {
        return Ok(heard.text);
    }
    Err(match status {
        Some(status) if !status.success() => format!("{name} ends with {status} {asked}{words}"),
        _ => format!("{name} prints no divide {asked}{}", process.aside()),
    })
}

/// Splits at blanks; single or double quotes keep blanks together, as in a shell. The path of a file is one word.
pub(super) fn split_command(command: &str) -> Result<Vec<String>, String> {
    if Path::new(command).is_file() {
        return Ok(vec![command.into()]);
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("the command has an open quote".into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_split_as_in_a_shell() {
        assert_eq!(split_command("a  b").unwrap(), ["a", "b"]);
        assert_eq!(split_command("'a b' \"c'd\" ''").unwrap(), ["a b", "c'd", ""]);
        assert_eq!(split_command("  ").unwrap(), [""; 0]);
        assert!(split_command("a 'b").is_err());
    }

    #[test]
    fn a_program_that_cannot_be_started_is_looked_for() {
        for (name, words) in [
            ("no-such-engine", &["looked for it in the folders of PATH and in /usr/games"][..]),
            ("./no-such-engine", &["looked for /", "/no-such-engine; a path with blanks needs quotes"]),
            ("", &["the name of the program is empty"]),
        ] {
            let error = Process::start(&[name.to_string()]).err().unwrap();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
    }

    #[test]
    fn ranks_are_translated() {
        for (ours, theirs) in [("a0a9", "a1a10"), ("h2e2", "h3e3"), ("i9i8", "i10i9")] {
            assert_eq!(respell(ours, 1), theirs);
            assert_eq!(respell(ours, 0), ours);
        }
        assert_eq!(respell("a7a8q", 0), "a7a8q");
    }
}
