//! The common part of perft's hash tables: allocation, and the mapping from key to bucket.
//!
//! Implemented by `count_table` and `column_table`; `count` creates the tables.

use crate::base::pages::{HashError, Zeroed, ZeroedArray};

/// A hash table of counts by position and depth, shared by threads without locks.
pub trait HashTable: Sized + Send + Sync {
    /// Allocates `megabytes` (2²⁰ bytes), but at least [`MIN_MEGABYTES`].
    ///
    /// # Errors
    /// If the memory is not available.
    fn new(megabytes: usize) -> Result<Self, HashError>;
    /// Size in megabytes.
    fn megabytes(&self) -> usize;
    /// Megabytes on large pages now; `None` if unknown.
    fn large_page_megabytes(&self) -> Option<usize>;
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
