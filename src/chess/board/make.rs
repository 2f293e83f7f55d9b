//! Playing moves, and the Zobrist key beside the position.
//!
//! `make_as` is the board part, specialised by colour for the perft walk; [`Position::make`] adds the
//! counters. Keys are computed from (old key, move) before the move is made, and never by plain perft.

use crate::base::rng::SplitMix64;
use crate::chess::board::movegen;
use crate::chess::board::position::{MAX_COUNTER, Position};
use crate::chess::board::tables;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Black, Kind, Us, White};
use crate::chess::types::square::Square;
use crate::game::Side;

/// Where king and rook stand after castling with the rook on `rook`.
#[inline(always)]
pub(in crate::chess) fn castled(king: Square, rook: Square) -> (Square, Square) {
    if rook > king {
        (king.with_file(6), king.with_file(5))
    } else {
        (king.with_file(2), king.with_file(3))
    }
}

/// Random numbers that a key is made from by exclusive or.
pub(in crate::chess) trait RandomNumbers {
    /// The type of a key.
    type Word: Copy + Default + std::ops::BitXor<Output = Self::Word>;
    /// For a piece on a square.
    fn piece(&self, side: Side, kind: Kind, square: Square) -> Self::Word;
    /// For the castling right of the rook on a square.
    fn castling(&self, rook: Square) -> Self::Word;
    /// For a legal en passant capture on the file of a square.
    fn en_passant(&self, square: Square) -> Self::Word;
    /// For Black being to move.
    fn side(&self) -> Self::Word;
}

/// The committed 64-bit keys.
struct Zobrist;

impl RandomNumbers for Zobrist {
    type Word = u64;
    #[inline(always)]
    fn piece(&self, side: Side, kind: Kind, square: Square) -> u64 {
        tables::piece_key(side, kind, square)
    }
    #[inline(always)]
    fn castling(&self, rook: Square) -> u64 {
        tables::castling_key(rook)
    }
    #[inline(always)]
    fn en_passant(&self, square: Square) -> u64 {
        tables::en_passant_key(square)
    }
    #[inline(always)]
    fn side(&self) -> u64 {
        tables::side_key()
    }
}

/// 128-bit keys of one seed.
pub struct WideKeys {
    pieces: [[[u128; 64]; 6]; 2],
    castling: [u128; 64],
    en_passant: [u128; 8],
    side: u128,
}

impl WideKeys {
    /// The keys of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut next = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        WideKeys {
            pieces: std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| next()))
            }),
            castling: std::array::from_fn(|_| next()),
            en_passant: std::array::from_fn(|_| next()),
            side: next(),
        }
    }
}

impl RandomNumbers for WideKeys {
    type Word = u128;
    #[inline(always)]
    fn piece(&self, side: Side, kind: Kind, square: Square) -> u128 {
        self.pieces[side.index()][kind.index()][square.index() & 63]
    }
    #[inline(always)]
    fn castling(&self, rook: Square) -> u128 {
        self.castling[rook.index() & 63]
    }
    #[inline(always)]
    fn en_passant(&self, square: Square) -> u128 {
        self.en_passant[square.index() & 7]
    }
    #[inline(always)]
    fn side(&self) -> u128 {
        self.side
    }
}

