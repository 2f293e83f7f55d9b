//! Deep perft ply by ply, without a hash table: exact, and in little memory.
//!
//! # The idea
//!
//! Many sequences of moves lead to the same positions. So take the distinct positions of a ply, the *frontier*, each
//! with its *ways*, the number of sequences that lead there. Their children are the next frontier. Three plies above
//! the leaves the children are counted instead (`Counting::perft2`), each distinct one once:
//!
//! ```text
//! perft(n) = Σ over the distinct positions of ply n − 3:  ways · Σ over its children:  perft 2
//! ```
//!
//! To find out which children are the same, a table of all of them would need gigabytes, and a cache miss for each. But
//! a move changes only what the mover has: the pieces and rights of the side that *rests* stay as they are, unless one
//! of them is captured. So the positions in which the resting side has the same are a *group*; the children of a group
//! by quiet moves are equal only to each other. (The literature on search calls this structured duplicate detection:
//! Zhou and Hansen, AAAI 2004.) In the next ply the other side rests, and the positions are sorted again:
//!
//! ```text
//!   frontier of ply k, White to move          frontier of ply k + 1, Black to move
//!   ┌ group: Black has A ┐  White's moves     ┌ group: White has X ┐
//!   │ X/A  Y/A  Z/A  …   │ ────────────────▶  │ X/A  X/B  X/C  …   │
//!   ├ group: Black has B ┤  merge by group,   ├ group: White has Y ┤
//!   │ X/B  Z/B  …        │  sort by White's   │ Y/A  Y/C  …        │
//!   └────────────────────┘  pieces            └────────────────────┘
//! ```
//!
//! A capture leads into a group whose resting side has one piece less. So groups are taken in the order of the number
//! of these pieces, the largest first, and the positions after captures wait in an *inbox* until their group's turn
//! comes. Each distinct position then comes up once.
//!
//! What one side has is a *half* of a position, and there are few of them: the 9,417,681 positions of ply 6 of chess
//! are made of 34,408 white and 40,327 black halves. So halves have numbers (`halves`), each has a table with the
//! numbers of those that its moves lead to, and in a group a child is one number. The legal moves of each parent come
//! from the ordinary generator. No keys are compared, and a number stands for a whole half (`game::count::packing`), so
//! no collision can falsify a count.
//!
//! # An example
//!
//! Perft 8 of the initial position, 84,998,978,956, needs the plies up to 5. There are 822,518 distinct positions of
//! 4,865,609 sequences, 26 MB. They have 22 million children, and 9,417,681 of them are distinct: so perft 2 runs about
//! 9.4 million times, where the plain walk runs it 119,060,324 times.
//!
//! # Memory
//!
//! The number of the resting side's pieces and a hash of what it has divide a frontier into *partitions* (`store`),
//! which threads work off one by one (`merge`), sorted by more bits of the hash. If the last frontier does not fit the
//! memory, it is made in several *passes*, each for a share of the hash; each repeats the generation from the frontier
//! before it. An earlier frontier that does not fit is treated alike. Captures into another pass, and those that the
//! inbox has no memory for, are merged with the children of their own group only: such positions are counted again for
//! each group that they are reached from.
//!
//! A pass may also be left to another machine: a *part* of a run is a share of the last frontier's hash.

pub mod halves;
pub mod merge;
pub mod store;

use super::run::{Ledger, Part, Task, on_threads};
use crate::base::bits::BitSet;
use crate::base::lock::{into_inner, lock};
use crate::game::{Columns, Counting, Half, HashWords, Kernel, PackedOf, Packing, Position, Side};
use halves::Halves;
use merge::{Chunk, Expansion, Workspace};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use store::{BLOCK, MOST_PIECES, Record, Share, Store, Ways, Writer};

/// The least depth that is counted by frontier. Less takes microseconds without one.
pub const MIN_DEPTH: u32 = 4;

/// The least memory, in megabytes.
pub const MIN_MEGABYTES: usize = 16;

