//! The file formats of a run that is distributed over machines: work units and results.
//!
//! Both consist of lines of tab-separated fields, the last of which is a checksum (`checkpoint::seal`). Version 1 of
//! both:
//!
//! Units, in an order that puts similar positions next to each other:
//! ```text
//! tabiya-units  version=1  game=chess  depth=8  plies=4  units=72078  sequences=197281  sum=…  fen=…  [moves=…]  check
//! number  sequences  fen  [roots]  check
//! ```
//! `sum` is the sum of the checksums of all unit lines, modulo 2⁶⁴. `moves` lists the root moves, separated by
//! blanks. `roots` gives the number of the unit's sequences that start with each root move: `0:3,7:1` means three
//! with the first move and one with the eighth. `moves` and `roots` are present only with `--divide`.
//!
//! Results, in any order and any number of files; a header line may appear anywhere:
//! ```text
//! tabiya-results  version=1  check
//! number  nodes  seed  seconds  run  unit  [captures=… …]  check
//! ```
//! `run` is the checksum of the units' header, `unit` that of the unit's line, so a result is valid only for that
//! unit of that run. The file of a checkpoint has these lines too, with a header and units of its own (`checkpoint`).
//! The files are untrusted input.

use super::MAX_DEPTH;
use super::checkpoint::{hexadecimal, seal, unseal};
use super::quantity::Quantity;
use crate::base::text::decimal;
use std::fmt::Write as _;
use std::io::{self, BufRead};
use std::iter;

/// The first fields of both headers.
const UNITS: &str = "tabiya-units";
const RESULTS: &str = "tabiya-results";

/// The version of both formats.
const VERSION: &str = "version=1";

/// Maximum line length read; ours are far shorter.
const LONGEST: u64 = 1 << 16;

/// Why a run over units ended early. What has been written is correct.
#[derive(Debug)]
pub enum RunError {
    /// The run cannot be split like that, or the units cannot be read.
    Refused(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<String> for RunError {
    fn from(reason: String) -> Self {
        RunError::Refused(reason)
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        RunError::Output(error)
    }
}

/// A line of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without its line end; `None` if it is not UTF-8 or far too long.
    pub text: Option<String>,
    /// Length of the line in bytes, line end included.
    pub length: u64,
}

/// Reads a line; `None` at the end of the input.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut length = io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)? as u64;
    if length == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && length == LONGEST {
        // Skip the rest of the line to find its end.
        length += input.skip_until(b'\n')? as u64;
        return Ok(Some(Line { text: None, length }));
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(Line { text: String::from_utf8(bytes).ok(), length }))
}

/// The header of a file of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// Depth of the run.
    pub depth: u32,
    /// Plies from the root to the units.
    pub plies: u32,
    /// Number of units.
    pub units: u64,
    /// Number of sequences that lead to them.
    pub sequences: u128,
    /// Sum of the checksums of the unit lines.
    pub sum: u64,
    /// FEN of the root.
    pub fen: String,
    /// The root moves, if the units record them.
    pub moves: Option<Vec<String>>,
}

impl Header {
    /// The line, including its line end.
    pub fn line(&self) -> String {
        let Header { game, depth, plies, units, sequences, sum, fen, moves } = self;
        let mut text = format!(
            "{UNITS}\t{VERSION}\tgame={game}\tdepth={depth}\tplies={plies}\tunits={units}\t\
             sequences={sequences}\tsum={sum:016x}\tfen={fen}"
        );
        if let Some(moves) = moves {
            let _ = write!(text, "\tmoves={}", moves.join(" "));
        }
        seal(&mut text, 0);
        text
    }

    /// Parses a header line. Also returns its checksum, which identifies the run.
    ///
    /// # Errors
    /// If the line is not a header of this version, or is damaged.
    pub fn read(line: &str) -> Result<(Header, u64), String> {
        let mut start = line.split('\t');
        if start.next() != Some(UNITS) {
            return Err(format!("the first line is not a header, expected {UNITS}"));
        }
        if start.next() != Some(VERSION) {
            return Err(format!("the file is of another version, expected {VERSION}"));
        }
        let damaged = || "the header is damaged".to_string();
        let (fields, run) = unseal(line).ok_or_else(damaged)?;
        let mut rest = fields[2..].iter();
        let mut next = |name: &str| {
            let field = rest.next().and_then(|field| field.strip_prefix(name));
            field.and_then(|field| field.strip_prefix('=')).ok_or_else(damaged)
        };
        let header = Header {
            game: next("game")?.to_string(),
            depth: decimal(next("depth")?).ok_or_else(damaged)?,
            plies: decimal(next("plies")?).ok_or_else(damaged)?,
            units: decimal(next("units")?).ok_or_else(damaged)?,
            sequences: decimal(next("sequences")?).ok_or_else(damaged)?,
            sum: hexadecimal(next("sum")?).ok_or_else(damaged)?,
            fen: next("fen")?.to_string(),
            moves: next("moves").ok().map(|moves| moves.split_ascii_whitespace().map(String::from).collect()),
        };
        if header.plies >= header.depth || header.depth > MAX_DEPTH {
            return Err(damaged());
        }
        Ok((header, run))
    }
}

