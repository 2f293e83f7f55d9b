//! What other programs print: the moves of each line, and the numbers beside them.
//!
//! Only the position tells which number is a count; the reader decides that. The text is untrusted: nothing in it may
//! panic, and what is neither a move with a number nor a total is skipped.

/// A move in a text, with the numbers that may be its count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::doctor) struct PrintedMove {
    /// Number of its line in the text, from 1.
    pub line: usize,
    pub form: Form,
    /// How many totals were printed before it.
    pub section: usize,
    /// How many lines without a move were printed before it.
    pub breaks: usize,
    /// The move as written.
    pub text: String,
    pub target: Target,
    /// The numbers behind it; those before it if none are behind it.
    pub numbers: Vec<Number>,
}

/// A line with a total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::doctor) struct PrintedTotal {
    pub line: usize,
    pub numbers: Vec<Number>,
    /// Whether it says that it holds the sum of the counts, and nothing else.
    pub plain: bool,
}

/// How a line begins: `info string`, `info`, or anything else. A divide has one form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::doctor) enum Form {
    Plain,
    String,
    Info,
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

/// A number of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::doctor) struct Number {
    /// `None` for one that can be no count: a decimal, a speed, a percentage.
    pub value: Option<u128>,
    pub label: Label,
    /// How many digits it has, if it is written without separators.
    digits: Option<usize>,
    /// The comma or blank that alone stands between it and the next number.
    gap: Option<char>,
}

/// What the word beside a number says about it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::doctor) enum Label {
    Count,
    None,
    Other,
}

/// Says whether a word is a legal move.
pub(in crate::doctor) type IsMove<'a> = Option<&'a dyn Fn(&str) -> bool>;

/// Scans a text line by line.
#[derive(Default)]
pub(in crate::doctor) struct Scanner<'a> {
    pub moves: Vec<PrintedMove>,
    pub totals: Vec<PrintedTotal>,
    lines: usize,
    breaks: usize,
    /// Reads words other than two squares as moves.
    is_move: IsMove<'a>,
}

impl<'a> Scanner<'a> {
    /// A scanner that knows moves in coordinates and, with `is_move`, words.
    pub fn new(is_move: IsMove<'a>) -> Self {
        Scanner { is_move, ..Scanner::default() }
    }

    /// Scans a whole text.
    pub fn scan(text: &str, is_move: IsMove<'a>) -> Self {
        let mut scanner = Scanner::new(is_move);
        text.lines().for_each(|line| scanner.take(line));
        scanner
    }

    /// Scans the next line.
    pub fn take(&mut self, line: &str) {
        self.lines += 1;
        let line = &without_colours(line);
        let known = self.moves.len();
        let rest =
            |word| line.trim_start().strip_prefix(word).filter(|rest: &&str| rest.starts_with(char::is_whitespace));
        let (form, line) = match rest("info") {
            Some(info) => match info.trim_start().strip_prefix("string") {
                Some(rest) => (Form::String, rest),
                None => (Form::Info, info),
            },
            None if rest("bestmove").or(rest("position")).is_some() => return self.breaks += 1,
            None => (Form::Plain, line.as_str()),
        };
        // The en passant square of a FEN would be a move in SAN.
        if line.matches('/').count() < 7 {
            self.take_moves(form, line);
        }
        if self.moves.len() == known {
            self.breaks += 1;
            let is_total = match (form, self.moves.last()) {
                // Behind counts that are such lines themselves, one without a move has the total.
                (Form::Info, Some(last)) => last.form == Form::Info,
                // There is no move.
                (Form::Info, None) => format!("{line} ").contains(" nodes 0 "),
                _ => true,
            };
            if is_total {
                self.take_total(line);
            }
        }
    }

