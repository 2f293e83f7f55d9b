//! Making moves and null moves in a position, which brings all that it owns up to date: counters, key, checks and pins.
//!
//! Moves must be legal. The board's part of it is `Board::make_as`.

use super::movegen::ChecksAndPins;
use super::position::{MAX_COUNTER, Position};
use super::tables;
use super::zobrist::Zobrist;
use crate::chess::types::{Bitboard, Black, Kind, Move, Us, White};
use crate::game::Side;

impl Position {
    /// Makes `m`, which must be legal in this position.
    #[inline]
    pub fn make(&mut self, m: Move) {
        match self.side() {
            Side::First => self.make_for::<White>(m),
            Side::Second => {
                self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
                self.make_for::<Black>(m);
            }
        }
    }

    #[inline(always)]
    fn make_for<U: Us>(&mut self, m: Move) {
        let resets = m.piece() == Kind::Pawn || self.is_capture(m);
        self.halfmove = if resets { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        self.key = self.key_after(m);
        self.board.make_as::<U>(m);
        self.pins = ChecksAndPins::of::<U::Them>(&self.board);
    }

    /// Makes a null move. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        if self.side() == Side::Second {
            self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
        }
        self.key = self.key_after_null();
        self.board.en_passant = Bitboard::EMPTY;
        self.board.side = self.side().flip();
        self.pins = ChecksAndPins::of_mover(&self.board);
    }

    /// The key after the legal move `m`, without making it.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        self.key_after_by(&Zobrist, self.key, m)
    }

    /// The key after a null move.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key ^ tables::side_key() ^ self.en_passant_part(&Zobrist)
    }
}
