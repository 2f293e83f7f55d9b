//! Counts two plies below each of many positions, for deep perft: one at a time, as the walk does.

use super::portable::perft2;
use crate::game::{BulkPerft2, Kernel, Run, perft_one_by_one};
use crate::xiangqi::board::packed::Half;
use crate::xiangqi::board::{Board, Position};

/// Counts two plies below positions of the tree of a root.
pub struct Bulk {
    root: Position,
    kernel: Kernel,
}

impl BulkPerft2<Board> for Bulk {
    type Count = u32;

    fn new(root: &Position, kernel: Kernel) -> Self {
        Bulk { root: *root, kernel }
    }
    fn add(&mut self, run: &Run<'_, Half>, counts: &mut [u32]) {
        for (place, board) in run.boards() {
            counts[place] += if self.kernel == Kernel::Scalar {
                perft_one_by_one(&self.root.with_board(board), 2) as u32
            } else {
                perft2(&board) as u32
            };
        }
    }
    fn flush(&mut self, _counts: &mut [u32]) {}
}
