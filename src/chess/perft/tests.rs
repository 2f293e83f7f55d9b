//! Tests the vector counters on every backend, including one of eight plain words, against the scalar counter.
//!
//! Longer runs with the kernels of this CPU are in `tests/perft/counters.rs` and `tests/perft/statistics.rs`.

use crate::chess::board::Position;
use crate::chess::board::tables::{Cpu, Portable};
use crate::chess::perft::collect::{Collector, VectorLeaves};
use crate::chess::perft::columns::leaves::VectorColumns;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::tests::{Check, for_each_backend, for_each_position};
use crate::chess::perft::walk::{ScalarLeaves, Start};
use crate::chess::types::Move;
use crate::game::{Side, columns_one_by_one};

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

#[derive(Clone, Copy)]
struct Columns;

impl Check for Columns {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(3, |pos| {
            for depth in [1, 2] {
                let columns = cpu.run(Start { pos, depth, leaves: VectorColumns::<V>(cpu) });
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
