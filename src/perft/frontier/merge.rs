//! A partition at work: its records in groups, the children of a few groups at a time in a table that stays in the
//! cache, and there each distinct position once.

use super::store::{Record, Store, Ways};
use crate::base::pages::prefetch;
use crate::game::{HashWords, MOST_MOVES, NoisyMoves, Packable, QuietMoves, Side};
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
            let mut at = self.home(hash(&slot.key) ^ spread(slot.group));
            while self.slots[at].group != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = slot;
        }
    }

    /// Where a key with this hash belongs.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    /// The number of a key, which is added if it is new. There must be room.
    #[inline(always)]
    fn enter(&mut self, hash: u64, key: K, group: u32) -> usize {
        let mut number = [0];
        self.enter_all(&[(key, group, hash ^ spread(group))], &mut number, |_, _| ());
        number[0] as usize
    }

    /// Enters keys with their groups and hashes. Writes their numbers to `numbers`, and passes to `note`, for each key,
    /// its place and the number of keys before it. There must be room. New or not is a coin toss, so there is no branch
    /// on it.
    #[inline(always)]
    fn enter_all(&mut self, keys: &[(K, u32, u64)], numbers: &mut [u32], mut note: impl FnMut(usize, usize)) {
        let Table { slots, first, .. } = self;
        let (mask, first, mut len) = (slots.len() - 1, *first, self.len);
        let slots = slots.as_mut_slice();
        for (place, (&(key, group, hash), number)) in keys.iter().zip(numbers).enumerate() {
            note(place, len);
            let mut at = (hash >> 32) as usize;
            loop {
                let slot = &mut slots[at & mask];
                let new = slot.group < first;
                let old = select_unpredictable(new, Slot { key, group, number: len as u32 }, *slot);
                if old.key == key && old.group == group {
                    *slot = old;
                    *number = old.number;
                    len += usize::from(new);
                    break;
                }
                at += 1;
            }
        }
        self.len = len;
    }
}

