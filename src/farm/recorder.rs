//! What a run writes into its checkpoint ([`Recorder`]), and what it finds there ([`Found`]).
//!
//! A line has the number of a unit, or the word `total`, and then the counts: those of the first root move, of the
//! second, and so on, or of all together. Its checksum also covers the checksum of the header, so that a line of
//! another run counts as damaged.

use super::checkpoint::{Saved, seal, unseal};
use crate::base::lock::{into_inner, lock};
use crate::base::text::decimal;
use crate::game::Columns;
use crate::game::count::columns::COUNTED;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A checkpoint is saved when the run has taken twice as long as at the last save, but at least this often, if units
/// were finished since. Each save waits for the disk.
const LONGEST_UNSAVED: Duration = Duration::from_secs(15);

/// The word of the last line, which has the counts of the whole run.
const TOTAL: &str = "total";

/// How many numbers a count has in a file.
pub fn width(statistics: bool) -> usize {
    if statistics { COUNTED } else { 1 }
}

/// What a checkpoint has of a run.
pub struct Found {
    statistics: bool,
    /// The finished units.
    pub known: BTreeSet<usize>,
    /// The sums of their counts.
    pub sums: Vec<Columns<u128>>,
    /// The counts of the whole run, if it is finished.
    pub total: Option<Vec<Columns<u128>>>,
}

impl Found {
    /// Nothing yet of a run with this many counts.
    pub fn new(counts: usize, statistics: bool) -> Self {
        Found { statistics, known: BTreeSet::new(), sums: vec![Columns::default(); counts], total: None }
    }

    /// Adds a line of the run whose header has the checksum `run`; `false` if it is damaged.
    pub fn read(&mut self, run: u64, line: &str) -> bool {
        let Some((name, counts)) = self.read_line(run, line) else { return false };
        if name == TOTAL {
            self.total = Some(counts);
            return true;
        }
        // A unit that is there twice would be counted twice.
        let new = decimal(&name).is_some_and(|unit| self.known.insert(unit));
        if new {
            for (sum, count) in self.sums.iter_mut().zip(counts) {
                sum.add_times(count, 1);
            }
        }
        new
    }

    /// The inverse of [`Recorder::line`]: the name and the counts; `None` if the line is damaged.
    fn read_line(&self, run: u64, line: &str) -> Option<(String, Vec<Columns<u128>>)> {
        let line = format!("{run}\t{line}");
        let (fields, _) = unseal(&line)?;
        let [_, name, fields @ ..] = &fields[..] else { return None };
        let width = width(self.statistics);
        if fields.len() != self.sums.len() * width {
            return None;
        }
        let mut counts = Vec::new();
        for fields in fields.chunks(width) {
            let mut numbers = [0; COUNTED];
            for (number, field) in numbers.iter_mut().zip(fields) {
                *number = decimal(field)?;
            }
            counts.push(Columns::from_counted(numbers));
        }
        Some((name.to_string(), counts))
    }
}

/// Saves the units of a run, on the thread that has finished one.
pub struct Recorder<'a> {
    state: Mutex<State<'a>>,
    statistics: bool,
    begin: Instant,
    /// Called with a message if something could not be saved.
    warn: fn(&str),
}

struct State<'a> {
    saved: Saved<'a>,
    /// Lines that are not yet saved.
    lines: String,
    /// The time of the next save.
    next: Duration,
}

impl<'a> Recorder<'a> {
    /// Records the units of a run in this file.
    pub fn new(saved: Saved<'a>, statistics: bool, warn: fn(&str)) -> Self {
        let state = Mutex::new(State { saved, lines: String::new(), next: Duration::ZERO });
        Recorder { state, statistics, begin: Instant::now(), warn }
    }

    /// A line with the counts of a unit, or of the run whose header has the checksum `run`.
    fn line(&self, run: u64, name: &str, counts: &[Columns<u128>]) -> String {
        let mut line = format!("{run}\t{name}");
        for columns in counts {
            for number in &columns.counted()[..width(self.statistics)] {
                line += &format!("\t{number}");
            }
        }
        seal(&mut line, 0);
        line.split_off(run.to_string().len() + 1)
    }

    /// Takes the counts of a finished unit, and saves now and then.
    pub fn record(&self, unit: usize, counts: &[Columns<u128>]) {
        let mut state = lock(&self.state);
        let line = self.line(state.saved.run, &unit.to_string(), counts);
        state.lines += &line;
        if self.begin.elapsed() >= state.next {
            if let Err(reason) = state.save() {
                (self.warn)(&reason);
            }
            let time = self.begin.elapsed();
            state.next = time + time.min(LONGEST_UNSAVED);
        }
    }

    /// Saves the counts of the whole run.
    ///
    /// # Errors
    /// If they cannot be saved.
    pub fn finish(self, counts: &[Columns<u128>]) -> Result<(), String> {
        let run = lock(&self.state).saved.run;
        let line = self.line(run, TOTAL, counts);
        let mut state = into_inner(self.state);
        state.lines += &line;
        state.save()
    }

    /// Removes the file of a run that cannot be counted, if this run has made it.
    pub fn discard(self) {
        lock(&self.state).saved.discard();
    }
}

impl State<'_> {
    fn save(&mut self) -> Result<(), String> {
        let lines = std::mem::take(&mut self.lines);
        self.saved.append(&lines).map_err(|error| format!("the checkpoint cannot be written: {error}"))
    }
}
