//! Batches of commands that nobody waits in between for, how they are delivered, and what must come back.
//!
//! Included by the pipelining tests of both protocols with `#[path]`, beside `common/pipe.rs`. Which commands
//! a batch has, and which moves may answer each `go`, is theirs to say.

use super::pipe::{PATIENCE, Pipe, dither};
use std::time::Instant;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{MoveBuffer, Notation, Rules};

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
        self.lines.push(line.into());
        self.answers.push(moves);
    }

    /// Delivers the batch, waits until all is answered, and checks what came.
    pub fn run(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
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
        let (start, mut received) = (Instant::now(), Vec::new());
        let wanted = self.answers.iter().filter(|moves| !moves.is_empty()).count();
        let mut moves = 0;
        let fail = |received: &[String], what: &str| -> ! {
            let tail = &received[received.len().saturating_sub(40)..];
            panic!("{what}\n{delivery:?}\n{:#?}\nlast lines: {tail:#?}", self.lines)
        };
        let next = |received: &mut Vec<String>| match pipe
            .line(PATIENCE.saturating_sub(start.elapsed()))
        {
            Some(line) => received.push(line),
            None => fail(received, "an answer is missing"),
        };
        while moves < wanted {
            next(&mut received);
            moves += usize::from(is_move(&received[received.len() - 1]));
        }
        // The batch ends with a search that has a move, so everything before is answered and the rest idle.
        pipe.send_bytes(b"isready\n");
        let asked = self.counts.iter().find(|(word, _)| *word == "readyok").map_or(0, |c| c.1);
        let count = |received: &[String], word: &str| {
            received.iter().filter(|line| line.starts_with(word)).count()
        };
        while count(&received, "readyok") <= asked {
            let Some(line) = pipe.line(PATIENCE.saturating_sub(start.elapsed())) else {
                fail(&received, "a readyok is missing")
            };
            received.push(line);
        }
        for &(word, expected) in self.counts.iter().filter(|(word, _)| *word != "readyok") {
            if count(&received, word) != expected {
                fail(&received, &format!("{word}: {} of {expected}", count(&received, word)));
            }
        }
        self.check_answers(&received).unwrap_or_else(|what| fail(&received, &what));
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

fn is_none(line: &str) -> bool {
    line == "nobestmove" || line == "bestmove (none)"
}

fn is_move(line: &str) -> bool {
    line.starts_with("bestmove ") && !is_none(line)
}

/// The legal moves of a position.
pub fn legal<P: Rules + Notation>(pos: &P) -> Vec<String> {
    let mut list = P::List::default();
    pos.legal_moves(&mut list);
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
        let mut list = P::List::default();
        pos.legal_moves(&mut list);
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
