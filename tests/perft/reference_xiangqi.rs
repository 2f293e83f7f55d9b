//! Xiangqi counts against Fairy-Stockfish, where it is installed.
//!
//! Without the program the tests say so and pass, except where the environment variable `CI` is set.

use crate::common::engine::Engine;
use crate::common::xiangqi::random_positions;
use crate::common::{skip_or_fail, xiangqi_suites};
use tabiya::game::Notation as _;
use tabiya::xiangqi::Position;

fn fairy(test: &str) -> Option<Engine> {
    let fairy = Engine::fairy_stockfish();
    if fairy.is_none() {
        skip_or_fail("Fairy-Stockfish", test);
    }
    fairy
}

#[test]
fn suite_counts_are_those_of_the_other_program() {
    let Some(mut fairy) = fairy("suite_counts_are_those_of_the_other_program") else { return };
    for entry in xiangqi_suites() {
        for (depth, count) in entry.within(5_000_000) {
            assert_eq!(fairy.perft(&entry.fen, false, depth), count, "{} D{depth}", entry.place());
        }
    }
}

#[test]
fn random_positions_at_depth_3() {
    let Some(mut fairy) = fairy("random_positions_at_depth_3") else { return };
    for pos in random_positions(2_024, 2_400) {
        let fen = pos.to_fen();
        assert_eq!(pos.perft(3), fairy.perft(&fen, false, 3), "{fen}");
        // Written and read again, the position is the same, so both have counted this one.
        assert_eq!(Position::from_fen(&fen), Ok(pos));
    }
}
