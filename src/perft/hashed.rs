//! Counting a quantity with or without a hash table. With a table each position is counted once per depth, however it
//! is reached.
//!
//! Implemented by `hashed_counts` for plain counts and by `hashed_columns` for columns of statistics. Called by
//! `count`.

use super::hash_table::HashTable;
use super::quantity::Quantity;
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
use crate::game::{Kernel, KeyedList, MOST_MOVES, WideKeyed};

/// A quantity that can be counted in a game.
pub trait Countable<P: WideKeyed>: Quantity {
    /// Its hash table.
    type Table: HashTable;
    /// Counts the sequences of exactly `depth` plies. Their number must fit 64 bits.
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self;
    /// The quantity for the single legal move `m`.
    fn of_move(pos: &P, m: P::Move) -> Self;
    /// Counts the sequences of `depth` plies from `pos`, with a table.
    fn count_hashed(pos: &P, depth: u32, context: &Context<'_, P, Self::Table>) -> Self;
}

/// What all nodes of a hashed walk share.
pub struct Context<'a, P: WideKeyed, T> {
    /// The shared table.
    pub table: &'a T,
    /// The keys of the run's seed.
    pub keys: &'a P::Keys,
    /// The leaf counter.
    pub kernel: Kernel,
}

/// A number XORed into the key, so that entries of different depths differ.
#[inline]
pub(super) fn depth_key(depth: u32) -> u128 {
    let mut rng = SplitMix64::new(u64::from(depth));
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// The moves of one position and the keys after them.
pub(super) struct KeyedMoves<M: Copy> {
    pub moves: MoveList<M, MOST_MOVES>,
    pub keys: MoveList<u128, MOST_MOVES>,
}

impl<M: Copy> KeyedMoves<M> {
    #[inline(always)]
    pub fn new() -> Self {
        KeyedMoves { moves: MoveList::new(), keys: MoveList::new() }
    }
}

impl<M: Copy> KeyedList<M> for KeyedMoves<M> {
    #[inline(always)]
    fn push(&mut self, m: M, key: u128) {
        self.moves.push(m);
        self.keys.push(key);
    }
}