/// Spreads equal keys of different groups: a multiple of the odd number closest to 2⁶⁴ divided by the golden ratio.
#[inline(always)]
fn spread(group: u32) -> u64 {
    u64::from(group).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A thread's buffers.
pub struct Workspace<P: Packable> {
    words: HashWords,
    parents: Sorted<P::Packed>,
    inbox: Sorted<P::Packed>,
    quiet: Table<P::Half>,
    noisy: Table<P::Packed>,
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
            quiet: Table::new(),
            noisy: Table::new(),
            groups: Groups { table: Table::new(), last: None },
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

    /// Makes the captures and promotions from a partition of `frontier`, in which `side` is to move. Calls `take` with
    /// the positions after them and the ways to each; a position may come up several times.
    pub fn run_noisy(
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
            self.noisy.clear(2 * (end - begin));
            // Positions reached from different root moves are different.
            let first = self.noisy.first;
            self.noisy.next += MOST_MOVES as u32;
            for parent in &self.parents.records[begin..end] {
                P::for_each_noisy(&parent.packed, side, |packed| {
                    self.noisy.reserve(1, hash);
                    let group = first + parent.ways.root() as u32;
                    let number = self.noisy.enter(hash(&packed), packed, group);
                    match found.get_mut(number) {
                        Some(record) => {
                            let (ways, overflow) = record.ways.plus(parent.ways);
                            record.ways = ways;
                            self.overflow |= overflow;
                        }
                        None => found.push(Record { packed, ways: parent.ways }),
                    }
                });
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

    /// Merges the children of these parents, by `all` moves or by quiet ones, with each other and with these records of
    /// the inbox.
    fn merge<const WAYS: bool>(&mut self, side: Side, parents: Range<usize>, arrived: Range<usize>, all: bool) {
        let Workspace { words, quiet: table, groups, listed, chunk, .. } = self;
        let hash = |half: &P::Half| P::hash_of_half(half, words);
        table.clear(arrived.len() + parents.len() * MOVES / 2);
        groups.clear();
        chunk.clear();
        let mut overflow = false;
        table.reserve(arrived.len(), hash);
        for record in &self.inbox.records[arrived] {
            let (half, rest) = P::halves(&record.packed, side);
            let group = groups.find::<P, WAYS>(table, rest, record.ways, words);
            let number = table.enter(hash(&half), half, group);
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
            let ways = parent.ways;
            let (board, rest) = next.list(parent, side);
            let group = groups.find::<P, WAYS>(table, rest, ways, words);
            next.keys.clear();
            next.keys.extend(next.moves.iter().map(|&(_, half)| {
                let hash = hash(&half) ^ spread(group);
                prefetch(&table.slots, table.home(hash));
                (half, group, hash)
            }));
            if all {
                next.noisy.clear();
                P::list_noisy(&board, &rest, &mut next.noisy);
                for &(m, half, rest) in &next.noisy[..] {
                    let group = groups.find::<P, WAYS>(table, rest, ways, words);
                    let hash = hash(&half) ^ spread(group);
                    prefetch(&table.slots, table.home(hash));
                    next.keys.push((half, group, hash));
                    next.moves.push((m, half));
                }
            }
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
    /// The last one that was looked for.
    last: Option<(K, usize, u32)>,
}

impl<K: Copy + Eq + Default> Groups<K> {
    fn clear(&mut self) {
        self.table.clear(64);
        self.table.next += MOST_MOVES as u32;
        self.last = None;
    }

    /// The number of a group in the table of positions.
    #[inline(always)]
    fn find<P: Packable<Half = K>, const WAYS: bool>(
        &mut self,
        positions: &mut Table<K>,
        rest: K,
        ways: Ways,
        words: &HashWords,
    ) -> u32 {
        let root = if WAYS { ways.root() } else { 0 };
        match self.last {
            Some((last, of, group)) if last == rest && of == root => group,
            _ => {
                let hash = |half: &K| P::hash_of_half(half, words);
                self.table.reserve(1, hash);
                let number = self.table.enter(hash(&rest), rest, self.table.first + root as u32);
                let group = positions.first + number as u32;
                positions.next = positions.next.max(group + 1);
                self.last = Some((rest, root, group));
                group
            }
        }
    }
}

/// The moves of a parent, not yet entered.
struct Listed<P: Packable> {
    parent: Option<(P::Board, Ways)>,
    moves: QuietMoves<P>,
    noisy: NoisyMoves<P>,
    /// What the mover has after each move, the group, and the hash that finds the slot.
    keys: Vec<(P::Half, u32, u64)>,
}

impl<P: Packable> Listed<P> {
    fn new() -> Box<Self> {
        let (moves, noisy) = (QuietMoves::<P>::new(), NoisyMoves::<P>::new());
        Box::new(Listed { parent: None, moves, noisy, keys: Vec::new() })
    }

    /// Lists the quiet moves of a parent. Returns the board and what lasts of the other side.
    #[inline(always)]
    fn list(&mut self, parent: &Record<P::Packed>, side: Side) -> (P::Board, P::Half) {
        self.moves.clear();
        let (board, rest) = P::list_quiet(&parent.packed, side, &mut self.moves);
        self.parent = Some((board, parent.ways));
        (board, rest)
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
        let (more, known, first) = (self.keys.len(), chunk.known.len(), chunk.edges.len());
        table.reserve(more + 1, hash);
        let least = table.len - known + more;
        if chunk.moves.len() < least {
            chunk.moves.resize(2 * least, P::Move::default());
        }
        chunk.edges.resize(first + more, 0);
        let (numbers, moves, listed) = (&mut chunk.edges[first..], &mut chunk.moves[..], &self.moves[..]);
        table.enter_all(&self.keys, numbers, |place, len| {
            // Overwritten by the next move unless the position is new.
            moves[len - known] = listed[place].0;
        });
        chunk.parents.push((board, ways, table.len - known, first + more));
        let mut overflow = false;
        if WAYS {
            for edge in first..first + more {
                overflow |= chunk.add_ways(chunk.edges[edge] as usize, ways);
            }
        }
        overflow
    }
}
