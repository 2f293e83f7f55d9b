//! The counters built on every backend, eight plain words among them, against one position at a time.
//!
//! Longer runs with the kernels of the CPU at hand: `tests/perft/counters.rs` and `tests/perft/statistics.rs`.

use crate::base::rng::SplitMix64;
use crate::chess::board::movegen::ChessList;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Portable};
use crate::chess::perft::collect::{Collector, VectorLeaves};
use crate::chess::perft::columns::leaves::InLanes;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::tests::{Check, for_each_backend};
use crate::chess::perft::walk::{ScalarLeaves, Start};
use crate::chess::types::moves::Move;
use crate::game::{Notation, Rules, Side, columns_one_by_one};

/// Calls `check` with positions on the way of random games: pins, checks, castles, promotions, en passant captures,
/// many queens, castling of any kind, both sides to move.
fn for_each_position(mut check: impl FnMut(&Position)) {
    let mut rng = SplitMix64::new(0x5eed_0107);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "2q1k1q1/1q4q1/8/3n4/3N4/8/Q4Q2/1Q2K2Q b - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    ] {
        for _ in 0..3 {
            let mut pos = Position::from_fen(fen).unwrap();
            for _ in 0..40 {
                check(&pos);
                let mut list = ChessList::new();
                pos.legal_moves(&mut list);
                if list.is_empty() {
                    break;
                }
                pos.make(list[rng.below(list.len())]);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Counters;

impl Check for Counters {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(|pos| {
            for depth in [2, 3] {
                let nodes = cpu.run(Start { pos, depth, leaves: VectorLeaves::<V>(cpu) });
                let expected = Portable.run(Start { pos, depth, leaves: ScalarLeaves });
                assert_eq!(nodes, expected, "{} at depth {depth}", pos.to_fen());
            }
        });
    }
}

#[test]
fn counters_of_every_backend_are_right() {
    for_each_backend(Counters);
}

#[derive(Clone, Copy)]
struct Columns;

impl Check for Columns {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(|pos| {
            for depth in [1, 2] {
                let columns = cpu.run(Start { pos, depth, leaves: InLanes::<V>(cpu) });
                assert_eq!(columns, columns_one_by_one(pos, depth), "{}", pos.to_fen());
            }
        });
    }
}

#[test]
fn columns_of_every_backend_are_right() {
    for_each_backend(Columns);
}

#[derive(Clone, Copy)]
struct Bulk;

impl Bulk {
    fn compare<V: Vector>(cpu: V::Cpu, pos: &Position, moves: &[Move]) {
        let mut counts = vec![0u32; moves.len()];
        let root = if pos.side() == Side::First { pos.turned() } else { *pos };
        let mut collector = Collector::new(&root);
        let places = &mut counts[..];
        collector.add_children::<V>(cpu, pos, moves, 0, &mut &mut *places, || ());
        collector.flush::<V>(cpu, &mut &mut *places);
        for (&m, &count) in moves.iter().zip(&counts) {
            let mut child = *pos;
            child.make(m);
            let expected = Portable.run(Start { pos: &child, depth: 2, leaves: ScalarLeaves });
            assert_eq!(u64::from(count), expected, "{}", child.to_fen());
        }
    }
}

impl Check for Bulk {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(|pos| {
            let mut list = ChessList::new();
            pos.legal_moves(&mut list);
            Self::compare::<V>(cpu, pos, &list);
        });
    }
}

#[test]
fn each_position_has_its_own_count() {
    for_each_backend(Bulk);
}
