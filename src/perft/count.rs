//! Counting runs: settings, totals and divides.
//!
//! `cli` uses [`Counter`] for every count. It owns the hash table, cuts a run into units (`plan`) and distributes
//! them over threads. The tree walk itself is the game's (`Rules::perft_by`) or `hashed`'s.

use super::PerftError;
use super::checkpoint::{Checkpoint, Saved};
use super::hash_table::HashTable;
use super::hashed::{Countable, Walk};
use super::parallel::spread;
use super::plan::Plan;
use super::progress::{Reporter, Watch};
use super::quantity::Quantity;
use super::records::UnitResult;
use crate::base::checksum::fnv1a;
use crate::base::lock::{into_inner, lock};
use crate::base::pages::HashError;
use crate::game::{Kernel, Notation, WideKeyed};
use std::collections::BTreeSet;
use std::mem::take;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A checkpoint is saved when the run has taken twice as long as at the last save, but at least this often, if units
/// were finished since. Each time waits for the disk.
const LONGEST_UNSAVED: Duration = Duration::from_secs(15);

/// How often the thread that saves and reports looks at the run.
const TICK: Duration = Duration::from_millis(50);

/// The legal moves of a position with the number of sequences that start with each.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::Perft;
///
/// let divide = Perft::new(Position::default()).divide(3)?;
/// for (m, count) in &divide {
///     println!("{m}: {count}");
/// }
/// assert_eq!((divide.moves.len(), divide.total), (20, 8902));
/// # Ok::<(), tabiya::perft::PerftError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divide<M, Q = u128> {
    /// Every legal move in generator order, with its count.
    pub moves: Vec<(M, Q)>,
    /// The total; at depth 0, the single empty sequence.
    pub total: Q,
}

impl<M: Copy, Q: Quantity> Divide<M, Q> {
    #[doc(hidden)]
    /// Sums the counts of the units of `plan`, which are in the plan's order. The sums are exact if the total is.
    pub fn of<P: WideKeyed<Move = M>>(plan: &Plan<P>, counts: impl IntoIterator<Item = Q>) -> Self {
        let moves = plan.moves.iter().map(|&m| (m, Q::default())).collect();
        let mut divide = Divide { moves, total: Q::default() };
        for (roots, count) in plan.units.weights.iter().zip(counts) {
            for &(root, ways) in &roots.0 {
                divide.moves[usize::from(root)].1.add(count.times(ways));
                divide.total.add(count.times(ways));
            }
        }
        divide
    }
}

impl<M, Q> IntoIterator for Divide<M, Q> {
    type Item = (M, Q);
    type IntoIter = std::vec::IntoIter<(M, Q)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, M, Q> IntoIterator for &'a Divide<M, Q> {
    type Item = &'a (M, Q);
    type IntoIter = std::slice::Iter<'a, (M, Q)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads, at least 1.
    pub threads: usize,
    /// Size of the hash table in megabytes; 0 = none.
    pub hash_megabytes: usize,
    /// Seed of the hash keys.
    pub seed: u64,
    /// The leaf counter, one of `Rules::kernels`.
    pub kernel: Kernel,
}

/// State shared by the threads of a run.
struct Shared<Q> {
    /// The result of each unit, if finished.
    results: Vec<Option<Q>>,
    /// The lines of a checkpoint that are not yet saved.
    lines: String,
    /// Finished units.
    done: usize,
    /// Nodes counted by this run.
    nodes: u128,
}

/// The checksum of a unit's position, which its line in a checkpoint has.
fn check(pos: &impl Notation) -> u64 {
    fnv1a(pos.to_fen().as_bytes())
}

/// Counts sequences (or columns of statistics) with fixed settings; the hash table is kept between runs.
pub struct Counter<P: WideKeyed, Q: Countable<P> = u128> {
    settings: Settings,
    table: Option<Q::Table>,
    keys: P::Keys,
}

