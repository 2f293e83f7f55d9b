//! FEN: its fields, and what becomes of their faults.
//!
//! Input is untrusted: malformed text is a [`NotationError`], never a panic. Each game reads the fields by its own
//! rules (`board/fen.rs`).

use crate::base::text::is_dash;
use crate::game::side::Side;
use crate::game::text::fault::{NotationError, quoted};
use std::fmt::Write as _;

/// Which faults of a FEN are overlooked, and warnings of those that were. A lenient reader overlooks common deviations
/// whose meaning is clear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tolerance {
    lenient: bool,
    /// Whether the full-move number 0 is read as 1 without a warning.
    takes_zero: bool,
    remarks: Vec<String>,
    /// The offset in the original of each byte of the text that is read, if that was tidied.
    offsets: Vec<usize>,
    chess960: bool,
}

impl Tolerance {
    /// Overlooks nothing.
    pub fn strict() -> Self {
        Tolerance { lenient: false, takes_zero: false, remarks: Vec::new(), offsets: Vec::new(), chess960: false }
    }

    /// Overlooks nothing but the full-move number 0, which many programs write.
    pub(in crate::game) fn library() -> Self {
        Tolerance { takes_zero: true, ..Tolerance::strict() }
    }

    /// Overlooks faults that leave the position unambiguous, each with a warning.
    pub fn lenient() -> Self {
        Tolerance { lenient: true, ..Tolerance::strict() }
    }

    /// Sets whether the FEN is one of Chess960, so that castling which only Chess960 has is no fault however it is
    /// written.
    #[must_use]
    pub fn for_chess960(self, chess960: bool) -> Self {
        Tolerance { chess960, ..self }
    }

    /// Whether the FEN is one of Chess960.
    #[doc(hidden)]
    pub fn is_for_chess960(&self) -> bool {
        self.chess960
    }

    /// Accepts `fault` with a warning that says what is done `instead` of rejecting it.
    ///
    /// # Errors
    /// `fault` itself unless this is lenient.
    pub fn overlook(&mut self, fault: NotationError, instead: &str) -> Result<(), NotationError> {
        if !self.lenient {
            return Err(fault);
        }
        self.remarks.push(format!("{}; {instead}", self.in_original(fault)));
        Ok(())
    }

    /// `fen` in plain characters, if this is lenient; `None` if it may stay as it is. A text that was copied from a
    /// page may have quotes around it, other blanks and dashes, and invisible characters.
    pub(in crate::game) fn tidied(&mut self, fen: &str) -> Option<String> {
        // Longer texts are not FENs; the readers refuse them.
        if !self.lenient || fen.len() > 1_000 {
            return None;
        }
        let unquoted = fen.trim_matches(|c: char| c.is_whitespace() || is_quote(c));
        // `unquoted` is a slice of `fen`, so the difference of the pointers is its offset.
        let start = unquoted.as_ptr() as usize - fen.as_ptr() as usize;
        let (mut text, mut offsets, mut faults) = (String::new(), Vec::new(), Vec::new());
        for (at, c) in fen.char_indices() {
            let is_around = at < start || at >= start + unquoted.len();
            let (plain, fault) = match c {
                ' ' | '\t' | '-' => (Some(c), ""),
                c if is_around && is_quote(c) => (None, "is a quotation mark; ignored"),
                '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => (None, "is invisible; dropped"),
                c if c.is_whitespace() => (Some(' '), "is another kind of blank; read as one"),
                c if is_dash(c) => (Some('-'), "is not -; read as -"),
                c => (Some(c), ""),
            };
            if let Some(plain) = plain {
                text.push(plain);
                offsets.extend(std::iter::repeat_n(at, plain.len_utf8()));
            }
            if !fault.is_empty() && !faults.contains(&fault) {
                faults.push(fault);
                let shown = quoted(&fen[at..at + c.len_utf8()]);
                self.remarks.push(NotationError::new("FEN", at, format!("{shown} {fault}")).to_string());
            }
        }
        if faults.is_empty() {
            return None;
        }
        offsets.push(fen.len());
        self.offsets = offsets;
        Some(text)
    }

    /// The error with its offset in the text as it was given.
    pub(in crate::game) fn in_original(&self, error: NotationError) -> NotationError {
        let offset = self.offsets.get(error.offset).copied().unwrap_or(error.offset);
        NotationError { offset, ..error }
    }

