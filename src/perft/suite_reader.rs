//! Reads perft suites: `FEN ;D1 20 ;D2 400`.
//!
//! A line is a FEN with counts, or counts of the position above. A count is a word `D3` with a number behind it; counts
//! stand behind the FEN or each other, with `;`, `,`, `|`, a tab or a blank between. Other words are EPD operations
//! (`bm e4; id "one";`), which are ignored.
//!
//! What looks like a count and is none is an error, so that no count is left out unnoticed. `;C3` with fifteen numbers
//! gives the columns of statistics at depth 3, in the usual order, with `?` for unknown ones. python-chess' `.perft`
//! files write `id NAME`, `epd FEN` and `perft 3 8902`, each on a line of its own.
//!
//! A comment begins with `#` or `//`, at the start of a line or behind a blank; `#` before a digit or a semicolon is an
//! operand of EPD, such as the distance of a mate. A comment line `# name: kiwipete` names the position on the next
//! line; `# theme:` says what it tests. Suite files are untrusted: every fault is an error with its line number.

use super::MAX_DEPTH;
use super::suite::{Entry, KnownColumns};
use crate::base::text::decimal;
use crate::game::count::columns::NAMES;
use crate::game::text::fault::quoted;
use crate::game::text::fen::Tolerance;
use crate::game::{Fault, Position, Rules};

/// What a file holds.
#[derive(Debug)]
pub struct Suite<B: Rules> {
    /// The positions with their counts.
    pub entries: Vec<Entry<B>>,
    /// Positions that are written correctly but have more pieces than can be counted: the line and the reason.
    pub refused: Vec<(usize, String)>,
}

/// Reads a whole suite, all of whose positions can be counted. Each FEN is read with a fresh copy of `tolerance`.
///
/// # Errors
/// The first line that is not blank, a comment, a position or its counts, or whose position cannot be counted.
pub fn read<B: Rules>(text: &str, tolerance: &Tolerance) -> Result<Vec<Entry<B>>, String> {
    let Suite { entries, refused } = read_all(text, tolerance)?;
    match refused.into_iter().next() {
        Some((line, reason)) => Err(format!("line {line}: {reason}")),
        None => Ok(entries),
    }
}

/// Reads a whole suite.
///
/// # Errors
/// The first line that is not blank, a comment, a position or its counts.
pub fn read_all<B: Rules>(text: &str, tolerance: &Tolerance) -> Result<Suite<B>, String> {
    let mut lines = Lines { tolerance, entries: Vec::new(), refused: Vec::new(), title: String::new(), skips: false };
    for (number, line) in (1..).zip(text.lines()) {
        lines.take(number, line).map_err(|reason| format!("line {number}: {reason}"))?;
    }
    let Lines { entries, refused, .. } = lines;
    for Entry { line, counts, columns, .. } in &entries {
        if counts.is_empty() && columns.is_empty() {
            return Err(format!("line {line}: the position has no counts, expected ;D1 … after the FEN"));
        }
    }
    Ok(Suite { entries, refused })
}

/// The state of reading line by line.
struct Lines<'a, B: Rules> {
    tolerance: &'a Tolerance,
    entries: Vec<Entry<B>>,
    refused: Vec<(usize, String)>,
    /// The name of the next position.
    title: String,
    /// Whether the last position is not among the entries, because it cannot be counted.
    skips: bool,
}

