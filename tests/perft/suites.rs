//! Every count of every suite in `perft-suites` up to a node limit; the deeper ones with `--ignored`.
//!
//! `cargo test --release --test tabiya perft::suites:: -- --include-ignored` counts them all.

use crate::common::{by_build, check_counts, chess_suites, sample, xiangqi_suites};
use tabiya::chess;
use tabiya::xiangqi;

/// Nodes for one count in the normal run: of chess, of xiangqi.
fn limits() -> [u64; 2] {
    sample([by_build(10_000_000, 3_000_000), 20_000_000], [30_000_000, 200_000_000])
}

#[test]
fn suites_up_to_the_node_limit() {
    let entries = chess_suites();
    let counted = check_counts::<chess::Board>(&entries, |nodes| nodes <= limits()[0]);
    assert!(counted >= entries.len(), "only {counted} counts for {} positions", entries.len());
}

#[test]
fn suites_of_xiangqi_up_to_the_node_limit() {
    for name in ["standard", "tricky"] {
        let mut entries = xiangqi_suites();
        entries.retain(|entry| entry.suite == name);
        let counted = check_counts::<xiangqi::Board>(&entries, |nodes| nodes < limits()[1]);
        assert!(counted >= entries.len(), "only {counted} counts of {name}");
    }
}

#[test]
#[ignore = "minutes: the counts above the limit of the normal run"]
fn suites_above_the_node_limit() {
    check_counts::<chess::Board>(&chess_suites(), |nodes| nodes > limits()[0]);
    let mut entries = xiangqi_suites();
    entries.retain(|entry| entry.suite == "standard");
    check_counts::<xiangqi::Board>(&entries, |nodes| nodes >= limits()[1]);
}

/// Depth 0 is one sequence of no moves, whatever the position; mate and stalemate have none at any depth above.
#[test]
fn nothing_follows_mate_or_stalemate() {
    for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let pos = chess::Position::from_fen(fen).unwrap();
        for &kernel in chess::Position::kernels() {
            let counted = [0, 1, 2, 3, 4].map(|depth| pos.perft_by(depth, kernel));
            assert_eq!(counted, [1, 0, 0, 0, 0], "{fen}, {}", kernel.name());
            let columns = [0, 1, 2, 3].map(|depth| pos.statistics_by(depth, kernel).nodes);
            assert_eq!(columns, [1, 0, 0, 0], "{fen}, {}", kernel.name());
        }
    }
}