impl<P: WideKeyed + Notation + Sync, Q: Countable<P>> Counter<P, Q> {
    /// A counter with an empty table.
    ///
    /// # Errors
    /// If the hash table cannot be allocated.
    pub fn new(settings: Settings) -> Result<Self, HashError> {
        let table = match settings.hash_megabytes {
            0 => None,
            megabytes => Some(Q::Table::new(megabytes)?),
        };
        Ok(Counter { keys: P::wide_keys(settings.seed), settings, table })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Size of the hash table in megabytes; 0 = none.
    pub fn hash_megabytes(&self) -> usize {
        self.table.as_ref().map_or(0, Q::Table::megabytes)
    }

    /// Megabytes of the hash table on large pages now; `None` if unknown.
    pub fn large_page_megabytes(&self) -> Option<usize> {
        self.table.as_ref()?.large_page_megabytes()
    }

    /// The quantity over all sequences of exactly `depth` plies.
    ///
    /// # Errors
    /// If there are 2¹²⁸ sequences or more.
    pub fn total(&self, pos: &P, depth: u32) -> Result<Q, PerftError> {
        Ok(self.divide(pos, depth, None, &())?.total)
    }

    /// Like [`Counter::total`], but on the calling thread only. Several threads may call it at once; they share the
    /// table.
    ///
    /// # Errors
    /// If there are 2¹²⁸ sequences or more.
    pub fn total_here(&self, pos: &P, depth: u32) -> Result<Q, PerftError> {
        self.counted_here(pos, depth).exact()
    }

    /// The total, which may be beyond the numbers.
    fn counted_here(&self, pos: &P, depth: u32) -> Q {
        let Settings { kernel, .. } = self.settings;
        match &self.table {
            None => Q::count(pos, depth, kernel),
            Some(table) => Walk::new(pos, table, &self.keys, kernel).count(pos, depth),
        }
    }

    /// Like [`Counter::total`], but separately for each legal move. At depth 0 there are no moves and the total is 1.
    ///
    /// # Errors
    /// If there are 2¹²⁸ sequences or more. If the checkpoint cannot be used; nothing has been counted in that case.
    pub fn divide(
        &self,
        pos: &P,
        depth: u32,
        checkpoint: Option<&Checkpoint>,
        watch: &dyn Watch,
    ) -> Result<Divide<P::Move, Q>, PerftError> {
        // With a table or a checkpoint, transpositions are merged and counted once. Otherwise every node is visited.
        let distinct = self.table.is_some() || checkpoint.is_some();
        let divide = self.divide_by(pos, depth, distinct, checkpoint, watch);
        let divide = divide.map_err(PerftError::Checkpoint)?;
        divide.total.exact().map(|_| divide)
    }

    /// The deepest depth below `depth`, whose total is beyond the numbers, with a total that is not.
    pub fn deepest_exact(&self, pos: &P, depth: u32) -> u32 {
        let (mut exact, mut beyond) = (0, depth);
        while beyond - exact > 1 {
            let middle = exact.midpoint(beyond);
            // Transpositions are merged, because such totals are out of reach otherwise.
            match self.divide_by(pos, middle, true, None, &()) {
                Ok(divide) if !divide.total.is_beyond() => exact = middle,
                _ => beyond = middle,
            }
        }
        exact
    }

    /// The divide; its sums may be beyond the numbers. With `distinct`, transpositions are merged and counted once.
    fn divide_by(
        &self,
        pos: &P,
        depth: u32,
        distinct: bool,
        checkpoint: Option<&Checkpoint>,
        watch: &dyn Watch,
    ) -> Result<Divide<P::Move, Q>, String> {
        if depth == 0 {
            let total = Q::count(pos, 0, self.settings.kernel);
            return Ok(Divide { moves: Vec::new(), total });
        }
        let plan = Plan::new(pos, depth, distinct.then_some(&self.keys));
        let units = plan.units.positions.len();
        let (mut results, mut saved) = (vec![None; units], None);
        if let Some(file) = checkpoint {
            let mut seeds = BTreeSet::new();
            let read = |run, line: &str| {
                let read = || {
                    let result = UnitResult::read(line).ok()?.filter(|result| result.run == run)?;
                    let unit = usize::try_from(result.number).ok()?;
                    let known = plan.units.positions.get(unit).is_some_and(|pos| check(pos) == result.unit);
                    known.then_some((unit, result.seed, result.quantity()?))
                };
                let Some((unit, seed, counted)) = read() else { return false };
                results[unit] = Some(counted);
                seeds.insert(seed);
                true
            };
            let fields = format!("columns={}\tunits={units}", Q::NAMES.len());
            let found = saved.insert(file.open(&fields, read)?);
            if found.torn {
                watch.warn("the last line of the checkpoint is incomplete; its part is counted again");
            }
            watch.resumed(results.iter().flatten().count(), units, &seeds);
        }
        if plan.unit_depth == 0 {
            // Statistics describe the last moves, which the positions after them no longer show.
            let roots = plan.units.weights.iter().filter_map(|roots| roots.0.first());
            let counts = roots.map(|&(root, _)| Q::of_move(pos, plan.moves[usize::from(root)]));
            return Ok(Divide::of(&plan, counts));
        }
        let results = self.run(&plan, results, saved, watch);
        Ok(Divide::of(&plan, results.into_iter().flatten()))
    }

    /// Counts the units that have no result yet, saves checkpoints and reports progress to `watch`.
    fn run(
        &self,
        plan: &Plan<P>,
        results: Vec<Option<Q>>,
        checkpoint: Option<Saved<'_>>,
        watch: &dyn Watch,
    ) -> Vec<Option<Q>> {
        let all = results.len();
        let todo: Vec<usize> = (0..all).filter(|&i| results[i].is_none()).collect();
        let done = all - todo.len();
        let shared = Mutex::new(Shared { results, lines: String::new(), done, nodes: 0 });
        let run = checkpoint.as_ref().map(|saved| saved.run);
        let checkpoint = Mutex::new(checkpoint);
        let save = |lines: &str| {
            if let Some(Err(fault)) = lock(&checkpoint).as_mut().map(|saved| saved.append(lines)) {
                watch.warn(&format!("the checkpoint cannot be written: {fault}"));
            }
        };
        let monitor = |end: Receiver<()>| {
            let mut reporter = Reporter::new(watch, done);
            let begin = Instant::now();
            let (mut saved, mut next) = (done, Duration::ZERO);
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let mut now = lock(&shared);
                let (done, nodes) = (now.done, now.nodes);
                let due = run.is_some() && done != saved && begin.elapsed() >= next;
                let lines = due.then(|| take(&mut now.lines));
                drop(now);
                if let Some(lines) = lines {
                    save(&lines);
                    saved = done;
                    next = begin.elapsed() + begin.elapsed().min(LONGEST_UNSAVED);
                }
                reporter.report(done, all, nodes);
            }
        };
        std::thread::scope(|scope| {
            // Dropped at the end, even on a panic.
            let (_running, end) = mpsc::channel();
            if watch.is_watching() || run.is_some() {
                let monitor = Builder::new().spawn_scoped(scope, move || monitor(end));
                if let Err(error) = monitor {
                    watch.warn(&format!("no progress, and no checkpoint before the end: {error}"));
                }
            }
            spread(plan.threads(self.settings.threads), todo.len(), |i| {
                let unit = todo[i];
                let start = Instant::now();
                let counted = self.counted_here(&plan.units.positions[unit], plan.unit_depth);
                let seconds = start.elapsed().as_secs_f64();
                let line = run.map(|run| {
                    let place = check(&plan.units.positions[unit]);
                    UnitResult::of(unit as u64, place, run, self.settings.seed, seconds, counted).line()
                });
                let mut now = lock(&shared);
                now.nodes.add(counted.nodes());
                now.done += 1;
                now.results[unit] = Some(counted);
                now.lines.extend(line);
            });
        });
        let Shared { results, lines, .. } = into_inner(shared);
        save(&lines);
        results
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Position;

    use crate::game::{Census, Columns};

    #[test]
    fn divides_add_up_with_any_settings() {
        let pos = Position::from_fen(Position::START_FEN).unwrap();
        for (threads, hash_megabytes) in [(1, 0), (3, 0), (1, 4), (3, 16)] {
            let kernel = Kernel::Scalar;
            let settings = Settings { threads, hash_megabytes, seed: 1, kernel };
            let counter = Counter::new(settings).unwrap();
            for depth in 0..6 {
                let divide = counter.divide(&pos, depth, None, &()).unwrap();
                assert_eq!(divide.total, u128::from(pos.perft(depth)));
                assert_eq!(divide.moves.len(), if depth == 0 { 0 } else { 20 });
                let parts: u128 = divide.moves.iter().map(|&(_, n)| n).sum();
                assert_eq!(parts, if depth == 0 { 0 } else { divide.total });
            }
        }
    }

    /// With a table there are different units in a different order.
    #[test]
    fn hashed_divides_of_columns_match_plain_ones() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        for depth in 1..4 {
            let [plain, hashed] = [0, 5].map(|hash_megabytes| {
                let settings = Settings { threads: 2, hash_megabytes, seed: 1, kernel: Kernel::Scalar };
                let counter = Counter::<Position, Columns<u128>>::new(settings).unwrap();
                counter.divide(&pos, depth, None, &()).unwrap()
            });
            assert_eq!(plain, hashed, "depth {depth}");
        }
    }

