//! The hash table for plain counts: counts by position and depth, shared by all threads without locks.
//!
//! A wrong count would require at least 96 random key bits to coincide: entries two plies
//! above the leaves, by far the most frequent, compare 80 bits and select the bucket by at least 16 more; all other
//! entries compare 96 bits.

use super::hash_table::{HashTable, MIN_MEGABYTES, Wide, array, cache_lines, place};
use crate::base::pages::HashError;
use crate::base::pages::{CacheLine, ZeroedArray};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bucket of counts two plies above the leaves: five entries of twelve bytes in a cache line. The 32-bit word holds
/// 16 key bits above the 16-bit count. The 64-bit word holds 64 key bits XORed with the 32-bit word, so that words of
/// different writers never match (Hyatt and Mann, "A lock-less transposition table implementation for parallel search
/// chess engines", 2002). An entry without a count is empty. Entries are replaced in turn; the sixth 32-bit word is
/// the index of the next one.
type ShallowBucket = CacheLine<[AtomicU64; 5], [AtomicU32; 6]>;

/// Bucket of counts further from the leaves: three entries of twenty bytes in a cache line. The first word holds 64
/// key bits XORed with the count, the second the count; the 32-bit words hold 32 more key bits. A count of 0 marks an
/// empty entry. A count of 2⁶⁴ or more fits no entry.
type DeepBucket = CacheLine<[[AtomicU64; 2]; 3], [AtomicU32; 4]>;

const _: () = assert!(size_of::<ShallowBucket>() == 64 && size_of::<DeepBucket>() == 64);

/// Bits of the count in a shallow entry: at most 218 · 218 in chess.
const SHALLOW_BITS: u32 = 16;

/// With fewer shallow buckets, selecting the bucket would use less than 16 key bits.
const MIN_SHALLOW: usize = 1 << 16;

const _: () = assert!(MIN_SHALLOW < MIN_MEGABYTES << 14);

/// One bucket in two is shallow. Ten times as many positions are shallow, but counting three plies is slow, while
/// counting two is hardly slower than a cache miss, so a table that is too small should favour the deep entries.
const SHALLOW_SHARE: usize = 2;

/// The depth of shallow entries.
pub const SHALLOW_DEPTH: u32 = 2;

/// A table of counts by position and depth.
pub struct CountTable {
    shallow: ZeroedArray<ShallowBucket>,
    deep: ZeroedArray<DeepBucket>,
    wide: Wide<u128>,
}

impl HashTable<u128> for CountTable {
    fn new(megabytes: usize) -> Result<Self, HashError> {
        let lines = cache_lines(megabytes)?;
        let shallow = (lines / SHALLOW_SHARE).max(MIN_SHALLOW);
        let deep = array(lines - shallow, megabytes)?;
        Ok(CountTable { shallow: array(shallow, megabytes)?, deep, wide: Wide::new(megabytes) })
    }
    fn megabytes(&self) -> usize {
        ((self.shallow.len() + self.deep.len()) * 64) >> 20
    }
    fn large_page_megabytes(&self) -> Option<usize> {
        Some((self.shallow.large_page_bytes()? + self.deep.large_page_bytes()?) >> 20)
    }
    #[inline(always)]
    fn prefetch(&self, key: u128) {
        self.deep.prefetch(place(key, self.deep.len()));
    }
    #[inline(always)]
    fn find(&self, key: u128) -> Option<u128> {
        let CacheLine(entries, tags) = &self.deep[place(key, self.deep.len())];
        for ([check, count], tag) in entries.iter().zip(tags) {
            let count = count.load(Relaxed);
            if tag.load(Relaxed) == deep_tag(key) && check.load(Relaxed) ^ count == key as u64 && count != 0 {
                return Some(u128::from(count));
            }
        }
        None
    }
    #[inline(always)]
    fn enter(&self, key: u128, count: u128) -> bool {
        let Ok(count) = u64::try_from(count) else { return false };
        if count == 0 {
            return true;
        }
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
        true
    }
    fn wide(&self) -> &Wide<u128> {
        &self.wide
    }
}

impl CountTable {
    /// Prefetches the bucket of [`CountTable::probe_shallow`].
    #[inline(always)]
    pub fn prefetch_shallow(&self, key: u128) {
        self.shallow.prefetch(place(key, self.shallow.len()));
    }

    /// The stored count two plies above the leaves, or 0. If the keys of two positions in a bucket agree in the low
    /// 64 bits, one may be missed, but they are never confused.
    #[inline(always)]
    pub fn probe_shallow(&self, key: u128) -> u32 {
        let CacheLine(checks, data) = &self.shallow[place(key, self.shallow.len())];
        let mut found = 0;
        // No branches, because hits and misses are equally frequent. The loop runs from the last entry to the first,
        // because empty entries, which match a key of zeros, come after those in use.
        for (check, data) in checks.iter().zip(data).rev() {
            let word = data.load(Relaxed);
            let same = check.load(Relaxed) ^ u64::from(word) == key as u64;
            found = if same { word } else { found };
        }
        let same = found >> SHALLOW_BITS == shallow_tag(key);
        if same { found & ((1 << SHALLOW_BITS) - 1) } else { 0 }
    }