    fn take_moves(&mut self, form: Form, line: &str) {
        let (mut numbers, mut before, mut moves) = (Vec::new(), Vec::new(), Vec::<(&str, Target, Vec<Number>)>::new());
        for token in Tokens::of(line, self.is_move) {
            match token {
                Token::Move(text, target) => {
                    match moves.last_mut() {
                        Some(open) => open.2 = std::mem::take(&mut numbers),
                        None => before = std::mem::take(&mut numbers),
                    }
                    moves.push((text, target, Vec::new()));
                }
                // `1.` and `1)` number the moves.
                Token::Number(_, true) if moves.is_empty() => {}
                Token::Number(number, _) => numbers.push(number),
            }
        }
        let alone = moves.len() == 1;
        if let Some(open) = moves.last_mut() {
            let none = numbers.iter().all(|number| number.value.is_none());
            open.2 = if none && alone && form != Form::Info { before } else { numbers };
        }
        for (text, target, mut numbers) in moves {
            drop_groups(&mut numbers);
            if form == Form::Info {
                // The output of a search has many numbers.
                numbers.retain(|number| number.label == Label::Count);
            }
            if numbers.iter().any(|number| number.value.is_some()) {
                let (line, section, breaks, text) = (self.lines, self.totals.len(), self.breaks, text.to_string());
                self.moves.push(PrintedMove { line, form, section, breaks, text, target, numbers });
            }
        }
    }

    fn take_total(&mut self, line: &str) {
        const NODES: &str = "nodes node";
        const OTHERS: &str = "total leaves leaf sum moves perft searched visited counted depth ply plies at \
            for of in number is count result";
        let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        let words = Vec::from_iter(words);
        let number = |token| if let Token::Number(number, _) = token { Some(number) } else { None };
        let mut numbers = Vec::from_iter(Tokens::of(line, None).filter_map(number));
        drop_groups(&mut numbers);
        let begins = words.first().is_some_and(|word| is_one_of(word, "total"));
        if (begins || words.iter().any(|word| is_one_of(word, NODES)))
            && numbers.iter().any(|number| number.value.is_some())
        {
            let plain =
                words.iter().all(|word| [NODES, OTHERS].iter().any(|list| is_one_of(word, list)) || is_measure(word));
            self.totals.push(PrintedTotal { line: self.lines, numbers, plain });
        }
    }
}

/// Takes the values from the groups of digits before a speed or time, as in `1,234 nps`, if others are left.
fn drop_groups(numbers: &mut [Number]) {
    let mut known = numbers.to_vec();
    for at in (1..known.len()).rev() {
        let is_group = known[at].digits == Some(3) && known[at - 1].gap == Some(',');
        if known[at].value.is_none() && is_group && known[at - 1].digits.is_some_and(|digits| digits <= 3) {
            known[at - 1].value = None;
        }
    }
    if known.iter().any(|number| number.value.is_some()) {
        numbers.copy_from_slice(&known);
    }
}

/// What may be a count: a number, or groups of digits.
#[derive(Clone, Copy, Debug)]
pub(in crate::doctor) struct Count {
    pub value: u128,
    pub label: Label,
    /// The first and the last of the numbers that it is made of.
    pub first: usize,
    pub last: usize,
}

/// A way to find a number among those of a move: which one from the left or right, alone or with the groups of three
/// digits that follow (from the right: that come before) behind commas or blanks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::doctor) struct Column {
    from_left: bool,
    place: usize,
    joined: bool,
}

impl Column {
    /// All columns of so many numbers at most.
    pub fn all(numbers: usize) -> impl Iterator<Item = Column> {
        /// No program prints more numbers beside a move.
        const MOST: usize = 12;
        let ways = [(true, true), (true, false), (false, true), (false, false)];
        let of =
            move |(from_left, joined)| (0..numbers.min(MOST)).map(move |place| Column { from_left, place, joined });
        ways.into_iter().flat_map(of)
    }

    /// What stands there.
    pub fn of(self, numbers: &[Number]) -> Option<Count> {
        let last = numbers.len().checked_sub(1)?;
        let at = if self.from_left { self.place } else { last.checked_sub(self.place)? };
        let (mut first, mut end) = (at, at);
        numbers.get(at)?;
        // Whether the number is a group of digits behind the one before it.
        let short = |at: usize| numbers[at].digits.is_some_and(|digits| digits <= 3);
        let follows = |at: usize| short(at - 1) && numbers[at - 1].gap.is_some() && numbers[at].digits == Some(3);
        if self.joined && self.from_left {
            while end < last && follows(end + 1) && numbers[end].gap == numbers[first].gap {
                end += 1;
            }
        } else if self.joined {
            while first > 0 && follows(first) && (first == end || numbers[first].gap == numbers[first - 1].gap) {
                first -= 1;
            }
        }
        let mut value = 0u128;
        for number in &numbers[first..=end] {
            let factor = if first == end { 1 } else { 1_000 };
            value = value.checked_mul(factor)?.checked_add(number.value?)?;
        }
        Some(Count { value, label: numbers[end].label.min(numbers[first].label), first, last: end })
    }
}

