//! `perft --units`: counts the units of a file, or some of them, and gives a line for each as soon as it is
//! done.
//!
//! The file may be a stream: units are read as threads get free, and nothing but the units in work is kept. In
//! a real file the first unit wanted is found by bisection. Called by `cli`; `merge` reads units the same way.

use super::parallel::{Estimate, Status, Watch};
use super::records::{Header, Line, Unit, UnitResult, read_line};
use crate::game::Notation;
use crate::game::notation::{FenReader, quoted};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Ranges of units: in ascending order, not empty, without overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// One range, or none if it is empty.
    pub fn one(range: Range<u64>) -> Ranges {
        Ranges(if range.is_empty() { Vec::new() } else { vec![range] })
    }

    /// The ranges of a text like `0..100` or `3..4,17..20`: from the first number up to, not including, the
    /// second. What lies beyond the last of `units` units is left away.
    ///
    /// # Errors
    /// If the text says anything else, or a range begins beyond the last unit.
    pub fn read(text: &str, units: u64) -> Result<Ranges, String> {
        let number = |text: &str| -> Option<u64> {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten()
        };
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for part in text.split(',') {
            let range = part.split_once("..").and_then(|(a, b)| Some(number(a)?..number(b)?));
            let Some(mut range) = range.filter(|range| !range.is_empty()) else {
                let expected = "expected A..B with A below B, or several such, separated by commas";
                return Err(format!("{} is no range of units, {expected}", quoted(part)));
            };
            if range.start >= units {
                return Err(format!("{} begins beyond the last of {units} units", quoted(part)));
            }
            range.end = range.end.min(units);
            ranges.push(range);
        }
        ranges.sort_by_key(|range| range.start);
        Ok(Ranges(ranges).joined(0))
    }

    /// The ranges of ascending numbers.
    pub fn of(numbers: impl Iterator<Item = u64>) -> Ranges {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some(last) if last.end == number => last.end += 1,
                _ => ranges.push(number..number + 1),
            }
        }
        Ranges(ranges)
    }

    /// With gaps of at most `gap` units closed.
    #[must_use]
    pub fn joined(&self, gap: u64) -> Ranges {
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in &self.0 {
            match joined.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(gap) => {
                    last.end = last.end.max(range.end);
                }
                _ => joined.push(range.clone()),
            }
        }
        Ranges(joined)
    }

    /// The ranges.
    pub fn as_slice(&self) -> &[Range<u64>] {
        &self.0
    }

    /// How many units that is.
    pub fn units(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether a unit belongs to them.
    pub fn contains(&self, number: u64) -> bool {
        let after = self.0.partition_point(|range| range.start <= number);
        after > 0 && self.0[after - 1].contains(&number)
    }

    /// The form that [`Ranges::read`] reads.
    pub fn text(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(|r| format!("{}..{}", r.start, r.end)).collect();
        parts.join(",")
    }
}

/// Where units are read from.
enum Input {
    /// From beginning to end.
    Stream(Box<dyn BufRead + Send>),
    /// From any place.
    File(BufReader<File>),
}

impl Input {
    fn read_line(&mut self) -> io::Result<Option<(Line, u64)>> {
        match self {
            Input::Stream(stream) => read_line(stream),
            Input::File(file) => read_line(file),
        }
    }
}

/// Reads the units of a file.
pub struct Reader {
    /// What the file says of itself.
    pub header: Header,
    /// The checksum of the header, which names the run.
    pub run: u64,
    input: Input,
    /// Number of the next line, from 1, unless it was skipped to.
    line: Option<u64>,
    /// Bytes of the header line.
    first: u64,
}

impl Reader {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read or has no header.
    pub fn open(path: &str) -> Result<Reader, String> {
        let file = File::open(path).map_err(|e| e.to_string())?;
        let whole = file.metadata().map_err(|e| e.to_string())?;
        if whole.is_dir() {
            return Err("this is a folder, expected a file of units".into());
        }
        let seekable = whole.is_file();
        let file = BufReader::with_capacity(1 << 16, file);
        Reader::new(if seekable { Input::File(file) } else { Input::Stream(Box::new(file)) })
    }

    /// Reads from a stream.
    ///
    /// # Errors
    /// If it has no header.
    pub fn stream(stream: impl Read + Send + 'static) -> Result<Reader, String> {
        Reader::new(Input::Stream(Box::new(BufReader::with_capacity(1 << 16, stream))))
    }

