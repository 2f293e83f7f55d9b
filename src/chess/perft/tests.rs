//! Tests the vector counters on every backend, including one of eight plain words, against the scalar counter.
//!
//! Longer runs with the kernels of this CPU are in `tests/perft/counters.rs` and `tests/perft/statistics.rs`.

use crate::base::cpu::{Cpu, Portable};
use crate::base::rng::SplitMix64;
use crate::chess::board::Position;
use crate::chess::perft::collect::{Collector, VectorLeaves};
use crate::chess::perft::columns::columns;
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::tests::{Check, for_each_backend, for_each_position};
use crate::chess::perft::walk::{ScalarLeaves, Start};
use crate::chess::types::Move;
use crate::game::position::random_play;
use crate::game::{Kernel, Side, columns_one_by_one};

#[derive(Clone, Copy)]
struct Counters;

impl Check for Counters {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(3, |pos| {
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

/// Endings with every set of kinds of pieces, with pawns that promote, and with castling.
#[derive(Clone, Copy)]
struct Endings;

impl Check for Endings {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        let mut rng = SplitMix64::new(0x5eed_0108);
        let mut met = [0; 8];
        for fen in [
            "8/pp3k2/3p4/2pP2p1/2P3P1/1P1K4/P7/8 w - - 0 1",
            "8/1P3k2/8/2p5/2P5/3K4/p7/8 b - - 0 1",
            "8/4kpp1/2n1p2p/3pP3/3P1P2/3K1N1P/6P1/8 w - - 0 1",
            "8/4kbp1/4p2p/3pP3/3P1P2/3KB2P/6P1/8 w - - 0 1",
            "8/3b1pk1/2n3p1/7p/7P/3N2P1/3B1PK1/8 w - - 0 1",
            "8/5pk1/R5p1/7p/5P1P/r5P1/6K1/8 w - - 0 1",
            "r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1",
            "8/5pk1/2n3p1/r6p/7P/R2N2P1/5PK1/8 w - - 0 1",
            "8/5pk1/6p1/4q2p/7P/5QP1/5PK1/8 w - - 0 1",
            "8/3b1pk1/2n3p1/r6p/7P/R2N2P1/3B1PK1/8 w - - 0 1",
        ] {
            for pos in random_play::positions(Position::from_fen(fen).unwrap(), 30, &mut rng) {
                let mut batch = Batch::new(&pos);
                batch.push(&if pos.side() == Side::First { *pos } else { pos.flipped() }, 0);
                met[usize::from(batch.kinds::<V>(cpu))] += 1;
                let nodes = cpu.run(Start { pos: &pos, depth: 3, leaves: VectorLeaves::<V>(cpu) });
                let expected = Portable.run(Start { pos: &pos, depth: 3, leaves: ScalarLeaves });
                assert_eq!(nodes, expected, "{}", pos.to_fen());
            }
        }
        assert!(met.iter().all(|&positions| positions > 5), "{met:?}");
    }
}

#[test]
fn endings_with_any_kinds_of_pieces_are_counted_right() {
    for_each_backend(Endings);
}

#[test]
fn columns_are_right() {
    for_each_position(3, |pos| {
        for depth in [1, 2] {
            assert_eq!(columns(pos, depth, Kernel::Portable), columns_one_by_one(pos, depth), "{}", pos.to_fen());
        }
    });
}

#[derive(Clone, Copy)]
struct Bulk;

impl Bulk {
    fn compare<V: Vector>(cpu: V::Cpu, pos: &Position, moves: &[Move]) {
        let mut counts = vec![0u32; moves.len()];
        let root = if pos.side() == Side::First { pos.flipped() } else { **pos };
        let mut collector = Collector::new(&root);
        let places = &mut counts[..];
        collector.add_children::<V>(cpu, pos, moves, 0, &mut &mut *places);
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
        for_each_position(3, |pos| {
            let list = pos.legal_moves();
            Self::compare::<V>(cpu, pos, &list);
        });
    }
}

#[test]
fn each_position_has_its_own_count() {
    for_each_backend(Bulk);
}
