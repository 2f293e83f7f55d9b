//! What a run has counted so far: the sums, the progress that is reported, and the lines of a checkpoint, saved now and
//! then by a thread of its own.
//!
//! A line has the number of a unit, or the word `total`, and then the counts: those of the first root move, of the
//! second, and so on, or of all together. Its checksum covers that of the header too: a line of another run is damaged.

use super::checkpoint::{Checkpoint, Saved, seal, unseal};
use super::frontier::Journal;
use super::progress::{Reporter, Watch};
use super::quantity::Quantity;
use crate::base::lock::lock;
use crate::base::text::decimal;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A checkpoint is saved when the run has taken twice as long as at the last save, but at least this often, if units
/// were finished since. Each time waits for the disk.
const LONGEST_UNSAVED: Duration = Duration::from_secs(15);

/// How often the thread that saves and reports looks at the run.
const TICK: Duration = Duration::from_millis(50);

/// The word of the last line, which has the counts of the whole run.
pub const TOTAL: &str = "total";

/// A line with the counts of a unit or of the run whose header has the checksum `run`.
fn line<Q: Quantity>(run: u64, name: &str, counts: &[Q]) -> String {
    let numbers = counts.iter().flat_map(Quantity::numbers);
    let mut line = numbers.fold(format!("{run}\t{name}"), |line, n| format!("{line}\t{n}"));
    seal(&mut line, 0);
    line.split_off(run.to_string().len() + 1)
}

/// The inverse of [`line`]: the name, and the counts of `roots` root moves; `None` if the line is damaged.
pub fn read_line<Q: Quantity>(run: u64, line: &str, roots: usize) -> Option<(String, Vec<Q>)> {
    let line = format!("{run}\t{line}");
    let (fields, _) = unseal(&line)?;
    let [_, name, numbers @ ..] = &fields[..] else { return None };
    let numbers = numbers.iter().map(|field| decimal(field)).collect::<Option<Vec<u128>>>()?;
    let counts = numbers.chunks(Q::NAMES.len()).map(Q::from_numbers).collect::<Option<Vec<Q>>>()?;
    (counts.len() == roots).then(|| (name.to_string(), counts))
}

/// What a run has so far.
struct State<Q> {
    /// The counts by root move, or one.
    sums: Vec<Q>,
    /// The number of finished units, those of earlier runs included, and of all.
    done: usize,
    all: usize,
    /// Nodes counted by this run.
    nodes: u128,
    /// Lines that are not yet saved.
    lines: String,
}

/// The counts of a run, which are reported and saved.
pub struct Recorder<'a, Q> {
    state: Mutex<State<Q>>,
    known: BTreeSet<usize>,
    /// The counts of all units, if an earlier run finished.
    total: Option<Vec<Q>>,
    watch: &'a dyn Watch,
    saved: Option<Mutex<Saved<'a>>>,
    /// The checksum of the checkpoint's header.
    run: u64,
}

impl<'a, Q: Quantity> Recorder<'a, Q> {
    /// Starts with what the checkpoint has for a run whose header has these fields. Counts are by `roots` root moves.
    ///
    /// # Errors
    /// If the checkpoint cannot be used.
    pub fn new(
        roots: usize,
        checkpoint: Option<(&'a Checkpoint, String)>,
        watch: &'a dyn Watch,
    ) -> Result<Self, String> {
        let mut state = State { sums: vec![Q::default(); roots], done: 0, all: 0, nodes: 0, lines: String::new() };
        let (mut known, mut total, mut saved, mut run) = (BTreeSet::new(), None, None, 0);
        if let Some((checkpoint, fields)) = checkpoint {
            let read = |run, line: &str| {
                let Some((name, counts)) = read_line(run, line, roots) else { return false };
                if name == TOTAL {
                    total = Some(counts);
                    return true;
                }
                // A unit that is there twice would be counted twice.
                let new = decimal(&name).is_some_and(|unit| known.insert(unit));
                if new {
                    state.add(&counts);
                }
                new
            };
            let found = checkpoint.open(&fields, read)?;
            if found.torn {
                watch.warn("the last line of the checkpoint is incomplete; its unit is counted again");
            }
            run = found.run;
            saved = Some(Mutex::new(found));
            state.nodes = 0;
        }
        Ok(Recorder { state: Mutex::new(state), known, total, watch, saved, run })
    }

    /// Counts with `count`, and reports and saves meanwhile. The sums by root move.
    ///
    /// # Errors
    /// That of `count`.
    pub fn run<E>(mut self, count: impl FnOnce(&dyn Journal<Q>) -> Result<Vec<Q>, E>) -> Result<Vec<Q>, E> {
        if let Some(total) = self.total.take() {
            // A run of few plies has no units.
            let units = self.known.len().max(1);
            self.watch.resumed(units, units);
            return Ok(total);
        }
        let counts = std::thread::scope(|scope| {
            // Dropped at the end, even on a panic.
            let (_running, end) = mpsc::channel();
            if self.watch.is_watching() || self.saved.is_some() {
                let this = &self;
                if let Err(error) = Builder::new().spawn_scoped(scope, move || this.monitor(&end)) {
                    self.watch.warn(&format!("no progress, and no checkpoint before the end: {error}"));
                }
            }
            count(&self)
        })?;
        lock(&self.state).lines += &line(self.run, TOTAL, &counts);
        self.save();
        Ok(counts)
    }

    /// Reports and saves until the end.
    fn monitor(&self, end: &Receiver<()>) {
        let mut reporter = Reporter::new(self.watch, self.known.len());
        let begin = Instant::now();
        let (mut saved, mut next) = (self.known.len(), Duration::ZERO);
        while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            let (done, all, nodes) = {
                let state = lock(&self.state);
                (state.done, state.all, state.nodes)
            };
            if done != saved && begin.elapsed() >= next {
                self.save();
                saved = done;
                next = begin.elapsed() + begin.elapsed().min(LONGEST_UNSAVED);
            }
            reporter.report(done, all, nodes);
        }
    }

    /// Saves the lines that are not yet saved.
    fn save(&self) {
        let lines = std::mem::take(&mut lock(&self.state).lines);
        if let Some(Err(fault)) = self.saved.as_ref().map(|saved| lock(saved).append(&lines)) {
            self.watch.warn(&format!("the checkpoint cannot be written: {fault}"));
        }
    }
}

impl<Q: Quantity> State<Q> {
    /// Adds the counts of a unit.
    fn add(&mut self, counts: &[Q]) {
        self.done += 1;
        for (sum, &count) in self.sums.iter_mut().zip(counts) {
            sum.add(count);
            self.nodes.add(count.nodes());
        }
    }
}

impl<Q: Quantity> Journal<Q> for Recorder<'_, Q> {
    fn expect(&self, units: usize) {
        let mut state = lock(&self.state);
        if state.all == 0 && self.saved.is_some() {
            self.watch.resumed(self.known.len(), units);
        }
        state.all = units;
    }
    fn knows(&self, unit: usize) -> bool {
        self.known.contains(&unit)
    }
    fn enter(&self, unit: usize, counts: Vec<Q>) {
        let line = self.saved.as_ref().map(|_| line(self.run, &unit.to_string(), &counts));
        let mut state = lock(&self.state);
        state.add(&counts);
        state.lines.extend(line);
    }
    fn sums(&self) -> Vec<Q> {
        lock(&self.state).sums.clone()
    }
}
