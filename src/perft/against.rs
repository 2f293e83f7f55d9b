//! Finding the position where another engine counts differently.
//!
//! [`Peer`] drives any UCI engine that knows `go perft N`; [`compare`] divides on both sides and walks down
//! the first move whose counts differ until the move lists differ. Called by `cli::perft`. The peer is
//! another program: nothing it prints (or fails to print) may panic or hang this one for ever without
//! cause.

use super::count::Divide;
use crate::game::Notation;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long a peer may take to answer what needs no search.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait for a total line behind counts that have been confirmed by `readyok`.
const AFTERTHOUGHT: Duration = Duration::from_millis(300);

/// Another engine at the end of two pipes.
pub struct Peer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
}

impl Peer {
    /// Starts the program `command` (split at blanks; quotes keep blanks together) and greets it.
    ///
    /// # Errors
    /// If it cannot be started or does not answer `uci` with `uciok`.
    pub fn start(command: &str) -> Result<Peer, String> {
        let words = split_command(command)?;
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start {program}: {e}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot open pipes to {program}"));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { break };
                if sender.send(String::from_utf8_lossy(&line).trim().to_string()).is_err() {
                    break;
                }
            }
        });
        let mut peer = Peer { child, input, lines, name: program.clone() };
        peer.send("uci")?;
        peer.wait_for("uciok")?;
        Ok(peer)
    }

    /// Sets an option, without looking whether the engine knows it.
    ///
    /// # Errors
    /// If the engine has gone away.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// What `go perft depth` prints after `position fen` and `moves`: move texts with their counts.
    ///
    /// # Errors
    /// If the engine goes away or prints no counts.
    pub fn divide(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
    ) -> Result<Vec<(String, u128)>, String> {
        let tail =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position fen {fen}{tail}"))?;
        self.send("isready")?;
        self.wait_for("readyok")?;
        self.send(&format!("go perft {depth}"))?;
        self.send("isready")?;
        let mut counts: Vec<(String, u128)> = Vec::new();
        // Until it says `readyok` the engine is counting, for hours if it must.
        let mut patience = None;
        loop {
            let line = match patience {
                None => self.lines.recv().map_err(|_| self.gone())?,
                Some(limit) => match self.lines.recv_timeout(limit) {
                    Ok(line) => line,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                },
            };
            if line == "readyok" {
                // Most engines count first and answer afterwards: all that can follow is a total. Some
                // answer at once from another thread: their counts are still to come.
                patience = Some(if counts.is_empty() { PATIENCE } else { AFTERTHOUGHT });
            } else if is_total(&line) {
                if patience.is_none() {
                    self.wait_for("readyok")?;
                }
                break;
            }
            counts.extend(read_divide_line(&line));
        }
        Ok(counts)
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| self.gone())
    }

    fn wait_for(&mut self, word: &str) -> Result<(), String> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line == word => return Ok(()),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = PATIENCE.as_secs();
                    return Err(format!("{} does not answer {word} within {seconds} s", self.name));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    fn gone(&self) -> String {
        format!("{} has ended without an answer", self.name)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // An engine in the middle of a count does not read `quit`.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Splits at blanks; single or double quotes keep blanks together, as in a shell.
fn split_command(command: &str) -> Result<Vec<String>, String> {
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

/// Whether a line ends a perft: Stockfish's `Nodes searched: N` and its relatives.
fn is_total(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    (line.contains("nodes") || line.starts_with("total"))
        && line.bytes().any(|b| b.is_ascii_digit())
}

/// `e2e4: 20`, `e2e4 20`, `e2e4 - 20`, `info string e2e4: 20`: a move, then its count.
fn read_divide_line(line: &str) -> Option<(String, u128)> {
    let mut words = line.split([' ', '\t', ':']).filter(|w| !w.is_empty() && *w != "-");
    let is_move = |word: &&str| {
        let b = word.as_bytes();
        (4..=6).contains(&b.len()) && b[0].is_ascii_lowercase() && b[1].is_ascii_digit()
    };
    let m = words.find(is_move)?;
    Some((m.to_string(), words.next()?.parse().ok()?))
}

/// The outcome of [`compare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison<M> {
    /// Both count the same behind every move.
    Agree(Divide<M>),
    /// A position whose moves are not the same on both sides.
    Differ(Difference),
}

/// The first position at which two engines disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub fen: String,
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// Plies that were left to count here.
    pub depth: u32,
    /// Legal moves that the other engine does not have.
    pub missing: Vec<String>,
    /// Moves that only the other engine has.
    pub extra: Vec<String>,
    /// Moves of both whose counts differ, ours first, although no position below them does.
    pub miscounted: Vec<(String, u128, u128)>,
}

