//! What a move does: to the board, and to the key, the clock, the checks and the pins of a position.
//!
//! `Board::make_as` changes the board alone, which is all that perft needs.

use super::Board;
use super::movegen::ChecksAndPins;
use super::tables;
use crate::game::{Position, Rules as _, Side};
use crate::xiangqi::types::{Bitboard, Black, Kind, Move, Red, Square, Us};

/// Makes a legal move. The counters have been increased already.
#[inline(always)]
pub(in crate::xiangqi) fn make(position: &mut Position<Board>, m: Move) {
    let (capture, in_check) = (position.is_capture(m), position.in_check());
    let board = &mut position.board;
    let (moved, checks_and_pins) = match board.side {
        Side::First => (board.make_as::<Red>(m), ChecksAndPins::of::<Black>(board)),
        Side::Second => (board.make_as::<Black>(m), ChecksAndPins::of::<Red>(board)),
    };
    position.key ^= moved ^ tables::side_key();
    position.checks_and_pins = checks_and_pins;
    if capture {
        position.halfmove = 0;
    }
    if position.ruleset().ten_checks {
        position.count_check(capture, in_check);
    }
}

/// Makes a null move.
#[inline]
pub(in crate::xiangqi) fn pass(position: &mut Position<Board>) {
    let board = &mut position.board;
    position.key ^= tables::side_key();
    board.side = board.side.flip();
    position.checks_and_pins = board.compute_checks_and_pins();
}

impl Board {
    /// Makes the legal move `m` for `U`, the side to move. Returns what that changes in the Zobrist keys of pieces.
    #[inline(always)]
    pub(in crate::xiangqi) fn make_as<U: Us>(&mut self, m: Move) -> u64 {
        debug_assert!(self.side == U::SIDE);
        self.move_piece::<U>(self.moved_kind(m), m.from(), m.to())
    }

    /// Moves `U`'s piece of type `kind`, removes a captured piece and switches the side to move. Returns what that
    /// changes in the keys of pieces. Perft makes no use of it, so the compiler leaves it out there.
    #[inline(always)]
    pub(in crate::xiangqi) fn move_piece<U: Us>(&mut self, kind: Kind, from: Square, to: Square) -> u64 {
        let mut changed = tables::piece_key(U::SIDE, kind, from) ^ tables::piece_key(U::SIDE, kind, to);
        let squares = Bitboard::of(from) | Bitboard::of(to);
        if self.sides[U::Them::SIDE.index()].contains(to) {
            changed ^= tables::piece_key(U::Them::SIDE, self.kind_on(to), to);
            for set in &mut self.kinds {
                *set -= Bitboard::of(to);
            }
            self.sides[U::Them::SIDE.index()] -= Bitboard::of(to);
        }
        self.kinds[kind.index()] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
        self.side = U::Them::SIDE;
        changed
    }

    /// The kind of the piece on `square`, which must not be empty. Branchless, unlike [`Board::piece_on`].
    #[inline(always)]
    fn kind_on(&self, square: Square) -> Kind {
        let index = (1..Kind::ALL.len()).map(|i| i * usize::from(self.kinds[i].contains(square))).sum::<usize>();
        Kind::ALL[index.min(Kind::ALL.len() - 1)]
    }
}
