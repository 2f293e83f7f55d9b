//! Finds the position where another engine counts differently.
//!
//! [`Peer`] drives any UCI engine that supports `go perft N`. [`find`] divides on both sides and follows the first
//! move whose counts differ until the move lists differ. Called by `cli::perft`. The peer is an untrusted program: no
//! output (or lack of it) may cause a panic or an endless wait.

use super::compare::{Differences, compare, rank_offset};
use super::count::Divide;
use super::printed::{DivideReader, PrintedMove};
use crate::game::{Census, Diagnosis, Explanation, Notation, Rules};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Time limit for answers that need no counting.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);
/// How long to wait for a total after counts that `readyok` has confirmed.
const TOTAL_LIMIT: Duration = Duration::from_millis(300);
/// How long a command stays unanswered before `notify` is called.
const NOTICE_DELAY: Duration = Duration::from_secs(1);
/// Debian's folder of engines, which is not in every `PATH`.
const GAMES: &str = "/usr/games";
/// Limits on unread lines and on the length of one, so that a peer that floods its output cannot fill the memory.
const BACKLOG: usize = 4096;
const LONGEST_LINE: u64 = 4096;
/// More than any divide has moves, over all depths.
const MOST_COUNTS: usize = 1 << 16;

/// Another program that counts moves.
pub trait Divider {
    /// What to call it.
    fn name(&self) -> &str;
    /// The moves and counts that it prints for `depth` plies after `moves`, in our spelling, from `fen`.
    ///
    /// # Errors
    /// If it prints no counts, does not answer, or has ended.
    fn divide(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
    ) -> Result<Vec<PrintedMove>, String>;
    /// By how much its rank numbers exceed ours.
    fn rank_offset(&mut self) -> &mut u32;
    /// How long a count may take from now on.
    fn set_patience(&mut self, patience: Duration);

    /// Detects whether it numbers ranks as we do or one higher, from its moves in `pos`, where ours are `ours`.
    /// Afterwards all moves are translated.
    ///
    /// # Errors
    /// As for [`Divider::divide`].
    fn learn_ranks<P: Notation + Census>(
        &mut self,
        pos: &P,
        ours: &Divide<P::Move>,
    ) -> Result<(), String> {
        *self.rank_offset() = 0;
        let theirs = self.divide(&pos.to_fen(), &[], 1)?;
        *self.rank_offset() = rank_offset(pos, ours, &theirs);
        Ok(())
    }
}

/// Another engine, connected by pipes.
pub struct Peer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
    /// Whether it prints a total at the end of a perft; `None` until tested.
    prints_totals: Option<bool>,
    /// What to add to our rank numbers for this engine.
    rank_offset: u32,
    /// How long a count may take; `None` for as long as it likes.
    patience: Option<Duration>,
    /// The last command sent, and when to notify that it is still unanswered.
    question: String,
    notice: Option<Instant>,
    notify: fn(&str),
}

