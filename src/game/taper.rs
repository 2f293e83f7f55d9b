//! Evaluations by weighted features: a middlegame and an endgame value in one number, so that both are added at
//! once, and what becomes of the features that an evaluation finds.
//!
//! Used by the `eval` of a game without a network (xiangqi), which names the features; knows nothing of pieces.

use super::side::Side;
use std::marker::PhantomData;

/// `eg << 16` plus `mg`. Sums and multiples keep both parts apart as long as each fits sixteen bits.
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

/// Receives features. Playing adds up weights; tuning notes the counts.
pub trait Tracer {
    /// Notes `count` occurrences of a feature for `side`.
    fn add(&mut self, side: Side, feature: usize, count: i32);
    /// Notes `count` occurrences of a part of the attack by `side`.
    fn danger(&mut self, side: Side, part: usize, count: i32);
}

/// The tables of weights of a game.
pub trait Weights {
    /// The weight of a feature.
    fn feature(feature: usize) -> Packed;
    /// The weight of a part of the attack on a king.
    fn danger(part: usize) -> i32;
}

/// Adds up weights.
pub struct Sum<W> {
    /// The features, for the first player.
    pub total: Packed,
    /// The attack of each side.
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

/// What a tuner must know of a position with `DANGERS` parts of the attack on a king.
#[derive(Clone, Debug)]
pub struct Trace<const DANGERS: usize> {
    /// Count of each feature, the first player's minus the second's.
    pub counts: Vec<i16>,
    /// Count of each part of the attack by either player.
    pub dangers: [[i16; DANGERS]; 2],
    /// Game phase, from 0 to the `PHASE` of the game.
    pub phase: i32,
    /// Scale of the value, up to the `FULL_SCALE` of the game.
    pub scale: i32,
}

impl<const DANGERS: usize> Trace<DANGERS> {
    /// No features yet.
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
