//! The transposition table. It depends on no game.
//!
//! All search threads share it without locks. An entry is two words: the data, and the key XORed with the data. If
//! two threads write an entry at the same time, the torn entry matches no key (Robert Hyatt and Tim Mann, "A
//! lock-less transposition table", 2002). The memory comes zeroed from the operating system, so a table of any size
//! is ready at once, and a new one is the fastest way to an empty one.

use super::score::{Bound, NONE, Value};
use crate::base::pages::{CacheLine, HashError, ZeroedLines, prefetch};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A table entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Packed best move, 0 if unknown.
    pub m: u16,
    /// Score in table form (see `score::to_tt`).
    pub score: Value,
    /// Static evaluation, or `score::NONE`.
    pub eval: Value,
    /// Search depth, at most 255; 0 for quiescence search.
    pub depth: i32,
    /// The bound type of the score.
    pub bound: Bound,
    /// Whether the node was on a principal variation.
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
        score: Value::from((data >> 16) as u16 as i16),
        eval: Value::from((data >> 32) as u16 as i16),
        depth: (data >> 48 & 255) as i32,
        bound,
        pv: data >> 58 & 1 != 0,
    })
}

const _: () = assert!(NONE <= i16::MAX as Value);

/// Four entries: key XOR data, and data.
type Bucket = CacheLine;

/// The table.
pub struct Table {
    buckets: ZeroedLines,
    age: AtomicU8,
}

impl Table {
    /// An empty table of `megabytes` mebibytes (at least 1). Takes about the same short time for every size.
    ///
    /// # Errors
    /// If the system cannot provide the memory.
    pub fn new(megabytes: usize) -> Result<Table, HashError> {
        let error = HashError { megabytes };
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let buckets = ZeroedLines::new(bytes / size_of::<Bucket>()).ok_or(error)?;
        Ok(Table { buckets, age: AtomicU8::new(0) })
    }

    /// A table without entries, until there is another: it must not be used.
    pub fn none() -> Table {
        let buckets = ZeroedLines::new(0).expect("memory for less than two lines");
        Table { buckets, age: AtomicU8::new(0) }
    }

    /// Its size in mebibytes.
    pub fn megabytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Starts a new search: entries of older searches are replaced first.
    pub fn next_age(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Prefetches the entries of `key` for a `probe` that follows soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.buckets, self.index(key));
    }

    /// The entry of `key`, if there is one.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == key { unpack(data) } else { None }
        })
    }

    /// Stores `entry` for `key`. Replaces an entry of the same key, or else the least valuable of the four in the
    /// bucket. Keeps a much deeper entry of this search unless the new one is exact.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = u64::from(self.age.load(Relaxed)) % AGES;
        let (mut victim, mut lowest) = (0, i32::MAX);
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
                // A much deeper result of the same search is kept, unless the new score is exact.
                let current = data >> 59 == age;
                if current && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                    return;
                }
                victim = i;
                break;
            }
            let staleness = (age.wrapping_sub(data >> 59) % AGES) as i32;
            let value = if data == 0 {
                i32::MIN
            } else {
                (data >> 48 & 255) as i32 - 8 * staleness + i32::from(data >> 56 & 3 == 3)
            };
            if value < lowest {
                (victim, lowest) = (i, value);
            }
        }
        let data = pack(&entry, age);
        let [check, word] = &bucket.0[victim];
        check.store(key ^ data, Relaxed);
        word.store(data, Relaxed);
    }

    /// Share of entries written by the current search, in thousandths, from a sample of the first buckets.
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
            score: rng.below(64_001) as Value - 32_000,
            eval: if rng.below(4) == 0 { NONE } else { rng.below(40_001) as Value - 20_000 },
            depth: rng.below(256) as i32,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3)],
            pv: rng.below(2) == 1,
        }
    }

    #[test]
    fn packing_round_trips() {
        let mut rng = SplitMix64::new(7);
        for _ in 0..10_000 {
            let entry = random_entry(&mut rng);
            let data = pack(&entry, rng.next_u64());
            assert_eq!(unpack(data), Some(entry));
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn stored_keys_are_found_and_others_are_not() {
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
    fn an_entry_without_a_move_keeps_the_one_before() {
        let table = Table::new(1).unwrap();
        let entry = Entry { m: 77, depth: 3, ..random_entry(&mut SplitMix64::new(10)) };
        table.store(5, entry);
        table.store(5, Entry { m: 0, ..entry });
        assert_eq!(table.probe(5), Some(entry));
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
