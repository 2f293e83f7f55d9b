//! Counts two plies below each of many positions, for hashed perft.
//!
//! The counters are those of the plain walk, but every position has its own entry in an array of counts, so that the
//! caller can store each count in a hash table. This module uses no table and no keys.

use crate::chess::board::bare::Board;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu, Task};
use crate::chess::perft::collect::{Collector, Counts};
use crate::chess::perft::one_by_one::{deltas::Scratch, perft2};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::dispatch::{VectorTask, with_vectors};
use crate::chess::perft::two_ply::tally::EachLane;
use crate::chess::perft::walk::{ScalarLeaves, Start};
use crate::chess::types::Move;
use crate::game::{BulkPerft2, Kernel, Side};

/// Counts two plies below many positions of one tree.
pub struct Bulk {
    kernel: Kernel,
    /// The side to move in the counted positions, and the root, flipped as they are.
    us: Side,
    root: Board,
    collector: Collector,
    scratch: Scratch,
}

impl BulkPerft2<Position> for Bulk {
    #[inline(always)]
    fn new(root: &Position, kernel: Kernel) -> Self {
        let collector = Collector::new(root);
        Bulk { kernel, root: **root, us: Side::First, collector, scratch: Scratch::new() }
    }

    fn add_children(
        &mut self,
        parent: &Position,
        moves: &[Move],
        first: usize,
        counts: &mut [u32],
        before: &mut dyn FnMut(),
    ) {
        if moves.is_empty() {
            return;
        }
        let us = parent.side().flip();
        if us != self.us {
            self.us = us;
            self.root = self.root.flipped();
            self.collector = Collector::new(&self.root);
        }
        let children = Children { bulk: self, parent, moves, first, counts, before };
        // If this CPU cannot run the kernel, the portable one counts.
        with_vectors(children.bulk.kernel, children).unwrap_or_else(tables::dispatch_counts);
    }

    fn flush(&mut self, counts: &mut [u32]) {
        // Without vectors no positions are waiting.
        let _ = with_vectors(self.kernel, Flush { collector: &mut self.collector, counts });
    }
}

/// One count per position, indexed by place.
impl<V: Vector> Counts<V> for &mut [u32] {
    type Tally = EachLane;
    #[inline(always)]
    fn tally(&self, _cpu: V::Cpu) -> EachLane {
        EachLane::default()
    }
    #[inline(always)]
    fn add(&mut self, tally: EachLane, places: &[u32]) {
        for (&place, &count) in places.iter().zip(&tally.0) {
            self[place as usize] += count as u32;
        }
    }
}

/// Counts the positions that are waiting in lanes.
struct Flush<'a> {
    collector: &'a mut Collector,
    counts: &'a mut [u32],
}

impl VectorTask for Flush<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let Flush { collector, mut counts } = self;
        collector.flush::<V>(cpu, &mut counts);
    }
}

/// Moves of one position whose children are to be counted. The count of the first one goes to place `first`.
struct Children<'a> {
    bulk: &'a mut Bulk,
    parent: &'a Board,
    moves: &'a [Move],
    first: usize,
    counts: &'a mut [u32],
    before: &'a mut dyn FnMut(),
}

/// One child at a time.
impl Task for Children<'_> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Children { bulk, parent, moves, first, counts, before } = self;
        for (count, &m) in counts[first..].iter_mut().zip(moves) {
            let mut child = *parent;
            child.make(m);
            before();
            let nodes = match bulk.kernel {
                Kernel::Scalar => cpu.run(Start { pos: &child, depth: 2, leaves: ScalarLeaves }),
                _ if child.side() == Side::First => perft2(cpu, &child, &mut bulk.scratch),
                _ => perft2(cpu, &child.flipped(), &mut bulk.scratch),
            };
            *count += nodes as u32;
        }
    }
}

/// In lanes, together with children of other parents.
impl VectorTask for Children<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) {
        let Children { bulk, parent, moves, first, mut counts, before } = self;
        let collector = &mut bulk.collector;
        collector.add_children::<V>(cpu, parent, moves, first as u32, &mut counts, before);
    }
}