impl<B: Rules> Lines<'_, B> {
    fn take(&mut self, number: usize, raw: &str) -> Result<(), String> {
        let (line, comment) = split_comment(raw)?;
        if line.is_empty() {
            if let Some(name) = comment.strip_prefix("name:").or(comment.strip_prefix("theme:")) {
                self.title = name.trim().to_string();
            }
            return Ok(());
        }
        if let Some(id) = line.strip_prefix("id ") {
            self.title = id.trim().to_string();
            return Ok(());
        }
        if let Some(count) = line.strip_prefix("perft ") {
            return self.add(&format!("D{}", count.trim_start()));
        }
        let line = line.strip_prefix("epd ").unwrap_or(line);
        let is_first = self.entries.is_empty() && !self.skips;
        if is_first || line.contains('/') {
            let (fen, counts) = split_fen(line);
            self.begin(number, fen)?;
            self.add(counts)
        } else if line.starts_with(['D', 'd', 'C', ';', ',', '|']) {
            self.add(line)
        } else {
            Err(format!("{} is neither a FEN with counts nor a count such as D3 8902", quoted(line)))
        }
    }

    /// Begins a position.
    fn begin(&mut self, line: usize, fen: &str) -> Result<(), String> {
        let mut tolerance = self.tolerance.clone();
        let title = std::mem::take(&mut self.title);
        let read = Position::<B>::read_fen(fen, &mut tolerance);
        self.skips = false;
        match read {
            Ok(position) => {
                let (warning, counts, columns) = (tolerance.warning(), Vec::new(), Vec::new());
                self.entries.push(Entry { line, warning, title, position, counts, columns });
            }
            Err(error) if error.fault == Fault::TooManyPieces && *self.tolerance != Tolerance::strict() => {
                self.refused.push((line, error.to_string()));
                self.skips = true;
            }
            Err(error) => return Err(format!("{error}; expected a line such as FEN ;D1 20 ;D2 400")),
        }
        Ok(())
    }

    /// Adds the counts and columns in `text` to the last position.
    fn add(&mut self, text: &str) -> Result<(), String> {
        let (counts, columns) = read_counts(text)?;
        if let Some(entry) = self.entries.last_mut()
            && !self.skips
        {
            for count in counts {
                insert(&mut entry.counts, count)?;
            }
            for numbers in columns {
                insert(&mut entry.columns, numbers)?;
            }
        }
        Ok(())
    }
}

/// The parts of `text` between the separators for which `ends` is true; none of these is inside double quotes.
fn split_unquoted(text: &str, ends: impl Fn(usize, char) -> bool) -> Vec<&str> {
    let (mut parts, mut begin, mut is_quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        is_quoted ^= c == '"';
        if !is_quoted && ends(at, c) {
            parts.push(&text[begin..at]);
            begin = at + c.len_utf8();
        }
    }
    parts.push(&text[begin..]);
    parts
}

/// Splits a line into text and comment. Control characters at the end are dropped; old editors end files with one.
///
/// # Errors
/// If quotation marks are not closed: what follows would be lost.
fn split_comment(raw: &str) -> Result<(&str, &str), String> {
    let trim = |text| str::trim_matches(text, |c: char| c.is_whitespace() || c.is_control());
    let begins = |at: usize, c: char| {
        if c != '#' && !raw[at..].starts_with("//") {
            return false;
        }
        let before = &raw[..at];
        let is_operand = raw[at..].trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit() || c == ';');
        before.trim().is_empty() || before.ends_with(char::is_whitespace) && !(c == '#' && is_operand)
    };
    let text = split_unquoted(raw, begins)[0];
    if text.matches('"').count() % 2 != 0 {
        return Err("a quotation mark is not closed".into());
    }
    Ok((trim(text), trim(raw[text.len()..].trim_start_matches(['#', '/']))))
}

/// Splits a line into the FEN and what follows it: the first separator, or from the fifth word on a letter, begins
/// that.
fn split_fen(line: &str) -> (&str, &str) {
    let end = line.find([';', ',', '|']).unwrap_or(line.len());
    for word in line[..end].split_whitespace().skip(4) {
        if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            // `word` is a slice of `line`, so the difference of the pointers is its offset.
            return line.split_at(word.as_ptr() as usize - line.as_ptr() as usize);
        }
    }
    line.split_at(end)
}

/// Known values by depth, ascending.
type Known<T> = Vec<(u32, T)>;

