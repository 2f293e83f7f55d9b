//! Zobrist keys (Albert Zobrist, 1970), which a position owns.
//!
//! The key after a move is computed from the key before it and the move, before the move is made. Plain perft computes
//! no keys.

use super::Board;
use super::tables;
use crate::game::{Keyed, Side};
use crate::xiangqi::types::{Kind, Move};

impl Keyed for Board {
    fn compute_key(&self) -> u64 {
        let mut key = if self.side == Side::Second { tables::side_key() } else { 0 };
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            for square in self.pieces(side, kind) {
                key ^= tables::piece_key(side, kind, square);
            }
        }
        key
    }

    #[inline]
    fn key_after(&self, key: u64, m: Move) -> u64 {
        let moved = |square| tables::piece_key(self.side, self.moved_kind(m), square);
        let key = key ^ tables::side_key() ^ moved(m.from()) ^ moved(m.to());
        if !self.is_capture(m) {
            return key;
        }
        let taken = self.piece_on(m.to());
        taken.map_or(key, |(side, kind)| key ^ tables::piece_key(side, kind, m.to()))
    }

    #[inline]
    fn key_after_null(&self, key: u64) -> u64 {
        key ^ tables::side_key()
    }
}
