//! Tests that are the same for every protocol: hostile input, end of input, closed output, races.
//!
//! Included by `tests/protocol` together with `pipe.rs`, which it builds on. A protocol implements [`Dialogue`];
//! the tests pass the commands to try. Every wait has a time-out.

#![allow(dead_code)]

use super::pipe::{Event, LEAVING, Pipe, dither, median};
use crate::own::own;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

/// What the shared tests need from a protocol.
pub trait Dialogue {
    /// The command that opens it.
    const HELLO: &'static str;
    /// The last line of the answer to `HELLO`.
    const WELCOME: &'static str;
    /// The program's last line before it exits, if the protocol has one.
    const FAREWELL: Option<&'static str>;
    /// Whether a `stop` without a search is answered.
    const ANSWERS_IDLE_STOP: bool;
    /// The prefix of a message to the user.
    const REMARK: &'static str;
    /// The prefix of an error message.
    const FAULT: &'static str;
    /// The initial position.
    const START: &'static str;

    /// Starts the program and completes the handshake. Moves come from the search only, not from a book.
    fn start() -> Pipe;
    /// The command that sets the number of threads.
    fn threads(count: usize) -> String;
    /// The lines up to the answer of a search.
    fn until_answer(pipe: &Pipe) -> Vec<String>;
    /// Whether the answer is that there is no move.
    fn no_move(answer: &str) -> bool;
    /// Asserts that the answer and every line of analysis are legal in `fen`.
    fn legal(fen: &str, lines: &[String]);
    /// Asserts that a line has one of the protocol's forms.
    fn check_line(line: &str);
    /// Checks a whole dialogue, above all that every `go` has one answer.
    fn check_dialogue(pipe: &Pipe);
    /// Sends `quit` and checks the dialogue.
    fn quit(pipe: Pipe);
}

/// Asserts that the program is alive and idle, and that it finds a legal move.
pub fn assert_plays<D: Dialogue>(pipe: &mut Pipe) {
    pipe.sync();
    pipe.send(&format!("position fen {} moves\ngo depth 2", D::START));
    D::legal(D::START, &D::until_answer(pipe));
}

/// The program exits at once at the end of its input: when idle, and during each of the searches `endless`, which
/// only a command would end. With one thread and with two.
pub fn the_end_of_the_input<D: Dialogue>(endless: &[&str]) {
    let mut times = Vec::new();
    for go in [""].iter().chain(endless) {
        for threads in [1, 2] {
            let mut pipe = D::start();
            pipe.send(&format!("{}\n{go}", D::threads(threads)));
            if !go.is_empty() {
                pipe.until("info");
            }
            let closed = Instant::now();
            pipe.close();
            let status = pipe.ended(LEAVING).unwrap_or_else(|| panic!("no exit after {go:?}"));
            times.push(closed.elapsed());
            assert!(status.success(), "{go}");
            let lines = pipe.rest();
            if let Some(word) = D::FAREWELL {
                assert_eq!(lines.last().map(String::as_str), Some(word), "{go}");
            }
            D::check_dialogue(&pipe);
        }
    }
    let time = median(times);
    assert!(time < Duration::from_secs(1), "{time:?} from the end of the input to the exit");
}

/// Lines of random bytes, zeros among them.
pub fn random_bytes<D: Dialogue>() {
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(7);
    for round in 0..300 {
        let mut bytes: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u64() as u8).collect();
        if round % 3 == 0 {
            bytes.extend_from_slice(b"\0\0\0");
        }
        bytes.push(b'\n');
        pipe.send_bytes(&bytes);
    }
    assert_plays::<D>(&mut pipe);
    for event in pipe.dialogue() {
        if let Event::Received(line) = event {
            D::check_line(&line);
        }
    }
}

/// Lines of known words in random order; `finish` ends the searches that they started.
pub fn random_sentences<D: Dialogue>(words: &[&str], seed: u64, finish: impl FnOnce(&mut Pipe)) {
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(seed);
    for _ in 0..2_000 {
        let line: Vec<&str> = (0..1 + rng.below(9)).map(|_| words[rng.below(words.len())]).collect();
        pipe.send(&line.join(" "));
    }
    finish(&mut pipe);
    assert_plays::<D>(&mut pipe);
}

