//! A client of UCI: [`Peer`] drives any engine that supports `go perft N`, or answers with a move.

use super::program::{Answer, Divider, Heard, Process, Question, split_command};
use super::read::Line;
use crate::base::time_limit::time_limit;
use std::io::Write;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Time limit for answers that need no counting.
pub fn answer_limit() -> Duration {
    time_limit(10_000)
}

/// How long an answer that needs no counting may take.
#[derive(Clone, Copy)]
pub struct Patience {
    /// The longest time.
    pub wait: Duration,
    /// When all ends.
    pub end: Option<Instant>,
}

impl Patience {
    /// Until when an answer to a question asked now is waited for.
    pub fn deadline(&self) -> Instant {
        let deadline = Instant::now() + self.wait;
        self.end.map_or(deadline, |end| end.min(deadline))
    }
}

/// How long to wait for a total after counts of all moves that `readyok` has confirmed.
const TOTAL_LIMIT: Duration = Duration::from_millis(300);
/// After how long an engine is taken to be silent, where it may be. On a busy machine it may pause between two lines.
fn silence() -> Duration {
    time_limit(2_000)
}

/// How long a command stays unanswered before `notify` is called.
fn notice_delay() -> Duration {
    time_limit(1_000)
}

/// A UCI engine, connected by pipes.
pub struct Peer {
    process: Process,
    /// Whether it prints a total at the end of a perft; `None` until tested.
    prints_totals: Option<bool>,
    /// It has been seen to answer `isready` while it counts.
    is_ready_first: bool,
    /// The last command sent, and when to notify that it is still unanswered.
    question: String,
    patience: Patience,
    notice: Option<Instant>,
    notify: fn(&str),
    /// The options that it has, as it printed them.
    options: Vec<String>,
    /// What may be the reason why it does not count.
    doubt: String,
    /// What it calls itself.
    pub id: String,
}

impl Peer {
    /// Starts the program `command` (split at blanks; quotes keep blanks together) and waits for `uciok`. `notify` is
    /// called with a message when a command is not answered within a second.
    ///
    /// # Errors
    /// If the program cannot be started or does not answer `uci` with `uciok`.
    pub fn start(command: &str, patience: Patience, notify: fn(&str)) -> Result<Peer, String> {
        let process = Process::start(&split_command(command)?)?;
        let mut peer = Peer {
            process,
            prints_totals: None,
            is_ready_first: false,
            question: String::new(),
            patience,
            notice: None,
            notify,
            options: Vec::new(),
            doubt: String::new(),
            id: String::new(),
        };
        peer.ask("uci".into())?;
        peer.wait_for("uciok")?;
        Ok(peer)
    }

    /// Makes it play another game than chess. An engine that knows no other need not have `UCI_Variant`.
    ///
    /// # Errors
    /// If the engine has exited.
    pub fn set_game(&mut self, game: &str) -> Result<(), String> {
        let is_game = |word: &str| word.eq_ignore_ascii_case(game);
        let has = |option: &String| option.contains("UCI_Variant") && option.split_whitespace().any(is_game);
        if !self.options.iter().any(has) {
            self.doubt = format!("; it has no UCI_Variant with {game}");
        }
        self.set_option("UCI_Variant", game)
    }

    /// What to call it.
    pub fn name(&self) -> &str {
        &self.process.name
    }

