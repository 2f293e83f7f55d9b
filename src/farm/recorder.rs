//! A [`Journal`] that saves the units of a run in a checkpoint, now and then by a thread of its own, and knows those
//! that earlier runs have saved.
//!
//! A line has the number of a unit, or the word `total`, and then the counts: those of the first root move, of the
//! second, and so on, or of all together. Its checksum covers that of the header too: a line of another run is taken
//! for damaged.

use super::checkpoint::{Checkpoint, Saved, seal, unseal};
use crate::base::lock::lock;
use crate::base::text::decimal;
use crate::perft::PerftError;
use crate::perft::frontier::Journal;
use crate::perft::progress::{Sums, Watch};
use crate::perft::quantity::{Quantity, total};
use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, Once};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A checkpoint is saved when the run has taken twice as long as at the last save, but at least this often, if units
/// were finished since. Each time waits for the disk.
const LONGEST_UNSAVED: Duration = Duration::from_secs(15);

/// How often the thread that saves looks at the run.
const TICK: Duration = Duration::from_millis(50);

/// The word of the last line, which has the counts of the whole run.
const TOTAL: &str = "total";

/// A line with the counts of a unit or of the run whose header has the checksum `run`.
fn line<Q: Quantity>(run: u64, name: &str, counts: &[Q]) -> String {
    let numbers = counts.iter().flat_map(Quantity::numbers);
    let mut line = numbers.fold(format!("{run}\t{name}"), |line, n| format!("{line}\t{n}"));
    seal(&mut line, 0);
    line.split_off(run.to_string().len() + 1)
}

/// The inverse of [`line`]: the name, and the counts of `roots` root moves; `None` if the line is damaged.
fn read_line<Q: Quantity>(run: u64, line: &str, roots: usize) -> Option<(String, Vec<Q>)> {
    let line = format!("{run}\t{line}");
    let (fields, _) = unseal(&line)?;
    let [_, name, numbers @ ..] = &fields[..] else { return None };
    let numbers = numbers.iter().map(|field| decimal(field)).collect::<Option<Vec<u128>>>()?;
    let counts = numbers.chunks(Q::NAMES.len()).map(Q::from_numbers).collect::<Option<Vec<Q>>>()?;
    (counts.len() == roots).then(|| (name.to_string(), counts))
}

/// What a checkpoint has of a run.
pub struct Found<Q> {
    /// The finished units.
    known: BTreeSet<usize>,
    /// The sums of their counts.
    sums: Vec<Q>,
    /// The counts of the whole run, if it is finished.
    pub total: Option<Vec<Q>>,
}

impl<Q: Quantity> Found<Q> {
    /// Nothing yet of a run with so many counts.
    pub fn new(counts: usize) -> Self {
        Found { known: BTreeSet::new(), sums: vec![Q::default(); counts], total: None }
    }

    /// Adds a line of the run whose header has the checksum `run`; `false` if it is damaged.
    pub fn read(&mut self, run: u64, line: &str) -> bool {
        let Some((name, counts)) = read_line(run, line, self.sums.len()) else { return false };
        if name == TOTAL {
            self.total = Some(counts);
            return true;
        }
        // A unit that is there twice would be counted twice.
        let new = decimal(&name).is_some_and(|unit| self.known.insert(unit));
        if new {
            self.sums.iter_mut().zip(counts).for_each(|(sum, count)| sum.add(count));
        }
        new
    }
}

/// The counts of a run, which are saved.
pub struct Recorder<'a, Q> {
    sums: Sums<'a, Q>,
    /// The units of earlier runs.
    known: BTreeSet<usize>,
    /// The counts of all units, if an earlier run finished.
    total: Option<Vec<Q>>,
    watch: &'a dyn Watch,
    saved: Mutex<Saved<'a>>,
    /// Lines that are not yet saved.
    lines: Mutex<String>,
    /// The checksum of the checkpoint's header.
    run: u64,
    /// Whether the watch knows how many units there are.
    resumed: Once,
}

impl<'a, Q: Quantity> Recorder<'a, Q> {
    /// Starts with what the checkpoint has for a run whose header has these fields. Counts are by `roots` root moves.
    ///
    /// # Errors
    /// If the checkpoint cannot be used.
    pub fn new(roots: usize, checkpoint: &'a Checkpoint, fields: &str, watch: &'a dyn Watch) -> Result<Self, String> {
        let mut found = Found::new(roots);
        let saved = checkpoint.open(fields, |run, line| found.read(run, line))?;
        if saved.torn {
            watch.warn("the last line of the checkpoint is incomplete; its unit is counted again");
        }
        let (run, Found { known, sums, total }) = (saved.run, found);
        Ok(Recorder {
            sums: Sums::new(sums, known.len(), watch),
            known,
            total,
            watch,
            saved: Mutex::new(saved),
            lines: Mutex::default(),
            run,
            resumed: Once::new(),
        })
    }

    /// Counts with `count`, and reports and saves meanwhile. The sums by root move; and whether they could be saved.
    ///
    /// # Errors
    /// That of `count`, or if there are too many sequences. A file that was made for the run is removed then.
    pub fn run(
        mut self,
        count: impl FnOnce(&dyn Journal<Q>) -> Result<Vec<Q>, PerftError>,
    ) -> Result<(Vec<Q>, Result<(), String>), PerftError> {
        if let Some(total) = self.total.take() {
            // A run of few plies has no units.
            let units = self.known.len().max(1);
            self.watch.resumed(units, units);
            return Ok((total, Ok(())));
        }
        let counts = std::thread::scope(|scope| {
            // Dropped at the end, even on a panic.
            let (_running, end) = mpsc::channel();
            let this = &self;
            if let Err(error) = Builder::new().spawn_scoped(scope, move || this.save_until(&end)) {
                self.watch.warn(&format!("nothing is saved before the end: {error}"));
            }
            self.sums.reporting(|| count(&self))
        });
        let counts = counts.and_then(|counts| total(&counts).map(|_| counts));
        let counts = counts.inspect_err(|_| lock(&self.saved).discard())?;
        *lock(&self.lines) += &line(self.run, TOTAL, &counts);
        Ok((counts, self.save()))
    }

    /// Saves now and then until the end.
    fn save_until(&self, end: &Receiver<()>) {
        let (begin, mut next) = (Instant::now(), Duration::ZERO);
        while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if begin.elapsed() >= next && !lock(&self.lines).is_empty() {
                if let Err(reason) = self.save() {
                    self.watch.warn(&reason);
                }
                next = begin.elapsed() + begin.elapsed().min(LONGEST_UNSAVED);
            }
        }
    }

    /// Saves the lines that are not yet saved.
    fn save(&self) -> Result<(), String> {
        let lines = std::mem::take(&mut *lock(&self.lines));
        lock(&self.saved).append(&lines).map_err(|fault| format!("the checkpoint cannot be written: {fault}"))
    }
}

impl<Q: Quantity> Journal<Q> for Recorder<'_, Q> {
    fn expect(&self, units: usize) {
        self.resumed.call_once(|| self.watch.resumed(self.known.len(), units));
        self.sums.expect(units);
    }
    fn knows(&self, unit: usize) -> bool {
        self.known.contains(&unit)
    }
    fn enter(&self, unit: usize, counts: Vec<Q>) {
        *lock(&self.lines) += &line(self.run, &unit.to_string(), &counts);
        self.sums.enter(unit, counts);
    }
    fn sums(&self) -> Vec<Q> {
        self.sums.sums()
    }
    fn is_stopped(&self) -> bool {
        self.sums.is_stopped()
    }
}
