//! `perft --merge`: checks the results of all units of a run and adds them up.
//!
//! Nothing wrong gets through: a line whose checksum is wrong, or that belongs to another run or another unit,
//! is left out and named; what is left out is missing, and without every unit there is no total. Two
//! results of one unit that differ end everything. Called by `cli`.

use super::records::{Line, UnitResult, read_line};
use super::units::{Ranges, Reader};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;

/// The results of a run so far.
pub struct Merge {
    path: String,
    reader: Reader,
    /// For each unit the checksum of its line.
    checks: Vec<u64>,
    /// For each unit the number of sequences that lead to it.
    weights: Vec<u64>,
    /// For each unit what was counted first.
    found: Vec<Option<Counted>>,
    /// The columns of all units in one row, where they are wanted.
    columns: Vec<u128>,
    /// Their names.
    names: Vec<&'static str>,
    /// Every seed there is.
    seeds: BTreeSet<u64>,
    /// Results taken.
    pub results: u64,
    /// Lines left out.
    pub left_out: u64,
}

/// What was counted in a unit.
#[derive(Clone, Copy)]
struct Counted {
    nodes: u128,
    seed: u64,
    /// A result with another seed agrees.
    verified: bool,
    /// There are columns.
    columns: bool,
}

/// Two results of one unit that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The unit's number.
    pub number: u64,
    /// Its position.
    pub fen: String,
    /// What the first of them counts, and the seed of that.
    pub first: (u128, u64),
    /// What the second of them counts, and the seed of that.
    pub second: (u128, u64),
    /// The column that differs, if the number of sequences does not.
    pub column: Option<String>,
}

/// Why results cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// A file cannot be read, or the units are not whole; the name of the file comes first.
    Input(String),
    /// Two results differ.
    Contradiction(Box<Contradiction>),
}

/// The sum of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Number of sequences and columns.
    pub total: Vec<u128>,
    /// The same for each root move, if the units say where their sequences begin.
    pub moves: Vec<(String, Vec<u128>)>,
}

/// What the sum of products cannot hold.
const TOO_LARGE: &str = "the sum is 2^128 or more";

