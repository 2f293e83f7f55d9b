//! Batches of commands that are sent without waiting for answers, ways to deliver them, and checks of the answers.
//!
//! A protocol's [`Script`] chooses the commands of a batch and the moves that may answer each `go`; each `go` must have
//! exactly one answer, in order, with a legal move of its position.

use crate::common::sample;
use crate::dialogue::{Dialogue, for_both_protocols};
use crate::pipe::{PATIENCE, Pipe, best, dither, number, replay_in};
use std::collections::VecDeque;
use std::time::Instant;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Board, Position};

for_both_protocols! {
    hundreds_of_batches_with_one_thread
    hundreds_of_batches_with_four_threads
    batches_followed_by_the_end_of_the_input
    every_search_is_answered_after_the_end_of_the_input
    // `cargo test --release --test protocol -- --ignored many_searches`
    #[ignore = "minutes; run by .ci/nightly"]
    many_searches_are_answered_after_the_end_of_the_input
    // `cargo test --release --test protocol -- --ignored many_batches`
    #[ignore = "minutes; run by .ci/nightly"]
    many_batches
    a_position_and_a_go_right_after_stop_are_executed
}

/// How a batch reaches the program.
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
    pub lines: Vec<String>,
    /// For each `go` that searches, in order, the moves that may answer it; empty if there is no move.
    pub answers: Vec<Vec<String>>,
    /// The indices of these `go` in `lines`.
    places: Vec<usize>,
    /// Prefixes of lines, and how many lines with each are expected in all.
    pub counts: Vec<(&'static str, usize)>,
    /// How many more answers without a move are allowed.
    pub spare: usize,
}

impl Batch {
    /// Adds a line that must be answered with a line that begins with `answer`.
    pub fn ask(&mut self, line: impl Into<String>, answer: &'static str) {
        self.lines.push(line.into());
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

    /// Delivers the batch, waits for all answers and checks them.
    fn run(&self, pipe: &mut Pipe, delivery: Delivery, rng: &mut SplitMix64) {
        self.deliver(pipe, delivery, rng);
        let (start, mut received) = (Instant::now(), Vec::new());
        let wanted = self.answers.iter().filter(|moves| !moves.is_empty()).count();
        let mut receive = |pipe: &Pipe, is_last: &dyn Fn(&[String]) -> bool, what: &str| {
            while !is_last(&received) {
                match pipe.line(PATIENCE.saturating_sub(start.elapsed())) {
                    Some(line) => received.push(line),
                    None => self.fail(&received, what),
                }
            }
        };
        let moves = |received: &[String]| received.iter().filter(|line| is_move(line)).count();
        receive(pipe, &|received| moves(received) >= wanted, "an answer is missing");
        // The batch ends with a search that has a move, so all earlier commands are answered by now.
        pipe.send_bytes(b"isready\n");
        let asked = self.counts.iter().find(|(word, _)| *word == "readyok").map_or(0, |c| c.1);
        receive(pipe, &|received| count(received, "readyok") > asked, "a readyok is missing");
        // The last `readyok` answers the `isready` above.
        let last = received.iter().rposition(|line| line == "readyok").expect("a readyok");
        received.remove(last);
        self.check(&received);
    }

    /// Delivers the batch, closes the input, waits for the program's exit and checks its output: every command is
    /// answered, every search that has limits and no `stop` after it is finished, and `farewell` comes last.
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
        let after_stop = self.lines.iter().rposition(|line| line.trim() == "stop");
        let first = after_stop.map_or(0, |at| at + 1);
        let perfts = |lines: &[String]| count(lines, "go perft");
        let counted = count(&received, "Nodes searched: ");
        if !(perfts(&self.lines[first..])..=perfts(&self.lines)).contains(&counted) {
            self.fail(&received, &format!("{counted} counts are finished"));
        }
        // The answers come in order, each after its own analysis.
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

    /// Checks the answers and the number of other lines.
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
                    spare = spare.checked_sub(1).ok_or("too many answers without a move")?;
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
                return Err(format!("an answer without a go: {line:?}"));
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
pub fn legal<B: Board>(pos: &Position<B>) -> Vec<String> {
    let list = pos.legal_moves();
    list.as_slice().iter().map(|&m| pos.move_text(m).to_string()).collect()
}

/// Up to `most` random moves from a position, and the position after them.
fn stroll<B: Board>(mut pos: Position<B>, most: usize, rng: &mut SplitMix64) -> (Vec<String>, Position<B>) {
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
pub fn set_position<B: Board>(fens: &[&str], rng: &mut SplitMix64) -> (String, Position<B>) {
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
    /// The searches.
    const GO: &'static [&'static str];

    /// The first lines to a new program.
    fn open(threads: usize) -> Batch;
    /// Adds a random command; a search is one of `gos`.
    fn command(batch: &mut Batch, root: &mut Self::Root, gos: &[&str], rng: &mut SplitMix64);
    /// Adds a command that sets a position that has a move.
    fn set_out(batch: &mut Batch, root: &mut Self::Root);
    /// The moves that may answer a `go`.
    fn moves(root: &Self::Root) -> Vec<String>;
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
                S::command(&mut batch, &mut root, S::GO, &mut rng);
            }
            // Stops everything. The commands right after it, as programs send them, must not be lost.
            batch.tell("stop");
            batch.spare += usize::from(S::NO_MOVE == "nobestmove");
            S::set_out(&mut batch, &mut root);
            batch.go("go depth 2", S::moves(&root));
            batch.run(&mut pipe, Delivery::ALL[rng.below(3)], &mut rng);
            batch = Batch::default();
        }
        pipe.send("quit");
        assert!(pipe.ended(PATIENCE).is_some_and(|status| status.success()));
    }
}

