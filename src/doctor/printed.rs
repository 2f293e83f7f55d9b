//! Parses divides printed by other programs: moves and counts in lines of text, in many formats.
//!
//! `compare` compares the result with ours. The text is untrusted: nothing in it may panic, and anything that is not a
//! move with a count is skipped.

/// A printed move with its count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedMove {
    /// Line number in the text, from 1.
    pub line: usize,
    /// Number of totals printed before it.
    pub section: usize,
    /// Number of lines without a move before it.
    pub breaks: usize,
    /// The move as written.
    pub text: String,
    /// The move as parsed.
    pub target: Target,
    /// The count.
    pub count: u128,
    /// The total of the divide, if it follows and cannot be anything else.
    pub total: Option<u128>,
}

/// A move parsed without a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Two squares as file and rank, and the letter of a promotion.
    Squares([(u8, u32); 2], Option<u8>),
    /// Castling; `true` towards the higher files (king side).
    Castling(bool),
    /// A word in a notation that only the position can read, such as `Nf3` or `C2=5`.
    Word,
}

impl Target {
    /// The move in coordinate notation, if the printed ranks are ours plus `offset`; `None` without two squares.
    pub(super) fn text(self, offset: u32) -> Option<String> {
        let Target::Squares(squares, promotion) = self else { return None };
        let mut text = String::new();
        for (file, rank) in squares {
            text.push(char::from(file));
            text.push_str(&rank.checked_sub(offset)?.to_string());
        }
        text.extend(promotion.map(char::from));
        Some(text)
    }
}

/// How to read what several programs write in several ways.
#[derive(Clone, Copy)]
struct Style {
    /// The separators of thousands, of those that may also separate two numbers.
    separators: &'static [char],
    /// Which of several numbers is the count: from the first, 0, on, or from the last, -1, back.
    place: isize,
}

/// All sets of the separators of thousands that may also separate two numbers, or a number from its decimals.
const SEPARATORS: [&[char]; 8] = [&[',', '.'], &[','], &['.'], &[], &[',', '.', ' '], &[',', ' '], &['.', ' '], &[' ']];

/// Those of [`SEPARATORS`] that differ in what they separate in a text.
fn separators_in(text: &str) -> Vec<&'static [char]> {
    let between = |c: &char| {
        let digits = |w: &[u8]| w[0].is_ascii_digit() && char::from(w[1]) == *c && w[2].is_ascii_digit();
        text.as_bytes().windows(3).any(digits)
    };
    let used = Vec::from_iter([',', '.', ' '].into_iter().filter(between));
    let (mut known, mut sets) = (Vec::new(), Vec::new());
    for set in SEPARATORS {
        let found = Vec::from_iter(used.iter().filter(|c| set.contains(c)));
        if !known.contains(&found) {
            known.push(found);
            sets.push(set);
        }
    }
    sets
}

/// All places of the count that are tried.
const PLACES: [isize; 6] = [0, 1, 2, 3, -1, -2];

impl Default for Style {
    fn default() -> Self {
        Style { separators: SEPARATORS[0], place: PLACES[0] }
    }
}

/// Says whether a word is a legal move.
type IsMove<'a> = Option<&'a dyn Fn(&str) -> bool>;

/// A line-by-line parser.
#[derive(Default)]
pub struct DivideReader<'a> {
    /// The moves found so far.
    pub found: Vec<PrintedMove>,
    lines: usize,
    section: usize,
    breaks: usize,
    style: Style,
    /// Reads words other than two squares as moves.
    is_move: IsMove<'a>,
}

/// Parses a whole text in every way that may be meant, the most usual first; only in coordinates without `is_move`,
/// which says whether a word is a legal move.
pub fn readings(text: &str, is_move: IsMove<'_>) -> Vec<Vec<PrintedMove>> {
    let mut readings = Vec::new();
    let styles = |separators| PLACES.map(|place| Style { separators, place });
    for style in separators_in(text).into_iter().flat_map(styles) {
        let mut reader = DivideReader { style, is_move, ..DivideReader::default() };
        text.lines().for_each(|line| _ = reader.take(line));
        if !readings.contains(&reader.found) {
            readings.push(reader.found);
        }
    }
    readings
}

