//! The last two plies by vectors: positions are buffers, counted eight at a time, and what has to be made
//! is counted.
//!
//! Called by the walk; owns all buffers of the vector counter.

use crate::chess::board::movegen::ChessList;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::leaf_batch::LeafParents;
use crate::chess::perft::simd::{LANES, Vector};
use crate::chess::perft::two_ply;
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::made_moves::MadeMoves;
use crate::chess::perft::walk::LeafCounter;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::Us;
use std::marker::PhantomData;

/// Two plies at once in eight positions at once.
#[derive(Clone, Copy)]
pub struct VectorLeaves<V: Vector>(pub V::Cpu);

/// What [`VectorLeaves`] collects.
pub struct VectorBuffers {
    batch: Batch,
    made: MadeMoves,
    eight: LeafParents,
}

impl<V: Vector> LeafCounter for VectorLeaves<V> {
    const TWO_PLIES: bool = true;
    type Buffers = VectorBuffers;
    fn buffers(root: &Position) -> VectorBuffers {
        VectorBuffers { batch: Batch::new(root), made: MadeMoves::new(), eight: LeafParents::new() }
    }
    #[inline(always)]
    fn perft2<U: Us, C: Cpu>(self, _cpu: C, pos: &Position, buffers: &mut VectorBuffers) -> u64 {
        buffers.batch.push::<U>(pos);
        if buffers.batch.is_full() { self.drain::<U>(buffers) } else { 0 }
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
        for group in moves.chunks(LANES) {
            let mut eight = [Move::NONE; LANES];
            for (slot, &m) in eight.iter_mut().zip(group) {
                *slot = m;
            }
            buffers.batch.push_children::<T, V>(cpu, &parent, &eight, group.len());
            if buffers.batch.is_full() {
                nodes += self.drain::<T::Them>(buffers);
            }
        }
        nodes
    }
    #[inline(always)]
    fn flush<U: Us, C: Cpu>(self, _cpu: C, buffers: &mut VectorBuffers) -> u64 {
        let nodes = self.drain::<U>(buffers);
        nodes + self.0.run(DrainEight::<U::Them, V> { vectors: self, buffers, us: PhantomData })
    }
}

impl<V: Vector> VectorLeaves<V> {
    #[inline(always)]
    fn drain<U: Us>(self, buffers: &mut VectorBuffers) -> u64 {
        self.0.run(DrainPairs::<U, V> { vectors: self, buffers, us: PhantomData })
    }
}

/// Counting the positions two plies above the leaves that [`VectorLeaves`] has buffers.
struct DrainPairs<'a, U, V: Vector> {
    vectors: VectorLeaves<V>,
    buffers: &'a mut VectorBuffers,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for DrainPairs<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let VectorBuffers { batch, made, eight } = &mut *self.buffers;
        if batch.is_empty() {
            return 0;
        }
        let mut nodes = two_ply::count::<U, V>(self.vectors.0, batch, made);
        for &(lane, m) in &made.scalar {
            let mut child = batch.position::<U>(usize::from(lane));
            child.make_as::<U>(m);
            nodes += eight.push::<U::Them, C>(cpu, &child);
            if eight.is_full() {
                nodes += eight.drain::<U::Them, V>(self.vectors.0, &batch.castling_table);
            }
        }
        batch.advance();
        nodes
    }
}

/// Counting the positions one ply above the leaves that are left, `U` to move.
struct DrainEight<'a, U, V: Vector> {
    vectors: VectorLeaves<V>,
    buffers: &'a mut VectorBuffers,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for DrainEight<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> u64 {
        let VectorBuffers { batch, eight, .. } = self.buffers;
        eight.drain::<U, V>(self.vectors.0, &batch.castling_table)
    }
}
