//! Playing moves, and the Zobrist key beside the position.
//!
//! `make_as` is the board part, specialised by colour for the perft walk; [`Position::make`] adds the
//! counters. Keys are computed from (old key, move) before the move is made, and never by plain perft.

use crate::base::rng::SplitMix64;
use crate::game::Side;
use crate::xiangqi::board::position::{MAX_COUNTER, Position};
use crate::xiangqi::board::tables;
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::{Move, MoveKind};
use crate::xiangqi::types::piece::{Black, Kind, Red, Us};
use crate::xiangqi::types::square::Square;

/// Random numbers that a key is made from by exclusive or.
pub(in crate::xiangqi) trait RandomNumbers {
    /// The type of a key.
    type Word: Copy + Default + std::ops::BitXor<Output = Self::Word>;
    /// For a piece on a square.
    fn piece(&self, side: Side, kind: Kind, square: Square) -> Self::Word;
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
    fn side(&self) -> u64 {
        tables::side_key()
    }
}

/// 128-bit keys of one seed.
pub struct WideKeys {
    pieces: [[[u128; 128]; 7]; 2],
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
            side: next(),
        }
    }
}

impl RandomNumbers for WideKeys {
    type Word = u128;
    #[inline(always)]
    fn piece(&self, side: Side, kind: Kind, square: Square) -> u128 {
        self.pieces[side.index()][kind.index()][square.index()]
    }
    #[inline(always)]
    fn side(&self) -> u128 {
        self.side
    }
}

impl Position {
    /// The kind of piece that `m`, which must be legal here, moves.
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

    /// Plays the legal move `m` for `U`, who is to move; the counters are left alone.
    #[inline(always)]
    pub(in crate::xiangqi) fn make_as<U: Us>(&mut self, m: Move) {
        debug_assert!(self.side == U::SIDE);
        self.move_piece::<U>(self.moved_kind(m), m.from(), m.to());
    }

    /// Moves the piece of `U` and `kind` on `from` to `to`, takes what stands there and passes the turn.
    #[inline(always)]
    pub(in crate::xiangqi) fn move_piece<U: Us>(&mut self, kind: Kind, from: Square, to: Square) {
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        if self.sides[U::Them::SIDE.index()].meets(to) {
            for set in &mut self.kinds {
                *set &= !to;
            }
            self.sides[U::Them::SIDE.index()] &= !to;
        }
        self.kinds[kind.index()] ^= from | to;
        self.sides[U::SIDE.index()] ^= from | to;
        self.side = U::Them::SIDE;
    }

    /// Plays `m`, which must be legal here.
    #[inline]
    pub fn make(&mut self, m: Move) {
        self.halfmove = if self.is_capture(m) { 0 } else { (self.halfmove + 1).min(MAX_COUNTER) };
        match self.side {
            Side::First => self.make_as::<Red>(m),
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
        self.side = self.side.flip();
    }

    /// Whether the legal move `m` takes a piece.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.side_set(self.side.flip()).contains(m.to())
    }

    /// The Zobrist key, from scratch.
    pub fn key(&self) -> u64 {
        self.key_by(&Zobrist)
    }

    /// The key after the legal move `m`, from `key`, the key of this position.
    pub fn key_after(&self, key: u64, m: Move) -> u64 {
        self.key_after_by(&Zobrist, key, m)
    }

    /// [`Position::key`] from other random numbers.
    pub(in crate::xiangqi) fn key_by<K: RandomNumbers>(&self, random: &K) -> K::Word {
        let mut key = if self.side == Side::Second { random.side() } else { K::Word::default() };
        for side in Side::BOTH {
            for kind in Kind::ALL {
                for square in self.pieces(side, kind) {
                    key = key ^ random.piece(side, kind, square);
                }
            }
        }
        key
    }

    /// [`Position::key_after`] from other random numbers.
    #[inline]
    pub(in crate::xiangqi) fn key_after_by<K: RandomNumbers>(
        &self,
        random: &K,
        key: K::Word,
        m: Move,
    ) -> K::Word {
        let kind = self.moved_kind(m);
        let key = key
            ^ random.side()
            ^ random.piece(self.side, kind, m.from())
            ^ random.piece(self.side, kind, m.to());
        match self.piece_on(m.to()) {
            Some((side, taken)) if self.is_capture(m) => key ^ random.piece(side, taken, m.to()),
            _ => key,
        }
    }

    /// The key after a null move.
    pub fn key_after_null(&self, key: u64) -> u64 {
        key ^ tables::side_key()
    }
}