/// A partition has about this many records, at least and at most: at most as many as fit the second level cache. In
/// between, there are this many partitions: each is a stream of writes.
const FEWEST_RECORDS: f64 = 1_024.0;
const MOST_RECORDS: f64 = 32_768.0;
const PARTITIONS: f64 = 2_048.0;

/// The memory for open blocks is enough for this number of threads. It is not that of the run, on which the units must
/// not depend.
const THREADS: usize = 16;

/// A run of more passes than this, with those of earlier plies, is refused: each repeats a good part of the work.
const MOST_PASSES: f64 = 1_024.0;

/// Why a run has not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// More sequences lead to one position than a record can hold.
    Ways,
    /// The memory is too small; this number of megabytes would do.
    Memory(usize),
    /// It was asked to.
    Stopped,
}

/// The distinct positions after a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Plies from the root.
    pub ply: u32,
    /// Number of distinct positions.
    pub positions: u64,
    /// Number of sequences that lead to them.
    pub sequences: u128,
}

/// The settings of a run.
pub struct Frontier<'a, B: Counting> {
    pub root: &'a Position<B>,
    pub kernel: Kernel,
    pub threads: usize,
    /// Memory in bytes.
    pub memory: usize,
    pub words: HashWords,
    /// Whether the run is to stop; asked for each partition.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// What earlier plies suggest about a position, by the side to move: the number of its distinct children, and of its
/// captures.
#[derive(Clone, Copy)]
struct Growth {
    children: [f64; 2],
    captures: [f64; 2],
}

