//! Races between the search and `stop`, `ponderhit`, `isready`, `quit`: thousands of rounds with random
//! delays, and exactly one `bestmove` for every `go`.

use crate::pipe::{LEAVING, Pipe, best, dither, replay};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

#[test]
fn ten_thousand_stops_and_ponder_hits() {
    const ROUNDS: usize = 10_000;
    let begin = Instant::now();
    let mut pipe = Pipe::uci();
    let mut rng = SplitMix64::new(2024);
    let positions = [
        "startpos",
        "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "fen 7k/8/8/8/8/8/8/K5R1 b - - 0 1",
        "fen R6k/6pp/8/8/8/8/8/K7 b - - 0 1",
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ];
    let starts = [
        "go ponder",
        "go infinite",
        "go ponder wtime 50 btime 50",
        "go ponder depth 1",
        "go ponder movetime 1",
        "go ponder nodes 50",
        "go",
        "go depth 1",
        "go nodes 30",
        "go movetime 1",
    ];
    let ends =
        ["stop", "ponderhit", "ponderhit\nstop", "stop\nponderhit", "stop\nstop", "isready\nstop"];
    for round in 0..ROUNDS {
        let position = positions[rng.below(positions.len())];
        let go = starts[rng.below(starts.len())];
        let mut end = ends[rng.below(ends.len())];
        if end == "ponderhit" && ["go ponder", "go infinite", "go"].contains(&go) {
            end = "ponderhit\nstop"; // a hit alone does not end these
        }
        if rng.below(4) == 0 {
            // All at once: the `stop` is read before the search has begun.
            pipe.send(&format!("position {position}\n{go}\n{end}"));
        } else {
            pipe.send(&format!("position {position}\n{go}"));
            dither(&mut rng);
            pipe.send(end);
        }
        let lines = pipe.until("bestmove");
        let (text, fen) = (best(&lines), position.strip_prefix("fen ").unwrap_or(position));
        if text != "(none)" {
            replay(fen, &[&text]);
        }
        // Now and then prove that there was no second answer.
        if round % 16 == 0 {
            let left = pipe.sync();
            assert!(left.iter().all(|l| l == "readyok"), "round {round}, {go}, {end}: {left:?}");
        }
    }
    let left = pipe.sync();
    assert!(left.iter().all(|line| line == "readyok"), "{left:?}");
    pipe.check_dialogue();
    println!("{ROUNDS} rounds in {:?}", begin.elapsed());
    pipe.quit();
}

#[test]
fn misplaced_commands_at_random_moments() {
    let mut pipe = Pipe::uci();
    let mut rng = SplitMix64::new(5);
    let misplaced = [
        "position startpos moves d2d4",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
        "setoption name Clear Hash",
        "setoption name MultiPV value 2",
        "ucinewgame",
        "debug on",
        "debug off",
        "ponderhit",
        "isready",
        "register later",
    ];
    for _ in 0..600 {
        pipe.send("position startpos");
        pipe.send(["go infinite", "go ponder", "go nodes 400", "go movetime 2"][rng.below(4)]);
        for _ in 0..rng.below(6) {
            dither(&mut rng);
            pipe.send(misplaced[rng.below(misplaced.len())]);
        }
        dither(&mut rng);
        pipe.send("stop");
        let lines = pipe.until("bestmove");
        assert_ne!(best(&lines), "(none)");
    }
    pipe.sync();
    pipe.check_dialogue();
    pipe.quit();
}

#[test]
fn quitting_at_random_moments() {
    let mut rng = SplitMix64::new(9);
    for round in 0..60 {
        let mut pipe = Pipe::start();
        pipe.send("uci");
        dither(&mut rng);
        pipe.send(["isready", "go infinite", "go movetime 1", "go ponder"][rng.below(4)]);
        dither(&mut rng);
        if rng.below(2) == 0 {
            pipe.send("quit")
        } else {
            pipe.close()
        }
        let status = pipe.ended(LEAVING);
        assert!(status.is_some_and(|s| s.success()), "round {round}: {status:?}");
        let lines = pipe.listen(Duration::from_millis(20));
        assert!(lines.contains(&"uciok".to_string()), "round {round}: {lines:?}");
        assert!(lines.iter().filter(|l| l.starts_with("bestmove")).count() <= 1, "{lines:?}");
    }
}
