//! Castling in several positions of one tree.
//!
//! While a castling right is left, king and rook are on the squares they had at the root. So each castling move needs
//! the same squares in all positions, and a position only stores which rooks still have the right. `batch` builds the
//! table at the root; everything that counts castling reads it.

use crate::chess::board::Board;
use crate::chess::board::castled;
use crate::chess::board::tables;
use crate::chess::perft::simd::Vector;
use crate::chess::types::{Bitboard, Us};
use crate::game::Side;

/// The squares of one castling move. All sets are empty if the root does not have the right.
#[derive(Clone, Copy, Default)]
pub struct CastlingGeometry {
    /// The rook.
    rook: u64,
    /// Squares that must be empty, and squares that must not be attacked.
    must_be_empty: u64,
    must_be_safe: u64,
    /// The target squares of the king and the rook.
    pub king_to: u64,
    pub rook_to: u64,
}

/// The castling moves of a tree: by side, then towards the a-file and towards the h-file.
pub struct CastlingTable([[CastlingGeometry; 2]; 2]);

impl CastlingTable {
    /// The castling moves of the tree below `root`.
    pub fn of(root: &Board) -> Self {
        let mut castling_table = CastlingTable([[CastlingGeometry::default(); 2]; 2]);
        for side in Side::BOTH {
            let king = root.king(side);
            for rook in root.castling & root.side_set(side) {
                let (must_be_empty, must_be_safe) = tables::castling_paths(king, rook);
                let (king_to, rook_to) = castled(king, rook);
                castling_table.0[side.index()][usize::from(rook > king)] = CastlingGeometry {
                    rook: Bitboard::of(rook).0,
                    must_be_empty: must_be_empty.0,
                    must_be_safe: must_be_safe.0,
                    king_to: Bitboard::of(king_to).0,
                    rook_to: Bitboard::of(rook_to).0,
                };
            }
        }
        castling_table
    }

    /// The castling moves of `T`.
    #[inline(always)]
    pub fn of_side<T: Us>(&self) -> &[CastlingGeometry; 2] {
        &self.0[T::SIDE.index()]
    }

    /// The castling moves of `T` in several positions in which the rooks `castling`, of either side, have the right.
    /// `None` if there is no right in any of them.
    #[inline(always)]
    pub fn load<T: Us, V: Vector>(&self, cpu: V::Cpu, castling: V) -> Option<[CastlingLanes<V>; 2]> {
        let rooks = castling & V::splat(cpu, T::BACK_RANK.0);
        if rooks.nonzero() == 0 {
            return None;
        }
        let [a, h] = self.of_side::<T>();
        Some([a.load(cpu, rooks), h.load(cpu, rooks)])
    }
}

impl CastlingGeometry {
    /// The rook's origin and target, or nothing if it does not move.
    #[inline(always)]
    pub fn rook_from_to(&self) -> u64 {
        self.rook ^ self.rook_to
    }

    #[inline(always)]
    fn load<V: Vector>(&self, cpu: V::Cpu, rooks: V) -> CastlingLanes<V> {
        CastlingLanes {
            rook: rooks & V::splat(cpu, self.rook),
            must_be_empty: V::splat(cpu, self.must_be_empty),
            must_be_safe: V::splat(cpu, self.must_be_safe),
        }
    }
}

/// One castling move in several positions.
#[derive(Clone, Copy)]
pub struct CastlingLanes<V> {
    /// The rook, in lanes that have the right. It must not be pinned.
    pub rook: V,
    /// Squares that must be empty, and squares that must not be attacked.
    pub must_be_empty: V,
    pub must_be_safe: V,
}

impl<V: Vector> CastlingLanes<V> {
    /// The rook, in lanes where castling is possible. Does not test whether the king is in check.
    #[inline(always)]
    pub fn available(&self, occupied: V, danger: V, pinned: V) -> V {
        self.rook.keep_if_zero(self.must_be_empty & occupied | self.must_be_safe & danger | self.rook & pinned)
    }
}
