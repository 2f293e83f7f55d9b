//! Playing weaker than possible, for `set_strength`: fewer nodes, and an evaluation that errs; and playing
//! less predictably, for `set_randomness`: an evaluation that errs a little.
//!
//! The scale is rough: short matches against another engine of limited strength (24 to 30 games each) gave
//! even play at 1500 and about 140 points too little at 2100 with fewer nodes than now; a long match is
//! still to be played.

use super::score::{EVAL_BOUND, Score};
use crate::base::rng::SplitMix64;
use std::time::{SystemTime, UNIX_EPOCH};

/// Weakest play that can be asked for, in Elo.
pub const MIN_ELO: u32 = 800;
/// Strongest play that can be asked for with limited strength, in Elo.
pub const MAX_ELO: u32 = 2600;

/// From here on the evaluation does not err.
const SURE_ELO: u32 = 2200;

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
        let above = elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO;
        let error = (SURE_ELO.saturating_sub(MIN_ELO + above) / 5) as Score;
        // From 40 nodes at the lower end to 160,000 at the upper: a factor of two for 150 Elo.
        let nodes = (40.0 * 2f64.powf(f64::from(above) / 150.0)) as u64;
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
