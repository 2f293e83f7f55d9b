//! Races between the search and `stop`, `ponderhit`, `isready`, `probe`, `quit`: thousands of rounds with
//! random delays, and exactly one answer for every `go`.

use crate::pipe::{LEAVING, Pipe, dither};
use crate::ucci::{
    self, LOST, MATE_IN_ONE, MATED, START, check_dialogue, last, legal_best, quit, ucci,
    until_answer,
};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

/// Where the rounds begin; the last one has no move.
const POSITIONS: [&str; 4] = [START, MATE_IN_ONE, LOST, MATED];

#[test]
fn ten_thousand_stops_and_ponder_hits() {
    const ROUNDS: usize = 10_000;
    let begin = Instant::now();
    let mut pipe = ucci();
    let mut rng = SplitMix64::new(2026);
    let starts = [
        "go ponder time 50 increment 0",
        "go ponder time 5 movestogo 1",
        "go ponder time 60000 increment 0",
        "go ponder",
        "go infinite",
        "go ponder depth 1",
        "go",
        "go draw depth 1",
        "go nodes 30",
        "go time 1 increment 0",
        "go depth 0",
    ];
    let ends = [
        "stop",
        "ponderhit",
        "ponderhit draw",
        "ponderhit\nstop",
        "stop\nponderhit",
        "stop\nstop",
        "isready\nstop",
        "probe startpos\nstop",
    ];
    for round in 0..ROUNDS {
        let fen = POSITIONS[rng.below(POSITIONS.len())];
        let go = starts[rng.below(starts.len())];
        let mut end = ends[rng.below(ends.len())];
        if end.starts_with("ponderhit") && !go.contains("time 5") && !go.contains("time 1") {
            end = "ponderhit\nstop"; // a hit alone ends none of these soon
        }
        if rng.below(4) == 0 {
            // All at once: the `stop` is read before the search has begun.
            pipe.send(&format!("position fen {fen}\n{go}\n{end}"));
        } else {
            pipe.send(&format!("position fen {fen}\n{go}"));
            dither(&mut rng);
            pipe.send(end);
        }
        let lines = until_answer(&pipe);
        if last(&lines) != "nobestmove" {
            legal_best(fen, &lines);
        }
        // What else was asked for is answered; a `stop` that came late has its own answer.
        let ready = |lines: &[String]| lines.iter().filter(|line| *line == "readyok").count();
        let mut left = pipe.sync();
        while ready(&lines) + ready(&left) < usize::from(end.starts_with("isready")) {
            left.extend(pipe.until("readyok"));
        }
        let harmless = |line: &String| {
            ["readyok", "nobestmove"].contains(&line.as_str()) || line.starts_with("pophash")
        };
        assert!(left.iter().all(harmless), "round {round}, {go}, {end}: {left:?}");
    }
    check_dialogue(&pipe);
    println!("{ROUNDS} rounds in {:?}", begin.elapsed());
    quit(pipe);
}

#[test]
fn misplaced_commands_at_random_moments() {
    let mut pipe = ucci();
    let mut rng = SplitMix64::new(6);
    let misplaced = [
        "position startpos moves h2e2",
        "setoption hashsize 2",
        "setoption threads 2",
        "setoption threads 1",
        "setoption newgame",
        "setoption pruning none",
        "banmoves h2e2 h0g2",
        "ponderhit",
        "ponderhit draw",
        "isready",
        "probe startpos moves h2e2",
        "go depth 0",
        "ucci",
    ];
    for _ in 0..600 {
        pipe.send("position startpos");
        pipe.send(["go infinite", "go ponder", "go nodes 400", "go time 40"][rng.below(4)]);
        for _ in 0..rng.below(6) {
            dither(&mut rng);
            pipe.send(misplaced[rng.below(misplaced.len())]);
        }
        dither(&mut rng);
        pipe.send("stop");
        // Fails if there is no answer; which one depends on what came in time.
        until_answer(&pipe);
        pipe.sync();
    }
    // Alive, idle, and able to play.
    pipe.send("setoption newgame\nposition startpos");
    legal_best(START, &ucci::answer(&mut pipe, "go depth 2"));
}

#[test]
fn quitting_at_random_moments() {
    let mut rng = SplitMix64::new(10);
    for round in 0..60 {
        let mut pipe = Pipe::start();
        pipe.send("ucci");
        dither(&mut rng);
        let commands =
            ["isready", "go infinite", "go time 1", "go ponder", "setoption batch true\ngo time 1"];
        pipe.send(commands[rng.below(commands.len())]);
        dither(&mut rng);
        if rng.below(2) == 0 {
            pipe.send("quit")
        } else {
            pipe.close()
        }
        let status = pipe.ended(LEAVING);
        assert!(status.is_some_and(|s| s.success()), "round {round}: {status:?}");
        let lines = pipe.listen(Duration::from_millis(20));
        assert!(lines.contains(&"ucciok".to_string()), "round {round}: {lines:?}");
        assert_eq!(last(&lines), "bye", "round {round}: {lines:?}");
        let answers = lines.iter().filter(|line| line.contains("bestmove")).count();
        assert!(answers <= 1, "round {round}: {lines:?}");
    }
}