    /// All warnings in one line; `None` if there are none.
    pub fn warning(&self) -> Option<String> {
        (!self.remarks.is_empty()).then(|| self.remarks.join("; "))
    }
}

/// Whether `c` is a quotation mark of some language.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '´' | '«' | '»' | '‹' | '›' | '\u{2018}'..='\u{201f}')
}

/// A field of a FEN with its offset.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Its name in error messages.
    pub name: &'static str,
    /// Byte offset in the FEN; the length of the FEN if the field is missing.
    pub offset: usize,
    /// The text; empty if the field is missing.
    pub text: &'a str,
}

/// The names of the fields of a FEN in messages.
const FIELDS: [&str; 6] =
    ["FEN board", "FEN side to move", "FEN castling", "FEN en passant", "FEN half-move clock", "FEN full-move number"];

/// The fields of a FEN, and how many are present.
pub(crate) struct Fields<'a> {
    /// The board, the side to move, castling, en passant, the half-move clock, the full-move number.
    pub all: [Field<'a>; 6],
    pub count: usize,
    /// What an error says of a missing field.
    missing: &'static str,
}

impl<'a> Fields<'a> {
    /// Splits a FEN at blanks.
    ///
    /// # Errors
    /// If the text is longer than `longest` bytes, contains anything but printable ASCII, or has more fields or none.
    pub fn split(fen: &'a str, longest: usize, missing: &'static str) -> Result<Self, NotationError> {
        // Checked first, so that all offsets below are character boundaries.
        if let Some(offset) = fen.bytes().position(|b| !matches!(b, b' ' | b'\t' | 0x21..=0x7e)) {
            let reason = "expected printable ASCII characters only";
            return Err(NotationError::new("FEN", offset, reason));
        }
        if fen.len() > longest {
            let reason = format!("{} characters, a FEN has at most {longest}", fen.len());
            return Err(NotationError::new("FEN", longest, reason));
        }
        let mut all = FIELDS.map(|name| Field { name, offset: fen.len(), text: "" });
        let mut count = 0;
        for text in fen.split([' ', '\t']).filter(|word| !word.is_empty()) {
            // `text` is a slice of `fen`, so the difference of the pointers is its offset.
            let offset = text.as_ptr() as usize - fen.as_ptr() as usize;
            let Some(field) = all.get_mut(count) else {
                if !all[0].text.contains('/') {
                    let reason = format!("{} is not a board; expected the FEN alone", quoted(all[0].text));
                    return Err(all[0].error(0, reason));
                }
                let reason = format!("{} follows the last field, expected the end", quoted(text));
                return Err(NotationError::new("FEN", offset, reason));
            };
            (field.offset, field.text) = (offset, text);
            count += 1;
        }
        if count == 0 { Err(all[0].error(0, missing)) } else { Ok(Fields { all, count, missing }) }
    }

    /// Accepts a FEN with one of the `usual` numbers of fields; a lenient reader accepts any.
    ///
    /// # Errors
    /// The first field that is missing.
    pub fn check_count(&self, usual: &[usize], tolerance: &mut Tolerance) -> Result<(), NotationError> {
        if usual.contains(&self.count) {
            return Ok(());
        }
        let read_as = ["", "w", "-", "-", "0", "1"][self.count];
        tolerance.overlook(self.all[self.count].error(0, self.missing), &format!("read as {read_as}"))
    }
}

