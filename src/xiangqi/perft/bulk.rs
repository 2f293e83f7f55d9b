//! Counts two plies below each of many positions, for deep perft: one at a time, as the walk does.

use super::walk::{Last, LastTwo};
use crate::base::cpu::{Cpu, Task, dispatch_wide};
use crate::game::position::side::by_side;
use crate::game::{BulkPerft2, Kernel, Run, perft_one_by_one};
use crate::xiangqi::board::packed::Half;
use crate::xiangqi::board::{Board, Position};
use crate::xiangqi::types::{Black, Red};
use std::marker::PhantomData;

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
        struct Add<'a, 'b>(&'a mut Bulk, &'a Run<'b, Half>, &'a mut [u32]);
        impl Task for Add<'_, '_> {
            type Output = ();
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) {
                let Add(Bulk { root, kernel }, run, counts) = self;
                for (place, board) in run.boards() {
                    counts[place] += if *kernel == Kernel::Scalar {
                        perft_one_by_one(&root.with_board(board), 2) as u32
                    } else {
                        let mut total = LastTwo::default();
                        by_side!(run.side, U = Red | Black => {
                            cpu.run(Last::<U, _> { pos: &board, last: &mut total, us: PhantomData });
                        });
                        total.0 as u32
                    };
                }
            }
        }
        dispatch_wide(Add(self, run, counts));
    }
    fn flush(&mut self, _counts: &mut [u32]) {}
}
