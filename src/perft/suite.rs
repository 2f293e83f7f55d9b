//! Perft suites: EPD files of lines `FEN ;D1 20 ;D2 400`, their reader and their runner.
//!
//! `;C3` with fifteen numbers gives the columns of statistics at a depth, in their usual order, with `?` for
//! what is not known. Runs that count columns compare them all, others the first, the number of nodes.
//!
//! `#` begins a comment. A comment line `# name: kiwipete` names the position on the next line; `# theme:`
//! says what it tests. Suite files are input like any other: every fault is an error with its line.

use super::quantity::Quantity;
use crate::game::columns::NAMES;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Notation, NotationError};
use std::fmt;

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<P> {
    /// Line of the file, from 1.
    pub line: usize,
    /// What was read otherwise than it was written, in one line.
    pub warning: Option<String>,
    /// From a `# name:` or `# theme:` comment above; may be empty.
    pub title: String,
    /// The position.
    pub position: P,
    /// Depths in ascending order with their counts.
    pub counts: Vec<(u32, u128)>,
    /// Depths in ascending order with their columns; the first is always known.
    pub columns: Vec<(u32, KnownColumns)>,
}

/// The fifteen columns, as far as they are known.
pub type KnownColumns = [Option<u128>; NAMES.len()];

/// A line of a suite that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for SuiteError {}

/// Reads a whole suite, strictly.
///
/// # Errors
/// With the first line that is neither blank, comment nor position with counts.
pub fn read<P: Notation>(text: &str) -> Result<Vec<Entry<P>>, SuiteError> {
    read_with(text, &FenReader::strict())
}

/// Reads a whole suite, its FENs as strictly as `reader` does, which is fresh for each of them.
///
/// # Errors
/// With the first line that is neither blank, comment nor position with counts.
pub fn read_with<P: Notation>(text: &str, reader: &FenReader) -> Result<Vec<Entry<P>>, SuiteError> {
    let mut entries = Vec::new();
    let mut title = String::new();
    for (number, raw) in text.lines().enumerate() {
        let fault = |reason: String| SuiteError { line: number + 1, reason };
        let (line, comment) = match raw.split_once('#') {
            Some((line, comment)) => (line.trim(), comment.trim()),
            None => (raw.trim(), ""),
        };
        if line.is_empty() {
            if let Some(words) = comment.strip_prefix("name:").or(comment.strip_prefix("theme:")) {
                title = words.trim().to_string();
            }
            continue;
        }
        let mut parts = line.split(';');
        let fen = parts.next().unwrap_or_default().trim_end();
        let mut reader = reader.clone();
        let position =
            P::read_fen(fen, &mut reader).map_err(|e: NotationError| fault(e.to_string()))?;
        let mut counts: Vec<(u32, u128)> = Vec::new();
        let mut columns: Vec<(u32, KnownColumns)> = Vec::new();
        for part in parts {
            if part.trim_start().starts_with('C') {
                push(&mut columns, read_columns(part).map_err(fault)?).map_err(fault)?;
            } else {
                let count = read_count(part).ok_or_else(|| {
                    let shown = quoted(part.trim());
                    fault(format!("{shown} is no count, expected the form D3 8902"))
                })?;
                push(&mut counts, count).map_err(fault)?;
            }
        }
        if counts.is_empty() && columns.is_empty() {
            return Err(fault("the position has no counts, expected ;D1 … after the FEN".into()));
        }
        entries.push(Entry {
            line: number + 1,
            warning: reader.warning(),
            title: std::mem::take(&mut title),
            position,
            counts,
            columns,
        });
    }
    Ok(entries)
}

/// Adds what is known of one depth, which must be deeper than the one before.
fn push<T>(known: &mut Vec<(u32, T)>, next: (u32, T)) -> Result<(), String> {
    if known.last().is_some_and(|&(depth, _)| depth >= next.0) {
        return Err(format!("depth {} is out of order", next.0));
    }
    known.push(next);
    Ok(())
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn read_depth(word: &str, letter: char) -> Option<u32> {
    let depth = word.strip_prefix(letter).filter(|text| is_number(text))?;
    depth.parse().ok().filter(|&d| d <= super::MAX_DEPTH)
}

fn read_count(part: &str) -> Option<(u32, u128)> {
    let mut words = part.split_whitespace();
    let depth = read_depth(words.next()?, 'D')?;
    let count = words.next().filter(|text| is_number(text))?;
    Some((depth, count.parse().ok()?)).filter(|_| words.next().is_none())
}

fn read_columns(part: &str) -> Result<(u32, KnownColumns), String> {
    let mut words = part.split_whitespace();
    let first = words.next().unwrap_or_default();
    let depth = read_depth(first, 'C')
        .ok_or_else(|| format!("{} is no depth of columns, expected the form C3", quoted(first)))?;
    let mut columns = [None; NAMES.len()];
    for (slot, name) in columns.iter_mut().zip(NAMES) {
        let word = words.next().ok_or_else(|| {
            format!("C{depth}: {name} is missing, expected {} numbers or ?", NAMES.len())
        })?;
        if word == "?" && name != NAMES[0] {
            continue;
        }
        let number = word.parse().ok().filter(|_| is_number(word));
        *slot = Some(number.ok_or_else(|| {
            format!("C{depth}: {name} is {}, expected a number or ?", quoted(word))
        })?);
    }
    match words.next() {
        Some(word) => Err(format!("C{depth}: {} follows the last column", quoted(word))),
        None => Ok((depth, columns)),
    }
}

/// What running a suite found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions of which at least one depth was counted.
    pub positions: usize,
    /// Counts that were compared.
    pub compared: usize,
    /// Counts that were above the node limit and therefore left out.
    pub skipped: usize,
    /// Counts that differed.
    pub mismatches: usize,
    /// Sum of the nodes counted.
    pub nodes: u128,
}

