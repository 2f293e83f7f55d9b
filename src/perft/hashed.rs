//! Perft with a hash table: each position is counted once a depth, whatever leads to it.
//!
//! The table has a fixed size, is shared by all threads without locks, and never gives a wrong count for
//! anything less than a coincidence of at least 96 random key bits: 16 or more choose the bucket, 80 more
//! are compared. What is counted is a [`Quantity`]: plain counts are kept in the entries below, columns of
//! statistics in those of `column_entries`. Called by `parallel`; knows no game.

use super::bucket::Bucket;
use super::column_entries::ColumnBucket;
use super::quantity::{Countable, Quantity};
use crate::game::{Columns, Kernel, MoveBuffer, WideKeyed};
use std::sync::atomic::{AtomicU64, Ordering};

/// A quantity that a table can keep.
pub trait Hashable: Quantity {
    /// How it is kept.
    type Bucket: Bucket<Quantity = Self>;
}

impl Hashable for u128 {
    type Bucket = CountBucket;
}

impl Hashable for Columns<u128> {
    type Bucket = ColumnBucket;
}

/// Bits of the second word that hold the count; the others hold part of the key.
const COUNT_BITS: u32 = 48;

/// Entries of a bucket.
const ENTRIES: usize = 4;

/// One cache line: four entries of two words. The first word is 64 bits of the key, exclusive-or the second
/// word, so that words of different writers never match (Hyatt and Mann, "A lock-less transposition table
/// implementation for parallel search chess engines", 2002). An empty entry has a second word of 0.
#[repr(align(64))]
#[derive(Default)]
pub struct CountBucket([[AtomicU64; 2]; ENTRIES]);

const _: () = assert!(size_of::<CountBucket>() == 64);

/// A table of counts by position and depth.
pub struct Table<Q: Hashable = u128> {
    buckets: Vec<Q::Bucket>,
}

/// The smallest table: 2¹⁵ buckets or more, so that bucket number and compared bits are 96 bits together.
const MIN_MEGABYTES: usize = 4;

impl<Q: Hashable> Table<Q> {
    /// A table of at most `megabytes` (2²⁰ bytes), but at least 4 MB; the size is the largest power of two
    /// that fits.
    ///
    /// # Errors
    /// If the system does not have that memory.
    pub fn new(megabytes: usize) -> Result<Self, String> {
        let rounded = 1usize << megabytes.max(MIN_MEGABYTES).ilog2();
        let refused = || format!("cannot get {rounded} MB of memory for the hash table");
        if available_megabytes().is_some_and(|free| rounded > free) {
            return Err(refused());
        }
        let count = rounded.checked_mul((1 << 20) / size_of::<Q::Bucket>()).ok_or_else(refused)?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refused())?;
        buckets.resize_with(count, Q::Bucket::default);
        Ok(Table { buckets })
    }

    /// The size in megabytes.
    pub fn megabytes(&self) -> usize {
        (self.buckets.len() * size_of::<Q::Bucket>()) >> 20
    }

    #[inline(always)]
    fn bucket(&self, key: u128) -> &Q::Bucket {
        // The length is a power of two of at least 2^15; the low bits of this half are compared instead.
        let high = (key >> 64) as u64;
        &self.buckets[(high >> Q::Bucket::TAG_BITS) as usize & (self.buckets.len() - 1)]
    }

    /// Reads a bucket ahead of `probe`, so that several cache misses overlap.
    #[inline(always)]
    fn touch(&self, key: u128) -> u64 {
        self.bucket(key).touch()
    }

    #[inline(always)]
    fn probe(&self, key: u128) -> Option<Q> {
        self.bucket(key).probe(key)
    }

    #[inline(always)]
    fn store(&self, key: u128, counted: Q) {
        self.bucket(key).store(key, counted);
    }
}

impl CountBucket {
    /// The part of the key that the second word holds, above the count.
    #[inline(always)]
    fn tag(key: u128) -> u64 {
        (key >> 64) as u64 & 0xffff
    }
}

impl Bucket for CountBucket {
    type Quantity = u128;
    const TAG_BITS: u32 = u64::BITS - COUNT_BITS;

