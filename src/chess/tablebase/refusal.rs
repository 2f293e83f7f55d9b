//! Why a probe has no answer.

use super::layout::Metric;
use super::material::{MOST_MEN, Material};
use std::fmt;

/// Why a position has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Castling rights are left. Tables contain no such positions.
    Castling,
    /// There are more pieces than in any table.
    TooManyMen,
    /// This table is not in the folders.
    NoTable(Material, Metric),
    /// The file is damaged or cannot be read. `Tablebases::take_faults` reports the reason once.
    Damaged,
    /// The disk has not answered yet, and the caller did not want to wait.
    TooSlow,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Castling => f.write_str("tables contain no positions with castling rights"),
            Refusal::TooManyMen => write!(f, "no table has more than {MOST_MEN} pieces"),
            Refusal::NoTable(material, metric) => {
                write!(f, "there is no table {}.{}", material.stronger_first(), metric.extension())
            }
            Refusal::Damaged => f.write_str("its table is damaged"),
            Refusal::TooSlow => f.write_str("the disk did not answer in time"),
        }
    }
}

impl std::error::Error for Refusal {}
