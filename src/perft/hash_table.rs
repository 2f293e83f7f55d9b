//! What the hash tables of perft have in common: their size, and how a key chooses its place.
//!
//! `count_table` and `column_table` are such tables, `count` makes them. Nothing here is about a game.

use crate::base::pages::{Zeroed, ZeroedArray};

/// A table of what was counted, by position and depth, that threads share without locks.
pub trait HashTable: Sized + Send + Sync {
    /// A table of `megabytes` (2²⁰ bytes), but at least [`MIN_MEGABYTES`].
    ///
    /// # Errors
    /// If the system does not have that memory.
    fn new(megabytes: usize) -> Result<Self, String>;
    /// The size in megabytes.
    fn megabytes(&self) -> usize;
    /// Megabytes of it that lie on large pages by now, where the system tells.
    fn large_page_megabytes(&self) -> Option<usize>;
}

/// The smallest table: it has as many places as are needed to make 96 bits of those that choose the place and
/// those that are compared.
pub const MIN_MEGABYTES: usize = 5;

/// The number of cache lines in a table of `megabytes`, if the system has that memory.
///
/// # Errors
/// If it has not.
pub(super) fn cache_lines(megabytes: usize) -> Result<usize, String> {
    let megabytes = megabytes.max(MIN_MEGABYTES);
    let too_large = available_megabytes().is_some_and(|free| megabytes > free);
    let lines = megabytes.checked_mul((1 << 20) / 64).filter(|_| !too_large);
    lines.ok_or_else(|| refused(megabytes))
}

/// The `len` buckets of a table of `megabytes`, all empty.
///
/// # Errors
/// If the system does not have that memory.
pub(super) fn array<T: Zeroed>(len: usize, megabytes: usize) -> Result<ZeroedArray<T>, String> {
    ZeroedArray::new(len).ok_or_else(|| refused(megabytes))
}

fn refused(megabytes: usize) -> String {
    format!("cannot get {megabytes} MB of memory for the hash table")
}

/// A place among `len`, at most 2³²: the highest bits of the key as a fraction.
#[inline(always)]
pub(super) fn place(key: u128, len: usize) -> usize {
    let highest = (key >> 64) as u64 >> (64 - PLACE_BITS);
    ((highest as u128 * len as u128) >> PLACE_BITS) as usize
}

/// How many of the highest bits choose the place.
pub(super) const PLACE_BITS: u32 = 40;

/// Memory that the system could give in megabytes, where it says so (Linux).
pub fn available_megabytes() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_chosen_by_the_same_share_of_keys() {
        for len in [1, 3, 81_920, 1 << 22, (1 << 32) - 5] {
            assert_eq!((place(0, len), place(u128::MAX, len)), (0, len - 1));
            let quarter = place(1 << 126, len);
            assert!(quarter == len / 4, "{quarter} of {len}");
        }
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(cache_lines(usize::MAX).unwrap_err().contains("memory"));
        assert!(cache_lines(usize::MAX >> 20).is_err());
        assert_eq!(cache_lines(0), Ok(5 << 14));
    }
}