/// The counts and columns behind a FEN.
fn read_counts(text: &str) -> Result<(Known<u128>, Known<KnownColumns>), String> {
    let (mut counts, mut columns) = (Vec::new(), Vec::new());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    for operation in split_unquoted(text, |_, c| matches!(c, ';' | ',' | '|')) {
        let operation = operation.trim();
        let words = split_unquoted(operation, |_, c| c.is_whitespace());
        let mut words = words.into_iter().filter(|word| !word.is_empty()).peekable();
        let Some(&first) = words.peek() else { continue };
        if first.strip_prefix('C').is_some_and(is_number) {
            columns.push(read_columns(words)?);
            continue;
        }
        // `d4` may also be a move in another operation.
        let is_count = matches!(first.as_bytes(), [b'D' | b'd', b'0'..=b'9', ..]);
        let names = ["perft", "depth", "nodes"];
        let is_named = names.iter().any(|name| first.to_ascii_lowercase().starts_with(name));
        let mut is_wrong = is_named || !first.starts_with(|c: char| c.is_ascii_alphabetic());
        while let Some(word) = words.next() {
            let depth = word.strip_prefix(['D', 'd']).filter(|depth| is_number(depth));
            if let Some(depth) = depth
                && let Some(number) = words.next_if(|number| is_number(number))
            {
                counts.push(known(depth, number)?);
            } else {
                is_wrong |= is_count;
            }
        }
        if is_wrong {
            return Err(format!("{} is not a count, expected the form D3 8902", quoted(operation)));
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

fn read_depth(word: &str) -> Result<u32, String> {
    let depth = decimal(word).filter(|&depth| depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("{} is not a depth from 0 to {MAX_DEPTH}", quoted(word)))
}

/// A depth and its count, both in digits.
fn known(depth: &str, count: &str) -> Result<(u32, u128), String> {
    let depth = read_depth(depth)?;
    let count = decimal(count).ok_or_else(|| format!("the count of depth {depth} is 2^128 or more"))?;
    Ok((depth, count))
}

/// The columns in words such as `C3 8902 34 …`.
fn read_columns<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(u32, KnownColumns), String> {
    let depth = read_depth(words.next().unwrap_or_default().trim_start_matches('C'))?;
    let mut columns = [None; NAMES.len()];
    for (slot, name) in columns.iter_mut().zip(NAMES) {
        let Some(word) = words.next() else {
            return Err(format!("C{depth}: {name} is missing, expected {} numbers or ?", NAMES.len()));
        };
        if word == "?" && name != NAMES[0] {
            continue;
        }
        let number = decimal(word);
        *slot = Some(number.ok_or_else(|| format!("C{depth}: {name} is {}, expected a number or ?", quoted(word)))?);
    }
    match words.next() {
        Some(word) => Err(format!("C{depth}: {} follows the last column", quoted(word))),
        None => Ok((depth, columns)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{self, Position};
    use crate::game::{Columns, Kernel};
    use crate::perft::suite::{Report, run};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read_strictly(text: &str) -> Result<Vec<Entry<chess::Board>>, String> {
        read(text, &Tolerance::strict())
    }

    #[test]
    fn counts_are_read_wherever_they_stand() {
        let four = START.strip_suffix(" 0 1").unwrap();
        let deep = u128::MAX;
        for (line, counts) in [
            (format!("{START} ;D1 20 ;D2 400 ;"), "1:20 2:400"),
            (format!("{START}; D1 20; D2 400;"), "1:20 2:400"),
            (format!("{START};D1 20;D2\t400 \r"), "1:20 2:400"),
            (format!("{START} D1 20; D2 400"), "1:20 2:400"),
            (format!("{four} D1 20 D2 400;"), "1:20 2:400"),
            (format!("{START} ;d1 20 ;d2 400"), "1:20 2:400"),
            (format!("{START},D1 20,D2 400"), "1:20 2:400"),
            (format!("{START} | D1 20 | D2 400"), "1:20 2:400"),
            (format!("{START}\tD1 20\tD2 400"), "1:20 2:400"),
            (format!("{}\tD1\t20", START.replace(' ', "\t")), "1:20"),
            (format!("{START}\nD1 20\n\n;D2 400 // four hundred"), "1:20 2:400"),
            (format!("id one\nepd {four}\nperft 1 20\nperft 2 400\n"), "1:20 2:400"),
            (format!("  {START} ;; D3 8902 ; D1 20 \0"), "1:20 3:8902"),
            (format!("{four} hmvc 0; fmvn 1; bm e4; D2 400; id \"a; # D1 7\"; c0 \"x\"; D1 20;"), "1:20 2:400"),
            (format!("{four} acd 3;dm 5; D1 20 # ;D1 21"), "1:20"),
            (format!("{four} bm d4 d5; pv d3; D1 20; am d4 d5 D2 400"), "1:20 2:400"),
            (format!("// {START} ;D1 20\n#1 {START} ;D1 20\n{START} ;D1 20 // ;D1 21"), "1:20"),
            // A `#` inside an operation cuts nothing off.
            (format!("{four} bm Qxf7#; D1 20; am Qh5# Qh7 #; D2 99999"), "1:20 2:99999"),
            (format!("{four} bm #1; D1 43"), "1:43"),
            (format!("{four} bm Qxf7# #; dm #3; D1 43; D2 1849 # D3 5"), "1:43 2:1849"),
            (format!("{START};D1 {deep}"), &format!("1:{deep}")),
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
            (" ;D1 20 D2", "is not a count"),
            (" ;D1 20 ;D2=400", "\"D2=400\" is not a count"),
            (" ;D1 -20", "is not a count"),
            (" ;D101 20", "\"101\" is not a depth from 0 to 100"),
            (" ;D1 20 ;perft 2 400", "\"perft 2 400\" is not a count"),
            (" ;D1 20 ;Perft2 400", "is not a count"),
            (" ;20 x", "is not a count"),
            (" ;Dl 20 ;D2", "is not a count"),
            (" ;D1 20x", "is not a count"),
            (" ;D1x 20", "is not a count"),
            (" ;D1 = 20", "is not a count"),
            (" ;D1 20 #2", "is not a count"),
            (" ;D1 20#2", "is not a count"),
            (" ;D1 +20", "is not a count"),
            (" ;D1 119,060", "\"060\" is not a count"),
            (" 20 400", "follows the last field"),
            (",20,400", "\"20\" is not a count"),
            (" id \"no counts\";", "no counts"),
            (" ;D1 20; id \"not closed; D2 400", "a quotation mark is not closed"),
            (" ;D2 400 ;d2 400", "depth 2 is given twice"),
            (" ;C1 20 0 0", "C1: castles is missing, expected 15 numbers"),
            (" ;C1 ? 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: nodes is \"?\""),
            (" ;C1 20 -1 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: captures is \"-1\""),
            (" ;C1 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7", "C1: \"7\" follows the last column"),
            (" ;D1 340282366920938463463374607431768211456", "depth 1 is 2^128 or more"),
            (" 2 trailing ;D1 20", "follows the last field"),
            ("\nnothing", "line 3: \"nothing\" is neither"),
        ] {
            let error = read_strictly(&format!("\n{START}{tail}")).unwrap_err();
            assert!(error.starts_with("line ") && error.contains(word), "{tail:?}: {error}");
        }
        for text in [
            format!("fen,depth,nodes\n{START},3,8902"),
            format!("\"{START}\",\"20\",\"400\""),
            format!("[{{\"fen\": \"{START}\", \"depth\": 1, \"nodes\": 20}}]"),
            "D1 20".into(),
        ] {
            let error = read_strictly(&text).unwrap_err();
            assert!(error.starts_with("line 1: ") && error.len() < 200, "{text}: {error}");
        }
        let error = read_strictly(&format!("{START}\n{START} ;D1 20")).unwrap_err();
        assert!(error.starts_with("line 1: the position has no counts"), "{error}");
    }

    #[test]
    fn reads_names_and_counts_and_runs_them() {
        let text = format!("# a comment\n\n# name: start\n{START} ;D1 20 ;D3 8902 # end\n{START};D2 401\n");
        let entries = read_strictly(&text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].line, entries[0].title.as_str()), (4, "start"));
        assert_eq!(entries[0].counts, [(1, 20), (3, 8902)]);
        let mut wrong = Vec::new();
        let nodes = |p: &Position, d| Ok(Columns { nodes: u128::from(p.perft(d)), ..Columns::default() });
        let report = run(&entries, 1_000, false, nodes, |m| wrong.push((m.entry.line, m.depth, m.expected, m.counted)));
        assert_eq!(wrong, [(5, 2, 401, 400)]);
        let expected = Report { positions: 2, compared: 2, skipped: 1, mismatches: 1, nodes: 420 };
        assert_eq!(report, Ok(expected));
    }

    #[test]
    fn columns_are_compared_if_known_and_counted() {
        let text = format!(
            "{START} ;D1 20 ;C3 8902 34 0 0 0 12 ? ? ? 13 0 0 0 0 0 ;C4 197281 1576 0 0 0 461 0 0 0 461 8 0 0 0 8"
        );
        let entries = read_strictly(&text).unwrap();
        let mut wrong = Vec::new();
        let count = |pos: &Position, depth| Ok(pos.statistics_by(depth, Kernel::Scalar).map(u128::from));
        let report = run(&entries, 10_000, true, count, |m| wrong.push((m.depth, m.column, m.expected, m.counted)));
        assert_eq!(wrong, [(3, "total_checks", 13, 12)]);
        let expected = Report { positions: 1, compared: 2, skipped: 1, mismatches: 1, nodes: 8_922 };
        assert_eq!(report, Ok(expected));
        // Plain counts have nodes only.
        let nodes = |p: &Position, d| Ok(Columns { nodes: u128::from(p.perft(d)), ..Columns::default() });
        let report = run(&entries, 1_000_000, false, nodes, |_| panic!()).unwrap();
        assert_eq!((report.compared, report.mismatches), (3, 0));
    }
}
