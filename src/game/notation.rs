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

/// A move as text, held in place so that printing one does not allocate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    bytes: [u8; 5],
    len: u8,
}

impl MoveText {
    /// The text of at most five ASCII characters.
    ///
    /// # Panics
    /// If `text` is longer or not ASCII: move texts are made by a game, never taken from input.
    pub fn new(text: &[u8]) -> Self {
        assert!(text.is_ascii(), "move text is ASCII");
        let mut bytes = [0; 5];
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

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is malformed or no game can hold the position.
    fn from_fen(fen: &str) -> Result<Self, NotationError>;
    /// Writes the position; `from_fen` of the result is this position again.
    fn to_fen(&self) -> String;
    /// Reads a move in coordinate form.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;
    /// Writes a legal move in coordinate form.
    fn move_text(&self, m: Self::Move) -> MoveText;
}
