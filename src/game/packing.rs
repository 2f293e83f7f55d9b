//! [`Packable`]: positions packed into a few words, which deep perft keeps by the million (`perft::frontier`), and the
//! bulk counters that count two plies below many of them.
//!
//! A packed position has what decides the moves at every depth, and nothing else. So two positions are the same if and
//! only if their packed forms are: comparing them is exact, as comparing hash keys is not.

use super::rules::{Kernel, MOST_MOVES, Rules};
use super::side::Side;
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
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
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A legal move of a packed position, and what it changes.
#[derive(Clone, Copy)]
pub struct Child<P: Packable> {
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

/// A game whose positions can be packed. The side to move is not part of a packed position; the caller knows it.
///
/// A position has two *halves*: what each side has, its pieces and its rights. A move changes the mover's half; the
/// resting side loses a piece by a capture, and otherwise at most the right to be captured en passant.
pub trait Packable: Rules + Sync {
    /// What the generator and the bulk counter work on.
    type Board: Copy + Send + Sync;
    /// The pieces, and the rights that still matter.
    type Packed: Copy + Eq + Hash + Default + Send + Sync + 'static;
    /// What one side has.
    type Half: Copy + Eq + Default + Send + Sync + 'static;
    /// Counts two plies below many positions.
    type Bulk: BulkPerft2<Self, Count = u32>;

    /// The packed position.
    fn pack(&self) -> Self::Packed;
    /// The packed position after a legal move.
    fn pack_after(board: &Self::Board, m: Self::Move) -> Self::Packed;
    /// The board of a packed position with `side` to move.
    fn unpack(packed: &Self::Packed, side: Side) -> Self::Board;
    /// The position with this board; clocks and what else perft does not need are those of `self`.
    fn with_board(&self, board: &Self::Board) -> Self;
    /// What of a side's half outlasts a quiet move of the other side.
    fn resting(packed: &Self::Packed, side: Side) -> Self::Half;
    /// The position in which `mover`, who has just moved, has the first of these halves.
    fn join(half: &Self::Half, rest: &Self::Half, mover: Side) -> Self::Packed;
    /// A hash of a half.
    fn hash_of_half(half: &Self::Half, words: &HashWords) -> u64;
    /// The number of pieces of a side.
    fn pieces(packed: &Self::Packed, side: Side) -> usize;
    /// The number of pieces of a half.
    fn pieces_of_half(half: &Self::Half) -> usize;
    /// The half without the piece of this place among its pieces, in the order of the squares.
    fn without(half: &Self::Half, place: usize) -> Self::Half;
    /// Adds the legal moves of `side`, who is to move, to `children`, which is empty. Returns the board, and what of
    /// the other side's half outlasts a quiet move.
    fn list(packed: &Self::Packed, side: Side, children: &mut Children<Self>) -> (Self::Board, Self::Half);
}

/// Counts two plies below many positions, each on its own.
///
/// A kernel may hold positions back until it can count several at once, so counts are complete only after
/// [`BulkPerft2::flush`]. All positions between two flushes have the same side to move.
pub trait BulkPerft2<P: Packable> {
    /// What is counted of a position: its sequences, or columns.
    type Count: Copy + Default;
    /// For positions below `root`, with one of [`Rules::kernels`].
    fn new(root: &P, kernel: Kernel) -> Self;
    /// Adds the positions after `moves`, legal moves of `parent`. The count of the position after the `i`-th move is
    /// added to `counts[first + i]`, now or later.
    fn add_children(&mut self, parent: &P::Board, moves: &[P::Move], first: usize, counts: &mut [Self::Count]);
    /// Adds the position with this board. Its count is added to `counts[place]`, now or later.
    fn add(&mut self, board: &P::Board, place: usize, counts: &mut [Self::Count]);
    /// Completes `counts`.
    fn flush(&mut self, counts: &mut [Self::Count]);
}
