//! Hostile and faulty input in both protocols: the program must not crash, hang, or abandon its search. Such bugs are
//! common in the issue trackers of other engines.

use crate::common::own::own;
use crate::common::pipe::{LEAVING, PATIENCE, SILENCE, best, check_line, check_ucci_line, legal_best, replay_in};
use crate::common::sample;
use crate::protocol::dialogue::{Dialogue, assert_plays, for_both_protocols};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

for_both_protocols! {
    random_bytes_are_survived
    random_sessions_answer_stop_isready_and_quit
    lines_of_megabytes_are_dropped_without_harm
    every_command_of_a_flood_is_executed
    the_program_exits_when_its_output_is_closed
}

/// Lines of random bytes, zeros among them.
fn random_bytes_are_survived<D: Dialogue>() {
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
    let lines = pipe.sync();
    for line in &lines {
        if D::FAREWELL.is_some() {
            check_ucci_line(line);
        } else {
            check_line(line);
        }
    }
    assert_plays::<D>(&mut pipe);
}

/// A random line: often a `go` with limits of all kinds, else any command, or words in any order.
fn random_line<D: Dialogue>(rng: &mut SplitMix64) -> String {
    const LIMITS: &str = "\
        depth,nodes,mate,movetime,wtime,btime,winc,binc,movestogo,time,opptime,increment,infinite,ponder,\
        draw,searchmoves,perft 2,depth 3";
    const NUMBERS: &str = "\
        0,1,-1,2,5,300.0,1:00,99999999999999999999,-99999999999999999999,1000000000,9223372036854775807,\
        1e9,x,,50,4294967296";
    let any = |words: &[&'static str], rng: &mut SplitMix64| words[rng.below(words.len())];
    let of = |words: &'static str, rng: &mut SplitMix64| any(&Vec::from_iter(words.split(',')), rng);
    match rng.below(10) {
        0..=3 => {
            let limits = (0..rng.below(4)).map(|_| format!("{} {}", of(LIMITS, rng), of(NUMBERS, rng)));
            format!("go {}", Vec::from_iter(limits).join(" "))
        }
        4 | 5 => {
            let fen = any(D::POSITIONS, rng);
            let more = any(&["", " moves", " moves x", " moves 0000"], rng);
            if rng.below(3) == 0 { format!("position startpos{more}") } else { format!("position fen {fen}{more}") }
        }
        6 => any(&["stop", "ponderhit", "isready", "ponderhit draw", "debug on", "bench 1 1 9 nodes", "bench x"], rng)
            .into(),
        7 => any(&["d", "eval", D::NEW_GAME, D::SMALL_HASH, D::HELLO[0], "help", "go perft"], rng).into(),
        8 => D::threads([0, 1, 2, 5, 999][rng.below(5)]),
        _ => Vec::from_iter((0..1 + rng.below(9)).map(|_| any(D::WORDS, rng))).join(" "),
    }
}

/// Some 70 lines at once, among them searches of all lengths behind one another. What comes then is read at once.
fn random_sessions_answer_stop_isready_and_quit<D: Dialogue>() {
    let mut slowest = Duration::ZERO;
    for seed in 0..sample(8, 200) {
        let mut rng = SplitMix64::new(7_000 + seed);
        let lines = Vec::from_iter((0..60 + rng.below(21)).map(|_| random_line::<D>(&mut rng)));
        let mut pipe = D::start();
        pipe.leave_unchecked();
        pipe.send(&lines.join("\n"));
        if rng.below(2) == 0 {
            std::thread::sleep(Duration::from_millis(rng.below(300) as u64));
        }
        let begin = Instant::now();
        pipe.send("stop\nisready\nquit");
        let status = pipe.ended(PATIENCE).unwrap_or_else(|| panic!("no exit of session {seed}: {lines:#?}"));
        slowest = slowest.max(begin.elapsed());
        let answers = pipe.rest();
        assert!(status.success() && answers.contains(&"readyok".to_string()), "session {seed}: {lines:#?}");
    }
    println!("the slowest session has ended after {slowest:?}");
}

fn lines_of_megabytes_are_dropped_without_harm<D: Dialogue>() {
    let mut pipe = D::start();
    for start in D::BEGINNINGS {
        pipe.send_bytes(format!("{start}{}\n", format!("{} ", D::MOVE).repeat(1_000_000)).as_bytes());
        let lines = pipe.sync();
        assert!(lines.iter().any(|l| l.contains("skipped a line")), "{start:?}: {lines:?}");
    }
    // The newline comes only in the second write: still a single line.
    pipe.send_bytes(&[b'x'; 3 << 20]);
    pipe.send_bytes(b"\n");
    assert_plays::<D>(&mut pipe);
    // Long lines that are accepted: a game of 8,000 plies.
    pipe.send(&format!("position startpos moves {}", D::SHUFFLE.repeat(2_000)));
    legal_best::<D::Board>("startpos", &pipe.go("go depth 2"));
    for command in D::LONG {
        let lines = pipe.says(&command.replace("LONG", &"x".repeat(500_000)));
        assert!(lines.iter().all(|line| line.len() < 300), "an error quotes a little only: {command}");
    }
    assert_plays::<D>(&mut pipe);
}

/// Tens of thousands of lines, many more than a pipe holds.
fn every_command_of_a_flood_is_executed<D: Dialogue>() {
    let floods = sample(500, 10_000);
    let mut pipe = D::start();
    pipe.begin(&format!("{}\nposition startpos\ngo infinite", D::SMALL_HASH));
    let three = format!("position startpos moves {}\n{}\ngo depth 1\n", D::MOVE, D::NEW_GAME);
    pipe.send_bytes(three.repeat(floods).as_bytes());
    legal_best::<D::Board>("startpos", &pipe.answer());
    for _ in 0..floods {
        replay_in::<D::Board>("startpos", &[D::MOVE, &best(&pipe.answer())]);
    }
    assert_eq!(pipe.sync(), SILENCE);
    assert_plays::<D>(&mut pipe);
}

/// The program without arguments, and its input. Its own limits, of seconds, are a tenth.
fn spawn() -> (Child, impl Write) {
    let mut command = Command::new(own());
    let mut child = command
        .env("TABIYA_TIME_LIMIT_DIVISOR", "10")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.take().expect("a pipe");
    (child, input)
}

/// Whether the program exits by itself in time; it is killed otherwise.
fn leaves(mut child: Child, patience: Duration) -> bool {
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

/// When nobody reads it: while its input is still open, and while it finishes a search after the end of the input.
fn the_program_exits_when_its_output_is_closed<D: Dialogue>() {
    for go in D::LASTING {
        let (mut child, mut input) = spawn();
        drop(child.stdout.take());
        input.write_all(format!("{}\n{go}\n", D::HELLO[0]).as_bytes()).expect("the program reads");
        assert!(leaves(child, LEAVING), "{go:?} runs on without a reader");
        let (mut child, mut input) = spawn();
        input.write_all(format!("{go}\n").as_bytes()).expect("the program reads");
        drop(input);
        // The output is closed when there is nothing left to read.
        std::thread::sleep(Duration::from_millis(100));
        drop(child.stdout.take());
        assert!(leaves(child, LEAVING), "{go:?} is finished without a reader");
    }
}

#[test]
fn a_slow_reader_gets_all_output() {
    let (mut child, mut input) = spawn();
    input.write_all("uci\n".repeat(200).as_bytes()).expect("the program reads");
    // The search outlasts the half second after which the program leaves where nobody reads.
    input.write_all(b"go movetime 700\ngo depth 3 searchmoves a2a3\n").expect("it reads");
    drop(input);
    std::thread::sleep(Duration::from_millis(700));
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(leaves(child, LEAVING));
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("uciok"), count("bestmove ")), (200, 2));
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove a2a3")));
}
