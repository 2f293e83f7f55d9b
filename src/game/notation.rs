//! Positions and moves as text: the `Notation` contract and its error.
//!
//! Implemented by each game's `notation.rs`; called by `perft`, `cli` and the protocols. Input is
//! hostile: every malformed text becomes a [`NotationError`], never a panic.

use super::rules::Rules;
use std::fmt;

/// Why a position or a move could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// The part at fault: "FEN", "FEN castling", "move", …
    pub field: &'static str,
    /// Byte offset of the fault in the text that was given.
    pub offset: usize,
    /// What is wrong and what was expected; one line.
    pub reason: String,
}

impl NotationError {
    /// An error in `field` at byte `offset`.
    pub fn new(field: &'static str, offset: usize, reason: impl Into<String>) -> Self {
        NotationError { field, offset, reason: reason.into() }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, character {}: {}", self.field, self.offset + 1, self.reason)
    }
}

impl std::error::Error for NotationError {}

/// Hostile text made fit for a one-line error: quoted, escaped, cut after 40 characters.
pub fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

/// How a FEN is read: to the letter, or as the world writes them, where the meaning is plain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenReader {
    lenient: bool,
    remarks: Vec<String>,
}

impl FenReader {
    /// Every fault is an error.
    pub fn strict() -> Self {
        FenReader { lenient: false, remarks: Vec::new() }
    }

    /// Faults that leave no doubt about the position are remarked and passed over.
    pub fn lenient() -> Self {
        FenReader { lenient: true, remarks: Vec::new() }
    }

    /// Passes over `fault`, remarking what is done `instead` of refusing.
    ///
    /// # Errors
    /// With the fault itself if nothing is to be passed over.
    pub fn overlook(&mut self, fault: NotationError, instead: &str) -> Result<(), NotationError> {
        if !self.lenient {
            return Err(fault);
        }
        self.remarks.push(format!("{fault}; {instead}"));
        Ok(())
    }

    /// What was read otherwise than it was written, in one line; `None` if nothing was.
    pub fn warning(&self) -> Option<String> {
        (!self.remarks.is_empty()).then(|| self.remarks.join("; "))
    }
}

/// A field of a FEN and where it begins.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The name that errors give.
    pub name: &'static str,
    /// Byte offset in the whole text; its length if the field is missing.
    pub offset: usize,
    /// The field's text, empty if it is missing.
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// Splits a FEN at its blanks into the fields called `names`; returns them and how many were there.
    ///
    /// # Errors
    /// If the text is longer than `longest`, is not printable ASCII, or has further fields.
    pub fn split<const N: usize>(
        fen: &'a str,
        names: [&'static str; N],
        longest: usize,
    ) -> Result<([Field<'a>; N], usize), NotationError> {
        // First, so that every offset below lies between characters.
        if let Some(offset) = fen.bytes().position(|b| !matches!(b, b' ' | b'\t' | 0x21..=0x7e)) {
            let reason = "expected printable ASCII characters only";
            return Err(NotationError::new("FEN", offset, reason));
        }
        if fen.len() > longest {
            let reason = format!("{} characters, a FEN has at most {longest}", fen.len());
            return Err(NotationError::new("FEN", longest, reason));
        }
        let mut fields = names.map(|name| Field { name, offset: fen.len(), text: "" });
        let mut count = 0;
        for text in fen.split([' ', '\t']).filter(|word| !word.is_empty()) {
            // `text` is a part of `fen`, so the distance of their beginnings is its offset.
            let offset = text.as_ptr() as usize - fen.as_ptr() as usize;
            let Some(field) = fields.get_mut(count) else {
                let reason = format!("{} follows the last field, expected the end", quoted(text));
                return Err(NotationError::new("FEN", offset, reason));
            };
            (field.offset, field.text) = (offset, text);
            count += 1;
        }
        Ok((fields, count))
    }

    /// An error at byte `at` of this field.
    pub fn error(&self, at: usize, reason: impl Into<String>) -> NotationError {
        NotationError::new(self.name, self.offset + at, reason)
    }

    /// A decimal number of at most four digits or so; `default` where the field is missing.
    ///
    /// # Errors
    /// If the text is not a number that fits; the caller checks the range that `range` describes.
    pub fn number(&self, default: u16, range: &str) -> Result<u16, NotationError> {
        if self.text.is_empty() {
            return Ok(default);
        }
        let digits = self.text.bytes().all(|b| b.is_ascii_digit());
        self.text.parse().ok().filter(|_| digits).ok_or_else(|| {
            self.error(0, format!("{} is no number from {range}", quoted(self.text)))
        })
    }
}

/// Whether a text that is no position of either game was meant as one of xiangqi rather than of chess: by the
/// number of its ranks, or else by letters that only xiangqi has.
pub fn looks_like_xiangqi(fen: &str) -> bool {
    let board = fen.split_whitespace().next().unwrap_or("");
    match board.split('/').count() {
        8 => false,
        10 => true,
        _ => board.contains(['9', 'a', 'A', 'c', 'C']),
    }
}

/// A move as text, held in place so that printing one does not allocate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    bytes: [u8; 6],
    len: u8,
}

impl MoveText {
    /// The text of at most six ASCII characters.
    ///
    /// # Panics
    /// If `text` is longer or not ASCII: move texts are made by a game, never taken from input.
    pub fn new(text: &[u8]) -> Self {
        assert!(text.is_ascii(), "move text is ASCII");
        let mut bytes = [0; 6];
        bytes[..text.len()].copy_from_slice(text);
        MoveText { bytes, len: text.len() as u8 }
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reading and writing of positions and moves.
pub trait Notation: Rules {
    /// The FEN of the initial position.
    const START_FEN: &'static str;

    /// Reads a position, strictly.
    ///
    /// # Errors
    /// If the text is malformed or no game can hold the position.
    fn from_fen(fen: &str) -> Result<Self, NotationError> {
        Self::read_fen(fen, &mut FenReader::strict())
    }
    /// Reads a position as strictly as `reader` does.
    ///
    /// # Errors
    /// If the text is malformed or no game can hold the position, and `reader` does not pass over that.
    fn read_fen(fen: &str, reader: &mut FenReader) -> Result<Self, NotationError>;
    /// Writes the position; reading the result, as strictly as this position was read, is this position again.
    fn to_fen(&self) -> String;
    /// Reads a move in coordinate form.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;
    /// Writes a legal move in coordinate form.
    fn move_text(&self, m: Self::Move) -> MoveText;
}
