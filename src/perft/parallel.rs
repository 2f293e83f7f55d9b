//! Spreading one run over threads: many small units in a shared queue, progress, checkpoints.
//!
//! The units are the positions a few plies below the root, in the generator's order. How many there are
//! depends on position and depth only, so that a checkpoint written with one number of threads serves any
//! other. Called by `count`. [`spread`] is for work of any other kind.

use crate::game::{MoveBuffer, Rules};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Units are made until there are this many, or as shallow as this.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// Time between two calls of [`Watch::progress`], and between two writings of a checkpoint.
const INTERVAL: Duration = Duration::from_millis(500);

/// Who is told how a run goes on. Nobody: `()`.
pub trait Watch: Sync {
    /// Whether [`Watch::progress`] is wanted at all.
    fn is_watching(&self) -> bool {
        false
    }
    /// `done` of `all` units are finished, `nodes` counted in `time` (by this run, not by an earlier one).
    fn progress(&self, done: usize, all: usize, nodes: u128, time: Duration) {
        let _ = (done, all, nodes, time);
    }
    /// Something went wrong that does not end the run.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

/// A position below the root.
pub struct Unit<P> {
    /// Index of the root move that leads here.
    pub root: usize,
    /// The position.
    pub position: P,
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

/// Divides a run of `depth` plies (at least 1) into units.
pub fn plan<P: Rules>(pos: &P, depth: u32) -> Plan<P> {
    let mut list = P::List::default();
    pos.legal_moves(&mut list);
    let moves = list.as_slice().to_vec();
    let after = |pos: &P, m: P::Move| {
        let mut child = *pos;
        child.make(m);
        child
    };
    let mut units: Vec<_> =
        moves.iter().enumerate().map(|(root, &m)| Unit { root, position: after(pos, m) }).collect();
    let mut unit_depth = depth - 1;
    while units.len() < ENOUGH_UNITS && unit_depth > MIN_UNIT_DEPTH {
        let mut deeper = Vec::new();
        for Unit { root, position } in &units {
            let mut list = P::List::default();
            position.legal_moves(&mut list);
            let child = |&m: &P::Move| Unit { root: *root, position: after(position, m) };
            deeper.extend(list.as_slice().iter().map(child));
        }
        units = deeper;
        unit_depth -= 1;
    }
    Plan { moves, units, unit_depth }
}

/// What the threads share.
struct State<T> {
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
    let state = Mutex::new(State { results: known, done, nodes: 0, finished: false });
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
            watch.progress(done, plan.units.len(), nodes, start.elapsed());
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
