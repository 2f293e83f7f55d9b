//! Perft suites: reading and running EPD files of lines `FEN ;D1 20 ;D2 400`.
//!
//! Many variants are accepted: `D1 20; D2 400;`, `d1 20`, `D1=20`, `perft1 20`, directly after the FEN or after a
//! semicolon, between other EPD operations (which are ignored); and `FEN,20,400` without depths.
//!
//! `;C3` with fifteen numbers gives the columns of statistics at depth 3, in the usual order, with `?` for unknown
//! columns. Runs that count columns compare all of them; other runs compare only the first, the number of nodes.
//!
//! `#` starts a comment. A comment line `# name: kiwipete` names the position on the next line; `# theme:` says what
//! it tests. Suite files are untrusted input: every fault is an error with its line number.

use super::quantity::Quantity;
use super::{MAX_DEPTH, PerftError};
use crate::base::text::decimal;
use crate::game::columns::NAMES;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Notation, NotationError};

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<P> {
    /// Line number in the file, from 1.
    pub line: usize,
    /// A one-line warning if the FEN was accepted leniently.
    pub warning: Option<String>,
    /// The text of a `# name:` or `# theme:` comment above; may be empty.
    pub title: String,
    /// The position.
    pub position: P,
    /// Counts by depth, ascending.
    pub counts: Vec<(u32, u128)>,
    /// Columns by depth, ascending; the first column is always known.
    pub columns: Vec<(u32, KnownColumns)>,
}

impl<P> Entry<P> {
    /// The smallest known number of nodes.
    pub fn least(&self) -> Option<u128> {
        known(self).iter().filter_map(|(_, columns)| columns[0]).min()
    }
}

/// The fifteen columns; `None` for unknown ones.
pub type KnownColumns = [Option<u128>; NAMES.len()];

/// Reads a whole suite. Each FEN is read with a fresh copy of `reader`.
///
/// # Errors
/// The first line that is not blank, a comment, or a position with counts.
pub fn read<P: Notation>(text: &str, reader: &FenReader) -> Result<Vec<Entry<P>>, String> {
    let mut entries = Vec::new();
    let mut title = String::new();
    for (number, raw) in text.lines().enumerate() {
        let fault = |reason: String| format!("line {}: {reason}", number + 1);
        let (line, comment) = split_comment(raw);
        if line.is_empty() {
            if let Some(words) = comment.strip_prefix("name:").or(comment.strip_prefix("theme:")) {
                title = words.trim().to_string();
            }
            continue;
        }
        let (fen, rest) = split_fen(line);
        let mut reader = reader.clone();
        let position =
            P::read_fen(fen, &mut reader).map_err(|e: NotationError| fault(e.to_string()))?;
        let (counts, columns) = read_operations(rest).map_err(fault)?;
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

/// The offset of `letter` in a text, outside double quotes.
fn find_unquoted(text: &str, letter: char) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, other)| {
        quoted ^= other == '"';
        (other == letter && !quoted).then_some(at)
    })
}

/// Splits a line into text and comment. Trailing control characters are removed; old editors end files with one.
fn split_comment(raw: &str) -> (&str, &str) {
    let trim = |text| str::trim_matches(text, |c: char| c.is_whitespace() || c.is_control());
    match find_unquoted(raw, '#') {
        Some(at) => (trim(&raw[..at]), trim(&raw[at + 1..])),
        None => (trim(raw), ""),
    }
}

/// Splits a line into the FEN and the operations after it. EPD operations may follow the fourth field without a
/// semicolon.
fn split_fen(line: &str) -> (&str, &str) {
    let end = line.find([';', ',']).unwrap_or(line.len());
    let mut fields = 0;
    for word in line[..end].split_whitespace() {
        fields += 1;
        if fields > 4 && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            // `word` is a slice of `line`, so the difference of the pointers is its offset.
            return line.split_at(word.as_ptr() as usize - line.as_ptr() as usize);
        }
    }
    (line[..end].trim_end(), &line[end..])
}

