//! How a quantity is counted in the positions of a game, without and with a hash table, where each position is
//! counted once a depth, whatever leads to it.
//!
//! `hashed_counts` does so for plain counts, `hashed_columns` for columns of statistics. Called by `count`; knows no
//! game.

use super::hash_table::HashTable;
use super::quantity::Quantity;
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
use crate::game::{Kernel, KeyedList, MOST_MOVES, WideKeyed};

/// A quantity that can be counted in positions of a game.
pub trait Countable<P: WideKeyed>: Quantity {
    /// What keeps it.
    type Table: HashTable;
    /// That of the sequences of exactly `depth` plies. Depth-limited: their number must fit 64 bits.
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self;
    /// That of the one legal move `m`.
    fn of_move(pos: &P, m: P::Move) -> Self;
    /// That of the sequences of `depth` plies from `pos`, with a table.
    fn count_hashed(pos: &P, depth: u32, context: &Context<'_, P, Self::Table>) -> Self;
}

/// What every node of a hashed walk uses.
pub struct Context<'a, P: WideKeyed, T> {
    /// The shared table.
    pub table: &'a T,
    /// The keys of the run's seed.
    pub keys: &'a P::Keys,
    /// The leaf counter.
    pub kernel: Kernel,
}

/// A number that keeps what is counted in one position at `depth` apart from other depths.
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
