//! The transposition table: what earlier searches found out about a position. Knows no game.
//!
//! Shared by all search threads without locks: an entry is two words, the second holds the data and the
//! first the key combined with it, so an entry that two threads have torn apart matches no key (Robert
//! Hyatt and Tim Mann, "A lock-less transposition table", 2002). The memory comes zeroed from the system, so a
//! table of any size is ready at once; nothing here touches more of it than searches do, but for `clear`.

use super::score::{Bound, NONE, Score};
use crate::base::pages::{CacheLine, ZeroedArray};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Packed best move, 0 if unknown.
    pub m: u16,
    /// Score in table form (see `score::to_table`).
    pub score: Score,
    /// Static evaluation, or `score::NONE`.
    pub eval: Score,
    /// Remaining depth of the search that found it, 0 for quiescence; at most 255.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// Whether it was found on a principal variation.
    pub pv: bool,
}

const AGES: u64 = 32;

/// Data word: move 0–15, score 16–31, evaluation 32–47, depth 48–55, bound 56–57, pv 58, age 59–63.
fn pack(entry: &Entry, age: u64) -> u64 {
    u64::from(entry.m)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.pv) << 58
        | (age % AGES) << 59
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        m: data as u16,
        score: Score::from((data >> 16) as u16 as i16),
        eval: Score::from((data >> 32) as u16 as i16),
        depth: (data >> 48 & 255) as i32,
        bound,
        pv: data >> 58 & 1 != 0,
    })
}

const _: () = assert!(NONE <= i16::MAX as Score);

/// Key (combined with the data) and data.
type Slot = [AtomicU64; 2];

/// Four entries, one cache line.
type Bucket = CacheLine<[Slot; 4], [AtomicU64; 0]>;

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

/// Tables of more buckets than this, 64 MiB, are rather replaced than cleared.
const CLEARED_IN_PLACE: usize = 1 << 20;

/// More threads do not clear less than so many buckets each: 4 MiB take a millisecond.
const CLEARED_BY_ONE: usize = 1 << 16;

/// The memory for a table could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashError {
    /// What was asked for.
    pub megabytes: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a hash table of {} MB", self.megabytes)
    }
}

impl std::error::Error for HashError {}

/// The table.
pub struct Table {
    buckets: ZeroedArray<Bucket>,
    age: AtomicU8,
    /// Whether anything may have been stored since the table was empty.
    used: AtomicBool,
}

impl Table {
    /// An empty table of `megabytes` (at least 1) mebibytes, in the same short time for every size.
    ///
    /// # Errors
    /// If the system says that it does not have so much memory.
    pub fn new(megabytes: usize) -> Result<Table, HashError> {
        let error = HashError { megabytes };
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let buckets = ZeroedArray::new(bytes / size_of::<Bucket>()).ok_or(error)?;
        Ok(Table { buckets, age: AtomicU8::new(0), used: AtomicBool::new(false) })
    }

    /// An empty table of the same size to put in the place of this one, if that is better than to clear it: the
    /// system takes back gigabytes in the time in which megabytes are written, and what no search has touched
    /// need not be had at all. `None` for small tables, for unused ones, and where there is not so much memory.
    pub fn replacement(&self) -> Option<Table> {
        let is_large = self.buckets.len() > CLEARED_IN_PLACE;
        let bytes = self.buckets.len() * size_of::<Bucket>();
        if is_large && self.used.load(Relaxed) { Table::new(bytes >> 20).ok() } else { None }
    }