impl Field<'_> {
    /// An error at byte `at` of the field.
    pub fn error(&self, at: usize, reason: impl Into<String>) -> NotationError {
        NotationError::new(self.name, self.offset + at, reason)
    }

    /// Reads the pieces of a board: ranks, the last one first, separated by `/`, with digits for empty squares. `put`
    /// is called with the file, the rank and the place in the text of each other character; it returns how many squares
    /// the character fills, and `None` for one that is no piece.
    ///
    /// # Errors
    /// The first fault, unless it is overlooked.
    pub(crate) fn read_ranks(
        &self,
        size: BoardSize,
        tolerance: &mut Tolerance,
        mut put: impl FnMut(i32, i32, usize, u8) -> Option<i32>,
    ) -> Result<(), NotationError> {
        let BoardSize { files, ranks, first_rank } = size;
        let name = |rank| rank + first_rank;
        let (mut file, mut rank, mut after_digit) = (0, ranks - 1, false);
        for (at, letter) in self.text.bytes().enumerate() {
            let fault = |reason: String| Err(self.error(at, reason));
            let digit = i32::from(letter) - i32::from(b'0');
            match letter {
                b'/' if file != files => {
                    let rank = name(rank);
                    return fault(format!("rank {rank} has {file} squares, expected {files}"));
                }
                b'/' if rank == 0 => {
                    let error = self.error(at, format!("more than {ranks} ranks"));
                    if at + 1 < self.text.len() {
                        return Err(error);
                    }
                    tolerance.overlook(error, "the last / is ignored")?;
                }
                b'/' => (file, rank) = (0, rank - 1),
                _ if (1..=files).contains(&digit) && after_digit => {
                    return fault("two digits in a row, expected their sum".into());
                }
                _ if (1..=files).contains(&digit) => file += digit,
                _ => match put(file, rank, at, letter) {
                    Some(filled) => file += filled,
                    None => {
                        let shown = quoted(&self.text[at..=at]);
                        return fault(format!("{shown} is not a piece, a digit from 1 to {files} or /"));
                    }
                },
            }
            if file > files {
                return fault(format!("rank {} has more than {files} squares", name(rank)));
            }
            after_digit = letter.is_ascii_digit();
        }
        if (file, rank) != (files, 0) {
            let reason = format!("the board ends on rank {} after {file} squares", name(rank));
            return Err(self.error(self.text.len(), reason));
        }
        Ok(())
    }

    /// Reads the side to move; the first one if the field is missing. `first` are its letters. A lenient reader also
    /// takes capitals and names.
    ///
    /// # Errors
    /// If the text is none of them.
    pub(crate) fn side(&self, first: &[&str], tolerance: &mut Tolerance) -> Result<Side, NotationError> {
        let read = |text: &str| match text {
            "b" => Some(Side::Second),
            _ => (text.is_empty() || first.contains(&text)).then_some(Side::First),
        };
        if let Some(side) = read(self.text) {
            return Ok(side);
        }
        let lower = self.text.to_ascii_lowercase();
        let named = || lower.parse().ok().filter(|_| lower != "red" || first.contains(&"r"));
        let expected = if first == ["w"] { "neither w nor b" } else { "none of w r b" };
        let error = self.error(0, format!("{} is {expected}", quoted(self.text)));
        let Some(side) = read(&lower).or_else(named) else { return Err(error) };
        tolerance.overlook(error, &format!("read as {side}"))?;
        Ok(side)
    }

    /// Parses a counter from `least` to `most`; `least` if the field is missing. A lenient reader takes a larger number
    /// for `most`, and 0 for `least`.
    ///
    /// # Errors
    /// If the text is not a number, or out of the range and that is not overlooked.
    pub fn counter(&self, least: u16, most: u16, tolerance: &mut Tolerance) -> Result<u16, NotationError> {
        if self.text.is_empty() {
            return Ok(least);
        }
        if !self.text.bytes().all(|b| b.is_ascii_digit()) {
            let reason = format!("{} is not a number from {least} to {most}", quoted(self.text));
            return Err(self.error(0, reason));
        }
        // A number that does not fit is too large as well.
        let number = self.text.parse().unwrap_or(u16::MAX);
        let nearest = number.clamp(least, most);
        if nearest != number && !(number == 0 && tolerance.takes_zero) {
            let error = self.error(0, format!("expected a number from {least} to {most}"));
            tolerance.overlook(error, &format!("read as {nearest}"))?;
        }
        Ok(nearest)
    }
}

/// The size of a board, and the number of its first rank in messages.
#[derive(Clone, Copy)]
pub struct BoardSize {
    /// The files.
    pub files: i32,
    /// The ranks.
    pub ranks: i32,
    /// The number of the first side's back rank.
    pub first_rank: i32,
}

impl BoardSize {
    /// Writes a board as a FEN has it; `letter` is that of the piece on a file and rank.
    pub fn write(self, letter: impl Fn(i32, i32) -> Option<u8>) -> String {
        let mut text = String::new();
        for rank in (0..self.ranks).rev() {
            let mut empty = 0;
            for file in 0..=self.files {
                let piece = letter(file, rank).map(char::from);
                if empty > 0 && (piece.is_some() || file == self.files) {
                    let _ = write!(text, "{empty}");
                    empty = 0;
                }
                empty += i32::from(piece.is_none());
                text.extend(piece);
            }
            text.extend((rank > 0).then_some('/'));
        }
        text
    }
}

