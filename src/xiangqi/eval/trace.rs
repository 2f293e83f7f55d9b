//! Sums of weights for the evaluation, feature counts for tuning.
//!
//! `eval` passes each feature once to either of them; `game::taper` has the code of both.

use super::features::{DANGERS, FEATURES};
use super::weights::{DANGER, WEIGHTS};
use crate::game::taper::{self, Packed, Weights, pack_all};

/// The weights in packed form.
static PACKED: [Packed; FEATURES] = pack_all(&WEIGHTS);

/// The weights of `weights.rs`.
pub(super) struct Tuned;

impl Weights for Tuned {
    #[inline(always)]
    fn feature(feature: usize) -> Packed {
        PACKED[feature]
    }
    #[inline(always)]
    fn danger(part: usize) -> i32 {
        i32::from(DANGER[part])
    }
}

/// Sums weights.
pub(super) type Sum = taper::Sum<Tuned>;
/// Counts features for a tuner.
pub type Trace = taper::Trace<DANGERS>;
