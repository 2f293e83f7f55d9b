//! What the two protocols ask for in the same words: how lines travel, the handshake, `isready`, `stop` and `quit`.

use crate::common::pipe::{LEAVING, PATIENCE, Pipe, SILENCE, legal_best, median, quickest};
use crate::protocol::dialogue::{Dialogue, for_both_protocols};
use std::time::{Duration, Instant};
use tabiya::game::Position;

for_both_protocols! {
    it_waits_in_silence_and_starts_fast_with_an_ordered_answer
    every_newline_is_understood
    isready_is_answered_at_once
    stop_is_answered_fast
    quit_at_any_time
}

const SHORT: Duration = Duration::from_millis(150);

fn it_waits_in_silence_and_starts_fast_with_an_ordered_answer<D: Dialogue>() {
    let started = Instant::now();
    let mut pipe = Pipe::start();
    assert_eq!(pipe.listen(SHORT), SILENCE, "nothing without a command");
    let [hello, ready] = D::HELLO;
    let (lines, time) = quickest(Duration::from_secs(1), || pipe.ask(hello, ready));
    assert!(time < Duration::from_secs(1), "{time:?} to {ready}");
    assert_eq!(pipe.listen(SHORT), SILENCE, "nothing after the answer");
    assert_eq!(lines.last().map(String::as_str), Some(ready));
    // All commands work at once, without `isready`; a second handshake gets the same answer.
    legal_best::<D::Board>(Position::<D::Board>::START_FEN, &pipe.go("position startpos\ngo depth 1"));
    assert_eq!(pipe.ask(hello, ready), lines);
    assert!(started.elapsed() < PATIENCE);
}

/// With blanks and tabs around a command. The answers come while stdin stays open.
fn every_newline_is_understood<D: Dialogue>() {
    let [hello, ready] = D::HELLO;
    for end in ["\n", "\r\n", "\r", "\n\r", "\n\n\n"] {
        let mut pipe = Pipe::start();
        pipe.send_bytes(format!(" {hello} {end}\tisready\t{end}").as_bytes());
        assert!(pipe.until(ready).len() > 4);
        assert_eq!(pipe.until("readyok"), ["readyok"], "{end:?}");
    }
}

fn isready_is_answered_at_once<D: Dialogue>() {
    let mut pipe = D::start();
    assert_eq!(pipe.sync(), SILENCE, "idle");
    pipe.begin(&format!("{}\nposition startpos\ngo infinite", D::threads(2)));
    let median = pipe.ready_time();
    assert!(median < Duration::from_millis(50), "median {median:?}, aim 50 ms");
    legal_best::<D::Board>(Position::<D::Board>::START_FEN, &pipe.go("stop"));
}

fn stop_is_answered_fast<D: Dialogue>() {
    let (mut pipe, mut times) = (D::start(), Vec::new());
    for threads in [1, 2] {
        pipe.send(&D::threads(threads));
        for fen in D::POSITIONS {
            for (go, wait) in D::ENDLESS.iter().flat_map(|go| [0, 10].map(|wait| (go, wait))) {
                pipe.send(&format!("position fen {fen}\n{go}"));
                std::thread::sleep(Duration::from_millis(wait));
                let stopped = Instant::now();
                let lines = pipe.go("stop");
                times.push(stopped.elapsed());
                if lines.last().is_some_and(|line| line != D::NO_MOVE) {
                    legal_best::<D::Board>(fen, &lines);
                }
                // In UCCI a `stop` that came too late has its own answer.
                let late = pipe.sync();
                let ended = late.len() <= 1 && late.iter().all(|line| line == "nobestmove");
                assert!(ended, "the analysis has ended: {go}: {late:?}");
            }
        }
    }
    let (middle, most) = (median(times.clone()), times.iter().max().copied().unwrap_or_default());
    println!("{} stops: median {middle:?}, most {most:?}", times.len());
    assert!(middle < Duration::from_secs(1) && most < LEAVING, "{middle:?} {most:?}");
}

/// While idle and while thinking: `quit`, the same after an unknown word, or the end of the input.
fn quit_at_any_time<D: Dialogue>() {
    let mut times = Vec::new();
    for command in ["", "position fen x"].iter().chain(D::ENDLESS) {
        for end in ["quit", "foo quit now", ""] {
            let mut pipe = D::start();
            pipe.send(command);
            if command.contains("go") {
                pipe.until("info");
            }
            let sent = Instant::now();
            if end.is_empty() {
                pipe.close();
            } else {
                pipe.send(end);
            }
            let status = pipe.ended(LEAVING).expect("exit at once");
            times.push(sent.elapsed());
            assert!(status.success(), "{command:?}: {status}");
            let lines = pipe.rest();
            let answers = lines.iter().filter(|line| line.contains("bestmove")).count();
            assert!(answers <= 1, "{lines:?}");
            if let Some(word) = D::FAREWELL {
                assert_eq!(lines.last().map(String::as_str), Some(word), "the last line");
            }
        }
    }
    let time = median(times);
    assert!(time < Duration::from_secs(1), "{time:?}");
}