    /// The sums for each depth from 0, by distinct positions, ply by ply, as long as they fit.
    fn sums(pos: Position, most: u32) -> Vec<Columns<u128>> {
        let keys = Position::wide_keys(2);
        let (mut ply, mut sums) = (vec![(pos, 1u128)], vec![Columns { nodes: 1, ..Columns::default() }]);
        while (sums.len() as u32) <= most {
            let mut next: Vec<(Position, u128)> = Vec::new();
            let (mut known, mut sum) = (std::collections::HashMap::new(), Some(Columns::default()));
            for (pos, ways) in ply {
                for &m in &pos.legal_moves() {
                    let mut last = Columns::default();
                    pos.facts(m).note(&mut last);
                    sum = sum.and_then(|sum: Columns<u128>| {
                        let pairs = sum.counted().into_iter().zip(last.counted());
                        let add = |(n, last): (u128, u64)| n.checked_add(ways * u128::from(last));
                        let numbers = pairs.map(add).collect::<Option<Vec<u128>>>()?;
                        Columns::from_numbers(&numbers)
                    });
                    let mut child = pos;
                    child.make(m);
                    match known.entry(child.wide_key(&keys)).or_insert(next.len()) {
                        place if *place == next.len() => next.push((child, ways)),
                        place => next[*place].1 = next[*place].1.saturating_add(ways),
                    }
                }
            }
            let Some(sum) = sum else { break };
            sums.push(sum);
            ply = next;
        }
        sums
    }

