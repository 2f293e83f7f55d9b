//! `Board`: the pieces and whose turn it is, and making moves on it. All that move generation and perft need, and so
//! all that they copy.
//!
//! [`Position`](super::position::Position) is a board with what a game and a search want to know besides.

use crate::game::Side;
use crate::xiangqi::types::{Bitboard, Kind, Move, MoveKind, Square, Us};

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

crate::game::contract::board_contract!();

impl Board {
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

    /// Makes the legal move `m` for `U`, the side to move.
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
                *set -= to;
            }
            self.sides[U::Them::SIDE.index()] -= to;
        }
        self.kinds[kind.index()] ^= from | to;
        self.sides[U::SIDE.index()] ^= from | to;
        self.side = U::Them::SIDE;
    }

    /// Whether the legal move `m` is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.side_set(self.side.flip()).contains(m.to())
    }
}