    /// As a program that counts.
    pub fn divider(mut self) -> Divider<'static> {
        let name = self.process.name.clone();
        let (doubt, id) = (self.doubt.clone(), self.id.clone());
        let mut divider = Divider::new(&name, true, move |question| self.divide(question));
        (divider.doubt, divider.id) = (doubt, id);
        divider
    }

    /// Sets an option. Does not check whether the engine supports it.
    ///
    /// # Errors
    /// If the engine has exited.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// The move that the engine chooses after a `position` command and a short `go`: the word after `bestmove`, in
    /// small letters. If it `may_be_silent` and is, `None`: its next answer may be to this question.
    ///
    /// # Errors
    /// If it does not answer or has ended.
    pub fn best_move(&mut self, position: &str, go: &str, may_be_silent: bool) -> Result<Option<String>, String> {
        self.send(position)?;
        self.ask(go.into())?;
        self.question += &format!(" after {position}");
        let patient = self.patience.deadline();
        let deadline = if may_be_silent { patient.min(Instant::now() + silence()) } else { patient };
        while let Some(line) = self.line_before(Some(deadline))? {
            let mut words = line.split_whitespace();
            if words.next() == Some("bestmove") {
                return Ok(Some(words.next().unwrap_or_default().to_lowercase()));
            }
        }
        if may_be_silent { Ok(None) } else { Err(self.no_answer("bestmove")) }
    }

    /// The answer to a question.
    fn divide(&mut self, question: Question<'_>) -> Answer {
        // Only a total reliably marks the end of a long count, so test first whether the engine prints totals.
        let totals = match self.prints_totals {
            Some(totals) => totals,
            None => self.listen(Question { depth: 1, ..question }, false)?.1,
        };
        self.prints_totals = Some(totals);
        Ok(self.listen(question, totals)?.0)
    }

    /// What it prints, and whether a total ended it. With `await_total` only a total ends it.
    fn listen(&mut self, question: Question<'_>, await_total: bool) -> Result<(String, bool), String> {
        let Question { fen, moves, depth, legal, patience } = question;
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.send(&format!("position fen {fen}{tail}"))?;
        self.ask("isready".into())?;
        self.question = format!("position fen {fen}{tail}");
        self.wait_for("readyok")?;
        self.ask(format!("go perft {depth}"))?;
        self.question += &format!(" in the position {fen}{tail}");
        self.send("isready")?;
        let name = self.process.name.clone();
        let (mut heard, mut ready, mut deadline) = (Heard::default(), false, None);
        let given_up = patience.map(|patience| Instant::now() + patience);
        loop {
            // Until `readyok` the engine is counting; the only time limit is our patience.
            let Some(line) = self.line_before([deadline, given_up].into_iter().flatten().min())? else {
                if let Some(patience) = patience.filter(|_| given_up <= Some(Instant::now())) {
                    let (seconds, aside) = (patience.as_secs_f32(), self.process.aside());
                    return Err(format!("{name} has not answered {} within {seconds:.1} s{aside}", self.question));
                }
                if !ready {
                    return Err(self.no_answer("readyok"));
                }
                break;
            };
            if line == "readyok" {
                // Most engines count first and answer afterwards; then only a total can still follow. Some answer at
                // once from another thread; then counts are still to come.
                ready = true;
                deadline = if legal > 0 && await_total {
                    None
                } else if legal > 0 && heard.moves == 0 {
                    Some(self.patience.deadline())
                } else if self.is_ready_first || heard.moves < legal {
                    Some(Instant::now() + silence())
                } else {
                    Some(Instant::now() + TOTAL_LIMIT)
                };
            } else if line.starts_with("bestmove") && heard.total.is_none() && heard.moves < legal {
                return Err(format!("{name} answers go perft {depth} with {line}{}", self.process.aside()));
            } else {
                match heard.take(&line, &name)? {
                    // The engine may count depth after depth, each with its own total.
                    Line::Total(_) => deadline = Some(self.patience.deadline()),
                    Line::Move(_) if ready => {
                        self.is_ready_first = true;
                        deadline = if await_total { None } else { Some(Instant::now() + silence()) };
                    }
                    _ => {}
                }
            }
            if ready && heard.total.is_some() {
                break;
            }
        }
        if heard.moves == 0 && legal > 0 && heard.total != Some(true) {
            let aside = self.process.aside();
            return Err(format!("{name} does not print a count for each move after go perft {depth}{aside}"));
        }
        Ok((heard.text, heard.total.is_some()))
    }

    /// The next line, or `None` at the deadline.
    fn line_before(&mut self, deadline: Option<Instant>) -> Result<Option<String>, String> {
        loop {
            let now = Instant::now();
            if self.notice.is_some_and(|notice| notice <= now) {
                self.notice = None;
                (self.notify)(&format!("waiting for {} to answer {}", self.process.name, self.question));
            }
            // Without this check, lines already queued would be read past the deadline.
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Ok(None);
            }
            match self.process.line([deadline, self.notice].into_iter().flatten().min()) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// Sends a command whose answer may take long.
    fn ask(&mut self, question: String) -> Result<(), String> {
        self.question.clone_from(&question);
        self.send(&question)?;
        self.notice = Some(Instant::now() + notice_delay());
        Ok(())
    }

    /// Sends a command.
    pub(super) fn send(&mut self, line: &str) -> Result<(), String> {
        let input = self.process.input.as_mut();
        let is_sent = input.is_some_and(|input| writeln!(input, "{line}").and_then(|()| input.flush()).is_ok());
        if is_sent { Ok(()) } else { Err(self.gone()) }
    }

    fn wait_for(&mut self, word: &str) -> Result<(), String> {
        let deadline = self.patience.deadline();
        while let Some(line) = self.line_before(Some(deadline))? {
            if line == word {
                return Ok(());
            }
            if let Some(id) = line.strip_prefix("id name ") {
                self.id = id.trim().replace(char::is_control, "");
            } else if line.starts_with("option ") {
                self.options.push(line);
            }
        }
        Err(self.no_answer(word))
    }

    fn no_answer(&self, word: &str) -> String {
        let (name, question, aside) = (&self.process.name, &self.question, self.process.aside());
        let wait = self.patience.wait.as_secs_f32();
        format!("{name} does not answer {word} within {wait:.1} s; the question was: {question}{aside}")
    }

    fn gone(&mut self) -> String {
        let (status, words) = self.process.ending();
        let with = status.filter(|status| !status.success()).map_or(String::new(), |status| format!(", with {status}"));
        format!("{} has ended without an answer to {}{with}{words}", self.process.name, self.question)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // An engine that is counting does not read it, and is killed.
        let _ = self.send("quit");
    }
}
