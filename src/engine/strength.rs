//! Limited strength, for `Settings::strength`: fewer nodes, and evaluations with a random error. They do not prevent a
//! mate that every player knows.
//!
//! The scale was measured in matches against another engine with limited strength, and below 1350 against itself:
//! `tests/tools/notebook/2026-11-strength.md` has the tables. Changes of the evaluation shift it.

use super::score::{EVAL_BOUND, Value};
use crate::base::rng::SplitMix64;
use crate::game::{Position, Searchable};
use std::time::{SystemTime, UNIX_EPOCH};

/// Lowest Elo for limited strength.
pub const MIN_ELO: u32 = 800;
/// Highest Elo for limited strength.
pub const MAX_ELO: u32 = 2100;

/// At this level, above the highest of the scale, the evaluation would have no error.
const ERROR_FREE_LEVEL: u32 = 1400;

/// Nodes enough for a mate that every player knows, whatever the strength.
const BASIC_MATE_NODES: u64 = 5_000;

/// Elo and the internal strength level, interpolated linearly.
const SCALE: [(u32, u32); 5] = [(MIN_ELO, 132), (1200, 313), (1500, 462), (1800, 708), (MAX_ELO, 1130)];

/// The internal strength level for `elo`.
fn level(elo: u32) -> u32 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = SCALE.partition_point(|&(end, _)| end < elo).max(1);
    let [(low, first), (high, last)] = [SCALE[above - 1], SCALE[above]];
    first + (elo - low) * (last - first) / (high - low)
}

/// The handicap of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// Node limit for one move, other than in basic mates.
    nodes: u64,
    /// Largest evaluation error, in centipawns.
    error: Value,
    seed: u64,
}

impl Handicap {
    /// The handicap for a strength in Elo. The errors differ from search to search.
    pub(super) fn of(elo: u32) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64;
        let level = level(elo);
        let error = (ERROR_FREE_LEVEL.saturating_sub(level) / 5) as Value;
        // From 73 nodes at the lowest level to 7,400 at the highest, doubling every 150 levels.
        let nodes = (40.0 * 2f64.powf(f64::from(level) / 150.0)) as u64;
        Handicap { nodes, error, seed }
    }

    /// The node limit for a move from `root`.
    pub(super) fn nodes<B: Searchable>(&self, root: &Position<B>) -> u64 {
        if root.is_basic_mate() { self.nodes.max(BASIC_MATE_NODES) } else { self.nodes }
    }

    /// The evaluation `value` of a position with its error. Basic mates are evaluated without one. Within a search the
    /// same position always gets the same error.
    pub(super) fn distort<B: Searchable>(&self, value: Value, pos: &Position<B>) -> Value {
        if pos.is_basic_mate() {
            return value;
        }
        let mut rng = SplitMix64::new(pos.key() ^ self.seed);
        // The sum of two uniform variables, so that small errors are more frequent than large ones.
        let dice = (rng.below(1001) + rng.below(1001)) as Value - 1000;
        (value + dice * self.error / 1000).clamp(1 - EVAL_BOUND, EVAL_BOUND - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_rise_and_errors_fall_with_elo() {
        assert_eq!([0, 800, 1_000, 1_200, 1_800].map(level), [132, 132, 222, 313, 708]);
        assert_eq!([MAX_ELO, 100_000].map(level), [1_130; 2]);
        let handicaps: Vec<_> = (MIN_ELO..=MAX_ELO).map(Handicap::of).collect();
        assert_eq!(handicaps.len() as u32, MAX_ELO - MIN_ELO + 1);
        assert!(handicaps.is_sorted_by(|a, b| a.nodes <= b.nodes && a.error >= b.error));
        assert!(handicaps[0].nodes == 73 && handicaps[0].error == 253);
    }
}