impl<B: Counting> Frontier<'_, B> {
    /// Counts the sequences of at least [`MIN_DEPTH`] plies. Whether there is a checkpoint or not, the same units are
    /// counted with any number of threads.
    ///
    /// # Errors
    /// If it is not possible; `ledger` may have some counts then.
    pub fn count(&self, task: &Task, ledger: &Ledger<'_>) -> Result<(), Stop> {
        debug_assert!(task.depth >= MIN_DEPTH);
        let moves = self.root.legal_moves();
        let (store, side) = (self.first(), self.root.side());
        let (growth, pools) = (self.growth(), Pools::default());
        let mut descent = Descent { frontier: self, task, roots: 1, ledger, growth, pools, units: 0 };
        if !task.divide {
            return descent.descend(&store, 0, side, 0, Passes::ONE);
        }
        if task.depth == MIN_DEPTH && task.part.index != 0 {
            // The root moves are the last frontier, which no ply before it divides into parts: the first part has all.
            return Ok(());
        }
        let store = self.of_records(
            side,
            moves.iter().enumerate().map(|(root, &m)| {
                let mut child = *self.root;
                child.make(m);
                Record { key: B::Half::pack(&child), ways: Ways::through(root) }
            }),
        );
        descent.roots = moves.len();
        descent.descend(&store, 1, side.flip(), 0, Passes::ONE)
    }

    /// The distinct positions after 0 to `depth` plies; each row is passed to `row` as soon as it is known, which
    /// returns whether to go on.
    ///
    /// # Errors
    /// If it is not possible to go on; the rows so far are right.
    pub fn unique(&self, depth: u32, mut row: impl FnMut(Row) -> bool) -> Result<(), Stop> {
        let (mut store, mut side, mut growth) = (self.first(), self.root.side(), self.growth());
        let pools = Pools::default();
        if !row(Row { ply: 0, positions: 1, sequences: 1 }) {
            return Ok(());
        }
        for ply in 1..=depth {
            let expected = growth.children[side.index()] * store.records() as f64;
            let last = ply == depth;
            let next = if last { 0 } else { expected as usize * size_of::<Record<PackedOf<B>>>() };
            let needed = store.bytes() + next + (1.25 * self.inbox_bytes(&store, side, &growth)) as usize;
            if needed > self.bytes() {
                return Err(Stop::Memory((needed >> 20) * 5 / 4));
            }
            let next = store.beside(self.layout(&store, side, if last { 0.0 } else { expected }, 1));
            let sums = Mutex::new((0, 0));
            self.expand((&pools, &mut growth), &store, side, true, f64::INFINITY, &|workspace, ready| {
                let (mut positions, mut sequences, mut writer) = (0, 0, next.writer());
                while let Some(partition) = ready() {
                    workspace.run::<true>(partition, true, |chunk, halves| {
                        positions += chunk.positions() as u64;
                        sequences += chunk.ways().iter().map(|ways| u128::from(ways.number())).sum::<u128>();
                        if !last {
                            self.write(chunk, halves, side, &mut writer);
                        }
                    });
                }
                let mut sums = lock(&sums);
                *sums = (sums.0 + positions, sums.1 + sequences);
            })?;
            let (positions, sequences) = into_inner(sums);
            growth.children[side.index()] = positions as f64 / store.records().max(1) as f64;
            if !row(Row { ply, positions, sequences }) {
                break;
            }
            (store, side) = (next, side.flip());
        }
        Ok(())
    }

    /// The frontier of ply 0.
    fn first(&self) -> Store<PackedOf<B>> {
        let root = Record { key: B::Half::pack(self.root), ways: Ways::ONE };
        self.of_records(self.root.side().flip(), [root].into_iter())
    }

    /// A small frontier, in which `side` rests with the pieces that it has at the root.
    fn of_records(&self, side: Side, records: impl Iterator<Item = Record<PackedOf<B>>>) -> Store<PackedOf<B>> {
        let pieces = B::Half::of(self.root, side).squares().count() as usize;
        // The level below is for captures.
        let share = Share::new(1, std::array::from_fn(|level| usize::from(level == pieces || level + 1 == pieces)));
        let store = Store::new(share);
        let mut writer = store.writer();
        for record in records {
            if let Some(partition) = store.share.place(pieces, 0, u64::MAX) {
                writer.push(partition, record);
            }
        }
        drop(writer);
        store
    }

    fn growth(&self) -> Growth {
        let moves = self.root.legal_moves().len().max(1) as f64;
        Growth { children: [moves; 2], captures: [moves / 4.0; 2] }
    }

    /// The memory for records.
    fn bytes(&self) -> usize {
        // An eighth is for halves and their tables, and half as much for blocks that are not full.
        self.memory / 16 * 13
    }

    /// Where the children of the positions of `store` belong, about `expected` in each of `parts`. The side to move
    /// now, `side`, rests then, with as many pieces as it has now.
    fn layout(&self, store: &Store<PackedOf<B>>, side: Side, expected: f64, parts: usize) -> Share {
        let mut records = [0_u64; MOST_PIECES + 2];
        store.for_each(|record| records[B::Half::pieces(&record.key, side)] += 1);
        let writers = 2 * THREADS * BLOCK * size_of::<Record<PackedOf<B>>>();
        let most = (self.memory / 8 / writers).max(1) as f64;
        let partitions = partitions(expected).min(most.max(expected / MOST_RECORDS));
        let each = partitions / store.records().max(1) as f64;
        let sizes = std::array::from_fn(|pieces| match (records[pieces], records[pieces + 1]) {
            (0, 0) => 0,
            // No king is captured.
            (0, _) if pieces == 0 => 0,
            // After captures by the other side the level below is needed too.
            (records, above) => ((records as f64 + above as f64 / 4.0) * each).max(1.0) as usize,
        });
        Share::new(parts, sizes)
    }

    /// Writes positions into the partitions of the next ply, in which the side that moves now rests.
    fn write(&self, chunk: &Chunk<B::Half>, halves: &[B::Half], mover: Side, writer: &mut Writer<'_, PackedOf<B>>) {
        let mut ways = chunk.ways().iter();
        for group in chunk.groups(mover.flip(), halves) {
            for (&number, &ways) in group.numbers.iter().zip(ways.by_ref()) {
                let half = &halves[number as usize];
                let (pieces, hash) = (half.squares().count() as usize, half.lasting().hash(&self.words));
                if let Some(partition) = writer.share().place(pieces, hash, u64::MAX) {
                    writer.push(partition, Record { key: B::Half::join(mover.order(half, group.half)), ways });
                }
            }
        }
    }

    /// How many bytes the captures from a frontier take if there are as many as two plies before, and at least one for
    /// every fourth position.
    fn inbox_bytes(&self, store: &Store<PackedOf<B>>, side: Side, growth: &Growth) -> f64 {
        let captures = growth.captures[side.index()].max(0.25);
        captures * store.records() as f64 * size_of::<Record<PackedOf<B>>>() as f64
    }

    /// The bytes of the resting side's halves, which wait for the next ply if they leave the mover's half of the memory
    /// for both.
    fn keep_resting(&self, resting: &mut Vec<Halves<B::Half>>) -> usize {
        let bytes = resting.iter().map(Halves::bytes).sum();
        if bytes <= self.memory / 16 {
            return bytes;
        }
        resting.clear();
        0
    }

    /// One ply: has `work` done on all threads with the positions of `store`, in which `side` is to move. It takes the
    /// numbers of partitions until there are no more. The inbox takes at most about `room` bytes; with `last`, the
    /// records are needed no more.
    fn expand(
        &self,
        (pools, growth): (&Pools<B::Half>, &mut Growth),
        store: &Store<PackedOf<B>>,
        side: Side,
        last: bool,
        room: f64,
        work: &Work<'_, B>,
    ) -> Result<(), Stop> {
        // There may be twice as many. From 1.0 on it is all of the range.
        let fits = room / 2.0 / self.inbox_bytes(store, side, growth).max(1.0);
        let limit = (fits * u64::MAX as f64) as u64;
        let inbox = &store.beside(store.share.clone());
        // At 128 bytes each in lists and as halves.
        let most_children = (self.memory / 4 / 128 / self.threads.max(1)).max(1);
        let (words, pool) = (self.words, &pools[side.index()]);
        let kept = self.keep_resting(&mut lock(&pools[side.flip().index()]));
        // The entries of tables have numbers of 32 bits.
        let most_bytes = ((self.memory / 8 - kept) / self.threads.max(1)).min(1 << 31);
        let expansion = &Expansion { frontier: store, side, inbox, limit, last, most_children, most_bytes, words };
        for level in store.share.levels() {
            let nothing = level.clone().all(|partition| store.is_empty(partition) && inbox.is_empty(partition));
            let (next, overflow) = (AtomicUsize::new(level.start), AtomicBool::new(false));
            on_threads(if nothing { level.len().min(1) } else { self.threads.min(level.len()) }, &|| {
                let halves = lock(pool).pop().unwrap_or_else(|| Halves::new(side, words));
                let mut workspace = Workspace::new(expansion, halves);
                work(&mut workspace, &mut || {
                    let next = next.fetch_add(1, Relaxed);
                    (level.contains(&next) && !(self.is_stopped)()).then_some(next)
                });
                overflow.fetch_or(workspace.has_overflowed(), Relaxed);
                lock(pool).push(workspace.into_halves());
            });
            if (self.is_stopped)() {
                return Err(Stop::Stopped);
            }
            if overflow.into_inner() {
                return Err(Stop::Ways);
            }
        }
        if limit == u64::MAX {
            growth.captures[side.index()] = inbox.records() as f64 / store.records().max(1) as f64;
        }
        Ok(())
    }
}

