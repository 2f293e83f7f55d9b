//! Collects the positions of the last ply of the walk and counts them in lanes.
//!
//! Owns all buffers of `batch_columns` and `checks`.

use super::batch_columns::{self, Sums};
use super::checks::CheckQueues;
use crate::base::cpu::{Cpu, Task};
use crate::chess::board::Board;
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::moves::MoveQueue;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::walk::Leaves;
use crate::chess::types::Move;
use crate::game::Columns;

/// Counts in lanes.
#[derive(Clone, Copy)]
pub struct VectorColumns<V: Vector>(pub V::Cpu);

/// The memory of [`VectorColumns`].
pub struct Collected {
    batch: Batch,
    moves: MoveQueue,
    queues: CheckQueues,
    sums: Sums,
}

impl<V: Vector> Leaves for VectorColumns<V> {
    const PLIES: u32 = 1;
    type Memory = Collected;
    type Output = Columns;
    #[inline(always)]
    fn start(self, root: &Board) -> Collected {
        Collected { batch: Batch::new(root), moves: MoveQueue::new(), queues: CheckQueues::EMPTY, sums: Sums::new() }
    }
    #[inline(always)]
    fn count<C: Cpu>(self, _cpu: C, pos: &Board, collected: &mut Collected) {
        collected.batch.push(pos, 0);
    }
    #[inline(always)]
    fn count_children<C: Cpu>(self, _cpu: C, pos: &Board, moves: &[Move], collected: &mut Collected) {
        let cpu = self.0;
        let parent = &ParentLanes::<V>::new(cpu, pos);
        for group in moves.chunks(V::LANES) {
            collected.batch.push_children(cpu, parent, group, 0);
            if collected.batch.is_full::<V>() {
                cpu.run(CountBatch::<V> { cpu, collected });
            }
        }
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, collected: &mut Collected) -> Columns {
        let cpu = self.0;
        if !collected.batch.is_empty() {
            cpu.run(CountBatch::<V> { cpu, collected });
        }
        let Collected { queues, sums, .. } = collected;
        queues.flush::<V>(cpu, sums.found_mut());
        sums.columns()
    }
}

/// Counts the moves in the positions of a batch.
struct CountBatch<'a, V: Vector> {
    cpu: V::Cpu,
    collected: &'a mut Collected,
}

impl<V: Vector> Task for CountBatch<'_, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Collected { batch, moves, queues, sums } = self.collected;
        batch_columns::count::<V>(self.cpu, batch, moves, queues, sums);
        batch.advance::<V>();
    }
}