impl Peer {
    /// Starts the program `command` (split at blanks; quotes keep blanks together) and waits for `uciok`. `notify` is
    /// called with a message when a command is not answered within a second.
    ///
    /// # Errors
    /// If the program cannot be started or does not answer `uci` with `uciok`.
    pub fn start(command: &str, notify: fn(&str)) -> Result<Peer, String> {
        let words = split_command(command)?;
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut child = spawn(program, arguments, Stdio::null)
            .map_err(|e| format!("cannot start {program}: {e}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot open pipes to {program}"));
        };
        let (sender, lines) = sync_channel(BACKLOG);
        let read = move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            let longest = LONGEST_LINE;
            while output.by_ref().take(longest).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                if sender.send(String::from_utf8_lossy(&line).trim().to_string()).is_err() {
                    break;
                }
                line.clear();
            }
        };
        // From here on, dropping the peer ends the program.
        let mut peer = Peer {
            child,
            input,
            lines,
            name: program.clone(),
            prints_totals: None,
            rank_offset: 0,
            patience: None,
            question: String::new(),
            notice: None,
            notify,
        };
        std::thread::Builder::new()
            .spawn(read)
            .map_err(|e| format!("cannot read {program}: {e}"))?;
        peer.ask("uci".into())?;
        peer.wait_for("uciok")?;
        Ok(peer)
    }

    /// Sets an option. Does not check whether the engine supports it.
    ///
    /// # Errors
    /// If the engine has exited.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// The move that the engine chooses after a `position` command and a short `go`: the word after `bestmove`.
    ///
    /// # Errors
    /// If it does not answer or has ended.
    pub fn best_move(&mut self, position: &str, go: &str) -> Result<String, String> {
        self.send(position)?;
        self.ask(go.into())?;
        let deadline = Instant::now() + ANSWER_LIMIT;
        while let Some(line) = self.line_before(Some(deadline))? {
            let mut words = line.split_whitespace();
            if words.next() == Some("bestmove") {
                return Ok(words.next().unwrap_or_default().to_string());
            }
        }
        Err(self.no_answer("bestmove"))
    }

    /// The counts, and whether a total ended them. With `await_total` only a total ends them.
    fn listen(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
        await_total: bool,
    ) -> Result<(Vec<PrintedMove>, bool), String> {
        let spelt: Vec<_> = moves.iter().map(|m| respell(m, self.rank_offset)).collect();
        let tail =
            if spelt.is_empty() { String::new() } else { format!(" moves {}", spelt.join(" ")) };
        self.send(&format!("position fen {fen}{tail}"))?;
        self.ask("isready".into())?;
        self.wait_for("readyok")?;
        self.ask(format!("go perft {depth}"))?;
        self.question += &format!(" in the position {fen}{tail}");
        self.send("isready")?;
        let silent =
            format!("{} does not print a count for each move after go perft {depth}", self.name);
        let mut reader = DivideReader::default();
        let (mut ready, mut total) = (false, None);
        let mut deadline = None;
        let given_up = self.patience.map(|patience| Instant::now() + patience);
        loop {
            // Until `readyok` the engine is counting; the only time limit is our patience.
            let until = [deadline, given_up].into_iter().flatten().min();
            let Some(line) = self.line_before(until)? else {
                let waited =
                    self.patience.filter(|_| given_up.is_some_and(|t| t <= Instant::now()));
                if let Some(patience) = waited {
                    let (name, question) = (&self.name, &self.question);
                    let seconds = patience.as_secs_f32();
                    return Err(format!(
                        "{name} has not answered {question} within {seconds:.1} s"
                    ));
                }
                return match (ready, reader.found.is_empty()) {
                    (false, _) => Err(self.no_answer("readyok")),
                    (true, true) => Err(silent),
                    (true, false) => Ok((reader.found, false)),
                };
            };
            if line == "readyok" {
                // Most engines count first and answer afterwards; then only a total can still follow. Some answer at
                // once from another thread; then the counts are still to come.
                ready = true;
                let limit = if reader.found.is_empty() { ANSWER_LIMIT } else { TOTAL_LIMIT };
                deadline = (!await_total).then(|| Instant::now() + limit);
            } else {
                let known = reader.found.len();
                if let Some(nodes) = reader.take(&line) {
                    // The engine may count depth after depth, each with its own total.
                    total = Some(nodes);
                    deadline = Some(Instant::now() + ANSWER_LIMIT);
                } else if reader.found.len() > MOST_COUNTS {
                    return Err(format!("{} prints counts without end", self.name));
                } else if reader.found.len() > known {
                    deadline = deadline.filter(|_| ready).map(|_| Instant::now() + TOTAL_LIMIT);
                }
            }
            if let (true, Some(nodes)) = (ready, total) {
                let complete = nodes == 0 || !reader.found.is_empty();
                return if complete { Ok((reader.found, true)) } else { Err(silent) };
            }
        }
    }

    /// The next line, or `None` at the deadline.
    fn line_before(&mut self, deadline: Option<Instant>) -> Result<Option<String>, String> {
        loop {
            let now = Instant::now();
            if self.notice.is_some_and(|notice| notice <= now) {
                self.notice = None;
                (self.notify)(&format!("waiting for {} to answer {}", self.name, self.question));
            }
            // Without this check, lines already queued would be read past the deadline.
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Ok(None);
            }
            let line = match [deadline, self.notice].into_iter().flatten().min() {
                None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.lines.recv_timeout(until - now),
            };
            match line {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// Sends a command whose answer may take long.
    fn ask(&mut self, question: String) -> Result<(), String> {
        self.send(&question)?;
        self.notice = Some(Instant::now() + NOTICE_DELAY);
        self.question = question;
        Ok(())
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| self.gone())
    }

    fn wait_for(&mut self, word: &str) -> Result<(), String> {
        let deadline = Instant::now() + ANSWER_LIMIT;
        while let Some(line) = self.line_before(Some(deadline))? {
            if line == word {
                return Ok(());
            }
        }
        Err(self.no_answer(word))
    }

    fn no_answer(&self, word: &str) -> String {
        format!("{} does not answer {word} within {} s", self.name, ANSWER_LIMIT.as_secs())
    }

    fn gone(&self) -> String {
        format!("{} has ended without an answer", self.name)
    }
}

impl Divider for Peer {
    fn name(&self) -> &str {
        &self.name
    }

