//! Counts two plies below each of many positions, for deep perft: one at a time, as the walk does.

use super::walk::{LastPlies as _, LastTwo, walk};
use crate::game::{BulkPerft2, Kernel, perft_one_by_one};
use crate::xiangqi::board::{Board, Position};
use crate::xiangqi::types::Move;

/// Counts two plies below positions of the tree of a root.
pub struct Bulk {
    root: Position,
    kernel: Kernel,
}

impl Bulk {
    fn count(&self, board: &Board) -> u32 {
        if self.kernel == Kernel::Scalar {
            return perft_one_by_one(&self.root.with_board(*board), 2) as u32;
        }
        let mut total = LastTwo::default();
        walk(board, LastTwo::PLIES, &mut total);
        total.0 as u32
    }
}

impl BulkPerft2<Board> for Bulk {
    type Count = u32;

    fn new(root: &Position, kernel: Kernel) -> Self {
        Bulk { root: *root, kernel }
    }
    fn add_children(&mut self, parent: &Board, moves: &[Move], first: usize, counts: &mut [u32]) {
        for (count, &m) in counts[first..].iter_mut().zip(moves) {
            let mut child = *parent;
            child.make(m);
            *count += self.count(&child);
        }
    }
    fn add(&mut self, board: &Board, place: usize, counts: &mut [u32]) {
        counts[place] += self.count(board);
    }
    fn flush(&mut self, _counts: &mut [u32]) {}
}
