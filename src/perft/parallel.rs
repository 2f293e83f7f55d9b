//! Spreading one run over threads: many small units in a shared queue, progress, checkpoints.
//!
//! The units are the positions a few plies below the root, in the generator's order. Where a table or a
//! checkpoint is used, a position that is reached in several ways is one unit, so that no two threads count
//! the same; without, each way is a unit of its own, as plain perft walks every node. How many there are
//! depends on position and depth only, so that a checkpoint written with one number of threads serves any
//! other. Called by `count`. [`spread`] is for work of any other kind.

use crate::game::{MoveBuffer, Rules};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Units are made until there are this many, or as shallow as this.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// The same for distinct units: with more of them, in a good order, a table is used better, as long as the units
/// do not become too small for it.
const ENOUGH_DISTINCT: usize = 8_000;
const MIN_DISTINCT_DEPTH: u32 = 5;

/// Time between two calls of [`Watch::progress`], and between two writings of a checkpoint.
const INTERVAL: Duration = Duration::from_millis(500);

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// Finished units, those of earlier runs among them.
    pub done: usize,
    /// All units.
    pub all: usize,
    /// Nodes counted by this run.
    pub nodes: u128,
    /// Time this run has taken.
    pub time: Duration,
    /// Time until the end, if the rest goes as fast as what was done lately.
    pub left: Option<Duration>,
}

/// Who is told how a run goes on. Nobody: `()`.
pub trait Watch: Sync {
    /// Whether [`Watch::progress`] is wanted at all.
    fn is_watching(&self) -> bool {
        false
    }
    /// A run goes on.
    fn progress(&self, status: &Status) {
        let _ = status;
    }
    /// A run begins with `done` of `all` units from its checkpoint, which other runs have counted with `seeds`.
    fn resumed(&self, done: usize, all: usize, seeds: &[u64]) {
        let _ = (done, all, seeds);
    }
    /// Something went wrong that does not end the run.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

/// Estimates the time that is left from what was done lately: the beginning of a run, when tables are empty,
/// says little about its end, and what earlier runs have done says nothing of the speed of this one.
pub struct Estimate {
    /// Moments and the units finished by then, the first one at the start of the run.
    samples: VecDeque<(Duration, usize)>,
}

impl Estimate {
    /// For a run that begins with `done` units.
    pub fn new(done: usize) -> Self {
        Estimate { samples: VecDeque::from([(Duration::ZERO, done)]) }
    }

