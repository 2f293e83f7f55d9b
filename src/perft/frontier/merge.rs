//! A partition at work: its records in groups, the children of a few groups at a time in a table that stays in the
//! cache, and there each distinct position once.

use super::store::{Record, Store, Ways};
use crate::base::pages::prefetch;
use crate::game::{Children, HashWords, MOST_MOVES, Packable, Side};
use std::hint::select_unpredictable;
use std::ops::Range;

/// A partition is sorted into buckets by more bits of the hash. Records of one group are in one bucket. There are so
/// many that a bucket has about this many records, but not more than `MOST_BUCKETS`.
const BUCKET: usize = 16;
const MOST_BUCKETS: usize = 4_096;

/// The children of so many buckets are merged together that there are about this many, unless one bucket alone has
/// more. The table then fits the second level cache.
const CHUNK: usize = 8_192;

/// Estimated moves of a position.
const MOVES: usize = 32;

/// Pieces that a side has at most.
const MOST_PIECES: usize = 16;

/// Records sorted into buckets.
struct Sorted<K> {
    records: Vec<Record<K>>,
    /// The end of each bucket.
    ends: Vec<u32>,
    /// The bucket of each record before sorting.
    buckets: Vec<u16>,
}

impl<K: Copy + Default> Sorted<K> {
    fn new() -> Self {
        Sorted { records: Vec::new(), ends: Vec::new(), buckets: Vec::new() }
    }

    /// Replaces the records by those of `blocks`, in this many buckets; `hash` is that of the group.
    fn load(&mut self, blocks: &[Vec<Record<K>>], buckets: usize, hash: impl Fn(&K) -> u64) {
        self.ends.clear();
        self.ends.resize(buckets, 0);
        self.buckets.clear();
        for record in blocks.iter().flatten() {
            // The high bits are those of the partition.
            let bucket = hash(&record.packed) as usize & (buckets - 1);
            self.buckets.push(bucket as u16);
            self.ends[bucket] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            // The beginning for now: each record moves it on.
            (*end, sum) = (sum, sum + *end);
        }
        self.records.resize(self.buckets.len(), Record::default());
        for (record, &bucket) in blocks.iter().flatten().zip(&self.buckets) {
            let at = &mut self.ends[usize::from(bucket)];
            self.records[*at as usize] = *record;
            *at += 1;
        }
    }
}

/// The number of buckets for the records of these blocks, a power of two.
fn buckets<K>(blocks: &[Vec<Record<K>>]) -> usize {
    let records = blocks.iter().map(Vec::len).sum::<usize>();
    (records / BUCKET).next_power_of_two().min(MOST_BUCKETS)
}

/// A place for one key of one group. A group of an earlier chunk means that it is free.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Slot<K> {
    key: K,
    group: u32,
    /// The number of the key among those of the chunk.
    number: u32,
}

/// An open-addressing table of distinct keys, each in a group.
struct Table<K> {
    slots: Vec<Slot<K>>,
    /// The first group of this chunk, at least 1, and the next that is not used.
    first: u32,
    next: u32,
    /// The number of distinct keys.
    len: usize,
}

impl<K: Copy + Eq + Default> Table<K> {
    fn new() -> Self {
        Table { slots: Vec::new(), first: 1, next: 1, len: 0 }
    }

    /// Removes all keys, and prepares for about so many.
    fn clear(&mut self, expected: usize) {
        let least = (2 * expected).next_power_of_two();
        if self.next > u32::MAX / 2 || self.slots.len() < least || self.slots.len() > 4 * least {
            self.slots.clear();
            self.slots.resize(least, Slot::default());
            self.next = 1;
        }
        (self.first, self.len) = (self.next, 0);
    }

