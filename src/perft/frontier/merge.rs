//! A partition at work: its records in groups, and the children of one group after the other, each distinct one once.
//!
//! In a group all children by quiet moves have the same resting side, so a child is a number of the mover's half
//! (`halves`), and an array with a word for each number tells which children are the same.

use super::halves::{Halves, Table};
use super::store::{BLOCK, Record, Store, Ways, Writer};
use crate::base::bits::BitSet;
use crate::base::list::MoveList;
use crate::base::pages::prefetch;
use crate::game::moves::ALL;
use crate::game::{Counting, Half, HashWords, MOST_MOVES, PackedOf, Packing, SharedHalf, Side, Sink};
use std::hint::select_unpredictable;
use std::ops::Range;

/// A partition is sorted into buckets by more bits of the hash. Records of one group are in one bucket. A bucket has
/// about this many records, more only if there would be more than `MOST_BUCKETS` buckets.
const BUCKET: usize = 16;
const MOST_BUCKETS: usize = 4_096;

/// Buckets are counted together until they have about this many children.
const CHUNK: usize = 8_192;

/// Estimated moves of a position.
const MOVES: usize = 32;

/// A record in halves: what the mover has, and the side that rests.
#[derive(Clone, Copy)]
struct HalfPair<H> {
    half: H,
    rest: H,
    ways: Ways,
    /// The number of the mover's half, once it is known.
    number: u32,
    /// Whether it comes from the inbox: the mover has moved.
    arrived: bool,
}

/// The records of a partition, group by group.
struct Sorted<H> {
    pairs: Vec<HalfPair<H>>,
    /// The bucket of each pair.
    buckets: Vec<u16>,
    /// The places of the pairs, group by group.
    order: Vec<u32>,
    /// The end of each bucket in that order.
    ends: Vec<u32>,
}

impl<H: Half> Sorted<H> {
    /// Removes all records, and prepares for a number of buckets.
    fn clear(&mut self, buckets: usize) {
        self.pairs.clear();
        self.buckets.clear();
        self.ends.clear();
        self.ends.resize(buckets, 0);
    }

    /// Adds the records of `blocks`.
    fn add(&mut self, blocks: &[Vec<Record<H::Packed>>], mover: Side, arrived: bool, words: &HashWords) {
        for (block, after) in blocks.iter().zip(blocks.iter().skip(1).chain([&Vec::new()])) {
            for (i, record) in block.iter().enumerate() {
                prefetch(after, i);
                let halves = H::split(&record.key);
                let (half, rest) = (halves[mover.index()], halves[mover.flip().index()]);
                self.pairs.push(HalfPair { half, rest, ways: record.ways, number: 0, arrived });
                // The high bits are those of the partition.
                let bucket = rest.lasting().hash(words) as usize & (self.ends.len() - 1);
                self.buckets.push(bucket as u16);
                self.ends[bucket] += 1;
            }
        }
    }

    /// Sorts the records into groups, the parents before what has arrived.
    fn sort(&mut self) {
        let mut sum = 0;
        for end in &mut self.ends {
            // The beginning for now: each pair moves it on.
            (*end, sum) = (sum, sum + *end);
        }
        self.order.resize(self.pairs.len(), 0);
        for (place, &bucket) in (0..).zip(&self.buckets) {
            let end = &mut self.ends[usize::from(bucket)];
            self.order[*end as usize] = place;
            *end += 1;
        }
        let mut begin = 0;
        for &end in &self.ends {
            self.order[begin..end as usize].sort_unstable_by_key(|&place| {
                let pair = &self.pairs[place as usize];
                (pair.rest.lasting(), pair.ways.root(), pair.arrived)
            });
            begin = end as usize;
        }
    }

    /// The pairs of a range, group by group.
    fn range(&self, range: Range<usize>) -> impl Iterator<Item = &HalfPair<H>> {
        self.order[range].iter().map(|&place| &self.pairs[place as usize])
    }

    /// Finds the numbers of the movers' halves, block by block: what one step reads, the step before has prefetched.
    fn number(&mut self, range: Range<usize>, halves: &mut Halves<H>) {
        for places in self.order[range].chunks(BLOCK) {
            let mut each = |step: &mut dyn FnMut(&mut HalfPair<H>)| {
                for &place in places {
                    step(&mut self.pairs[place as usize]);
                }
            };
            each(&mut |pair| pair.number = halves.prefetch_slot(&pair.half));
            each(&mut |pair| halves.prefetch_found(pair.number));
            each(&mut |pair| pair.number = halves.number_at(pair.number, &pair.half));
        }
    }
}