    /// The time left when `done` of `all` units are finished after `time`; `None` as long as nothing is known.
    pub fn left(&mut self, time: Duration, done: usize, all: usize) -> Option<Duration> {
        self.samples.push_back((time, done));
        // The last third of the run so far, but not less than ten seconds.
        let window = (time / 3).max(Duration::from_secs(10));
        while self.samples.get(1).is_some_and(|&(at, _)| at + window <= time) {
            self.samples.pop_front();
        }
        let &(from, before) = self.samples.front()?;
        let speed = done.checked_sub(before)? as f64 / time.checked_sub(from)?.as_secs_f64();
        Duration::try_from_secs_f64(all.saturating_sub(done) as f64 / speed).ok()
    }
}

/// A position below the root.
pub struct Unit<P> {
    /// The position.
    pub position: P,
    /// Indices of the root moves that lead here, and in how many ways each.
    pub roots: Vec<(usize, u64)>,
}

/// The units of a run.
pub struct Plan<P: Rules> {
    /// The legal moves of the root.
    pub moves: Vec<P::Move>,
    /// The units.
    pub units: Vec<Unit<P>>,
    /// Plies to count in each unit.
    pub unit_depth: u32,
}

/// Tells positions apart, if units are to be distinct.
pub type KeyOf<'a, P> = Option<&'a dyn Fn(&P) -> u128>;

/// Divides a run of `depth` plies (at least 1) into units.
pub fn plan<P: Rules>(pos: &P, depth: u32, key_of: KeyOf<'_, P>) -> Plan<P> {
    let mut list = P::List::default();
    pos.legal_moves(&mut list);
    let moves = list.as_slice().to_vec();
    let after = |pos: &P, m: P::Move| {
        let mut child = *pos;
        child.make(m);
        child
    };
    let unit = |(root, &m)| Unit { position: after(pos, m), roots: vec![(root, 1)] };
    let mut units: Vec<Unit<P>> = moves.iter().enumerate().map(unit).collect();
    let mut unit_depth = depth - 1;
    let wanted = |units: usize, depth| {
        let distinct = key_of.is_some() && units < ENOUGH_DISTINCT && depth > MIN_DISTINCT_DEPTH;
        distinct || units < ENOUGH_UNITS && depth > MIN_UNIT_DEPTH
    };
    while wanted(units.len(), unit_depth) {
        let (mut deeper, mut known) = (Vec::<Unit<P>>::new(), HashMap::new());
        for Unit { position, roots } in &units {
            let mut list = P::List::default();
            position.legal_moves(&mut list);
            for &m in list.as_slice() {
                let (position, next) = (after(position, m), deeper.len());
                let find =
                    |key_of: &dyn Fn(&P) -> u128| *known.entry(key_of(&position)).or_insert(next);
                match deeper.get_mut(key_of.map_or(next, find)) {
                    Some(unit) => unit.add_ways(roots),
                    None => deeper.push(Unit { position, roots: roots.clone() }),
                }
            }
        }
        units = deeper;
        unit_depth -= 1;
    }
    Plan { moves, units, unit_depth }
}

impl<P> Unit<P> {
    fn add_ways(&mut self, roots: &[(usize, u64)]) {
        for &(root, ways) in roots {
            match self.roots.iter_mut().find(|known| known.0 == root) {
                Some(known) => known.1 += ways,
                None => self.roots.push((root, ways)),
            }
        }
    }
}

/// What the threads share.
struct Shared<T> {
    results: Vec<Option<T>>,
    done: usize,
    /// Nodes counted in this run.
    nodes: u128,
    finished: bool,
}

/// Keeps the results of a run while it goes on.
pub trait Keep<T>: Sync {
    /// Replaces what was kept by `results`; those of unfinished units are missing.
    ///
    /// # Errors
    /// With the reason, in one line.
    fn keep(&self, results: &[Option<T>]) -> Result<(), String>;
}

/// How a run is to be done.
pub struct Job<'a, T> {
    /// Threads, at least 1.
    pub threads: usize,
    /// For each unit its result, if it is known already.
    pub known: Vec<Option<T>>,
    /// Where results are kept as they come, if anywhere.
    pub keep: Option<&'a dyn Keep<T>>,
    /// Who is told.
    pub watch: &'a dyn Watch,
}

