//! Zobrist keys (Albert Zobrist, 1970), which a position owns.
//!
//! The key after a move is computed from the key before it and the move, before the move is made. Plain perft never
//! uses keys.

use super::movegen;
use super::tables;
use super::{Board, castled};
use crate::chess::types::{Bitboard, Kind, Move, MoveKind, Square};
use crate::game::{Keyed, Side};

impl Keyed for Board {
    /// The en passant file is included only if an en passant capture is legal, so that positions with the same legal
    /// moves have the same key.
    fn compute_key(&self) -> u64 {
        let mut key = if self.side == Side::Second { tables::side_key() } else { 0 };
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            for square in self.pieces(side, kind) {
                key ^= tables::piece_key(side, kind, square);
            }
        }
        for rook in self.castling {
            key ^= tables::castling_key(rook);
        }
        key ^ self.en_passant_part()
    }

    /// What `Board::make_as` does, seen by the key. Most moves only move a piece.
    #[inline(always)]
    fn key_after(&self, key: u64, m: Move) -> u64 {
        let common = key ^ tables::side_key() ^ self.en_passant_part();
        let (us, them) = (self.side, self.side.flip());
        let (from, to, piece) = (m.from(), m.to(), m.piece());
        let moves_a_piece =
            m.code() <= MoveKind::King as u16 || m.is(MoveKind::DoublePush) && !self.has_enemy_pawn_beside(to);
        let loses_a_right = self.castling.meets(Bitboard::of(from) | Bitboard::of(to))
            || piece == Kind::King && self.castling.meets(self.side_set(us));
        if !moves_a_piece || loses_a_right {
            return self.key_of_rare_child(common, m);
        }
        let key = common ^ tables::piece_key(us, piece, from) ^ tables::piece_key(us, piece, to);
        if self.side_set(them).contains(to) { key ^ tables::piece_key(them, self.kind_on(to), to) } else { key }
    }

    #[inline]
    fn key_after_null(&self, key: u64) -> u64 {
        key ^ tables::side_key() ^ self.en_passant_part()
    }
}

impl Board {
    /// The key after a move that does more than move a piece; `common` is the part of the key that is the same after
    /// all moves.
    #[cold]
    #[inline(never)]
    fn key_of_rare_child(&self, common: u64, m: Move) -> u64 {
        let (us, them) = (self.side, self.side.flip());
        let (from, to, piece) = (m.from(), m.to(), m.piece());
        let mut key = common;
        if m.is(MoveKind::Castle) {
            let (king, rook) = castled(from, to);
            key ^= tables::piece_key(us, Kind::King, from) ^ tables::piece_key(us, Kind::King, king);
            key ^= tables::piece_key(us, Kind::Rook, to) ^ tables::piece_key(us, Kind::Rook, rook);
        } else {
            let arriving = m.promotion().unwrap_or(piece);
            key ^= tables::piece_key(us, piece, from) ^ tables::piece_key(us, arriving, to);
            if m.is(MoveKind::EnPassant) {
                key ^= tables::piece_key(them, Kind::Pawn, to.with_rank_of(from));
            } else if self.side_set(them).contains(to) {
                key ^= tables::piece_key(them, self.kind_on(to), to);
            }
        }
        let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
        if piece == Kind::King {
            lost |= self.castling & self.side_set(us);
        }
        for rook in lost {
            key ^= tables::castling_key(rook);
        }
        if m.is(MoveKind::DoublePush) && self.has_enemy_pawn_beside(to) {
            let mut child = *self;
            child.make(m);
            key ^= child.en_passant_part();
        }
        key
    }

    /// Whether an enemy pawn is next to `square`, the target of a double step.
    pub(super) fn has_enemy_pawn_beside(&self, square: Square) -> bool {
        let beside = tables::king(square) & Bitboard::rank(square.rank());
        beside.meets(self.pieces(self.side.flip(), Kind::Pawn))
    }

    /// The contribution of the en passant square to the key.
    #[inline]
    fn en_passant_part(&self) -> u64 {
        match self.en_passant() {
            Some(square) if movegen::has_legal_en_passant(self) => tables::en_passant_key(square),
            _ => 0,
        }
    }
}
