//! [`PerftError`]: why a run has no total.

use crate::base::text::readable_error;
use crate::game::count::kernel::MAX_DEPTH;
use std::fmt;

/// Why a run has no total.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::{Perft, PerftError};
///
/// let error = Perft::new(Position::default()).hash(1 << 40).count(5).unwrap_err();
/// assert_eq!(error, PerftError::Memory { megabytes: 1 << 40 });
///
/// let kings = Perft::new("8/8/8/8/8/8/8/k1K5 w - - 0 1".parse::<Position>()?).hash(16);
/// assert_eq!(kings.count(20)?, 1_227_880_141_214_958);
/// assert_eq!(kings.count(49), Err(PerftError::Overflow));
/// assert_eq!(kings.count(200), Err(PerftError::Depth));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PerftError {
    /// The memory that may be used is too small, or it is not there.
    Memory {
        /// The megabytes that are needed, by an estimate.
        megabytes: usize,
    },
    /// 2⁵⁵ or more sequences lead to one position, or there are 2¹²⁸ in all.
    Overflow,
    /// The depth is above [`MAX_DEPTH`](super::MAX_DEPTH).
    Depth,
    /// The run was stopped by its [`watch`](super::Perft::watch).
    Stopped,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftError::Memory { megabytes } => {
                write!(f, "this needs {megabytes} MB of memory, more than it may use")
            }
            PerftError::Overflow => {
                f.write_str("too many sequences: 2^55 or more lead to one position, or there are 2^128 in all")
            }
            PerftError::Depth => write!(f, "the depth is too large, expected at most {MAX_DEPTH}"),
            PerftError::Stopped => f.write_str("the count was stopped"),
        }
    }
}

readable_error!(PerftError);

impl From<PerftError> for String {
    fn from(error: PerftError) -> String {
        error.to_string()
    }
}