impl Merge {
    /// Reads and checks the units at `path`; columns of these names are wanted of their results.
    ///
    /// # Errors
    /// If they are not whole.
    pub fn new(path: &str, names: &[&'static str]) -> Result<Merge, MergeError> {
        let fault = |reason: String| MergeError::Input(format!("{path:?}: {reason}"));
        let mut reader = Reader::open(path).map_err(fault)?;
        let (mut checks, mut weights) = (Vec::new(), Vec::new());
        let (mut sum, mut sequences) = (0u64, 0u128);
        while let Some(unit) = reader.next_unit().map_err(fault)? {
            if unit.number != checks.len() as u64 {
                return Err(fault(format!("unit {} is out of order", unit.number)));
            }
            sum = sum.wrapping_add(unit.check);
            sequences += u128::from(unit.sequences);
            checks.push(unit.check);
            weights.push(unit.sequences);
        }
        let header = &reader.header;
        if (checks.len() as u64, sequences, sum) != (header.units, header.sequences, header.sum) {
            let reason = format!("{} of {} units are there", checks.len(), header.units);
            return Err(fault(format!("the file is not whole, or not of one run: {reason}")));
        }
        Ok(Merge {
            path: path.to_string(),
            found: vec![None; checks.len()],
            columns: vec![0; checks.len() * names.len()],
            names: names.to_vec(),
            reader,
            checks,
            weights,
            seeds: BTreeSet::new(),
            results: 0,
            left_out: 0,
        })
    }

    /// What the units say of themselves.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Takes all results of the file at `path`; `warn` hears of the lines that are left out.
    ///
    /// # Errors
    /// If the file cannot be read, or a result differs from an earlier one.
    pub fn add(&mut self, path: &str, mut warn: impl FnMut(String)) -> Result<(), MergeError> {
        let fault = |e: std::io::Error| MergeError::Input(format!("{path:?}: {e}"));
        let mut input = BufReader::with_capacity(1 << 16, File::open(path).map_err(fault)?);
        let mut number = 0u64;
        while let Some((line, _)) = read_line(&mut input).map_err(fault)? {
            number += 1;
            let taken = match &line {
                Line::Text(text) => match UnitResult::read(text) {
                    Ok(None) => Ok(()),
                    Ok(Some(result)) => self.take(result)?,
                    Err(reason) => Err(reason.to_string()),
                },
                Line::Strange => Err("the line is no text".into()),
            };
            if let Err(reason) = taken {
                self.left_out += 1;
                warn(format!("{path:?}, line {number} left out: {reason}"));
            }
        }
        Ok(())
    }

    /// Takes one result; gives the reason if it is left out.
    fn take(&mut self, result: UnitResult) -> Result<Result<(), String>, MergeError> {
        let UnitResult { number, nodes, seed, run, unit, columns, .. } = result;
        if run != self.reader.run {
            return Ok(Err(format!("unit {number} is of another run")));
        }
        let at = match self.checks.get(number as usize) {
            Some(&check) if check == unit => number as usize,
            _ => return Ok(Err(format!("unit {number} is not that of the units' file"))),
        };
        let wanted = self.names.len();
        let mut values = Vec::with_capacity(wanted);
        for name in &self.names {
            values.extend(columns.iter().find(|(column, _)| column == name).map(|&(_, n)| n));
        }
        let whole = values.len() == wanted;
        let place = at * wanted..(at + 1) * wanted;
        if let Some(first) = &mut self.found[at] {
            let both = whole && first.columns;
            let other = (0..wanted).find(|&i| both && self.columns[place.start + i] != values[i]);
            if first.nodes != nodes || other.is_some() {
                let first = (first.nodes, first.seed);
                let column = other.filter(|_| first.0 == nodes).map(|i| self.names[i].to_string());
                let fen = self.fen(number)?;
                let second = (nodes, seed);
                let found = Contradiction { number, fen, first, second, column };
                return Err(MergeError::Contradiction(Box::new(found)));
            }
            if !whole && wanted > 0 {
                return Ok(Err(format!("unit {number} was counted without --stats")));
            }
            first.verified |= first.seed != seed;
            first.columns |= whole;
        } else if whole {
            self.found[at] = Some(Counted { nodes, seed, verified: false, columns: true });
        } else {
            return Ok(Err(format!("unit {number} was counted without --stats")));
        }
        self.columns[place].copy_from_slice(&values);
        self.seeds.insert(seed);
        self.results += 1;
        Ok(Ok(()))
    }

    /// The position of a unit.
    fn fen(&self, number: u64) -> Result<String, MergeError> {
        let fault = |reason: String| MergeError::Input(format!("{:?}: {reason}", self.path));
        let mut reader = Reader::open(&self.path).map_err(fault)?;
        reader.skip_to(number).map_err(fault)?;
        while let Some(unit) = reader.next_unit().map_err(fault)? {
            if unit.number == number {
                return Ok(unit.fen);
            }
        }
        Err(fault("the file has become shorter".into()))
    }

    /// The units without any result, and, if every unit has to be `verified`, those that need a second one.
    pub fn missing(&self, verified: bool) -> (Ranges, Ranges) {
        let numbers = |wanted: &dyn Fn(&Option<Counted>) -> bool| {
            let each = self.found.iter().zip(0u64..);
            Ranges::of(each.filter(|(found, _)| wanted(found)).map(|(_, number)| number))
        };
        let first = numbers(&|found| found.is_none());
        let second = numbers(&|found| verified && !found.is_some_and(|found| found.verified));
        (first, second)
    }

    /// A seed that no result has used.
    pub fn fresh_seed(&self) -> u64 {
        (0..).find(|seed| !self.seeds.contains(seed)).unwrap_or_default()
    }

    /// Adds everything up. Every unit must have a result.
    ///
    /// # Errors
    /// If one has none, or the sum is too large, or the units' file has changed.
    pub fn sum(&self, divide: bool) -> Result<Sum, MergeError> {
        let fault = |reason: &str| MergeError::Input(format!("{:?}: {reason}", self.path));
        let width = 1 + self.names.len();
        let numbers = |at: usize| -> Option<Vec<u128>> {
            let mut numbers = vec![self.found[at]?.nodes];
            numbers.extend(&self.columns[at * (width - 1)..(at + 1) * (width - 1)]);
            Some(numbers)
        };
        let mut sum = Sum { total: vec![0; width], moves: Vec::new() };
        for (at, &weight) in self.weights.iter().enumerate() {
            let numbers = numbers(at).ok_or_else(|| fault("a unit has no result"))?;
            add(&mut sum.total, &numbers, weight).ok_or_else(|| fault(TOO_LARGE))?;
        }
        if !divide {
            return Ok(sum);
        }
        let moves = self.reader.header.moves.as_ref();
        let moves = moves.ok_or_else(|| fault("the units were split without --divide"))?;
        sum.moves = moves.iter().map(|m| (m.clone(), vec![0; width])).collect();
        let mut reader = Reader::open(&self.path).map_err(|e| fault(&e))?;
        while let Some(unit) = reader.next_unit().map_err(|e| fault(&e))? {
            let at = unit.number as usize;
            if self.checks.get(at) != Some(&unit.check) {
                return Err(fault("the file has changed"));
            }
            let numbers = numbers(at).ok_or_else(|| fault("a unit has no result"))?;
            for (root, weight) in unit.roots {
                let row = &mut sum.moves[root as usize].1;
                add(row, &numbers, weight).ok_or_else(|| fault(TOO_LARGE))?;
            }
        }
        Ok(sum)
    }
}

/// Adds `weight` times `numbers` to `sum`; `None` if that is too large.
fn add(sum: &mut [u128], numbers: &[u128], weight: u64) -> Option<()> {
    for (sum, number) in sum.iter_mut().zip(numbers) {
        *sum = number.checked_mul(u128::from(weight)).and_then(|n| sum.checked_add(n))?;
    }
    Some(())
}
