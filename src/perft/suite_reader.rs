//! Reads perft suites: lines `FEN ;D1 20 ;D2 400` and the formats that other programs write.
//!
//! - Counts as `D1 20; D2 400;`, `d1 20`, `D1=20`, `perft1 20`, `perft 1 20`, directly after the FEN or after a
//!   semicolon, between other EPD operations (which are ignored), or on lines of their own below the position, as in
//!   python-chess' `.perft` files (`id`, `epd`, `perft`).
//! - `;C3` with fifteen numbers: the columns of statistics at depth 3, in the usual order, with `?` for unknown
//!   columns.
//! - CSV: `FEN,20,400` (depths from 1) or `FEN,3,8902` (a depth and its count), with or without quotes and a header;
//!   also with `;`, `|`, tabs or, behind six fields, blanks instead of the commas.
//! - JSON: objects with `fen`, `depth` and `nodes`, at any place.
//!
//! `#` and `//` start comments. A comment line `# name: kiwipete` names the position on the next line; `# theme:` says
//! what it tests. Suite files are untrusted input: every fault is an error with its line number.

use super::MAX_DEPTH;
use super::suite::{Entry, KnownColumns};
use crate::base::text::decimal;
use crate::game::count::columns::NAMES;
use crate::game::text::fault::quoted;
use crate::game::text::fen::Tolerance;
use crate::game::{Board, Fault, Position};

/// What a file holds.
#[derive(Debug)]
pub struct Suite<B: Board> {
    /// The positions with their counts.
    pub entries: Vec<Entry<B>>,
    /// Positions that are written correctly but have more pieces than can be counted: the line and the reason.
    pub refused: Vec<(usize, String)>,
}

/// Reads a whole suite, all of whose positions can be counted. Each FEN is read with a fresh copy of `tolerance`.
///
/// # Errors
/// The first line that is not blank, a comment, a position or its counts, or whose position cannot be counted.
pub fn read<B: Board>(text: &str, tolerance: &Tolerance) -> Result<Vec<Entry<B>>, String> {
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
pub fn read_all<B: Board>(text: &str, tolerance: &Tolerance) -> Result<Suite<B>, String> {
    let suite = Suite { entries: Vec::new(), refused: Vec::new() };
    let mut lines = Lines { tolerance, suite, title: String::new(), skips: false, header: Vec::new(), pairs: None };
    if text.trim_start().starts_with(['[', '{']) {
        for (line, value) in Json::read(text)? {
            lines.json(line, &value)?;
        }
    } else {
        for (line, raw) in (1..).zip(text.lines()) {
            lines.take(line, raw).map_err(|reason| format!("line {line}: {reason}"))?;
        }
    }
    let counts = |entry: &&Entry<B>| entry.counts.is_empty() && entry.columns.is_empty();
    match lines.suite.entries.iter().find(counts) {
        Some(Entry { line, .. }) => {
            let reason = "the position has no counts, expected ;D1 … after the FEN";
            Err(format!("line {line}: {reason}"))
        }
        None => Ok(lines.suite),
    }
}

/// The state of reading line by line.
struct Lines<'a, B: Board> {
    tolerance: &'a Tolerance,
    suite: Suite<B>,
    /// The name of the next position.
    title: String,
    /// Whether the last position is not among the entries, because it cannot be counted.
    skips: bool,
    /// The names of the columns behind the FEN in the header of a CSV file.
    header: Vec<String>,
    /// Whether the last list of numbers was one of depths with their counts.
    pairs: Option<bool>,
}