/// The halves of each side that the threads of a run have met, while no thread uses them.
type Pools<H> = [Mutex<Vec<Halves<H>>>; 2];

/// Gives the numbers of partitions until there are no more.
type Next<'a> = &'a mut dyn FnMut() -> Option<usize>;

/// The work of a thread in an expansion: its buffers, and the numbers of partitions.
type Work<'a, B> = dyn Fn(&mut Workspace<'_, B>, Next<'_>) + Sync + 'a;

/// The number of partitions for a number of records.
fn partitions(records: f64) -> f64 {
    (records / FEWEST_RECORDS).min(PARTITIONS).max(records / MOST_RECORDS).max(1.0)
}

/// The passes over the last frontier of a run, which are more if an earlier one is made in passes too.
#[derive(Clone, Copy)]
struct Passes {
    /// How many there are.
    all: usize,
    /// How many follow, by an estimate.
    left: usize,
}

impl Passes {
    const ONE: Passes = Passes { all: 1, left: 0 };
}

/// A count at work, from one frontier down to the next.
struct Descent<'a, B: Counting> {
    frontier: &'a Frontier<'a, B>,
    task: &'a Task,
    /// The number of root moves whose counts are kept apart.
    roots: usize,
    ledger: &'a Ledger<'a>,
    growth: Growth,
    pools: Pools<B::Half>,
    /// The units of the passes so far.
    units: usize,
}

