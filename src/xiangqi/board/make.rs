//! Playing moves.
//!
//! `make_as` is the board part, specialised by colour for the perft walk; [`Position::make`] adds the
//! counters. Called by everything that plays; moves must be legal, keys are `zobrist`'s.

use super::position::{MAX_COUNTER, Position};
use crate::game::Side;
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::{Move, MoveKind};
use crate::xiangqi::types::piece::{Black, Kind, Red, Us};
use crate::xiangqi::types::square::Square;

impl Position {
    /// The kind of piece that `m`, which must be legal here, moves.
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

    /// Plays the legal move `m` for `U`, who is to move; the counters are left alone.
    #[inline(always)]
    pub(in crate::xiangqi) fn make_as<U: Us>(&mut self, m: Move) {
        debug_assert!(self.side == U::SIDE);
        self.move_piece::<U>(self.moved_kind(m), m.from(), m.to());
    }

    /// Moves the piece of `U` and `kind` on `from` to `to`, takes what stands there and passes the turn.
    #[inline(always)]
    pub(in crate::xiangqi) fn move_piece<U: Us>(&mut self, kind: Kind, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        if self.sides[U::Them::SIDE.index()].meets(to) {
            for set in &mut self.kinds {
                *set &= !to;
            }
            self.sides[U::Them::SIDE.index()] &= !to;
        }
        self.kinds[kind.index()] ^= from | to;
        self.sides[U::SIDE.index()] ^= from | to;
        self.side = U::Them::SIDE;
    }

    /// Plays `m`, which must be legal here.
    #[inline]
    pub fn make(&mut self, m: Move) {
        self.halfmove = if self.is_capture(m) { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        match self.side {
            Side::First => self.make_as::<Red>(m),
            Side::Second => {
                self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
                self.make_as::<Black>(m);
            }
        }
    }

    /// Passes the move to the opponent. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        if self.side == Side::Second {
            self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
        }
        self.side = self.side.flip();
    }

    /// Whether the legal move `m` takes a piece.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.side_set(self.side.flip()).contains(m.to())
    }
}
