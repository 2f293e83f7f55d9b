//! Perft statistics: the columns of the last ply, counted by sets.
//!
//! Most columns are population counts of sets of moves one ply above the leaves: captures, promotions and
//! castles directly, checks as moves to squares from which that kind of piece attacks their king, and as
//! moves of pieces that stand between a slider of ours and their king. Only moves that give check, two or
//! three in a hundred, are made, to see whether there is an answer.
//!
//! `sets` counts one position on any CPU, `check` looks at single moves that give check. With vectors
//! `batch_columns` counts several positions at once and `checks` looks at several checks at once; `leaves` owns
//! their buffers. The walk down the tree is the one of plain counting. The slow and obvious count is
//! `game::columns_one_by_one`. Called by `chess::contract`.

mod batch_columns;
mod check;
mod checks;
pub mod leaves;
mod sets;

use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Task};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::dispatch::{VectorTask, with_vectors};
use crate::chess::perft::walk::Start;
use crate::game::{Columns, Kernel, columns_one_by_one};
use leaves::{OneByOne, VectorColumns};

/// The columns of the sequences of exactly `depth` plies, counted by `kernel`, or by the portable one if this
/// CPU cannot run that.
pub fn columns(pos: &Position, depth: u32, kernel: Kernel) -> Columns {
    if depth == 0 || kernel == Kernel::Scalar {
        return columns_one_by_one(pos, depth);
    }
    with_vectors(kernel, InVectors { pos, depth }).unwrap_or_else(|InVectors { pos, depth }| {
        tables::dispatch_popcnt(Start { pos, depth, leaves: OneByOne })
    })
}

/// The walk with vectors.
struct InVectors<'a> {
    pos: &'a Position,
    depth: u32,
}

impl VectorTask for InVectors<'_> {
    type Output = Columns;
    #[inline(always)]
    fn run<V: Vector>(self, cpu: V::Cpu) -> Columns {
        let InVectors { pos, depth } = self;
        Start { pos, depth, leaves: VectorColumns::<V>(cpu) }.run(cpu)
    }
}