impl<B: Counting> Descent<'_, B> {
    /// Counts from the frontier `store` of `ply`, in which `side` is to move, beside `used` bytes. `outer` are the
    /// passes over earlier frontiers.
    fn descend(
        &mut self,
        store: &Store<PackedOf<B>>,
        ply: u32,
        side: Side,
        used: usize,
        outer: Passes,
    ) -> Result<(), Stop> {
        let depth = self.task.depth;
        if ply + 3 == depth {
            self.ledger.expect(self.units + (outer.left + 1) * store.share.partitions());
            return self.count(store, side, used);
        }
        let used = used + store.bytes();
        let last = ply + 4 == depth;
        let Part { index, of } = if last { self.task.part } else { Part::WHOLE };
        let bytes = self.frontier.bytes();
        let free = bytes.saturating_sub(used).max(bytes / 16) as f64;
        // The last frontier may take most of it; an earlier one leaves room for those after it.
        let room = if last { free * 0.85 } else { free / 3.0 };
        let expected = self.growth.children[side.index()] * store.records() as f64 / of as f64;
        let needed = expected * size_of::<Record<PackedOf<B>>>() as f64;
        let passes = (needed / room).ceil().max(1.0);
        if passes * outer.all as f64 > MOST_PASSES {
            return Err(Stop::Memory(self.enough(store, ply, side)));
        }
        let inbox_room = (free - needed / passes).max(free / 16.0);
        let (expected, passes) = (expected / passes, passes as usize);
        let share = self.frontier.layout(store, side, expected, passes * of);
        for pass in 0..passes {
            let inner = Passes { all: outer.all * passes, left: (outer.left + 1) * passes - pass - 1 };
            let units = self.units..self.units + share.partitions();
            if last && units.clone().all(|unit| self.ledger.knows(unit)) {
                self.ledger.expect(self.units + (inner.left + 1) * share.partitions());
                self.units = units.end;
                continue;
            }
            let growth = self.growth;
            let next = store.beside(share.part(index * passes + pass));
            let frontier = self.frontier;
            let only = passes == 1;
            frontier.expand((&self.pools, &mut self.growth), store, side, only, inbox_room, &|workspace, ready| {
                let mut writer = next.writer();
                while let Some(partition) = ready() {
                    workspace.run::<true>(partition, true, |chunk, halves| {
                        frontier.write(chunk, halves, side, &mut writer);
                    });
                }
            })?;
            if only && of == 1 {
                self.growth.children[side.index()] = next.records() as f64 / store.records().max(1) as f64;
            }
            let used = if only { used - store.bytes() } else { used };
            self.descend(&next, ply + 1, side.flip(), used, inner)?;
            // A resumed run leaves passes out, so no pass may learn from those before it: its units would be others.
            self.growth = growth;
        }
        Ok(())
    }

    /// About how many megabytes suffice for a run of few passes from here: the last frontier but one, and a share of
    /// the last.
    fn enough(&self, store: &Store<PackedOf<B>>, ply: u32, side: Side) -> usize {
        const PASSES: f64 = 16.0;
        let (mut bytes, mut before, mut side) = (store.bytes() as f64, 0.0, side);
        for _ in ply..self.task.depth - 3 {
            (before, bytes) = (bytes, bytes * self.growth.children[side.index()]);
            side = side.flip();
        }
        let megabytes = (before + bytes / PASSES) * 8.0 / 7.0 / f64::from(1 << 20);
        (megabytes as usize).saturating_add(1)
    }

    /// Counts three plies from every position of the last frontier, beside `used` bytes.
    fn count(&mut self, store: &Store<PackedOf<B>>, side: Side, used: usize) -> Result<(), Stop> {
        let Frontier { root, kernel, .. } = *self.frontier;
        let first = self.units;
        self.units += store.share.partitions();
        let (ledger, roots, statistics) = (self.ledger, self.roots, self.task.statistics);
        let bytes = self.frontier.bytes();
        let room = bytes.saturating_sub(used + store.bytes()).max(bytes / 16) as f64;
        self.frontier.expand((&self.pools, &mut self.growth), store, side, true, room, &|workspace, ready| {
            let (mut counts, mut columns) = (Vec::new(), Vec::new());
            while let Some(partition) = ready() {
                // Its captures may lead into units that are not known.
                let known = ledger.knows(first + partition);
                let mut sums = vec![Columns::default(); roots];
                workspace.run::<false>(partition, !known, |chunk, halves| {
                    let groups = chunk.groups(side.flip(), halves);
                    if statistics {
                        columns.clear();
                        columns.resize(chunk.positions(), Columns::default());
                        for group in groups {
                            for (place, board) in group.boards() {
                                columns[place] = B::columns(&root.with_board(board), 2, kernel);
                            }
                        }
                        chunk.for_each_way(|ways, places| {
                            let mut sum = Columns::default();
                            for &place in places {
                                sum += columns[place as usize];
                            }
                            sums[ways.root()].add_times(sum.map(u128::from), ways.number().into());
                        });
                        return;
                    }
                    counts.clear();
                    counts.resize(chunk.positions(), 0);
                    B::perft2(root, side.flip(), kernel, groups, &mut counts);
                    chunk.for_each_way(|ways, places| {
                        let sum: u64 = places.iter().map(|&place| u64::from(counts[place as usize])).sum();
                        let nodes = &mut sums[ways.root()].nodes;
                        *nodes = nodes.saturating_add(u128::from(sum).saturating_mul(ways.number().into()));
                    });
                });
                if !known {
                    ledger.add_nodes(sums.iter().map(|sum| sum.nodes).fold(0, u128::saturating_add));
                    ledger.enter(first + partition, &sums);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess;
    use std::collections::BTreeSet;

    /// With one thread the order of the work, and so the result, is always the same.
    #[test]
    fn the_halves_of_both_sides_take_an_eighth_of_the_memory_at_most() {
        let root = &chess::Position::default();
        for memory in [1 << 18, 1 << 19, 1 << 20, 1 << 21] {
            let (kernel, words) = (Kernel::Portable, HashWords::new(1));
            let frontier = Frontier { root, kernel, threads: 1, memory, words, is_stopped: &|| false };
            let (growth, pools) = (frontier.growth(), Pools::default());
            let (task, sums) = (&Task::nodes(7), vec![Columns::default()]);
            let ledger = &Ledger::new(BTreeSet::new(), sums, &|_, _| {}, &|_| false);
            let mut descent = Descent { frontier: &frontier, task, roots: 1, ledger, growth, pools, units: 0 };
            assert_eq!(descent.descend(&frontier.first(), 0, root.side(), 0, Passes::ONE), Ok(()));
            let bytes = descent.pools.each_ref().map(|pool| lock(pool).iter().map(Halves::bytes).sum::<usize>());
            assert!(bytes.iter().sum::<usize>() <= memory / 8, "{bytes:?} of {memory} bytes");
        }
    }
}
