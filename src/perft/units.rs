//! `perft --units`: counts all or some of the work units of a file and outputs one line for each as soon as it is
//! finished.
//!
//! The input may be a stream: units are read when a thread is free, and only those in work are kept. In a regular file
//! the first requested unit is found by bisection. `merge` reads units in the same way.

use super::PerftError;
use super::parallel::on_threads;
use super::progress::{Reporter, Watch};
use super::quantity::Quantity;
use super::records::{Header, Line, RunError, Unit, UnitResult, read_line};
use crate::base::lock::{into_inner, lock};
use crate::base::text::decimal;
use crate::game::Notation;
use crate::game::notation::{FenReader, quoted};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

/// Ranges of unit numbers: ascending, not empty, without overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// A single range, or none if it is empty.
    pub fn one(range: Range<u64>) -> Ranges {
        Ranges(if range.is_empty() { Vec::new() } else { vec![range] })
    }

    /// Parses ranges like `0..100` or `3..4,17..20`: from the first number up to but excluding the second. Ranges are
    /// clipped to `units`.
    ///
    /// # Errors
    /// If the text is malformed or a range starts after the last unit.
    pub fn read(text: &str, units: u64) -> Result<Ranges, String> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for part in text.split(',') {
            let range = part.split_once("..").and_then(|(a, b)| Some(decimal::<u64>(a)?..decimal(b)?));
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
        Ok(Ranges::join(ranges.into_iter(), 0))
    }

    /// The ranges that cover ascending numbers.
    pub fn of(numbers: impl Iterator<Item = u64>) -> Ranges {
        Ranges::join(numbers.map(|number| number..number + 1), 0)
    }

    /// The ranges with gaps of at most `gap` units closed.
    #[must_use]
    pub fn joined(&self, gap: u64) -> Ranges {
        Ranges::join(self.0.iter().cloned(), gap)
    }

    fn join(ranges: impl Iterator<Item = Range<u64>>, gap: u64) -> Ranges {
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(gap) => {
                    last.end = last.end.max(range.end);
                }
                _ => joined.push(range),
            }
        }
        Ranges(joined)
    }

    /// The ranges.
    pub fn as_slice(&self) -> &[Range<u64>] {
        &self.0
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether a unit is in one of the ranges.
    pub fn contains(&self, number: u64) -> bool {
        let after = self.0.partition_point(|range| range.start <= number);
        after > 0 && self.0[after - 1].contains(&number)
    }

    /// The text form that [`Ranges::read`] parses.
    pub fn text(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(|r| format!("{}..{}", r.start, r.end)).collect();
        parts.join(",")
    }
}

/// Reads a file of units.
pub struct UnitReader {
    /// The header of the file.
    pub header: Header,
    /// The checksum of the header, which identifies the run.
    pub run: u64,
    input: BufReader<Box<dyn Read + Send>>,
    /// The same file, if it is seekable.
    file: Option<File>,
    /// Line number of the next line, from 1; unknown after a skip.
    line: Option<u64>,
    /// Length of the header line in bytes.
    first: u64,
}

impl UnitReader {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or has no header.
    pub fn open(path: &str) -> Result<UnitReader, String> {
        let file = File::open(path).map_err(|e| e.to_string())?;
        let whole = file.metadata().map_err(|e| e.to_string())?;
        if whole.is_dir() {
            return Err("this is a folder, expected a file of units".into());
        }
        let again = whole.is_file().then(|| file.try_clone()).transpose();
        UnitReader::new(Box::new(file), again.map_err(|e| e.to_string())?)
    }

    /// Reads from a stream.
    ///
    /// # Errors
    /// If the stream has no header.
    pub fn stream(stream: impl Read + Send + 'static) -> Result<UnitReader, String> {
        UnitReader::new(Box::new(stream), None)
    }

