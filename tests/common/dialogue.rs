//! The frames of tests that ask the same of every protocol: hostile input, the end of the input, readers that
//! go away, races.
//!
//! Included by `tests/protocol` beside `pipe.rs`, on which it builds. A protocol says what is its
//! own by implementing [`Dialogue`]; the tests say which commands are to be tried. Every wait ends after a
//! time.

#![allow(dead_code)]

use super::pipe::{Event, LEAVING, Pipe, dither, median};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

/// A protocol, as far as the frames need to know it.
pub trait Dialogue {
    /// The command that opens it.
    const HELLO: &'static str;
    /// The word that ends the answer to that.
    const WELCOME: &'static str;
    /// The last word of the program, if there is one.
    const FAREWELL: Option<&'static str>;
    /// How a remark to the user begins.
    const REMARK: &'static str;
    /// How a remark begins that says what is wrong.
    const FAULT: &'static str;
    /// The initial position.
    const START: &'static str;

    /// The program past its welcome, with moves that come from the search alone.
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
    /// Asserts what holds of a whole dialogue, one answer for every `go` above all.
    fn check_dialogue(pipe: &Pipe);
    /// Ends the program in the orderly way and checks the dialogue.
    fn quit(pipe: Pipe);
}

/// Alive, idle, and able to play.
pub fn assert_plays<D: Dialogue>(pipe: &mut Pipe) {
    pipe.sync();
    pipe.send(&format!("position fen {} moves\ngo depth 2", D::START));
    D::legal(D::START, &D::until_answer(pipe));
}

/// At the end of the input the program leaves at once: idle, and in each of `endless`, which nothing but a command
/// would end, with one thread and with two.
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
            let status = pipe.ended(LEAVING).unwrap_or_else(|| panic!("still there after {go:?}"));
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

/// Lines of known words in random order; `settle` ends what they have begun.
pub fn random_sentences<D: Dialogue>(words: &[&str], seed: u64, settle: impl FnOnce(&mut Pipe)) {
    let mut pipe = D::start();
    let mut rng = SplitMix64::new(seed);
    for _ in 0..2_000 {
        let line: Vec<&str> =
            (0..1 + rng.below(9)).map(|_| words[rng.below(words.len())]).collect();
        pipe.send(&line.join(" "));
    }
    settle(&mut pipe);
    assert_plays::<D>(&mut pipe);
}

/// Lines of megabytes are refused with a remark: each of `starts`, followed by a move a million times.
pub fn lines_of_megabytes<D: Dialogue>(pipe: &mut Pipe, starts: &[&str], m: &str) {
    for start in starts {
        let mut line = start.to_string().into_bytes();
        line.extend(std::iter::repeat_n(format!("{m} ").as_bytes(), 1_000_000).flatten());
        line.push(b'\n');
        pipe.send_bytes(&line);
        let lines = pipe.sync();
        assert!(lines.iter().any(|l| l.contains("skipped a line")), "{start:?}: {lines:?}");
    }
    // The same without any end, then one: still a single line.
    pipe.send_bytes(&[b'x'; 3 << 20]);
    pipe.send_bytes(b"\n");
    assert_plays::<D>(pipe);
}

/// Positions that are none: one remark each, and no move for what is not there, until there is a position
/// again.
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

/// Positions that are legal, and strange: taken in silence, and searched.
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts")
}

/// Whether the program leaves by itself in time; it is killed if it does not.
pub fn leaves(mut child: Child, patience: Duration) -> bool {
    let start = Instant::now();
    let mut left = false;
    while !left && start.elapsed() < patience {
        left = child.try_wait().expect("can be waited for").is_some();
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait(); // killed or gone: this cannot last
    left
}

/// With nobody to read its output the program ends, although its input stays open, or has ended and something is to
/// be finished.
pub fn no_orphan<D: Dialogue>(commands: &[&str]) {
    for go in commands {
        let mut child = spawn();
        let mut input = child.stdin.take().expect("a pipe");
        drop(child.stdout.take());
        input.write_all(format!("{}\n{go}\n", D::HELLO).as_bytes()).expect("the program reads");
        assert!(leaves(child, LEAVING), "{go:?} runs on for nobody");
        let mut child = spawn();
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(format!("{go}\n").as_bytes()).expect("the program reads");
        drop(input);
        // The reader leaves when there is nothing to read.
        std::thread::sleep(Duration::from_millis(300));
        drop(child.stdout.take());
        assert!(leaves(child, LEAVING), "{go:?} is finished for nobody");
    }
}

/// Whatever is said to the program before the end of its input, what it says.
pub fn said(text: &str) -> Vec<String> {
    let mut pipe = Pipe::start();
    pipe.send_bytes(text.as_bytes());
    pipe.close();
    let lines = pipe.rest();
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "{text}");
    lines
}

/// What the rounds of a race are made of.
pub struct Race<'a> {
    /// Positions as FEN.
    pub positions: &'a [&'a str],
    /// The searches.
    pub starts: &'a [&'a str],
    /// What is sent to end them.
    pub ends: &'a [&'a str],
    /// Where a hit alone ends nothing soon, what is sent instead of it.
    pub hit_is_not_enough: fn(go: &str) -> bool,
    /// What may still come behind the answer.
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
        if end.starts_with("ponderhit") && !end.contains("stop") && (race.hit_is_not_enough)(go) {
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
        // What else was asked for is answered, and nothing is answered twice.
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

/// `quit`, or the end of the input, at random moments after the welcome was asked for and one of `commands` was
/// sent.
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
