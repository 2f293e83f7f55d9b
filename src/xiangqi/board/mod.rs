//! The rules of xiangqi. This file has [`Board`]: the pieces and whose turn it is.
//!
//! `game/position.rs` has the methods of a position, and `impl Rules for Board` in `xiangqi/mod.rs` says where the work
//! is done: `movegen.rs` lists moves, `make.rs` makes them, `fen.rs` reads FENs, which `placement.rs` checks.
//!
//! A board is all that perft copies. A [`Position`](crate::xiangqi::Position) is a board with what a game and a search
//! want to know besides. Nothing here evaluates or searches.

pub mod attacks;
pub(super) mod chinese;
pub mod fen;
pub mod make;
pub(super) mod move_limit;
pub mod movegen;
pub mod notation;
#[cfg(feature = "perft")]
pub mod packed;
pub mod placement;
pub mod repetition;
mod standing;
pub mod tables;
pub mod wxf;
pub mod zobrist;

use crate::game::Side;
use crate::xiangqi::types::{Bitboard, CheckCount, Kind, Move, MoveKind, Ruleset, Square};

/// The pieces and the side to move: a [`Position`](crate::xiangqi::Position) without counters, rules, key, checkers and
/// pins. Positions dereference to it.
///
/// The fourteen piece sets are stored as seven piece types and two sides, without a mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(in crate::xiangqi) kinds: [Bitboard; 7],
    pub(in crate::xiangqi) sides: [Bitboard; 2],
    pub(in crate::xiangqi) side: Side,
}

/// What a position of xiangqi has besides its board and counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extra {
    /// The number of Red's back rank in square names; only reading and writing moves uses it.
    first_rank: u8,
    ruleset: Ruleset,
    check_count: CheckCount,
}

impl Board {
    /// No pieces, Red to move.
    pub(super) const EMPTY: Board =
        Board { kinds: [Bitboard::EMPTY; 7], sides: [Bitboard::EMPTY; 2], side: Side::First };

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, side: Side, kind: Kind) {
        self.kinds[kind.index()].insert(square);
        self.sides[side.index()].insert(square);
    }

    /// The side to move.
    #[doc(alias = "side_to_move")]
    #[doc(alias = "turn")]
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// All pieces of a side.
    #[doc(alias = "colors")]
    #[inline(always)]
    pub const fn side_set(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// All pieces of a kind, of both sides.
    #[inline(always)]
    pub const fn kind_set(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of one side and kind.
    #[inline(always)]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.side_set(side) & self.kind_set(kind)
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The square of the king of `side`.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        Square::wrapping(self.pieces(side, Kind::King).0.trailing_zeros())
    }

    /// The piece on `square`.
    #[doc(alias = "piece_at")]
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<(Side, Kind)> {
        let kind = Kind::ALL.into_iter().find(|&k| self.kind_set(k).contains(square))?;
        let side = if self.sides[0].contains(square) { Side::First } else { Side::Second };
        Some((side, kind))
    }

    /// The kind of the piece that `m`, a legal move, moves.
    #[inline(always)]
    pub fn moved_kind(&self, m: Move) -> Kind {
        match m.kind() {
            MoveKind::Horse => Kind::Horse,
            MoveKind::Chariot => Kind::Chariot,
            MoveKind::Cannon => Kind::Cannon,
            MoveKind::Step => {
                let from = m.from();
                if self.kind_set(Kind::Soldier).contains(from) {
                    Kind::Soldier
                } else if self.kind_set(Kind::King).contains(from) {
                    Kind::King
                } else if self.kind_set(Kind::Advisor).contains(from) {
                    Kind::Advisor
                } else {
                    Kind::Elephant
                }
            }
        }
    }

    /// Whether the legal move `m` is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.side_set(self.side.flip()).contains(m.to())
    }
}
