//! Making moves.
//!
//! `make_as` updates the pieces, specialised by side for the perft walk; [`Position::make`] also updates the
//! counters. Moves must be legal. `zobrist` computes the keys.

use super::position::{MAX_COUNTER, Position};
use crate::game::Side;
use crate::xiangqi::types::{Bitboard, Black, Kind, Move, MoveKind, Red, Square, Us};

impl Position {
    /// The type of the piece moved by `m`, which must be legal here.
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

    /// Makes the legal move `m` for `U`, the side to move, without updating the counters.
    #[inline(always)]
    pub(in crate::xiangqi) fn make_as<U: Us>(&mut self, m: Move) {
        debug_assert!(self.side == U::SIDE);
        self.move_piece::<U>(self.moved_kind(m), m.from(), m.to());
    }

    /// Moves `U`'s piece of type `kind` from `from` to `to`, removes a captured piece and switches the side to move.
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

    /// Makes `m`, which must be legal here.
    #[inline]
    pub fn make(&mut self, m: Move) {
        let (capture, ten_checks) = (self.is_capture(m), self.ruleset.ten_checks);
        let reply = ten_checks && self.is_in_free_check();
        self.halfmove = if capture { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        match self.side {
            Side::First => self.make_as::<Red>(m),
            Side::Second => {
                self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
                self.make_as::<Black>(m);
            }
        }
        if ten_checks {
            self.count_check(capture, reply);
        }
    }

    /// Makes a null move. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        if self.side == Side::Second {
            self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
        }
        self.side = self.side.flip();
    }

    /// Whether the legal move `m` is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.side_set(self.side.flip()).contains(m.to())
    }
}
