//! Tapered evaluation from weighted features. Middlegame and endgame values are packed into one number and added
//! together; tracers receive the features and either sum their weights or count them for a tuner.
//!
//! Used by the evaluation of xiangqi, which defines the features. (Chess evaluates with a network.)

use super::side::Side;
use std::marker::PhantomData;

/// `(eg << 16) + mg`. Sums and multiples keep the two parts separate as long as each fits 16 bits.
pub type Packed = i32;

/// Packs one weight.
pub const fn pack((mg, eg): (i16, i16)) -> Packed {
    ((eg as i32) << 16) + mg as i32
}

/// The middlegame part.
pub const fn middlegame(packed: Packed) -> i32 {
    packed as i16 as i32
}

/// The endgame part.
pub const fn endgame(packed: Packed) -> i32 {
    ((packed + 0x8000) >> 16) as i16 as i32
}

/// Packs a table of weights.
pub const fn pack_all<const N: usize>(weights: &[(i16, i16); N]) -> [Packed; N] {
    let mut packed = [0; N];
    let mut i = 0;
    while i < N {
        packed[i] = pack(weights[i]);
        i += 1;
    }
    packed
}

/// Receives the features of a position. Evaluation sums weights; tuning records counts.
pub trait Tracer {
    /// Adds `count` occurrences of a feature for `side`.
    fn add(&mut self, side: Side, feature: usize, count: i32);
    /// Adds `count` occurrences of a king-attack term by `side`.
    fn danger(&mut self, side: Side, part: usize, count: i32);
}

/// The weights of a game.
pub trait Weights {
    /// The weight of a feature.
    fn feature(feature: usize) -> Packed;
    /// The weight of a king-attack term.
    fn danger(part: usize) -> i32;
}

/// Sums weights.
pub struct Sum<W> {
    /// The sum of the features, from the first side's point of view.
    pub total: Packed,
    /// The king-attack sum of each side.
    pub danger: [i32; 2],
    weights: PhantomData<W>,
}

impl<W> Default for Sum<W> {
    #[inline(always)]
    fn default() -> Self {
        Sum { total: 0, danger: [0; 2], weights: PhantomData }
    }
}

impl<W: Weights> Tracer for Sum<W> {
    #[inline(always)]
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        let value = W::feature(feature) * count;
        self.total += if matches!(side, Side::First) { value } else { -value };
    }
    #[inline(always)]
    fn danger(&mut self, side: Side, part: usize, count: i32) {
        self.danger[side.index()] += W::danger(part) * count;
    }
}

/// The feature counts of a position for a tuner, with `DANGERS` king-attack terms.
#[derive(Clone, Debug)]
pub struct Trace<const DANGERS: usize> {
    /// Count of each feature, first side minus second side.
    pub counts: Vec<i16>,
    /// Count of each king-attack term, by side.
    pub dangers: [[i16; DANGERS]; 2],
    /// Game phase, from 0 to the game's `PHASE`.
    pub phase: i32,
    /// Scale factor of the value, up to the game's `FULL_SCALE`.
    pub scale: i32,
}

impl<const DANGERS: usize> Trace<DANGERS> {
    /// A trace without features.
    pub fn new(features: usize, phase: i32, scale: i32) -> Self {
        Trace { counts: vec![0; features], dangers: [[0; DANGERS]; 2], phase, scale }
    }
}

impl<const DANGERS: usize> Tracer for Trace<DANGERS> {
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        self.counts[feature] += if side == Side::First { count as i16 } else { -count as i16 };
    }
    fn danger(&mut self, side: Side, part: usize, count: i32) {
        self.dangers[side.index()][part] += count as i16;
    }
}