    /// Stores a count two plies above the leaves in an empty entry or replaces the oldest one, since all cost the
    /// same. Counts of 0 and of more than 16 bits are not stored.
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

/// The key bits next to the count in a shallow entry; none of them selects the bucket.
#[inline(always)]
fn shallow_tag(key: u128) -> u32 {
    u32::from((key >> 64) as u16)
}

/// The extra key bits of deep entries.
#[inline(always)]
fn deep_tag(key: u128) -> u32 {
    (key >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::perft::hash_table::WIDE_DEPTH;

    fn random_key(rng: &mut SplitMix64) -> u128 {
        u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
    }

    /// How many of the 128 key bits affect whether the entry is found.
    fn deciding_bits(found: impl Fn(u128) -> bool, key: u128) -> u32 {
        assert!(found(key));
        (0..128).map(|bit| u32::from(!found(key ^ 1 << bit))).sum()
    }

    #[test]
    fn entries_are_found_only_by_their_own_key() {
        let mut rng = SplitMix64::new(0x5eed_0200);
        for megabytes in [0, 4, 5, 8, 33] {
            let table = CountTable::new(megabytes).unwrap();
            assert!(table.megabytes() >= 5.max(megabytes) - 1 && table.megabytes() <= 5.max(megabytes));
            for _ in 0..2_000 {
                let key = random_key(&mut rng);
                assert_eq!((table.find(key), table.probe_shallow(key)), (None, 0));
                let (count, small) = (1 + u128::from(rng.next_u64() / 2), 1 + rng.below(65_535) as u32);
                table.store(key, WIDE_DEPTH, count);
                table.store_shallow(key, small);
                assert_eq!((table.find(key), table.probe_shallow(key)), (Some(count), small));
                assert!(deciding_bits(|key| table.find(key).is_some(), key) >= 96);
                assert!(deciding_bits(|key| table.probe_shallow(key) != 0, key) >= 96);
            }
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_not_stored() {
        for key in [0, 1, 1 << 64, u128::MAX] {
            let table = CountTable::new(5).unwrap();
            table.store(key, WIDE_DEPTH, 0);
            assert_eq!(table.probe(key, WIDE_DEPTH), None);
            for count in [0, 1 << 16, u32::MAX] {
                table.store_shallow(key, count);
                assert_eq!(table.probe_shallow(key), 0);
            }
            for count in [1 << 64, u128::MAX] {
                table.store(key, WIDE_DEPTH - 1, count);
                assert_eq!(table.probe(key, WIDE_DEPTH), None);
            }
            table.store(key, WIDE_DEPTH, u128::from(u64::MAX));
            table.store_shallow(key, 0xffff);
            assert_eq!((table.find(key), table.probe_shallow(key)), (Some(u128::from(u64::MAX)), 0xffff));
        }
    }

    #[test]
    fn counts_above_64_bits_are_found_by_their_own_key() {
        let mut rng = SplitMix64::new(0x5eed_0202);
        let table = CountTable::new(5).unwrap();
        for shift in 64..128 {
            let (key, count) = (random_key(&mut rng), random_key(&mut rng) >> (127 - shift) | 1 << shift);
            table.store(key, WIDE_DEPTH, count);
            assert_eq!((table.probe(key, WIDE_DEPTH), table.probe(key, WIDE_DEPTH - 1)), (Some(count), None));
            assert_eq!(deciding_bits(|key| table.probe(key, WIDE_DEPTH).is_some(), key), 128);
        }
    }

    #[test]
    fn a_full_bucket_keeps_the_largest_counts() {
        let table = CountTable::new(5).unwrap();
        let key = |i: u128| 77 << 112 | i;
        for i in 0..10 {
            table.store(key(i), WIDE_DEPTH, 1_000 + i);
        }
        assert_eq!(table.find(key(9)), Some(1_009));
        assert_eq!((0..10).filter(|&i| table.find(key(i)).is_some()).count(), 3);
        table.store(key(20), WIDE_DEPTH, 1);
        assert_eq!(table.find(key(20)), Some(1));
        for i in 0..100 {
            table.store_shallow(key(i), i as u32 + 1);
            assert_eq!(table.probe_shallow(key(i)), i as u32 + 1);
        }
        assert_eq!((0..100).filter(|&i| table.probe_shallow(key(i)) != 0).count(), 5);
    }

    #[test]
    fn concurrent_writers_never_produce_a_wrong_count() {
        // Few buckets and few keys, so that threads collide in the same entries all the time. Each count follows from
        // its key, so any mixture of two writers is detected.
        let table = CountTable::new(5).unwrap();
        let key = |i: u64| {
            let mut rng = SplitMix64::new(i);
            u128::from(i % 4) << 112 | random_key(&mut rng) >> 16
        };
        let count = |i: u64| u128::from(i * 1_000_003 + 1);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, key, count) = (&table, &key, &count);
                scope.spawn(move || {
                    let mut rng = SplitMix64::new(0x5eed_0201 + thread);
                    for _ in 0..400_000 {
                        let i = rng.below(64) as u64;
                        let (store, deep) = (rng.below(2) == 0, rng.below(2) == 0);
                        match (store, deep) {
                            (true, true) => table.store(key(i), WIDE_DEPTH, count(i)),
                            (true, false) => table.store_shallow(key(i), i as u32 + 1),
                            (false, true) => {
                                let found = table.find(key(i));
                                assert!(found.is_none_or(|found| found == count(i)));
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
