//! The positions of a ply in memory: records in blocks, by partitions.
//!
//! Threads write at the same time, each into blocks of its own, and hand over a block when it is full. The order of
//! the records of a partition depends on the threads; what is counted does not.
//!
//! Blocks that have been read are kept for the next ones. An allocator would keep them too, but many (that of glibc is
//! one) for the thread that they came from: what one thread has freed is of no use to the others.

use crate::base::lock::lock;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// A position with the number of sequences that lead to it.
#[derive(Clone, Copy)]
pub struct Record<K> {
    /// The position, packed.
    pub key: K,
    /// The number of sequences in the low bits, and above them the number of the root move that they begin with.
    pub ways: Ways,
}

/// The number of sequences from one root move to one position. Divides tell root moves apart, totals have root 0 only.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Ways(u64);

impl Ways {
    /// Bits for the number of sequences. The others suffice for `MOST_MOVES` root moves.
    const BITS: u32 = 55;
    const MOST: u64 = (1 << Self::BITS) - 1;

    /// One sequence.
    pub const ONE: Ways = Ways(1);

    /// One sequence that begins with this root move.
    pub fn through(root: usize) -> Ways {
        debug_assert!(root < crate::game::MOST_MOVES && crate::game::MOST_MOVES <= 1 << (u64::BITS - Self::BITS));
        Ways((root as u64) << Self::BITS | 1)
    }

    /// The root move.
    #[inline(always)]
    pub fn root(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    /// The number of sequences.
    #[inline(always)]
    pub fn number(self) -> u64 {
        self.0 & Self::MOST
    }

    /// No sequence, with the same root move.
    #[inline(always)]
    pub fn none(self) -> Ways {
        Ways(self.0 & !Self::MOST)
    }

    /// The sum, and whether it is too large. `other` has the same root move.
    #[inline(always)]
    pub fn plus(self, other: Ways) -> (Ways, bool) {
        let sum = self.number() + other.number();
        (Ways(self.none().0 | sum & Self::MOST), sum > Self::MOST)
    }
}

/// Records are handed over in blocks of this many.
pub const BLOCK: usize = 64;

/// The most pieces of a side.
pub const MOST_PIECES: usize = 16;

/// Where the records of a ply belong: by the number of the resting side's pieces, its *level*, and by a part of the
/// range of the hash of what it has.
#[derive(Clone, Debug)]
pub struct Share {
    /// The range of the hash is divided into `of` parts, and this is number `index` of them.
    index: u64,
    of: u64,
    /// For each level, its first partition and the number of its partitions.
    levels: [(usize, usize); MOST_PIECES + 1],
}

impl Share {
    /// The first part of `of`, with this number of partitions for each level.
    pub fn new(of: usize, partitions: [usize; MOST_PIECES + 1]) -> Share {
        let mut next = 0;
        let levels = partitions.map(|len| {
            let first = next;
            next += len;
            (first, len)
        });
        Share { index: 0, of: of as u64, levels }
    }

    /// The share of part number `index`.
    pub fn part(&self, index: usize) -> Share {
        Share { index: index as u64, ..*self }
    }

    /// The number of partitions.
    pub fn partitions(&self) -> usize {
        let (first, len) = self.levels[MOST_PIECES];
        first + len
    }

    /// The partitions of each level, the most pieces first.
    pub fn levels(&self) -> impl Iterator<Item = Range<usize>> {
        self.levels.into_iter().rev().map(|(first, len)| first..first + len)
    }

    /// The partition for this number of pieces and this hash; `None` outside, and beyond `limit`, a part of the range
    /// of all 64 bits.
    #[inline(always)]
    pub fn place(&self, pieces: usize, hash: u64, limit: u64) -> Option<usize> {
        let product = u128::from(hash) * u128::from(self.of);
        let (part, rest) = ((product >> 64) as u64, product as u64);
        let (first, len) = self.levels[pieces];
        debug_assert!(len > 0);
        let place = first + ((u128::from(rest) * len as u128) >> 64) as usize;
        (part == self.index && rest <= limit).then_some(place)
    }
}

/// The number of free blocks that a thread takes at a time.
const SPARE: usize = 16;

/// Up to [`BLOCK`] records.
type Block<K> = Vec<Record<K>>;

/// The records of a ply.
pub struct Store<K> {
    pub share: Share,
    partitions: Vec<Mutex<Vec<Block<K>>>>,
    records: AtomicU64,
    /// Empty blocks for this store and others.
    free: Arc<Mutex<Vec<Block<K>>>>,
}

impl<K: Copy> Store<K> {
    /// Empty partitions.
    pub fn new(share: Share) -> Self {
        Store::of(share, Arc::default())
    }