/// The number of buckets for a number of records, a power of two.
fn buckets(records: usize) -> usize {
    (records / BUCKET).next_power_of_two().min(MOST_BUCKETS)
}

/// From the frontier of one ply to the next.
pub struct Expansion<'a, B: Counting> {
    pub frontier: &'a Store<PackedOf<B>>,
    /// The side to move.
    pub side: Side,
    /// The positions after captures, by the level and the hash of what the captured piece leaves.
    pub inbox: &'a Store<PackedOf<B>>,
    /// The part of the range of the hash for which captures go to the inbox. Others stay with their parents.
    pub limit: u64,
    /// Whether the records are needed no more.
    pub last: bool,
    /// The number of children that are merged at a time, at most and about.
    pub most_children: usize,
    /// The number of bytes of halves that are kept for the next partition, at most and about.
    pub most_bytes: usize,
    pub words: HashWords,
}

/// A thread's buffers.
pub struct Workspace<'a, B: Counting> {
    expansion: &'a Expansion<'a, B>,
    records: Sorted<B::Half>,
    captures: Writer<'a, PackedOf<B>>,
    halves: Halves<B::Half>,
    listed: [Box<ListedMoves<B::Move>>; 2],
    exits: Exits<B::Half>,
    chunk: Chunk<B::Half>,
    /// Whether too many sequences lead to one position.
    overflow: bool,
}

/// Distinct positions, by the number of the half of the side that has moved, and the moves that lead to them.
pub struct Chunk<H> {
    /// The half of each position, for `len` of them.
    numbers: Vec<u32>,
    len: usize,
    /// Groups in which the side that did not move has the same, up to these ends.
    groups: Vec<(H, usize)>,
    /// The ways to each position, if they are added up.
    ways: Vec<Ways>,
    /// The position of each child; those of one parent, or a single record of the inbox, end at each of these ends and
    /// are reached in these ways.
    edges: Vec<u32>,
    ends: Vec<(Ways, usize)>,
}

impl<H: Half> Chunk<H> {
    /// The number of distinct positions.
    pub fn positions(&self) -> usize {
        self.len
    }

    /// The positions, in groups in which `side`, which is to move, has the same. `halves` are those of the
    /// side that has moved.
    pub fn groups<'a>(&'a self, side: Side, halves: &'a [H]) -> impl Iterator<Item = SharedHalf<'a, H>> {
        let mut first = 0;
        self.groups.iter().map(move |&(ref half, end)| {
            let numbers = &self.numbers[first..end];
            SharedHalf { side, half, halves, numbers, first: std::mem::replace(&mut first, end) }
        })
    }

    /// The ways to each position, if they were added up.
    pub fn ways(&self) -> &[Ways] {
        &self.ways[..self.len]
    }

    /// Unless the ways were added up: calls `visit` with the ways of a parent and the places of its children, or with
    /// those of a record of the inbox and its own place.
    pub fn for_each_way(&self, mut visit: impl FnMut(Ways, &[u32])) {
        let mut first = 0;
        for &(ways, end) in &self.ends {
            visit(ways, &self.edges[first..end]);
            first = end;
        }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.groups.clear();
        self.edges.clear();
        self.ends.clear();
    }

    /// Adds ways to the positions with these halves in the group whose first position has the stamp `group`; `first` is
    /// the stamp of the first position of the chunk. Returns whether there are too many ways. New or not is a coin
    /// toss, so there is no branch on it.
    #[inline(always)]
    fn enter<const WAYS: bool>(
        &mut self,
        stamps: &mut [u32],
        (first, group): (u32, u32),
        halves: &[u32],
        ways: Ways,
    ) -> bool {
        let (mut len, edge) = (self.len, self.edges.len());
        let most = len + halves.len();
        if self.numbers.len() < most {
            self.numbers.resize(2 * most, 0);
        }
        if WAYS {
            // No sequences so far to the positions that may be new.
            self.ways.resize(self.ways.len().max(most), ways.none());
        } else {
            self.edges.resize(edge + halves.len(), 0);
        }
        let (numbers, edges) = (&mut self.numbers[..most], &mut self.edges[edge..]);
        let mut overflow = false;
        for (i, &half) in halves.iter().enumerate() {
            let stamp = &mut stamps[half as usize];
            let new = *stamp < group;
            *stamp = select_unpredictable(new, first + len as u32, *stamp);
            // Overwritten by the next one unless it is new.
            numbers[len] = half;
            len += usize::from(new);
            let place = *stamp - first;
            if WAYS {
                let sum = &mut self.ways[place as usize];
                let (more, too_many) = sum.plus(ways);
                *sum = more;
                overflow |= too_many;
            } else {
                edges[i] = place;
            }
        }
        self.len = len;
        if !WAYS {
            self.ends.push((ways, self.edges.len()));
        }
        overflow
    }
}