    fn new(mut input: Input) -> Result<Reader, String> {
        let (header, run, first) = match input.read_line().map_err(|e| e.to_string())? {
            Some((Line::Text(text), length)) => {
                let (header, run) = Header::read(&text)?;
                (header, run, length)
            }
            Some((Line::Strange, _)) => return Err("this is no file of units".into()),
            None => return Err("the file is empty, expected units".into()),
        };
        Ok(Reader { header, run, input, line: Some(2), first })
    }

    /// The next unit; `None` at the end.
    ///
    /// # Errors
    /// If the line is damaged or cannot be read.
    pub fn next_unit(&mut self) -> Result<Option<Unit>, String> {
        let place = self.line.map_or("a line".to_string(), |line| format!("line {line}"));
        let Some((line, _)) = self.input.read_line().map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        self.line = self.line.map(|line| line + 1);
        let unit = match &line {
            Line::Text(text) => Unit::read(text, &self.header),
            Line::Strange => None,
        };
        unit.map(Some).ok_or(format!("{place} is no unit, or damaged"))
    }

    /// Goes near to unit `number` and not beyond, if the input is a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn skip_to(&mut self, number: u64) -> Result<(), String> {
        let Input::File(file) = &mut self.input else { return Ok(()) };
        let mut bisect = || -> io::Result<u64> {
            // A line at `low` begins there, and holds a unit that does not come after the one wanted.
            let (mut low, mut high) = (self.first, file.get_ref().metadata()?.len());
            while high.saturating_sub(low) > 1 << 14 {
                let middle = low + (high - low) / 2;
                file.seek(SeekFrom::Start(middle))?;
                let skipped = read_line(file)?.map_or(0, |(_, length)| length);
                let found = match read_line(file)? {
                    Some((Line::Text(text), _)) => {
                        text.split('\t').next().and_then(|number| number.parse::<u64>().ok())
                    }
                    _ => None,
                };
                // What cannot be understood is left to the reading from before it on, which will say so.
                match found {
                    Some(found) if found <= number => low = middle + skipped,
                    _ => high = middle,
                }
            }
            file.seek(SeekFrom::Start(low))
        };
        let at = bisect().map_err(|e| e.to_string())?;
        self.line = (at == self.first).then_some(2);
        Ok(())
    }
}

/// How units are to be counted.
pub struct Job<'a> {
    /// Threads that take a unit each.
    pub threads: usize,
    /// Which units.
    pub ranges: Ranges,
    /// The seed that the counting uses, for the results.
    pub seed: u64,
    /// The names of the columns behind the number of sequences.
    pub columns: &'a [&'static str],
    /// Who is told how it goes on.
    pub watch: &'a dyn Watch,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Units counted.
    pub units: u64,
    /// The sum of their sequences, each unit once.
    pub nodes: u128,
}

/// Why not all was done. The lines that were given are right.
#[derive(Debug)]
pub enum UnitsError {
    /// The units cannot be read.
    Input(String),
    /// The results cannot be written.
    Output(io::Error),
}

/// What the threads share.
struct State<'a> {
    reader: &'a mut Reader,
    /// In a file, the range that is gone through.
    range: usize,
    /// The ranges whose beginning has been looked for.
    sought: usize,
    /// The unit that is expected next; streams may begin anywhere.
    next: Option<u64>,
    done: Done,
    error: Option<UnitsError>,
    told: Instant,
    estimate: Estimate,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time between two calls of [`Watch::progress`].
const INTERVAL: Duration = Duration::from_millis(500);

impl State<'_> {
    /// The next unit wanted.
    fn next_unit(&mut self, ranges: &Ranges) -> Result<Option<Unit>, String> {
        let in_file = matches!(self.reader.input, Input::File(_));
        loop {
            if in_file {
                let Some(range) = ranges.as_slice().get(self.range) else { return Ok(None) };
                if self.next == Some(range.end) {
                    self.range += 1;
                    continue;
                }
                if self.sought == self.range {
                    self.sought += 1;
                    if self.next != Some(range.start) {
                        self.reader.skip_to(range.start)?;
                        self.next = None;
                    }
                }
            }
            let Some(unit) = self.reader.next_unit()? else {
                if in_file {
                    let wanted = self.next.unwrap_or(ranges.as_slice()[self.range].start);
                    return Err(format!("the file ends before unit {wanted}: it is not whole"));
                }
                return Ok(None);
            };
            if self.next.is_some_and(|next| next != unit.number) && in_file {
                return Err(format!("unit {} is out of order", unit.number));
            }
            self.next = Some(unit.number + 1);
            if ranges.contains(unit.number) {
                return Ok(Some(unit));
            }
            if in_file && unit.number >= ranges.as_slice()[self.range].start {
                return Err(format!("unit {} is out of order", unit.number));
            }
        }
    }
}