/// All values that the numbers may have, alone and joined.
pub(in crate::doctor) fn values(numbers: &[Number]) -> Vec<u128> {
    let mut values = Vec::from_iter(Column::all(numbers.len()).filter_map(|column| Some(column.of(numbers)?.value)));
    values.sort_unstable();
    values.dedup();
    values
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

/// Whether a word is one of a list, whatever its case.
fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// Whether a word is a measure of time or speed.
fn is_measure(word: &str) -> bool {
    const MEASURES: &str = "s ms us µs ns sec secs second seconds msec msecs min minutes nps knps mnps gnps \
        time elapsed speed rate duration took milliseconds microseconds fps h";
    let word = word.to_lowercase();
    is_one_of(&word, MEASURES) || word.ends_with("persecond") || word.ends_with("persec")
}

/// What a word beside a number says about it.
fn label_of(word: &str) -> Label {
    const COUNTS: &str = "nodes node count counts leaves leafs leaf";
    const OTHERS: &str = "depth d ply plies index total sum hash perft currmovenumber multipv seldepth hashfull \
        tbhits cp score number thread captures";
    match (is_one_of(word, COUNTS), is_one_of(word, OTHERS)) {
        (true, _) => Label::Count,
        (_, true) => Label::Other,
        _ => Label::None,
    }
}

/// A token of a line; with a number, whether a point or a parenthesis follows, as in `1. e2e4` and `1) e2e4`.
enum Token<'a> {
    Move(&'a str, Target),
    Number(Number, bool),
}

/// The moves and numbers of a line.
struct Tokens<'a, 'b> {
    rest: &'a str,
    /// The word before `rest`, if nothing but punctuation came in between.
    label: &'a str,
    is_move: IsMove<'b>,
    /// Whether a minus sign comes before `rest`.
    minus: bool,
}

impl<'a, 'b> Tokens<'a, 'b> {
    fn of(line: &'a str, is_move: IsMove<'b>) -> Self {
        Tokens { rest: line, label: "", is_move, minus: false }
    }
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
            let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !blanks(c));
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
            let (label, minus) = (std::mem::take(&mut self.label), std::mem::take(&mut self.minus));
            match self.number(label) {
                Some((number, ordinal)) if !minus => return Some(Token::Number(number, ordinal)),
                Some(_) => {}
                None => (self.label, self.rest) = first_word(self.rest),
            }
        }
    }
}

