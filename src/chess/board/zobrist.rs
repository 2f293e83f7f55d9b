//! The Zobrist key beside the position.
//!
//! Keys are computed from (old key, move) before the move is made, for the contracts `Keyed` (64 bits, the
//! committed numbers) and `WideKeyed` (128 bits, any seed); never by plain perft.

use super::make::castled;
use super::movegen;
use super::position::Position;
use super::tables;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;
use crate::game::zobrist::{RandomNumbers, WideNumbers, WidePieces, key_of_pieces};

/// The random numbers of chess: those of the pieces and the turn, and two more.
pub(in crate::chess) trait ChessNumbers: RandomNumbers<Kind, Square> {
    /// For the castling right of the rook on a square.
    fn castling(&self, rook: Square) -> Self::Word;
    /// For a legal en passant capture on the file of a square.
    fn en_passant(&self, square: Square) -> Self::Word;
}

/// The committed 64-bit keys.
struct Zobrist;

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

/// 128-bit keys of one seed.
pub struct WideKeys {
    pieces: WidePieces<6, 64>,
    castling: [u128; 64],
    en_passant: [u128; 8],
    side: u128,
}

impl WideKeys {
    /// The keys of `seed`.
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

impl Position {
    /// The Zobrist key, from scratch.
    ///
    /// The en passant file counts only where such a capture is legal, so that positions with the same
    /// moves have the same key.
    pub fn key(&self) -> u64 {
        self.key_by(&Zobrist)
    }

    /// The key after the legal move `m`, from `key`, the key of this position.
    pub fn key_after(&self, key: u64, m: Move) -> u64 {
        self.key_after_by(&Zobrist, key, m)
    }

    /// The key after a null move.
    pub fn key_after_null(&self, key: u64) -> u64 {
        key ^ tables::side_key() ^ self.en_passant_part(&Zobrist)
    }

    /// [`Position::key`] from other random numbers.
    pub(in crate::chess) fn key_by<K: ChessNumbers>(&self, random: &K) -> K::Word {
        let pieces = |side, kind| self.pieces(side, kind);
        let mut key = key_of_pieces(random, self.side, &Kind::ALL, pieces);
        for rook in self.castling {
            key = key ^ random.castling(rook);
        }
        key ^ self.en_passant_part(random)
    }

    /// [`Position::key_after`] from other random numbers.
    #[inline]
    pub(in crate::chess) fn key_after_by<K: ChessNumbers>(
        &self,
        random: &K,
        key: K::Word,
        m: Move,
    ) -> K::Word {
        let (us, them) = (self.side, self.side.flip());
        let (from, to, piece) = (m.from(), m.to(), m.piece());
        let mut key = key ^ random.side() ^ self.en_passant_part(random);
        if m.is(MoveKind::Castle) {
            let (king, rook) = castled(from, to);
            key = key ^ random.piece(us, Kind::King, from) ^ random.piece(us, Kind::King, king);
            key = key ^ random.piece(us, Kind::Rook, to) ^ random.piece(us, Kind::Rook, rook);
        } else {
            let arriving = m.promotion().unwrap_or(piece);
            key = key ^ random.piece(us, piece, from) ^ random.piece(us, arriving, to);
            if m.is(MoveKind::EnPassant) {
                key = key ^ random.piece(them, Kind::Pawn, to.with_rank_of(from));
            } else if let Some((_, taken)) = self.piece_on(to) {
                key = key ^ random.piece(them, taken, to);
            }
        }
        let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
        if piece == Kind::King {
            lost |= self.castling & self.side_set(us);
        }
        for rook in lost {
            key = key ^ random.castling(rook);
        }
        if m.is(MoveKind::DoublePush) && self.has_hunter_beside(to) {
            let mut child = *self;
            child.make(m);
            key = key ^ child.en_passant_part(random);
        }
        key
    }

    /// The keys after all of `moves`, handed to `take` in their order: what depends on the position alone is
    /// done once, and most moves are a piece that goes somewhere else.
    #[inline(always)]
    pub(in crate::chess) fn keys_after_by<K: ChessNumbers>(
        &self,
        random: &K,
        key: K::Word,
        moves: &[Move],
        mut take: impl FnMut(K::Word),
    ) {
        let (us, them) = (self.side, self.side.flip());
        let passed = key ^ random.side() ^ self.en_passant_part(random);
        for &m in moves {
            let (from, to, piece) = (m.from(), m.to(), m.piece());
            let plain = usize::from(m.code()) <= Kind::King.index()
                || m.is(MoveKind::DoublePush) && !self.has_hunter_beside(to);
            if !plain {
                take(self.key_after_by(random, key, m));
                continue;
            }
            let mut key = passed ^ random.piece(us, piece, from) ^ random.piece(us, piece, to);
            if self.side_set(them).contains(to)
                && let Some((_, taken)) = self.piece_on(to)
            {
                key = key ^ random.piece(them, taken, to);
            }
            if !self.castling.is_empty() {
                let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
                if piece == Kind::King {
                    lost |= self.castling & self.side_set(us);
                }
                for rook in lost {
                    key = key ^ random.castling(rook);
                }
            }
            take(key);
        }
    }

    /// Whether an enemy pawn stands beside `square`, where a double step ends.
    fn has_hunter_beside(&self, square: Square) -> bool {
        let beside = tables::king(square) & Bitboard::rank(square.rank() as u32);
        beside.meets(self.pieces(self.side.flip(), Kind::Pawn))
    }

    /// What the en passant square adds to the key.
    #[inline]
    fn en_passant_part<K: ChessNumbers>(&self, random: &K) -> K::Word {
        match self.en_passant() {
            Some(square) if movegen::has_legal_en_passant(self) => random.en_passant(square),
            _ => K::Word::default(),
        }
    }
}
