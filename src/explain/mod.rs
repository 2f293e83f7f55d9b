//! Why a move is legal or not: the rule that it breaks, or that allows it, from the position alone.
//!
//! Each game has a folder with its rules and its sentences, slow and obvious, on plain boards without bit sets. They
//! stand above the games, and know of them only what any program can ask. `Position::explain` is here too; the doctor
//! also passes the positions that led to the move.

#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "xiangqi")]
pub mod xiangqi;

use std::fmt;

/// Why a move is legal or illegal; `Display` writes the sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation<R> {
    /// Whether the move is legal.
    pub legal: bool,
    /// The rule that it breaks, or that allows it if it is legal.
    pub rule: R,
    /// The rule with the pieces and squares concerned.
    pub sentence: String,
}

impl<R> fmt::Display for Explanation<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.sentence)
    }
}
