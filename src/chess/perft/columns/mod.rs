//! Perft statistics: the columns of the last ply, counted from sets.
//!
//! Most columns are population counts of move sets one ply above the leaves. Captures, promotions and castling moves
//! are counted directly. Checks are moves to squares from which that kind of piece attacks their king, and moves of
//! pieces that block one of our sliders from their king. Only moves that give check, two or three in a hundred, are
//! made, to see whether there is a reply.
//!
//! `sets` counts one position on any CPU, and `check` tests single moves for check. With vectors, `batch_columns`
//! counts several positions at once and `checks` tests several moves at once; `leaves` owns their buffers. The tree
//! walk is that of plain perft. The simple, slow count is `game::columns_one_by_one`. Called by `chess::contract`.

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

/// The columns of all move sequences of exactly `depth` plies, counted by `kernel`. If this CPU cannot run that
/// kernel, the portable one counts.
pub fn columns(pos: &Position, depth: u32, kernel: Kernel) -> Columns {
    if depth == 0 || kernel == Kernel::Scalar {
        return columns_one_by_one(pos, depth);
    }
    with_vectors(kernel, InVectors { pos, depth }).unwrap_or_else(|InVectors { pos, depth }| {
        tables::dispatch_popcnt(Start { pos, depth, leaves: OneByOne })
    })
}

/// The walk with a vector kernel.
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