/// A listed move.
#[derive(Clone, Copy)]
struct ListedMove<M> {
    /// The entry in the table of the mover's half, if there is one.
    entry: u32,
    m: M,
    variant: u8,
    /// One more than the square of the captured piece, or 0.
    victim: u8,
}

/// The moves of a parent, not yet entered.
struct ListedMoves<M: Copy> {
    moves: MoveList<ListedMove<M>, MOST_MOVES>,
    /// The numbers of the halves after those that lead to other positions of the group.
    children: [u32; MOST_MOVES],
}

/// Lists the moves of a board.
struct Lister<'a, B: Counting> {
    board: &'a B,
    table: Option<Table<'a, B::Half>>,
    enemies: <B::Half as Half>::Set,
    moves: &'a mut MoveList<ListedMove<B::Move>, MOST_MOVES>,
}

impl<B: Counting> Sink<B::Move> for Lister<'_, B> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<S: BitSet>(&mut self, targets: S, build: impl Fn(S::Square) -> B::Move) {
        for square in targets.squares() {
            let m = build(square);
            let (variant, victim) = B::Half::effect(self.board, m);
            let entry = self.table.as_ref().map_or(0, |table| table.entry(m, variant));
            let victim = if self.enemies.has(victim) { victim as u8 + 1 } else { 0 };
            self.moves.push(ListedMove { entry, m, variant: variant as u8, victim });
        }
    }
}

/// Where the captures from a group lead.
struct Exits<H> {
    /// One more than the place in `exits`, by [`ListedMove::victim`]; 0 if it is not known.
    places: [u8; 129],
    exits: Vec<Exit<H>>,
    /// Captures that stay: the place of the exit, the number of the mover's half, and the ways.
    stay: Vec<(u8, u32, Ways)>,
}

/// What the resting side has after a capture, and the partition of the inbox unless such captures stay.
#[derive(Clone, Copy)]
struct Exit<H> {
    rest: H,
    partition: Option<usize>,
}

impl<H: Half> Exits<H> {
    fn clear(&mut self) {
        if !self.exits.is_empty() {
            self.places.fill(0);
            self.exits.clear();
        }
    }

    /// The place of the exit for a victim of a group.
    #[inline(always)]
    fn find(&mut self, victim: u8, rest: H, partition: impl Fn(&H) -> Option<usize>) -> u8 {
        let place = &mut self.places[usize::from(victim)];
        if *place == 0 {
            let rest = rest.without(usize::from(victim) - 1);
            self.exits.push(Exit { rest, partition: partition(&rest) });
            *place = self.exits.len() as u8;
        }
        *place - 1
    }
}

/// A group at work, and where the captures from it go.
struct Group<'g, 'a, B: Counting> {
    expansion: &'g Expansion<'a, B>,
    captures: &'g mut Writer<'a, PackedOf<B>>,
    exits: &'g mut Exits<B::Half>,
    /// What the resting side has.
    rest: B::Half,
    share: (u32, u32),
    wanted: bool,
}

impl<B: Counting> Group<'_, '_, B> {
    /// Whether positions in which the side that has moved has this half belong to the share that is merged.
    #[inline(always)]
    fn is_in_share(&self, half: &B::Half) -> bool {
        let (share, shares) = self.share;
        shares == 1 || ((half.hash(&self.expansion.words) >> 32) * u64::from(shares)) >> 32 == u64::from(share)
    }

