//! The last ply by vectors: positions one ply above the leaves, collected and counted eight at a time.
//!
//! Called by the walk; owns all buffers of `batch_columns` and `checks`.

use super::batch_columns::{self, MoveQueue, Sums};
use super::checks::CheckQueues;
use super::walk::LastPly;
use crate::chess::board::movegen::ChessList;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::simd::{MOST_LANES, Vector};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::Us;
use crate::game::Columns;
use std::marker::PhantomData;

/// Eight positions at once.
#[derive(Clone, Copy)]
pub struct EightAtOnce<V: Vector>(pub V::Cpu);

/// What [`EightAtOnce`] collects.
pub struct Collected {
    batch: Batch,
    moves: MoveQueue,
    queues: CheckQueues,
    sums: Sums,
}

impl<V: Vector> LastPly for EightAtOnce<V> {
    type Memory = Collected;
    fn memory(self, root: &Position) -> Collected {
        Collected {
            batch: Batch::new(root),
            moves: MoveQueue::EMPTY,
            queues: CheckQueues::EMPTY,
            sums: Sums::new(),
        }
    }
    #[inline(always)]
    fn moves<U: Us, C: Cpu>(self, _cpu: C, pos: &Position, collected: &mut Collected) {
        collected.batch.push::<U>(pos);
        if collected.batch.is_full::<V>() {
            self.0.run(Drain::<U, V> { cpu: self.0, collected, us: PhantomData });
        }
    }
    #[inline(always)]
    fn moves_of_children<T: Us, C: Cpu>(
        self,
        _cpu: C,
        pos: &Position,
        moves: &ChessList,
        collected: &mut Collected,
    ) {
        let cpu = self.0;
        let parent = ParentLanes::<V>::new::<T>(cpu, pos);
        for group in moves.chunks(V::LANES) {
            let mut lanes = [Move::NONE; MOST_LANES];
            for (slot, &m) in lanes.iter_mut().zip(group) {
                *slot = m;
            }
            collected.batch.push_children::<T, V>(cpu, &parent, &lanes, group.len());
            if collected.batch.is_full::<V>() {
                cpu.run(Drain::<T::Them, V> { cpu, collected, us: PhantomData });
            }
        }
    }
    fn finish<U: Us, C: Cpu>(self, _cpu: C, mut collected: Collected) -> Columns {
        let cpu = self.0;
        cpu.run(Drain::<U, V> { cpu, collected: &mut collected, us: PhantomData });
        cpu.run(Flush::<U::Them, V> { cpu, collected: &mut collected, us: PhantomData });
        collected.sums.columns()
    }
}

/// Counting the moves of `U` in the positions collected, eight of them at most.
struct Drain<'a, U, V: Vector> {
    cpu: V::Cpu,
    collected: &'a mut Collected,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for Drain<'_, U, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Collected { batch, moves, queues, sums } = self.collected;
        if !batch.is_empty() {
            batch_columns::count::<U, V>(self.cpu, batch, moves, queues, sums);
            batch.advance::<V>();
        }
    }
}

/// Looking at the checks that are left; `U` has to answer them.
struct Flush<'a, U, V: Vector> {
    cpu: V::Cpu,
    collected: &'a mut Collected,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for Flush<'_, U, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Collected { queues, sums, .. } = self.collected;
        queues.flush::<U, V>(self.cpu, sums.found_mut());
    }
}
