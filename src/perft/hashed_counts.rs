//! Hashed perft for plain counts, in bulk.
//!
//! Most positions of a deep tree are two plies above the leaves, and many of them are reached in several ways, so
//! their counts are stored too. Below a node four plies above the leaves, all grandchildren are listed with their
//! keys. Their buckets are prefetched while other positions are counted, and only positions missing from the table go
//! to the game's [`BulkPerft2`], collected across parents to keep the batches full.

use super::count_table::{CountTable, SHALLOW_DEPTH};
use super::hashed::{Countable, Member, Walk};
use crate::game::{BulkPerft2, Kernel, MOST_MOVES, WideKeyed};
use std::ops::Range;

/// How many buckets are prefetched at a time. A core can wait for about half as many misses at once; more cost
/// little, because their page walks overlap. They arrive while positions are counted.
const BURST: usize = 32;

impl<P: WideKeyed> Countable<P> for u128 {
    type Table = CountTable;
    type Buffers = Grandchildren<P>;
    const GROUP_DEPTH: u32 = SHALLOW_DEPTH + 1;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> u128 {
        u128::from(pos.perft_by(depth, kernel))
    }
    fn of_move(_pos: &P, _m: P::Move) -> u128 {
        1
    }
    #[inline(always)]
    fn buffers(root: &P, kernel: Kernel) -> Grandchildren<P> {
        Grandchildren {
            children: Children { moves: Vec::new(), keys: Vec::new(), len: 0 },
            ends: Vec::new(),
            fetched: 0,
            counts: Vec::new(),
            bulk: P::Bulk::new(root, kernel),
        }
    }
    fn count_group(walk: &mut Walk<'_, P, u128>) {
        let Walk { table, keys, group: parents, buffers, .. } = walk;
        buffers.list(parents, keys, table);
        buffers.count(parents, table);
    }
}

/// The positions two plies above the leaves below a group of parents. The buffers grow with the largest group and are
/// reused.
pub struct Grandchildren<P: WideKeyed> {
    /// The children of the parents, and the end of each parent's children.
    children: Children<P::Move>,
    ends: Vec<usize>,
    /// How many of the children's buckets have been prefetched.
    fetched: usize,
    /// The counts of the children that are not in the table.
    counts: Vec<u32>,
    bulk: P::Bulk,
}

/// The moves of several positions with the keys after them.
struct Children<M> {
    /// Both may be longer than `len`.
    moves: Vec<M>,
    keys: Vec<u128>,
    len: usize,
}

impl<M: Copy + Default> Children<M> {
    /// Ensures room for the moves of one more position.
    #[inline(always)]
    fn reserve(&mut self) {
        if self.keys.len() < self.len + MOST_MOVES {
            self.keys.resize(2 * self.len + MOST_MOVES, 0);
            self.moves.resize(2 * self.len + MOST_MOVES, M::default());
        }
    }

    /// Prefetches the buckets of the next children.
    #[inline(always)]
    fn prefetch(&self, table: &CountTable, fetched: &mut usize) {
        let next = &self.keys[..self.len][*fetched..];
        let next = &next[..BURST.min(next.len())];
        for &key in next {
            table.prefetch_shallow(key);
        }
        *fetched += next.len();
    }

    /// Probes the table for `children` and returns the sum of the counts found. The children not found are moved down
    /// to follow the first `missed`; the new end is returned too.
    #[inline(always)]
    fn look_up(&mut self, table: &CountTable, children: Range<usize>, mut missed: usize) -> (u64, usize) {
        let mut sum = 0;
        for at in children {
            let (key, m) = (self.keys[at], self.moves[at]);
            let count = table.probe_shallow(key);
            sum += u64::from(count);
            // Write on every probe, so that hits and misses take the same branch-free path.
            self.keys[missed] = key;
            self.moves[missed] = m;
            missed += usize::from(count == 0);
        }
        (sum, missed)
    }

    #[inline(always)]
    fn push(&mut self, m: M, key: u128) {
        self.moves[self.len] = m;
        self.keys[self.len] = key;
        self.len += 1;
    }
}

impl<P: WideKeyed> Grandchildren<P> {
    /// Lists the moves of all parents with the keys after them.
    fn list(&mut self, parents: &[Member<P, u128>], keys: &P::Keys, table: &CountTable) {
        let Grandchildren { children, ends, fetched, counts, .. } = self;
        children.len = 0;
        ends.clear();
        counts.clear();
        *fetched = 0;
        for parent in parents {
            children.reserve();
            parent.position.keyed_moves(keys, parent.key, |m, key| children.push(m, key));
            ends.push(children.len);
            if *fetched == 0 && children.len >= BURST {
                children.prefetch(table, fetched);
            }
        }
    }

