//! A program that prints a divide and ends, run once for each position.
//!
//! Called by `cli::check` for `--command`. The program is untrusted: whatever it prints, or does not, may cause neither
//! a panic nor an endless wait.

use super::against::{Divider, respell, spawn, split_command};
use super::printed::{DivideReader, PrintedMove};
use std::io::{self, Read};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most that a program may print, in bytes; a divide has a few hundred lines.
const MAX_BYTES: u64 = 16 << 20;

/// A command with `{depth}`, `{fen}` and `{moves}`.
pub struct Program {
    words: Vec<String>,
    rank_offset: u32,
    patience: Duration,
}

impl Program {
    /// The words of `command`, split at blanks as in a shell; quotes keep blanks together.
    ///
    /// # Errors
    /// If the command has no `{depth}` or no `{fen}`, or an open quote.
    pub fn new(command: &str) -> Result<Program, String> {
        let words = split_command(command)?;
        for part in ["{depth}", "{fen}"] {
            if !words.iter().skip(1).any(|word| word.contains(part)) {
                let example = "my-perft {depth} \"{fen}\" \"{moves}\"";
                return Err(format!("the command has no {part}; expected the form {example}"));
            }
        }
        Ok(Program { words, rank_offset: 0, patience: Duration::from_secs(60) })
    }

    /// Whether the program is told the moves. Otherwise it must be given the position after them.
    #[must_use]
    pub fn takes_moves(&self) -> bool {
        self.words.iter().any(|word| word.contains("{moves}"))
    }
}

impl Divider for Program {
    fn name(&self) -> &str {
        &self.words[0]
    }

    fn divide(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
    ) -> Result<Vec<PrintedMove>, String> {
        let spelt: Vec<String> = moves.iter().map(|m| respell(m, self.rank_offset)).collect();
        let (moves, plies) = (spelt.join(" "), depth.to_string());
        let fill = |word: &String| {
            word.replace("{depth}", &plies).replace("{fen}", fen).replace("{moves}", &moves)
        };
        let arguments: Vec<String> = self.words[1..].iter().map(fill).collect();
        let name = self.name().to_string();
        let mut child = spawn(&name, &arguments, Stdio::piped)
            .map_err(|e| format!("cannot start {name}: {e}"))?;
        drop(child.stdin.take());
        let after = if moves.is_empty() { "" } else { " after " };
        let question = format!("for depth {depth} of {fen}{after}{moves}");
        let (out, err) = (read(child.stdout.take()), read(child.stderr.take()));
        let begin = Instant::now();
        let printed = out.recv_timeout(self.patience);
        let status = match &printed {
            Ok(_) => ending(&mut child, begin + self.patience),
            Err(_) => None,
        };
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let Ok(printed) = printed else {
            let seconds = begin.elapsed().as_secs_f32();
            return Err(format!("{name} has not ended within {seconds:.1} s {question}"));
        };
        let mut reader = DivideReader::default();
        let totals: Vec<u128> = printed.lines().filter_map(|line| reader.take(line)).collect();
        if !reader.found.is_empty() || totals.last() == Some(&0) {
            return Ok(reader.found);
        }
        let complaint = err.recv_timeout(Duration::from_millis(300)).unwrap_or_default();
        let last = complaint.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let last = last.map_or(String::new(), |line| format!(": {line}"));
        Err(match status {
            Some(status) if !status.success() => {
                format!("{name} ends with {status} {question}{last}")
            }
            _ => format!("{name} prints no divide {question}{last}"),
        })
    }

    fn rank_offset(&mut self) -> &mut u32 {
        &mut self.rank_offset
    }

    fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }
}

/// Reads a pipe to its end, on a thread.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, text) = channel();
    let read = move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(MAX_BYTES).read_to_end(&mut bytes);
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
            // What is more is read all the same, so that the program is not held up.
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
    };
    // Without a thread the sender is dropped, and the receiver sees it.
    let _ = thread::Builder::new().spawn(read);
    text
}

/// Waits for the end of a program that has closed its output.
fn ending(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
            _ => return None,
        }
    }
}
