//! Every count of the xiangqi suites up to a node limit; the rest with `--ignored`.

use crate::common::{check_counts, xiangqi_suites};
use tabiya::xiangqi::Position;

/// Checks every count of the suite `name` that is in `range`.
fn run(name: &str, range: std::ops::Range<u64>) {
    let mut entries = xiangqi_suites();
    entries.retain(|entry| entry.suite == name);
    let done = check_counts::<Position>(&entries, |count| range.contains(&count));
    assert!(done > 0, "no count of {name} is in range");
}

const LIMIT: u64 = 200_000_000;

#[test]
fn standard_positions() {
    run("standard", 0..LIMIT);
}

#[test]
fn tricky_positions() {
    run("tricky", 0..LIMIT);
}

#[test]
#[ignore = "billions of nodes"]
fn standard_positions_without_limit() {
    run("standard", LIMIT..u64::MAX);
}