    fn divide(
        &mut self,
        fen: &str,
        moves: &[String],
        depth: u32,
    ) -> Result<Vec<PrintedMove>, String> {
        // Only a total reliably marks the end of a long count, so test first whether the engine prints totals.
        let totals = match self.prints_totals {
            Some(totals) => totals,
            None => self.listen(fen, moves, 1, false)?.1,
        };
        self.prints_totals = Some(totals);
        Ok(self.listen(fen, moves, depth, totals)?.0)
    }

    fn rank_offset(&mut self) -> &mut u32 {
        &mut self.rank_offset
    }

    fn set_patience(&mut self, patience: Duration) {
        self.patience = Some(patience);
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // An engine that is counting does not read `quit`.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program; if it is not in `PATH`, tries Debian's folder of engines.
pub(super) fn spawn(
    program: &str,
    arguments: &[String],
    stderr: fn() -> Stdio,
) -> io::Result<Child> {
    let start = |program: &Path| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(stderr()).spawn()
    };
    start(Path::new(program)).or_else(|error| match error.kind() {
        ErrorKind::NotFound if !program.is_empty() && !program.contains('/') => {
            start(&Path::new(GAMES).join(program)).map_err(|_| error)
        }
        _ => Err(error),
    })
}

/// Splits at blanks; single or double quotes keep blanks together, as in a shell.
pub(super) fn split_command(command: &str) -> Result<Vec<String>, String> {
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

/// One of our moves with `offset` added to its ranks.
pub(super) fn respell(text: &str, offset: u32) -> String {
    let raise = |letter: char| match letter.to_digit(10) {
        Some(rank) => (rank + offset).to_string(),
        None => letter.to_string(),
    };
    text.chars().map(raise).collect()
}

/// The first position at which two engines disagree.
pub struct Difference<P: Diagnosis> {
    /// The position.
    pub fen: String,
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// Remaining plies here.
    pub depth: u32,
    /// What differs: the moves; or only the counts, although no position below differs.
    pub found: Differences,
    /// Why the moves that differ are legal or illegal.
    pub explanations: Vec<(String, Explanation<P::Rule>)>,
}

/// Our divide of a position, and the first position below it that differs.
pub type Compared<P> = (Divide<<P as Rules>::Move>, Option<Difference<P>>);

/// Divides `root` on both sides and follows differing counts to their cause. Returns our divide of the root, and the
/// first position whose moves are not the same on both sides, if any.
///
/// # Errors
/// If the peer fails.
pub fn find<P: Diagnosis + Census>(
    root: &P,
    mut depth: u32,
    peer: &mut Peer,
    divide: impl Fn(&P, u32) -> Result<Divide<P::Move>, String>,
) -> Result<Compared<P>, String> {
    let root_fen = root.to_fen();
    let mut pos = *root;
    let (mut path, mut before) = (Vec::new(), Vec::new());
    let root_divide = divide(&pos, depth)?;
    let mut ours = root_divide.clone();
    loop {
        let theirs = if depth == 0 { Vec::new() } else { peer.divide(&root_fen, &path, depth)? };
        let (mut found, _) = compare(&pos, &ours, &theirs, peer.rank_offset);
        if found.has_same_moves() {
            let differs = |&&(m, _): &&(P::Move, u128)| {
                let text = pos.move_text(m).to_string();
                found.differing.iter().any(|(other, ..)| *other == text)
            };
            match ours.moves.iter().find(differs) {
                Some(&(m, _)) if depth > 1 => {
                    path.push(pos.move_text(m).to_string());
                    before.push((pos, m));
                    pos.make(m);
                    depth -= 1;
                    ours = divide(&pos, depth)?;
                    continue;
                }
                None if path.is_empty() => return Ok((root_divide, None)),
                // No move to follow: the peer contradicts itself. It counted this position differently one ply above.
                _ => {}
            }
        } else {
            found.differing.clear();
        }
        let moves = found.missing.iter().chain(&found.extra);
        let explain =
            |(m, _): &(String, u128)| Some((m.clone(), pos.explain_after(m, &before).ok()?));
        let explanations = moves.filter_map(explain).collect();
        let fen = pos.to_fen();
        return Ok((root_divide, Some(Difference { fen, path, depth, found, explanations })));
    }
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
    fn ranks_are_translated() {
        for (ours, theirs) in [("a0a9", "a1a10"), ("h2e2", "h3e3"), ("i9i8", "i10i9")] {
            assert_eq!(respell(ours, 1), theirs);
            assert_eq!(respell(ours, 0), ours);
        }
        assert_eq!(respell("a7a8q", 0), "a7a8q");
    }
}