    /// Counts three plies from each parent.
    fn count(&mut self, parents: &mut [Member<P, u128>], table: &CountTable) {
        let Grandchildren { children, ends, fetched, counts, bulk } = self;
        let (mut begin, mut missed) = (0, 0);
        for (parent, end) in parents.iter_mut().zip(ends.iter_mut()) {
            let first = missed;
            while *fetched < *end {
                children.prefetch(table, fetched);
            }
            let sum;
            (sum, missed) = children.look_up(table, begin..*end, first);
            parent.count = u128::from(sum);
            counts.resize(missed, 0);
            let moves = &children.moves[first..missed];
            bulk.add_children(&parent.position, moves, first, counts, &mut || {
                // Enough for the next parent, but not much further ahead.
                if *fetched < *end + BURST {
                    children.prefetch(table, fetched);
                }
            });
            (begin, *end) = (*end, missed);
        }
        bulk.flush(counts);
        // Store the counts of the missing children and add them up by parent.
        let mut begin = 0;
        for (parent, &mut end) in parents.iter_mut().zip(ends) {
            for (&key, &count) in children.keys[begin..end].iter().zip(&counts[begin..end]) {
                table.store_shallow(key, count);
                parent.count += u128::from(count);
            }
            begin = end;
        }
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::game::{Rules, Side, Sink};
    use crate::perft::hash_table::HashTable;

    /// Chess with keys reduced to the lowest `BITS` bits, so that positions collide.
    #[derive(Clone, Copy)]
    struct FewKeyBits<const BITS: u32>(Position);

    impl<const BITS: u32> Rules for FewKeyBits<BITS> {
        type Move = Move;
        fn side(&self) -> Side {
            self.0.side()
        }
        fn make(&mut self, m: Move) {
            self.0.make(m);
        }
        fn generate<const SELECT: u8, S: Sink<Move>>(&self, from: Option<usize>, sink: &mut S) {
            self.0.generate::<SELECT, S>(from, sink);
        }
        fn is_legal(&self, m: Move) -> bool {
            self.0.is_legal(m)
        }
    }

    impl<const BITS: u32> WideKeyed for FewKeyBits<BITS> {
        type Keys = <Position as WideKeyed>::Keys;
        type Bulk = Kernel;
        fn wide_keys(seed: u64) -> Self::Keys {
            Position::wide_keys(seed)
        }
        fn wide_key(&self, keys: &Self::Keys) -> u128 {
            self.0.wide_key(keys) & (u128::MAX >> (128 - BITS))
        }
        fn wide_key_after(&self, keys: &Self::Keys, _key: u128, m: Move) -> u128 {
            let mut child = *self;
            child.make(m);
            child.wide_key(keys)
        }
        fn transposition_order(&self) -> [u128; 4] {
            self.0.transposition_order()
        }
    }

    fn counted<P: WideKeyed>(pos: P, depth: u32, seed: u64) -> u128 {
        let (table, keys) = (CountTable::new(5).unwrap(), P::wide_keys(seed));
        Walk::<_, u128>::new(&pos, &table, &keys, Kernel::Portable).count(&pos, depth)
    }

    fn with_few_bits<const BITS: u32>(fen: &str, depth: u32, seed: u64) -> u128 {
        counted(FewKeyBits::<BITS>(Position::from_fen(fen).unwrap()), depth, seed)
    }

    /// If the key comparison had no effect, full keys would count no better than short ones.
    #[test]
    fn short_keys_give_wrong_counts() {
        let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
        let right = 674_624;
        for seed in 0..8 {
            assert_ne!(with_few_bits::<8>(fen, 5, seed), right, "seed {seed}");
            assert_ne!(with_few_bits::<10>(fen, 5, seed), right, "seed {seed}");
            assert_eq!(with_few_bits::<96>(fen, 5, seed), right, "seed {seed}");
            assert_eq!(with_few_bits::<128>(fen, 5, seed), right, "seed {seed}");
        }
    }

    #[test]
    fn every_depth_matches_plain_perft() {
        for fen in [
            Position::START_FEN,
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let pos = Position::from_fen(fen).unwrap();
            for depth in 0..=5 {
                let plain = u128::from(pos.perft(depth));
                assert_eq!(counted(pos, depth, 7), plain, "{fen} at depth {depth}");
            }
        }
    }
}