    /// Runs every way of counting at the depths around the last whose total fits.
    #[test]
    fn totals_are_exact_up_to_the_last_that_fits() {
        let settings = Settings { threads: 2, hash_megabytes: 64, seed: 1, kernel: Kernel::Scalar };
        let pos = Position::from_fen("8/8/8/8/8/8/8/k1K5 w - - 0 1").unwrap();
        let sums = sums(pos, 60);
        let last = sums.len() as u32 - 1;
        assert_eq!(last, 48);
        let counter = Counter::<Position>::new(settings.clone()).unwrap();
        let columns = Counter::<Position, Columns<u128>>::new(settings.clone()).unwrap();
        for depth in [9, 23, 24, 25, 47, 48, 49, 50, 100] {
            let sum = sums.get(depth as usize).copied().ok_or(PerftError::Overflow);
            let nodes = sum.clone().map(|sum| sum.nodes);
            assert_eq!(counter.total(&pos, depth), nodes, "depth {depth}");
            assert_eq!(counter.total_here(&pos, depth), nodes, "depth {depth}");
            assert_eq!(columns.total(&pos, depth), sum, "depth {depth}");
            let divide = counter.divide(&pos, depth, None, &());
            assert_eq!(divide.map(|d| d.moves.iter().map(|&(_, n)| n).sum::<u128>()), nodes);
        }
        assert_eq!(counter.deepest_exact(&pos, 49), last);
        assert_eq!(columns.deepest_exact(&pos, 100), last);
        // Without the units of a plan, from an empty table.
        for depth in [48, 49, 100] {
            let counter = Counter::<Position, Columns<u128>>::new(settings.clone()).unwrap();
            let sum = sums.get(depth as usize).copied().ok_or(PerftError::Overflow);
            assert_eq!(counter.total_here(&pos, depth), sum, "depth {depth}");
        }
    }
}
