//! What stands around and inside a FEN that was copied from an address, a page, a PGN file or a protocol: blanks and
//! dashes of other kinds, encoded characters, quotes, words before it and comments behind it.
//!
//! Whatever [`tidied`] does not know is left in place, for the readers to refuse.

use crate::base::text::is_dash;
use crate::game::text::fault::{NotationError, quoted};

/// Longer texts are no FENs; the readers refuse them.
const LONGEST: usize = 1_000;

/// A FEN without what does not belong to it.
pub struct Tidied {
    /// The FEN.
    pub text: String,
    /// The offset in the original of each byte of `text`, and of its end.
    pub offsets: Vec<usize>,
    /// What was accepted and what was done: faults at offsets of the original.
    pub faults: Vec<(NotationError, &'static str)>,
}

/// Tidies `fen`; `None` if there is nothing to do.
pub fn tidied(fen: &str) -> Option<Tidied> {
    if fen.len() > LONGEST {
        return None;
    }
    let mut tidied = Tidied { text: String::new(), offsets: Vec::new(), faults: Vec::new() };
    tidied.copy(fen);
    tidied.offsets.push(fen.len());
    tidied.cut(fen);
    (!tidied.faults.is_empty()).then_some(tidied)
}

/// Whether a FEN may be followed or preceded by `c`.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '´' | '«' | '»' | '‹' | '›' | '\u{2018}'..='\u{201f}')
}

impl Tidied {
    /// Records a fault once for each thing that was done about it.
    fn overlook(&mut self, at: usize, reason: String, instead: &'static str) {
        if !self.faults.iter().any(|(_, done)| *done == instead) {
            self.faults.push((NotationError::new("FEN", at, reason), instead));
        }
    }

    /// Copies `fen` in plain characters.
    fn copy(&mut self, fen: &str) {
        // In a query string a plus is a blank; nothing else in a FEN is one.
        let plus = fen.contains('+') && !fen.contains(' ');
        let mut rest = fen;
        while let Some(c) = rest.chars().next() {
            let at = fen.len() - rest.len();
            let mut length = c.len_utf8();
            let shown = || quoted(&rest[..length]);
            let plain = match c {
                '%' => match encoded(rest) {
                    Some(decoded) => {
                        length = 3;
                        self.overlook(at, format!("{} is encoded", quoted(&rest[..3])), "decoded");
                        Some(decoded)
                    }
                    None => Some(c),
                },
                ' ' | '\t' | '!'..='*' | ','..='^' | '`'..='~' => Some(c),
                '+' if !plus => Some(c),
                '_' | '+' => {
                    self.overlook(at, format!("{} stands for a blank", shown()), "read as one");
                    Some(' ')
                }
                '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {
                    self.overlook(at, format!("{} is invisible", shown()), "dropped");
                    None
                }
                c if c.is_whitespace() => {
                    self.overlook(at, format!("{} is another kind of blank", shown()), "read as one");
                    Some(' ')
                }
                c if is_dash(c) => {
                    self.overlook(at, format!("{} is not -", shown()), "read as -");
                    Some('-')
                }
                c => Some(c),
            };
            if let Some(plain) = plain {
                self.text.push(plain);
                self.offsets.extend(std::iter::repeat_n(at, plain.len_utf8()));
            }
            rest = &rest[length..];
        }
    }

    /// Cuts off what stands before and behind the FEN.
    fn cut(&mut self, fen: &str) {
        let end = self.end();
        if end < self.text.trim_end().len() {
            let at = self.offsets[end];
            self.overlook(at, format!("{} follows the FEN", quoted(fen[at..].trim())), "ignored");
        }
        let start = self.start();
        if start > self.text.len() - self.text.trim_start().len() {
            let before = quoted(fen[..self.offsets[start]].trim());
            self.overlook(0, format!("{before} precedes the FEN"), "not read");
        }
        let start = start.min(end);
        self.offsets.truncate(end + 1);
        self.offsets.drain(..start);
        self.text.truncate(end);
        self.text.drain(..start);
    }

    /// Where the FEN ends: before a semicolon, before the operations of an EPD line, before quotes.
    fn end(&self) -> usize {
        let text = &self.text;
        let mut end = text.len();
        if let Some(semicolon) = text.find(';') {
            end = semicolon;
            // EPD has four fields, then operations such as `bm Nf3;`.
            let mut words = text[..semicolon].split_whitespace().skip(4);
            let operation = words.find(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
            if let Some(word) = operation.filter(|word| *word != "moves") {
                end = word.as_ptr() as usize - text.as_ptr() as usize;
            }
        }
        let trimmed = text[..end].trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.'));
        // The end of a tag such as `[FEN "…"]`; `[]` is a pocket.
        let untagged = trimmed.strip_suffix(']').map_or(trimmed, str::trim_end);
        let unquoted = untagged.trim_end_matches(is_quote);
        if unquoted.len() < untagged.len() { unquoted.trim_end().len() } else { trimmed.len() }
    }

    /// Where the FEN begins: behind quotes and the words that introduce one.
    fn start(&self) -> usize {
        let mut rest = self.text.as_str();
        loop {
            let before = rest.len();
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || is_quote(c));
            for word in ["[fen", "position", "fen"] {
                let Some((start, tail)) = rest.split_at_checked(word.len()) else { continue };
                if start.eq_ignore_ascii_case(word) && !tail.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                    rest = tail.strip_prefix([':', '=']).unwrap_or(tail);
                }
            }
            if rest.len() == before {
                return self.text.len() - rest.len();
            }
        }
    }
}

/// The printable character that `text`, which begins with `%`, encodes.
fn encoded(text: &str) -> Option<char> {
    let digits = text.get(1..3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let byte = u8::from_str_radix(digits, 16).ok()?;
    (0x20..0x7f).contains(&byte).then_some(char::from(byte))
}
