//! Finds the distinct positions of the next ply: the key after every move of the current ply is entered into the hash
//! tables of `table`, in one pass or, if memory is short, in several.
//!
//! A pass consists of rounds. In a round, the threads first compute the keys of some parts of the tree, each part
//! separately and sorted by table. Then each thread takes table after table and enters their keys in the order of the
//! parts. So the first arrival at a position does not depend on the number of threads.

use super::table::{Key, Slot, Span, Table};
use super::tree::Tree;
use crate::base::lock::lock;
use crate::game::WideKeyed;
use crate::perft::parallel::spread;
use crate::perft::progress::{Reporter, Watch};
use std::ops::Range;
use std::sync::Mutex;

/// The resources of a run and estimates for it.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Threads.
    pub threads: usize,
    /// Bytes for the tables.
    pub table_bytes: usize,
    /// Bytes for the keys of a round.
    pub round_bytes: usize,
    /// Estimated number of distinct positions.
    pub expected: u64,
    /// Estimated number of moves per position.
    pub average_moves: u64,
}

/// The result of a run.
pub struct Found {
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of moves before each part, then the total.
    pub starts: Vec<u64>,
}

/// A table of about this size is covered by the second-level TLB.
const TABLE_BYTES: usize = 4 << 20;

/// Number of keys whose slots are fetched together.
const BATCH: usize = 32;

/// The keys of consecutive parts, sorted by table.
struct Buffer<N> {
    queues: Vec<Vec<(Key, N)>>,
    /// Moves of each part.
    moves: Vec<u64>,
}

/// The tables and what has been found so far.
struct Tables<V> {
    tables: Vec<Mutex<Table<V>>>,
    /// Maximum number of slots per table within the memory limit.
    most: usize,
    /// Estimated number of keys.
    expected: f64,
    found: u64,
    /// The share of the key space that is finished.
    done: f64,
}

impl<V: Copy + Default> Tables<V> {
    fn new(budget: &Budget) -> Self {
        let slots = budget.table_bytes / size_of::<Slot<V>>();
        let number = (budget.table_bytes / TABLE_BYTES).clamp(16, 1024).next_power_of_two();
        let tables = (0..number).map(|_| Mutex::new(Table::new())).collect();
        // While a table is rebuilt it needs twice its space, on each thread.
        let most = slots / (number + budget.threads);
        let expected = budget.expected.max(1) as f64;
        Tables { tables, most, expected, found: 0, done: 0.0 }
    }

    /// Prepares the next pass. Returns the estimated number of passes still to come, or 0 after the last.
    fn begin(&mut self) -> Result<u64, String> {
        let shares = self.tables.iter().map(|table| lock(table).left.share());
        let share = shares.fold(0.0, f64::max);
        if share == 0.0 {
            return Ok(0);
        }
        if self.done > 0.0 {
            self.expected = self.found as f64 / self.done;
        }
        // An average load of 4/5, plus a margin for random variation.
        let each = self.expected * share / self.tables.len() as f64;
        let wanted = (each * 1.25 + 8.0 * each.sqrt()) as usize + 64;
        let slots = wanted.min(self.most).max(1);
        let passes = wanted.div_ceil(slots) as u64;
        for table in &self.tables {
            lock(table).begin(slots, passes)?;
        }
        Ok(passes)
    }

    fn end(&mut self) {
        for table in &self.tables {
            let (found, share) = lock(table).end();
            self.found += found;
            self.done += share / self.tables.len() as f64;
        }
    }
}

/// Computes the keys after all moves of the parts `parts` into `buffer`. Each is accompanied by `note` of its number
/// among these moves and of the number of its parent.
fn make_keys<P: WideKeyed, N>(
    tree: &Tree<'_, P>,
    note: impl Fn(u64, u64) -> N,
    parts: Range<usize>,
    spans: &[Span],
    buffer: &mut Buffer<N>,
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
            for &m in list.as_slice() {
                let key = Key::new(pos.wide_key_after(tree.keys, key, m));
                let table = key.table(spans.len());
                if spans[table].contains(key) {
                    buffer.queues[table].push((key, note(place, number)));
                }
                place += 1;
            }
            number += 1;
        });
        buffer.moves.push(place - before);
    }
}

