//! [`Half`]: the pieces and rights of one side, and [`Packed`]: both halves in a few words, which deep perft keeps by
//! the million (`perft::frontier`).
//!
//! A packed position has what decides the moves at every depth, and nothing else. So two positions are the same if and
//! only if their packed forms are: comparing them is exact, as comparing hash keys is not.

use crate::base::bits::BitSet;
use crate::base::cpu::{pdep, pext};
use crate::base::rng::SplitMix64;
use crate::game::moves::GameMove;
use crate::game::side::Side;
use std::hash::Hash;

/// Random numbers for hashes of halves. They decide in which order positions are met, never whether two positions are
/// the same.
#[derive(Clone, Copy, Debug)]
pub struct HashWords(pub [u64; 4]);

impl HashWords {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        HashWords(std::array::from_fn(|_| rng.next_u64()))
    }

    /// A hash of four words.
    #[inline(always)]
    pub fn hash(&self, words: [u64; 4]) -> u64 {
        let [a, b, c, d] = self.0;
        let (first, second) = (fold(words[0] ^ a, words[1] ^ b), fold(words[2] ^ c, words[3] ^ d));
        fold(first ^ c, second ^ a)
    }
}

/// Both halves of a product, combined: every bit of the factors takes part in every bit of the result.
#[inline(always)]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The pieces and rights of one side. Each piece has a code of three bits, from 1 on; each bit of all codes together is
/// a set of squares, a *plane*. Squares have numbers from 0 to less than 64 `N`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Planes<const N: usize>(pub [[u64; N]; 3]);

/// A board packed into a few words: the set of occupied squares, and in their order the bits of the planes and of the
/// second side's pieces. The side to move is not part of it; the caller knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Packed<const N: usize> {
    occupied: [u64; N],
    planes: [u32; 4],
}

impl<const N: usize> Planes<N> {
    /// The half with a piece of this code on `square`, which is empty.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, square: usize, code: usize) -> Self {
        debug_assert!(self.code(square) == 0 && (1..8).contains(&code));
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane[square / 64] |= (code as u64 >> bit & 1) << (square % 64);
        }
        self
    }

    /// The code of the piece on `square`, 0 if it is empty.
    #[inline(always)]
    pub fn code(&self, square: usize) -> usize {
        let bit = |plane: usize| (self.0[plane][square / 64] >> (square % 64) & 1) as usize;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }
}

/// What both games do alike with halves: implemented once, by [`Planes`].
pub trait Packing: Copy + Ord + Send + Sync + 'static {
    /// Both halves.
    type Packed: Copy + Eq + Hash + Send + Sync;

    /// The position with these halves of both sides.
    fn join(halves: [&Self; 2]) -> Self::Packed;
    /// The halves of both sides.
    fn split(packed: &Self::Packed) -> [Self; 2];
    /// The number of pieces of a side.
    fn pieces(packed: &Self::Packed, side: Side) -> usize;
    /// A hash.
    fn hash(&self, words: &HashWords) -> u64;
    /// The half without the piece on the square with this index.
    #[must_use]
    fn without(self, square: usize) -> Self;
}

impl<const N: usize> Packing for Planes<N> {
    type Packed = Packed<N>;

    #[inline]
    fn join([first, second]: [&Self; 2]) -> Packed<N> {
        let (mut packed, mut shift) = (Packed { occupied: [0; N], planes: [0; 4] }, 0);
        for word in 0..N {
            let [a, b, c] = [first.0[0][word], first.0[1][word], first.0[2][word]];
            let [d, e, f] = [second.0[0][word], second.0[1][word], second.0[2][word]];
            let second = d | e | f;
            let occupied = a | b | c | second;
            let planes = pext([a | d, b | e, c | f, second], occupied);
            for plane in 0..4 {
                packed.planes[plane] |= (planes[plane] << shift) as u32;
            }
            packed.occupied[word] = occupied;
            shift += occupied.count_ones();
        }
        // No position has more pieces.
        debug_assert!(shift <= u32::BITS);
        packed
    }

