//! Perft suites: EPD files of lines `FEN ;D1 20 ;D2 400`, their reader and their runner.
//!
//! `#` begins a comment. A comment line `# name: kiwipete` names the position on the next line; `# theme:`
//! says what it tests. Suite files are input like any other: every fault is an error with its line.

use crate::game::notation::quoted;
use crate::game::{Notation, NotationError};
use std::fmt;

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<P> {
    /// Line of the file, from 1.
    pub line: usize,
    /// From a `# name:` or `# theme:` comment above; may be empty.
    pub title: String,
    /// The position.
    pub position: P,
    /// Depths in ascending order with their counts.
    pub counts: Vec<(u32, u128)>,
}

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

/// Reads a whole suite.
///
/// # Errors
/// With the first line that is neither blank, comment nor position with counts.
pub fn read<P: Notation>(text: &str) -> Result<Vec<Entry<P>>, SuiteError> {
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
        let position = P::from_fen(fen).map_err(|e: NotationError| fault(e.to_string()))?;
        let mut counts: Vec<(u32, u128)> = Vec::new();
        for part in parts {
            let count = read_count(part).ok_or_else(|| {
                fault(format!("{} is no count, expected the form D3 8902", quoted(part.trim())))
            })?;
            if counts.last().is_some_and(|&(depth, _)| depth >= count.0) {
                return Err(fault(format!("depth {} is out of order", count.0)));
            }
            counts.push(count);
        }
        if counts.is_empty() {
            return Err(fault("the position has no counts, expected ;D1 … after the FEN".into()));
        }
        entries.push(Entry {
            line: number + 1,
            title: std::mem::take(&mut title),
            position,
            counts,
        });
    }
    Ok(entries)
}

fn read_count(part: &str) -> Option<(u32, u128)> {
    let mut words = part.split_whitespace();
    let depth = words.next()?.strip_prefix('D')?;
    let count = words.next()?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if words.next().is_some() || !digits(depth) || !digits(count) {
        return None;
    }
    let depth = depth.parse().ok().filter(|&d| d <= super::MAX_DEPTH)?;
    Some((depth, count.parse().ok()?))
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
    /// What the suite says.
    pub expected: u128,
    /// What was counted.
    pub counted: u128,
}

/// Counts every entry by `count` up to `max_nodes` expected nodes a depth, telling `tell` of each mismatch
/// as it is found.
pub fn run<P: Notation>(
    entries: &[Entry<P>],
    max_nodes: u128,
    mut count: impl FnMut(&P, u32) -> u128,
    mut tell: impl FnMut(Mismatch<'_, P>),
) -> Report {
    let mut report = Report::default();
    for entry in entries {
        let compared = report.compared;
        for &(depth, expected) in &entry.counts {
            if expected > max_nodes {
                report.skipped += 1;
                continue;
            }
            let counted = count(&entry.position, depth);
            report.compared += 1;
            report.nodes += counted;
            if counted != expected {
                report.mismatches += 1;
                tell(Mismatch { entry, depth, expected, counted });
            }
        }
        report.positions += usize::from(report.compared > compared);
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Rules;

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
    fn refuses_what_is_not_a_suite() {
        for (tail, word) in [
            ("", "no counts"),
            (" ;D1", "is no count"),
            (" ;D1 20 30", "is no count"),
            (" ;D1 -20", "is no count"),
            (" ;D101 20", "is no count"),
            (" ;20", "is no count"),
            (" ;D2 400 ;D1 20", "out of order"),
            (" ;D1 340282366920938463463374607431768211456", "is no count"),
            (" trailing ;D1 20", "follows the last field"),
        ] {
            let error = read::<Position>(&format!("\n{START}{tail}")).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.reason.contains(word), "{tail:?}: {error}");
        }
    }
}