    /// Empty partitions that use the blocks which this store has no more use for, and the other way round.
    pub fn beside(&self, share: Share) -> Self {
        Store::of(share, Arc::clone(&self.free))
    }

    fn of(share: Share, free: Arc<Mutex<Vec<Block<K>>>>) -> Self {
        let partitions = (0..share.partitions()).map(|_| Mutex::new(Vec::new())).collect();
        Store { share, partitions, records: AtomicU64::new(0), free }
    }

    /// The number of records ever written.
    pub fn records(&self) -> u64 {
        self.records.load(Relaxed)
    }

    /// About how many bytes the records take.
    pub fn bytes(&self) -> usize {
        let records = self.records() as usize;
        records * size_of::<Record<K>>() + records / BLOCK * size_of::<Vec<Record<K>>>()
    }

    /// The number of records in a partition.
    pub fn len(&self, partition: usize) -> usize {
        lock(&self.partitions[partition]).iter().map(Vec::len).sum()
    }

    /// Whether a partition has no records.
    pub fn is_empty(&self, partition: usize) -> bool {
        lock(&self.partitions[partition]).is_empty()
    }

    /// Calls `visit` with every record.
    pub fn for_each(&self, mut visit: impl FnMut(&Record<K>)) {
        for partition in &self.partitions {
            lock(partition).iter().flatten().for_each(&mut visit);
        }
    }

    /// Calls `read` with the blocks of a partition. With `last` they are free afterwards.
    pub fn read<T>(&self, partition: usize, last: bool, read: impl FnOnce(&[Block<K>]) -> T) -> T {
        let mut blocks = lock(&self.partitions[partition]);
        let result = read(&blocks);
        if last {
            let mut blocks = std::mem::take(&mut *blocks);
            // The last ones of a thread are smaller.
            blocks.retain(|block| block.capacity() >= BLOCK);
            blocks.iter_mut().for_each(Vec::clear);
            lock(&self.free).append(&mut blocks);
        }
        result
    }

    /// A writer, for one thread.
    pub fn writer(&self) -> Writer<'_, K> {
        let open = self.partitions.iter().map(|_| Vec::new()).collect();
        Writer { store: self, open, spare: Vec::new(), records: 0 }
    }
}

/// Writes into all partitions. What it has written is in the store once it has been dropped.
pub struct Writer<'a, K: Copy> {
    store: &'a Store<K>,
    open: Vec<Block<K>>,
    /// Empty blocks.
    spare: Vec<Block<K>>,
    records: u64,
}

impl<'a, K: Copy> Writer<'a, K> {
    /// What the partitions are of.
    #[inline(always)]
    pub fn share(&self) -> &'a Share {
        &self.store.share
    }

    /// Adds a record to a partition.
    #[inline(always)]
    pub fn push(&mut self, partition: usize, record: Record<K>) {
        let block = &self.open[partition];
        if block.len() == block.capacity() {
            let empty = self.empty_block();
            let full = std::mem::replace(&mut self.open[partition], empty);
            if !full.is_empty() {
                lock(&self.store.partitions[partition]).push(full);
            }
        }
        self.open[partition].push(record);
        self.records += 1;
    }

    fn empty_block(&mut self) -> Block<K> {
        if self.spare.is_empty() {
            let mut free = lock(&self.store.free);
            let rest = free.len().saturating_sub(SPARE);
            self.spare.extend(free.drain(rest..));
        }
        self.spare.pop().unwrap_or_else(|| Vec::with_capacity(BLOCK))
    }
}

impl<K: Copy> Drop for Writer<'_, K> {
    fn drop(&mut self) {
        for (mut block, partition) in self.open.drain(..).zip(&self.store.partitions) {
            if !block.is_empty() {
                block.shrink_to_fit();
                lock(partition).push(block);
            }
        }
        lock(&self.store.free).append(&mut self.spare);
        self.store.records.fetch_add(self.records, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_were_read_are_used_again() {
        let share = Share::new(1, std::array::from_fn(|level| usize::from(level == 1)));
        let (first, number) = (Store::new(share.clone()), 2 * SPARE * BLOCK);
        let fill = |store: &Store<usize>| {
            let mut writer = store.writer();
            (0..number).for_each(|key| writer.push(0, Record { key, ways: Ways::ONE }));
        };
        fill(&first);
        let second = first.beside(share);
        let free = || lock(&first.free).len();
        let keys = |blocks: &[Block<usize>]| Vec::from_iter(blocks.iter().flatten().map(|record| record.key));
        assert_eq!((first.read(0, true, keys), free()), (Vec::from_iter(0..number), 2 * SPARE));
        fill(&second);
        assert_eq!((first.is_empty(0), second.len(0), free()), (true, number, 0));
    }
}