/// Works on every unit and returns the results in the order of the units. `work` gives a unit's result,
/// `nodes` the nodes it stands for.
pub fn run<P: Rules + Sync, T: Clone + Send>(
    plan: &Plan<P>,
    job: Job<'_, T>,
    work: impl Fn(&P) -> T + Sync,
    nodes: impl Fn(&T) -> u128 + Sync,
) -> Vec<T> {
    let Job { threads, known, keep, watch } = job;
    let start = Instant::now();
    let todo: Vec<usize> = (0..plan.units.len()).filter(|&i| known[i].is_none()).collect();
    let done = plan.units.len() - todo.len();
    let state = Mutex::new(Shared { results: known, done, nodes: 0, finished: false });
    let bell = Condvar::new();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(&unit) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = work(&plan.units[unit].position);
            let mut state = lock();
            state.nodes += nodes(&result);
            state.done += 1;
            state.results[unit] = Some(result);
        }
    };
    let save = |results: &[Option<T>]| {
        if let Some(Err(fault)) = keep.map(|keep| keep.keep(results)) {
            watch.warn(&format!("the checkpoint cannot be written: {fault}"));
        }
    };
    let monitor = || {
        let mut estimate = Estimate::new(done);
        let mut state = lock();
        loop {
            let waited = bell.wait_timeout_while(state, INTERVAL, |state| !state.finished);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let (finished, done, nodes) = (state.finished, state.done, state.nodes);
            if keep.is_some() {
                // Written from a copy, so that the workers do not wait for the disk.
                let results = state.results.clone();
                drop(state);
                save(&results);
                state = lock();
            }
            if finished {
                return;
            }
            let (all, time) = (plan.units.len(), start.elapsed());
            let left = estimate.left(time, done, all);
            if watch.is_watching() {
                watch.progress(&Status { done, all, nodes, time, left });
            }
        }
    };
    // A run of a few microseconds is over before a thread has begun.
    let threads = if plan.unit_depth < MIN_UNIT_DEPTH { 1 } else { threads.min(todo.len()).max(1) };
    std::thread::scope(|scope| {
        let monitored = watch.is_watching() || keep.is_some();
        let monitor = monitored.then(|| scope.spawn(monitor));
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        worker();
        for other in others {
            // A worker that panics ends the program (`panic = "abort"`), so there is no error to handle.
            let _ = other.join();
        }
        if monitor.is_some() {
            lock().finished = true;
            bell.notify_all();
        }
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.results.into_iter().flatten().collect()
}

/// Runs `work` for 0 … `number` − 1 on some threads.
pub fn spread(threads: usize, number: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= number {
                return;
            }
            work(index);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(number) {
            scope.spawn(worker);
        }
        worker();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::{Notation, WideKeyed};

    #[test]
    fn distinct_units_stand_for_all_ways() {
        let keys = Position::wide_keys(9);
        let key_of = |pos: &Position| pos.wide_key(&keys);
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let pos = Position::from_fen(fen).unwrap();
            for depth in 1..9 {
                let all = plan(&pos, depth, None);
                let merged = plan(&pos, depth, Some(&key_of));
                assert_eq!(all.moves.len(), merged.moves.len());
                // Merged units may need to go a ply deeper to be enough.
                let plies = depth - merged.unit_depth;
                let mut ways = vec![0; merged.moves.len()];
                merged.units.iter().flat_map(|u| &u.roots).for_each(|&(root, n)| ways[root] += n);
                for (&m, &ways) in merged.moves.iter().zip(&ways) {
                    let mut child = pos;
                    child.make(m);
                    assert_eq!(ways, child.perft(plies - 1), "{fen} depth {depth}");
                }
                let mut distinct: Vec<u128> =
                    merged.units.iter().map(|unit| key_of(&unit.position)).collect();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), merged.units.len());
                assert!(all.units.iter().all(|unit| unit.roots.len() == 1 && unit.roots[0].1 == 1));
            }
        }
        let start = Position::from_fen(Position::START_FEN).unwrap();
        assert_eq!(plan(&start, 9, None).units.len(), 8_902);
        assert_eq!(plan(&start, 8, Some(&key_of)).units.len(), 5_362);
        assert_eq!(plan(&start, 9, Some(&key_of)).units.len(), 72_078);
    }

    #[test]
    fn what_is_left_is_estimated_from_what_was_done_lately() {
        let seconds = Duration::from_secs;
        // An earlier run has done 500 of 1,000; this one does 1 a second, then 2 a second.
        let mut estimate = Estimate::new(500);
        assert_eq!(estimate.left(Duration::ZERO, 500, 1_000), None);
        let mut done = 500;
        for second in 1..=60 {
            done += 1;
            let left = estimate.left(seconds(second), done, 1_000).unwrap();
            assert_eq!(left.as_secs_f64().round() as usize, 1_000 - done, "second {second}");
        }
        for second in 61..=180 {
            done += 2;
            let left = estimate.left(seconds(second), done, 1_000).unwrap().as_secs_f64();
            let (fast, slow) = ((1_000 - done) as f64 / 2.0, (1_000 - done) as f64);
            assert!(left >= fast - 0.01 && left <= slow + 0.01, "second {second}");
            assert!(second < 100 || left <= fast + 0.01, "second {second}: {left}");
        }
        // Nothing done for long: no end in sight.
        let mut estimate = Estimate::new(0);
        assert_eq!(estimate.left(seconds(100), 0, 10), None);
        assert_eq!(estimate.left(seconds(200), 10, 10), Some(Duration::ZERO));
    }
}
