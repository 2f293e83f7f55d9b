//! Perft with a hash table: each position is counted once a depth, whatever leads to it.
//!
//! [`Hashable`] says which table keeps a quantity and how a tree is counted with it: `hashed_counts` does so
//! for plain counts, `hashed_columns` for columns of statistics. Called by `count`; knows no game.

use super::hash_table::HashTable;
use super::quantity::Countable;
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
use crate::game::{Kernel, KeyedList, WideKeyed};

/// A quantity that can be counted with a hash table.
pub trait Hashable<P: WideKeyed>: Countable<P> {
    /// What keeps it.
    type Table: HashTable;
    /// That of the sequences of `depth` plies from `pos`.
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

/// Numbers for depths 0 to `depth` that keep what is counted in one position at different depths apart.
pub(super) fn depth_keys(depth: u32) -> Vec<u128> {
    let key = |depth| {
        let mut rng = SplitMix64::new(u64::from(depth));
        u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
    };
    (0..=depth).map(key).collect()
}

/// The most moves of a position, as lists of moves have it.
pub(super) const MAX_MOVES: usize = 256;

/// The moves of one position and the keys after them.
pub(super) struct KeyedMoves<M: Copy> {
    pub moves: MoveList<M, MAX_MOVES>,
    pub keys: MoveList<u128, MAX_MOVES>,
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