/// A line of a file of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Unit number, from 0.
    pub number: u64,
    /// Number of sequences that lead to it.
    pub sequences: u64,
    /// FEN of the position.
    pub fen: String,
    /// How many of them start with each root move, if the file records it.
    pub roots: Vec<(u16, u64)>,
    /// Checksum of the line.
    pub check: u64,
}

impl Unit {
    /// Appends a unit's line to `text` and returns its checksum.
    pub fn write(text: &mut String, number: u64, sequences: u64, fen: &str, roots: Option<&[(u16, u64)]>) -> u64 {
        let start = text.len();
        let _ = write!(text, "{number}\t{sequences}\t{fen}");
        for (i, (root, sequences)) in roots.unwrap_or_default().iter().enumerate() {
            let _ = write!(text, "{}{root}:{sequences}", if i == 0 { '\t' } else { ',' });
        }
        seal(text, start)
    }

    /// Parses a unit line of a file with this header; `None` if the line is damaged.
    pub fn read(line: &str, header: &Header) -> Option<Unit> {
        let (fields, check) = unseal(line)?;
        let (number, sequences, fen, roots) = match (&fields[..], &header.moves) {
            ([number, sequences, fen], None) => (number, sequences, fen, ""),
            ([number, sequences, fen, roots], Some(_)) => (number, sequences, fen, *roots),
            _ => return None,
        };
        let root = |text: &str| {
            let (root, sequences) = text.split_once(':')?;
            Some((decimal(root)?, decimal(sequences)?))
        };
        let roots: Vec<(u16, u64)> = match roots {
            "" => Vec::new(),
            roots => roots.split(',').map(root).collect::<Option<_>>()?,
        };
        let number = decimal(number).filter(|&number: &u64| number < header.units)?;
        let sequences = decimal(sequences).filter(|&n: &u64| n > 0)?;
        if let Some(moves) = &header.moves {
            let sum = roots.iter().try_fold(0u64, |sum, &(_, n)| sum.checked_add(n));
            if sum != Some(sequences) || roots.iter().any(|&(root, _)| root as usize >= moves.len()) {
                return None;
            }
        }
        Some(Unit { number, sequences, fen: fen.to_string(), roots, check })
    }
}

/// The result of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitResult {
    /// Unit number.
    pub number: u64,
    /// Seed of the run that counted it.
    pub seed: u64,
    /// Time in seconds, as text; for information only.
    pub seconds: String,
    /// Checksum of the header of the units.
    pub run: u64,
    /// Checksum of the unit.
    pub unit: u64,
    /// Number of sequences from it.
    pub nodes: u128,
    /// Named columns of statistics; may be empty.
    pub columns: Vec<(String, u128)>,
}

impl UnitResult {
    /// The result `counted` of a unit.
    pub fn of<Q: Quantity>(number: u64, unit: u64, run: u64, seed: u64, seconds: f64, counted: Q) -> UnitResult {
        let columns = Q::NAMES.iter().map(|name| name.to_string()).zip(counted.numbers()).skip(1);
        let (nodes, seconds) = (counted.nodes(), format!("{seconds:.3}"));
        UnitResult { number, seed, seconds, run, unit, nodes, columns: columns.collect() }
    }

    /// The inverse of [`UnitResult::of`]; `None` if a column is missing.
    pub fn quantity<Q: Quantity>(&self) -> Option<Q> {
        let column = |name| self.columns.iter().find(|(column, _)| column == name);
        let columns = Q::NAMES[1..].iter().map(|name| Some(column(name)?.1));
        Q::from_numbers(&iter::once(Some(self.nodes)).chain(columns).collect::<Option<Vec<_>>>()?)
    }

    /// The line, including its line end.
    pub fn line(&self) -> String {
        let UnitResult { number, nodes, seed, seconds, run, unit, columns } = self;
        let mut text = format!("{number}\t{nodes}\t{seed}\t{seconds}\t{run:016x}\t{unit:016x}");
        for (name, n) in columns {
            let _ = write!(text, "\t{name}={n}");
        }
        seal(&mut text, 0);
        text
    }

    /// The header line of results. If it is appended to a file whose last line is incomplete, that line spoils the
    /// header and not a result.
    pub fn header() -> String {
        let mut text = format!("{RESULTS}\t{VERSION}");
        seal(&mut text, 0);
        text
    }

