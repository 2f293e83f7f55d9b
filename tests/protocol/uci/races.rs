//! Races between the search and `stop`, `ponderhit`, `isready`, `quit`: thousands of rounds with random
//! delays, and exactly one `bestmove` for every `go`.

use super::Uci;
use crate::dialogue::{self, Dialogue, Race};
use crate::pipe::{Pipe, best, dither};
use tabiya::base::rng::SplitMix64;

#[test]
fn ten_thousand_stops_and_ponder_hits() {
    let race = Race {
        // The last two have no move.
        positions: &[
            Uci::START,
            "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            "7k/8/8/8/8/8/8/K5R1 b - - 0 1",
            "R6k/6pp/8/8/8/8/8/K7 b - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ],
        starts: &[
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
        ],
        ends: &[
            "stop",
            "ponderhit",
            "ponderhit\nstop",
            "stop\nponderhit",
            "stop\nstop",
            "isready\nstop",
        ],
        needs_stop: |go| ["go ponder", "go infinite", "go"].contains(&go),
        harmless: |_| false,
    };
    dialogue::stops_and_hits::<Uci>(10_000, 2024, &race);
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
    dialogue::quitting::<Uci>(&["isready", "go infinite", "go movetime 1", "go ponder"], 9);
}