/// Runs `count` batches, each in a new program and followed by the end of the input.
fn ended_batches<S: Script>(count: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    // Without `stop` these take a long time.
    let quick: Vec<&str> = S::GO.iter().copied().filter(|go| !go.contains("000")).collect();
    for _ in 0..count {
        let mut batch = S::open([1, 2, 4][rng.below(3)]);
        let mut root = S::Root::default();
        let most = [2, 6, 20][rng.below(3)];
        for _ in 0..1 + rng.below(most) {
            S::command(&mut batch, &mut root, &quick, &mut rng);
        }
        let delivery = Delivery::ALL[rng.below(3)];
        batch.run_to_the_end(Pipe::start(), delivery, S::FAREWELL, &mut rng);
    }
}

fn hundreds_of_batches_with_one_thread<S: Script>() {
    batches::<S>(sample(60, 400), 1, 1601);
}

fn hundreds_of_batches_with_four_threads<S: Script>() {
    batches::<S>(sample(60, 400), 4, 1604);
}

fn batches_followed_by_the_end_of_the_input<S: Script>() {
    ended_batches::<S>(sample(40, 400), 1607);
}

fn every_search_is_answered_after_the_end_of_the_input<S: Script>() {
    answered_at_the_end::<S>(4, 300);
}

fn many_searches_are_answered_after_the_end_of_the_input<S: Script>() {
    answered_at_the_end::<S>(16, 20_000);
}

/// Runs `programs` side by side, so that their threads are interrupted anywhere, each with so many rounds of short
/// searches in one write, followed by the end of the input.
fn answered_at_the_end<S: Script>(programs: usize, searches: usize) {
    // Neither is in a book. In the other one there is no move, so that the answer comes at once.
    let &[_, quick, _, over, ..] = S::POSITIONS else { panic!("four positions") };
    for game in [
        format!("position fen {quick}\ngo nodes 1\n"),
        format!("position fen {over}\ngo depth 5\n"),
        format!("position fen {over}\ngo depth 1\n{}\ngo infinite\n", S::SMALL_HASH),
        format!("position fen {quick}\ngo\nstop\nposition fen {over}\ngo nodes 1\n"),
    ] {
        let wanted = searches * game.matches("go").count();
        let text = S::HELLO[0].to_string() + "\n" + &game.repeat(searches);
        let mut pipes: Vec<Pipe> = std::iter::repeat_with(Pipe::start).take(programs).collect();
        for pipe in &mut pipes {
            pipe.leave_unchecked();
            pipe.send_bytes(text.as_bytes());
            pipe.close();
        }
        for mut pipe in pipes {
            let answers = pipe.rest().iter().filter(|line| line.contains("bestmove")).count();
            assert!(pipe.ended(PATIENCE).is_some_and(|status| status.success()));
            // UCCI answers a `stop` that finds no search, too.
            let idle = if S::NO_MOVE == "nobestmove" { searches * game.matches("stop").count() } else { 0 };
            assert!((wanted..=wanted + idle).contains(&answers), "{answers} of {wanted}: {game}");
        }
    }
}

fn many_batches<S: Script>() {
    let seed = std::env::var("TABIYA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for threads in [1, 2, 4] {
        batches::<S>(6_667, threads, seed + threads as u64);
    }
    ended_batches::<S>(5_000, seed);
}

fn a_position_and_a_go_right_after_stop_are_executed<S: Script>() {
    let mut pipe = S::start();
    for between in S::BETWEEN {
        for _ in 0..sample(20, 50) {
            pipe.begin("position startpos\ngo infinite");
            pipe.send(&format!("stop\n{between}\nposition startpos moves {}\ngo depth 2", S::MOVE));
            replay_in::<S::Board>("startpos", &[&best(&pipe.answer())]);
            replay_in::<S::Board>("startpos", &[S::MOVE, &best(&pipe.answer())]);
        }
    }
}
