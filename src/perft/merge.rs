//! `perft --merge`: checks the results of all units of a run and adds them up.
//!
//! No wrong result is accepted. A line with a bad checksum, or of another run or unit, is skipped and reported. Skipped
//! units are missing, and without every unit there is no total. Two different results of one unit are a fatal error.

use super::count::Divide;
use super::quantity::Quantity;
use super::records::{Header, UnitResult, read_line};
use super::units::{Ranges, UnitReader};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;

/// The results collected so far.
pub struct Merge<Q> {
    /// The header of the units.
    pub header: Header,
    path: String,
    /// The checksum of the header, which identifies the run.
    run: u64,
    /// Checksum of each unit's line.
    checks: Vec<u64>,
    /// Number of sequences that lead to each unit.
    weights: Vec<u64>,
    /// First result of each unit.
    found: Vec<Option<FirstResult<Q>>>,
    /// All seeds used.
    seeds: BTreeSet<u64>,
    /// Results accepted.
    pub results: u64,
    /// Lines skipped.
    pub left_out: u64,
}

/// The first result of a unit.
#[derive(Clone, Copy)]
struct FirstResult<Q> {
    counted: Q,
    seed: u64,
    /// Whether a result with another seed agrees.
    verified: bool,
}

/// Two different results of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The unit's number.
    pub number: u64,
    /// Its position.
    pub fen: String,
    /// The first count and its seed.
    pub first: (u128, u64),
    /// The second count and its seed.
    pub second: (u128, u64),
    /// The column that differs, if the number of sequences is the same.
    pub column: Option<String>,
}

/// Why results cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// A file cannot be read or the units are incomplete; the message starts with the file name.
    Input(String),
    /// Two results of one unit differ.
    Contradiction(Box<Contradiction>),
}

/// A fault of the file at `path`.
fn fault(path: &str, reason: impl Display) -> MergeError {
    MergeError::Input(format!("{path:?}: {reason}"))
}

impl<Q: Quantity> Merge<Q> {
    /// Reads and checks the units at `path`.
    ///
    /// # Errors
    /// If the units are incomplete.
    pub fn new(path: &str) -> Result<Self, MergeError> {
        let fault = |reason: String| fault(path, reason);
        let mut reader = UnitReader::open(path).map_err(fault)?;
        let (mut checks, mut weights) = (Vec::new(), Vec::new());
        let (mut sum, mut sequences) = (0u64, 0u128);
        while let Some(unit) = reader.next_unit().map_err(fault)? {
            if unit.number != checks.len() as u64 {
                return Err(fault(format!("unit {} is out of order", unit.number)));
            }
            sum = sum.wrapping_add(unit.check);
            sequences += u128::from(unit.sequences); // fewer than 2^64 numbers below 2^64
            checks.push(unit.check);
            weights.push(unit.sequences);
        }
        let UnitReader { header, run, .. } = reader;
        if (checks.len() as u64, sequences, sum) != (header.units, header.sequences, header.sum) {
            let reason = format!("{} of {} units are there", checks.len(), header.units);
            return Err(fault(format!("the file is not whole, or not of one run: {reason}")));
        }
        Ok(Merge {
            header,
            path: path.to_string(),
            run,
            found: vec![None; checks.len()],
            checks,
            weights,
            seeds: BTreeSet::new(),
            results: 0,
            left_out: 0,
        })
    }

    /// Reads all results in the file at `path`; `warn` receives a message for each skipped line.
    ///
    /// # Errors
    /// If the file cannot be read, or a result differs from an earlier one.
    pub fn add(&mut self, path: &str, mut warn: impl FnMut(String)) -> Result<(), MergeError> {
        let fault = |error| fault(path, error);
        let mut input = BufReader::with_capacity(1 << 16, File::open(path).map_err(fault)?);
        let mut number = 0u64;
        while let Some(line) = read_line(&mut input).map_err(fault)? {
            number += 1;
            let text = line.text.ok_or("the line is not text");
            let taken = match text.and_then(|text| UnitResult::read(&text)) {
                Ok(None) => Ok(()),
                Ok(Some(result)) => self.take(result)?,
                Err(reason) => Err(reason.to_string()),
            };
            if let Err(reason) = taken {
                self.left_out += 1;
                warn(format!("{path:?}, line {number} left out: {reason}"));
            }
        }
        Ok(())
    }

