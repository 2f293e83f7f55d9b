//! What a move does: to the board, and to the key, the clock, the checks and the pins of a position.
//!
//! `Board::make_as` changes the board alone, which is all that perft needs.

use super::movegen::ChecksAndPins;
use super::tables;
use super::zobrist::en_passant_key;
use super::{Board, castled};
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::{Position, Rules as _, Side};

/// Makes a legal move. The counters have been increased already.
#[inline(always)]
pub(in crate::chess) fn make(position: &mut Position<Board>, m: Move) {
    if m.piece() == Kind::Pawn || position.is_capture(m) {
        position.halfmove = 0;
    }
    let board = &mut position.board;
    let (rights, passed) = (board.castling, en_passant_key(board));
    let (moved, checks_and_pins) = match board.side {
        Side::First => (board.make_as::<White>(m), ChecksAndPins::of::<Black>(board)),
        Side::Second => (board.make_as::<Black>(m), ChecksAndPins::of::<White>(board)),
    };
    position.key ^= moved ^ tables::side_key() ^ passed ^ en_passant_key(board);
    for rook in rights ^ board.castling {
        position.key ^= tables::castling_key(rook);
    }
    position.checks_and_pins = checks_and_pins;
}

/// Makes a null move.
#[inline]
pub(in crate::chess) fn pass(position: &mut Position<Board>) {
    let board = &mut position.board;
    position.key ^= tables::side_key() ^ en_passant_key(board);
    board.en_passant = Bitboard::EMPTY;
    board.side = board.side.flip();
    position.checks_and_pins = board.compute_checks_and_pins();
}

impl Board {
    /// Makes the legal move `m` of `U`, who is to move. Returns what that changes in the Zobrist keys of pieces. Perft
    /// makes no use of it, so the compiler leaves it out there.
    #[inline(always)]
    pub(in crate::chess) fn make_as<U: Us>(&mut self, m: Move) -> u64 {
        debug_assert!(self.side == U::SIDE);
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        self.en_passant = Bitboard::EMPTY;
        self.side = U::Them::SIDE;
        if m.is_plain() {
            let captured = self.capture::<U>(m.to());
            let moved = self.relocate::<U>(m.piece(), m.from(), m.to());
            self.castling &= !(from | to);
            if m.is(MoveKind::King) {
                self.castling &= !U::BACK_RANK;
            }
            return captured ^ moved;
        }
        if let Some(promoted) = m.promotion() {
            let captured = self.capture::<U>(m.to());
            self.castling &= !to;
            let moved = self.relocate::<U>(Kind::Pawn, m.from(), m.to());
            self.kinds[Kind::Pawn.index()] ^= to;
            self.kinds[promoted.index()] |= to;
            let key = |kind| tables::piece_key(U::SIDE, kind, m.to());
            captured ^ moved ^ key(Kind::Pawn) ^ key(promoted)
        } else if m.is(MoveKind::DoublePush) {
            let passed = U::forward(from);
            let capturers = self.kinds[Kind::Pawn.index()] & self.sides[U::Them::SIDE.index()];
            if U::pawn_attacks(passed).meets(capturers) {
                self.en_passant = passed;
            }
            self.relocate::<U>(Kind::Pawn, m.from(), m.to())
        } else if m.is(MoveKind::EnPassant) {
            let captured = self.capture::<U>(m.to().with_rank_of(m.from()));
            captured ^ self.relocate::<U>(Kind::Pawn, m.from(), m.to())
        } else {
            let (king_to, rook_to) = castled(m.from(), m.to());
            // The new squares may overlap the old ones, so both pieces are removed before they are placed.
            let (king, rook) = (from ^ Bitboard::of(king_to), to ^ Bitboard::of(rook_to));
            self.kinds[Kind::King.index()] ^= king;
            self.kinds[Kind::Rook.index()] ^= rook;
            self.sides[U::SIDE.index()] ^= king ^ rook;
            self.castling &= !U::BACK_RANK;
            let king_key = |square| tables::piece_key(U::SIDE, Kind::King, square);
            let rook_key = |square| tables::piece_key(U::SIDE, Kind::Rook, square);
            king_key(m.from()) ^ king_key(king_to) ^ rook_key(m.to()) ^ rook_key(rook_to)
        }
    }

    /// Removes the enemy piece on `square`, if there is one. Returns its key.
    #[inline(always)]
    fn capture<U: Us>(&mut self, square: Square) -> u64 {
        let (side, set) = (U::Them::SIDE, Bitboard::of(square));
        if !self.sides[side.index()].meets(set) {
            return 0;
        }
        let key = tables::piece_key(side, self.kind_on(square), square);
        self.sides[side.index()] ^= set;
        for kind in &mut self.kinds {
            *kind &= !set;
        }
        key
    }

    /// Moves a piece of `U`. Returns the keys of both squares.
    #[inline(always)]
    fn relocate<U: Us>(&mut self, kind: Kind, from: Square, to: Square) -> u64 {
        let squares = Bitboard::of(from) | Bitboard::of(to);
        self.kinds[kind.index()] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
        tables::piece_key(U::SIDE, kind, from) ^ tables::piece_key(U::SIDE, kind, to)
    }
}
