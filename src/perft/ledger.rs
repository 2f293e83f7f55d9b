//! [`Ledger`]: what a run has counted so far, and who is asked whether it goes on.

use super::PerftError;
use crate::base::lock::{into_inner, lock};
use crate::game::Columns;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// After how many sequences the run is asked again whether it goes on: less than a millisecond.
const POLL_NODES: u128 = 100_000;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finished {
    /// Finished units, including those of earlier runs, and all, by an estimate; 0 while that is not known.
    pub units: usize,
    pub of: usize,
    /// Sequences counted by this run.
    pub nodes: u128,
}

/// Is told again and again how far a run is, by the threads that count, and returns whether the run is to stop.
pub type Poll<'a> = &'a (dyn Fn(Finished) -> bool + Sync);

/// Takes the number of a finished unit, and its counts as in [`Ledger`].
pub type Record<'a> = &'a (dyn Fn(usize, &[Columns<u128>]) + Sync);

/// The counts of a run, unit by unit: of each unit one for every root move in a divide, otherwise a single one. With
/// memory, the units are the partitions of the last frontiers of all passes.
pub struct Ledger<'a> {
    state: Mutex<State>,
    /// The units of earlier runs.
    known: BTreeSet<usize>,
    record: Record<'a>,
    poll: Poll<'a>,
    stopped: AtomicBool,
}

struct State {
    /// One for every root move in a divide, otherwise a single one.
    sums: Vec<Columns<u128>>,
    finished: Finished,
    /// Sequences counted since the last question.
    since_poll: u128,
}

impl<'a> Ledger<'a> {
    /// A run of which `known` units are counted and give these `sums`. Each further unit goes to `record`.
    pub fn new(known: BTreeSet<usize>, sums: Vec<Columns<u128>>, record: Record<'a>, poll: Poll<'a>) -> Self {
        let finished = Finished { units: known.len(), ..Finished::default() };
        let state = Mutex::new(State { sums, finished, since_poll: 0 });
        Ledger { state, known, record, poll, stopped: AtomicBool::new(false) }
    }

    /// There are about this many units in all, which is told at once.
    pub fn expect(&self, units: usize) {
        lock(&self.state).finished.of = units;
        self.is_stopped();
    }

    /// Whether the counts of a unit are there already, so that it is not counted.
    pub fn knows(&self, unit: usize) -> bool {
        self.known.contains(&unit)
    }

    /// Takes sequences of a unit that is being counted, and returns whether the run is to stop.
    pub fn add_nodes(&self, nodes: u128) -> bool {
        let mut state = lock(&self.state);
        state.finished.nodes = state.finished.nodes.saturating_add(nodes);
        state.since_poll = state.since_poll.saturating_add(nodes);
        if state.since_poll < POLL_NODES {
            return self.stopped.load(Relaxed);
        }
        state.since_poll = 0;
        drop(state);
        self.is_stopped()
    }

    /// Adds the counts of a finished unit.
    pub fn enter(&self, unit: usize, counts: &[Columns<u128>]) {
        (self.record)(unit, counts);
        let mut state = lock(&self.state);
        state.finished.units += 1;
        for (sum, &count) in state.sums.iter_mut().zip(counts) {
            sum.add_times(count, 1);
        }
    }

    /// Whether the run is to stop. Once it is, this stays so.
    pub fn is_stopped(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return true;
        }
        let finished = lock(&self.state).finished;
        let stops = (self.poll)(finished);
        if stops {
            self.stopped.store(true, Relaxed);
        }
        stops
    }

    /// The sums of all units.
    ///
    /// # Errors
    /// If the run was stopped.
    pub fn into_sums(self) -> Result<Vec<Columns<u128>>, PerftError> {
        if self.stopped.into_inner() {
            return Err(PerftError::Stopped);
        }
        Ok(into_inner(self.state).sums)
    }
}
