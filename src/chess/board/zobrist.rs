//! Zobrist keys: of 64 bits, which a position owns, from committed random numbers, and of 128 bits from any seed.
//!
//! The key after a move is computed from the key before it and the move, before the move is made. Plain perft never
//! uses keys.

use super::bare::{Board, castled};
use super::movegen;
use super::tables;
use crate::chess::types::{Bitboard, Kind, Move, MoveKind, Square};
use crate::game::Side;
use crate::game::zobrist::{RandomNumbers, WideNumbers, WidePieces, key_of_pieces};

/// The random numbers of chess: those for pieces and the side to move, and two more.
pub(in crate::chess) trait ChessNumbers: RandomNumbers<Kind, Square> {
    /// The number of the castling right of the rook on a square.
    fn castling(&self, rook: Square) -> Self::Word;
    /// The number of a legal en passant capture on the file of a square.
    fn en_passant(&self, square: Square) -> Self::Word;
}

/// The committed 64-bit numbers.
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

impl ChessNumbers for Zobrist {
    #[inline(always)]
    fn castling(&self, rook: Square) -> u64 {
        tables::castling_key(rook)
    }
    #[inline(always)]
    fn en_passant(&self, square: Square) -> u64 {
        tables::en_passant_key(square)
    }
}

/// 128-bit numbers from one seed.
pub struct WideKeys {
    pieces: WidePieces<6, 64>,
    castling: [u128; 64],
    en_passant: [u128; 8],
    side: u128,
}

impl WideKeys {
    /// The numbers for `seed`.
    pub fn new(seed: u64) -> Self {
        let numbers = &mut WideNumbers::new(seed);
        WideKeys {
            pieces: WidePieces::draw(numbers),
            castling: numbers.draw_all(),
            en_passant: numbers.draw_all(),
            side: numbers.draw(),
        }
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

impl ChessNumbers for WideKeys {
    #[inline(always)]
    fn castling(&self, rook: Square) -> u128 {
        self.castling[rook.index() & 63]
    }
    #[inline(always)]
    fn en_passant(&self, square: Square) -> u128 {
        self.en_passant[square.index() & 7]
    }
}

impl Board {
    /// The key by these random numbers, from scratch. The en passant file is included only if an en passant capture is
    /// legal, so that positions with the same legal moves have the same key.
    pub(in crate::chess) fn key_by<K: ChessNumbers>(&self, random: &K) -> K::Word {
        let pieces = |side, kind| self.pieces(side, kind);
        let mut key = key_of_pieces(random, self.side, &Kind::ALL, pieces);
        for rook in self.castling {
            key = key ^ random.castling(rook);
        }
        key ^ self.en_passant_part(random)
    }

    /// The key after the legal move `m`; `key` is the key of this board. Most moves only move a piece.
    #[inline(always)]
    pub(super) fn key_of_child(&self, key: u64, m: Move) -> u64 {
        let common = key ^ tables::side_key() ^ self.en_passant_part(&Zobrist);
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

    /// The same for a move that does more than move a piece; `common` is the part of the key that is the same after all
    /// moves.
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
            key ^= child.en_passant_part(&Zobrist);
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
    pub(super) fn en_passant_part<K: ChessNumbers>(&self, random: &K) -> K::Word {
        match self.en_passant() {
            Some(square) if movegen::has_legal_en_passant(self) => random.en_passant(square),
            _ => K::Word::default(),
        }
    }
}
