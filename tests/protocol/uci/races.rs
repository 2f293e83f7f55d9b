//! Races between the search and `stop`, `ponderhit`, `isready`, `quit`: thousands of rounds with random
//! delays, and exactly one `bestmove` for every `go`.

use super::Uci;
use crate::dialogue::{self, Dialogue, Race};

const RACE: Race = Race {
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
    ends: &["stop", "ponderhit", "ponderhit\nstop", "stop\nponderhit", "stop\nstop", "isready\nstop"],
    needs_stop: |go| ["go ponder", "go infinite", "go"].contains(&go),
    harmless: |_| false,
};

#[test]
fn thousands_of_stops_and_ponder_hits() {
    dialogue::stops_and_hits::<Uci>(2_500, 2024, &RACE);
}

/// `cargo test --release --test protocol -- --ignored uci::races::many_stops_and_ponder_hits`
#[test]
#[ignore = "minutes; run by .ci/nightly"]
fn many_stops_and_ponder_hits() {
    dialogue::stops_and_hits::<Uci>(20_000, 2024, &RACE);
}

#[test]
fn misplaced_commands_at_random_moments() {
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
    let gos = ["go infinite", "go ponder", "go nodes 400", "go movetime 2"];
    let pipe = dialogue::misplaced_commands::<Uci>(gos, &misplaced, 5);
    pipe.check_dialogue();
    pipe.quit();
}

#[test]
fn quitting_at_random_moments() {
    dialogue::quitting::<Uci>(&["isready", "go infinite", "go movetime 1", "go ponder"], 9);
}