    #[inline(always)]
    fn touch(&self) -> u64 {
        self.0[0][1].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn probe(&self, key: u128) -> Option<u128> {
        for [check, data] in &self.0 {
            let data = data.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ data == key as u64
                && data >> COUNT_BITS == Self::tag(key)
                && data != 0
            {
                return Some(u128::from(data & ((1 << COUNT_BITS) - 1)));
            }
        }
        None
    }

    #[inline(always)]
    fn store(&self, key: u128, count: u128) {
        let Some(count) = u64::try_from(count).ok().filter(|&n| n >> COUNT_BITS == 0) else {
            return;
        };
        let data = Self::tag(key) << COUNT_BITS | count;
        if data == 0 {
            return; // would read as empty; such a position has no moves and is counted at once anyway
        }
        let size = |entry: &[AtomicU64; 2]| {
            let data = entry[1].load(Ordering::Relaxed);
            if data == 0 { 0 } else { (data & ((1 << COUNT_BITS) - 1)) + 1 }
        };
        if let Some([check, old]) = self.0.iter().min_by_key(|entry| size(entry)) {
            check.store(key as u64 ^ data, Ordering::Relaxed);
            old.store(data, Ordering::Relaxed);
        }
    }
}

/// Memory that the system could give in megabytes, where it says so (Linux).
pub fn available_megabytes() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// What every node of a hashed walk uses.
pub struct Context<'a, P: WideKeyed, Q: Hashable> {
    /// The shared table.
    pub table: &'a Table<Q>,
    /// The keys of the run's seed.
    pub keys: &'a P::Keys,
    /// The leaf counter.
    pub kernel: Kernel,
}

/// Numbers that keep counts of one position at different depths apart.
fn depth_key(depth: u32) -> u128 {
    let mut rng = crate::base::rng::SplitMix64::new(u64::from(depth));
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// What is counted in the sequences of `depth` plies from `pos`.
pub fn perft<P: WideKeyed, Q: Hashable + Countable<P>>(
    pos: &P,
    depth: u32,
    context: &Context<'_, P, Q>,
) -> Q {
    let key = pos.wide_key(context.keys);
    let depth_keys: Vec<u128> = (0..=depth).map(depth_key).collect();
    if depth < Q::min_hash_depth(context.kernel) {
        return walk(pos, key, depth, &depth_keys, context);
    }
    let entry = key ^ depth_keys[depth as usize];
    if let Some(count) = context.table.probe(entry) {
        return count;
    }
    let count = walk(pos, key, depth, &depth_keys, context);
    context.table.store(entry, count);
    count
}

/// The most moves whose buckets are fetched together.
const BATCH: usize = 256;

fn walk<P: WideKeyed, Q: Hashable + Countable<P>>(
    pos: &P,
    key: u128,
    depth: u32,
    depth_keys: &[u128],
    context: &Context<'_, P, Q>,
) -> Q {
    if depth <= Q::min_hash_depth(context.kernel) {
        return Q::count(pos, depth, context.kernel);
    }
    let mut list = P::List::default();
    pos.legal_moves(&mut list);
    let moves = list.as_slice();
    let mut total = Q::default();
    let mut keys = [0u128; BATCH];
    for batch in moves.chunks(BATCH) {
        for (slot, &m) in keys.iter_mut().zip(batch) {
            *slot = pos.wide_key_after(context.keys, key, m);
        }
        // One short loop over all buckets: the CPU looks far enough ahead to let the misses overlap.
        let touch = |&key: &u128| context.table.touch(key ^ depth_keys[depth as usize - 1]);
        std::hint::black_box(keys[..batch.len()].iter().map(touch).fold(0, |sum, word| sum ^ word));
        for (&child_key, &m) in keys.iter().zip(batch) {
            let entry = child_key ^ depth_keys[depth as usize - 1];
            total += match context.table.probe(entry) {
                Some(count) => count,
                None => {
                    let mut child = *pos;
                    child.make(m);
                    let count = walk(&child, child_key, depth - 1, depth_keys, context);
                    context.table.store(entry, count);
                    count
                }
            };
        }
    }
    total
}
