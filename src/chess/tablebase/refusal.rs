//! Why a probe has no answer.

use std::fmt;

/// Why there is no answer about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A side may still castle: tables know no such positions.
    Castling,
    /// No table has this material, or the folder lacks it.
    NoTable,
    /// The file is damaged or cannot be read. What is wrong with it is told once, by
    /// `Tablebases::take_faults`.
    Damaged,
    /// The disk has not answered yet, and the caller would not wait.
    TooSlow,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Castling => "tables know no positions with castling rights",
            Refusal::NoTable => "there is no table for this material",
            Refusal::Damaged => "its table is damaged",
            Refusal::TooSlow => "the disk has not answered in time",
        })
    }
}

impl std::error::Error for Refusal {}
