//! The hash table of perft: counts by position and depth, shared by all threads without locks.
//!
//! Called by `hashed_counts`. A wrong count must never come out of it, short of a coincidence of at least 96
//! random key bits: positions two plies above the leaves, by far the most, have 80 bits compared and at least
//! 16 that choose the bucket; all others have 96 bits compared. It knows no game.

use super::hash_table::{HashTable, MIN_MEGABYTES, array, cache_lines, place};
use crate::base::pages::{CacheLine, ZeroedArray};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Counts of positions two plies above the leaves: five of twelve bytes in a cache line. The second word is
/// 16 bits of the key above the count; the first is 64 bits of the key, exclusive-or the second word, so that
/// words of different writers never match (Hyatt and Mann, "A lock-less transposition table
/// implementation for parallel search chess engines", 2002). A second word without a count is empty. Places
/// are filled in turn; the last word, which has no first one, is the place whose turn it is.
type ShallowBucket = CacheLine<[AtomicU64; 5], [AtomicU32; 6]>;

/// Counts further from the leaves: three of twenty bytes in a cache line. The first words are 64 bits of the
/// key, exclusive-or the count; the second ones the counts; then come 32 more bits of the
/// key. A count of 0 is an empty entry.
type DeepBucket = CacheLine<[[AtomicU64; 2]; 3], [AtomicU32; 4]>;

const _: () = assert!(size_of::<ShallowBucket>() == 64 && size_of::<DeepBucket>() == 64);

/// Bits of the second word of a shallow entry that hold the count: at most 218 · 218 in chess.
const SHALLOW_BITS: u32 = 16;

/// With fewer shallow buckets their number would be less than 16 bits of the key.
const MIN_SHALLOW: usize = 1 << 16;

const _: () = assert!(MIN_SHALLOW < MIN_MEGABYTES << 14);

/// One in so many buckets is a shallow one: a count of three plies takes long, one of two hardly longer than
/// fetching it from memory, so that a table which is too small is better used for the former.
const SHALLOW_SHARE: usize = 4;

/// The depth that has entries of its own.
pub const SHALLOW_DEPTH: u32 = 2;

/// A table of counts by position and depth.
pub struct CountTable {
    shallow: ZeroedArray<ShallowBucket>,
    deep: ZeroedArray<DeepBucket>,
}

impl HashTable for CountTable {
    fn new(megabytes: usize) -> Result<Self, String> {
        let lines = cache_lines(megabytes)?;
        let shallow = (lines / SHALLOW_SHARE).max(MIN_SHALLOW);
        Ok(CountTable {
            shallow: array(shallow, megabytes)?,
            deep: array(lines - shallow, megabytes)?,
        })
    }
    fn megabytes(&self) -> usize {
        ((self.shallow.len() + self.deep.len()) * 64) >> 20
    }
    fn large_page_megabytes(&self) -> Option<usize> {
        Some((self.shallow.large_page_bytes()? + self.deep.large_page_bytes()?) >> 20)
    }
}

impl CountTable {
    /// Asks for the bucket that [`CountTable::probe`] is going to look at.
    #[inline(always)]
    pub fn prefetch(&self, key: u128) {
        self.deep.prefetch(place(key, self.deep.len()));
    }

    /// Asks for the bucket that [`CountTable::probe_shallow`] is going to look at.
    #[inline(always)]
    pub fn prefetch_shallow(&self, key: u128) {
        self.shallow.prefetch(place(key, self.shallow.len()));
    }

    /// The count kept for `key`, which holds position and depth.
    #[inline(always)]
    pub fn probe(&self, key: u128) -> Option<u64> {
        let CacheLine(entries, tags) = &self.deep[place(key, self.deep.len())];
        for ([check, count], tag) in entries.iter().zip(tags) {
            let count = count.load(Relaxed);
            if tag.load(Relaxed) == deep_tag(key)
                && check.load(Relaxed) ^ count == key as u64
                && count != 0
            {
                return Some(count);
            }
        }
        None
    }

    /// Keeps a count, in place of the smallest of its bucket: what took long to count is worth keeping.
    /// A count of 0, or from 2⁶⁴ on, is not kept.
    #[inline(always)]
    pub fn store(&self, key: u128, count: u128) {
        let Some(count) = u64::try_from(count).ok().filter(|&count| count != 0) else {
            return;
        };
        let CacheLine(entries, tags) = &self.deep[place(key, self.deep.len())];
        let size = |i: usize| entries[i][1].load(Relaxed);
        let mut smallest = 0;
        for i in 1..entries.len() {
            if size(i) < size(smallest) {
                smallest = i;
            }
        }
        let [check, old] = &entries[smallest];
        check.store(key as u64 ^ count, Relaxed);
        old.store(count, Relaxed);
        tags[smallest].store(deep_tag(key), Relaxed);
    }

    /// The count two plies above the leaves kept for the position `key`, 0 if there is none. Of two positions of a
    /// bucket whose keys agree in the lower 64 bits one may be missed, but never taken for the other.
    #[inline(always)]
    pub fn probe_shallow(&self, key: u128) -> u32 {
        let CacheLine(checks, data) = &self.shallow[place(key, self.shallow.len())];
        let mut found = 0;
        // No branches: finding and missing are equally frequent. From the last on, because an empty place, which
        // matches a key of zeros, is behind those in use.
        for (check, data) in checks.iter().zip(data).rev() {
            let word = data.load(Relaxed);
            let same = check.load(Relaxed) ^ u64::from(word) == key as u64;
            found = if same { word } else { found };
        }
        let same = found >> SHALLOW_BITS == shallow_tag(key);
        if same { found & ((1 << SHALLOW_BITS) - 1) } else { 0 }
    }

