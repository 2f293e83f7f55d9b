//! Castling in eight positions of one tree.
//!
//! King and rook of a castle stand where they stood at the root as long as the right to it is left, so each
//! castle needs the same squares in all positions, and a position only says which rooks still have the right.
//! Called by `walk` at the root, and by `eight`, `siege`, `offers` and `special`.

use crate::chess::board::make::castled;
use crate::chess::board::position::Position;
use crate::chess::board::tables;
use crate::chess::perft::simd::Vector;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Us;
use crate::game::Side;

/// One castle; all sets are empty if there is no right to it at the root.
#[derive(Clone, Copy, Default)]
pub struct Wing {
    /// The rook.
    rook: u64,
    /// Squares that must be empty, and squares that must not be attacked.
    path: u64,
    king_path: u64,
    /// Where the king and the rook go.
    pub king_to: u64,
    pub rook_to: u64,
}

/// The castles of a tree: by side, towards the a-file and towards the h-file.
pub struct Wings([[Wing; 2]; 2]);

impl Wings {
    /// The castles of the tree below `root`.
    pub fn of(root: &Position) -> Self {
        let mut wings = Wings([[Wing::default(); 2]; 2]);
        for side in Side::BOTH {
            let king = root.king(side);
            for rook in root.castling & root.side_set(side) {
                let (path, king_path) = tables::castling_paths(king, rook);
                let (king_to, rook_to) = castled(king, rook);
                wings.0[side.index()][usize::from(rook > king)] = Wing {
                    rook: Bitboard::of(rook).0,
                    path: path.0,
                    king_path: king_path.0,
                    king_to: Bitboard::of(king_to).0,
                    rook_to: Bitboard::of(rook_to).0,
                };
            }
        }
        wings
    }

    /// The castles of `T`.
    #[inline(always)]
    pub fn of_side<T: Us>(&self) -> &[Wing; 2] {
        &self.0[T::SIDE.index()]
    }

    /// The castles of `T` in eight positions where the rooks `castling`, of either side, have the right;
    /// `None` if nowhere.
    #[inline(always)]
    pub fn load<T: Us, V: Vector>(&self, cpu: V::Cpu, castling: V) -> Option<[Castle<V>; 2]> {
        let rooks = castling & V::splat(cpu, T::BACK_RANK.0);
        if rooks.nonzero() == 0 {
            return None;
        }
        let [a, h] = self.of_side::<T>();
        Some([a.load(cpu, rooks), h.load(cpu, rooks)])
    }
}

impl Wing {
    /// Where the rook comes from and goes; nothing if it stays.
    #[inline(always)]
    pub fn rook_trip(&self) -> u64 {
        self.rook ^ self.rook_to
    }

    #[inline(always)]
    fn load<V: Vector>(&self, cpu: V::Cpu, rooks: V) -> Castle<V> {
        Castle {
            rook: rooks & V::splat(cpu, self.rook),
            path: V::splat(cpu, self.path),
            king_path: V::splat(cpu, self.king_path),
        }
    }
}

/// One castle in eight positions.
#[derive(Clone, Copy)]
pub struct Castle<V> {
    /// The rook where it has the right, which must not be pinned.
    pub rook: V,
    /// Squares that must be empty, and squares that must not be attacked.
    pub path: V,
    pub king_path: V,
}

impl<V: Vector> Castle<V> {
    /// The rook where nothing speaks against castling: check is not looked at.
    #[inline(always)]
    pub fn ready(&self, occupied: V, danger: V, pinned: V) -> V {
        self.rook.where_zero(self.path & occupied | self.king_path & danger | self.rook & pinned)
    }
}