impl DivideReader<'_> {
    /// Parses a whole text.
    pub fn read(text: &str) -> Vec<PrintedMove> {
        let mut reader = DivideReader::default();
        text.lines().for_each(|line| _ = reader.take(line));
        reader.found
    }

    /// Finds every move with a count in the next line: the number after the move, or else the one before it. Search
    /// output (`info …`, `bestmove …`) is skipped. Returns the total that ends a divide (Stockfish's `Nodes searched:
    /// N` and similar lines), if the line has one.
    pub fn take(&mut self, line: &str) -> Option<u128> {
        self.lines += 1;
        let known = self.found.len();
        let line = &without_colours(line);
        let line = line.strip_prefix("info string").unwrap_or(line);
        let word = line.split_whitespace().next();
        let mut total = None;
        if !matches!(word, Some("info" | "bestmove" | "position")) {
            self.take_moves(line);
            if self.found.len() > known {
                return None;
            }
            total = read_total(line, self.style);
            self.section += usize::from(total.is_some());
            if let (Some(last), true) = (self.found.last_mut(), is_total(line)) {
                last.total = last.total.or(total);
            }
        }
        self.breaks += 1;
        total
    }

    fn take_moves(&mut self, line: &str) {
        // The en passant square of a FEN would be a move in SAN.
        if self.is_move.is_some() && line.matches('/').count() >= 7 {
            return;
        }
        let mut open: Option<(&str, Target)> = None;
        let (mut numbers, mut moves) = (Vec::new(), 0);
        let mut before = Vec::new();
        for token in (Tokens { rest: line, label: "", style: self.style, is_move: self.is_move, minus: false }) {
            match token {
                Token::Move(text, target) => {
                    match open {
                        Some((text, target)) => self.push(text, target, &numbers),
                        None => before = std::mem::take(&mut numbers),
                    }
                    numbers.clear();
                    open = Some((text, target));
                    moves += 1;
                }
                // `1.` and `1)` number the moves.
                Token::Number(number) if number.ordinal && open.is_none() => {}
                Token::Number(number) => numbers.push(number),
            }
        }
        if let Some((text, target)) = open {
            let alone = numbers.is_empty() && moves == 1;
            self.push(text, target, if alone { &before } else { &numbers });
        }
    }

    /// Adds a move, if one of the numbers is its count.
    fn push(&mut self, text: &str, target: Target, numbers: &[Number]) {
        let of = |label| Vec::from_iter(numbers.iter().filter(move |n| n.label == label));
        let groups = [Label::Count, Label::None, Label::Other].map(of);
        let Some(group) = groups.iter().find(|group| !group.is_empty()) else { return };
        let (last, place) = (group.len() - 1, self.style.place);
        let count = match usize::try_from(place) {
            Ok(front) => group[front.min(last)],
            Err(_) => group[last.saturating_sub(place.unsigned_abs() - 1)],
        };
        let (count, text) = (count.value, text.to_string());
        let DivideReader { lines: line, section, breaks, .. } = *self;
        self.found.push(PrintedMove { line, section, breaks, text, target, count, total: None });
    }
}

/// The text without the escape sequences that colour it on a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text += part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').get(1..).unwrap_or("");
    }
    text
}

/// The total in a line without a move, if it is one that ends a divide.
fn read_total(line: &str, style: Style) -> Option<u128> {
    let line = line.trim_start().to_ascii_lowercase();
    if !line.contains("nodes") && !line.starts_with("total") {
        return None;
    }
    let number = |token| if let Token::Number(n) = token { Some(n.value) } else { None };
    Tokens { rest: &line, label: "", style, is_move: None, minus: false }.find_map(number)
}

/// Whether a line says that it holds the sum of the counts, and nothing else.
fn is_total(line: &str) -> bool {
    const WORDS: [&str; 9] = ["nodes", "node", "searched", "total", "visited", "counted", "leaf", "leaves", "sum"];
    let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .filter(|word| !word.bytes().all(|b| b.is_ascii_digit()))
        .all(|word| WORDS.iter().any(|w| w.eq_ignore_ascii_case(word)))
}

/// A number of a line.
struct Number {
    value: u128,
    label: Label,
    /// Whether a point or a parenthesis follows, as in `1. e2e4` and `1) e2e4`.
    ordinal: bool,
}

/// What the word beside a number says about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    Count,
    Other,
}

