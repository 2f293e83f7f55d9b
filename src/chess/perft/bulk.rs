//! Counts two plies below each of many positions, for deep perft.
//!
//! The counters are those of the plain walk, but every position has its own entry in an array of counts.

use crate::chess::board::packed::Half;
use crate::chess::board::{Board, Position};
use crate::chess::perft::collect::{Collector, Counts, Positions};
use crate::chess::perft::walk::count_one_by_one;
use crate::game::{BulkPerft2, Kernel, Run, Side};

/// Counts two plies below many positions of one tree.
pub struct Bulk {
    kernel: Kernel,
    /// The side to move in the waiting positions, and the root, flipped as they are.
    us: Side,
    root: Board,
    collector: Collector,
}

impl BulkPerft2<Board> for Bulk {
    type Count = u32;

    #[inline(always)]
    fn new(root: &Position, kernel: Kernel) -> Self {
        Bulk { kernel, us: Side::First, root: **root, collector: Collector::new(root, kernel) }
    }

    fn add(&mut self, run: &Run<'_, Half>, counts: &mut [u32]) {
        if self.kernel == Kernel::Scalar {
            for (place, board) in run.boards() {
                counts[place] += count_one_by_one(&board, 2) as u32;
            }
            return;
        }
        if run.side != self.us {
            self.us = run.side;
            self.root = self.root.flipped();
            self.collector = Collector::new(&self.root, self.kernel);
        }
        self.collector.add(Positions::Run(run), &mut Counts::Each(counts));
    }

    fn flush(&mut self, counts: &mut [u32]) {
        self.collector.add(Positions::Rest, &mut Counts::Each(counts));
    }
}
