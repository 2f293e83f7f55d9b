//! Perft statistics: the columns of the last ply, counted from sets.
//!
//! Most columns are population counts of move sets one ply above the leaves. Captures, promotions and castling moves
//! are counted directly. Checks are moves to squares from which that kind of piece attacks their king, and moves of
//! pieces that block one of our sliders from their king. Only moves that give check, two or three in a hundred, are
//! made, to see whether there is a reply.
//!
//! `sets` counts one position, on any CPU, and `check` tests single moves for check. The tree walk is that of plain
//! perft. The simple, slow count is `game::columns_one_by_one`.

mod check;
mod sets;

use crate::base::cpu::{Cpu, Portable, Task as _};
use crate::chess::board::{Board, Position};
use crate::chess::perft::walk::{Leaves, Start};
use crate::game::{Columns, Kernel, columns_one_by_one};

/// The columns of all move sequences of exactly `depth` plies. Every kernel but the scalar one counts in the same way.
pub fn columns(pos: &Position, depth: u32, kernel: Kernel) -> Columns {
    if depth == 0 || kernel == Kernel::Scalar {
        return columns_one_by_one(pos, depth);
    }
    Start { pos, depth, leaves: OneByOne }.run(Portable)
}

/// Counts one position at a time with `sets`, on any CPU.
#[derive(Clone, Copy)]
pub struct OneByOne;

impl Leaves for OneByOne {
    const PLIES: u32 = 1;
    type Memory = Columns;
    type Output = Columns;
    #[inline(always)]
    fn start(self, _root: &Board) -> Columns {
        Columns::default()
    }
    #[inline(always)]
    fn count<C: Cpu>(self, _cpu: C, pos: &Board, columns: &mut Columns) {
        sets::count(pos, columns);
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, columns: &mut Columns) -> Columns {
        *columns
    }
}
