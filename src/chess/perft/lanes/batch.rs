//! Positions collected until every lane of a vector is filled.
//!
//! The side to move is always White, as everywhere in perft (see `walk`), so "we" move up the board. `collect` fills
//! a batch with single positions or with the children of a node; `two_ply` reads it.

use crate::chess::board::Board;
use crate::chess::board::packed::Sets;
use crate::chess::perft::lanes::castling::CastlingTable;
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::side_sets::{BISHOPS, KNIGHTS, ROOKS, ROOM, SideBatch, SideSets, advance};
use crate::chess::perft::simd::{MOST_LANES, Vector, lane_mask, store_at};
use crate::chess::types::{Bitboard, Black, Move, Us, White};

/// Positions of one tree with White to move.
#[repr(C, align(64))]
pub struct Batch {
    pub ours: SideBatch,
    pub theirs: SideBatch,
    /// The rooks of both sides that may castle.
    pub castling: [u64; ROOM],
    /// The square behind a pawn that has just made a double step, if one of our pawns attacks it.
    pub en_passant: [u64; ROOM],
    pub castling_table: CastlingTable,
    /// The index of each position's count, for callers that count each position on its own.
    places: [u32; ROOM],
    len: usize,
    /// The root, flipped as all positions here are. It supplies what the lanes do not hold.
    root: Board,
}

impl Batch {
    /// An empty batch for positions of the tree below `root`, which is flipped as they are.
    #[inline(always)]
    pub fn new(root: &Board) -> Self {
        Batch {
            ours: SideBatch::EMPTY,
            theirs: SideBatch::EMPTY,
            castling: [0; ROOM],
            en_passant: [0; ROOM],
            castling_table: CastlingTable::of(root),
            places: [0; ROOM],
            len: 0,
            root: *root,
        }
    }

    /// Whether every lane is filled. There may be more positions.
    #[inline(always)]
    pub fn is_full<V: Vector>(&self) -> bool {
        self.len >= V::LANES
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes the positions of one vector, which have been counted.
    #[inline(always)]
    pub fn advance<V: Vector>(&mut self) {
        self.len = self.len.saturating_sub(V::LANES);
        if self.len != 0 {
            self.ours.advance::<V>();
            self.theirs.advance::<V>();
            advance::<V, _>(&mut self.castling);
            advance::<V, _>(&mut self.en_passant);
            advance::<V, _>(&mut self.places);
        }
    }

    /// The lanes in use, lane 0 in bit 0.
    #[inline(always)]
    pub fn active<V: Vector>(&self) -> u8 {
        lane_mask::<V>(self.len)
    }

    /// The kinds of pieces, besides kings and pawns, in any lane.
    #[inline(always)]
    pub fn kinds<V: Vector>(&self, cpu: V::Cpu) -> u8 {
        let (ours, theirs) = (self.ours.load::<V>(cpu), self.theirs.load::<V>(cpu));
        let knights = (ours.knights | theirs.knights).nonzero() != 0;
        let bishops = (ours.bishops | theirs.bishops).nonzero() != 0;
        let rooks = (ours.rooks | theirs.rooks).nonzero() != 0;
        (u8::from(knights) * KNIGHTS) | (u8::from(bishops) * BISHOPS) | (u8::from(rooks) * ROOKS)
    }

    /// The position in a lane, with White to move.
    #[inline(always)]
    pub fn position(&self, lane: usize) -> Board {
        let lane = lane & (ROOM - 1);
        let (ours, theirs) = (&self.ours, &self.theirs);
        let queens = ours.bishops[lane] & ours.rooks[lane] | theirs.bishops[lane] & theirs.rooks[lane];
        let mut pos = self.root;
        pos.kinds = [
            ours.pawns[lane] | theirs.pawns[lane],
            ours.knights[lane] | theirs.knights[lane],
            (ours.bishops[lane] | theirs.bishops[lane]) ^ queens,
            (ours.rooks[lane] | theirs.rooks[lane]) ^ queens,
            queens,
            ours.king[lane] | theirs.king[lane],
        ]
        .map(Bitboard);
        pos.sides = [ours.all(lane), theirs.all(lane)];
        pos.castling = Bitboard(self.castling[lane]);
        pos.en_passant = Bitboard(self.en_passant[lane]);
        pos.side = White::SIDE;
        pos
    }

    /// The places of the positions that are counted next.
    #[inline(always)]
    pub fn places<V: Vector>(&self) -> &[u32] {
        &self.places[..self.len.min(V::LANES)]
    }

    /// The place of a lane.
    #[inline(always)]
    pub fn place(&self, lane: usize) -> u32 {
        self.places[lane & (ROOM - 1)]
    }

    /// Adds a position with White to move. The batch must not be full.
    #[inline(always)]
    pub fn push(&mut self, pos: &Board, place: u32) {
        self.places[self.len & (ROOM - 1)] = place;
        self.write(self.len, pos);
        self.len += 1;
    }

    /// Writes our pieces into the lanes of the next positions, up to a whole vector of them.
    #[inline(always)]
    pub fn prepare<V: Vector>(&mut self, ours: &SideSets<V>) {
        self.ours.store(self.len & (MOST_LANES - 1), ours);
    }

    /// Adds a position in a lane that has our pieces, with our castling rooks and what Black has. The batch must not be
    /// full.
    #[inline(always)]
    pub fn push_half(&mut self, castling: u64, theirs: &Sets, place: u32) {
        let lane = self.len & (ROOM - 1);
        self.places[lane] = place;
        self.theirs.write(lane, theirs.kinds);
        self.castling[lane] = castling | theirs.castling;
        self.en_passant[lane] = White::forward(Bitboard(theirs.passed)).0;
        self.len += 1;
    }

    /// Adds the positions after each of `moves` in `parent`, at most one per lane. Their places start at `place`. The
    /// batch must not be full.
    #[inline(always)]
    pub fn push_children<V: Vector>(&mut self, cpu: V::Cpu, parent: &ParentLanes<V>, moves: &[Move], place: u32) {
        debug_assert!(!self.is_full::<V>() && moves.len() <= V::LANES);
        let at = self.len & (MOST_LANES - 1);
        let len = moves.len().min(V::LANES);
        let moves = &parent.flipped(moves);
        let children = parent.children(cpu, moves);
        self.ours.store(at, &children.ours);
        self.theirs.store(at, &children.theirs);
        store_at(children.castling, &mut self.castling, at);
        store_at(children.en_passant, &mut self.en_passant, at);
        for i in 0..V::LANES {
            self.places[at + i] = place + i as u32;
        }
        let mut scalar_lanes = children.scalar_lanes & lane_mask::<V>(len);
        while scalar_lanes != 0 {
            let i = scalar_lanes.trailing_zeros() as usize;
            scalar_lanes &= scalar_lanes - 1;
            let mut child = parent.position;
            child.make_as::<Black>(moves[i & (MOST_LANES - 1)]);
            self.write(at + i, &child);
        }
        self.len += len;
    }

    /// Writes a lane.
    #[inline(always)]
    fn write(&mut self, lane: usize, pos: &Board) {
        let lane = lane & (ROOM - 1);
        self.ours.set::<White>(lane, pos);
        self.theirs.set::<Black>(lane, pos);
        self.castling[lane] = pos.castling.0;
        self.en_passant[lane] = pos.en_passant.0;
    }
}