/// Known values by depth, ascending.
type Known<T> = Vec<(u32, T)>;

/// The counts and columns in the operations after a FEN.
fn read_operations(text: &str) -> Result<(Known<u128>, Known<KnownColumns>), String> {
    let (mut counts, mut columns) = (Vec::new(), Vec::new());
    if let Some(list) = text.strip_prefix(',') {
        for (depth, word) in (1..).zip(list.split(',')) {
            let expected =
                || format!("{} is not a count, expected the form 20,400,8902", quoted(word));
            counts.push((depth, decimal(word.trim()).ok_or_else(expected)?));
        }
        return Ok((counts, columns));
    }
    let mut rest = text;
    while !rest.is_empty() {
        let end = find_unquoted(rest, ';').unwrap_or(rest.len());
        let operation = rest[..end].trim();
        rest = rest.get(end + 1..).unwrap_or_default();
        if operation.starts_with('C') {
            insert(&mut columns, read_columns(operation)?)?;
        } else if let Some(count) = read_count(operation)? {
            insert(&mut counts, count)?;
        }
    }
    Ok((counts, columns))
}

/// Adds the value of one depth.
fn insert<T>(known: &mut Known<T>, (depth, next): (u32, T)) -> Result<(), String> {
    match known.binary_search_by_key(&depth, |&(depth, _)| depth) {
        Ok(_) => return Err(format!("depth {depth} is given twice")),
        Err(at) => known.insert(at, (depth, next)),
    }
    Ok(())
}

fn read_depth(word: &str) -> Option<u32> {
    decimal(word).filter(|&depth| depth <= MAX_DEPTH)
}

/// A depth and its count; `None` for any other operation.
fn read_count(operation: &str) -> Result<Option<(u32, u128)>, String> {
    let fault = || format!("{} is not a count, expected the form D3 8902", quoted(operation));
    let word = operation.split(|c: char| c.is_whitespace() || c == '=').next().unwrap_or_default();
    let lower = word.to_ascii_lowercase();
    let depth = lower.strip_prefix("perft").or(lower.strip_prefix('d')).unwrap_or_default();
    if !depth.starts_with(|c: char| c.is_ascii_digit()) {
        let other = operation.is_empty() || word.starts_with(|c: char| c.is_ascii_alphabetic());
        return if other { Ok(None) } else { Err(fault()) };
    }
    let count = operation[word.len()..].trim_start();
    let count = count.strip_prefix('=').unwrap_or(count).trim_start();
    Ok(Some(read_depth(depth).zip(decimal(count)).ok_or_else(fault)?))
}

fn read_columns(part: &str) -> Result<(u32, KnownColumns), String> {
    let mut words = part.split_whitespace();
    let first = words.next().unwrap_or_default();
    let depth = first.strip_prefix('C').and_then(read_depth);
    let depth = depth.ok_or_else(|| {
        format!("{} is not a depth of columns, expected the form C3", quoted(first))
    })?;
    let mut columns = [None; NAMES.len()];
    for (slot, name) in columns.iter_mut().zip(NAMES) {
        let word = words.next().ok_or_else(|| {
            format!("C{depth}: {name} is missing, expected {} numbers or ?", NAMES.len())
        })?;
        if word == "?" && name != NAMES[0] {
            continue;
        }
        *slot = Some(decimal(word).ok_or_else(|| {
            format!("C{depth}: {name} is {}, expected a number or ?", quoted(word))
        })?);
    }
    match words.next() {
        Some(word) => Err(format!("C{depth}: {} follows the last column", quoted(word))),
        None => Ok((depth, columns)),
    }
}

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
    /// Total nodes counted; `None` if they are 2¹²⁸ or more.
    pub nodes: Option<u128>,
}

/// A count that differs from the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch<'a, P> {
    /// The position.
    pub entry: &'a Entry<P>,
    /// The depth.
    pub depth: u32,
    /// The name of the column; `nodes` for a plain count.
    pub column: &'static str,
    /// The count in the suite.
    pub expected: u128,
    /// The count found; `None` if it is 2¹²⁸ or more.
    pub counted: Option<u128>,
}

