//! Xiangqi counts against Fairy-Stockfish.
//!
//! Without the program the tests print `SKIPPED` and pass, or fail where the environment variable `CI` is set.

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
fn suite_counts_match_fairy_stockfish() {
    let Some(mut fairy) = fairy("suite_counts_match_fairy_stockfish") else { return };
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
        // The FEN round trip gives the same position, so both programs counted the same one.
        assert_eq!(Position::from_fen(&fen), Ok(pos));
    }
}