    /// Adds one result; the inner error is the reason for skipping it.
    fn take(&mut self, result: UnitResult) -> Result<Result<(), String>, MergeError> {
        let UnitResult { number, nodes, seed, run, unit, .. } = result;
        if run != self.run {
            return Ok(Err(format!("unit {number} is of another run")));
        }
        let at = match self.checks.get(number as usize) {
            Some(&check) if check == unit => number as usize,
            _ => return Ok(Err(format!("unit {number} is not that of the units' file"))),
        };
        let counted: Option<Q> = result.quantity();
        if let Some(first) = self.found[at] {
            let (known, numbers) = (first.counted.numbers(), counted.map_or(vec![nodes], |counted| counted.numbers()));
            if let Some(place) = known.iter().zip(&numbers).position(|(a, b)| a != b) {
                let found = Contradiction {
                    number,
                    fen: self.fen(number)?,
                    first: (known[0], first.seed),
                    second: (nodes, seed),
                    column: (place > 0).then(|| Q::NAMES[place].to_string()),
                };
                return Err(MergeError::Contradiction(Box::new(found)));
            }
        }
        let Some(counted) = counted else {
            return Ok(Err(format!("unit {number} was counted without --stats")));
        };
        let first = self.found[at].get_or_insert(FirstResult { counted, seed, verified: false });
        first.verified |= first.seed != seed;
        self.seeds.insert(seed);
        self.results += 1;
        Ok(Ok(()))
    }

    /// The FEN of a unit.
    fn fen(&self, number: u64) -> Result<String, MergeError> {
        let fault = |reason: String| fault(&self.path, reason);
        let mut reader = UnitReader::open(&self.path).map_err(fault)?;
        reader.skip_to(number).map_err(fault)?;
        while let Some(unit) = reader.next_unit().map_err(fault)? {
            if unit.number == number {
                return Ok(unit.fen);
            }
        }
        Err(fault("the file has become shorter".into()))
    }

    /// The units without a result, and those that need a second one if every unit must be `verified`.
    pub fn missing(&self, verified: bool) -> (Ranges, Ranges) {
        let numbers = |wanted: &dyn Fn(&Option<FirstResult<Q>>) -> bool| {
            let each = self.found.iter().zip(0u64..);
            Ranges::of(each.filter(|(found, _)| wanted(found)).map(|(_, number)| number))
        };
        let first = numbers(&|found| found.is_none());
        let second = numbers(&|found| verified && !found.is_some_and(|found| found.verified));
        (first, second)
    }

    /// The lowest seed that no result has used.
    pub fn fresh_seed(&self) -> u64 {
        (0..).find(|seed| !self.seeds.contains(seed)).unwrap_or_default()
    }

    /// Sums the number of sequences and the columns over the run and, with `divide`, over each root move. Every unit
    /// must have a result.
    ///
    /// # Errors
    /// If a unit has no result, the sum overflows, or the file of units has changed.
    pub fn sum(&self, divide: bool) -> Result<Divide<String, Q>, MergeError> {
        let fault = |reason: &str| fault(&self.path, reason);
        let counted =
            |at: usize| self.found[at].map(|first| first.counted).ok_or_else(|| fault("a unit has no result"));
        let mut sum = Divide { total: Q::default(), moves: Vec::new() };
        for (at, &weight) in self.weights.iter().enumerate() {
            sum.total.add(counted(at)?.times(weight.into()));
        }
        // The columns of a forged result may exceed its number of sequences.
        if sum.total.numbers().contains(&u128::MAX) {
            return Err(fault("the sum is 2^128 or more"));
        }
        if !divide {
            return Ok(sum);
        }
        let moves = self.header.moves.as_ref();
        let moves = moves.ok_or_else(|| fault("the units were split without --divide"))?;
        sum.moves = moves.iter().map(|m| (m.clone(), Q::default())).collect();
        let mut reader = UnitReader::open(&self.path).map_err(|e| fault(&e))?;
        while let Some(unit) = reader.next_unit().map_err(|e| fault(&e))? {
            let at = unit.number as usize;
            if self.checks.get(at) != Some(&unit.check) {
                return Err(fault("the file has changed"));
            }
            for (root, weight) in unit.roots {
                sum.moves[usize::from(root)].1.add(counted(at)?.times(weight.into()));
            }
        }
        Ok(sum)
    }
}
