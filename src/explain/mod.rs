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

/// Defines the rules of a game, each with its name: `Rule "name";`.
macro_rules! rule_table {
    ($(#[$doc:meta])* $rules:ident { $($rule:ident $name:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $rules { $(#[doc = $name] $rule,)* }

        impl std::fmt::Display for $rules {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self { $($rules::$rule => $name,)* })
            }
        }
    };
}
pub(crate) use rule_table;
