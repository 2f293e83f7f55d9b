//! Runs transcripts and compares what the program prints line by line: those of the README and of the manual in
//! `src/guide`, and the files of `tests/transcripts`, the tests of the commands and of both protocols.
//!
//! The first lines of such a file say what it is about. Then come its sessions. Each begins with its title after `# `
//! and has an empty folder, with links to `tests/data`, `src/guide` and `perft-suites`. A line after `$ ` is a command
//! for bash, which goes on in the next line after a `\`; a line after `> ` is sent to the command above it, or to
//! `tabiya` if there is none. All other lines are the expected output. For a command without input they include stderr
//! and, in brackets, an exit code that is not 0. In a line, `…` is any text; a line `…` is any number of lines. The
//! numbers after `time` and `nps` in an `info` line are not compared, and current moves and figures, which only a long
//! search reports, may come in between. An empty line before a title is not part of the output.
//!
//! ```text
//! # a castling right without its rook is warned of
//! > position fen 4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1
//! info string position: FEN castling, character 24: "K": no king and rook in place to castle; dropped
//! > go depth 2
//! …
//! bestmove …
//! ```
//!
//! A page has its transcripts in blocks. There, a line that begins with a command of the protocol is sent.
//!
//! ```text
//! cargo test --profile quick --test tabiya transcripts        all files
//! TABIYA_TRANSCRIPT=uci_go cargo test …                        one file
//! TABIYA_TRANSCRIPT='uci_go.txt: `searchmoves`' cargo test …   sessions with a title that begins so
//! TABIYA_BLESS=1 cargo test …                                  accept what is printed now
//! ```
//!
//! The last one writes what is printed into the files wherever the expected lines differ. Read the diff: it writes
//! wrong output too, and lines in full where `…` stood. In a dialogue an answer is over after a silent second.
#![cfg(unix)]

use crate::common::engine::Engine;
use crate::common::pipe::{LEAVING, PATIENCE, Pipe};
use crate::common::program::{Folder, finish, own, start};
use crate::common::{root, skip_or_fail};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Any number of lines, or any text in a line.
const ANY: &str = "…";
/// What bash prints between the output of a command and its exit code.
const END: char = '\u{1}';

/// The engine of the recipes, an example that Cargo builds with all tests.
fn my_engine() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_tabiya")).with_file_name("examples").join("my-engine")
}

enum Line {
    Sent(String),
    Expected(String),
}

/// A command, the number of its last line, and the numbered lines after it.
struct Step {
    command: String,
    number: usize,
    lines: Vec<(usize, Line)>,
}

impl Step {
    fn is_dialogue(&self) -> bool {
        self.command == "tabiya" || self.lines.iter().any(|(_, line)| matches!(line, Line::Sent(_)))
    }
}

struct Session {
    file: String,
    title: String,
    is_page: bool,
    steps: Vec<Step>,
}

impl Session {
    /// Adds a line of the file.
    fn add(&mut self, number: usize, line: &str) {
        if let Some(command) = line.strip_prefix("$ ") {
            self.steps.push(Step { command: command.to_string(), number, lines: Vec::new() });
            return;
        }
        if self.steps.is_empty() && !self.is_page {
            self.steps.push(Step { command: "tabiya".to_string(), number: number - 1, lines: Vec::new() });
        }
        let Some(step) = self.steps.last_mut() else { return };
        if step.command.ends_with('\\') && step.lines.is_empty() {
            (step.command, step.number) = (format!("{}\n{line}", step.command), number);
            return;
        }
        let first = line.split(' ').next().unwrap_or_default();
        let line = if self.is_page && step.command == "tabiya" && tabiya::protocol::is_command(first) {
            Line::Sent(line.to_string())
        } else if let Some(sent) = line.strip_prefix("> ") {
            Line::Sent(sent.to_string())
        } else {
            Line::Expected(line.to_string())
        };
        step.lines.push((number, line));
    }

