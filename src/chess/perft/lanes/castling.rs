//! Castling in several positions of one tree.
//!
//! King and rook of a castle stand where they stood at the root as long as the right to it is left, so each
//! castle needs the same squares in all positions, and a position only says which rooks still have the right.
//! Called by `batch` at the root, and by whatever asks who may castle.

use crate::chess::board::make::castled;
use crate::chess::board::position::Position;
use crate::chess::board::tables;
use crate::chess::perft::simd::Vector;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Us;
use crate::game::Side;

/// One castle; all sets are empty if there is no right to it at the root.
#[derive(Clone, Copy, Default)]
pub struct CastlingGeometry {
    /// The rook.
    rook: u64,
    /// Squares that must be empty, and squares that must not be attacked.
    must_be_empty: u64,
    must_be_safe: u64,
    /// Where the king and the rook go.
    pub king_to: u64,
    pub rook_to: u64,
}

/// The castles of a tree: by side, towards the a-file and towards the h-file.
pub struct CastlingTable([[CastlingGeometry; 2]; 2]);

impl CastlingTable {
    /// The castles of the tree below `root`.
    pub fn of(root: &Position) -> Self {
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

    /// The castles of `T`.
    #[inline(always)]
    pub fn of_side<T: Us>(&self) -> &[CastlingGeometry; 2] {
        &self.0[T::SIDE.index()]
    }

    /// The castles of `T` in several positions where the rooks `castling`, of either side, have the right;
    /// `None` if nowhere.
    #[inline(always)]
    pub fn load<T: Us, V: Vector>(
        &self,
        cpu: V::Cpu,
        castling: V,
    ) -> Option<[CastlingLanes<V>; 2]> {
        let rooks = castling & V::splat(cpu, T::BACK_RANK.0);
        if rooks.nonzero() == 0 {
            return None;
        }
        let [a, h] = self.of_side::<T>();
        Some([a.load(cpu, rooks), h.load(cpu, rooks)])
    }
}

impl CastlingGeometry {
    /// Where the rook comes from and goes; nothing if it stays.
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

/// One castle in several positions.
#[derive(Clone, Copy)]
pub struct CastlingLanes<V> {
    /// The rook where it has the right, which must not be pinned.
    pub rook: V,
    /// Squares that must be empty, and squares that must not be attacked.
    pub must_be_empty: V,
    pub must_be_safe: V,
}

impl<V: Vector> CastlingLanes<V> {
    /// The rook where nothing speaks against castling: check is not looked at.
    #[inline(always)]
    pub fn available(&self, occupied: V, danger: V, pinned: V) -> V {
        self.rook.keep_if_zero(
            self.must_be_empty & occupied | self.must_be_safe & danger | self.rook & pinned,
        )
    }
}
