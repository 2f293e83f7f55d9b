//! Zobrist keys: of 64 bits, which a position owns, from committed random numbers, and of 128 bits from any seed.
//!
//! The key after a move is computed from the key before it and the move, before the move is made. Plain perft computes
//! no keys.

use super::bare::Board;
use super::tables;
use crate::game::Side;
use crate::game::zobrist::{RandomNumbers, WideNumbers, WidePieces, key_of_pieces};
use crate::xiangqi::types::{Kind, Move, Square};

/// The 64-bit keys of the committed tables.
pub(super) struct Zobrist;

impl RandomNumbers<Kind, Square> for Zobrist {
    type Word = u64;
    #[inline(always)]
    fn piece(&self, side: Side, kind: Kind, square: Square) -> u64 {
        tables::piece_key(side, kind, square)
    }
    #[inline(always)]
    fn side(&self) -> u64 {
        tables::side_key()
    }
}

/// The 128-bit keys of a seed.
pub struct WideKeys {
    pieces: WidePieces<7, 128>,
    side: u128,
}

impl WideKeys {
    /// Draws the keys of `seed`.
    pub fn new(seed: u64) -> Self {
        let numbers = &mut WideNumbers::new(seed);
        WideKeys { pieces: WidePieces::draw(numbers), side: numbers.draw() }
    }
}

impl RandomNumbers<Kind, Square> for WideKeys {
    type Word = u128;
    #[inline(always)]
    fn piece(&self, side: Side, kind: Kind, square: Square) -> u128 {
        self.pieces.of(side, kind.index(), square.index())
    }
    #[inline(always)]
    fn side(&self) -> u128 {
        self.side
    }
}

impl Board {
    /// The key by these random numbers, from scratch.
    pub(in crate::xiangqi) fn key_by<K: RandomNumbers<Kind, Square>>(&self, random: &K) -> K::Word {
        let pieces = |side, kind| self.pieces(side, kind);
        key_of_pieces(random, self.side, &Kind::ALL, pieces)
    }

    /// The key after the legal move `m`; `key` is the key of this board.
    #[inline]
    pub(super) fn key_of_child(&self, key: u64, m: Move) -> u64 {
        let moved = |square| tables::piece_key(self.side, self.moved_kind(m), square);
        let key = key ^ tables::side_key() ^ moved(m.from()) ^ moved(m.to());
        if !self.is_capture(m) {
            return key;
        }
        let taken = self.piece_on(m.to());
        taken.map_or(key, |(side, kind)| key ^ tables::piece_key(side, kind, m.to()))
    }
}
