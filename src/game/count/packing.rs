//! [`Packing`]: boards packed into a few words, which deep perft keeps by the million (`perft::frontier`).
//!
//! A packed position has what decides the moves at every depth, and nothing else. So two positions are the same if and
//! only if their packed forms are: comparing them is exact, as comparing hash keys is not.

use crate::base::cpu::{Cpu, Task, dispatch};
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
use crate::game::position::moves::{GameMove, MOST_MOVES};
use crate::game::position::side::Side;
use std::hash::Hash;

/// Random numbers for hashes of packed positions. They decide in which order positions are met, never whether two
/// positions are the same.
#[derive(Clone, Copy, Debug)]
pub struct HashWords(pub [u64; 4]);

impl HashWords {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        HashWords(std::array::from_fn(|_| rng.next_u64()))
    }

    /// A hash of two words.
    #[inline(always)]
    pub fn hash_two(&self, first: u64, second: u64) -> u64 {
        fold(first ^ self.0[0], second ^ self.0[1])
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

/// A legal move of a packed position, and what it changes.
#[derive(Clone, Copy)]
pub struct Child<P: Packing> {
    /// The move.
    pub m: P::Move,
    /// What the mover has afterwards.
    pub half: P::Half,
    /// What the other side loses: 0 for nothing, otherwise one more than the place of the captured piece among its
    /// pieces, in the order of the squares.
    pub victim: u32,
}

/// The legal moves of a packed position.
pub type Children<P> = MoveList<Child<P>, MOST_MOVES>;

/// A board packed into a few words. The side to move is not part of it; the caller knows it.
///
/// A packed board has two *halves*: what each side has, its pieces and its rights. A move changes the mover's half; the
/// resting side loses a piece by a capture, and otherwise at most the right to be captured en passant.
///
/// A game implements the first functions; the last five run those with a [`Cpu`] at the best level of the CPU at hand.
pub trait Packing: Copy + Eq + Hash + Default + Send + Sync + 'static {
    /// The board.
    type Board: Copy + Send + Sync;
    /// A move.
    type Move: GameMove;
    /// What one side has.
    type Half: Half;

    /// The packed form of the board after a legal move.
    fn after(board: &Self::Board, m: Self::Move) -> Self;
    /// The number of pieces of a side.
    fn pieces(&self, side: Side) -> usize;
    /// The packed form of a board.
    fn pack_with<C: Cpu>(cpu: C, board: &Self::Board) -> Self;
    /// The board with `side` to move.
    fn unpack_with<C: Cpu>(&self, cpu: C, side: Side) -> Self::Board;
    /// The position with these halves of both sides.
    fn join_with<C: Cpu>(cpu: C, halves: [&Self::Half; 2]) -> Self;
    /// What of a side's half outlasts a quiet move of the other side.
    fn resting_with<C: Cpu>(&self, cpu: C, side: Side) -> Self::Half;
    /// Adds the legal moves of `side`, who is to move, to `children`, which is empty. Returns the board, and what of
    /// the other side's half outlasts a quiet move.
    fn list_with<C: Cpu>(&self, cpu: C, side: Side, children: &mut Children<Self>) -> (Self::Board, Self::Half);

    /// The packed form of a board.
    #[inline]
    fn pack(board: &Self::Board) -> Self {
        struct Pack<'a, P: Packing>(&'a P::Board);
        impl<P: Packing> Task for Pack<'_, P> {
            type Output = P;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> P {
                P::pack_with(cpu, self.0)
            }
        }
        dispatch(Pack(board))
    }

    /// The board with `side` to move.
    #[inline]
    fn unpack(&self, side: Side) -> Self::Board {
        struct Unpack<'a, P>(&'a P, Side);
        impl<P: Packing> Task for Unpack<'_, P> {
            type Output = P::Board;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> P::Board {
                self.0.unpack_with(cpu, self.1)
            }
        }
        dispatch(Unpack(self, side))
    }

    /// The position in which `mover` has the first of these halves.
    #[inline]
    fn join(half: &Self::Half, rest: &Self::Half, mover: Side) -> Self {
        struct Join<'a, P: Packing>([&'a P::Half; 2]);
        impl<P: Packing> Task for Join<'_, P> {
            type Output = P;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> P {
                P::join_with(cpu, self.0)
            }
        }
        dispatch(Join(if mover == Side::First { [half, rest] } else { [rest, half] }))
    }

    /// What of a side's half outlasts a quiet move of the other side.
    #[inline]
    fn resting(&self, side: Side) -> Self::Half {
        struct Resting<'a, P>(&'a P, Side);
        impl<P: Packing> Task for Resting<'_, P> {
            type Output = P::Half;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> P::Half {
                self.0.resting_with(cpu, self.1)
            }
        }
        dispatch(Resting(self, side))
    }

    /// Adds the legal moves of `side`, who is to move, to `children`, which is empty. Returns the board, and what of
    /// the other side's half outlasts a quiet move.
    #[inline]
    fn list(&self, side: Side, children: &mut Children<Self>) -> (Self::Board, Self::Half) {
        struct List<'a, P: Packing>(&'a P, Side, &'a mut Children<P>);
        impl<P: Packing> Task for List<'_, P> {
            type Output = (P::Board, P::Half);
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> (P::Board, P::Half) {
                self.0.list_with(cpu, self.1, self.2)
            }
        }
        dispatch(List(self, side, children))
    }
}

/// What one side has in a packed position.
pub trait Half: Copy + Eq + Default + Send + Sync + 'static {
    /// A hash.
    fn hash(&self, words: &HashWords) -> u64;
    /// The number of pieces.
    fn pieces(&self) -> usize;
    /// The half without the piece of this place among its pieces, in the order of the squares.
    #[must_use]
    fn without_place(&self, place: usize) -> Self;
}
