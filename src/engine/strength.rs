//! Playing weaker than possible, for `set_strength`: fewer nodes, and an evaluation that errs; and playing
//! less predictably, for `set_randomness`: an evaluation that errs a little.
//!
//! The scale was measured by short matches against another engine of limited strength: `tests/tools/README.md` has the
//! table. Below 1500 and above 2400 nothing was played.

use super::score::{EVAL_BOUND, Score};
use crate::base::rng::SplitMix64;
use std::time::{SystemTime, UNIX_EPOCH};

/// Weakest play that can be asked for, in Elo.
pub const MIN_ELO: u32 = 800;
/// Strongest play that can be asked for with limited strength, in Elo.
pub const MAX_ELO: u32 = 2600;

/// From this level on the evaluation does not err.
const SURE_LEVEL: u32 = 1400;

/// How strong the handicapped engine is to be, from 0 at the weakest up: 17 for each 20 Elo.
fn level(elo: u32) -> u32 {
    (elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO) * 17 / 20
}

/// What a weaker engine has to cope with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// Nodes for one move.
    pub nodes: u64,
    /// Largest error of the evaluation, in centipawns.
    error: Score,
    seed: u64,
}

impl Handicap {
    /// The handicap for a strength in Elo, or for full strength, with evaluations that err by `randomness`
    /// at least; `None` if there is none. The errors differ from search to search.
    pub(super) fn of(elo: Option<u32>, randomness: Score) -> Option<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64;
        let Some(elo) = elo else {
            let random = Handicap { nodes: u64::MAX, error: randomness, seed };
            return (randomness > 0).then_some(random);
        };
        let level = level(elo);
        let error = (SURE_LEVEL.saturating_sub(level) / 5) as Score;
        // From 40 nodes at the lower end to 47,000 at the upper: a factor of two for 150.
        let nodes = (40.0 * 2f64.powf(f64::from(level) / 150.0)) as u64;
        Some(Handicap { nodes, error: error.max(randomness), seed })
    }

    /// The evaluation as the weaker engine sees it: always the same error for the same position.
    pub(super) fn distort(&self, value: Score, key: u64) -> Score {
        let mut rng = SplitMix64::new(key ^ self.seed);
        // The sum of two dice: small errors are more frequent than large ones.
        let dice = (rng.below(1001) + rng.below(1001)) as Score - 1000;
        (value + dice * self.error / 1000).clamp(1 - EVAL_BOUND, EVAL_BOUND - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_of_everything() {
        assert_eq!([0, 1_800, 100_000].map(level), [0, 850, level(MAX_ELO)]);
        let handicaps: Vec<_> =
            (MIN_ELO..=MAX_ELO).filter_map(|elo| Handicap::of(Some(elo), 0)).collect();
        assert_eq!(handicaps.len() as u32, MAX_ELO - MIN_ELO + 1);
        assert!(handicaps.is_sorted_by(|a, b| a.nodes <= b.nodes && a.error >= b.error));
        assert!(handicaps[0].nodes == 40 && handicaps[0].error == 280);
    }
}
