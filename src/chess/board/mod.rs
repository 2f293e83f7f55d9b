//! The rules of chess. Here is [`Board`]: the pieces, whose turn it is and what else move generation needs, and how a
//! move changes it. The modules have attacks, legal moves, keys, notation and repetition.
//!
//! A board is all that perft copies. [`Position`] is a board with what a game and a search want to know besides.
//! Nothing here evaluates or searches.

pub mod attacks;
pub mod movegen;
pub mod notation;
#[cfg(feature = "perft")]
pub mod packed;
pub mod placement;
pub mod repetition;
mod san;
pub mod tables;
pub mod zobrist;

use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
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

/// A legal chess position; see [`game::Position`](crate::game::Position).
pub type Position = crate::game::Position<Board>;

const _: () = assert!(size_of::<Position>() == 128);

/// What a position of chess has besides its board and counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extra {
    /// Whether castling is written as "king takes rook".
    chess960: bool,
}

impl Board {
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
}

/// The squares of king and rook after castling with the rook on `rook`.
#[inline(always)]
pub(in crate::chess) fn castled(king: Square, rook: Square) -> (Square, Square) {
    if rook > king { (king.with_file(6), king.with_file(5)) } else { (king.with_file(2), king.with_file(3)) }
}

impl Board {
    /// Makes the legal move `m` of `U`, who is to move. `Keyed::key_after` says what that does to a position's key.
    #[inline(always)]
    pub(in crate::chess) fn make_as<U: Us>(&mut self, m: Move) {
        debug_assert!(self.side == U::SIDE);
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        self.en_passant = Bitboard::EMPTY;
        self.side = U::Them::SIDE;
        let code = usize::from(m.code());
        if code <= Kind::King.index() {
            self.capture::<U>(to);
            self.relocate::<U>(code, from | to);
            self.castling &= !(from | to);
            if code == Kind::King.index() {
                self.castling &= !U::BACK_RANK;
            }
            return;
        }
        if m.code() >= Move::FIRST_PROMOTION {
            self.capture::<U>(to);
            self.castling &= !to;
            self.relocate::<U>(Kind::Pawn.index(), from | to);
            self.kinds[Kind::Pawn.index()] ^= to;
            self.kinds[1 + (code & 3)] |= to;
        } else if m.is(MoveKind::DoublePush) {
            self.relocate::<U>(Kind::Pawn.index(), from | to);
            let passed = U::forward(from);
            let capturers = self.kinds[Kind::Pawn.index()] & self.sides[U::Them::SIDE.index()];
            if U::pawn_attacks(passed).meets(capturers) {
                self.en_passant = passed;
            }
        } else if m.is(MoveKind::EnPassant) {
            self.capture::<U>(U::Them::forward(to));
            self.relocate::<U>(Kind::Pawn.index(), from | to);
        } else {
            let (king, rook) = castled(m.from(), m.to());
            // The new squares may overlap the old ones, so both pieces are removed before they are placed.
            let (king, rook) = (Bitboard::of(king), Bitboard::of(rook));
            self.kinds[Kind::King.index()] ^= from ^ king;
            self.kinds[Kind::Rook.index()] ^= to ^ rook;
            self.sides[U::SIDE.index()] ^= from ^ to ^ king ^ rook;
            self.castling &= !U::BACK_RANK;
        }
    }

    /// Makes the legal move `m` of the side to move.
    #[inline]
    pub(in crate::chess) fn make(&mut self, m: Move) {
        match self.side {
            Side::First => self.make_as::<White>(m),
            Side::Second => self.make_as::<Black>(m),
        }
    }

    /// Removes the enemy piece on `square`, if there is one.
    #[inline(always)]
    fn capture<U: Us>(&mut self, square: Bitboard) {
        let enemies = &mut self.sides[U::Them::SIDE.index()];
        if enemies.meets(square) {
            *enemies ^= square;
            for set in &mut self.kinds {
                *set &= !square;
            }
        }
    }

    /// Moves a piece of `U` from one of the two `squares` to the other.
    #[inline(always)]
    fn relocate<U: Us>(&mut self, kind: usize, squares: Bitboard) {
        self.kinds[kind] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
    }

    /// Whether the legal move `m` captures, en passant included.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is(MoveKind::EnPassant) || self.side_set(self.side.flip()).contains(m.to())
    }
}
