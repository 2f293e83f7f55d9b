//! Xiangqi counts against Fairy-Stockfish, where it is installed.
//!
//! Without the program the tests say so and pass, except where the environment variable `CI` is set.

mod common;

use common::xiangqi::{Fairy, random_positions, suite};
use tabiya::game::{Notation as _, Rules as _};
use tabiya::xiangqi::Position;

fn fairy() -> Option<Fairy> {
    let fairy = Fairy::start();
    if fairy.is_none() {
        assert!(std::env::var_os("CI").is_none(), "CI needs fairy-stockfish");
        eprintln!("SKIPPED: fairy-stockfish is not installed");
    }
    fairy
}

#[test]
fn suite_counts_are_those_of_the_other_program() {
    let Some(mut fairy) = fairy() else { return };
    for case in ["standard.epd", "tricky.epd"].into_iter().flat_map(suite) {
        for (depth, count) in case.counts.into_iter().filter(|&(_, count)| count < 5_000_000) {
            assert_eq!(fairy.perft(&case.fen, depth), count, "{} depth {depth}", case.place);
        }
    }
}

#[test]
fn random_positions_at_depth_3() {
    let Some(mut fairy) = fairy() else { return };
    for pos in random_positions(2_024, 2_400) {
        let fen = pos.to_fen();
        assert_eq!(pos.perft(3), fairy.perft(&fen, 3), "{fen}");
        // Written and read again, the position is the same, so both have counted this one.
        assert_eq!(Position::from_fen(&fen), Ok(pos));
    }
}