/// Divides the parts from `from` on into at most `most` groups of about `wanted` positions.
fn groups<P: WideKeyed>(tree: &Tree<'_, P>, mut from: usize, most: usize, wanted: u64) -> Vec<Range<usize>> {
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

/// Finds the distinct positions one ply below the lowest ply of the tree.
///
/// `note` makes what accompanies a key to its table: from the number of its move within its group of parts, and the
/// number of its parent. `enter` enters a key into its table; it is given the number of the first move of the group.
/// `keep` gets what the tables have stored with the keys, after all keys of a pass have been entered.
///
/// # Errors
/// If the memory is not sufficient.
pub fn run<P: WideKeyed + Sync, N: Copy + Send + Sync, V: Copy + Default + Send>(
    tree: &Tree<'_, P>,
    budget: Budget,
    watch: &dyn Watch,
    note: impl Fn(u64, u64) -> N + Sync,
    enter: impl Fn(&mut Table<V>, Key, u64, N) + Sync,
    keep: impl Fn(&V) + Sync,
) -> Result<Found, String> {
    let mut tables = Tables::<V>::new(&budget);
    let most = 4 * budget.threads;
    // Queues grow by doubling, so half of the space may be unused.
    let round = budget.round_bytes / (2 * size_of::<(Key, N)>());
    let wanted = round as u64 / most as u64 / budget.average_moves.max(1);
    let empty = || Mutex::new(Buffer { queues: Vec::new(), moves: Vec::new() });
    let buffers: Vec<Mutex<Buffer<N>>> = (0..most).map(|_| empty()).collect();
    let mut reporter = Reporter::new(watch, 0);
    let (mut all_moves, mut passes_done) = (0u128, 0);
    let mut starts = vec![0];
    loop {
        let passes = tables.begin()?;
        if passes == 0 {
            return Ok(Found { positions: tables.found, starts });
        }
        let known = starts.len() > 1;
        let mut from = 0;
        while from < tree.base.len() {
            let groups = groups(tree, from, most, wanted);
            let spans: Vec<_> = tables.tables.iter().map(|table| lock(table).span).collect();
            spread(budget.threads, groups.len(), |i| {
                make_keys(tree, &note, groups[i].clone(), &spans, &mut lock(&buffers[i]));
            });
            if !known {
                let mut sum = starts.last().copied().unwrap_or_default();
                for buffer in &buffers[..groups.len()] {
                    for moves in &lock(buffer).moves {
                        sum += moves;
                        starts.push(sum);
                    }
                }
            }
            let filled: Vec<_> = buffers[..groups.len()].iter().map(lock).collect();
            spread(budget.threads, tables.tables.len(), |i| {
                let mut table = lock(&tables.tables[i]);
                for (buffer, group) in filled.iter().zip(&groups) {
                    for batch in buffer.queues[i].chunks(BATCH) {
                        // A short loop over all slots first: the CPU looks far enough ahead for the cache misses to
                        // overlap.
                        let touched = batch.iter().fold(0, |sum, (key, _)| sum ^ table.touch(*key));
                        std::hint::black_box(touched);
                        for &(key, note) in batch {
                            enter(&mut table, key, starts[group.start], note);
                        }
                    }
                }
            });
            from = groups.last().map_or(from, |group| group.end);
            all_moves += filled.iter().flat_map(|b| &b.moves).map(|&n| u128::from(n)).sum::<u128>();
            let parts = tree.base.len();
            let done = parts * passes_done as usize + from;
            reporter.report(done, parts * (passes_done + passes) as usize, all_moves);
        }
        spread(budget.threads, tables.tables.len(), |i| {
            lock(&tables.tables[i]).values().for_each(&keep);
        });
        tables.end();
        passes_done += 1;
    }
}