impl Label {
    fn of(word: &str) -> Label {
        const COUNTS: [&str; 6] = ["nodes", "node", "count", "counts", "leaves", "leafs"];
        const OTHERS: [&str; 12] =
            ["depth", "d", "ply", "plies", "time", "ms", "nps", "index", "total", "sum", "hash", "perft"];
        let is = |name: &&str| name.eq_ignore_ascii_case(word);
        match (COUNTS.iter().any(&is), OTHERS.iter().any(is)) {
            (true, _) => Label::Count,
            (_, true) => Label::Other,
            _ => Label::None,
        }
    }
}

/// Words behind a number that is a time or a speed.
const UNITS: [&str; 12] = ["s", "ms", "us", "µs", "ns", "sec", "secs", "second", "seconds", "nps", "knps", "mnps"];

/// A token of a line.
enum Token<'a> {
    Move(&'a str, Target),
    Number(Number),
}

/// The moves and numbers of a line.
struct Tokens<'a, 'b> {
    rest: &'a str,
    /// The word before `rest`, if nothing else came in between.
    label: &'a str,
    style: Style,
    is_move: IsMove<'b>,
    /// Whether a minus sign comes before `rest`.
    minus: bool,
}

impl<'a> Iterator for Tokens<'a, '_> {
    type Item = Token<'a>;
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(word) = self.is_move.and_then(|is_move| notation(self.rest, is_move)) {
                let at = word.as_ptr() as usize - self.rest.as_ptr() as usize;
                self.rest = &self.rest[at + word.len()..];
                self.label = "";
                return Some(Token::Move(word, Target::Word));
            }
            // Other words start at a letter or digit; a move may start with a sign behind a blank.
            let blanks = |c: char| self.is_move.is_some() && c.is_whitespace();
            let rest = self.rest.trim_start();
            let rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && !blanks(c));
            if rest.is_empty() {
                return None;
            }
            if rest.len() < self.rest.len() {
                let signs = self.rest[..self.rest.len() - rest.len()].strip_suffix('-');
                self.minus = signs.is_some_and(|before| {
                    before.ends_with(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | ','))
                });
                self.rest = rest;
                continue;
            }
            if let Some((target, length)) = read_move(self.rest) {
                let text;
                (text, self.rest) = self.rest.split_at(length);
                self.label = "";
                return Some(Token::Move(text, target));
            }
            let (word, tail) = first_word(self.rest);
            self.rest = tail;
            if !word.bytes().all(|b| b.is_ascii_digit()) {
                self.label = word;
                continue;
            }
            let label = std::mem::take(&mut self.label);
            let minus = std::mem::take(&mut self.minus);
            if let Some(number) = self.number(word, label).filter(|_| !minus) {
                return Some(Token::Number(number));
            }
        }
    }
}

impl Tokens<'_, '_> {
    /// The number that begins with `digits`, which stand before `rest`; `None` for one that cannot be a count.
    fn number(&mut self, digits: &str, label: &str) -> Option<Number> {
        // Blanks separate thousands only behind at most three digits.
        let short = digits.len() <= 3;
        let mut digits = digits.to_string();
        while let Some((separator, group)) = group(self.rest, self.style.separators)
            && (separator != ' ' || short)
            && (separator != '.' || digits != "0")
        {
            self.rest = &self.rest[separator.len_utf8() + group.len()..];
            digits.push_str(group);
        }
        let mut decimal = false;
        while let Some(tail) = self.rest.strip_prefix('.')
            && tail.starts_with(|c: char| c.is_ascii_digit())
        {
            self.rest = tail.trim_start_matches(|c: char| c.is_ascii_digit());
            decimal = true;
        }
        let behind = self.rest.trim_start_matches([' ', '\u{a0}']);
        let (unit, _) = first_word(behind);
        let is_unit = UNITS.iter().any(|name| name.eq_ignore_ascii_case(unit));
        let value = digits.parse().ok();
        let value = value.filter(|_| !decimal && !is_unit && !behind.starts_with('%'))?;
        let label = match Label::of(unit) {
            Label::Count => Label::Count,
            _ => Label::of(label),
        };
        Some(Number { value, label, ordinal: self.rest.starts_with(['.', ')']) })
    }
}

/// The letters and digits at the start of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()))
}

