//! The text files of a run that is spread over machines: work units and results.
//!
//! Both are lines of fields separated by tabs, of which the last is a checksum: FNV-1a (64 bits, 16 hexadecimal
//! digits) of everything before its tab. Version 1 of both:
//!
//! Units, in an order in which neighbours are relatives:
//! ```text
//! tabiya-units  version=1  game=chess  depth=8  plies=4  units=72078  sequences=197281  sum=…  fen=…  [moves=…]  check
//! number  sequences  fen  [roots]  check
//! ```
//! `sum` is the sum of the checksums of all unit lines, modulo 2⁶⁴. `moves` are the root moves, separated by
//! blanks, and `roots` says how many of the unit's sequences begin with which: `0:3,7:1` means three with the
//! first of them and one with the eighth. Both are there after `--divide` only.
//!
//! Results, in any order and any number of files; a header line may stand anywhere:
//! ```text
//! tabiya-results  version=1  check
//! number  nodes  seed  seconds  run  unit  [captures=… …]  check
//! ```
//! `run` is the checksum of the header of the units, `unit` that of the unit's line: a result is of no use
//! for anything else. Used by `split`, `units` and `merge`. Files are input like any other, and hostile.

use super::MAX_DEPTH;
use crate::base::checksum::fnv1a;
use crate::base::text::decimal;
use std::fmt::Write as _;
use std::io::{self, BufRead};

/// The first fields of both headers.
const UNITS: &str = "tabiya-units";
const RESULTS: &str = "tabiya-results";

/// The version of both forms.
const VERSION: &str = "version=1";

/// The longest line that is read; ours are far shorter.
const LONGEST: u64 = 1 << 16;

/// Ends the line that `text` holds from byte `start` on with its checksum, which is returned.
pub fn seal(text: &mut String, start: usize) -> u64 {
    let sum = fnv1a(&text.as_bytes()[start..]);
    let _ = writeln!(text, "\t{sum:016x}");
    sum
}

/// The fields of a sealed line without its checksum, and that; `None` if the line is damaged.
pub fn unseal(line: &str) -> Option<(Vec<&str>, u64)> {
    let (body, sum) = line.rsplit_once('\t')?;
    let sum = hexadecimal(sum)?;
    (fnv1a(body.as_bytes()) == sum).then(|| (body.split('\t').collect(), sum))
}

fn hexadecimal(text: &str) -> Option<u64> {
    let digits = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let whole = text.len() == 16 && text.bytes().all(digits);
    whole.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// Why units were not all written or counted. What was written is right.
#[derive(Debug)]
pub enum RunError {
    /// The run cannot be cut like that, or the units cannot be read.
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

/// A line as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without its end; `None` if it is not UTF-8, or far too long.
    pub text: Option<String>,
    /// Bytes of the whole line.
    pub length: u64,
}

/// Reads a line; `None` at the end.
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
        // The rest of the line is of no interest, but where it ends is.
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
    /// Depth of the whole run.
    pub depth: u32,
    /// Plies from the root to the units.
    pub plies: u32,
    /// The number of units.
    pub units: u64,
    /// The number of sequences that lead to them.
    pub sequences: u128,
    /// The sum of the checksums of the units' lines.
    pub sum: u64,
    /// The root.
    pub fen: String,
    /// The root moves, if the units say where their sequences begin.
    pub moves: Option<Vec<String>>,
}

impl Header {
    /// The line, with its end.
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

    /// The header of a line, and the line's checksum, which names the run.
    ///
    /// # Errors
    /// If it is none of this version, or damaged.
    pub fn read(line: &str) -> Result<(Header, u64), String> {
        let mut start = line.split('\t');
        if start.next() != Some(UNITS) {
            return Err(format!("the first line is no header, expected {UNITS}"));
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
            moves: next("moves")
                .ok()
                .map(|moves| moves.split_ascii_whitespace().map(String::from).collect()),
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
    /// Its number, from 0.
    pub number: u64,
    /// How many sequences lead to it.
    pub sequences: u64,
    /// The position.
    pub fen: String,
    /// How many of them begin with which root move, if the file says so.
    pub roots: Vec<(u16, u64)>,
    /// The checksum of the line.
    pub check: u64,
}

impl Unit {
    /// Adds a unit's line to `text` and returns its checksum.
    pub fn write(
        text: &mut String,
        number: u64,
        sequences: u64,
        fen: &str,
        roots: Option<&[(u16, u64)]>,
    ) -> u64 {
        let start = text.len();
        let _ = write!(text, "{number}\t{sequences}\t{fen}");
        for (i, (root, sequences)) in roots.unwrap_or_default().iter().enumerate() {
            let _ = write!(text, "{}{root}:{sequences}", if i == 0 { '\t' } else { ',' });
        }
        seal(text, start)
    }

    /// The unit of a line of a file with this header; `None` if the line is damaged.
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
            if sum != Some(sequences) || roots.iter().any(|&(root, _)| root as usize >= moves.len())
            {
                return None;
            }
        }
        Some(Unit { number, sequences, fen: fen.to_string(), roots, check })
    }
}

/// What was counted in a unit: the number of sequences, and columns of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitResult {
    /// Number of the unit.
    pub number: u64,
    /// Sequences from it.
    pub nodes: u128,
    /// The seed of the run that counted it.
    pub seed: u64,
    /// Time in seconds, as text: it takes no part in anything.
    pub seconds: String,
    /// The checksum of the units' header.
    pub run: u64,
    /// The checksum of the unit's line.
    pub unit: u64,
    /// Columns of statistics with their names, if there are any.
    pub columns: Vec<(String, u128)>,
}

impl UnitResult {
    /// The line, with its end.
    pub fn line(&self) -> String {
        let UnitResult { number, nodes, seed, seconds, run, unit, columns } = self;
        let mut text = format!("{number}\t{nodes}\t{seed}\t{seconds}\t{run:016x}\t{unit:016x}");
        for (name, n) in columns {
            let _ = write!(text, "\t{name}={n}");
        }
        seal(&mut text, 0);
        text
    }

    /// The header of results, with its end. Whoever adds to the end of a file whose last line was torn spoils
    /// the header and no result.
    pub fn header() -> String {
        let mut text = format!("{RESULTS}\t{VERSION}");
        seal(&mut text, 0);
        text
    }

    /// The result of a line, or nothing for a header.
    ///
    /// # Errors
    /// If the line is neither, or damaged.
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
        read().map(Some).ok_or("this is no result of a unit")
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
    fn what_is_written_is_read() {
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
            assert_eq!(
                (unit.fen.as_str(), unit.roots.len()),
                ("a fen", roots.map_or(0, |r| r.len()))
            );
        }
        let columns = vec![("captures".to_string(), 3), ("mates".to_string(), u128::MAX)];
        for columns in [vec![], columns] {
            let seconds = "0.125".to_string();
            let result =
                UnitResult { number: 5, nodes: 9, seed: 1, seconds, run: 2, unit: 3, columns };
            assert_eq!(UnitResult::read(result.line().trim_end()), Ok(Some(result)));
        }
        assert_eq!(UnitResult::read(UnitResult::header().trim_end()), Ok(None));
    }

    #[test]
    fn every_damaged_byte_is_seen() {
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
    fn long_and_strange_lines_do_not_hide_the_next_one() {
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
