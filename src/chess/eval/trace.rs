//! What becomes of features: sums of weights when the engine plays, counts when the weights are tuned.
//!
//! `eval` reports each feature once, to either; the code of both is `game::taper`'s.

use super::features::{DANGERS, FEATURES};
use super::weights::{DANGER, WEIGHTS};
use crate::game::taper::{self, Packed, Weights, pack_all};

/// The weights as the sums use them.
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

/// Adds up weights.
pub(super) type Sum = taper::Sum<Tuned>;
/// What a tuner must know of a position.
pub type Trace = taper::Trace<DANGERS>;
