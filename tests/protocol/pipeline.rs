//! Random commands that are sent without waiting for answers, ways to deliver them, ways to end, and checks of the
//! answers.
//!
//! A protocol's [`Script`] chooses the commands and the moves that may answer each `go`; each `go` must have exactly
//! one answer, in order, with a legal move of its position, and everything else is executed once.

use crate::common::pipe::{PATIENCE, Pipe, dither, number};
use crate::common::sample;
use crate::protocol::dialogue::{Dialogue, for_both_protocols};
use std::time::Instant;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Position, Rules};

for_both_protocols! {
    random_commands_with_one_thread
    random_commands_with_four_threads
    random_commands_followed_by_the_end
    // `cargo test --release --test tabiya -- --ignored many_random`
    #[ignore = "minutes; run by .ci/nightly"]
    many_random_commands
    programs_side_by_side_answer_every_search
}

/// How commands reach the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Delivery {
    /// In one write.
    Whole,
    /// One byte after the other, each with a flush.
    Bytes,
    /// Line by line, with random pauses.
    Lines,
}

impl Delivery {
    const ALL: [Delivery; 3] = [Delivery::Whole, Delivery::Bytes, Delivery::Lines];
}

/// Commands and their expected answers.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    /// What is sent.
    lines: Vec<String>,
    /// For each `go` that searches, in order, its index in `lines` and the moves that may answer it; none if there is
    /// no move.
    answers: Vec<(usize, Vec<String>)>,
    /// Prefixes of lines, and how many lines with each are expected in all.
    counts: Vec<(&'static str, usize)>,
    /// How many more answers without a move are allowed.
    pub spare: usize,
}