/// Guesses whether a FEN that neither game accepts was meant for xiangqi rather than chess: by its number of ranks,
/// else by characters that occur only in xiangqi.
pub fn looks_like_xiangqi(fen: &str) -> bool {
    let board = fen.split_whitespace().next().unwrap_or("");
    match board.split('/').count() {
        8 => false,
        10 => true,
        _ => board.contains(['9', 'a', 'A', 'c', 'C']),
    }
}

#[cfg(all(feature = "chess", feature = "xiangqi"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position as Chess;
    use crate::xiangqi::Position as Xiangqi;

    const START: &str = Chess::START_FEN;

    /// The FEN that a text is read as, and the warning.
    fn read(text: &str) -> Result<(String, String), NotationError> {
        let (position, warning) = Chess::from_fen_lenient(text)?;
        Ok((position.to_string(), warning.unwrap_or_default()))
    }

    #[test]
    fn fens_from_the_wild_are_read_with_a_warning_and_refused_when_strict() {
        let blank = |blank: &str| START.replace(' ', blank);
        for (text, word) in [
            (blank("\u{a0}"), "another kind of blank"),
            (blank("\u{202f}"), "another kind of blank"),
            (blank("\u{3000}"), "another kind of blank"),
            (format!("{START}\r\n"), "another kind of blank"),
            (format!("\u{feff}{START}"), "is invisible"),
            (START.replace(" - ", " – "), "is not -; read as -"),
            (START.replace(" - ", " − "), "is not -"),
            (format!("\"{START}\""), "FEN, character 1: \"\\\"\" is a quotation mark; ignored"),
            (format!("“{START}”"), "is a quotation mark"),
            (format!("'{START}' "), "is a quotation mark"),
            (format!("« {START} »"), "is a quotation mark"),
            (START.replace("RNBQ", "R~NBQ~"), "marks a promoted piece; ignored"),
            (START.replace(" w ", " W "), "\"W\" is neither w nor b; read as w"),
            (START.replace(" w ", " white "), "read as w"),
            (START.replace("0 1", "0 0"), "expected a number from 1 to 9999; read as 1"),
        ] {
            let (fen, warning) = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(fen, START, "{text}");
            assert!(warning.contains(word) && !warning.contains(char::is_control), "{text}: {warning}");
            let strict = Chess::read_fen(&text, &mut Tolerance::strict());
            assert!(strict.is_err(), "{text} is refused when strict");
        }
        let xiangqi = "3k5/9/9/9/9/9/9/9/9/4K4 w – – 0\u{a0}1";
        assert!(Xiangqi::from_fen_lenient(xiangqi).unwrap().1.is_some());
    }

    /// `tests/data/fens.txt` has what is read without that.
    #[test]
    fn where_chess960_is_meant_its_castling_needs_no_files() {
        for (fen, with_files) in [
            ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1"),
            ("3k3r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "3k3r/8/8/8/8/8/8/R3K2R w HAh - 0 1"),
        ] {
            let strict = Chess::from_fen(with_files).unwrap();
            for mut tolerance in
                [Tolerance::strict(), Tolerance::lenient()].map(|tolerance| tolerance.for_chess960(true))
            {
                assert_eq!((Chess::read_fen(fen, &mut tolerance), tolerance.warning()), (Ok(strict), None));
            }
        }
    }

    #[test]
    fn unclear_texts_are_refused_at_their_place_in_the_original() {
        let [underscores, encoded, plus] = ["_", "%20", "+"].map(|blank| START.replace(' ', blank));
        let behind = [";", " ;D1 20", " moves e2e4", ", "].map(|text| format!("{START}{text}"));
        let epd = START.replace("0 1", "bm e4;");
        for (text, field, offset) in [
            ("\"\"", "FEN board", 2),
            (&format!("fen {START}"), "FEN board", 0),
            (&format!("position fen {START}"), "FEN board", 0),
            (&format!("FEN: {START}"), "FEN board", 0),
            (&format!("[FEN \"{START}\"]"), "FEN board", 0),
            ("“8/8/8/8/8/8/8/X7 w – – 0 1”", "FEN board", 17),
            (&underscores, "FEN board", 43),
            (&encoded, "FEN board", 43),
            (&plus, "FEN board", 43),
            (&behind[0], "FEN full-move number", 55),
            (&behind[1], "FEN", 57),
            (&behind[2], "FEN", 57),
            (&behind[3], "FEN full-move number", 55),
            (&epd, "FEN half-move clock", 53),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.field, error.offset), (field, offset), "{text}: {error}");
        }
    }
}