    fn new(input: Box<dyn Read + Send>, file: Option<File>) -> Result<UnitReader, String> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let line = read_line(&mut input).map_err(|e| e.to_string())?;
        let Line { text, length } = line.ok_or("the file is empty, expected units")?;
        let (header, run) = Header::read(&text.ok_or("this is not a file of units")?)?;
        Ok(UnitReader { header, run, input, file, line: Some(2), first: length })
    }

    /// The next unit; `None` at the end of the file.
    ///
    /// # Errors
    /// If the line is damaged or cannot be read.
    pub fn next_unit(&mut self) -> Result<Option<Unit>, String> {
        let place = self.line.map_or("a line".to_string(), |line| format!("line {line}"));
        let Some(line) = read_line(&mut self.input).map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        self.line = self.line.map(|line| line + 1);
        let unit = line.text.and_then(|text| Unit::read(&text, &self.header));
        unit.map(Some).ok_or(format!("{place} is no unit, or damaged"))
    }

    /// Skips to just before unit `number`, if the input is a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn skip_to(&mut self, number: u64) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let bisect = || -> io::Result<u64> {
            let mut input = BufReader::new(file);
            // A line starts at `low` and holds a unit that is not after the requested one.
            let (mut low, mut high) = (self.first, file.metadata()?.len());
            while high.saturating_sub(low) > 1 << 14 {
                let middle = low + (high - low) / 2;
                input.seek(SeekFrom::Start(middle))?;
                let skipped = read_line(&mut input)?.map_or(0, |line| line.length);
                let text = read_line(&mut input)?.and_then(|line| line.text);
                let found = text.and_then(|text| text.split('\t').next()?.parse::<u64>().ok());
                // An unreadable line lowers `high`; the later sequential read reports the damage.
                match found {
                    Some(found) if found <= number => low = middle + skipped,
                    _ => high = middle,
                }
            }
            input.seek(SeekFrom::Start(low))
        };
        let at = bisect().map_err(|e| e.to_string())?;
        // Both handles share one file position; only the read-ahead must be discarded.
        self.input.consume(self.input.buffer().len());
        self.line = (at == self.first).then_some(2);
        Ok(())
    }
}

/// The parameters of a run over units.
pub struct Job<'a> {
    /// Number of threads; each counts one unit at a time.
    pub threads: usize,
    /// The units to count.
    pub ranges: Ranges,
    /// The seed in use, recorded in the results.
    pub seed: u64,
    /// Receives progress reports.
    pub watch: &'a dyn Watch,
}

/// The work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Units counted.
    pub units: u64,
    /// Sum of the sequences counted from them, not multiplied by the sequences that lead to them.
    pub nodes: u128,
}

/// State shared by the threads.
struct State<'a> {
    reader: &'a mut UnitReader,
    /// In a file: the ranges after the current one, and the rest of the current one.
    ranges: std::slice::Iter<'a, Range<u64>>,
    range: Range<u64>,
    /// In a file: the unit that the next line must hold, if known.
    next: Option<u64>,
    done: Done,
    error: Option<RunError>,
    reporter: Reporter<'a>,
}

impl State<'_> {
    /// The next requested unit. A file is read range by range; a stream, which may start anywhere, is read in order.
    fn next_unit(&mut self, ranges: &Ranges) -> Result<Option<Unit>, String> {
        let in_file = self.reader.file.is_some();
        loop {
            if in_file && self.range.is_empty() {
                let Some(range) = self.ranges.next() else { return Ok(None) };
                self.reader.skip_to(range.start)?;
                (self.range, self.next) = (range.clone(), None);
            }
            let Some(unit) = self.reader.next_unit()? else {
                let wanted = self.next.unwrap_or(self.range.start);
                let reason = || format!("the file ends before unit {wanted}: it is not whole");
                return if in_file { Err(reason()) } else { Ok(None) };
            };
            if in_file {
                let number = unit.number;
                let expected = self.next.is_none_or(|next| next == number);
                if !expected || number > self.range.start {
                    return Err(format!("unit {number} is out of order"));
                }
                self.next = Some(number + 1);
                if number == self.range.start {
                    self.range.start += 1;
                    return Ok(Some(unit));
                }
            } else if ranges.contains(unit.number) {
                return Ok(Some(unit));
            }
        }
    }
}