    /// Makes room for more keys.
    #[inline(always)]
    fn reserve(&mut self, more: usize, hash: impl Fn(&K) -> u64) {
        if self.slots.len() < 2 * (self.len + more) {
            self.grow(2 * (self.len + more), hash);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, least: usize, hash: impl Fn(&K) -> u64) {
        let grown = vec![Slot::default(); (2 * least).next_power_of_two()];
        let old = std::mem::replace(&mut self.slots, grown);
        for slot in old.into_iter().filter(|slot| slot.group >= self.first) {
            let (mut at, mask) = (home(hash(&slot.key), slot.group) as usize, self.slots.len() - 1);
            while self.slots[at & mask].group != 0 {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
    }

    /// The number of a key, which is added if it is new. There must be room.
    #[inline(always)]
    fn enter(&mut self, hash: u64, key: K, group: u32) -> usize {
        enter(&mut self.slots, self.first, &mut self.len, home(hash, group), key, group) as usize
    }
}

/// The number of a key in a table of `len` keys, whose groups begin with `first`; it is added if it is new. The table
/// has room. New or not is a coin toss, so there is no branch on it.
#[inline(always)]
fn enter<K: Copy + Eq>(slots: &mut [Slot<K>], first: u32, len: &mut usize, home: u32, key: K, group: u32) -> u32 {
    let mask = slots.len() - 1;
    let mut at = home as usize;
    loop {
        let slot = &mut slots[at & mask];
        // All bits are set if the group is an earlier one.
        let free = (slot.group.wrapping_sub(first) as i32 >> 31) as u32;
        let differs = u32::from(slot.key != key) | (slot.group ^ group);
        if differs & !free == 0 {
            let new = free != 0;
            let number = select_unpredictable(new, *len as u32, slot.number);
            *slot = Slot { key, group, number };
            *len += usize::from(new);
            return number;
        }
        at += 1;
    }
}

/// Where a key with this hash belongs in this group: the number of its slot, modulo the size of the table. Spreads
/// equal keys of different groups: the factor is the odd number closest to 2⁶⁴ divided by the golden ratio.
#[inline(always)]
fn home(hash: u64, group: u32) -> u32 {
    ((hash ^ u64::from(group).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32) as u32
}

/// A thread's buffers.
pub struct Workspace<P: Packable> {
    words: HashWords,
    parents: Sorted<P::Packed>,
    inbox: Sorted<P::Packed>,
    captures: Table<P::Packed>,
    table: Table<P::Half>,
    groups: Groups<P::Half>,
    listed: [Box<Listed<P>>; 2],
    chunk: Chunk<P>,
    /// Whether too many sequences lead to one position.
    overflow: bool,
}

/// What the children of some groups are: distinct positions, and which child is which of them.
pub struct Chunk<P: Packable> {
    /// The distinct positions among the records that were already children. They have the first numbers; each further
    /// position is the child of a parent by a move.
    pub known: Vec<P::Packed>,
    /// The ways of those records.
    pub arrived: Vec<Ways>,
    /// The parents: the board, the ways, and the ends of their shares of `moves` and `edges`.
    pub parents: Vec<(P::Board, Ways, usize, usize)>,
    /// The moves to positions that no move reached before.
    pub moves: Vec<P::Move>,
    /// The number of the position of every record of `arrived`, then of every child.
    pub edges: Vec<u32>,
    /// The ways to each position, if they are added up.
    pub ways: Vec<Ways>,
    /// The number of distinct positions.
    pub len: usize,
}

impl<P: Packable> Chunk<P> {
    fn clear(&mut self) {
        self.known.clear();
        self.arrived.clear();
        self.parents.clear();
        self.edges.clear();
        self.ways.clear();
    }

    /// Adds ways to a position, which may be the next new one. Returns whether there are too many.
    #[inline(always)]
    fn add_ways(&mut self, number: usize, ways: Ways) -> bool {
        match self.ways.get_mut(number) {
            Some(sum) => {
                let (more, overflow) = sum.plus(ways);
                *sum = more;
                overflow
            }
            None => {
                self.ways.push(ways);
                false
            }
        }
    }

    /// Calls `visit` with ways, and the numbers of the positions that so many sequences reach by a further move or have
    /// reached already.
    #[inline(always)]
    pub fn for_each_way(&self, mut visit: impl FnMut(Ways, &[u32])) {
        let mut first = self.arrived.len();
        for (&ways, edge) in self.arrived.iter().zip(self.edges.chunks(1)) {
            visit(ways, edge);
        }
        for &(_, ways, _, end) in &self.parents {
            visit(ways, &self.edges[first..end]);
            first = end;
        }
    }

    /// The number of sequences to these positions.
    pub fn sequences(&self) -> u128 {
        let mut sum = 0;
        self.for_each_way(|ways, edges| sum += u128::from(ways.number()) * edges.len() as u128);
        sum
    }

    /// Calls `visit` with each position and the ways to it, if they were added up.
    pub fn for_each_position(&self, mut visit: impl FnMut(P::Packed, Ways)) {
        let mut ways = self.ways.iter().copied();
        for (&packed, ways) in self.known.iter().zip(ways.by_ref()) {
            visit(packed, ways);
        }
        let mut first = 0;
        for &(ref board, _, end, _) in &self.parents {
            for (&m, ways) in self.moves[first..end].iter().zip(ways.by_ref()) {
                visit(P::pack_after(board, m), ways);
            }
            first = end;
        }
    }
}

impl<P: Packable> Workspace<P> {
    /// Empty buffers.
    pub fn new(words: HashWords) -> Self {
        Workspace {
            words,
            parents: Sorted::new(),
            inbox: Sorted::new(),
            captures: Table::new(),
            table: Table::new(),
            groups: Groups { table: Table::new(), rows: Vec::new(), last: None },
            listed: [Listed::new(), Listed::new()],
            chunk: Chunk {
                known: Vec::new(),
                arrived: Vec::new(),
                parents: Vec::new(),
                moves: Vec::new(),
                edges: Vec::new(),
                ways: Vec::new(),
                len: 0,
            },
            overflow: false,
        }
    }

    /// Whether too many sequences lead to one position: nothing of this workspace can be used.
    pub fn has_overflowed(&self) -> bool {
        self.overflow
    }

    /// Makes the captures from a partition of `frontier`, in which `side` is to move. Calls `take` with the positions
    /// after them and the ways to each; a position may come up several times.
    pub fn run_captures(
        &mut self,
        frontier: &Store<P::Packed>,
        partition: usize,
        side: Side,
        mut take: impl FnMut(Record<P::Packed>),
    ) {
        let words = self.words;
        let hash = |packed: &P::Packed| P::hash_of_side(packed, side.flip(), &words);
        let buckets = frontier.read(partition, false, |blocks| {
            let buckets = buckets(blocks);
            self.parents.load(blocks, buckets, hash);
            buckets
        });
        let mut found: Vec<Record<P::Packed>> = Vec::new();
        let mut begin = 0;
        for bucket in 0..buckets {
            let end = self.parents.ends[bucket] as usize;
            if end - begin < CHUNK / MOVES && bucket != buckets - 1 {
                continue;
            }
            let hash = |packed: &P::Packed| P::hash_of(packed, &words);
            self.captures.clear(2 * (end - begin));
            // Positions reached from different root moves are different.
            let first = self.captures.first;
            self.captures.next += MOST_MOVES as u32;
            let children = &mut self.listed[0].children;
            for parent in &self.parents.records[begin..end] {
                children.clear();
                let (board, _) = P::list(&parent.packed, side, children);
                let group = first + parent.ways.root() as u32;
                for child in children.iter().filter(|child| child.victim != 0) {
                    let packed = P::pack_after(&board, child.m);
                    self.captures.reserve(1, hash);
                    let number = self.captures.enter(hash(&packed), packed, group);
                    match found.get_mut(number) {
                        Some(record) => {
                            let (ways, overflow) = record.ways.plus(parent.ways);
                            record.ways = ways;
                            self.overflow |= overflow;
                        }
                        None => found.push(Record { packed, ways: parent.ways }),
                    }
                }
            }
            found.drain(..).for_each(&mut take);
            begin = end;
        }
    }

    /// Makes the moves from a partition of `frontier`: with an inbox, the quiet ones, and the children merge with its
    /// records too; without one, all moves. Calls `take` with the distinct positions and the moves that lead there,
    /// some groups at a time. With `WAYS` the ways are added up by position. With `last` the records are freed.
    pub fn run<const WAYS: bool>(
        &mut self,
        (frontier, inbox): (&Store<P::Packed>, Option<&Store<P::Packed>>),
        partition: usize,
        side: Side,
        last: bool,
        mut take: impl FnMut(&Chunk<P>),
    ) {
        let words = self.words;
        let hash = |packed: &P::Packed| P::hash_of_side(packed, side.flip(), &words);
        let buckets = frontier.read(partition, last, |blocks| {
            let buckets = buckets(blocks);
            self.parents.load(blocks, buckets, hash);
            buckets
        });
        match inbox {
            Some(inbox) => inbox.read(partition, true, |blocks| self.inbox.load(blocks, buckets, hash)),
            None => self.inbox.load(&[], buckets, hash),
        }
        let mut begin = (0, 0);
        for bucket in 0..buckets {
            let end = (self.parents.ends[bucket] as usize, self.inbox.ends[bucket] as usize);
            if bucket == buckets - 1 || (end.0 - begin.0) * MOVES + (end.1 - begin.1) >= CHUNK {
                if begin != end {
                    self.merge::<WAYS>(side, begin.0..end.0, begin.1..end.1, inbox.is_none());
                    take(&self.chunk);
                }
                begin = end;
            }
        }
    }

    /// Merges the children of these parents, by `all` moves or without captures, with each other and with these records
    /// of the inbox.
    fn merge<const WAYS: bool>(&mut self, side: Side, parents: Range<usize>, arrived: Range<usize>, all: bool) {
        let Workspace { words, table, groups, listed, chunk, .. } = self;
        let words = *words;
        let hash = |half: &P::Half| P::hash_of_half(half, &words);
        table.clear(arrived.len() + parents.len() * MOVES / 2);
        groups.clear();
        chunk.clear();
        let mut overflow = false;
        table.reserve(arrived.len(), hash);
        for record in &self.inbox.records[arrived] {
            let (half, rest) = P::halves(&record.packed, side);
            let row = groups.row(&mut table.next, rest, if WAYS { record.ways.root() } else { 0 }, hash);
            let number = table.enter(hash(&half), half, groups.rows[row][0]);
            chunk.arrived.push(record.ways);
            chunk.edges.push(number as u32);
            if number == chunk.known.len() {
                chunk.known.push(record.packed);
            }
            if WAYS {
                overflow |= chunk.add_ways(number, record.ways);
            }
        }
        // While the moves of one parent are listed, the slots that those of the parent before will need come from the
        // second level cache.
        let [waiting, next] = listed;
        waiting.parent = None;
        for parent in &self.parents.records[parents] {
            let Listed { children, keys, .. } = &mut **next;
            children.clear();
            let (board, rest) = P::list(&parent.packed, side, children);
            if !all {
                children.retain(|child| child.victim == 0);
            }
            let root = if WAYS { parent.ways.root() } else { 0 };
            let Table { slots, next: unused, .. } = table;
            let row = groups.row(unused, rest, root, hash);
            let mut row_of_parent = groups.rows[row];
            for (child, key) in children.iter().zip(keys.iter_mut()) {
                let mut group = row_of_parent[child.victim as usize];
                if group == 0 {
                    group = groups.after_capture::<P>(unused, row, (rest, root), child.victim, hash);
                    row_of_parent[child.victim as usize] = group;
                }
                let home = home(hash(&child.half), group);
                prefetch(slots, home as usize & (slots.len() - 1));
                *key = (home, group);
            }
            next.parent = Some((board, parent.ways));
            overflow |= waiting.enter::<WAYS>(table, chunk, hash);
            std::mem::swap(waiting, next);
        }
        overflow |= waiting.enter::<WAYS>(table, chunk, hash);
        chunk.len = table.len;
        self.overflow |= overflow;
    }
}

/// The groups of a chunk: what the resting side has, and the root move if positions from different ones are different.
struct Groups<K> {
    table: Table<K>,
    /// For each group, its number in the table of positions, and that of the group after each capture, by
    /// [`Child::victim`](crate::game::Child); 0 if it was not needed yet.
    rows: Vec<[u32; MOST_PIECES + 1]>,
    /// The last one that was looked for.
    last: Option<(K, usize, usize)>,
}

impl<K: Copy + Eq + Default> Groups<K> {
    fn clear(&mut self) {
        self.table.clear(64);
        self.table.next += MOST_MOVES as u32;
        self.rows.clear();
        self.last = None;
    }

    /// The row of a group. `unused` is the next number for a group in the table of positions.
    #[inline(always)]
    fn row(&mut self, unused: &mut u32, rest: K, root: usize, hash: impl Fn(&K) -> u64) -> usize {
        match self.last {
            Some((last, of, row)) if last == rest && of == root => row,
            _ => {
                let row = self.find(unused, rest, root, hash);
                self.last = Some((rest, root, row));
                row
            }
        }
    }

    fn find(&mut self, unused: &mut u32, rest: K, root: usize, hash: impl Fn(&K) -> u64) -> usize {
        self.table.reserve(1, &hash);
        let row = self.table.enter(hash(&rest), rest, self.table.first + root as u32);
        if row == self.rows.len() {
            self.rows.push([0; MOST_PIECES + 1]);
            self.rows[row][0] = *unused;
            *unused += 1;
        }
        row
    }

    /// The group after a capture from the group of `row`.
    #[cold]
    #[inline(never)]
    fn after_capture<P: Packable<Half = K>>(
        &mut self,
        unused: &mut u32,
        row: usize,
        (rest, root): (K, usize),
        victim: u32,
        hash: impl Fn(&K) -> u64,
    ) -> u32 {
        let after = self.find(unused, P::without(&rest, victim - 1), root, hash);
        self.rows[row][victim as usize] = self.rows[after][0];
        self.rows[after][0]
    }
}

/// The moves of a parent, not yet entered.
struct Listed<P: Packable> {
    parent: Option<(P::Board, Ways)>,
    children: Children<P>,
    /// For each of them, where it belongs in the table, and its group.
    keys: [(u32, u32); MOST_MOVES],
}

impl<P: Packable> Listed<P> {
    fn new() -> Box<Self> {
        Box::new(Listed { parent: None, children: Children::<P>::new(), keys: [(0, 0); MOST_MOVES] })
    }

    /// Enters the moves into the table and the chunk. Returns whether there are too many ways.
    #[inline(always)]
    fn enter<const WAYS: bool>(
        &self,
        table: &mut Table<P::Half>,
        chunk: &mut Chunk<P>,
        hash: impl Fn(&P::Half) -> u64,
    ) -> bool {
        let Some((board, ways)) = self.parent else { return false };
        let (more, known, first) = (self.children.len(), chunk.known.len(), chunk.edges.len());
        table.reserve(more + 1, hash);
        let least = table.len - known + more;
        if chunk.moves.len() < least {
            chunk.moves.resize(2 * least, P::Move::default());
        }
        chunk.edges.resize(first + more, 0);
        let (numbers, moves) = (&mut chunk.edges[first..], &mut chunk.moves[..]);
        let (slots, oldest, mut len) = (table.slots.as_mut_slice(), table.first, table.len);
        for ((child, &(home, group)), number) in self.children.iter().zip(&self.keys).zip(numbers) {
            // Overwritten by the next move unless the position is new.
            moves[len - known] = child.m;
            *number = enter(slots, oldest, &mut len, home, child.half, group);
        }
        table.len = len;
        chunk.parents.push((board, ways, len - known, first + more));
        let mut overflow = false;
        if WAYS {
            for edge in first..first + more {
                overflow |= chunk.add_ways(chunk.edges[edge] as usize, ways);
            }
        }
        overflow
    }
}