    /// Runs the commands and compares their output. The error is the first line that differs.
    fn run(&self, programs: &Path) -> Result<(), String> {
        let folder = Folder::new("transcript");
        for name in ["tests/data", "src/guide", "perft-suites"] {
            let target = root().join(name);
            symlink(&target, folder.at(target.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        let path = env::var("PATH").unwrap_or_default();
        let bash = |script: &str| {
            let mut bash = Command::new("bash");
            bash.args(["-c", script])
                .env("PATH", format!("{}:{path}:/usr/games", programs.display()))
                .env("HOME", root().join("tests/data"))
                .current_dir(folder.path())
                .stdin(Stdio::null());
            bash
        };
        for steps in self.steps.chunk_by(|a, b| !a.is_dialogue() && !b.is_dialogue()) {
            if steps[0].is_dialogue() {
                let command = &mut bash(&steps[0].command);
                if is_blessing() {
                    bless_dialogue(command, self, &steps[0]);
                } else {
                    dialogue(command, &steps[0].lines)?;
                }
                continue;
            }
            let mut script = String::from(if self.is_page { "" } else { "exec 2>&1\n" });
            for step in steps {
                script += &format!("{}\necho '{END}'$?\n", step.command);
            }
            let run = finish(start(&mut bash(&script)));
            let mut printed = run.out.lines();
            for step in steps {
                let mut output = Vec::new();
                for line in printed.by_ref() {
                    let Some((torn, code)) = line.split_once(END) else {
                        output.push(line.to_string());
                        continue;
                    };
                    if !torn.is_empty() {
                        output.push(torn.to_string());
                    }
                    if code != "0" && !self.is_page {
                        output.push(format!("[{code}]"));
                    }
                    break;
                }
                if is_blessing() {
                    bless(&self.file, step.number, &step.lines, output);
                    continue;
                }
                let mut output = output.into_iter();
                compare(&step.lines, |_| (), || output.next())
                    .map_err(|difference| format!("$ {}\n{difference}\n{}", step.command, run.err))?;
            }
        }
        Ok(())
    }
}

/// The sessions of a file. In a page they are the blocks with a prompt.
fn sessions(path: &Path) -> Vec<Session> {
    let file = path.strip_prefix(root()).unwrap().display().to_string();
    let is_page = file.ends_with(".md");
    let new = |title: &str| Session { file: file.clone(), title: title.to_string(), is_page, steps: Vec::new() };
    let mut sessions: Vec<Session> = Vec::new();
    let mut is_in_block = false;
    for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        if is_page && line.starts_with("```") {
            is_in_block = !is_in_block;
            sessions.extend(is_in_block.then(|| new("")));
        } else if let Some(title) = line.strip_prefix("# ").filter(|_| !is_page) {
            if let Some(step) = sessions.last_mut().and_then(|session| session.steps.last_mut()) {
                step.lines.pop_if(|(_, line)| matches!(line, Line::Expected(text) if text.is_empty()));
            }
            sessions.push(new(title));
        } else if let Some(session) = sessions.last_mut().filter(|_| is_in_block || !is_page) {
            session.add(index + 1, line);
        }
    }
    sessions.retain(|session| !session.steps.is_empty());
    sessions
}

/// A line without the numbers that vary from run to run.
fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_time = |i: usize| i > 0 && matches!(words[i - 1], "time" | "nps");
    let masked = |i: usize| if is_time(i) && line.starts_with("info ") { "_" } else { words[i] };
    (0..words.len()).map(masked).collect::<Vec<_>>().join(" ")
}

/// Whether a line is the expected one.
fn fits(expected: &str, line: &str) -> bool {
    let Some((start, end)) = expected.split_once(ANY) else { return expected == line };
    let Some(rest) = line.strip_prefix(start) else { return false };
    rest.char_indices().any(|(at, _)| fits(end, &rest[at..])) || fits(end, "")
}

/// Whether a search reports this only if it takes long enough.
fn is_timed(line: &str) -> bool {
    line.starts_with("info ") && line.contains(" currmove ")
        || line.starts_with("info nodes ")
        || line.starts_with("info time ")
}

/// Sends what is to be sent, and at last `None`, and compares all that is printed with the expected lines.
fn compare(
    lines: &[(usize, Line)],
    mut send: impl FnMut(Option<&str>),
    mut next: impl FnMut() -> Option<String>,
) -> Result<(), String> {
    let mut may_skip = false;
    for (number, line) in lines {
        let expected = match line {
            Line::Sent(line) => {
                send(Some(line));
                continue;
            }
            Line::Expected(line) if line == ANY => {
                may_skip = true;
                continue;
            }
            Line::Expected(line) => line,
        };
        loop {
            let Some(found) = next() else { return Err(format!("line {number}: {expected:?} is not printed")) };
            if fits(&masked(expected), &masked(&found)) {
                break;
            }
            if !may_skip && !is_timed(&found) {
                return Err(format!("line {number}: {found:?} is printed instead of {expected:?}"));
            }
        }
        may_skip = false;
    }
    send(None);
    while let Some(found) = next() {
        // UCCI's last word.
        if !may_skip && found != "bye" {
            return Err(format!("at the end: {found:?} is printed as well"));
        }
    }
    Ok(())
}

/// Talks to the program; each turn begins after the expected output before it has come.
fn dialogue(command: &mut Command, lines: &[(usize, Line)]) -> Result<(), String> {
    let pipe = RefCell::new(Pipe::of_own(command));
    let send = |line: Option<&str>| {
        if let Some(line) = line {
            pipe.borrow_mut().send(line);
        } else {
            pipe.borrow_mut().close();
        }
    };
    let result = compare(lines, send, || pipe.borrow().line(PATIENCE));
    let mut pipe = pipe.into_inner();
    pipe.leave_unchecked();
    result?;
    pipe.check_dialogue();
    let status = pipe.ended(LEAVING).ok_or("the program does not exit")?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}

/// Whether what is printed is to be accepted.
fn is_blessing() -> bool {
    env::var_os("TABIYA_BLESS").is_some()
}

/// For each file and line number, how many of the lines after it are to be replaced, and by what.
static EDITS: Mutex<BTreeMap<(String, usize), (usize, Vec<String>)>> = Mutex::new(BTreeMap::new());

/// Accepts what is printed after line `number` instead of the lines that are expected there.
fn bless(file: &str, number: usize, expected: &[(usize, Line)], printed: Vec<String>) {
    let mut lines = printed.clone().into_iter();
    if compare(expected, |_| (), || lines.next()).is_err() {
        EDITS.lock().unwrap().insert((file.to_string(), number), (expected.len(), printed));
    }
}

/// Accepts the answers of a dialogue. A turn is what is sent, and the lines that are expected then.
fn bless_dialogue(command: &mut Command, session: &Session, step: &Step) {
    let mut pipe = Pipe::of_own(command);
    pipe.leave_unchecked();
    let is_sent = |line: &(usize, Line)| matches!(line.1, Line::Sent(_));
    let mut turns = step.lines.chunk_by(|a, b| is_sent(a) || !is_sent(b)).peekable();
    while let Some(turn) = turns.next() {
        let (sent, expected) = turn.split_at(turn.iter().filter(|line| is_sent(line)).count());
        for (_, line) in sent {
            if let Line::Sent(text) = line {
                pipe.send(text);
            }
        }
        let is_last = turns.peek().is_none();
        if is_last {
            pipe.close();
        }
        let (begin, mut printed) = (Instant::now(), Vec::new());
        while begin.elapsed() < Duration::from_secs(5)
            && let Some(line) = pipe.line(Duration::from_secs(1))
        {
            printed.push(line);
        }
        printed.retain(|line| line != "bye");
        bless(&session.file, sent.last().map_or(step.number, |(number, _)| *number), expected, printed);
    }
}

/// Writes what was accepted into the files.
fn write_blessed() {
    for ((file, number), (count, lines)) in std::mem::take(&mut *EDITS.lock().unwrap()).into_iter().rev() {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let mut all = Vec::from_iter(text.lines().map(String::from));
        all.splice(number..number + count, lines);
        fs::write(root().join(&file), all.join("\n") + "\n").unwrap();
        println!("{file}: what is printed after line {number} is accepted");
    }
}

/// A program that the session needs and that is not installed.
fn missing_peer(session: &Session) -> Option<&'static str> {
    let names = |name: &str| session.steps.iter().any(|step| step.command.contains(name));
    if names("fairy-stockfish") && Engine::fairy_stockfish().is_none() {
        return Some("Fairy-Stockfish");
    }
    if names("my-engine") && !my_engine().exists() {
        return Some("my-engine (cargo build --example my-engine)");
    }
    // What the file is about says its name.
    (session.file.ends_with("linux.txt") && !cfg!(target_os = "linux")).then_some("Linux")
}