/// Counts units with `count`. Each result line is passed to `emit` as a whole, from any thread.
///
/// # Errors
/// If a unit cannot be read, has no total, or a line cannot be written; the run stops there.
pub fn run<P: Notation, Q: Quantity>(
    reader: &mut UnitReader,
    job: &Job<'_>,
    count: impl Fn(&P) -> Result<Q, PerftError> + Sync,
    emit: impl Fn(String) -> io::Result<()> + Sync,
) -> Result<Done, RunError> {
    let (run, all) = (reader.run, job.ranges.units());
    let state = Mutex::new(State {
        reader,
        ranges: job.ranges.as_slice().iter(),
        range: 0..0,
        next: None,
        done: Done::default(),
        error: None,
        reporter: Reporter::new(job.watch, 0),
    });
    emit(UnitResult::header())?;
    let step = || -> Result<bool, RunError> {
        let mut now = lock(&state);
        if now.error.is_some() {
            return Ok(false);
        }
        let unit = now.next_unit(&job.ranges)?;
        drop(now);
        let Some(unit) = unit else { return Ok(false) };
        // The split position may have been an unusual one that only the lenient reader accepts.
        let pos =
            P::read_fen(&unit.fen, &mut FenReader::lenient()).map_err(|e| format!("unit {}: {e}", unit.number))?;
        let start = Instant::now();
        let counted = count(&pos).map_err(|e| format!("unit {}: {e}", unit.number))?;
        let seconds = start.elapsed().as_secs_f64();
        emit(UnitResult::of(unit.number, unit.check, run, job.seed, seconds, counted).line())?;
        let mut now = lock(&state);
        now.done.units += 1;
        now.done.nodes.add(counted.nodes());
        let Done { units, nodes } = now.done;
        now.reporter.report(units as usize, all as usize, nodes);
        Ok(true)
    };
    let count_next = || {
        step().unwrap_or_else(|error| {
            lock(&state).error.get_or_insert(error);
            false
        })
    };
    on_threads(job.threads, &|| while count_next() {});
    let state = into_inner(state);
    state.error.map_or(Ok(state.done), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    /// In a file this small every range is searched from the first unit.
    #[test]
    fn each_unit_of_the_ranges_is_counted_once() {
        let fen = Position::START_FEN;
        let (mut text, mut sum) = (String::new(), 0u64);
        for number in 0..10 {
            sum = sum.wrapping_add(Unit::write(&mut text, number, 1, fen, None));
        }
        let (game, fen) = ("chess".to_string(), fen.to_string());
        let header = Header { game, depth: 2, plies: 1, units: 10, sequences: 10, sum, fen, moves: None };
        let path = std::env::temp_dir().join(format!("tabiya-{}-ranges", std::process::id()));
        std::fs::write(&path, header.line() + &text).unwrap();
        for threads in [1, 3] {
            let mut reader = UnitReader::open(path.to_str().unwrap()).unwrap();
            let ranges = Ranges::read("0..3,5..6,8..10", 10).unwrap();
            let job = Job { threads, ranges, seed: 0, watch: &() };
            let lines = Mutex::new(Vec::new());
            let emit = |line: String| {
                lock(&lines).extend(UnitResult::read(line.trim_end()).unwrap());
                Ok(())
            };
            let done = run(&mut reader, &job, |_: &Position| Ok(20u128), emit).unwrap();
            assert_eq!(done, Done { units: 6, nodes: 120 });
            let mut numbers: Vec<u64> = into_inner(lines).iter().map(|r| r.number).collect();
            numbers.sort();
            assert_eq!(numbers, [0, 1, 2, 5, 8, 9]);
        }
        std::fs::remove_file(path).unwrap();
    }

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
