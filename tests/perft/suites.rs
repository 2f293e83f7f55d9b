//! Every count of every suite in `perft-suites` up to a node limit; the deeper ones with `--ignored`.
//!
//! `cargo test --release --test tabiya perft::suites:: -- --include-ignored` counts them all.

use crate::common::{by_build, check_counts, chess_suites, sample, xiangqi_suites};
use tabiya::chess::{self, Position};
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

/// The README's `perft 6`.
#[test]
fn initial_position_to_depth_six() {
    let start = Position::from_fen(Position::START_FEN).unwrap();
    let depth = by_build(6, 5);
    let known = [1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324];
    assert_eq!(start.perft(depth), known[depth as usize]);
}

/// Depth 0 is one sequence of no moves, whatever the position.
#[test]
fn depth_zero_is_one_node() {
    for fen in [Position::START_FEN, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1"] {
        let pos = Position::from_fen(fen).unwrap();
        assert_eq!(pos.perft(0), 1, "{fen}");
    }
}

/// Mate and stalemate: no leaves at any depth above 0.
#[test]
fn nothing_follows_mate_or_stalemate() {
    for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let pos = Position::from_fen(fen).unwrap();
        for depth in 1..6 {
            assert_eq!(pos.perft(depth), 0, "{fen} depth {depth}");
        }
    }
}

/// The largest number of legal moves known in any legal position.
#[test]
fn two_hundred_and_eighteen_moves() {
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let pos = Position::from_fen(fen).unwrap();
    assert_eq!((pos.perft(1), pos.perft(2)), (218, 99));
}