impl Position {
    /// Plays the legal move `m` for `U`, who is to move; the counters are left alone.
    #[inline(always)]
    pub(in crate::chess) fn make_as<U: Us>(&mut self, m: Move) {
        debug_assert!(self.side == U::SIDE);
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        self.en_passant = Bitboard::EMPTY;
        self.side = U::Them::SIDE;
        let code = usize::from(m.code());
        if code <= Kind::King.index() {
            self.capture::<U>(to);
            self.relocate::<U>(code, from | to);
            self.castling &= !(from | to);
            if code == Kind::King.index() {
                self.castling &= !U::BACK_RANK;
            }
            return;
        }
        if m.code() >= Move::FIRST_PROMOTION {
            self.capture::<U>(to);
            self.castling &= !to;
            self.relocate::<U>(Kind::Pawn.index(), from | to);
            self.kinds[Kind::Pawn.index()] ^= to;
            self.kinds[1 + (code & 3)] |= to;
        } else if m.is(MoveKind::DoublePush) {
            self.relocate::<U>(Kind::Pawn.index(), from | to);
            let passed = U::forward(from);
            let hunters = self.kinds[Kind::Pawn.index()] & self.sides[U::Them::SIDE.index()];
            if U::pawn_attacks(passed).meets(hunters) {
                self.en_passant = passed;
            }
        } else if m.is(MoveKind::EnPassant) {
            self.capture::<U>(U::Them::forward(to));
            self.relocate::<U>(Kind::Pawn.index(), from | to);
        } else {
            let (king, rook) = castled(m.from(), m.to());
            // The new squares may overlap the old ones: take both pieces off, then put both on.
            let (king, rook) = (Bitboard::of(king), Bitboard::of(rook));
            self.kinds[Kind::King.index()] ^= from ^ king;
            self.kinds[Kind::Rook.index()] ^= to ^ rook;
            self.sides[U::SIDE.index()] ^= from ^ to ^ king ^ rook;
            self.castling &= !U::BACK_RANK;
        }
    }

    /// Takes the enemy piece, if there is one, off `square`.
    #[inline(always)]
    fn capture<U: Us>(&mut self, square: Bitboard) {
        for set in &mut self.kinds {
            *set &= !square;
        }
        self.sides[U::Them::SIDE.index()] &= !square;
    }

    /// Moves a piece of `U` between the two members of `squares`.
    #[inline(always)]
    fn relocate<U: Us>(&mut self, kind: usize, squares: Bitboard) {
        self.kinds[kind] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
    }

    /// Plays `m`, which must be legal here.
    #[inline]
    pub fn make(&mut self, m: Move) {
        let resets = m.piece() == Kind::Pawn || self.is_capture(m);
        self.halfmove = if resets { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        match self.side {
            Side::First => self.make_as::<White>(m),
            Side::Second => {
                self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
                self.make_as::<Black>(m);
            }
        }
    }

    /// Passes the move to the opponent. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        if self.side == Side::Second {
            self.fullmove = (self.fullmove + 1).min(MAX_COUNTER);
        }
        self.en_passant = Bitboard::EMPTY;
        self.side = self.side.flip();
    }

    /// Whether the legal move `m` takes a piece, en passant included.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is(MoveKind::EnPassant) || self.side_set(self.side.flip()).contains(m.to())
    }

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
    pub(in crate::chess) fn key_by<K: RandomNumbers>(&self, random: &K) -> K::Word {
        let mut key = K::Word::default();
        for side in Side::BOTH {
            for kind in Kind::ALL {
                for square in self.pieces(side, kind) {
                    key = key ^ random.piece(side, kind, square);
                }
            }
        }
        for rook in self.castling {
            key = key ^ random.castling(rook);
        }
        if self.side == Side::Second {
            key = key ^ random.side();
        }
        key ^ self.en_passant_part(random)
    }

    /// [`Position::key_after`] from other random numbers.
    #[inline]
    pub(in crate::chess) fn key_after_by<K: RandomNumbers>(
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

    /// Whether an enemy pawn stands beside `square`, where a double step ends.
    fn has_hunter_beside(&self, square: Square) -> bool {
        let beside = tables::king(square) & Bitboard::rank(square.rank() as u32);
        beside.meets(self.pieces(self.side.flip(), Kind::Pawn))
    }

    /// What the en passant square adds to the key.
    #[inline]
    fn en_passant_part<K: RandomNumbers>(&self, random: &K) -> K::Word {
        match self.en_passant() {
            Some(square) if movegen::has_legal_en_passant(self) => random.en_passant(square),
            _ => K::Word::default(),
        }
    }
}