/// Counts units by `count`, which gives the number of sequences and the columns. Each result's line goes to
/// `emit` whole, from any thread.
///
/// # Errors
/// At the first unit that cannot be read, or line that cannot be written.
pub fn run<P: Notation>(
    reader: &mut Reader,
    job: &Job<'_>,
    count: impl Fn(&P) -> Vec<u128> + Sync,
    emit: impl Fn(String) -> io::Result<()> + Sync,
) -> Result<Done, UnitsError> {
    let begin = Instant::now();
    let (run, all) = (reader.run, job.ranges.units());
    let done = Done::default();
    let state = Mutex::new(State {
        reader,
        range: 0,
        sought: 0,
        next: None,
        done,
        error: None,
        told: begin,
        estimate: Estimate::new(0),
    });
    emit(UnitResult::header()).map_err(UnitsError::Output)?;
    let step = || -> Result<bool, UnitsError> {
        let mut now = lock(&state);
        if now.error.is_some() {
            return Ok(false);
        }
        let unit = now.next_unit(&job.ranges).map_err(UnitsError::Input)?;
        drop(now);
        let Some(unit) = unit else { return Ok(false) };
        // What was split may have been set up.
        let pos = P::read_fen(&unit.fen, &mut FenReader::lenient())
            .map_err(|e| UnitsError::Input(format!("unit {}: {e}", unit.number)))?;
        let start = Instant::now();
        let numbers = count(&pos);
        let (nodes, rest) = numbers.split_first().map_or((0, &[][..]), |(&n, rest)| (n, rest));
        let result = UnitResult {
            number: unit.number,
            nodes,
            seed: job.seed,
            seconds: format!("{:.3}", start.elapsed().as_secs_f64()),
            run,
            unit: unit.check,
            columns: job.columns.iter().map(|c| c.to_string()).zip(rest.iter().copied()).collect(),
        };
        emit(result.line()).map_err(UnitsError::Output)?;
        let mut now = lock(&state);
        now.done.units += 1;
        now.done.nodes = now.done.nodes.saturating_add(nodes);
        if job.watch.is_watching() && now.told.elapsed() > INTERVAL {
            now.told = Instant::now();
            let Done { units, nodes } = now.done;
            let (done, all, time) = (units as usize, all as usize, begin.elapsed());
            let left = now.estimate.left(time, done, all);
            job.watch.progress(&Status { done, all, nodes, time, left });
        }
        Ok(true)
    };
    let worker = || {
        loop {
            match step() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    let mut now = lock(&state);
                    now.error.get_or_insert(error);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..job.threads {
            scope.spawn(worker);
        }
        worker();
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.error {
        Some(error) => Err(error),
        None => Ok(state.done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_sorted_and_joined() {
        let read = |text: &str| Ranges::read(text, 100);
        let text = |text: &str| read(text).unwrap().text();
        assert_eq!(text("0..100"), "0..100");
        assert_eq!(text("90..1000"), "90..100");
        assert_eq!(text("17..20,3..4,4..6,18..21"), "3..6,17..21");
        let ranges = read("3..6,17..20").unwrap();
        assert_eq!(ranges.units(), 6);
        assert_eq!((0..100).filter(|&n| ranges.contains(n)).count(), 6);
        assert_eq!(ranges.joined(11).text(), "3..20");
        assert_eq!(ranges.joined(10).text(), "3..6,17..20");
        assert_eq!(Ranges::of([1, 2, 3, 7, 9].into_iter()).text(), "1..4,7..8,9..10");
        for (text, word) in [
            ("", "no range"),
            ("1", "no range"),
            ("1..", "no range"),
            ("..2", "no range"),
            ("2..2", "no range"),
            ("3..2", "no range"),
            ("-1..2", "no range"),
            ("1..2,", "no range"),
            ("1..2..3", "no range"),
            ("100..101", "begins beyond the last of 100"),
            ("0..99999999999999999999", "no range"),
        ] {
            assert!(read(text).unwrap_err().contains(word), "{text}");
        }
    }
}