    /// The numbers of the halves after the quiet moves of a parent. Captures go where they belong.
    #[inline(always)]
    fn children<'l>(
        &mut self,
        halves: &mut Halves<B::Half>,
        parent: &HalfPair<B::Half>,
        listed: &'l mut ListedMoves<B::Move>,
    ) -> &'l [u32] {
        let ListedMoves { moves, children } = listed;
        let mut kept = 0;
        for &ListedMove { entry, m, variant, victim } in moves.iter() {
            let variant = usize::from(variant);
            if victim != 0 {
                self.capture(halves, victim, &parent.half.after(m, variant), parent.ways);
                continue;
            }
            let child = if self.share.1 == 1 {
                halves.after(parent.number, entry, m, variant)
            } else {
                let half = parent.half.after(m, variant);
                if !self.is_in_share(&half) {
                    continue;
                }
                halves.number(&half)
            };
            halves.prefetch_stamp(child);
            children[kept] = child;
            kept += 1;
        }
        &children[..if self.wanted { kept } else { 0 }]
    }

    /// A capture that leaves the mover with this half, which gets a number where it merges.
    #[inline(never)]
    fn capture(&mut self, halves: &mut Halves<B::Half>, victim: u8, half: &B::Half, ways: Ways) {
        let Expansion { inbox, side, limit, words, .. } = *self.expansion;
        let place = self.exits.find(victim, self.rest, |after| {
            inbox.share.place(after.squares().count() as usize, after.hash(&words), limit)
        });
        let Exit { rest, partition } = self.exits.exits[usize::from(place)];
        match partition {
            Some(partition) if self.share.0 == 0 => {
                self.captures.push(partition, Record { key: B::Half::join(side.order(half, &rest)), ways });
            }
            None if self.wanted && self.is_in_share(half) => self.exits.stay.push((place, halves.number(half), ways)),
            _ => {}
        }
    }
}

impl<'a, B: Counting> Workspace<'a, B> {
    /// Empty buffers, with these halves. What goes to the inbox is there once they have been dropped.
    pub fn new(expansion: &'a Expansion<'a, B>, halves: Halves<B::Half>) -> Self {
        Workspace {
            expansion,
            records: Sorted { pairs: Vec::new(), buckets: Vec::new(), order: Vec::new(), ends: Vec::new() },
            captures: expansion.inbox.writer(),
            halves,
            listed: [(); 2].map(|()| Box::new(ListedMoves { moves: MoveList::new(), children: [0; MOST_MOVES] })),
            exits: Exits { places: [0; 129], exits: Vec::new(), stay: Vec::new() },
            chunk: Chunk {
                numbers: Vec::new(),
                len: 0,
                groups: Vec::new(),
                ways: Vec::new(),
                edges: Vec::new(),
                ends: Vec::new(),
            },
            overflow: false,
        }
    }

    /// Whether too many sequences lead to one position: nothing of this workspace can be used.
    pub fn has_overflowed(&self) -> bool {
        self.overflow
    }

    /// The halves, for another workspace.
    pub fn into_halves(self) -> Halves<B::Half> {
        self.halves
    }

    /// Makes the moves from a partition: captures go to the inbox, and what is there for this partition merges with the
    /// children. Calls `take` with the distinct positions, the moves that lead there, and the halves of the side that
    /// has moved, some groups at a time. With `WAYS` the ways are added up by position. Unless `wanted`, only the
    /// captures to the inbox are made.
    pub fn run<const WAYS: bool>(
        &mut self,
        partition: usize,
        wanted: bool,
        mut take: impl FnMut(&Chunk<B::Half>, &[B::Half]),
    ) {
        let Expansion { frontier, inbox, side, last, most_children, most_bytes, words, .. } = *self.expansion;
        let buckets = buckets(frontier.len(partition) + inbox.len(partition) / MOVES);
        self.records.clear(buckets);
        frontier.read(partition, last, |blocks| self.records.add(blocks, side, false, &words));
        inbox.read(partition, true, |blocks| self.records.add(blocks, side, true, &words));
        self.records.sort();
        let (mut first, mut end, mut children) = (0, 0, 0);
        for bucket in 0..buckets {
            let begin = std::mem::replace(&mut end, self.records.ends[bucket] as usize);
            // Every second child is a distinct one.
            for pair in self.records.range(begin..end) {
                children += if pair.arrived { 2 } else { MOVES };
            }
            if bucket + 1 == buckets || children >= CHUNK.min(most_children) {
                // Of a group that is too large, a share of the children at a time.
                let shares = (children / 2).div_ceil(most_children).max(1) as u32;
                for share in 0..shares {
                    if shares > 1 || self.halves.bytes() > most_bytes {
                        self.halves.clear();
                    }
                    self.merge::<WAYS>(first..end, (share, shares), wanted);
                    take(&self.chunk, self.halves.all());
                }
                (first, children) = (end, 0);
            }
        }
    }

