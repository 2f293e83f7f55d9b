//! Another UCI engine as a child process, spoken to over pipes with timeouts.
//!
//! A reference for counts, moves and FENs. A silent or dead engine fails the test with the last lines of the
//! dialogue; the test never hangs.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time-out for one answer.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A running engine. Dropping it sends `quit`, and kills the engine if it does not exit.
pub struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    recent: VecDeque<String>,
    chess960: Option<bool>,
}

impl Engine {
    /// Starts `command` and waits for `uciok`.
    ///
    /// # Errors
    /// If the program cannot be started.
    ///
    /// # Panics
    /// If it does not answer `uci`.
    pub fn start(command: &mut Command) -> io::Result<Engine> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().expect("stdin was piped");
        let output = child.stdout.take().expect("stdout was piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Engine { child, input, lines, recent: VecDeque::new(), chess960: None };
        engine.send("uci");
        engine.read_until(|line| line == "uciok", PATIENCE);
        Ok(engine)
    }

    /// Stockfish, from `PATH` or from where Debian puts it.
    pub fn stockfish() -> Option<Engine> {
        Engine::installed("stockfish")
    }

    /// Fairy-Stockfish, playing xiangqi.
    pub fn fairy_stockfish() -> Option<Engine> {
        let mut engine = Engine::installed("fairy-stockfish")?;
        engine.send("setoption name UCI_Variant value xiangqi");
        Some(engine)
    }

    fn installed(name: &str) -> Option<Engine> {
        Engine::start(&mut Command::new(name)).ok().or_else(|| {
            let debian = Path::new("/usr/games").join(name);
            if debian.exists() { Engine::start(&mut Command::new(debian)).ok() } else { None }
        })
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        assert!(!line.contains('\n'), "one line at a time: {line:?}");
        self.note(format!("> {line}"));
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        if let Err(error) = sent {
            panic!("cannot send {line:?}: {error}\n{}", self.dialogue());
        }
    }

    /// Reads lines until `stop` holds for one; that one is the last of the result.
    pub fn read_until(&mut self, stop: impl Fn(&str) -> bool, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut read = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let line = line.trim_end().to_string();
                    self.note(format!("< {line}"));
                    let last = stop(&line);
                    read.push(line);
                    if last {
                        return read;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no answer within {patience:?}\n{}", self.dialogue())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the engine has ended\n{}", self.dialogue())
                }
            }
        }
    }

    /// Sets up a position; `chess960` selects Chess960 notation for castling.
    pub fn position(&mut self, fen: &str, chess960: bool) {
        if self.chess960 != Some(chess960) {
            self.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            self.chess960 = Some(chess960);
        }
        self.send(&format!("position fen {fen}"));
    }

    /// Moves of the position with the nodes below each, sorted by move.
    pub fn divide(&mut self, fen: &str, chess960: bool, depth: u32) -> Vec<(String, u64)> {
        self.position(fen, chess960);
        self.send(&format!("go perft {depth}"));
        let lines = self.read_until(|line| line.starts_with("Nodes searched: "), PATIENCE);
        let (total, lines) = lines.split_last().expect("read_until gives at least one line");
        let mut moves: Vec<(String, u64)> = lines
            .iter()
            .filter_map(|line| {
                let (name, nodes) = line.split_once(": ")?;
                Some((name.to_string(), nodes.parse().ok()?))
            })
            .collect();
        moves.sort();
        let sum: u64 = moves.iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(format!("Nodes searched: {sum}"), *total, "{}", self.dialogue());
        moves
    }

    /// The number of leaves at `depth`.
    pub fn perft(&mut self, fen: &str, chess960: bool, depth: u32) -> u64 {
        self.divide(fen, chess960, depth).iter().map(|(_, nodes)| nodes).sum()
    }

    /// The FEN that the engine's `d` shows after `moves` from `fen`.
    pub fn fen_after(&mut self, fen: &str, chess960: bool, moves: &[String]) -> String {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.position(&format!("{fen}{moves}"), chess960);
        self.send("d");
        let lines = self.read_until(|line| line.starts_with("Checkers:"), PATIENCE);
        let shown = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        shown.unwrap_or_else(|| panic!("no Fen line\n{}", self.dialogue())).to_string()
    }

    fn note(&mut self, line: String) {
        self.recent.push_back(line);
        if self.recent.len() > 12 {
            self.recent.pop_front();
        }
    }

    /// The last lines in both directions, for messages.
    fn dialogue(&self) -> String {
        self.recent.iter().cloned().collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
