//! Parses divides printed by other programs: moves and counts in lines of text, in many formats.
//!
//! Called by `against`, which drives the other program, and by the command line; `compare` compares the result with
//! ours. The text is untrusted: nothing in it may panic, and anything that is not a move with a count is skipped.

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
}

/// A move parsed without a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Two squares as file and rank, and the letter of a promotion.
    Squares([(u8, u32); 2], Option<u8>),
    /// Castling; `true` towards the higher files (king side).
    Castling(bool),
}

impl Target {
    /// The move in coordinate notation, if the printed ranks are ours plus `offset`; `None` for castling.
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

/// A line-by-line parser.
#[derive(Default)]
pub struct DivideReader {
    /// The moves found so far.
    pub found: Vec<PrintedMove>,
    lines: usize,
    section: usize,
    breaks: usize,
}

impl DivideReader {
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
        let line = line.strip_prefix("info string").unwrap_or(line);
        let word = line.split_whitespace().next();
        let mut total = None;
        if !matches!(word, Some("info" | "bestmove" | "position")) {
            self.take_moves(line);
            if self.found.len() > known {
                return None;
            }
            total = read_total(line);
            self.section += usize::from(total.is_some());
        }
        self.breaks += 1;
        total
    }

    fn take_moves(&mut self, line: &str) {
        let (mut open, mut before) = (None, None);
        let mut alone = true;
        let known = self.found.len();
        for token in tokens(line) {
            match (token, open.take()) {
                (Token::Move(text, target), held) => {
                    alone &= held.is_none() && self.found.len() == known;
                    open = Some((text, target));
                }
                (Token::Number(count), Some((text, target))) => self.push(text, target, count),
                (Token::Number(count), None) => before = Some(count),
            }
        }
        if let (Some((text, target)), Some(count), true) = (open, before, alone) {
            self.push(text, target, count);
        }
    }

    fn push(&mut self, text: &str, target: Target, count: u128) {
        let DivideReader { lines: line, section, breaks, .. } = *self;
        self.found.push(PrintedMove { line, section, breaks, text: text.into(), target, count });
    }
}

/// The total in a line without a move, if it is one that ends a divide.
fn read_total(line: &str) -> Option<u128> {
    let line = line.trim_start().to_ascii_lowercase();
    if !line.contains("nodes") && !line.starts_with("total") {
        return None;
    }
    let number = |token| if let Token::Number(n) = token { Some(n) } else { None };
    tokens(&line).find_map(number)
}

/// A token of a line.
enum Token<'a> {
    Move(&'a str, Target),
    Number(u128),
}

/// The moves and numbers of a line.
fn tokens(line: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            // Words start at a letter or digit.
            rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            if rest.is_empty() {
                return None;
            }
            if let Some((target, length)) = read_move(rest) {
                let (text, tail) = rest.split_at(length);
                rest = tail;
                return Some(Token::Move(text, target));
            }
            let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(length);
            rest = tail;
            if !word.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            // Numbers may have thousands separators; `1.` is a line number.
            let mut digits = String::from(word);
            while let Some(group) = group(rest) {
                digits.push_str(group);
                rest = &rest[1 + group.len()..];
            }
            if rest.starts_with('.') {
                continue;
            }
            if let Ok(number) = digits.parse() {
                return Some(Token::Number(number));
            }
        }
    })
}

/// A separator and three digits: returns the digits.
fn group(text: &str) -> Option<&str> {
    let digits = text.strip_prefix([',', '_', '\''])?;
    let length = digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len());
    let digits = &digits[..length];
    (length == 3 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// The move at the start of a text and its length: `e2e4`, `E2-E4`, `Ng1xf3+`, `e7e8q`, `e7-e8=Q`, `h10h9`, `O-O`.
fn read_move(text: &str) -> Option<(Target, usize)> {
    for (castling, king_side) in [("O-O-O", false), ("0-0-0", false), ("O-O", true), ("0-0", true)]
    {
        if let Some(tail) = text.strip_prefix(castling)
            && ends_word(tail)
        {
            return Some((Target::Castling(king_side), castling.len()));
        }
    }
    // A piece letter may come first, if it is not itself the file of a square.
    let squares = |text| {
        let (from, rest) = read_square(text)?;
        let rest = rest.strip_prefix(['-', 'x', ':', '*']).unwrap_or(rest);
        let (to, rest) = read_square(rest)?;
        Some(([from, to], rest))
    };
    let piece = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    let (squares, rest) = squares(text).or_else(|| squares(piece?))?;
    let promotion = |text: &str| -> Option<u8> {
        let letter = text.bytes().next()?.to_ascii_lowercase();
        (matches!(letter, b'n' | b'b' | b'r' | b'q') && ends_word(&text[1..])).then_some(letter)
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
            "ä2e4: 3 e2ä4: 4 é",
        ] {
            assert_eq!(found(line), [], "{line:?}");
        }
    }
}
