//! The common part of perft's hash tables: allocation, and the mapping from key to bucket.
//!
//! Implemented by `count_table` and `column_table`; `count` creates the tables.

use crate::base::lock::lock;
use crate::base::pages::{HashError, Zeroed, ZeroedArray};
use crate::game::MOST_MOVES;
use std::collections::HashMap;
use std::sync::Mutex;

/// A hash table of quantities by position and depth, shared by threads without locks. A key combines both.
pub trait HashTable<Q: Copy>: Sized + Send + Sync {
    /// Allocates `megabytes` (2²⁰ bytes), but at least [`MIN_MEGABYTES`].
    ///
    /// # Errors
    /// If the memory is not available.
    fn new(megabytes: usize) -> Result<Self, HashError>;
    /// Size in megabytes.
    fn megabytes(&self) -> usize;
    /// Megabytes on large pages now; `None` if unknown.
    fn large_page_megabytes(&self) -> Option<usize>;
    /// Prefetches the bucket of [`HashTable::probe`].
    fn prefetch(&self, key: u128);
    /// What an entry holds for `key`.
    fn find(&self, key: u128) -> Option<Q>;
    /// Writes an entry, replacing the smallest of its bucket, because large counts are the most expensive ones;
    /// returns whether the quantity fits one. Counts of 0 are not stored.
    fn enter(&self, key: u128, quantity: Q) -> bool;
    /// The quantities that fit no entry.
    fn wide(&self) -> &Wide<Q>;

    /// What is stored for `key`.
    #[inline(always)]
    fn probe(&self, key: u128, depth: u32) -> Option<Q> {
        match self.find(key) {
            None if depth >= WIDE_DEPTH => self.wide().find(key),
            found => found,
        }
    }
    /// Stores `quantity`.
    #[inline(always)]
    fn store(&self, key: u128, depth: u32, quantity: Q) {
        if !self.enter(key, quantity) && depth >= WIDE_DEPTH {
            self.wide().enter(key, quantity);
        }
    }
}

/// From this depth on, quantities that do not fit an entry are stored too. No plain count of a lower depth exceeds 64
/// bits; columns that do not fit are counted again there.
pub(super) const WIDE_DEPTH: u32 = 8;
const _: () = assert!((MOST_MOVES as u128).pow(WIDE_DEPTH - 1) >> 64 == 0);

/// Quantities that fit no entry of a table, by key. Only deep trees of few positions have them, so threads wait for
/// each other here. When it is full, it starts anew.
pub struct Wide<Q> {
    found: Mutex<HashMap<u128, Q>>,
    most: usize,
}

impl<Q: Copy> Wide<Q> {
    /// Takes up to an eighth of the memory of a table of `megabytes`, if that is enough for a small endgame.
    pub(super) fn new(megabytes: usize) -> Self {
        let most = (megabytes << 20) / 8 / size_of::<(u128, Q)>();
        Wide { found: Mutex::default(), most: most.max(1 << 18) }
    }

    #[cold]
    fn find(&self, key: u128) -> Option<Q> {
        lock(&self.found).get(&key).copied()
    }

    #[cold]
    fn enter(&self, key: u128, quantity: Q) {
        let mut found = lock(&self.found);
        if found.len() == self.most {
            found.clear();
        }
        found.insert(key, quantity);
    }
}

/// The smallest table size. It has enough buckets for bucket selection and comparison to cover 96 key bits together.
pub const MIN_MEGABYTES: usize = 5;

/// The number of cache lines of a table of `megabytes`.
///
/// # Errors
/// If that much memory is not available.
pub(super) fn cache_lines(megabytes: usize) -> Result<usize, HashError> {
    let megabytes = megabytes.max(MIN_MEGABYTES);
    let too_large = available_megabytes().is_some_and(|free| megabytes > free);
    let lines = megabytes.checked_mul((1 << 20) / 64).filter(|_| !too_large);
    lines.ok_or(HashError { megabytes })
}

/// Allocates the `len` empty buckets of a table of `megabytes`.
///
/// # Errors
/// If the memory is not available.
pub(super) fn array<T: Zeroed>(len: usize, megabytes: usize) -> Result<ZeroedArray<T>, HashError> {
    ZeroedArray::new(len).ok_or(HashError { megabytes })
}

/// The bucket of a key, below `len` (at most 2³²): the highest key bits as a fraction.
#[inline(always)]
pub(super) fn place(key: u128, len: usize) -> usize {
    let highest = (key >> 64) as u64 >> (64 - PLACE_BITS);
    ((highest as u128 * len as u128) >> PLACE_BITS) as usize
}

/// How many of the highest key bits select the bucket.
pub(super) const PLACE_BITS: u32 = 40;

/// Available memory in megabytes, at most what a process can address; `None` where the system does not report it in a
/// file (all but Linux).
pub fn available_megabytes() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kilobytes / 1024).min(isize::MAX as usize >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_spread_evenly_over_the_buckets() {
        for len in [1, 3, 81_920, 1 << 22, (1 << 32) - 5] {
            assert_eq!((place(0, len), place(u128::MAX, len)), (0, len - 1));
            let quarter = place(1 << 126, len);
            assert!(quarter == len / 4, "{quarter} of {len}");
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(cache_lines(usize::MAX).is_err());
        assert!(cache_lines(usize::MAX >> 20).is_err());
        assert_eq!(cache_lines(0), Ok(5 << 14));
    }
}