/// Lines of several megabytes are refused with a message: each of `starts`, followed by a move a million times.
pub fn lines_of_megabytes<D: Dialogue>(pipe: &mut Pipe, starts: &[&str], m: &str) {
    for start in starts {
        let mut line = start.to_string().into_bytes();
        line.extend(std::iter::repeat_n(format!("{m} ").as_bytes(), 1_000_000).flatten());
        line.push(b'\n');
        pipe.send_bytes(&line);
        let lines = pipe.sync();
        assert!(lines.iter().any(|l| l.contains("skipped a line")), "{start:?}: {lines:?}");
    }
    // The newline comes only in the second write: still a single line.
    pipe.send_bytes(&[b'x'; 3 << 20]);
    pipe.send_bytes(b"\n");
    assert_plays::<D>(pipe);
}

/// Invalid positions: each gives one error message, and `go` answers without a move until there is a valid
/// position again.
pub fn refused_positions<D: Dialogue>(pipe: &mut Pipe, fens: &[&str]) {
    for fen in fens {
        pipe.send(&format!("position fen {fen}"));
        let lines = pipe.sync();
        assert_eq!(lines.len(), 1, "{fen:?}: {lines:?}");
        assert!(lines[0].starts_with(&format!("{} position rejected", D::FAULT)), "{lines:?}");
        pipe.send("go depth 2");
        let lines = D::until_answer(pipe);
        assert_eq!(lines.len(), 2, "{fen:?}: {lines:?}");
        assert!(lines[0].starts_with(&format!("{} no position set", D::FAULT)), "{lines:?}");
        assert!(D::no_move(&lines[1]), "{fen:?}: {lines:?}");
    }
    assert_plays::<D>(pipe);
}

/// Positions that are legal but unusual: accepted without a message, and searched.
pub fn strange_positions<D: Dialogue>(pipe: &mut Pipe, fens: &[&str]) {
    for fen in fens {
        pipe.send(&format!("position fen {fen}"));
        assert_eq!(pipe.sync(), [] as [&str; 0], "{fen}");
        pipe.send("go depth 3");
        D::legal(fen, &D::until_answer(pipe));
    }
}

/// The program without arguments, both pipes open.
pub fn spawn() -> Child {
    let mut command = Command::new(own());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts")
}

/// Whether the program exits by itself in time; it is killed otherwise.
pub fn leaves(mut child: Child, patience: Duration) -> bool {
    let start = Instant::now();
    let mut left = false;
    while !left && start.elapsed() < patience {
        left = child.try_wait().expect("can be waited for").is_some();
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait(); // it has exited or was killed: returns soon
    left
}

/// The program exits when nobody reads its output: while its input is still open, and while it finishes a search
/// after the end of the input.
pub fn no_orphan<D: Dialogue>(commands: &[&str]) {
    for go in commands {
        let mut child = spawn();
        let mut input = child.stdin.take().expect("a pipe");
        drop(child.stdout.take());
        input.write_all(format!("{}\n{go}\n", D::HELLO).as_bytes()).expect("the program reads");
        assert!(leaves(child, LEAVING), "{go:?} runs on without a reader");
        let mut child = spawn();
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(format!("{go}\n").as_bytes()).expect("the program reads");
        drop(input);
        // The output is closed when there is nothing left to read.
        std::thread::sleep(Duration::from_millis(300));
        drop(child.stdout.take());
        assert!(leaves(child, LEAVING), "{go:?} is finished without a reader");
    }
}

/// Sends `text` and closes the input; returns the program's output. Asserts a clean exit.
pub fn output_of(text: &str) -> Vec<String> {
    let mut pipe = Pipe::start();
    pipe.send_bytes(text.as_bytes());
    pipe.close();
    let lines = pipe.rest();
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "{text}");
    lines
}

