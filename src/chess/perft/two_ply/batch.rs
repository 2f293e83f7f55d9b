//! Positions two plies above the leaves, collected until there is one for each lane.
//!
//! Filled by `leaves`, one position at a time or several children of a node at once; read by every stage here.

use crate::chess::board::position::Position;
use crate::chess::perft::lanes::castling::CastlingTable;
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::side_sets::{ROOM, SideBatch, advance};
use crate::chess::perft::simd::{MOST_LANES, Vector, lane_mask, store_at};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::Us;

/// Positions with the same side to move, two plies above the leaves: as many as a vector has lanes are counted at
/// a time.
#[repr(C, align(64))]
pub struct Batch {
    pub ours: SideBatch,
    pub theirs: SideBatch,
    /// The rooks that may castle, of both sides.
    pub castling: [u64; ROOM],
    /// The square behind a pawn that has just made a double step, if a pawn of ours attacks it.
    pub en_passant: [u64; ROOM],
    pub castling_table: CastlingTable,
    len: usize,
    /// For what the lanes do not hold.
    any: Position,
}

impl Batch {
    /// Room for positions of the tree below `root`.
    pub fn new(root: &Position) -> Self {
        Batch {
            ours: SideBatch::EMPTY,
            theirs: SideBatch::EMPTY,
            castling: [0; ROOM],
            en_passant: [0; ROOM],
            castling_table: CastlingTable::of(root),
            len: 0,
            any: *root,
        }
    }

    /// Whether there is a position for each lane, and maybe more.
    #[inline(always)]
    pub fn is_full<V: Vector>(&self) -> bool {
        self.len >= V::LANES
    }

    /// How many positions wait to be counted.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the positions that have been counted.
    #[inline(always)]
    pub fn advance<V: Vector>(&mut self) {
        self.len = self.len.saturating_sub(V::LANES);
        if self.len != 0 {
            self.ours.advance::<V>();
            self.theirs.advance::<V>();
            advance::<V>(&mut self.castling);
            advance::<V>(&mut self.en_passant);
        }
    }

    /// The lanes in use, lane 0 in bit 0.
    #[inline(always)]
    pub fn active<V: Vector>(&self) -> u8 {
        lane_mask::<V>(self.len)
    }

    /// The position of a lane, where `U` is to move.
    #[inline(always)]
    pub fn position<U: Us>(&self, lane: usize) -> Position {
        let lane = lane & (ROOM - 1);
        let (ours, theirs) = (&self.ours, &self.theirs);
        let queens =
            ours.bishops[lane] & ours.rooks[lane] | theirs.bishops[lane] & theirs.rooks[lane];
        let mut pos = self.any;
        pos.kinds = [
            ours.pawns[lane] | theirs.pawns[lane],
            ours.knights[lane] | theirs.knights[lane],
            (ours.bishops[lane] | theirs.bishops[lane]) ^ queens,
            (ours.rooks[lane] | theirs.rooks[lane]) ^ queens,
            queens,
            ours.king[lane] | theirs.king[lane],
        ]
        .map(Bitboard);
        pos.sides[U::SIDE.index()] = ours.all(lane);
        pos.sides[U::Them::SIDE.index()] = theirs.all(lane);
        pos.castling = Bitboard(self.castling[lane]);
        pos.en_passant = Bitboard(self.en_passant[lane]);
        pos.side = U::SIDE;
        pos
    }

    /// Adds a position in which `U` is to move. There must be room.
    #[inline(always)]
    pub fn push<U: Us>(&mut self, pos: &Position) {
        assert!(self.len < MOST_LANES, "positions have to be counted first");
        self.write::<U>(self.len, pos);
        self.len += 1;
    }

    /// Adds the positions after the first `len` of `moves` of `parent`, of a vector's lanes at most. There must be
    /// room, so the batch must not be full.
    #[inline(always)]
    pub fn push_children<T: Us, V: Vector>(
        &mut self,
        cpu: V::Cpu,
        parent: &ParentLanes<V>,
        moves: &[Move; MOST_LANES],
        len: usize,
    ) {
        debug_assert!(!self.is_full::<V>());
        let at = self.len;
        let children = parent.children::<T>(cpu, moves);
        self.ours.store(at, &children.ours);
        self.theirs.store(at, &children.theirs);
        store_at(children.castling, &mut self.castling, at);
        store_at(children.en_passant, &mut self.en_passant, at);
        let mut scalar_lanes = children.scalar_lanes & lane_mask::<V>(len);
        while scalar_lanes != 0 {
            let i = scalar_lanes.trailing_zeros() as usize;
            scalar_lanes &= scalar_lanes - 1;
            let mut child = *parent.parent;
            child.make_as::<T>(moves[i & (MOST_LANES - 1)]);
            self.write::<T::Them>(at + i, &child);
        }
        self.len += len;
    }

    /// Writes a lane.
    #[inline(always)]
    fn write<U: Us>(&mut self, lane: usize, pos: &Position) {
        self.ours.set::<U>(lane, pos);
        self.theirs.set::<U::Them>(lane, pos);
        let lane = lane & (ROOM - 1);
        self.castling[lane] = pos.castling.0;
        self.en_passant[lane] = pos.en_passant.0;
    }
}