impl Batch {
    /// Adds a line that must be answered with a line that begins with `answer`.
    pub fn ask(&mut self, line: impl Into<String>, answer: &'static str) {
        self.tell(line);
        match self.counts.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((answer, 1)),
        }
    }

    /// Adds a line that has no answer, or one that is not checked.
    pub fn tell(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds a `go` that must be answered with one of `moves`.
    pub fn go(&mut self, line: impl Into<String>, moves: Vec<String>) {
        self.answers.push((self.lines.len(), moves));
        self.tell(line);
    }

    fn deliver(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
        let text = self.lines.join("\n") + "\n";
        match delivery {
            Delivery::Whole => pipe.send_bytes(text.as_bytes()),
            Delivery::Bytes => {
                for byte in text.bytes() {
                    pipe.send_bytes(&[byte]);
                }
            }
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

    /// Delivers the batch, which ends with a `go` that has a move, waits for the answer and checks all.
    fn run(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
        self.deliver(pipe, delivery, rng);
        let wanted = self.answers.iter().filter(|(_, moves)| !moves.is_empty()).count();
        let (start, mut received) = (Instant::now(), Vec::<String>::new());
        while received.iter().filter(|line| is_move(line)).count() < wanted {
            match pipe.line(PATIENCE.saturating_sub(start.elapsed())) {
                Some(line) => received.push(line),
                None => self.fail(&received, "an answer is missing"),
            }
        }
        received.extend(pipe.sync());
        self.check(&received);
    }

    /// Delivers the batch, ends the input, waits for the program's exit and checks its output.
    fn run_to_the_end(&self, mut pipe: Pipe, delivery: Delivery, farewell: Option<&str>, rng: &mut SplitMix64) {
        self.deliver(&mut pipe, delivery, rng);
        pipe.close();
        let mut received = pipe.rest();
        if !pipe.ended(PATIENCE).is_some_and(|status| status.success()) {
            self.fail(&received, "the program does not exit");
        }
        if farewell.is_some_and(|word| received.pop().as_deref() != Some(word)) {
            self.fail(&received, "no farewell");
        }
        self.check(&received);
    }

    /// Checks that each `go` was answered, in order, and the number of other lines.
    fn check(&self, received: &[String]) {
        for &(word, expected) in &self.counts {
            let found = received.iter().filter(|line| line.starts_with(word)).count();
            if found != expected {
                self.fail(received, &format!("{word}: {found} of {expected}"));
            }
        }
        self.check_answers(received).unwrap_or_else(|what| self.fail(received, &what));
    }

    /// Checks that each `go` was answered, in order, with a move of its position, and not before its limit was reached,
    /// and that nodes and time never decrease during a search.
    fn check_answers(&self, received: &[String]) -> Result<(), String> {
        let mut rest = received;
        let mut spare = self.spare;
        for (i, (place, moves)) in self.answers.iter().enumerate() {
            let (mut deepest, mut before) = (0, [None; 2]);
            let answer = loop {
                let (line, later) = rest.split_first().ok_or(format!("no answer to go {i}"))?;
                rest = later;
                if let now @ [Some(_), Some(_)] = ["nodes", "time"].map(|name| number(line, name)) {
                    if now[0] < before[0] || now[1] < before[1] {
                        return Err(format!("fewer nodes or less time than before: {line:?}"));
                    }
                    before = now;
                }
                if line.contains(" pv ") {
                    deepest = deepest.max(number(line, "depth").unwrap_or(0));
                } else if line.contains(" book move ") {
                    deepest = i64::MAX;
                } else if is_none(line) && !moves.is_empty() {
                    // To a `stop` that found no search, or to an earlier `go` in whose place such an answer was taken.
                    spare = spare.checked_sub(1).ok_or("too many answers without a move")?;
                    (deepest, before) = (0, [None; 2]);
                } else if is_none(line) || is_move(line) {
                    break line;
                }
            };
            let text = answer.split(' ').nth(1).unwrap_or("");
            if moves.is_empty() != is_none(answer) || !moves.is_empty() && moves.iter().all(|m| m != text) {
                return Err(format!("go {i} is answered {answer:?}, expected one of {moves:?}"));
            }
            // A search with limits is finished unless a `stop` or `quit` comes after it, which may be read early.
            let is_stopped = self.lines[*place..].iter().any(|line| ["stop", "quit"].contains(&line.trim()));
            let go = &self.lines[*place];
            let is_endless = ["infinite", "ponder", "mate"].iter().any(|word| go.contains(word));
            let wanted = number(go, "depth").filter(|_| !moves.is_empty() && !is_stopped && !is_endless);
            if wanted.is_some_and(|depth| deepest < depth) {
                return Err(format!("{go:?} is answered at depth {deepest}: {answer}"));
            }
        }
        let others = rest.iter().filter(|line| is_none(line) || is_move(line));
        if others.clone().any(|line| is_move(line)) || others.count() > spare {
            return Err("an answer without a go".to_string());
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

/// One of the `texts` between commas.
pub fn any<'a>(texts: &'a str, rng: &mut SplitMix64) -> &'a str {
    let texts = Vec::from_iter(texts.split(','));
    texts[rng.below(texts.len())]
}

/// The legal moves of a position.
pub fn legal<B: Rules>(pos: &Position<B>) -> Vec<String> {
    let list = pos.legal_moves();
    list.as_slice().iter().map(|&m| pos.move_text(m).to_string()).collect()
}

/// Up to `most` random moves from a position, and the position after them.
fn stroll<B: Rules>(mut pos: Position<B>, most: usize, rng: &mut SplitMix64) -> (Vec<String>, Position<B>) {
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

/// A `position` command with one of `fens`, or without any the initial position, and random moves; and its position.
pub fn set_position<B: Rules>(fens: &[&str], rng: &mut SplitMix64) -> (String, Position<B>) {
    let fen = if fens.is_empty() { B::START_FEN } else { fens[rng.below(fens.len())] };
    let (moves, pos) = stroll(Position::<B>::from_fen(fen).expect("a position"), 6, rng);
    let start = if fens.is_empty() { "startpos".to_string() } else { format!("fen {fen}") };
    let word = if moves.is_empty() { "" } else { " moves " };
    (format!("position {start}{word}{}", moves.join(" ")), pos)
}

/// The random commands of a protocol.
pub trait Script: Dialogue {
    /// What the next `go` searches; by default the initial position of a new program.
    type Root: Default;

    /// The first lines to a new program.
    fn open(threads: usize) -> Batch;
    /// Adds a random command.
    fn command(batch: &mut Batch, root: &mut Self::Root, rng: &mut SplitMix64);
    /// Adds a command that sets a position that has a move.
    fn set_out(batch: &mut Batch, root: &mut Self::Root);
    /// The moves that may answer a `go`.
    fn moves(root: &Self::Root) -> Vec<String>;

    /// Adds a `stop`. Where an idle one is answered, the test cannot see whether the program was idle.
    fn stop(batch: &mut Batch) {
        batch.tell("stop");
        batch.spare += usize::from(Self::NO_MOVE == "nobestmove");
    }
}

/// Runs `count` batches with `threads` search threads. The program is restarted now and then, so that a batch is also
/// its first input.
fn batches<S: Script>(count: usize, threads: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for first in (0..count).step_by(100) {
        let (mut pipe, mut root) = (Pipe::start(), S::Root::default());
        let mut batch = S::open(threads);
        for _ in first..count.min(first + 100) {
            let most = [4, 12, 40][rng.below(3)];
            for _ in 0..1 + rng.below(most) {
                S::command(&mut batch, &mut root, &mut rng);
            }
            // The commands right after a `stop`, as programs send them, must not be lost.
            S::stop(&mut batch);
            S::set_out(&mut batch, &mut root);
            batch.go("go depth 2", S::moves(&root));
            batch.run(&mut pipe, Delivery::ALL[rng.below(3)], &mut rng);
            batch = Batch::default();
        }
        pipe.send("quit");
        assert!(pipe.ended(PATIENCE).is_some_and(|status| status.success()));
    }
}

/// Runs `count` batches, each in a new program and followed by `quit` or the end of the input.
fn ended_batches<S: Script>(count: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for _ in 0..count {
        let mut batch = S::open([1, 2, 4][rng.below(3)]);
        let mut root = S::Root::default();
        let most = [2, 6, 20][rng.below(3)];
        for _ in 0..1 + rng.below(most) {
            S::command(&mut batch, &mut root, &mut rng);
        }
        if rng.below(2) == 0 {
            batch.tell("quit");
        }
        let delivery = Delivery::ALL[rng.below(3)];
        batch.run_to_the_end(Pipe::start(), delivery, S::FAREWELL, &mut rng);
    }
}

fn random_commands_with_one_thread<S: Script>() {
    batches::<S>(sample(60, 400), 1, 1601);
}

fn random_commands_with_four_threads<S: Script>() {
    batches::<S>(sample(60, 400), 4, 1604);
}

fn random_commands_followed_by_the_end<S: Script>() {
    ended_batches::<S>(sample(40, 400), 1607);
}

fn many_random_commands<S: Script>() {
    let seed = std::env::var("TABIYA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for threads in [1, 2, 4] {
        batches::<S>(2_000, threads, seed + threads as u64);
    }
    ended_batches::<S>(4_000, seed);
}

/// Runs four programs side by side, so that their threads are interrupted anywhere, each with hundreds of rounds of
/// short searches in one write, followed by the end of the input.
fn programs_side_by_side_answer_every_search<S: Script>() {
    const SEARCHES: usize = 300;
    // Neither is in a book. In the other one there is no move, so that the answer comes at once.
    let &[_, quick, .., over] = S::POSITIONS else { panic!("several positions") };
    for game in [
        format!("position fen {quick}\ngo nodes 1\n"),
        format!("position fen {over}\ngo depth 1\n{}\ngo infinite\n", S::SMALL_HASH),
        format!("position fen {quick}\ngo\nstop\nposition fen {over}\ngo nodes 1\n"),
    ] {
        let text = S::HELLO[0].to_string() + "\n" + &game.repeat(SEARCHES);
        let mut pipes: Vec<Pipe> = std::iter::repeat_with(Pipe::start).take(4).collect();
        for pipe in &mut pipes {
            pipe.send_bytes(text.as_bytes());
            pipe.close();
        }
        for mut pipe in pipes {
            let answers = pipe.rest().iter().filter(|line| line.contains("bestmove")).count();
            assert!(pipe.ended(PATIENCE).is_some_and(|status| status.success()));
            let wanted = SEARCHES * game.matches("go").count();
            // UCCI answers a `stop` that finds no search, too.
            let idle = if S::NO_MOVE == "nobestmove" { SEARCHES * game.matches("stop").count() } else { 0 };
            assert!((wanted..=wanted + idle).contains(&answers), "{answers} of {wanted}: {game}");
        }
    }
}