    /// Forgets everything, with so many threads. A table that has not been used is left alone: to write to it
    /// would only take its memory from the system earlier.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Relaxed);
        if !self.used.swap(false, Relaxed) {
            return;
        }
        let clear = |buckets: &[Bucket]| {
            for word in buckets.iter().flat_map(|bucket| bucket.0.as_flattened()) {
                word.store(0, Relaxed);
            }
        };
        let share = self.buckets.len().div_ceil(threads.max(1)).max(CLEARED_BY_ONE);
        std::thread::scope(|scope| {
            let mut shares = self.buckets.chunks(share);
            let own = shares.next().unwrap_or_default();
            for part in shares {
                let helper = std::thread::Builder::new().spawn_scoped(scope, move || clear(part));
                if helper.is_err() {
                    clear(part); // no more threads to be had
                }
            }
            clear(own);
        });
    }

    /// A new search begins: entries of older ones are replaced first.
    pub fn next_age(&self) {
        self.note_use();
        self.age.fetch_add(1, Relaxed);
    }

    /// Notes that something is going to be stored.
    pub fn note_use(&self) {
        self.used.store(true, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Brings the entries of `key` nearer, for a `probe` that follows soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.index(key));
    }

    /// What is known about the position of `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == key { unpack(data) } else { None }
        })
    }

    /// Keeps `entry` for the position of `key`, in place of the least valuable of four.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = u64::from(self.age.load(Relaxed)) % AGES;
        let (mut victim, mut least) = (0, i32::MAX);
        let bucket = self.bucket(key);
        for (i, slot) in bucket.0.iter().enumerate() {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key {
                let Some(old) = unpack(data) else {
                    victim = i;
                    break;
                };
                if entry.m == 0 {
                    entry.m = old.m;
                }
                // A deeper result of this search is worth more than a shallow new bound.
                let current = data >> 59 == age;
                if current && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                    return;
                }
                victim = i;
                break;
            }
            let staleness = (age.wrapping_sub(data >> 59) % AGES) as i32;
            let worth = if data == 0 {
                i32::MIN
            } else {
                (data >> 48 & 255) as i32 - 8 * staleness + i32::from(data >> 56 & 3 == 3)
            };
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        let data = pack(&entry, age);
        let [check, word] = &bucket.0[victim];
        check.store(key ^ data, Relaxed);
        word.store(data, Relaxed);
    }

    /// How full the table is with results of this search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let age = u64::from(self.age.load(Relaxed)) % AGES;
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|[_, data]| {
                let data = data.load(Relaxed);
                data != 0 && data >> 59 == age
            })
            .count();
        (used * 1000 / (sample.len() * 4)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    fn random_entry(rng: &mut SplitMix64) -> Entry {
        Entry {
            m: rng.next_u64() as u16,
            score: rng.below(64_001) as Score - 32_000,
            eval: if rng.below(4) == 0 { NONE } else { rng.below(40_001) as Score - 20_000 },
            depth: rng.below(256) as i32,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3)],
            pv: rng.below(2) == 1,
        }
    }

    #[test]
    fn packing_keeps_every_field() {
        let mut rng = SplitMix64::new(7);
        for _ in 0..10_000 {
            let entry = random_entry(&mut rng);
            let data = pack(&entry, rng.next_u64());
            assert_eq!(unpack(data), Some(entry));
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn what_is_stored_is_found_and_strangers_are_not() {
        let table = Table::new(1).unwrap();
        let mut rng = SplitMix64::new(8);
        for _ in 0..1_000 {
            let (key, entry) = (rng.next_u64(), random_entry(&mut rng));
            assert_eq!(table.probe(key), None);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_is_used_again() {
        // Shares that do not come out even, and one thread more than there are shares.
        for (megabytes, threads) in [(1, 1), (13, 3), (9, 64), (1, 0)] {
            let table = Table::new(megabytes).unwrap();
            let mut rng = SplitMix64::new(10);
            for _ in 0..2 {
                table.next_age();
                let stored: Vec<_> =
                    (0..50_000).map(|_| (rng.next_u64(), random_entry(&mut rng))).collect();
                for &(key, entry) in &stored {
                    table.store(key, entry);
                }
                assert!(table.permille() > 0);
                table.clear(threads);
                assert!(stored.iter().all(|&(key, _)| table.probe(key).is_none()));
                let words = || table.buckets.iter().flat_map(|b| b.0.as_flattened());
                assert!(words().all(|word| word.load(Relaxed) == 0));
                assert_eq!((words().count() * 8, table.permille()), (megabytes << 20, 0));
            }
        }
    }

    #[test]
    fn only_large_tables_that_were_used_are_replaced() {
        for (megabytes, large) in [(1, false), (64, false), (65, true), (300, true)] {
            let table = Table::new(megabytes).unwrap();
            assert!(table.replacement().is_none());
            table.next_age();
            let (key, entry) = (1 << 63 | 77, random_entry(&mut SplitMix64::new(11)));
            table.store(key, entry);
            let replacement = table.replacement();
            assert_eq!(replacement.is_some(), large, "{megabytes}");
            let Some(replacement) = replacement else { continue };
            assert_eq!(replacement.buckets.len(), table.buckets.len());
            assert_eq!((replacement.probe(key), table.probe(key)), (None, Some(entry)));
        }
    }

    #[test]
    fn a_torn_entry_matches_no_key() {
        let table = Table::new(1).unwrap();
        let mut rng = SplitMix64::new(9);
        let (key, entry) = (rng.next_u64(), random_entry(&mut rng));
        table.store(key, entry);
        let other = pack(&random_entry(&mut rng), 3);
        let bucket = table.bucket(key);
        bucket.0[0][1].store(other, Relaxed);
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(Table::new(usize::MAX / 2).is_err());
        assert!(Table::new(1 << 42).is_err());
    }
}
