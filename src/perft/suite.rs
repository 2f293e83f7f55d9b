//! Perft suites: positions with known counts, and running them.
//!
//! `suite_reader` reads them from files. Runs with `statistics` compare all known columns; other runs compare only the
//! first, the number of nodes.

use super::PerftError;
use crate::game::count::columns::NAMES;
use crate::game::{Columns, Counting, Position, Rules};

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<B: Rules> {
    /// Line number in the file, from 1.
    pub line: usize,
    /// A one-line warning if the FEN was accepted leniently.
    pub warning: Option<String>,
    /// The text of a `# name:` or `# theme:` comment above; may be empty.
    pub title: String,
    /// The position.
    pub position: Position<B>,
    /// Counts by depth, ascending.
    pub counts: Vec<(u32, u128)>,
    /// Columns by depth, ascending; the first column is always known.
    pub columns: Vec<(u32, KnownColumns)>,
}

impl<B: Rules> Entry<B> {
    /// The smallest known number of nodes.
    pub fn least(&self) -> Option<u128> {
        known(self).iter().filter_map(|(_, columns)| columns[0]).min()
    }
}

/// The fifteen columns; `None` for unknown ones.
pub type KnownColumns = [Option<u128>; NAMES.len()];

/// The result of a suite run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions with at least one depth counted.
    pub positions: usize,
    /// Counts compared.
    pub compared: usize,
    /// Counts skipped because they exceed the node limit.
    pub skipped: usize,
    /// Counts that differ.
    pub mismatches: usize,
    /// Total nodes counted.
    pub nodes: u128,
}

/// A count that differs from the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch<'a, B: Rules> {
    /// The position.
    pub entry: &'a Entry<B>,
    /// The depth.
    pub depth: u32,
    /// The name of the column; `nodes` for a plain count.
    pub column: &'static str,
    /// The count in the suite.
    pub expected: u128,
    /// The count found.
    pub counted: u128,
}

/// Counts every entry with `count`, skipping depths that expect more than `max_nodes` nodes, and calls `on_mismatch`
/// for each mismatch as it is found. Each depth is counted once, even if several columns are known.
///
/// # Errors
/// The first depth that cannot be counted, with its line.
pub fn run<B: Counting>(
    entries: &[Entry<B>],
    max_nodes: u128,
    statistics: bool,
    mut count: impl FnMut(&Position<B>, u32) -> Result<Columns<u128>, PerftError>,
    mut on_mismatch: impl FnMut(Mismatch<'_, B>),
) -> Result<Report, String> {
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
            let counted = counted.map_err(|error| format!("line {}: depth {depth}: {error}", entry.line))?;
            report.compared += 1;
            report.nodes = report.nodes.saturating_add(counted.nodes);
            let mut differs = false;
            for (place, expected) in numbers.take(if statistics { NAMES.len() } else { 1 }) {
                let counted = counted.all()[place];
                if counted != expected {
                    differs = true;
                    on_mismatch(Mismatch { entry, depth, column: NAMES[place], expected, counted });
                }
            }
            report.mismatches += usize::from(differs);
        }
        report.positions += usize::from(report.compared > compared);
    }
    Ok(report)
}

/// All known columns by ascending depth; a plain count is a known first column. A depth appears twice if its count
/// differs from the node number of its columns, so that both are compared.
fn known<B: Rules>(entry: &Entry<B>) -> Vec<(u32, KnownColumns)> {
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
