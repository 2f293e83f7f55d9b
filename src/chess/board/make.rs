//! Making moves.
//!
//! `make_as` updates the board; it is specialised by colour for the perft walk. [`Position::make`] also updates the
//! counters. Moves must be legal. `zobrist` updates the keys.

use super::position::{MAX_COUNTER, Position};
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::Side;

/// The squares of king and rook after castling with the rook on `rook`.
#[inline(always)]
pub(in crate::chess) fn castled(king: Square, rook: Square) -> (Square, Square) {
    if rook > king { (king.with_file(6), king.with_file(5)) } else { (king.with_file(2), king.with_file(3)) }
}

impl Position {
    /// Makes the legal move `m` of `U`, who is to move. The counters do not change.
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

    /// Removes the enemy piece on `square`, if there is one.
    #[inline(always)]
    fn capture<U: Us>(&mut self, square: Bitboard) {
        for set in &mut self.kinds {
            *set &= !square;
        }
        self.sides[U::Them::SIDE.index()] &= !square;
    }

    /// Moves a piece of `U` from one of the two `squares` to the other.
    #[inline(always)]
    fn relocate<U: Us>(&mut self, kind: usize, squares: Bitboard) {
        self.kinds[kind] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
    }

    /// Makes `m`, which must be legal in this position.
    #[inline]
    pub fn make(&mut self, m: Move) {
        let resets = m.piece() == Kind::Pawn || self.is_capture(m);
        self.halfmove = if resets { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        match self.side {
            Side::First => self.make_as::<White>(m),
            Side::Second => {
                self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
                self.make_as::<Black>(m);
            }
        }
    }

    /// Makes a null move. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        if self.side == Side::Second {
            self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
        }
        self.en_passant = Bitboard::EMPTY;
        self.side = self.side.flip();
    }

    /// Whether the legal move `m` captures, en passant included.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is(MoveKind::EnPassant) || self.side_set(self.side.flip()).contains(m.to())
    }
}