/// Counts every entry with `count`, skipping depths that expect more than `max_nodes` nodes, and calls `on_mismatch`
/// for each mismatch as it is found. Each depth is counted once, even if several columns are known.
pub fn run<P: Notation, Q: Quantity>(
    entries: &[Entry<P>],
    max_nodes: u128,
    mut count: impl FnMut(&P, u32) -> Result<Q, PerftError>,
    mut on_mismatch: impl FnMut(Mismatch<'_, P>),
) -> Report {
    let mut report = Report { nodes: Some(0), ..Report::default() };
    for entry in entries {
        let compared = report.compared;
        for (depth, known) in known(entry) {
            let numbers = known.iter().enumerate().filter_map(|(place, n)| Some((place, (*n)?)));
            let wanted = numbers.clone().next().map_or(0, |(_, nodes)| nodes);
            if wanted > max_nodes {
                report.skipped += 1;
                continue;
            }
            // Only an overflow is an error, and no expected count is as large.
            let counted = count(&entry.position, depth).ok();
            report.compared += 1;
            let nodes = counted.map(|counted| counted.nodes());
            report.nodes = report.nodes.zip(nodes).and_then(|(sum, n)| sum.checked_add(n));
            let mut differs = false;
            for (place, expected) in numbers {
                let counted = match counted {
                    None if place == 0 => None,
                    None => continue,
                    Some(counted) => match counted.column(place) {
                        Some(n) if n != expected => Some(n),
                        _ => continue,
                    },
                };
                differs = true;
                on_mismatch(Mismatch { entry, depth, column: NAMES[place], expected, counted });
            }
            report.mismatches += usize::from(differs);
        }
        report.positions += usize::from(report.compared > compared);
    }
    report
}

/// All known columns by ascending depth; a plain count is a known first column. A depth appears twice if its count
/// differs from the node number of its columns, so that both are compared.
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
    use crate::game::{Census, Kernel};

    fn read_strictly(text: &str) -> Result<Vec<Entry<Position>>, String> {
        read(text, &FenReader::strict())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn reads_names_and_counts_and_runs_them() {
        let text = format!(
            "# a comment\n\n# name: start\n{START} ;D1 20 ;D3 8902 # end\n{START};D2 401\n"
        );
        let entries = read_strictly(&text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].line, entries[0].title.as_str()), (4, "start"));
        assert_eq!(entries[0].counts, [(1, 20), (3, 8902)]);
        let mut wrong = Vec::new();
        let report = run(
            &entries,
            1_000,
            |p, d| Ok(u128::from(p.perft(d))),
            |m| wrong.push((m.entry.line, m.depth, m.expected, m.counted.unwrap())),
        );
        assert_eq!(wrong, [(5, 2, 401, 400)]);
        let expected =
            Report { positions: 2, compared: 2, skipped: 1, mismatches: 1, nodes: Some(420) };
        assert_eq!(report, expected);
    }

    #[test]
    fn columns_are_compared_if_known_and_counted() {
        let text = format!(
            "{START} ;D1 20 ;C3 8902 34 0 0 0 12 ? ? ? 13 0 0 0 0 0 ;C4 197281 1576 0 0 0 461 0 0 0 461 8 0 0 0 8"
        );
        let entries = read_strictly(&text).unwrap();
        let mut wrong = Vec::new();
        let count = |pos: &Position, depth| Ok(pos.columns(depth, Kernel::Scalar).map(u128::from));
        let report = run(&entries, 10_000, count, |m| {
            wrong.push((m.depth, m.column, m.expected, m.counted.unwrap()))
        });
        assert_eq!(wrong, [(3, "total_checks", 13, 12)]);
        let expected =
            Report { positions: 1, compared: 2, skipped: 1, mismatches: 1, nodes: Some(8_922) };
        assert_eq!(report, expected);
        // Plain counts have nodes only.
        let report = run(&entries, 1_000_000, |p, d| Ok(u128::from(p.perft(d))), |_| panic!());
        assert_eq!((report.compared, report.mismatches), (3, 0));
    }

    #[test]
    fn reads_common_variants() {
        let four = START.strip_suffix(" 0 1").unwrap();
        let deep = "340282366920938463463374607431768211455";
        for (line, counts) in [
            (format!("{START} ;D1 20 ;D2 400 ;"), "1:20 2:400"),
            (format!("{START}; D1 20; D2 400;"), "1:20 2:400"),
            (format!("{START};D1 20;D2\t400 \r"), "1:20 2:400"),
            (format!("{START} D1 20; D2 400"), "1:20 2:400"),
            (format!("{four} D1 20; D2 400;"), "1:20 2:400"),
            (format!("{four} perft1 20; perft2 400;"), "1:20 2:400"),
            (format!("{START} ;d1 20 ;d2 400"), "1:20 2:400"),
            (format!("{START} ;D1=20;D2 = 400;D3= 8902"), "1:20 2:400 3:8902"),
            (format!("{four},20,400, 8902"), "1:20 2:400 3:8902"),
            (format!("  {START} ;; D3 8902 ; D1 20 \0"), "1:20 3:8902"),
            (
                format!("{four} hmvc 0; fmvn 1; bm e4; D2 400; id \"a; # D1 7\"; c0 \"x\"; D1 20;"),
                "1:20 2:400",
            ),
            (format!("{four} acd 3;dm 5; D1 20 # ;D1 21"), "1:20"),
            (format!("{START};D1 {deep}"), &format!("1:{deep}")[..]),
        ] {
            let entries = read_strictly(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
            let read: Vec<_> = entries[0].counts.iter().map(|(d, n)| format!("{d}:{n}")).collect();
            assert_eq!(read.join(" "), counts, "{line}");
            assert_eq!(entries[0].position, Position::from_fen(START).unwrap());
        }
        // An en passant square is not mistaken for a depth.
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6";
        for line in [format!("{fen} 0 1 ;D1 7"), format!("{fen} D1 7;"), format!("{fen};D1 7")] {
            let entries = read_strictly(&line).unwrap();
            assert_eq!(entries[0].counts, [(1, 7)]);
            assert_eq!(entries[0].position.count_legal(), 7);
        }
        assert!(read_strictly("\n# nothing\n \u{1a}").unwrap().is_empty());
    }

    #[test]
    fn refuses_what_is_not_a_suite() {
        for (tail, word) in [
            ("", "no counts"),
            (" ;D1", "is not a count"),
            (" ;D1 20 30", "is not a count"),
            (" ;D1 -20", "is not a count"),
            (" ;D101 20", "is not a count"),
            (" ;20", "is not a count"),
            (" ;Dl 20 ;D2", "is not a count"),
            (" ;D1 20x", "is not a count"),
            (" ;D1x 20", "is not a count"),
            (" ;D1 = = 20", "is not a count"),
            (" ;D1 +20", "is not a count"),
            (" 5 4865609", "follows the last field"),
            (",20,x", "\"x\" is not a count"),
            (",20,", "\"\" is not a count"),
            (" id \"no counts\";", "no counts"),
            (" ;D2 400 ;d2 400", "depth 2 is given twice"),
            (" ;C", "is not a depth of columns"),
            (" ;C1 20 0 0", "C1: castles is missing, expected 15 numbers"),
            (" ;C1 ? 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: nodes is \"?\""),
            (" ;C1 20 -1 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: captures is \"-1\""),
            (" ;C1 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7", "C1: \"7\" follows the last column"),
            (" ;D1 340282366920938463463374607431768211456", "is not a count"),
            (" 2 trailing ;D1 20", "follows the last field"),
        ] {
            let error = read_strictly(&format!("\n{START}{tail}")).unwrap_err();
            assert!(error.starts_with("line 2: ") && error.contains(word), "{tail:?}: {error}");
        }
    }
}
