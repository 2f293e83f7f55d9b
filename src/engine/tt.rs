//! The transposition table: what earlier searches found out about a position. Knows no game.
//!
//! Shared by all search threads without locks: an entry is two words, the second holds the data and the
//! first the key combined with it, so an entry that two threads have torn apart matches no key (Robert
//! Hyatt and Tim Mann, "A lock-less transposition table", 2002).

use super::score::{Bound, NONE, Score};
use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

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

/// Four entries, one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

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
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// An empty table of `megabytes` (at least 1) mebibytes.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(megabytes: usize) -> Result<Table, HashError> {
        let error = HashError { megabytes };
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let count = bytes / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| error)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table { buckets, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in self.buckets.iter().flat_map(|b| &b.0) {
            word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// A new search begins: entries of older ones are replaced first.
    pub fn next_age(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Brings the entries of `key` nearer, for a `probe` that follows soon: the load is issued here and
    /// nothing waits for it.
    #[inline(always)]
    pub fn touch(&self, key: u64) {
        std::hint::black_box(self.bucket(key).0[0].load(Relaxed));
    }

    /// What is known about the position of `key`.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.0.chunks_exact(2).find_map(|entry| {
            let data = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ data == key { unpack(data) } else { None }
        })
    }

    /// Keeps `entry` for the position of `key`, in place of the least valuable of four.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = u64::from(self.age.load(Relaxed)) % AGES;
        let (mut victim, mut least) = (0, i32::MAX);
        for (i, slot) in self.bucket(key).0.chunks_exact(2).enumerate() {
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
        let slot = &self.bucket(key).0[2 * victim..2 * victim + 2];
        slot[0].store(key ^ data, Relaxed);
        slot[1].store(data, Relaxed);
    }

    /// How full the table is with results of this search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let age = u64::from(self.age.load(Relaxed)) % AGES;
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.0.chunks_exact(2))
            .filter(|slot| {
                let data = slot[1].load(Relaxed);
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
        table.clear();
        assert_eq!(table.permille(), 0);
    }

    #[test]
    fn a_torn_entry_matches_no_key() {
        let table = Table::new(1).unwrap();
        let mut rng = SplitMix64::new(9);
        let (key, entry) = (rng.next_u64(), random_entry(&mut rng));
        table.store(key, entry);
        let other = pack(&random_entry(&mut rng), 3);
        let bucket = table.bucket(key);
        bucket.0[1].store(other, Relaxed);
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(Table::new(usize::MAX / 2).is_err());
        assert!(Table::new(1 << 42).is_err());
    }
}
