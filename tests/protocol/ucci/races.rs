//! Races between the search and `stop`, `ponderhit`, `isready`, `probe`, `quit`: thousands of rounds with
//! random delays, and exactly one answer for every `go`.

use super::Ucci;
use crate::dialogue::{self, Race};
use crate::ucci_pipe::{LOST, MATE_IN_ONE, MATED, START, answer, fen, legal_best};

const RACE: Race = Race {
    // The last one has no move.
    positions: &[START, MATE_IN_ONE, LOST, MATED],
    starts: &[
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
    ],
    ends: &[
        "stop",
        "ponderhit",
        "ponderhit draw",
        "ponderhit\nstop",
        "stop\nponderhit",
        "stop\nstop",
        "isready\nstop",
        "probe startpos\nstop",
    ],
    needs_stop: |go| !go.contains("time 5") && !go.contains("time 1"),
    // A `stop` that came too late has its own answer.
    harmless: |line| line == "nobestmove" || line.starts_with("pophash"),
};

#[test]
fn thousands_of_stops_and_ponder_hits() {
    dialogue::stops_and_hits::<Ucci>(2_500, 2026, &RACE);
}

/// `cargo test --release --test protocol -- --ignored ucci::races::many_stops_and_ponder_hits`
#[test]
#[ignore = "minutes; run by .ci/nightly"]
fn many_stops_and_ponder_hits() {
    dialogue::stops_and_hits::<Ucci>(20_000, 2026, &RACE);
}

#[test]
fn misplaced_commands_at_random_moments() {
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
    let gos = ["go infinite", "go ponder", "go nodes 400", "go time 40"];
    let mut pipe = dialogue::misplaced_commands::<Ucci>(gos, &misplaced, 6);
    // The program is alive, idle, and able to play: `d` runs after all queued commands.
    pipe.send("stop\nsetoption newgame\nposition startpos");
    assert_eq!(fen(&mut pipe), START);
    legal_best(START, &answer(&mut pipe, "go depth 2"));
}

#[test]
fn quitting_at_random_moments() {
    let commands = ["isready", "go infinite", "go time 1", "go ponder", "setoption batch true\ngo time 1"];
    dialogue::quitting::<Ucci>(&commands, 10);
}
