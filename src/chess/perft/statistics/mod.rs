//! Perft statistics: the columns of the last ply, counted by sets.
//!
//! Most columns are population counts of sets of moves one ply above the leaves: captures, promotions and
//! castles directly, checks as moves to squares from which that kind of piece attacks their king, and as
//! moves of pieces that stand between a slider of ours and their king. Only moves that give check, two or
//! three in a hundred, are made, to see whether there is an answer.
//!
//! `sets` counts one position on any CPU, `check` looks at single moves that give check. With vectors
//! `batch_columns` counts eight positions at once and `checks` looks at eight checks at once; `leaves` owns
//! their buffers. `walk` goes down the tree. The slow and obvious count is `game::columns_one_by_one`. Called
//! by `chess::contract`.

mod batch_columns;
mod check;
mod checks;
mod leaves;
mod sets;
mod walk;

use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::dispatch::{VectorTask, with_vectors};
use crate::game::{Columns, Kernel, columns_one_by_one};

/// The columns of the sequences of exactly `depth` plies, counted by `kernel`, or by the portable one if this
/// CPU cannot run that.
pub fn columns(pos: &Position, depth: u32, kernel: Kernel) -> Columns {
    if depth == 0 || kernel == Kernel::Scalar {
        return columns_one_by_one(pos, depth);
    }
    with_vectors(kernel, InVectors { pos, depth }).unwrap_or_else(|InVectors { pos, depth }| {
        tables::dispatch(walk::Start { pos, depth, leaves: walk::OneByOne })
    })
}

/// The walk with vectors; their lanes are the positions one ply above the leaves, so at depth 1 there is one.
struct InVectors<'a> {
    pos: &'a Position,
    depth: u32,
}

impl VectorTask for InVectors<'_> {
    type Output = Columns;
    fn run<V: Vector>(self, cpu: V::Cpu) -> Columns {
        let InVectors { pos, depth } = self;
        if depth == 1 {
            return cpu.run(walk::Start { pos, depth, leaves: walk::OneByOne });
        }
        cpu.run(walk::Start { pos, depth, leaves: leaves::EightAtOnce::<V>(cpu) })
    }
}
