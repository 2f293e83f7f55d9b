//! The leaf counter of the vector kernels: positions two plies above the leaves are collected in a batch, and
//! counted together as soon as there are eight.
//!
//! Called by `walk`; owns all buffers of the vector counter. Nothing here counts anything itself.

use crate::chess::board::movegen::ChessList;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::leaf_batch::LeafParents;
use crate::chess::perft::simd::{MOST_LANES, Vector};
use crate::chess::perft::two_ply;
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::made_moves::MadeMoves;
use crate::chess::perft::two_ply::tally::AllLanes;
use crate::chess::perft::walk::LeafCounter;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::Us;
use std::marker::PhantomData;

/// Two plies at once in eight positions at once.
#[derive(Clone, Copy)]
pub struct VectorLeaves<V: Vector>(pub V::Cpu);

/// What [`VectorLeaves`] collects.
pub struct VectorBuffers {
    pub batch: Batch,
    pub made: MadeMoves,
    pub leaf_parents: LeafParents,
}

impl VectorBuffers {
    /// For the tree below `root`.
    pub fn new(root: &Position) -> Self {
        VectorBuffers {
            batch: Batch::new(root),
            made: MadeMoves::new(),
            leaf_parents: LeafParents::new(),
        }
    }
}

impl<V: Vector> LeafCounter for VectorLeaves<V> {
    const TWO_PLIES: bool = true;
    type Buffers = VectorBuffers;
    fn buffers(root: &Position) -> VectorBuffers {
        VectorBuffers::new(root)
    }
    #[inline(always)]
    fn perft2<U: Us, C: Cpu>(self, _cpu: C, pos: &Position, buffers: &mut VectorBuffers) -> u64 {
        buffers.batch.push::<U>(pos);
        if buffers.batch.is_full::<V>() { self.count_batch::<U>(buffers) } else { 0 }
    }
    #[inline(always)]
    fn perft2_of_children<T: Us, C: Cpu>(
        self,
        _cpu: C,
        pos: &Position,
        moves: &ChessList,
        buffers: &mut VectorBuffers,
    ) -> u64 {
        let cpu = self.0;
        let parent = ParentLanes::<V>::new::<T>(cpu, pos);
        let mut nodes = 0;
        for group in moves.chunks(V::LANES) {
            let mut lanes = [Move::NONE; MOST_LANES];
            for (slot, &m) in lanes.iter_mut().zip(group) {
                *slot = m;
            }
            buffers.batch.push_children::<T, V>(cpu, &parent, &lanes, group.len());
            if buffers.batch.is_full::<V>() {
                nodes += self.count_batch::<T::Them>(buffers);
            }
        }
        nodes
    }
    #[inline(always)]
    fn flush<U: Us, C: Cpu>(self, _cpu: C, buffers: &mut VectorBuffers) -> u64 {
        let nodes = self.count_batch::<U>(buffers);
        nodes
            + self.0.run(CountLeafParents::<U::Them, V> { vectors: self, buffers, us: PhantomData })
    }
}

impl<V: Vector> VectorLeaves<V> {
    #[inline(always)]
    fn count_batch<U: Us>(self, buffers: &mut VectorBuffers) -> u64 {
        self.0.run(CountBatch::<U, V> { vectors: self, buffers, us: PhantomData })
    }
}

/// Counting the positions two plies above the leaves that [`VectorLeaves`] has collected.
struct CountBatch<'a, U, V: Vector> {
    vectors: VectorLeaves<V>,
    buffers: &'a mut VectorBuffers,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for CountBatch<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let VectorBuffers { batch, made, leaf_parents } = &mut *self.buffers;
        if batch.is_empty() {
            return 0;
        }
        let mut tally = AllLanes::new(self.vectors.0);
        two_ply::count::<U, V, _>(self.vectors.0, batch, made, &mut tally);
        let mut nodes = tally.sum();
        for &(lane, m) in &made.scalar {
            let mut child = batch.position::<U>(usize::from(lane));
            child.make_as::<U>(m);
            nodes += leaf_parents.push::<U::Them, C>(cpu, &child);
            if leaf_parents.is_full::<V>() {
                nodes += leaf_parents.flush::<U::Them, V>(self.vectors.0, &batch.castling_table);
            }
        }
        batch.advance::<V>();
        nodes
    }
}

/// Counting the positions one ply above the leaves that are left, `U` to move.
struct CountLeafParents<'a, U, V: Vector> {
    vectors: VectorLeaves<V>,
    buffers: &'a mut VectorBuffers,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for CountLeafParents<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> u64 {
        let VectorBuffers { batch, leaf_parents, .. } = self.buffers;
        leaf_parents.flush::<U, V>(self.vectors.0, &batch.castling_table)
    }
}