/// A separator and three digits. Marks that separate nothing else are separators in every style.
fn group<'a>(text: &'a str, separators: &[char]) -> Option<(char, &'a str)> {
    const MARKS: [char; 9] = ['_', '\'', '’', 'ʼ', '\u{a0}', '\u{2007}', '\u{2009}', '\u{202f}', '\u{66c}'];
    let separator = text.chars().next().filter(|c| MARKS.contains(c) || separators.contains(c))?;
    let (digits, _) = first_word(&text[separator.len_utf8()..]);
    (digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit())).then_some((separator, digits))
}

/// The most characters of a word with a move, its marks, and a count without blanks.
const LONGEST_WORD: usize = 80;

/// The first word of a text that is a legal move in any notation, or could be one of chess or xiangqi, if nothing but
/// punctuation comes before it.
fn notation<'a>(text: &'a str, is_move: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    const PUNCTUATION: &[char] = &[':', ',', ';', '"', '|', '[', ']', '{', '}', '<', '>'];
    let separates = |c: char| c.is_whitespace() || PUNCTUATION.contains(&c);
    let text = text.trim_start_matches(|c| separates(c) || matches!(c, '(' | '=' | '\'' | '*' | '.'));
    let (end, _) = text.char_indices().chain([(text.len(), ' ')]).take(LONGEST_WORD).find(|&(_, c)| separates(c))?;
    let word = &text[..end];
    if read_move(word).is_some_and(|(_, length)| length == word.len()) {
        return None;
    }
    // `e4=600` and `e8=Q=20`, and a point or a parenthesis behind a move.
    let cut = |at: Option<usize>| at.map(|at| &word[..at]);
    let bare = word.trim_end_matches(['.', ')', '=', '-', '\'', '*']);
    let words = [Some(word), Some(bare), cut(word.rfind(['=', '→'])), cut(word.find(['=', '→']))];
    let words = || words.iter().flatten().filter(|word| word.contains(|c: char| !c.is_ascii_digit()));
    words()
        .find(|word| word.contains(char::is_alphanumeric) && is_move(word))
        .or_else(|| words().find(|word| looks_like_san(word)))
        .or_else(|| words().find(|word| looks_like_wxf(word)))
        .copied()
}

/// Whether a word has the form of a move in SAN.
fn looks_like_san(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let word = word.strip_suffix(['Q', 'R', 'B', 'N']).map_or(word, |word| word.trim_end_matches('='));
    let rest = word.strip_prefix(['K', 'Q', 'R', 'B', 'N']).unwrap_or(word);
    let (rest, rank) = rest.split_at_checked(rest.len().saturating_sub(1)).unwrap_or((rest, ""));
    let Some(rest) = rest.strip_suffix(|c| ('a'..='h').contains(&c)) else { return false };
    let rest = rest.strip_suffix('x').unwrap_or(rest);
    let origin = |b: u8| matches!(b, b'a'..=b'h' | b'1'..=b'8');
    matches!(rank.as_bytes(), [b'1'..=b'8']) && rest.len() <= 2 && rest.bytes().all(origin)
}

/// Whether a word has the form of a move in WXF.
fn looks_like_wxf(word: &str) -> bool {
    let [piece, file, direction, to] = *word.as_bytes() else { return false };
    let named = piece.is_ascii_alphabetic() && matches!(file, b'1'..=b'9' | b'+' | b'-' | b'.');
    let placed = matches!(piece, b'+' | b'-') && file.is_ascii_alphabetic();
    (named || placed) && matches!(direction, b'+' | b'-' | b'=' | b'.') && to.is_ascii_digit()
}

