//! Positions one ply above the leaves that were made one by one, collected until there are eight.
//!
//! En passant captures, which are rare, are counted when a position is added. Used by `two_ply::leaves` for
//! the few moves that are not made in lanes.

use crate::chess::board::movegen;
use crate::chess::board::position::Position;
use crate::chess::board::tables::Cpu;
use crate::chess::perft::lanes::castling::CastlingTable;
use crate::chess::perft::lanes::legal_count::count_legal;
use crate::chess::perft::lanes::side_sets::{ROOM, SideBatch};
use crate::chess::perft::simd::{Vector, lane_mask, load_at};
use crate::chess::types::piece::Us;
use crate::game::CountSink;

/// Up to eight positions with the same side to move.
#[repr(C, align(64))]
pub struct LeafParents {
    own: SideBatch,
    foe: SideBatch,
    /// The rooks that may castle.
    castling: [u64; ROOM],
    len: usize,
}

impl LeafParents {
    pub const fn new() -> Self {
        LeafParents { own: SideBatch::EMPTY, foe: SideBatch::EMPTY, castling: [0; ROOM], len: 0 }
    }

    #[inline(always)]
    pub fn is_full<V: Vector>(&self) -> bool {
        self.len == V::LANES
    }

    /// Adds a position in which `T` is to move, and returns the number of its en passant captures. There must
    /// be room.
    #[inline(always)]
    pub fn push<T: Us, C: Cpu>(&mut self, cpu: C, pos: &Position) -> u64 {
        let lane = self.len & (ROOM - 1);
        self.len += 1;
        self.own.set::<T>(lane, pos);
        self.foe.set::<T::Them>(lane, pos);
        self.castling[lane] = pos.castling.0;
        if pos.en_passant.is_empty() {
            return 0;
        }
        let mut captures = CountSink::default();
        let own = pos.side_set(T::SIDE);
        movegen::en_passant::<T, C, _>(pos, cpu, own, pos.king(T::SIDE), &mut captures);
        captures.0
    }

    /// How many positions there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of legal moves in all positions, en passant captures aside; then there are none.
    #[inline(always)]
    pub fn flush<T: Us, V: Vector>(&mut self, cpu: V::Cpu, castling_table: &CastlingTable) -> u64 {
        self.flush_each::<T, V>(cpu, castling_table).reduce_sum()
    }

    /// The same for each position, 0 in lanes that are not in use.
    #[inline(always)]
    pub fn flush_each<T: Us, V: Vector>(
        &mut self,
        cpu: V::Cpu,
        castling_table: &CastlingTable,
    ) -> V {
        let castles = castling_table.load::<T, V>(cpu, load_at(cpu, &self.castling, 0));
        let counts =
            count_legal::<T, V>(cpu, self.own.load(cpu), self.foe.load(cpu), castles.as_ref());
        let len = std::mem::take(&mut self.len);
        counts.mask_lanes(lane_mask::<V>(len))
    }
}
