//! Runs every xiangqi suite up to a node limit, and the rest when asked (`--ignored`).

mod common;

use common::xiangqi::suite;
use tabiya::game::{Notation as _, Rules as _};
use tabiya::xiangqi::Position;

/// Counts every case of `name` whose count is in `range`; reports all mismatches at once.
fn run(name: &str, range: std::ops::Range<u64>) {
    let (mut wrong, mut done) = (Vec::new(), 0);
    for case in suite(name) {
        let pos = Position::from_fen(&case.fen).unwrap_or_else(|e| panic!("{}: {e}", case.place));
        for (depth, count) in case.counts.into_iter().filter(|(_, count)| range.contains(count)) {
            let got = pos.perft(depth);
            done += 1;
            if got != count {
                wrong.push(format!("{}: depth {depth}: {got} instead of {count}", case.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done > 0, "no count of {name} is in range");
}

const LIMIT: u64 = 200_000_000;

#[test]
fn standard_positions() {
    run("standard.epd", 0..LIMIT);
}

#[test]
fn tricky_positions() {
    run("tricky.epd", 0..LIMIT);
}

#[test]
#[ignore = "billions of nodes"]
fn standard_positions_without_limit() {
    run("standard.epd", LIMIT..u64::MAX);
}