/// Runs all sessions of the files, four side by side.
fn assert_all_agree(files: &[PathBuf]) {
    let programs = Folder::new("programs");
    symlink(own(), programs.at("tabiya")).unwrap();
    symlink(my_engine(), programs.at("my-engine")).unwrap();
    let wanted = env::var("TABIYA_TRANSCRIPT").unwrap_or_default();
    let is_wanted = |session: &Session| format!("{}: {}", session.file, session.title).contains(&wanted);
    let sessions = Vec::from_iter(files.iter().flat_map(|file| sessions(file)).filter(is_wanted));
    let (left, differences) = (Mutex::new(sessions.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().unwrap().next();
    let work = || {
        while let Some(session) = next() {
            if let Some(peer) = missing_peer(session) {
                skip_or_fail(peer, &format!("transcript: {}, {}", session.file, session.title));
                continue;
            }
            let result = catch_unwind(AssertUnwindSafe(|| session.run(programs.path())));
            if let Err(difference) = result.unwrap_or_else(|_| Err("a panic, see above".to_string())) {
                differences.lock().unwrap().push(format!("{}: {}\n{difference}", session.file, session.title));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
    write_blessed();
    let differences = differences.into_inner().unwrap();
    let count = sessions.len();
    assert!(differences.is_empty(), "{} of {count} differ:\n\n{}", differences.len(), differences.join("\n\n"));
    println!("{count} sessions");
}

/// The files of a folder with an extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

#[test]
fn the_pages_show_what_the_program_prints() {
    assert_all_agree(&[files("src/guide", "md"), vec![root().join("README.md")]].concat());
}

#[test]
fn the_commands_and_protocols_answer_as_expected() {
    assert_all_agree(&files("tests/transcripts", "txt"));
}
