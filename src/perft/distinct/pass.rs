//! Finding the distinct positions one ply further: every move of the present ply is made into a key, and every
//! key entered into the tables of `table`, in one go or, where memory is short, in several.
//!
//! A go is a row of rounds. In a round, threads first make the keys of some parts of the tree, each part's
//! for itself and sorted by table; then each thread takes table after table and enters their keys, in
//! the order of the parts. So the first arrival at a position is the same with any number of threads.
//! Called by `distinct`.

use super::marks::Marks;
use super::ply::TOO_MANY;
use super::table::{Key, Slot, Span, Table};
use super::tree::{Level, Tree};
use crate::base::lock::lock;
use crate::game::WideKeyed;
use crate::perft::parallel::spread;
use crate::perft::progress::{Reporter, Watch};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What is wanted of the keys.
pub trait Goal: Sync {
    /// What a key takes along to its table.
    type Note: Copy + Send + Sync;
    /// What the table keeps beside the key.
    type Value: Copy + Default + Send;
    /// Gets ready for `moves` moves in all.
    fn grow(&mut self, moves: u64) {
        let _ = moves;
    }
    /// Something about position number `parent` for its moves.
    #[inline(always)]
    fn parent(&self, parent: u64) -> u64 {
        parent
    }
    /// What the key of move number `place` of its group of parts takes along.
    fn note(&self, place: u64, parent: u64) -> Self::Note;
    /// A key comes for the first time; `start` is the number of the first move of its group.
    fn first(&self, start: u64, note: Self::Note) -> Self::Value;
    /// A key comes again.
    #[inline(always)]
    fn again(&self, value: &mut Self::Value, note: Self::Note) {
        let _ = (value, note);
    }
    /// All of a go's keys have come.
    fn keep(&self, value: &Self::Value) {
        let _ = value;
    }
    /// What went wrong, if anything did.
    fn fault(&self) -> Option<String> {
        None
    }
}

/// The number of positions, nothing else.
pub struct Count;

impl Goal for Count {
    type Note = ();
    type Value = ();
    #[inline(always)]
    fn note(&self, _place: u64, _parent: u64) {}
    #[inline(always)]
    fn first(&self, _start: u64, _note: ()) {}
}

/// Which moves are first arrivals.
#[derive(Default)]
pub struct Mark {
    /// A bit for each move.
    pub marks: Marks,
}

impl Goal for Mark {
    type Note = u64;
    type Value = ();
    fn grow(&mut self, moves: u64) {
        self.marks.grow(moves);
    }
    #[inline(always)]
    fn note(&self, place: u64, _parent: u64) -> u64 {
        place
    }
    #[inline(always)]
    fn first(&self, start: u64, place: u64) {
        self.marks.set(start + place);
    }
}

/// How many sequences lead to each position. The first arrivals must be known.
pub struct Weigh<'a> {
    /// The sequences that lead to each position of the present ply.
    parents: &'a [u64],
    /// The first arrivals.
    level: &'a Level,
    /// The sequences that lead to each position of the next ply.
    next: Vec<AtomicU64>,
    /// A number became too large.
    overflow: AtomicBool,
}

impl<'a> Weigh<'a> {
    /// The goal for the positions that `level` leads to from positions of these weights.
    pub fn new(parents: &'a [u64], level: &'a Level) -> Self {
        let next = (0..level.len()).map(|_| AtomicU64::new(0)).collect();
        Weigh { parents, level, next, overflow: AtomicBool::new(false) }
    }

    /// The weights.
    pub fn finish(self) -> Vec<u64> {
        self.next.into_iter().map(AtomicU64::into_inner).collect()
    }
}

impl Goal for Weigh<'_> {
    /// Number of the move within its group, and weight.
    type Note = (u64, u64);
    /// Number of the position, and weight.
    type Value = (u64, u64);
    #[inline(always)]
    fn parent(&self, parent: u64) -> u64 {
        self.parents[parent as usize]
    }
    #[inline(always)]
    fn note(&self, place: u64, parent: u64) -> (u64, u64) {
        (place, parent)
    }
    #[inline(always)]
    fn first(&self, start: u64, (place, weight): (u64, u64)) -> (u64, u64) {
        (self.level.marks.before(start + place), weight)
    }
    #[inline(always)]
    fn again(&self, value: &mut (u64, u64), (_, weight): (u64, u64)) {
        match value.1.checked_add(weight) {
            Some(sum) => value.1 = sum,
            None => self.overflow.store(true, Relaxed),
        }
    }
    fn keep(&self, &(number, weight): &(u64, u64)) {
        self.next[number as usize].store(weight, Relaxed);
    }
    fn fault(&self) -> Option<String> {
        self.overflow.load(Relaxed).then(|| TOO_MANY.to_string())
    }
}

