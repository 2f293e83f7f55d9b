//! A partition at work: its records in groups, the children of a few groups at a time in a table that stays in the
//! cache, and there each distinct position once.

use super::store::{MOST_PIECES, Record, Store, Ways, Writer};
use crate::base::pages::prefetch;
use crate::game::{Board, Children, Half, HalfOf, HashWords, MOST_MOVES, Packing, Side};
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
            let bucket = hash(&record.key) as usize & (buckets - 1);
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

/// The number of buckets for so many records, a power of two.
fn buckets(records: usize) -> usize {
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
        if self.next > Exit::TO_INBOX / 2 || self.slots.len() < least || self.slots.len() > 4 * least {
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
    fn enter(&mut self, home: u32, key: K, group: u32) -> u32 {
        enter(&mut self.slots, self.first, &mut self.len, home, key, group)
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

/// A position by what each side has: the mover, who has just captured, and the side that rests.
pub type Halves<B> = (HalfOf<B>, HalfOf<B>);

/// A step from the positions of one ply to those of the next.
pub struct Step<'a, B: Board> {
    pub frontier: &'a Store<B::Packed>,
    /// The side to move.
    pub side: Side,
    /// The positions after captures, by the level and the hash of what the captured piece leaves.
    pub inbox: &'a Store<Halves<B>>,
    /// The part of the range of the hash for which captures go to the inbox. Others stay with their parents.
    pub limit: u64,
    /// Whether the records are needed no more.
    pub last: bool,
    /// About so many children are merged at a time, at most.
    pub most_children: usize,
    pub words: HashWords,
}

/// A thread's buffers.
pub struct Workspace<'a, B: Board> {
    step: &'a Step<'a, B>,
    parents: Sorted<B::Packed>,
    arrived: Sorted<Halves<B>>,
    captures: Writer<'a, Halves<B>>,
    table: Table<HalfOf<B>>,
    groups: Groups<HalfOf<B>>,
    listed: [Box<Listed<B>>; 2],
    chunk: Chunk<B>,
    /// Whether too many sequences lead to one position.
    overflow: bool,
}

/// What the children of some groups are: distinct positions, and which child is which of them.
pub struct Chunk<B: Board> {
    /// The side that has moved.
    mover: Side,
    /// The parents: the board, the ways, and the ends of their shares of `moves` and `edges`.
    pub parents: Vec<(B, Ways, usize, usize)>,
    /// The moves to positions that no move reached before.
    pub moves: Vec<B::Move>,
    /// The ways to the records of the inbox.
    arrived: Vec<Ways>,
    /// The positions of the inbox that no move reached. They have the last numbers.
    known: Vec<Halves<B>>,
    /// The number of the position of every child, then of every record of `arrived`.
    edges: Vec<u32>,
    /// The ways to each position, if they are added up.
    ways: Vec<Ways>,
    /// The number of distinct positions.
    pub len: usize,
}

impl<B: Board> Chunk<B> {
    fn clear(&mut self) {
        self.parents.clear();
        self.arrived.clear();
        self.known.clear();
        self.edges.clear();
        self.ways.clear();
    }

    /// Adds ways to a position, which may be the next new one. Returns whether there are too many.
    #[inline(always)]
    fn add_ways(&mut self, number: u32, ways: Ways) -> bool {
        match self.ways.get_mut(number as usize) {
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
        let mut first = 0;
        for &(_, ways, _, end) in &self.parents {
            visit(ways, &self.edges[first..end]);
            first = end;
        }
        for (&ways, edge) in self.arrived.iter().zip(self.edges[first..].chunks(1)) {
            visit(ways, edge);
        }
    }

    /// The number of sequences to these positions.
    pub fn sequences(&self) -> u128 {
        let mut sum = 0;
        self.for_each_way(|ways, edges| sum += u128::from(ways.number()) * edges.len() as u128);
        sum
    }

    /// The positions that no move reached.
    pub fn known(&self) -> impl ExactSizeIterator<Item = B::Packed> {
        self.known.iter().map(|(half, rest)| B::Packed::join(half, rest, self.mover))
    }

    /// Calls `visit` with each position and the ways to it, if they were added up.
    pub fn for_each_position(&self, mut visit: impl FnMut(B::Packed, Ways)) {
        let mut ways = self.ways.iter().copied();
        let mut first = 0;
        for &(ref board, _, end, _) in &self.parents {
            for (&m, ways) in self.moves[first..end].iter().zip(ways.by_ref()) {
                visit(B::Packed::after(board, m), ways);
            }
            first = end;
        }
        for (packed, ways) in self.known().zip(ways) {
            visit(packed, ways);
        }
    }
}

impl<'a, B: Board> Workspace<'a, B> {
    /// Empty buffers. What goes to the inbox is there once they have been dropped.
    pub fn new(step: &'a Step<'a, B>) -> Self {
        Workspace {
            step,
            parents: Sorted::new(),
            arrived: Sorted::new(),
            captures: step.inbox.writer(),
            table: Table::new(),
            groups: Groups { table: Table::new(), rows: Vec::new(), last: None },
            listed: [Listed::new(), Listed::new()],
            chunk: Chunk {
                mover: step.side,
                parents: Vec::new(),
                moves: Vec::new(),
                arrived: Vec::new(),
                known: Vec::new(),
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

    /// Makes the moves from a partition: captures go to the inbox, and what is there for this partition merges with the
    /// children. Calls `take` with the distinct positions and the moves that lead there, some groups at a time. With
    /// `WAYS` the ways are added up by position. Unless `wanted`, only the captures to the inbox are made.
    pub fn run<const WAYS: bool>(&mut self, partition: usize, wanted: bool, mut take: impl FnMut(&Chunk<B>)) {
        let Step { frontier, inbox, side, last, most_children, words, .. } = *self.step;
        let buckets = buckets(frontier.len(partition) + inbox.len(partition) / MOVES);
        frontier.read(partition, last, |blocks| {
            let hash = |packed: &B::Packed| packed.resting(side.flip()).hash(&words);
            self.parents.load(blocks, buckets, hash);
        });
        inbox.read(partition, true, |blocks| {
            self.arrived.load(blocks, buckets, |(_, rest)| rest.hash(&words));
        });
        let mut begin = (0, 0);
        for bucket in 0..buckets {
            let end = (self.parents.ends[bucket] as usize, self.arrived.ends[bucket] as usize);
            if bucket == buckets - 1 || (end.0 - begin.0) * MOVES + (end.1 - begin.1) >= CHUNK.min(most_children) {
                // Of a group that is too large, a share of the children at a time.
                let children = (end.0 - begin.0) * MOVES / 2 + (end.1 - begin.1);
                let shares = children.div_ceil(most_children) as u32;
                for share in 0..shares {
                    self.merge::<WAYS>(begin.0..end.0, begin.1..end.1, (share, shares), wanted);
                    take(&self.chunk);
                }
                begin = end;
            }
        }
    }

    /// Merges the children of these parents with each other and with these records of the inbox: share `share` of
    /// `shares`. Unless `wanted`, only the captures to the inbox are made.
    fn merge<const WAYS: bool>(
        &mut self,
        parents: Range<usize>,
        arrived: Range<usize>,
        (share, shares): (u32, u32),
        wanted: bool,
    ) {
        let Workspace { step, captures, table, groups, listed, chunk, .. } = self;
        let (side, words) = (step.side, step.words);
        let hash = |half: &HalfOf<B>| half.hash(&words);
        let root_of = |ways: Ways| if WAYS { ways.root() } else { 0 };
        table.clear((arrived.len() + parents.len() * MOVES / 2) / shares as usize);
        let is_in_share = |hash: u64| shares == 1 || ((hash >> 32) * u64::from(shares)) >> 32 == u64::from(share);
        groups.clear();
        chunk.clear();
        let mut overflow = false;
        // While the moves of one parent are listed, the slots that those of the parent before will need come from the
        // second level cache.
        let [waiting, next] = listed;
        waiting.parent = None;
        for parent in &self.parents.records[parents] {
            let Listed { children, keys, .. } = &mut **next;
            children.clear();
            let (board, rest) = parent.key.list(side, children);
            let Table { slots, next: unused, .. } = table;
            let row = groups.row(unused, rest, root_of(parent.ways), hash);
            let mut exits = groups.rows[row].exits;
            let mut kept = 0;
            for i in 0..children.len() {
                let child = children[i];
                let victim = child.victim as usize;
                let mut exit = exits[victim];
                if exit == Exit::UNKNOWN {
                    exit = groups.find_exit(step, unused, (row, rest, root_of(parent.ways)), victim);
                    exits[victim] = exit;
                }
                if let Some(partition) = exit.partition() {
                    if share == 0 {
                        let key = (child.half, groups.rows[row].rests[victim]);
                        captures.push(partition, Record { key, ways: parent.ways });
                    }
                    continue;
                }
                let hash = hash(&child.half);
                let home = home(hash, exit.0);
                prefetch(slots, home as usize & (slots.len() - 1));
                children[kept] = child;
                keys[kept] = (home, exit.0);
                kept += usize::from(is_in_share(hash));
            }
            children.truncate(if wanted { kept } else { 0 });
            next.parent = Some((board, parent.ways));
            overflow |= waiting.enter::<WAYS>(table, chunk, hash);
            std::mem::swap(waiting, next);
        }
        overflow |= waiting.enter::<WAYS>(table, chunk, hash);
        let reached = table.len;
        table.reserve(arrived.len(), hash);
        let keys = &mut next.keys;
        let arrived = if wanted { &self.arrived.records[arrived] } else { &[] };
        for records in arrived.chunks(keys.len()) {
            for (record, key) in records.iter().zip(keys.iter_mut()) {
                let (half, rest) = record.key;
                let row = groups.row(&mut table.next, rest, root_of(record.ways), hash);
                let group = groups.rows[row].exits[0].0;
                let home = home(hash(&half), group);
                prefetch(&table.slots, home as usize & (table.slots.len() - 1));
                *key = (home, group);
            }
            for (record, &(home, group)) in records.iter().zip(keys.iter()) {
                if !is_in_share(hash(&record.key.0)) {
                    continue;
                }
                let number = table.enter(home, record.key.0, group);
                chunk.arrived.push(record.ways);
                chunk.edges.push(number);
                if number as usize == reached + chunk.known.len() {
                    chunk.known.push(record.key);
                }
                if WAYS {
                    overflow |= chunk.add_ways(number, record.ways);
                }
            }
        }
        chunk.len = table.len;
        self.overflow |= overflow;
    }
}

/// The groups of a chunk: what the resting side has, and the root move if positions from different ones are different.
struct Groups<K> {
    table: Table<K>,
    rows: Vec<Row<K>>,
    /// The last one that was looked for.
    last: Option<(K, usize, usize)>,
}

/// Where the children of a group go, by [`Child::victim`](crate::game::Child).
#[derive(Clone, Copy)]
struct Row<K> {
    exits: [Exit; MOST_PIECES + 1],
    /// What the resting side has then, for those that go to the inbox.
    rests: [K; MOST_PIECES + 1],
}

/// The number of a group in the table of positions, from 1 on, or with a high bit that of a partition of the inbox.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Exit(u32);

impl Exit {
    /// Not found yet.
    const UNKNOWN: Exit = Exit(0);
    const TO_INBOX: u32 = 1 << 31;

    /// The partition of the inbox, if it is one.
    #[inline(always)]
    fn partition(self) -> Option<usize> {
        (self.0 & Self::TO_INBOX != 0).then_some((self.0 & !Self::TO_INBOX) as usize)
    }
}

impl<K: Half> Groups<K> {
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
        let group = self.table.first + root as u32;
        let row = self.table.enter(home(hash(&rest), group), rest, group) as usize;
        if row == self.rows.len() {
            self.rows.push(Row { exits: [Exit::UNKNOWN; MOST_PIECES + 1], rests: [K::default(); MOST_PIECES + 1] });
            self.rows[row].exits[0] = Exit(*unused);
            *unused += 1;
        }
        row
    }

    /// Where children go after the capture of `victim` from a group: its row, what the resting side has, and the root
    /// move.
    #[cold]
    #[inline(never)]
    fn find_exit<B: Board<Packed: Packing<Half = K>>>(
        &mut self,
        step: &Step<'_, B>,
        unused: &mut u32,
        (row, rest, root): (usize, K, usize),
        victim: usize,
    ) -> Exit {
        let hash = |half: &K| half.hash(&step.words);
        let after = rest.without_place(victim - 1);
        let exit = match step.inbox.share.place(after.pieces(), hash(&after), step.limit) {
            Some(partition) => Exit(Exit::TO_INBOX | partition as u32),
            None => {
                let row = self.find(unused, after, root, hash);
                self.rows[row].exits[0]
            }
        };
        self.rows[row].exits[victim] = exit;
        self.rows[row].rests[victim] = after;
        exit
    }
}

/// The moves of a parent, not yet entered.
struct Listed<B: Board> {
    parent: Option<(B, Ways)>,
    children: Children<B::Packed>,
    /// For each of them, where it belongs in the table, and its group.
    keys: [(u32, u32); MOST_MOVES],
}

impl<B: Board> Listed<B> {
    fn new() -> Box<Self> {
        Box::new(Listed { parent: None, children: Children::<B::Packed>::new(), keys: [(0, 0); MOST_MOVES] })
    }

    /// Enters the moves into the table and the chunk. Returns whether there are too many ways.
    #[inline(always)]
    fn enter<const WAYS: bool>(
        &self,
        table: &mut Table<HalfOf<B>>,
        chunk: &mut Chunk<B>,
        hash: impl Fn(&HalfOf<B>) -> u64,
    ) -> bool {
        let Some((board, ways)) = self.parent else { return false };
        let (more, first) = (self.children.len(), chunk.edges.len());
        table.reserve(more + 1, hash);
        let least = table.len + more;
        if chunk.moves.len() < least {
            chunk.moves.resize(2 * least, B::Move::default());
        }
        chunk.edges.resize(first + more, 0);
        let (numbers, moves) = (&mut chunk.edges[first..], &mut chunk.moves[..]);
        let (slots, oldest, mut len) = (table.slots.as_mut_slice(), table.first, table.len);
        for ((child, &(home, group)), number) in self.children.iter().zip(&self.keys).zip(numbers) {
            // Overwritten by the next move unless the position is new.
            moves[len] = child.m;
            *number = enter(slots, oldest, &mut len, home, child.half, group);
        }
        table.len = len;
        chunk.parents.push((board, ways, len, first + more));
        let mut overflow = false;
        if WAYS {
            for edge in first..first + more {
                overflow |= chunk.add_ways(chunk.edges[edge], ways);
            }
        }
        overflow
    }
}