    /// Merges the children of the parents in this range with each other and with the records of the inbox there:
    /// share `share` of `shares`. Unless `wanted`, only the captures to the inbox are made.
    fn merge<const WAYS: bool>(&mut self, range: Range<usize>, share: (u32, u32), wanted: bool) {
        self.chunk.clear();
        self.records.number(range.clone(), &mut self.halves);
        if share.1 == 1 {
            for pair in self.records.range(range.clone()).filter(|pair| !pair.arrived) {
                self.halves.make_table(pair.number);
            }
        }
        let first = self.halves.first_stamp();
        let key = |pair: &HalfPair<B::Half>| (pair.rest.lasting(), if WAYS { pair.ways.root() } else { 0 });
        let mut begin = range.start;
        while begin < range.end {
            let mut pairs = self.records.range(begin..range.end).map(key);
            let group = pairs.next();
            let end = begin + 1 + pairs.take_while(|pair| Some(*pair) == group).count();
            self.merge_group::<WAYS>(first, begin..end, share, wanted);
            begin = end;
        }
        self.halves.used_stamps(self.chunk.len);
    }

    /// Merges the children of a group. `first` is the stamp of the first position of the chunk.
    fn merge_group<const WAYS: bool>(&mut self, first: u32, group: Range<usize>, share: (u32, u32), wanted: bool) {
        let Workspace { expansion, records, captures, halves, listed: [waiting, next], exits, chunk, .. } = self;
        let side = expansion.side;
        let pairs = || records.range(group.clone());
        let Some(rest) = pairs().next().map(|pair| pair.rest.lasting()) else { return };
        exits.clear();
        chunk.ways.truncate(chunk.len);
        let stamps = (first, first + chunk.len as u32);
        let mut overflow = false;
        let mut group = Group { expansion, captures, exits, rest, share, wanted };
        let mut enter =
            |group: &mut Group<'_, '_, B>, halves: &mut Halves<B::Half>, parent: &HalfPair<_>, listed: &mut _| {
                let children = group.children(halves, parent, listed);
                overflow |= chunk.enter::<WAYS>(halves.stamps(), stamps, children, parent.ways);
            };
        let mut before = None;
        // While the moves of one parent are listed, the entries of those of the parent before come into the cache.
        for (parent, after) in pairs().zip(pairs().map(Some).skip(1).chain([None])).filter(|(pair, _)| !pair.arrived) {
            if let Some(after) = after {
                halves.prefetch_table(after.number);
            }
            let board = B::Half::board(side.order(&parent.half, &parent.rest), side);
            next.moves.clear();
            let table = (share.1 == 1).then(|| halves.table(parent.number, &parent.half));
            let mut lister = Lister { board: &board, table, enemies: rest.squares(), moves: &mut next.moves };
            board.generate::<ALL, _>(&board.compute_checks_and_pins(), &mut lister);
            next.moves.iter().for_each(|m| halves.prefetch_entry(m.entry));
            if let Some(before) = before.replace(parent) {
                enter(&mut group, halves, before, waiting);
            }
            std::mem::swap(waiting, next);
        }
        if let Some(before) = before {
            enter(&mut group, halves, before, waiting);
        }
        if wanted {
            pairs().filter(|pair| pair.arrived).for_each(|pair| halves.prefetch_stamp(pair.number));
            for pair in pairs().filter(|pair| pair.arrived && group.is_in_share(&pair.half)) {
                overflow |= chunk.enter::<WAYS>(halves.stamps(), stamps, &[pair.number], pair.ways);
            }
        }
        chunk.groups.push((rest, chunk.len));
        let Exits { exits, stay, .. } = group.exits;
        stay.sort_unstable_by_key(|&(exit, ..)| exit);
        for stay in stay.chunk_by(|a, b| a.0 == b.0) {
            let stamps = (first, first + chunk.len as u32);
            for &(_, number, ways) in stay {
                overflow |= chunk.enter::<WAYS>(halves.stamps(), stamps, &[number], ways);
            }
            chunk.groups.push((exits[usize::from(stay[0].0)].rest, chunk.len));
        }
        stay.clear();
        self.overflow |= overflow;
    }
}
