//! The distinct positions of a ply in a standard map, with ways of 128 bits: slow and simple.
//!
//! For trees of few positions that are so deep that more sequences lead to one position than a record can hold, and the
//! reference that the frontier is tested against.

use crate::game::{Counting, Half, Kernel, PackedOf, Position, Side};
use crate::perft::PerftError;
use crate::perft::countable::Countable;
use std::collections::HashMap;

/// The positions of a ply, with `side` to move, and the number of sequences to each, which stops at 2¹²⁸ − 1.
pub struct WidePly<B: Counting> {
    root: Position<B>,
    side: Side,
    pub positions: HashMap<PackedOf<B>, u128>,
}

impl<B: Counting> WidePly<B> {
    /// The root alone.
    pub fn new(root: &Position<B>) -> Self {
        WidePly { root: *root, side: root.side(), positions: HashMap::from([(B::Half::pack(root), 1)]) }
    }

    /// A position of this ply.
    fn position(&self, packed: &PackedOf<B>) -> Position<B> {
        self.root.with_board(B::Half::unpack(packed, self.side))
    }

    /// The next ply.
    ///
    /// # Errors
    /// If it needs more than so many megabytes.
    pub fn next(&self, megabytes: usize) -> Result<Self, PerftError> {
        // With free places, and a copy while the map grows.
        const BYTES: usize = 3 * size_of::<(u128, u128, u128)>();
        let mut positions = HashMap::new();
        for (packed, &ways) in &self.positions {
            let pos = self.position(packed);
            for m in pos.legal_moves() {
                let mut child = pos;
                child.make(m);
                let sum: &mut u128 = positions.entry(B::Half::pack(&child)).or_default();
                *sum = sum.saturating_add(ways);
            }
            if positions.len().saturating_mul(BYTES) >> 20 > megabytes {
                return Err(PerftError::Memory { megabytes: 2 * megabytes });
            }
        }
        Ok(WidePly { root: self.root, side: self.side.flip(), positions })
    }

    /// The sum over the moves from this ply.
    pub fn count_moves<Q: Countable<B>>(&self, kernel: Kernel) -> Q {
        let mut total = Q::default();
        for (packed, &ways) in &self.positions {
            total.add(Q::count(&self.position(packed), 1, kernel).times(ways));
        }
        total
    }
}
