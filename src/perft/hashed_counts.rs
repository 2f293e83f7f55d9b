//! Hashed perft for plain counts, in bulk.
//!
//! Most positions of a deep tree are two plies above the leaves, and many of them are reached in several ways, so
//! their counts are stored too. Below a node four plies above the leaves, all grandchildren are listed with their
//! keys. Their buckets are prefetched while other positions are counted, and only positions missing from the table go
//! to the game's [`BulkPerft2`], collected across parents to keep the batches full.
//!
//! Called through `hashed::Countable`.

use super::count_table::{CountTable, SHALLOW_DEPTH};
use super::hashed::{Context, Countable, KeyedMoves, depth_key};
use super::quantity::Quantity;
use crate::game::{BulkPerft2, Kernel, KeyedList, MOST_MOVES, WideKeyed};
use std::ops::Range;

/// How many buckets are prefetched at a time. A core can wait for about half as many misses at once; more cost
/// little, because their page walks overlap. They arrive while positions are counted.
const BURST: usize = 32;

impl<P: WideKeyed> Countable<P> for u128 {
    type Table = CountTable;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> u128 {
        u128::from(pos.perft_by(depth, kernel))
    }
    fn of_move(_pos: &P, _m: P::Move) -> u128 {
        1
    }
    fn count_hashed(pos: &P, depth: u32, context: &Context<'_, P, CountTable>) -> u128 {
        if depth <= SHALLOW_DEPTH {
            return Self::count(pos, depth, context.kernel);
        }
        let key = pos.wide_key(context.keys);
        let entry = key ^ depth_key(depth);
        if let Some(count) = context.table.probe(entry, depth) {
            return count;
        }
        let mut walk = Walk::new(pos, context);
        let count = if depth == SHALLOW_DEPTH + 1 {
            walk.parents.push(Parent { position: *pos, key, count: 0 });
            walk.count_parents();
            u128::from(walk.parents[0].count)
        } else {
            walk.node(pos, key, depth)
        };
        context.table.store(entry, count);
        count
    }
}

/// A position three plies above the leaves that is not in the table.
struct Parent<P> {
    position: P,
    key: u128,
    count: u64,
}

/// A tree walk with its buffers, which grow with the largest node and are reused.
struct Walk<'a, P: WideKeyed> {
    context: &'a Context<'a, P, CountTable>,
    /// The parents of the positions two plies above the leaves.
    parents: Vec<Parent<P>>,
    /// Their children, and the end of each parent's children.
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
    fn look_up(
        &mut self,
        table: &CountTable,
        children: Range<usize>,
        mut missed: usize,
    ) -> (u64, usize) {
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
}

impl<M> KeyedList<M> for Children<M> {
    #[inline(always)]
    fn push(&mut self, m: M, key: u128) {
        self.moves[self.len] = m;
        self.keys[self.len] = key;
        self.len += 1;
    }
}

impl<'a, P: WideKeyed> Walk<'a, P> {
    fn new(root: &P, context: &'a Context<'a, P, CountTable>) -> Self {
        Walk {
            context,
            parents: Vec::new(),
            children: Children { moves: Vec::new(), keys: Vec::new(), len: 0 },
            ends: Vec::new(),
            fetched: 0,
            counts: Vec::new(),
            bulk: P::Bulk::new(root, context.kernel),
        }
    }

    /// The number of sequences of `depth` plies (at least 4) from a position that is not in the table.
    fn node(&mut self, pos: &P, key: u128, depth: u32) -> u128 {
        let Context { table, keys: numbers, .. } = *self.context;
        let depth_key = depth_key(depth - 1);
        let mut children = KeyedMoves::new();
        pos.keyed_moves(numbers, key, &mut children);
        for &key in children.keys.iter() {
            table.prefetch(key ^ depth_key);
        }
        let above_parents = depth == SHALLOW_DEPTH + 2;
        self.parents.clear();
        let mut total = 0u128;
        for (&child_key, &m) in children.keys.iter().zip(&children.moves) {
            if let Some(count) = table.probe(child_key ^ depth_key, depth - 1) {
                total.add(count);
                continue;
            }
            let mut child = *pos;
            child.make(m);
            if above_parents {
                self.parents.push(Parent { position: child, key: child_key, count: 0 });
            } else {
                let count = self.node(&child, child_key, depth - 1);
                table.store(child_key ^ depth_key, count);
                total.add(count);
                if total.is_beyond() {
                    // So is the whole run. Such totals are not stored, so stop before counting them again and again.
                    return total;
                }
            }
        }
        if above_parents {
            self.count_parents();
            for parent in &self.parents {
                table.store(parent.key ^ depth_key, u128::from(parent.count));
                total.add(u128::from(parent.count));
            }
        }
        total
    }

    /// Counts three plies from each parent.
    fn count_parents(&mut self) {
        self.list_children();
        let Walk { context, parents, children, ends, counts, bulk, fetched, .. } = self;
        let table = context.table;
        let (mut begin, mut missed) = (0, 0);
        for (parent, end) in parents.iter_mut().zip(ends.iter_mut()) {
            let first = missed;
            while *fetched < *end {
                children.prefetch(table, fetched);
            }
            (parent.count, missed) = children.look_up(table, begin..*end, first);
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
                parent.count += u64::from(count);
            }
            begin = end;
        }
    }

    /// Lists the moves of all parents with the keys after them.
    fn list_children(&mut self) {
        self.children.len = 0;
        self.ends.clear();
        self.counts.clear();
        self.fetched = 0;
        for parent in &self.parents {
            self.children.reserve();
            parent.position.keyed_moves(self.context.keys, parent.key, &mut self.children);
            self.ends.push(self.children.len);
            if self.fetched == 0 && self.children.len >= BURST {
                self.children.prefetch(self.context.table, &mut self.fetched);
            }
        }
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::game::{OneByOne, Rules, Side, Sink};
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
        type Bulk = OneByOne;
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
        let context = Context { table: &table, keys: &keys, kernel: Kernel::Portable };
        u128::count_hashed(&pos, depth, &context)
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