/// A count that differs from the suite's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch<'a, P> {
    /// The position concerned.
    pub entry: &'a Entry<P>,
    /// The depth concerned.
    pub depth: u32,
    /// The name of the column; `nodes` for a plain count.
    pub column: &'static str,
    /// What the suite says.
    pub expected: u128,
    /// What was counted.
    pub counted: u128,
}

/// Counts every entry by `count` up to `max_nodes` expected nodes a depth, telling `tell` of each mismatch
/// as it is found. A depth is counted once, whatever is known of it.
pub fn run<P: Notation, Q: Quantity>(
    entries: &[Entry<P>],
    max_nodes: u128,
    mut count: impl FnMut(&P, u32) -> Q,
    mut tell: impl FnMut(Mismatch<'_, P>),
) -> Report {
    let mut report = Report::default();
    for entry in entries {
        let compared = report.compared;
        for (depth, known) in known(entry) {
            let numbers = known.iter().enumerate().filter_map(|(place, n)| Some((place, (*n)?)));
            let wanted = numbers.clone().next().map_or(0, |(_, nodes)| nodes);
            if wanted > max_nodes {
                report.skipped += 1;
                continue;
            }
            let counted = count(&entry.position, depth);
            report.compared += 1;
            report.nodes += counted.nodes();
            let mut differs = false;
            for (place, expected) in numbers {
                if let Some(counted) = counted.column(place).filter(|&n| n != expected) {
                    differs = true;
                    let column = NAMES[place];
                    tell(Mismatch { entry, depth, column, expected, counted });
                }
            }
            report.mismatches += usize::from(differs);
        }
        report.positions += usize::from(report.compared > compared);
    }
    report
}

/// Everything that is known, by ascending depth; counts are first columns. A depth that has a count and
/// columns with another number of nodes comes twice, so that both are compared.
fn known<P>(entry: &Entry<P>) -> Vec<(u32, KnownColumns)> {
    let mut known = entry.columns.clone();
    for &(depth, count) in &entry.counts {
        let mut columns = [None; NAMES.len()];
        columns[0] = Some(count);
        if !known.iter().any(|other| other.0 == depth && other.1[0] == columns[0]) {
            known.push((depth, columns));
        }
    }
    known.sort_by_key(|&(depth, _)| depth);
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::{Census, Kernel, Rules};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn reads_names_and_counts_and_runs_them() {
        let text = format!(
            "# a comment\n\n# name: start\n{START} ;D1 20 ;D3 8902 # end\n{START};D2 401\n"
        );
        let entries = read::<Position>(&text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].line, entries[0].title.as_str()), (4, "start"));
        assert_eq!(entries[0].counts, [(1, 20), (3, 8902)]);
        let mut wrong = Vec::new();
        let report = run(
            &entries,
            1_000,
            |p, d| u128::from(p.perft(d)),
            |m| wrong.push((m.entry.line, m.depth, m.expected, m.counted)),
        );
        assert_eq!(wrong, [(5, 2, 401, 400)]);
        let expected = Report { positions: 2, compared: 2, skipped: 1, mismatches: 1, nodes: 420 };
        assert_eq!(report, expected);
    }

    #[test]
    fn columns_are_compared_as_far_as_they_are_known_and_counted() {
        let text = format!(
            "{START} ;D1 20 ;C3 8902 34 0 0 0 12 ? ? ? 13 0 0 0 0 0 ;C4 197281 1576 0 0 0 461 0 0 0 461 8 0 0 0 8"
        );
        let entries = read::<Position>(&text).unwrap();
        let mut wrong = Vec::new();
        let count = |pos: &Position, depth| pos.columns(depth, Kernel::Scalar).map(u128::from);
        let report = run(&entries, 10_000, count, |m| {
            wrong.push((m.depth, m.column, m.expected, m.counted))
        });
        assert_eq!(wrong, [(3, "total_checks", 13, 12)]);
        let expected =
            Report { positions: 1, compared: 2, skipped: 1, mismatches: 1, nodes: 8_922 };
        assert_eq!(report, expected);
        // Plain counts have nodes only.
        let report = run(&entries, 1_000_000, |p, d| u128::from(p.perft(d)), |_| panic!());
        assert_eq!((report.compared, report.mismatches), (3, 0));
    }

    #[test]
    fn refuses_what_is_not_a_suite() {
        for (tail, word) in [
            ("", "no counts"),
            (" ;D1", "is no count"),
            (" ;D1 20 30", "is no count"),
            (" ;D1 -20", "is no count"),
            (" ;D101 20", "is no count"),
            (" ;20", "is no count"),
            (" ;D2 400 ;D1 20", "out of order"),
            (" ;C", "is no depth of columns"),
            (" ;C1 20 0 0", "C1: castles is missing, expected 15 numbers"),
            (" ;C1 ? 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: nodes is \"?\""),
            (" ;C1 20 -1 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: captures is \"-1\""),
            (" ;C1 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7", "C1: \"7\" follows the last column"),
            (" ;D1 340282366920938463463374607431768211456", "is no count"),
            (" trailing ;D1 20", "follows the last field"),
        ] {
            let error = read::<Position>(&format!("\n{START}{tail}")).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.reason.contains(word), "{tail:?}: {error}");
        }
    }
}
