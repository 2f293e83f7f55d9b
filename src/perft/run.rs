//! A run: what it counts ([`Task`]) and returns ([`Divide`]), what it has counted so far and whether it goes on
//! ([`Ledger`]), and the threads that draw its units ([`spread`]).

use super::PerftError;
use crate::base::lock::{into_inner, lock};
use crate::base::text::decimal;
use crate::game::{Columns, Counting, Position};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;

/// One of several equal parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 0.
    pub index: usize,
    /// How many there are.
    pub of: usize,
}

/// The most parts of a run.
pub const MOST_PARTS: usize = 10_000;

impl Part {
    /// The whole run.
    pub const WHOLE: Part = Part { index: 0, of: 1 };

    /// Reads I/N, with I from 1 to N.
    pub fn read(text: &str) -> Option<Part> {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (decimal::<usize>(number)?, decimal(of)?);
        ((1..=of).contains(&number) && of <= MOST_PARTS).then(|| Part { index: number - 1, of })
    }
}

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
pub struct Divide<M, N = u128> {
    /// Every legal move in generator order, with its count.
    pub moves: Vec<(M, N)>,
    /// The total; at depth 0, the single empty sequence.
    pub total: N,
}

impl<M> Divide<M, Columns<u128>> {
    /// The numbers of sequences alone.
    pub(crate) fn nodes(self) -> Divide<M> {
        let moves = self.moves.into_iter().map(|(m, columns)| (m, columns.nodes)).collect();
        Divide { moves, total: self.total.nodes }
    }
}

impl<M, N> IntoIterator for Divide<M, N> {
    type Item = (M, N);
    type IntoIter = std::vec::IntoIter<(M, N)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, M, N> IntoIterator for &'a Divide<M, N> {
    type Item = &'a (M, N);
    type IntoIter = std::slice::Iter<'a, (M, N)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

/// What a run counts.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Plies.
    pub depth: u32,
    /// Whether each root move has counts of its own.
    pub divide: bool,
    /// Whether all columns are counted, not only the sequences.
    pub statistics: bool,
    /// The part of the run that is counted.
    pub part: Part,
}

impl Task {
    /// The sequences of `depth` plies.
    pub fn nodes(depth: u32) -> Task {
        Task { depth, divide: false, statistics: false, part: Part::WHOLE }
    }

    /// The number of counts of a unit: one, or that of the root moves. A position without moves has one too.
    pub fn counts<B: Counting>(&self, pos: &Position<B>) -> usize {
        if self.divide && self.depth > 0 { pos.legal_moves().len().max(1) } else { 1 }
    }

    /// The divide of `sums` by root move; without `divide`, only their total.
    ///
    /// # Errors
    /// If there are too many sequences.
    pub fn result<B: Counting>(
        &self,
        pos: &Position<B>,
        sums: Vec<Columns<u128>>,
    ) -> Result<Divide<B::Move, Columns<u128>>, PerftError> {
        let mut total = Columns::default();
        for &sum in &sums {
            total.add_times(sum, 1);
        }
        if total.nodes == u128::MAX {
            return Err(PerftError::Overflow);
        }
        let is_divided = self.divide && self.depth > 0;
        let moves = if is_divided { pos.legal_moves().into_iter().zip(sums).collect() } else { Vec::new() };
        Ok(Divide { moves, total })
    }
}

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

/// Takes how far a run is, again and again, from the threads that count, and returns whether the run is to stop.
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

    /// There are about this many units in all, which is reported at once.
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

/// Runs `work` once on each of at most `threads` threads, the calling one among them, which is the only one where no
/// other can be started. Compiled once for all kinds of work.
pub fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Runs `work` for 0 … `number` − 1 on at most `threads` threads, which draw the numbers from a shared counter.
pub fn spread(threads: usize, number: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    on_threads(threads.min(number), &|| {
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= number {
                return;
            }
            work(index);
        }
    });
}