    #[inline]
    fn split(packed: &Packed<N>) -> [Self; 2] {
        let (mut halves, mut shift) = ([Planes([[0; N]; 3]); 2], 0);
        for (word, &occupied) in packed.occupied.iter().enumerate() {
            let [a, b, c, d] = packed.planes;
            let low = |plane: u32| u64::from(plane) >> shift;
            let spread = pdep([low(a), low(b), low(c), low(d)], occupied);
            for bit in 0..3 {
                halves[0].0[bit][word] = spread[bit] & !spread[3];
                halves[1].0[bit][word] = spread[bit] & spread[3];
            }
            shift += occupied.count_ones();
        }
        halves
    }

    fn pieces(packed: &Packed<N>, side: Side) -> usize {
        let second = packed.planes[3].count_ones();
        let all: u32 = packed.occupied.iter().map(|word| word.count_ones()).sum();
        (if side == Side::First { all - second } else { second }) as usize
    }

    #[inline(always)]
    fn hash(&self, words: &HashWords) -> u64 {
        let [a, b, c] = self.0;
        (0..N).fold(0, |hash, word| words.hash([a[word], b[word], c[word], hash]))
    }

    #[inline(always)]
    fn without(mut self, square: usize) -> Self {
        for plane in &mut self.0 {
            plane[square / 64] &= !(1 << (square % 64));
        }
        self
    }
}

/// The pieces and rights of one side. A move changes the mover's half; the resting side loses a piece by a
/// capture, and otherwise at most the right to be captured en passant.
///
/// What a move makes of the mover's half depends on that half, the move, and in few cases its *variant*: a pawn
/// promotes to one of four kinds of piece, and a double step may be answered en passant or not.
pub trait Half: Packing {
    /// The board.
    type Board: Copy;
    /// A move.
    type Move: GameMove;
    /// A set of squares.
    type Set: BitSet + Send;

    /// The half of `side`.
    fn of(board: &Self::Board, side: Side) -> Self;
    /// The board with these halves, `side` to move.
    fn board(halves: [&Self; 2], side: Side) -> Self::Board;
    /// The squares of the pieces.
    fn squares(&self) -> Self::Set;
    /// What outlasts a quiet move of the other side.
    #[must_use]
    fn lasting(self) -> Self;
    /// Passes, for each piece in the order of the squares, the targets of all moves that it might have, whatever the
    /// other side has, and the number of their variants.
    fn reach(&self, side: Side, row: impl FnMut(Self::Set, usize));
    /// The variant of a legal move, and the square on which it captures a piece if there is one of the other side.
    fn effect(board: &Self::Board, m: Self::Move) -> (usize, usize);
    /// The half of the side that makes the legal move `m`, afterwards.
    #[must_use]
    fn after(self, m: Self::Move, variant: usize) -> Self;

    /// The packed form of a board.
    fn pack(board: &Self::Board) -> Self::Packed {
        Self::join([&Self::of(board, Side::First), &Self::of(board, Side::Second)])
    }

    /// The board with `side` to move.
    fn unpack(packed: &Self::Packed, side: Side) -> Self::Board {
        let [first, second] = Self::split(packed);
        Self::board([&first, &second], side)
    }
}

impl Side {
    /// What belongs to this side and to the other, in the order of the sides.
    #[inline(always)]
    pub(crate) fn order<T>(self, own: T, other: T) -> [T; 2] {
        match self {
            Side::First => [own, other],
            Side::Second => [other, own],
        }
    }
}

/// Positions in which the side to move has the same.
pub struct SharedHalf<'a, H> {
    /// The side to move, and what it has.
    pub side: Side,
    pub half: &'a H,
    /// What the other side has in each position: the halves with these numbers.
    pub halves: &'a [H],
    pub numbers: &'a [u32],
    /// The place of the first position among others.
    pub first: usize,
}

impl<H: Half> SharedHalf<'_, H> {
    /// The boards, with their places.
    #[inline(always)]
    pub fn boards(&self) -> impl Iterator<Item = (usize, H::Board)> {
        let board = |&number: &u32| H::board(self.side.order(self.half, &self.halves[number as usize]), self.side);
        (self.first..).zip(self.numbers.iter().map(board))
    }
}
