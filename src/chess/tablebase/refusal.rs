//! Why a probe has no answer.

use std::fmt;

/// Why a position has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Castling rights are left. Tables contain no such positions.
    Castling,
    /// There is no table for this material, or it is not in the folders.
    NoTable,
    /// The file is damaged or cannot be read. `Tablebases::take_faults` reports the reason once.
    Damaged,
    /// The disk has not answered yet, and the caller did not want to wait.
    TooSlow,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Castling => "tables contain no positions with castling rights",
            Refusal::NoTable => "there is no table for this material",
            Refusal::Damaged => "its table is damaged",
            Refusal::TooSlow => "the disk did not answer in time",
        })
    }
}

impl std::error::Error for Refusal {}