/// What a run may use, and what is known beforehand.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Threads.
    pub threads: usize,
    /// Bytes for the tables.
    pub table_bytes: usize,
    /// Bytes for the keys of a round.
    pub round_bytes: usize,
    /// About how many distinct positions there will be.
    pub expected: u64,
    /// About how many moves a position has.
    pub average_moves: u64,
}

/// What a run found.
pub struct Found {
    /// The number of distinct positions.
    pub positions: u64,
    /// For each part the number of moves before it, and at last the number of all.
    pub starts: Vec<u64>,
}

/// A table of about this size stays within the reach of the second-level caches of its pages.
const TABLE_BYTES: usize = 4 << 20;

/// Keys whose slots are fetched together.
const BATCH: usize = 32;

/// The keys of consecutive parts, sorted by table.
struct Buffer<N> {
    queues: Vec<Vec<(Key, N)>>,
    /// Moves of each part.
    moves: Vec<u64>,
}

/// All tables and what they have found.
struct Tables<V> {
    tables: Vec<Mutex<Table<V>>>,
    /// The most slots that memory allows each.
    most: usize,
    /// About how many keys there are.
    expected: f64,
    found: u64,
    /// The share of all keys that has been dealt with.
    done: f64,
}

impl<V: Copy + Default> Tables<V> {
    fn new(budget: &Budget) -> Self {
        let slots = budget.table_bytes / size_of::<Slot<V>>();
        let number = (budget.table_bytes / TABLE_BYTES).clamp(16, 1024).next_power_of_two();
        let tables = (0..number).map(|_| Mutex::new(Table::new())).collect();
        // A table that is rebuilt needs its place twice, on each thread.
        let most = slots / (number + budget.threads);
        let expected = budget.expected.max(1) as f64;
        Tables { tables, most, expected, found: 0, done: 0.0 }
    }

    /// Gets ready for the next go; returns how many goes are likely to come, or 0 after the last one.
    fn begin(&mut self) -> Result<u64, String> {
        let shares = self.tables.iter().map(|table| lock(table).left.share());
        let share = shares.fold(0.0, f64::max);
        if share == 0.0 {
            return Ok(0);
        }
        if self.done > 0.0 {
            self.expected = self.found as f64 / self.done;
        }
        // A load of 4/5 on average, and then some for chance.
        let each = self.expected * share / self.tables.len() as f64;
        let wanted = (each * 1.25 + 8.0 * each.sqrt()) as usize + 64;
        let slots = wanted.min(self.most).max(1);
        let goes = wanted.div_ceil(slots) as u64;
        for table in &self.tables {
            lock(table).begin(slots, goes)?;
        }
        Ok(goes)
    }

    fn end(&mut self) {
        for table in &self.tables {
            let (found, share) = lock(table).end();
            self.found += found;
            self.done += share / self.tables.len() as f64;
        }
    }
}

/// Makes the keys of all moves of the parts `parts` into `buffer`.
fn make_keys<P: WideKeyed, G: Goal>(
    tree: &Tree<'_, P>,
    goal: &G,
    parts: Range<usize>,
    spans: &[Span],
    buffer: &mut Buffer<G::Note>,
) {
    buffer.queues.resize_with(spans.len(), Vec::new);
    buffer.queues.iter_mut().for_each(Vec::clear);
    buffer.moves.clear();
    let mut number = tree.first_node(parts.start);
    let mut place = 0;
    for part in parts {
        let before = place;
        tree.walk(part, |pos, key| {
            let list = pos.legal_moves();
            let parent = goal.parent(number);
            number += 1;
            for &m in list.as_slice() {
                let key = Key::new(pos.wide_key_after(tree.keys, key, m));
                let table = key.table(spans.len());
                if spans[table].contains(key) {
                    buffer.queues[table].push((key, goal.note(place, parent)));
                }
                place += 1;
            }
        });
        buffer.moves.push(place - before);
    }
}