impl Tokens<'_, '_> {
    /// The number at the start of `rest`, if there is one, and whether it numbers something.
    fn number(&mut self, label: &str) -> Option<(Number, bool)> {
        let split = |text: &'_ str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (first, mut rest) = self.rest.split_at(split(self.rest));
        if first.is_empty() {
            return None;
        }
        let (mut digits, mut decimal) = (first.to_string(), false);
        while let Some(mark) = rest.chars().next().filter(|c| *c == '.' || MARKS.contains(c)) {
            let tail = &rest[mark.len_utf8()..];
            let (group, after) = tail.split_at(split(tail));
            if group.is_empty() || mark != '.' && group.len() != 3 {
                break;
            }
            // `1.234.567`, but `0.003` and `12.5`.
            decimal |= group.len() != 3 || first.len() > 3 || first == "0";
            digits.push_str(group);
            rest = after;
        }
        let is_bare = digits.len() == first.len();
        let exponent = rest.strip_prefix(['e', 'E']).map(|tail| tail.strip_prefix(['+', '-']).unwrap_or(tail));
        if let Some(exponent) = exponent.filter(|tail| decimal && split(tail) > 0) {
            rest = &exponent[split(exponent)..];
        }
        let behind = rest.trim_start_matches([' ', '\u{a0}']);
        let (unit, after) = first_word(behind);
        let attached = behind.len() == rest.len() && !unit.is_empty();
        let unit_label = label_of(unit);
        // `Mn/s`, `nodes per second`, but not `1 nodes/s 5`.
        let is_word = !unit.is_empty() && unit.chars().all(char::is_alphabetic);
        let speed = ["/s", " per s", " / s"].iter().find_map(|tail| after.strip_prefix(tail)).filter(|_| is_word);
        let speed =
            speed.map(|tail| tail.trim_start_matches(|c: char| c.is_alphabetic() || matches!(c, ':' | '=' | ' ')));
        let is_speed = speed.is_some_and(|tail| !tail.starts_with(|c: char| c.is_ascii_digit()) || !label.is_empty());
        let known = is_speed || is_measure(unit) || unit_label == Label::Count;
        if attached && !known {
            return None;
        }
        // In `nodes 400 nps 5` and `1 nps=5` the word belongs to the next number; in `1 nps 5` and `1 nps: 5` nobody
        // knows.
        let next = after.trim_start();
        let is_next = !label.is_empty() || next.starts_with('=');
        let is_open = next.trim_start_matches([':', ' ']).starts_with(|c: char| c.is_ascii_digit());
        let is_unit = known && (attached || is_speed || !is_next && !is_open);
        let measured =
            is_unit && (is_speed || unit_label != Label::Count) || is_measure(label) || behind.starts_with('%');
        self.rest = if is_unit || known && is_open && !is_next { after } else { rest };
        let gap = rest.chars().next().filter(|c| matches!(c, ',' | ' '));
        let gap = gap.filter(|_| rest[1..].starts_with(|c: char| c.is_ascii_digit()));
        let number = Number {
            value: digits.parse().ok().filter(|_| !decimal && !measured),
            label: if is_unit { unit_label } else { label_of(label) },
            digits: is_bare.then_some(digits.len()),
            gap,
        };
        Some((number, rest.starts_with(['.', ')'])))
    }
}

/// Marks that separate thousands, and nothing else.
const MARKS: [char; 9] = ['_', '\'', '’', 'ʼ', '\u{a0}', '\u{2007}', '\u{2009}', '\u{202f}', '\u{66c}'];

/// The letters and digits at the start of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()))
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

    /// The moves of a text with the values that may be their counts.
    fn found(text: &str) -> Vec<(String, Vec<u128>)> {
        Scanner::scan(text, None).moves.into_iter().map(|m| (m.text, values(&m.numbers))).collect()
    }

    #[test]
    fn moves_are_found_with_their_numbers() {
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
            "info currmove e2e4 currmovenumber 7 nodes 20",
            "e2e4: 20nodes 5ms",
        ] {
            assert_eq!(found(line), [("e2e4".to_string(), vec![20])], "{line:?}");
        }
        assert_eq!(found("1. e2-e4 = 20"), [("e2-e4".to_string(), vec![20])]);
        assert_eq!(found("Ng1xf3+ 1,234,567")[0].1, [1, 234, 567, 1_234, 234_567, 1_234_567]);
        assert_eq!(found("b7-b8=Q: 1'234"), [("b7-b8=Q".to_string(), vec![1234])]);
        assert_eq!(found("O-O-O: 1.000"), [("O-O-O".to_string(), vec![1_000])]);
        assert_eq!(found("[ 3/20] e2e4 20 1"), [("e2e4".to_string(), vec![1, 20])]);
        assert_eq!(found("a2a3: 1 b2b3: 2\r\nc2c3 3").len(), 3);
        for line in [
            "",
            "Nodes searched: 400",
            "info depth 3 currmove e2e4 currmovenumber 20",
            "info depth 1 nodes 20 pv e2e4",
            "bestmove e2e4 ponder e7e5",
            "position startpos moves e2e4 20",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "e2e4",
            "e2e4e5: 20",
            "time 12.5",
            "e2e4: 999999999999999999999999999999999999999999",
            "e2e4: -20",
            "e2e4 -20",
            "e2e4 3.05% 1.04e+07",
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
        assert_eq!(Scanner::scan(&text, Some(&is_move)).moves, []);
        assert!(read.get() <= 100 * text.len(), "{} bytes", read.get());
    }
}