impl<B: Board> Lines<'_, B> {
    fn take(&mut self, number: usize, raw: &str) -> Result<(), String> {
        let (line, comment) = split_comment(raw);
        if line.is_empty() {
            if let Some(words) = comment.strip_prefix("name:").or(comment.strip_prefix("theme:")) {
                self.title = words.trim().to_string();
            }
            return Ok(());
        }
        // A quoted CSV field holds no separator.
        let line = if line.starts_with('"') { &line.replace('"', "") } else { line };
        let mut names = line.split(&SEPARATORS[..4]).map(|name| name.trim().to_string());
        let first = names.next().unwrap_or_default();
        if ["fen", "epd", "position"].iter().any(|name| name.eq_ignore_ascii_case(&first)) {
            self.header = names.collect();
            return Ok(());
        }
        if let Some(id) = line.strip_prefix("id ") {
            self.title = id.trim().to_string();
            return Ok(());
        }
        let line = line.strip_prefix("epd ").or(line.strip_prefix("fen ")).unwrap_or(line);
        if !line.contains('/') && (self.skips || !self.suite.entries.is_empty()) {
            let (counts, columns) = read_operations(line)?;
            if counts.is_empty() && columns.is_empty() {
                let expected = "expected a FEN with counts, or counts such as D3 8902";
                return Err(format!("{} is neither; {expected}", quoted(line)));
            }
            return self.add(counts, columns);
        }
        let (fen, rest) = split_fen(line);
        self.begin(number, fen)?;
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        // Only commas, bars and tabs cannot begin operations.
        let list = rest.trim_end_matches(';').strip_prefix(SEPARATORS).filter(|list| {
            !rest.starts_with([';', ' ']) || list.split([';', ' ']).all(is_number) && list.contains(|c| c != ' ')
        });
        let (counts, columns) = match (list, self.suite.entries.last()) {
            (None, _) => read_operations(rest)?,
            (Some(_), _) if self.skips => Default::default(),
            (Some(list), Some(entry)) => {
                let legal = entry.position.count_legal() as u128;
                (self.list(legal, list)?, Vec::new())
            }
            (Some(_), None) => Default::default(),
        };
        self.add(counts, columns)
    }

    /// The counts in a list behind a position with so many `legal` moves: those that the header names, or those of
    /// depths from 1, or depths with their counts.
    fn list(&mut self, legal: u128, list: &str) -> Result<Known<u128>, String> {
        let words = match list.contains(&SEPARATORS[..4]) {
            true => Vec::from_iter(list.split(&SEPARATORS[..4]).map(str::trim)),
            false => Vec::from_iter(list.split_whitespace()),
        };
        let find = |names: &[&str]| {
            self.header.iter().position(|column| names.iter().any(|name| name.eq_ignore_ascii_case(column)))
        };
        if let Some((depth, count)) = find(&["depth"]).zip(find(&["nodes", "count", "perft"])) {
            let given = words.get(depth).zip(words.get(count));
            let (depth, count) = given.ok_or("the depth or the count of the header is missing")?;
            return Ok(vec![known(depth, count)?]);
        }
        if self.header.iter().any(|name| depth_of(name).is_some()) {
            let depths = self.header.iter().map(|name| depth_of(name).map(|(depth, _)| depth));
            let given = depths.zip(&words).filter_map(|(depth, word)| Some((depth?, word)));
            return given.filter(|(_, word)| !word.is_empty()).map(|(depth, word)| known(depth, word)).collect();
        }
        let expected = |word: &&str| format!("{} is not a count, expected the form 20,400,8902", quoted(word));
        let number = |word: &&str| decimal::<u128>(word).ok_or_else(|| expected(word));
        let numbers: Vec<u128> = words.iter().map(number).collect::<Result<_, _>>()?;
        let listed: Known<u128> = (1..).zip(numbers.iter().copied()).collect();
        let pairs: Known<u128> = numbers.chunks_exact(2).map(|p| (p[0].min(999) as u32, p[1])).collect();
        let may_be_pairs = numbers.len().is_multiple_of(2)
            && pairs.is_sorted_by(|a, b| a.0 < b.0)
            && pairs.iter().all(|&(depth, _)| (1..=LIKELY_DEPTH).contains(&depth.into()));
        let is_pairs = match (may_be_pairs, numbers[0] == legal) {
            (false, _) => false,
            (true, false) => true,
            // As in the lines before.
            (true, true) => self.pairs.ok_or_else(|| {
                let reason = "can be the counts of depths 1, 2, … or depths with their counts";
                format!("{} {reason}; write ;D1 20 ;D2 400", quoted(list))
            })?,
        };
        self.pairs = Some(is_pairs);
        Ok(if is_pairs { pairs } else { listed })
    }

    /// Reads the positions in a JSON value.
    fn json(&mut self, line: usize, value: &Value) -> Result<(), String> {
        match value {
            Value::Text(_) => Err(format!("line {line}: expected an object with fen, depth and nodes")),
            Value::List(values) => values.iter().try_for_each(|(line, value)| self.json(*line, value)),
            Value::Object(members) => {
                let get = |names: &[&str]| value.get(names);
                if let Some(fen) = get(&["fen", "epd"]).and_then(Value::text) {
                    let read = self.object(line, fen, value);
                    return read.map_err(|reason| format!("line {line}: {reason}"));
                }
                let inner = members.iter().filter(|(.., value)| !matches!(value, Value::Text(_)));
                let inner = Vec::from_iter(inner);
                if inner.is_empty() {
                    return Err(format!("line {line}: the object has no fen; expected fen, depth, nodes"));
                }
                for (line, key, value) in inner {
                    // A position may be the name of its counts.
                    match key.matches('/').count() {
                        0..7 => self.json(*line, value)?,
                        _ => {
                            let read = self.begin(*line, key).and_then(|()| counts_of(None, value));
                            let added = read.and_then(|counts| self.add(counts, Vec::new()));
                            added.map_err(|reason| format!("line {line}: {reason}"))?;
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// Reads a JSON object with a position.
    fn object(&mut self, line: usize, fen: &str, value: &Value) -> Result<(), String> {
        if let Some(title) = value.get(&["name", "id", "title", "description"]).and_then(Value::text) {
            self.title = title.into();
        }
        self.begin(line, fen)?;
        let mut counts = Known::new();
        if let Some(nodes) = value.get(&["nodes", "count", "counts", "perft", "results", "depths"]) {
            counts = counts_of(value.get(&["depth"]).and_then(Value::text), nodes)?;
        }
        let Value::Object(members) = value else { return Ok(()) };
        for (_, key, value) in members.iter().filter(|(_, key, _)| depth_of(key).is_some()) {
            if let Some(value) = value.text() {
                counts.extend(read_count(&format!("{key} {value}"))?);
            }
        }
        self.add(counts, Vec::new())
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
                self.suite.entries.push(Entry { line, warning, title, position, counts, columns });
            }
            Err(error) if error.fault == Fault::TooManyPieces && *self.tolerance != Tolerance::strict() => {
                self.suite.refused.push((line, error.to_string()));
                self.skips = true;
            }
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }

    /// Adds counts to the last position.
    fn add(&mut self, counts: Known<u128>, columns: Known<KnownColumns>) -> Result<(), String> {
        if let (false, Some(entry)) = (self.skips, self.suite.entries.last_mut()) {
            counts.into_iter().try_for_each(|known| insert(&mut entry.counts, known))?;
            columns.into_iter().try_for_each(|known| insert(&mut entry.columns, known))?;
        }
        Ok(())
    }
}

/// The offset of the first character that `is_found`, outside double quotes.
fn find_unquoted(line: &str, is_found: impl Fn(usize, char) -> bool) -> Option<usize> {
    let mut quoted = false;
    line.char_indices().find_map(|(at, letter)| {
        quoted ^= letter == '"';
        (!quoted && is_found(at, letter)).then_some(at)
    })
}

/// Splits a line into text and comment. Trailing control characters are removed; old editors end files with one.
fn split_comment(raw: &str) -> (&str, &str) {
    let trim = |text| str::trim_matches(text, |c: char| c.is_whitespace() || c.is_control());
    // `//` inside a word would be a FEN with an empty rank.
    let slashes = |at: usize| raw[at..].starts_with("//") && !raw[..at].ends_with(|c: char| !c.is_whitespace());
    match find_unquoted(raw, |at, letter| letter == '#' || slashes(at)) {
        Some(at) => (trim(&raw[..at]), trim(raw[at..].trim_start_matches(['#', '/']))),
        None => (trim(raw), ""),
    }
}

/// What separates a FEN from its counts, and these from each other. Blanks separate the fields of a FEN, too.
const SEPARATORS: [char; 5] = [',', '|', '\t', ';', ' '];

/// Splits a line into the FEN and what follows it. EPD operations may follow the fourth field without a semicolon,
/// numbers the sixth one.
fn split_fen(line: &str) -> (&str, &str) {
    let separates = |(at, c): &(usize, char)| match c {
        ',' | '|' | ';' => true,
        // Tabs may stand between the fields.
        '\t' => line[..*at].split_whitespace().count() >= if line[..*at].contains('\t') { 6 } else { 4 },
        _ => false,
    };
    let end = line.char_indices().find(separates).map_or(line.len(), |(at, _)| at);
    for (number, word) in line[..end].split_whitespace().enumerate() {
        // `word` is a slice of `line`, so the difference of the pointers is its offset.
        let at = word.as_ptr() as usize - line.as_ptr() as usize;
        let is_operation = number >= 4 && word.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_operation || number == 6 && line[at..].bytes().all(|b| b.is_ascii_digit() || b == b' ') {
            return line.split_at(if is_operation { at } else { at - 1 });
        }
    }
    (line[..end].trim_end(), &line[end..])
}

/// Known values by depth, ascending.
type Known<T> = Vec<(u32, T)>;

/// More plies than a suite counts; a larger number is a count.
const LIKELY_DEPTH: u128 = 15;

/// The counts and columns in the operations after a FEN.
fn read_operations(text: &str) -> Result<(Known<u128>, Known<KnownColumns>), String> {
    let (mut counts, mut columns) = (Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        let end = find_unquoted(rest, |_, letter| letter == ';').unwrap_or(rest.len());
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

/// A depth and its count.
fn known(depth: &str, count: &str) -> Result<(u32, u128), String> {
    let read = read_depth(depth).ok_or_else(|| format!("{} is not a depth from 0 to {MAX_DEPTH}", quoted(depth)))?;
    if count.len() > 38 && count.bytes().all(|b| b.is_ascii_digit()) && decimal::<u128>(count).is_none() {
        return Err(format!("the count of depth {read} is 2^128 or more, which cannot be compared"));
    }
    let fault = || format!("{} is not a count, expected the form D3 8902", quoted(count));
    Ok((read, decimal(count).filter(|_| !count.is_empty()).ok_or_else(fault)?))
}

/// The digits of the depth in `D3 8902`, `perft3 8902`, `perft 3 8902` or `perft(3) = 8902`, and what follows.
fn depth_of(operation: &str) -> Option<(&str, &str)> {
    let after = |name: &str| {
        let head = operation.get(..name.len())?;
        head.eq_ignore_ascii_case(name).then(|| &operation[name.len()..])
    };
    let long = after("perft").or_else(|| after("depth"));
    let long = long.map(|rest| rest.trim_start_matches([' ', '\t', '(', '_']));
    let rest = long.or_else(|| after("d"))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| rest.split_at(end))
}

/// A depth and its count; `None` for any other operation.
fn read_count(operation: &str) -> Result<Option<(u32, u128)>, String> {
    let fault = || format!("{} is not a count, expected the form D3 8902", quoted(operation));
    let Some((depth, rest)) = depth_of(operation) else {
        let starts = |c: char| c.is_ascii_alphabetic();
        return if operation.is_empty() || operation.starts_with(starts) { Ok(None) } else { Err(fault()) };
    };
    let rest = rest.strip_prefix(')').unwrap_or(rest);
    let count = rest.trim_start();
    let count = count.strip_prefix(['=', ':']).unwrap_or(count).trim_start();
    // At least something must separate the two numbers.
    if count.len() == rest.len() || read_depth(depth).is_none() {
        return Err(fault());
    }
    let digits = !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
    if digits { known(depth, count).map(Some) } else { Err(fault()) }
}

fn read_columns(part: &str) -> Result<(u32, KnownColumns), String> {
    let mut words = part.split_whitespace();
    let first = words.next().unwrap_or_default();
    let depth = first.strip_prefix('C').and_then(read_depth);
    let depth = depth.ok_or_else(|| format!("{} is not a depth of columns, expected the form C3", quoted(first)))?;
    let mut columns = [None; NAMES.len()];
    for (slot, name) in columns.iter_mut().zip(NAMES) {
        let word = words
            .next()
            .ok_or_else(|| format!("C{depth}: {name} is missing, expected {} numbers or ?", NAMES.len()))?;
        if word == "?" && name != NAMES[0] {
            continue;
        }
        *slot =
            Some(decimal(word).ok_or_else(|| format!("C{depth}: {name} is {}, expected a number or ?", quoted(word)))?);
    }
    match words.next() {
        Some(word) => Err(format!("C{depth}: {} follows the last column", quoted(word))),
        None => Ok((depth, columns)),
    }
}

/// The counts in a JSON value: one, of `depth`; a list of those from depth 1 on, or of objects; an object with a member
/// for each depth.
fn counts_of(depth: Option<&str>, value: &Value) -> Result<Known<u128>, String> {
    let mut counts = Known::new();
    match value {
        Value::Text(count) => insert(&mut counts, known(depth.unwrap_or("1"), count)?)?,
        Value::List(values) => {
            for (number, (_, value)) in (1..).zip(values) {
                let own = value.get(&["depth"]).and_then(Value::text);
                let count = value.get(&["nodes", "count", "perft"]).unwrap_or(value);
                let (number, all) = (u32::to_string(&number), depth.or(own));
                let read = counts_of(all.or(Some(&number)), count)?;
                read.into_iter().try_for_each(|known| insert(&mut counts, known))?;
            }
        }
        Value::Object(members) => {
            for (_, key, value) in members {
                let depth = depth_of(key).map_or(key.as_str(), |(depth, _)| depth);
                let count = value.text().ok_or_else(|| format!("the count of depth {depth} is no number"))?;
                insert(&mut counts, known(depth, count)?)?;
            }
        }
    }
    Ok(counts)
}

/// A JSON value. Numbers are text here; an object has the lines of its members.
enum Value {
    Text(String),
    List(Vec<(usize, Value)>),
    Object(Vec<(usize, String, Value)>),
}

impl Value {
    fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member of an object with one of these names.
    fn get(&self, names: &[&str]) -> Option<&Value> {
        let Value::Object(members) = self else { return None };
        let is_one = |key: &str| names.iter().any(|name| name.eq_ignore_ascii_case(key));
        members.iter().find(|(_, key, _)| is_one(key)).map(|(.., value)| value)
    }
}

/// Reads JSON as people write it: with comments, names without quotes, single quotes, and commas anywhere or nowhere.
struct Json<'a> {
    rest: &'a str,
    line: usize,
    /// The line where each open list or object began, with what ends it.
    open: Vec<(usize, char)>,
}

const NO_VALUE: &str = "expected a string or a number, without line ends";

impl Json<'_> {
    /// All values of a text, with their lines.
    fn read(text: &str) -> Result<Vec<(usize, Value)>, String> {
        let mut json = Json { rest: text, line: 1, open: Vec::new() };
        let mut values = Vec::new();
        while json.peek().is_some() {
            values.push(json.value()?);
        }
        Ok(values)
    }

    fn fault(&self, reason: &str) -> String {
        format!("line {}: {reason}", self.line)
    }

    /// The next character that is no blank, comma or comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            let next = self.rest.chars().next()?;
            if self.rest.starts_with("//") {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
            } else if next.is_whitespace() || next == ',' {
                self.line += usize::from(next == '\n');
                self.rest = &self.rest[next.len_utf8()..];
            } else {
                return Some(next);
            }
        }
    }

    /// Whether the list or object that is open ends here; reads its end.
    fn ends(&mut self) -> Result<bool, String> {
        let Some(&(begin, end)) = self.open.last() else { return Ok(false) };
        let next = self.peek().ok_or_else(|| {
            let what = if end == ']' { "list" } else { "object" };
            self.fault(&format!("the file ends in the {what} of line {begin}; expected {end}"))
        })?;
        if next == end {
            self.rest = &self.rest[1..];
            self.open.pop();
        }
        Ok(next == end)
    }

    fn value(&mut self) -> Result<(usize, Value), String> {
        /// No suite has more lists in each other.
        const DEEPEST: usize = 32;
        let begin = (self.peek(), self.line);
        if self.open.len() > DEEPEST {
            return Err(self.fault("there are too many lists in each other"));
        }
        let value = match begin.0 {
            Some('[') => {
                self.rest = &self.rest[1..];
                self.open.push((begin.1, ']'));
                let mut values = Vec::new();
                while !self.ends()? {
                    values.push(self.value()?);
                }
                Value::List(values)
            }
            Some('{') => {
                self.rest = &self.rest[1..];
                self.open.push((begin.1, '}'));
                let mut members = Vec::new();
                while !self.ends()? {
                    let key = self.text()?;
                    if self.peek() != Some(':') {
                        return Err(self.fault("expected a colon after the name of a member"));
                    }
                    self.rest = &self.rest[1..];
                    let (line, value) = self.value()?;
                    members.push((line, key, value));
                }
                Value::Object(members)
            }
            Some(end @ (']' | '}')) => return Err(self.fault(&format!("this {end} ends nothing"))),
            _ => Value::Text(self.text()?),
        };
        Ok((begin.1, value))
    }

    fn text(&mut self) -> Result<String, String> {
        let first = self.peek();
        let quote = first.filter(|c| matches!(c, '"' | '\''));
        let ends = |c: char| match quote {
            Some(quote) => c == quote || c == '\n',
            None => c.is_whitespace() || ",:{}[]\"'".contains(c),
        };
        let value = if quote.is_some() { &self.rest[1..] } else { self.rest };
        let (value, after) = value.split_at(value.find(ends).unwrap_or(value.len()));
        let after = quote.map_or(Some(after), |quote| after.strip_prefix(quote));
        self.rest = after.filter(|_| quote.is_some() || !value.is_empty()).ok_or_else(|| self.fault(NO_VALUE))?;
        // The only escape that the text of a position needs.
        Ok(value.replace("\\/", "/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{self, Position};
    use crate::game::Kernel;
    use crate::perft::suite::{Report, run};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read_strictly(text: &str) -> Result<Vec<Entry<chess::Board>>, String> {
        read(text, &Tolerance::strict())
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
            (format!("{START},20,400"), "1:20 2:400"),
            (format!("{START},3,8902"), "3:8902"),
            (format!("{START},6,119060324"), "6:119060324"),
            (format!("{START},1,20,2,400"), "1:20 2:400"),
            (format!("{START},2,400,4,197281"), "2:400 4:197281"),
            (format!("{START},20,401"), "1:20 2:401"),
            (format!("{START},21,400"), "1:21 2:400"),
            (format!("{START},2,401"), "2:401"),
            (format!("\"{START}\",\"20\",\"400\""), "1:20 2:400"),
            (format!("\"{START}\",3,8902"), "3:8902"),
            (format!("fen,depth,nodes\n{START},3,8902"), "3:8902"),
            (format!("\"FEN\",\"Nodes\",\"Depth\"\n\"{START}\",20,1"), "1:20"),
            (format!("fen;D1;D2\n{START};D1 20;D2 400"), "1:20 2:400"),
            (format!("{START}; perft 1 20; perft 2 400;"), "1:20 2:400"),
            (format!("{four} perft 1 20; perft 2 400;"), "1:20 2:400"),
            (format!("{START} ;perft(1) = 20 ;Depth 2: 400"), "1:20 2:400"),
            (format!("id one\nepd {four}\nperft 1 20\nperft 2 400\n"), "1:20 2:400"),
            (format!("{START}\nD1 20\n\nD2 400 // four hundred"), "1:20 2:400"),
            (format!("// {START} ;D1 20\n{START} ;D1 20 // ;D1 21"), "1:20"),
            (format!("[{{\"depth\": 2, \"nodes\":400,\"fen\":\"{START}\"}}]"), "2:400"),
            (format!("[\n// a comment\n{{depth: 2, fen: '{START}', nodes: 400,}},\n]"), "2:400"),
            (format!("{{\"fen\": \"{START}\", \"nodes\": [20, 400]}}"), "1:20 2:400"),
            (format!("{{\"fen\": \"{START}\", \"D1\": 20, \"d3\": \"8902\"}}"), "1:20 3:8902"),
            (format!("  {START} ;; D3 8902 ; D1 20 \0"), "1:20 3:8902"),
            (format!("{four} hmvc 0; fmvn 1; bm e4; D2 400; id \"a; # D1 7\"; c0 \"x\"; D1 20;"), "1:20 2:400"),
            (format!("{four} acd 3;dm 5; D1 20 # ;D1 21"), "1:20"),
            (format!("{START};D1 {deep}"), &format!("1:{deep}")[..]),
            (format!("{START}|3|8902"), "3:8902"),
            (format!("{START}|20|400|8902"), "1:20 2:400 3:8902"),
            (format!("{START} | 3 | 8902"), "3:8902"),
            (format!("{START};3;8902"), "3:8902"),
            (format!("{START} ; 3 ; 8902 ;"), "3:8902"),
            (format!("{START};20;400"), "1:20 2:400"),
            (format!("{START} 3 8902"), "3:8902"),
            (format!("{START}  20  400"), "1:20 2:400"),
            (format!("{START}\t3\t8902"), "3:8902"),
            (format!("{}\t20\t400", START.replace(' ', "\t")), "1:20 2:400"),
            (format!("fen|D2|note|D4\n{START}|400|a note|197281"), "2:400 4:197281"),
            (format!("fen\tname\tdepth\tnodes\n{START}\tstart\t3\t8902"), "3:8902"),
            (format!("{{\"fen\": \"{START}\", \"nodes\": {{\"1\": 20, \"depth3\": 8902}}}}"), "1:20 3:8902"),
            (format!("{{\"positions\": [{{\"fen\": \"{START}\", \"depth\": 2, \"nodes\": 400}}]}}"), "2:400"),
            (format!("{{\"fen\": \"{START}\", \"results\": [{{\"depth\": 2, \"nodes\": 400}}]}}"), "2:400"),
            (format!("{{\"{START}\": [20, 400], \"version\": 1}}"), "1:20 2:400"),
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
    fn json_that_is_cut_is_refused() {
        let whole =
            format!("[\n{{\"fen\": \"{START}\", \"nodes\": [20, 400]}},\n{{\"fen\": \"{START}\", \"D1\": 20}}\n]\n");
        assert_eq!(read_strictly(&whole).unwrap().len(), 2);
        let last = whole.rfind(']').unwrap();
        for cut in whole.find('{').unwrap()..=last {
            let fault = read_strictly(&whole[..cut]).expect_err(&whole[..cut]);
            assert!(fault.starts_with("line "), "cut at {cut}: {fault}");
        }
        let fault = read_strictly(&whole[..last]).unwrap_err();
        assert_eq!(fault, "line 4: the file ends in the list of line 1; expected ]");
        let nested = format!("{}{{fen: '{START}', nodes: [20]}}{}", "[".repeat(40), "]".repeat(40));
        assert_eq!(read_strictly(&nested).unwrap_err(), "line 1: there are too many lists in each other");
        assert!(read_strictly(&whole.replace(", 400]", ", 400")).is_err());
        assert_eq!(read_strictly(&format!("{whole}]")).unwrap_err(), "line 5: this ] ends nothing");
    }

    #[test]
    fn refuses_what_is_not_a_suite() {
        for (tail, word) in [
            ("", "no counts"),
            (" ;D1", "is not a count"),
            (" ;D1 20 30", "is not a count"),
            (" ;D1 -20", "is not a count"),
            (" ;D101 20", "is not a count"),
            (" ;20 x", "is not a count"),
            (" ;Dl 20 ;D2", "is not a count"),
            (" ;D1 20x", "is not a count"),
            (" ;D1x 20", "is not a count"),
            (" ;D1 = = 20", "is not a count"),
            (" ;D1 +20", "is not a count"),
            (" 5 x", "follows the last field"),
            (" 5 4865609 x", "follows the last field"),
            (",20,x", "\"x\" is not a count"),
            (",20,", "\"\" is not a count"),
            (" id \"no counts\";", "no counts"),
            (" ;D2 400 ;d2 400", "depth 2 is given twice"),
            (" ;C", "is not a depth of columns"),
            (" ;C1 20 0 0", "C1: castles is missing, expected 15 numbers"),
            (" ;C1 ? 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: nodes is \"?\""),
            (" ;C1 20 -1 0 0 0 0 0 0 0 0 0 0 0 0 0", "C1: captures is \"-1\""),
            (" ;C1 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7", "C1: \"7\" follows the last column"),
            (" ;D1 340282366920938463463374607431768211456", "depth 1 is 2^128 or more"),
            (" 2 trailing ;D1 20", "follows the last field"),
        ] {
            let error = read_strictly(&format!("\n{START}{tail}")).unwrap_err();
            assert!(error.starts_with("line 2: ") && error.contains(word), "{tail:?}: {error}");
        }
    }

    #[test]
    fn several_entries_of_other_programs_are_read() {
        let kings = "k7/8/8/8/8/8/8/K7 w - - 0 1";
        for text in [
            format!("id a\nepd {START}\nperft 1 20\n\nid b\nepd {kings}\nperft 1 3\nperft 2 9\n"),
            format!(
                "[{{\"name\":\"a\",\"depth\":1,\"nodes\":20,\"fen\":\"{START}\"}},\n\
                 {{\"name\":\"b\",\"nodes\":[3,9],\"fen\":\"{kings}\"}}]"
            ),
        ] {
            let entries = read_strictly(&text).unwrap();
            let found = entries.iter().map(|e| (e.title.as_str(), e.counts.clone()));
            let expected = [("a", vec![(1, 20)]), ("b", vec![(1, 3), (2, 9)])];
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
        // Three legal moves: depth 3, or the count of depth 1.
        let list = |text: &str| {
            let entries = read_strictly(text)?;
            Ok::<_, String>(entries.last().unwrap().counts.clone())
        };
        assert!(list(&format!("{kings},3,9")).unwrap_err().contains("can be the counts of depths 1, 2"));
        assert_eq!(list(&format!("{START},20,400\n{kings},3,9")), Ok(vec![(1, 3), (2, 9)]));
        assert_eq!(list(&format!("{START},2,400\n{kings},3,27")), Ok(vec![(3, 27)]));
        assert_eq!(list(&format!("fen,D1,D2\n{kings},3,9")), Ok(vec![(1, 3), (2, 9)]));
    }

    #[test]
    fn positions_that_cannot_be_counted_are_left_out() {
        let many = "4k3/8/8/8/QQ6/QQQQ4/PPPPPPPP/RNBQKBNR w - - 0 1";
        for text in [
            format!("{many} ;D1 20\n{START} ;D1 20\n"),
            format!("{many},20,400\n{START} ;D1 20\n"),
            format!("epd {many}\nperft 1 20\nperft 1 30\n{START} ;D1 20\n"),
            format!("{{fen: '{many}', depth: 1, nodes: 2}}\n{{fen: '{START}', depth: 1, nodes: 20}}"),
        ] {
            let tolerance = Tolerance::lenient();
            let suite = read_all::<chess::Board>(&text, &tolerance).unwrap();
            assert_eq!((suite.entries.len(), suite.refused.len()), (1, 1), "{text}");
            assert_eq!(suite.entries[0].counts, [(1, 20)], "{text}");
            let (line, reason) = &suite.refused[0];
            assert!(*line == 1 && reason.contains("has more than sixteen pieces"), "{reason}");
            assert!(read::<chess::Board>(&text, &tolerance).unwrap_err().starts_with("line 1: "));
            assert!(read_strictly(&text).unwrap_err().starts_with("line 1: "));
        }
    }

    #[test]
    fn faults_of_other_formats_name_the_line() {
        for (text, word) in [
            (format!("{START}\nD1 20\nnothing"), "line 3: \"nothing\" is neither"),
            (format!("{START}\n{START} ;D1 20"), "line 1: the position has no counts"),
            (format!("epd {START}\nperft 1 x"), "line 2: \"perft 1 x\" is not a count"),
            (format!("epd {START}\nperft 1 20\nperft 1 20"), "line 3: depth 1 is given twice"),
            ("[\n{\"depth\": 1}\n]".into(), "line 2: the object has no fen"),
            ("[\n\n7]".into(), "line 3: expected an object"),
            ("[{fen".into(), "line 1: expected a colon"),
            ("[{".into(), "line 1: the file ends in the object of line 1; expected }"),
            ("{\"fen\": \"8/8".into(), "line 1: expected a string"),
            ("{\"fen\": [".into(), "line 1: the file ends in the list of line 1"),
            (format!("{{fen: '{START}', depth: 1, nodes: -5}}"), "line 1: \"-5\" is not a count"),
            (format!("{{fen: '{START}', depth: 200, nodes: 5}}"), "line 1: \"200\" is not a depth"),
            (format!("\n{{fen: '{START}'}}"), "line 2: the position has no counts"),
            (format!("fen,depth,nodes\n{START},3"), "line 2: the depth or the count"),
            (format!("{START} ;D49 {}", "9".repeat(40)), "line 1: the count of depth 49 is 2^128"),
        ] {
            let error = read_strictly(&text).unwrap_err();
            assert!(error.starts_with(word), "{text}: {error}");
        }
    }

    #[test]
    fn reads_names_and_counts_and_runs_them() {
        let text = format!("# a comment\n\n# name: start\n{START} ;D1 20 ;D3 8902 # end\n{START};D2 401\n");
        let entries = read_strictly(&text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].line, entries[0].title.as_str()), (4, "start"));
        assert_eq!(entries[0].counts, [(1, 20), (3, 8902)]);
        let mut wrong = Vec::new();
        let report = run(
            &entries,
            1_000,
            |p, d| Ok(u128::from(p.perft(d))),
            |m| wrong.push((m.entry.line, m.depth, m.expected, m.counted)),
        );
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
        let report = run(&entries, 10_000, count, |m| wrong.push((m.depth, m.column, m.expected, m.counted)));
        assert_eq!(wrong, [(3, "total_checks", 13, 12)]);
        let expected = Report { positions: 1, compared: 2, skipped: 1, mismatches: 1, nodes: 8_922 };
        assert_eq!(report, Ok(expected));
        // Plain counts have nodes only.
        let report = run(&entries, 1_000_000, |p, d| Ok(u128::from(p.perft(d))), |_| panic!()).unwrap();
        assert_eq!((report.compared, report.mismatches), (3, 0));
    }
}