    /// Keeps a count two plies above the leaves, in an empty place or in that of the oldest: all have cost the
    /// same. A count of 0, or one of more than 16 bits, is not kept.
    #[inline(always)]
    pub fn store_shallow(&self, key: u128, count: u32) {
        if count == 0 || count >> SHALLOW_BITS != 0 {
            return;
        }
        let CacheLine(checks, data) = &self.shallow[place(key, self.shallow.len())];
        let turn = &data[checks.len()];
        let place = turn.load(Relaxed) as usize % checks.len();
        turn.store(place as u32 + 1, Relaxed);
        let word = shallow_tag(key) << SHALLOW_BITS | count;
        checks[place].store(key as u64 ^ u64::from(word), Relaxed);
        data[place].store(word, Relaxed);
    }
}

/// The bits of the key beside the count of a shallow entry; none of them chooses the bucket.
#[inline(always)]
fn shallow_tag(key: u128) -> u32 {
    u32::from((key >> 64) as u16)
}

/// The bits of the key behind the counts of deep entries.
#[inline(always)]
fn deep_tag(key: u128) -> u32 {
    (key >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    fn random_key(rng: &mut SplitMix64) -> u128 {
        u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
    }

    /// How many of the 128 bits of a key make a difference to what is found.
    fn deciding_bits(found: impl Fn(u128) -> bool, key: u128) -> u32 {
        assert!(found(key));
        (0..128).map(|bit| u32::from(!found(key ^ 1 << bit))).sum()
    }

    #[test]
    fn what_is_kept_is_found_under_its_own_key_alone() {
        let mut rng = SplitMix64::new(0x5eed_0200);
        for megabytes in [0, 4, 5, 8, 33] {
            let table = CountTable::new(megabytes).unwrap();
            assert!(
                table.megabytes() >= 5.max(megabytes) - 1 && table.megabytes() <= 5.max(megabytes)
            );
            for _ in 0..2_000 {
                let key = random_key(&mut rng);
                assert_eq!((table.probe(key), table.probe_shallow(key)), (None, 0));
                let (count, small) = (1 + rng.next_u64() / 2, 1 + rng.below(65_535) as u32);
                table.store(key, u128::from(count));
                table.store_shallow(key, small);
                assert_eq!((table.probe(key), table.probe_shallow(key)), (Some(count), small));
                assert!(deciding_bits(|key| table.probe(key).is_some(), key) >= 96);
                assert!(deciding_bits(|key| table.probe_shallow(key) != 0, key) >= 96);
            }
        }
    }

    #[test]
    fn what_has_no_room_in_an_entry_is_not_kept() {
        for key in [0, 1, 1 << 64, u128::MAX] {
            let table = CountTable::new(5).unwrap();
            for count in [0, 1 << 64, u128::MAX] {
                table.store(key, count);
                assert_eq!(table.probe(key), None);
            }
            for count in [0, 1 << 16, u32::MAX] {
                table.store_shallow(key, count);
                assert_eq!(table.probe_shallow(key), 0);
            }
            table.store(key, u128::from(u64::MAX));
            table.store_shallow(key, 0xffff);
            assert_eq!((table.probe(key), table.probe_shallow(key)), (Some(u64::MAX), 0xffff));
        }
    }

    #[test]
    fn a_full_bucket_keeps_what_took_long_to_count() {
        let table = CountTable::new(5).unwrap();
        let key = |i: u128| 77 << 112 | i;
        for i in 0..10 {
            table.store(key(i), 1_000 + i);
        }
        assert_eq!(table.probe(key(9)), Some(1_009));
        assert_eq!((0..10).filter(|&i| table.probe(key(i)).is_some()).count(), 3);
        table.store(key(20), 1);
        assert_eq!(table.probe(key(20)), Some(1));
        for i in 0..100 {
            table.store_shallow(key(i), i as u32 + 1);
            assert_eq!(table.probe_shallow(key(i)), i as u32 + 1);
        }
        assert_eq!((0..100).filter(|&i| table.probe_shallow(key(i)) != 0).count(), 5);
    }

    #[test]
    fn writers_at_once_never_make_a_wrong_count() {
        // Few buckets and few keys, so that the threads meet in the same entries all the time; the count of a
        // key follows from it, so that any mixture of two writers would be seen.
        let table = CountTable::new(5).unwrap();
        let key = |i: u64| {
            let mut rng = SplitMix64::new(i);
            u128::from(i % 4) << 112 | random_key(&mut rng) >> 16
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, key) = (&table, &key);
                scope.spawn(move || {
                    let mut rng = SplitMix64::new(0x5eed_0201 + thread);
                    for _ in 0..400_000 {
                        let i = rng.below(64) as u64;
                        let (store, deep) = (rng.below(2) == 0, rng.below(2) == 0);
                        match (store, deep) {
                            (true, true) => table.store(key(i), u128::from(i * 1_000_003 + 1)),
                            (true, false) => table.store_shallow(key(i), i as u32 + 1),
                            (false, true) => {
                                let found = table.probe(key(i));
                                assert!(found.is_none_or(|count| count == i * 1_000_003 + 1));
                            }
                            (false, false) => {
                                let found = table.probe_shallow(key(i));
                                assert!(found == 0 || found == i as u32 + 1);
                            }
                        }
                    }
                });
            }
        });
    }
}
