//! Batches of commands that nobody waits in between for, how they are delivered, and what must come back.
//!
//! Included by the pipelining tests of both protocols with `#[path]`, beside `common/pipe.rs`. Which commands
//! a batch has, and which moves may answer each `go`, is theirs to say.

use super::pipe::{PATIENCE, Pipe, dither, number};
use std::collections::VecDeque;
use std::time::Instant;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Notation, Rules};

/// How a batch reaches the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// In one piece.
    Whole,
    /// One byte after the other, each with a flush.
    Bytes,
    /// Line by line, with pauses now and then.
    Lines,
}

impl Delivery {
    /// Every way there is.
    pub const ALL: [Delivery; 3] = [Delivery::Whole, Delivery::Bytes, Delivery::Lines];
}

/// Commands, and what they are to be answered with.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    /// What is sent.
    pub lines: Vec<String>,
    /// For each `go` that searches, in order, the moves that may answer it; empty where there is none.
    pub answers: Vec<Vec<String>>,
    /// The places of these `go` among the lines.
    places: Vec<usize>,
    /// Beginnings of lines, and how often each has to come in all.
    pub counts: Vec<(&'static str, usize)>,
    /// How many answers without a move may come besides those.
    pub spare: usize,
}

impl Batch {
    /// Sends a line that is to be answered with a line that begins with `answer`.
    pub fn ask(&mut self, line: impl Into<String>, answer: &'static str) {
        self.lines.push(line.into());
        match self.counts.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((answer, 1)),
        }
    }

    /// Sends a line that has no answer, or one that is of no interest.
    pub fn tell(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Sends a `go` that one of `moves` must answer.
    pub fn go(&mut self, line: impl Into<String>, moves: Vec<String>) {
        self.places.push(self.lines.len());
        self.lines.push(line.into());
        self.answers.push(moves);
    }

    fn deliver(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
        let text = self.lines.join("\n") + "\n";
        match delivery {
            Delivery::Whole => pipe.send_bytes(text.as_bytes()),
            Delivery::Bytes => text.bytes().for_each(|byte| pipe.send_bytes(&[byte])),
            Delivery::Lines => {
                for line in &self.lines {
                    pipe.send_bytes(format!("{line}\n").as_bytes());
                    dither(rng);
                }
            }
        }
    }

    fn fail(&self, received: &[String], what: &str) -> ! {
        let tail = &received[received.len().saturating_sub(40)..];
        panic!("{what}\n{:#?}\nlast lines: {tail:#?}", self.lines)
    }

    /// Delivers the batch, waits until all is answered, and checks what came.
    pub fn run(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
        self.deliver(pipe, delivery, rng);
        let (start, mut received) = (Instant::now(), Vec::new());
        let wanted = self.answers.iter().filter(|moves| !moves.is_empty()).count();
        let mut moves = 0;
        let next = |received: &mut Vec<String>| match pipe
            .line(PATIENCE.saturating_sub(start.elapsed()))
        {
            Some(line) => received.push(line),
            None => self.fail(received, "an answer is missing"),
        };
        while moves < wanted {
            next(&mut received);
            moves += usize::from(is_move(&received[received.len() - 1]));
        }
        // The batch ends with a search that has a move, so everything before is answered and the rest idle.
        pipe.send_bytes(b"isready\n");
        let asked = self.counts.iter().find(|(word, _)| *word == "readyok").map_or(0, |c| c.1);
        while count(&received, "readyok") <= asked {
            let Some(line) = pipe.line(PATIENCE.saturating_sub(start.elapsed())) else {
                self.fail(&received, "a readyok is missing")
            };
            received.push(line);
        }
        // The last one was asked for here.
        let last = received.iter().rposition(|line| line == "readyok").expect("a readyok");
        received.remove(last);
        self.check(&received);
    }

    /// Delivers the batch, ends the input, waits until the program has left, and checks what came: everything is
    /// answered, what has limits and no `stop` behind it is finished, and `farewell` comes last.
    pub fn run_to_the_end(
        &self,
        mut pipe: Pipe,
        delivery: Delivery,
        farewell: Option<&str>,
        rng: &mut SplitMix64,
    ) {
        self.deliver(&mut pipe, delivery, rng);
        pipe.close();
        let mut received = pipe.rest();
        if !pipe.ended(PATIENCE).is_some_and(|status| status.success()) {
            self.fail(&received, "it does not leave");
        }
        if farewell.is_some_and(|word| received.pop().as_deref() != Some(word)) {
            self.fail(&received, "no farewell");
        }
        self.check(&received);
        let after_stop = self.lines.iter().rposition(|line| line.trim() == "stop");
        let first = after_stop.map_or(0, |at| at + 1);
        let perfts = |lines: &[String]| count(lines, "go perft");
        let counted = count(&received, "Nodes searched: ");
        if !(perfts(&self.lines[first..])..=perfts(&self.lines)).contains(&counted) {
            self.fail(&received, &format!("{counted} counts are finished"));
        }
        // The answers come in order, each behind its own analysis.
        let mut asked: VecDeque<_> = self.places.iter().zip(&self.answers).collect();
        let mut deepest = 0;
        for line in &received {
            if line.contains(" pv ") {
                deepest = deepest.max(number(line, "depth").unwrap_or(0));
            }
            if line.contains(" book move ") {
                deepest = i64::MAX;
            }
            if !is_move(line) {
                continue;
            }
            while asked.front().is_some_and(|(_, moves)| moves.is_empty()) {
                asked.pop_front();
            }
            let (&place, _) = asked.pop_front().expect("as many as were asked for");
            let go = &self.lines[place];
            let limited = !["infinite", "ponder", "mate"].iter().any(|word| go.contains(word));
            let wanted = number(go, "depth").filter(|_| limited && place >= first);
            if wanted.is_some_and(|depth| deepest < depth) {
                self.fail(&received, &format!("{go:?} is answered at depth {deepest}: {line}"));
            }
            deepest = 0;
        }
    }

    /// Checks the answers, and how often other lines came.
    fn check(&self, received: &[String]) {
        for &(word, expected) in &self.counts {
            if count(received, word) != expected {
                self.fail(received, &format!("{word}: {} of {expected}", count(received, word)));
            }
        }
        self.check_answers(received).unwrap_or_else(|what| self.fail(received, &what));
    }

    /// Checks that each `go` was answered, in order, with a move of its position.
    fn check_answers(&self, received: &[String]) -> Result<(), String> {
        let mut given = received.iter().filter(|line| is_move(line) || is_none(line)).peekable();
        let mut spare = self.spare;
        for (i, moves) in self.answers.iter().enumerate() {
            if !moves.is_empty() {
                while given.next_if(|line| is_none(line)).is_some() {
                    spare = spare.checked_sub(1).ok_or("an answer without a move too many")?;
                }
            }
            let Some(line) = given.next() else { return Err(format!("no answer to go {i}")) };
            let text = line.split(' ').nth(1).unwrap_or("");
            let fits = match moves.is_empty() {
                true => is_none(line),
                false => is_move(line) && moves.iter().any(|m| m == text),
            };
            if !fits {
                return Err(format!("go {i} is answered {line:?}, expected one of {moves:?}"));
            }
        }
        for line in given {
            if is_move(line) || spare == 0 {
                return Err(format!("nobody asked for {line:?}"));
            }
            spare -= 1;
        }
        Ok(())
    }
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

fn is_none(line: &str) -> bool {
    line == "nobestmove" || line == "bestmove (none)"
}

fn is_move(line: &str) -> bool {
    line.starts_with("bestmove ") && !is_none(line)
}

/// The legal moves of a position.
pub fn legal<P: Rules + Notation>(pos: &P) -> Vec<String> {
    let list = pos.legal_moves();
    list.as_slice().iter().map(|&m| pos.move_text(m).to_string()).collect()
}

/// Up to `most` random moves from a position, and where they lead.
pub fn stroll<P: Rules + Notation>(
    mut pos: P,
    most: usize,
    rng: &mut SplitMix64,
) -> (Vec<String>, P) {
    let mut texts = Vec::new();
    for _ in 0..rng.below(most + 1) {
        let list = pos.legal_moves();
        let moves = list.as_slice();
        if moves.is_empty() {
            break;
        }
        let m = moves[rng.below(moves.len())];
        texts.push(pos.move_text(m).to_string());
        pos.make(m);
    }
    (texts, pos)
}