    /// Parses a line of results; `None` for a header.
    ///
    /// # Errors
    /// If the line is neither, or is damaged.
    pub fn read(line: &str) -> Result<Option<UnitResult>, &'static str> {
        let (fields, _) = unseal(line).ok_or("the line is torn or damaged")?;
        match fields[..] {
            [RESULTS, VERSION] => return Ok(None),
            [RESULTS, ..] => return Err("the results are of another version"),
            [UNITS, ..] => return Err("this is a file of units, expected results"),
            _ => {}
        }
        let read = || {
            let [number, nodes, seed, seconds, run, unit, columns @ ..] = &fields[..] else {
                return None;
            };
            let column = |field: &&str| {
                let (name, n) = field.split_once('=')?;
                Some((name.to_string(), decimal(n)?))
            };
            Some(UnitResult {
                number: decimal(number)?,
                nodes: decimal(nodes)?,
                seed: decimal(seed)?,
                seconds: seconds.to_string(),
                run: hexadecimal(run)?,
                unit: hexadecimal(unit)?,
                columns: columns.iter().map(column).collect::<Option<_>>()?,
            })
        };
        read().map(Some).ok_or("this is not the result of a unit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(moves: Option<Vec<String>>) -> Header {
        let fen = "8/8/8/8/8/8/8/8 w - - 0 1".to_string();
        let game = "chess".to_string();
        Header { game, depth: 9, plies: 4, units: 7, sequences: 11, sum: 5, fen, moves }
    }

    #[test]
    fn lines_round_trip() {
        for moves in [None, Some(vec!["a2a3".to_string(), "a2a4".to_string()])] {
            let header = header(moves);
            let line = header.line();
            let (read, run) = Header::read(line.trim_end()).unwrap();
            assert_eq!((&read, run), (&header, unseal(line.trim_end()).unwrap().1));
            let roots = header.moves.as_ref().map(|_| [(0, 2), (1, 1)]);
            let mut text = "before\n".to_string();
            let check = Unit::write(&mut text, 6, 3, "a fen", roots.as_ref().map(|r| &r[..]));
            let unit = Unit::read(text.lines().last().unwrap(), &header).unwrap();
            assert_eq!((unit.number, unit.sequences, unit.check), (6, 3, check));
            assert_eq!((unit.fen.as_str(), unit.roots.len()), ("a fen", roots.map_or(0, |r| r.len())));
        }
        let columns = vec![("captures".to_string(), 3), ("mates".to_string(), u128::MAX)];
        for columns in [vec![], columns] {
            let seconds = "0.125".to_string();
            let result = UnitResult { number: 5, nodes: 9, seed: 1, seconds, run: 2, unit: 3, columns };
            assert_eq!(UnitResult::read(result.line().trim_end()), Ok(Some(result)));
        }
        assert_eq!(UnitResult::read(UnitResult::header().trim_end()), Ok(None));
    }

    #[test]
    fn every_damaged_byte_is_detected() {
        let header = header(Some(vec!["a2a3".into()]));
        let mut unit = String::new();
        Unit::write(&mut unit, 6, 3, "a fen", Some(&[(0, 3)]));
        let seconds = "0.125".to_string();
        let columns = vec![("captures".to_string(), 3)];
        let result = UnitResult { number: 5, nodes: 9, seed: 1, seconds, run: 2, unit: 3, columns };
        for (line, kind) in [(header.line(), 0), (unit, 1), (result.line(), 2)] {
            let line = line.trim_end();
            let reads = |line: &str| match kind {
                0 => Header::read(line).is_ok(),
                1 => Unit::read(line, &header).is_some(),
                _ => UnitResult::read(line).is_ok(),
            };
            assert!(reads(line));
            for at in 0..line.len() {
                assert!(!reads(&line[..at]), "cut at {at}");
                for bit in 0..7 {
                    let mut bytes = line.as_bytes().to_vec();
                    bytes[at] ^= 1 << bit;
                    assert!(!reads(&String::from_utf8(bytes).unwrap()), "bit {bit} of {at}");
                }
            }
        }
    }

    #[test]
    fn unreadable_lines_do_not_hide_the_next_one() {
        let long = vec![b'x'; LONGEST as usize * 3];
        let text = [&b"a\n"[..], &long, b"\nb\r\n\xff\n\nc"].concat();
        let (mut input, all) = (&text[..], text.len());
        let mut lines = Vec::new();
        let mut length = 0;
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line.text);
            length += line.length;
        }
        let text = |text: &str| Some(text.to_string());
        let expected = [text("a"), None, text("b"), None, text(""), text("c")];
        assert_eq!((lines, length as usize), (expected.to_vec(), all));
    }
}
