//! Counting a quantity with a hash table: one walk, in which each position is counted once per depth, however it is
//! reached.
//!
//! What the walk does not know about a quantity it asks [`Countable`]. Columns of statistics are implemented here,
//! one position at a time; plain counts in `hashed_counts`, in bulk.

use super::column_table::ColumnTable;
use super::hash_table::HashTable;
use super::quantity::Quantity;
use crate::base::list::MoveList;
use crate::base::rng::SplitMix64;
use crate::game::{Census, Columns, Kernel, MOST_MOVES, Moves, WideKeyed};

/// A quantity that can be counted in a game.
pub trait Countable<P: WideKeyed>: Quantity {
    /// Its hash table.
    type Table: HashTable<Self>;
    /// What [`Countable::count_group`] keeps between groups.
    type Buffers;
    /// The depth of the positions that are counted in groups; those of lower depth are counted without the table.
    const GROUP_DEPTH: u32;
    /// Counts the sequences of exactly `depth` plies without a table. Their number must fit 64 bits.
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self;
    /// The quantity for the single legal move `m`.
    fn of_move(pos: &P, m: P::Move) -> Self;
    /// Empty buffers for positions below `root`.
    fn buffers(root: &P, kernel: Kernel) -> Self::Buffers;
    /// Counts [`Countable::GROUP_DEPTH`] plies from each position of the walk's group.
    fn count_group(walk: &mut Walk<'_, P, Self>);
}

impl<P: Census + WideKeyed> Countable<P> for Columns<u128> {
    type Table = ColumnTable;
    type Buffers = ();
    /// Entries of columns are large, but from here on counting takes longer than fetching an entry.
    const GROUP_DEPTH: u32 = 2;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self {
        pos.columns(depth, kernel).map(u128::from)
    }
    fn of_move(pos: &P, m: P::Move) -> Self {
        let mut columns = Columns::default();
        pos.facts(m).note(&mut columns);
        columns.map(u128::from)
    }
    fn buffers(_root: &P, _kernel: Kernel) {}
    fn count_group(walk: &mut Walk<'_, P, Self>) {
        for member in &mut walk.group {
            let depth = <Self as Countable<P>>::GROUP_DEPTH;
            member.count = Self::count(&member.position, depth, walk.kernel);
        }
    }
}

/// A number XORed into the key, so that entries of different depths differ.
#[inline]
fn depth_key(depth: u32) -> u128 {
    let mut rng = SplitMix64::new(u64::from(depth));
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// A position of a group, which is not in the table.
pub struct Member<P, Q> {
    pub position: P,
    pub key: u128,
    pub count: Q,
}

/// A tree walk with a table.
pub struct Walk<'a, P: WideKeyed, Q: Countable<P>> {
    /// The shared table.
    pub table: &'a Q::Table,
    /// The keys of the run's seed.
    pub keys: &'a P::Keys,
    pub kernel: Kernel,
    /// The positions of one parent that are counted together.
    pub group: Vec<Member<P, Q>>,
    pub buffers: Q::Buffers,
}

impl<'a, P: WideKeyed, Q: Countable<P>> Walk<'a, P, Q> {
    /// A walk from `root`. Inlined, so that the buffers, tens of kilobytes, are made in place.
    #[inline(always)]
    pub fn new(root: &P, table: &'a Q::Table, keys: &'a P::Keys, kernel: Kernel) -> Self {
        Walk { table, keys, kernel, group: Vec::new(), buffers: Q::buffers(root, kernel) }
    }

    /// Counts the sequences of `depth` plies from `pos`.
    pub fn count(&mut self, pos: &P, depth: u32) -> Q {
        if depth < Q::GROUP_DEPTH {
            return Q::count(pos, depth, self.kernel);
        }
        let key = pos.wide_key(self.keys);
        let entry = key ^ depth_key(depth);
        if let Some(count) = self.table.probe(entry, depth) {
            return count;
        }
        let count = if depth == Q::GROUP_DEPTH {
            self.group = vec![Member { position: *pos, key, count: Q::default() }];
            Q::count_group(self);
            self.group[0].count
        } else {
            self.node(pos, key, depth)
        };
        self.table.store(entry, depth, count);
        count
    }

    /// Counts a position that is not in the table, at least one ply above those that are counted in groups.
    fn node(&mut self, pos: &P, key: u128, depth: u32) -> Q {
        let Walk { table, keys, .. } = *self;
        let depth_key = depth_key(depth - 1);
        let mut children = (Moves::new(), MoveList::<u128, MOST_MOVES>::new());
        pos.keyed_moves(keys, key, |m, key| {
            children.0.push(m);
            children.1.push(key);
        });
        for &key in &children.1 {
            table.prefetch(key ^ depth_key);
        }
        self.group.clear();
        let mut total = Q::default();
        for (&m, &key) in children.0.iter().zip(&children.1) {
            if let Some(count) = table.probe(key ^ depth_key, depth - 1) {
                total.add(count);
                continue;
            }
            let mut position = *pos;
            position.make(m);
            if depth - 1 == Q::GROUP_DEPTH {
                self.group.push(Member { position, key, count: Q::default() });
                continue;
            }
            let count = self.node(&position, key, depth - 1);
            table.store(key ^ depth_key, depth - 1, count);
            total.add(count);
            if total.is_beyond() {
                // So is the whole run. Such totals are not stored, so stop before counting them again and again.
                return total;
            }
        }
        if depth - 1 == Q::GROUP_DEPTH {
            Q::count_group(self);
            for member in &self.group {
                table.store(member.key ^ depth_key, depth - 1, member.count);
                total.add(member.count);
            }
        }
        total
    }
}