/// Divides `root` here and in `peer`, and follows differing counts down to their cause.
///
/// # Errors
/// If the peer fails.
pub fn compare<P: Notation>(
    root: &P,
    depth: u32,
    peer: &mut Peer,
    divide: impl Fn(&P, u32) -> Divide<P::Move>,
) -> Result<Comparison<P::Move>, String> {
    let root_fen = root.to_fen();
    let mut pos = *root;
    let mut path = Vec::new();
    let mut depth = depth;
    loop {
        let ours = divide(&pos, depth);
        let theirs = if depth == 0 { Vec::new() } else { peer.divide(&root_fen, &path, depth)? };
        let mut difference = Difference {
            fen: pos.to_fen(),
            path: path.clone(),
            depth,
            missing: Vec::new(),
            extra: Vec::new(),
            miscounted: Vec::new(),
        };
        let mut follow = None;
        let read: Vec<_> = theirs.iter().map(|(text, n)| (pos.parse_move(text).ok(), *n)).collect();
        for &(m, n) in &ours.moves {
            let text = || pos.move_text(m).to_string();
            match read.iter().find(|(other, _)| *other == Some(m)) {
                None => difference.missing.push(text()),
                Some(&(_, other)) if other != n => {
                    follow = follow.or(Some(m));
                    difference.miscounted.push((text(), n, other));
                }
                Some(_) => {}
            }
        }
        for ((text, _), (m, _)) in theirs.iter().zip(&read) {
            let repeated = theirs.iter().filter(|(other, _)| other == text).count() > 1;
            if m.is_none() || repeated {
                difference.extra.push(text.clone());
            }
        }
        if !difference.missing.is_empty() || !difference.extra.is_empty() {
            difference.miscounted.clear();
            return Ok(Comparison::Differ(difference));
        }
        match follow {
            Some(m) if depth > 1 => {
                path.push(pos.move_text(m).to_string());
                pos.make(m);
                depth -= 1;
            }
            Some(_) => return Ok(Comparison::Differ(difference)),
            None if path.is_empty() => return Ok(Comparison::Agree(ours)),
            // The peer contradicts itself: it counted this position differently one ply above.
            None => return Ok(Comparison::Differ(difference)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_split_like_in_a_shell() {
        assert_eq!(split_command("a  b").unwrap(), ["a", "b"]);
        assert_eq!(split_command("'a b' \"c'd\" ''").unwrap(), ["a b", "c'd", ""]);
        assert_eq!(split_command("  ").unwrap(), [""; 0]);
        assert!(split_command("a 'b").is_err());
    }

    #[test]
    fn counts_are_read_in_the_usual_forms() {
        for line in
            ["e7e8q: 20", "e7e8q 20", "e7e8q - 20", "info string e7e8q: 20", " 1. e7e8q : 20"]
        {
            assert_eq!(read_divide_line(line), Some(("e7e8q".into(), 20)), "{line}");
        }
        for line in ["", "info depth 3", "Nodes searched: 400", "e2e4:", "e2e4: many", "readyok"] {
            assert_eq!(read_divide_line(line), None, "{line}");
        }
        assert!(is_total("Nodes searched: 400") && is_total("Total: 3") && !is_total("e2e4: 20"));
    }
}