/// The move at the start of a text and its length: `e2e4`, `E2-E4`, `Ng1xf3+`, `e7e8q`, `e7-e8=Q`, `a1->b1`, `h10h9`,
/// `O-O`.
fn read_move(text: &str) -> Option<(Target, usize)> {
    for (castling, king_side) in [("O-O-O", false), ("0-0-0", false), ("O-O", true), ("0-0", true)] {
        if let Some(tail) = text.strip_prefix(castling)
            && ends_word(tail)
        {
            return Some((Target::Castling(king_side), castling.len()));
        }
    }
    // A piece letter may come first, if it is not itself the file of a square.
    let squares = |text| {
        let (from, rest) = read_square(text)?;
        let arrow = |arrow| rest.trim_start_matches(' ').strip_prefix(arrow).map(str::trim_start);
        let rest = ["->", "=>", "→", "–", "—"].into_iter().find_map(arrow).unwrap_or(rest);
        let rest = rest.strip_prefix(['-', 'x', ':', '*', '\u{2010}', '\u{2011}']).unwrap_or(rest);
        let (to, rest) = read_square(rest)?;
        Some(([from, to], rest))
    };
    let piece = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    let (squares, rest) = squares(text).or_else(|| squares(piece?))?;
    let promotion = |text: &str| -> Option<u8> {
        let letter = text.bytes().next()?.to_ascii_lowercase();
        (matches!(letter, b'n' | b'b' | b'r' | b'q' | b'k' | b'p') && ends_word(&text[1..])).then_some(letter)
    };
    let marked = rest.strip_prefix(['=', '/', '(']).unwrap_or(rest);
    let (promotion, rest) = match promotion(marked) {
        Some(letter) => (Some(letter), &marked[1..]),
        None => (None, rest),
    };
    ends_word(rest).then_some((Target::Squares(squares, promotion), text.len() - rest.len()))
}

/// Whether the word has ended here.
fn ends_word(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_alphanumeric())
}

/// A square: a file from a to i and a rank of one or two digits.
fn read_square(text: &str) -> Option<((u8, u32), &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase();
    if !(b'a'..=b'i').contains(&file) {
        return None;
    }
    let rest = &text[1..];
    let length = if rest.starts_with("10") { 2 } else { 1 };
    let rank = rest.get(..length)?.bytes().all(|b| b.is_ascii_digit()).then(|| &rest[..length])?;
    Some(((file, rank.parse().ok()?), &rest[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn found(text: &str) -> Vec<(String, u128)> {
        DivideReader::read(text).into_iter().map(|c| (c.text, c.count)).collect()
    }

    #[test]
    fn moves_and_counts_are_found_in_every_format() {
        for line in [
            "e2e4: 20",
            "e2e4 20",
            "1. e2e4 = 20",
            " 12) e2e4 -> 20 (5.0 %)",
            "info string e2e4: 20",
            "e2e4\t20",
            "20 e2e4",
            "e2e4,20,0.003",
            "move e2e4 nodes 20",
            "{\"move\": \"e2e4\", \"nodes\": 20}",
            "[ 3/20] e2e4 20",
        ] {
            assert_eq!(found(line), [("e2e4".to_string(), 20)], "{line:?}");
        }
        assert_eq!(found("1. e2-e4 = 20"), [("e2-e4".to_string(), 20)]);
        assert_eq!(found("Ng1xf3+ 1,234,567"), [("Ng1xf3".to_string(), 1_234_567)]);
        assert_eq!(found("b7-b8=Q: 1'234"), [("b7-b8=Q".to_string(), 1234)]);
        assert_eq!(found("O-O-O: 7"), [("O-O-O".to_string(), 7)]);
        assert_eq!(found("a2a3: 1 b2b3: 2\r\nc2c3 3").len(), 3);
        for line in [
            "",
            "Nodes searched: 400",
            "info depth 3 currmove e2e4 currmovenumber 20",
            "bestmove e2e4 ponder e7e5",
            "position startpos moves e2e4 20",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "e2e4",
            "e2e4e5: 20",
            "time 12.5",
            "e2e4: 999999999999999999999999999999999999999999",
            "e2e4: -20",
            "e2e4 -20",
            "ä2e4: 3 e2ä4: 4 é",
        ] {
            assert_eq!(found(line), [], "{line:?}");
        }
    }

    #[test]
    fn long_words_are_not_read_again_and_again() {
        let text = "ab1+".repeat(2_500);
        let read = Cell::new(0);
        let is_move = |word: &str| {
            read.set(read.get() + word.len());
            false
        };
        assert_eq!(readings(&text, Some(&is_move)), [vec![]]);
        assert!(read.get() <= 100 * text.len(), "{} bytes", read.get());
        let separators = ["e2e4: 20", "e2e4: 1,000", "e2e4: 1,000.5", "1.e2e4 1 000,2 3.4"].map(separators_in);
        assert_eq!(separators.map(|sets| sets.len()), [1, 2, 4, 8]);
        assert_eq!(found("e2e4: 1.000")[0].1, 1_000);
    }
}
