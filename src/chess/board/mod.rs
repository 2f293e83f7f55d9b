//! The rules of chess. This file has [`Board`]: the pieces, whose turn it is and what else move generation needs.
//!
//! The methods that every position has are in `game/position.rs`. They ask `impl Rules for Board` in `chess/mod.rs`,
//! which names the function that does the work:
//!
//! | call | work |
//! |---|---|
//! | `Position::legal_moves`, `count_legal`, `is_legal` | `movegen.rs`: `generate` lists the moves of each kind of piece |
//! | `Position::make`; `play` asks `is_legal` first | `make.rs`: `make` for the position, `Board::make_as` for its board |
//! | `Position::from_fen` | `fen.rs`: `parse_fen`, which reads the pieces by `game/text/fen.rs`; `placement.rs`: `check` |
//! | `Position::parse_move`, `move_text` | `san.rs`, `notation.rs` |
//! | `Game::outcome` | `repetition.rs` |
//!
//! A board is all that the kernels of perft copy. A [`Position`](crate::chess::Position) is a board with what a game
//! and a search want to know besides. Nothing here evaluates or searches.

pub mod attacks;
pub mod fen;
pub mod make;
pub mod movegen;
pub mod notation;
#[cfg(feature = "perft")]
pub mod packed;
pub mod placement;
pub mod repetition;
pub mod san;
pub mod tables;
pub mod zobrist;

use crate::chess::types::{Bitboard, Kind, Move, MoveKind, Square};
use crate::game::Side;

/// The pieces, the side to move, castling rights and the en passant square: a [`Position`](crate::chess::Position)
/// without counters, key, checkers and pins. Positions dereference to it.
///
/// The twelve piece sets are stored as six kinds and two sides. There is no mailbox: moves contain their piece
/// ([`MoveKind`](crate::chess::MoveKind)), so the hot path never needs the piece on a square. All other code calls
/// [`Board::piece_on`], which looks at the sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(in crate::chess) kinds: [Bitboard; 6],
    pub(in crate::chess) sides: [Bitboard; 2],
    /// The rooks that may still castle.
    pub(in crate::chess) castling: Bitboard,
    /// The square behind a pawn that has just made a double step, if an enemy pawn attacks it.
    pub(in crate::chess) en_passant: Bitboard,
    pub(in crate::chess) side: Side,
}

const _: () = assert!(size_of::<Board>() == 88);

/// What a position of chess has besides its board and counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extra {
    /// Whether castling is written as "king takes rook".
    chess960: bool,
}

impl Board {
    /// No pieces, White to move.
    pub(super) const EMPTY: Board = Board {
        kinds: [Bitboard::EMPTY; 6],
        sides: [Bitboard::EMPTY; 2],
        castling: Bitboard::EMPTY,
        en_passant: Bitboard::EMPTY,
        side: Side::First,
    };

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

    /// The kind of the piece on `square`, which must not be empty. Branchless, unlike [`Board::piece_on`].
    #[inline(always)]
    pub(in crate::chess) fn kind_on(&self, square: Square) -> Kind {
        let index = (1..Kind::ALL.len()).map(|i| i * usize::from(self.kinds[i].contains(square))).sum::<usize>();
        Kind::ALL[index.min(Kind::ALL.len() - 1)]
    }

    /// The kind of the piece that `m`, a legal move, moves: the king for castling, the pawn for a promotion.
    ///
    /// ```
    /// use tabiya::chess::{Kind, Position};
    ///
    /// let start = Position::default();
    /// assert_eq!(start.moved_kind(start.parse_move("Nf3")?), Kind::Knight);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "piece")]
    #[inline(always)]
    pub const fn moved_kind(&self, m: Move) -> Kind {
        m.piece()
    }

    /// The rooks of both sides that may still castle.
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The en passant square, if a pawn of the side to move attacks it (even if that pawn is pinned).
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant.lowest()
    }

    /// The board flipped vertically with the colours swapped. It has the corresponding moves.
    #[cfg(feature = "perft")]
    pub(in crate::chess) fn flipped(&self) -> Board {
        let mut kinds = self.kinds;
        for set in &mut kinds {
            *set = set.flipped();
        }
        let [white, black] = self.sides;
        Board {
            kinds,
            sides: [black.flipped(), white.flipped()],
            castling: self.castling.flipped(),
            en_passant: self.en_passant.flipped(),
            side: self.side.flip(),
        }
    }

    /// The board itself if White is to move, otherwise flipped.
    #[cfg(feature = "perft")]
    pub(in crate::chess) fn with_white_to_move(&self) -> Board {
        if self.side == Side::First { *self } else { self.flipped() }
    }

    /// Whether the legal move `m` captures, en passant included.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is(MoveKind::EnPassant) || self.side_set(self.side.flip()).contains(m.to())
    }
}

/// The squares of king and rook after castling with the rook on `rook`.
#[inline(always)]
pub(in crate::chess) fn castled(king: Square, rook: Square) -> (Square, Square) {
    if rook > king { (king.with_file(6), king.with_file(5)) } else { (king.with_file(2), king.with_file(3)) }
}