/// The commands of a race test.
pub struct Race<'a> {
    /// Positions as FEN.
    pub positions: &'a [&'a str],
    /// The searches.
    pub starts: &'a [&'a str],
    /// The commands that end them.
    pub ends: &'a [&'a str],
    /// Whether a search runs on after `ponderhit` alone, so that `stop` must follow.
    pub needs_stop: fn(go: &str) -> bool,
    /// Lines that may still come after the answer.
    pub harmless: fn(line: &str) -> bool,
}

/// `rounds` searches that are ended at random moments; exactly one answer for each, and it is legal.
pub fn stops_and_hits<D: Dialogue>(rounds: usize, seed: u64, race: &Race) {
    let begin = Instant::now();
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(seed);
    for round in 0..rounds {
        let fen = race.positions[rng.below(race.positions.len())];
        let go = race.starts[rng.below(race.starts.len())];
        let mut end = race.ends[rng.below(race.ends.len())].to_string();
        if end.starts_with("ponderhit") && !end.contains("stop") && (race.needs_stop)(go) {
            end = "ponderhit\nstop".to_string();
        }
        if rng.below(4) == 0 {
            // All at once: the `stop` is read before the search has begun.
            pipe.send(&format!("position fen {fen}\n{go}\n{end}"));
        } else {
            pipe.send(&format!("position fen {fen}\n{go}"));
            dither(&mut rng);
            pipe.send(&end);
        }
        let lines = D::until_answer(&pipe);
        if !D::no_move(lines.last().expect("an answer")) {
            D::legal(fen, &lines);
        }
        // Every `isready` is answered, once.
        let ready = |lines: &[String]| lines.iter().filter(|line| *line == "readyok").count();
        let mut left = pipe.sync();
        while ready(&lines) + ready(&left) < usize::from(end.starts_with("isready")) {
            left.extend(pipe.until("readyok"));
        }
        let harmless = |line: &String| line == "readyok" || (race.harmless)(line);
        assert!(left.iter().all(harmless), "round {round}, {go}, {end}: {left:?}");
    }
    D::check_dialogue(&pipe);
    println!("{rounds} rounds in {:?}", begin.elapsed());
    D::quit(pipe);
}

/// Searches, one of `gos` each, with up to five of the commands `misplaced` at random moments, ended by `stop`: each
/// has an answer. Returns the program, which may still have lines to say where idle stops are answered.
pub fn misplaced_commands<D: Dialogue>(gos: [&str; 4], misplaced: &[&str], seed: u64) -> Pipe {
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(seed);
    for _ in 0..600 {
        pipe.send(&format!("position startpos\n{}", gos[rng.below(4)]));
        for _ in 0..rng.below(6) {
            dither(&mut rng);
            pipe.send(misplaced[rng.below(misplaced.len())]);
        }
        dither(&mut rng);
        pipe.send("stop");
        let lines = D::until_answer(&pipe);
        // Otherwise it depends on the timing which answer this is.
        assert!(D::ANSWERS_IDLE_STOP || !D::no_move(&lines[lines.len() - 1]), "{lines:?}");
        pipe.sync();
    }
    pipe
}

/// `quit` or the end of the input at random moments after the opening command and one of `commands`.
pub fn quitting<D: Dialogue>(commands: &[&str], seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for round in 0..60 {
        let mut pipe = Pipe::start();
        pipe.send(D::HELLO);
        dither(&mut rng);
        pipe.send(commands[rng.below(commands.len())]);
        dither(&mut rng);
        if rng.below(2) == 0 {
            pipe.send("quit")
        } else {
            pipe.close()
        }
        let status = pipe.ended(LEAVING);
        assert!(status.is_some_and(|s| s.success()), "round {round}: {status:?}");
        let lines = pipe.rest();
        assert!(lines.iter().any(|line| line == D::WELCOME), "round {round}: {lines:?}");
        if let Some(word) = D::FAREWELL {
            assert_eq!(lines.last().map(String::as_str), Some(word), "round {round}: {lines:?}");
        }
        let answers = lines.iter().filter(|line| line.contains("bestmove")).count();
        assert!(answers <= 1, "round {round}: {lines:?}");
    }
}
