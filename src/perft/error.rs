//! [`PerftError`]: why a run has no total.
//!
//! Returned by `count` and the builder; the command line adds the name of the option.

use crate::base::pages::HashError;
use std::fmt;

/// Why a run has no total.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::{Perft, PerftError};
///
/// let kings = Perft::new("8/8/8/8/8/8/8/k1K5 w - - 0 1".parse::<Position>()?).hash(16);
/// assert_eq!(kings.count(48)?, 270_488_675_661_692_507_126_563_718_525_773_314_511);
/// assert_eq!(kings.count(49), Err(PerftError::Overflow));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PerftError {
    /// There is no memory for the hash table.
    Memory(HashError),
    /// The total is 2¹²⁸ or more.
    Overflow,
    #[doc(hidden)]
    /// The checkpoint cannot be used. Nothing has been counted.
    Checkpoint(String),
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftError::Memory(error) => error.fmt(f),
            PerftError::Overflow => f.write_str("the total is 2^128 or more"),
            PerftError::Checkpoint(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for PerftError {}

impl From<HashError> for PerftError {
    fn from(error: HashError) -> Self {
        PerftError::Memory(error)
    }
}

impl From<PerftError> for String {
    fn from(error: PerftError) -> String {
        error.to_string()
    }
}
