//! Moves and counts of xiangqi against an independent walk, and what chess does not have.

use crate::common::walk;
use crate::common::xiangqi::random_positions;
use pretty_assertions::assert_eq;
use std::collections::BTreeSet;
use tabiya::game::{Kernel, Side};
use tabiya::xiangqi::{Position, Square};

#[test]
fn legal_moves_are_those_of_an_independent_walk() {
    for pos in random_positions(12, 6_000) {
        let (board, red) = walk::read(&pos.to_fen());
        let walked: BTreeSet<_> = walk::legal(&board, red).into_iter().collect();
        let point = |s: Square| (s.file(), s.rank());
        let found: BTreeSet<_> = pos.legal_moves().iter().map(|m| (point(m.from()), point(m.to()))).collect();
        assert_eq!(found, walked, "{pos:?}");
        assert_eq!(pos.in_check(), walk::in_check(&board, red), "{pos:?}");
        assert_eq!(pos.in_check(), !pos.checkers().is_empty(), "{pos:?}");
    }
}

/// The fast count of the last two plies, which makes only some of the moves, against making all of them.
#[test]
fn the_last_two_plies_are_counted_right() {
    for pos in random_positions(13, 40_000) {
        let replies = |m| pos.play_unchecked(m).count_legal();
        let slow: u64 = pos.legal_moves().into_iter().map(replies).sum();
        assert_eq!(pos.perft_by(2, Kernel::Scalar), slow, "{pos:?}");
        assert_eq!(pos.perft(2), slow, "{pos:?}");
    }
}

#[test]
fn counters() {
    let mut pos = Position::from_fen(Position::START_FEN).unwrap();
    for (text, halfmove, fullmove) in [("h2e2", 1, 1), ("h7e7", 2, 2), ("e2e6", 0, 2), ("d9e8", 1, 3)] {
        let m = pos.parse_move(text).unwrap();
        pos.make(m);
        assert_eq!((pos.halfmove_clock(), pos.fullmove_number()), (halfmove, fullmove));
    }
    let fourth = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    let mut pos = Position::from_fen(fourth).unwrap();
    assert!(pos.in_check() && pos.side() == Side::Second);
    pos.make(pos.parse_move("d9e8").unwrap());
}