/// Enters keys of one table; `start` is the number of the first move of their group of parts.
fn enter_keys<G: Goal>(goal: &G, table: &mut Table<G::Value>, keys: &[(Key, G::Note)], start: u64) {
    for batch in keys.chunks(BATCH) {
        // One short loop over all slots: the CPU looks far enough ahead to let the misses overlap.
        let touched = batch.iter().fold(0, |sum, (key, _)| sum ^ table.touch(*key));
        std::hint::black_box(touched);
        for &(key, note) in batch {
            table.enter(key, || goal.first(start, note), |value| goal.again(value, note));
        }
    }
}

/// Cuts the parts from `from` on into at most `most` groups of about `wanted` positions.
fn groups<P: WideKeyed>(
    tree: &Tree<'_, P>,
    mut from: usize,
    most: usize,
    wanted: u64,
) -> Vec<Range<usize>> {
    let mut groups = Vec::with_capacity(most);
    while groups.len() < most && from < tree.base.len() {
        let end = tree.first_node(from) + wanted.max(1);
        let mut to = from + 1;
        while to < tree.base.len() && tree.first_node(to + 1) <= end {
            to += 1;
        }
        groups.push(from..to);
        from = to;
    }
    groups
}

/// Finds the distinct positions one ply below the lowest of the tree.
///
/// # Errors
/// If there is not enough memory, or `goal` says so.
pub fn run<P: WideKeyed + Sync, G: Goal>(
    tree: &Tree<'_, P>,
    goal: &mut G,
    budget: Budget,
    watch: &dyn Watch,
) -> Result<Found, String> {
    let mut tables = Tables::<G::Value>::new(&budget);
    let most = 4 * budget.threads;
    // Queues grow by doubling: half of the place may be empty.
    let round = budget.round_bytes / (2 * size_of::<(Key, G::Note)>());
    let wanted = round as u64 / most as u64 / budget.average_moves.max(1);
    let empty = || Mutex::new(Buffer { queues: Vec::new(), moves: Vec::new() });
    let buffers: Vec<Mutex<Buffer<G::Note>>> = (0..most).map(|_| empty()).collect();
    let mut reporter = Reporter::new(watch, 0);
    let (mut all_moves, mut goes_done) = (0u128, 0);
    let mut starts = vec![0];
    loop {
        let goes = tables.begin()?;
        if goes == 0 {
            return Ok(Found { positions: tables.found, starts });
        }
        let known = starts.len() > 1;
        let mut from = 0;
        while from < tree.base.len() {
            let groups = groups(tree, from, most, wanted);
            let spans: Vec<_> = tables.tables.iter().map(|table| lock(table).span).collect();
            spread(budget.threads, groups.len(), |i| {
                make_keys(tree, goal, groups[i].clone(), &spans, &mut lock(&buffers[i]));
            });
            if !known {
                let mut sum = starts.last().copied().unwrap_or_default();
                for buffer in &buffers[..groups.len()] {
                    for moves in &lock(buffer).moves {
                        sum += moves;
                        starts.push(sum);
                    }
                }
                goal.grow(sum);
            }
            let filled: Vec<_> = buffers[..groups.len()].iter().map(lock).collect();
            spread(budget.threads, tables.tables.len(), |i| {
                let mut table = lock(&tables.tables[i]);
                for (buffer, group) in filled.iter().zip(&groups) {
                    enter_keys(goal, &mut table, &buffer.queues[i], starts[group.start]);
                }
            });
            from = groups.last().map_or(from, |group| group.end);
            all_moves += filled.iter().flat_map(|b| &b.moves).map(|&n| u128::from(n)).sum::<u128>();
            let parts = tree.base.len();
            let done = parts * goes_done as usize + from;
            reporter.report(done, parts * (goes_done + goes) as usize, all_moves);
        }
        spread(budget.threads, tables.tables.len(), |i| {
            lock(&tables.tables[i]).values().for_each(|value| goal.keep(value));
        });
        tables.end();
        goes_done += 1;
        if let Some(fault) = goal.fault() {
            return Err(fault);
        }
    }
}
