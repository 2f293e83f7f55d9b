//! Small neural networks, efficiently updatable: what a position is to one, and the arithmetic of the two layers.
//!
//! Each game names its inputs (`eval/inputs.rs`) and keeps its weights; networks are trained by `tests/tools/train`.
//! The arithmetic is in whole numbers and written so that compilers make vectors of it: callers run it inside
//! `base::cpu::dispatch_vectors`, and every level of CPU gives the same numbers. Nothing here knows a game.

use super::playable::Playable;
use super::side::Side;

/// A table that begins at a cache line.
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

/// A hidden value of 1; larger ones are clamped to it.
pub const HIDDEN_ONE: i16 = 255;
/// An output weight of 1.
pub const OUTPUT_ONE: i16 = 64;

/// Most inputs that are ever on for one side: one for each man.
pub const MAX_ACTIVE: usize = 32;

/// A game whose positions can be put before a network of shape (inputs → hidden) × 2 → 1.
pub trait NetworkInputs: Playable {
    /// Inputs of one half of a network that tells no classes of men apart: a kind of own or enemy piece on a square.
    const INPUTS: usize;
    /// Classes of men that a network may tell apart, each with all the inputs.
    const CLASSES: usize;
    /// Hands over the inputs that are on as `view` sees the board, one for each man, in a network of 1 or
    /// [`NetworkInputs::CLASSES`] classes: the number of its class times [`NetworkInputs::INPUTS`] is added to them.
    fn inputs(&self, view: Side, classes: usize, on: impl FnMut(usize));
    /// Men on the board.
    fn men(&self) -> u32;
}

/// Replaces the rows of inputs that went off by those of inputs that went on.
#[inline(always)]
pub fn update<const N: usize>(rows: &[[i16; N]], sums: &mut [i16; N], off: &[u16], on: &[u16]) {
    let row = |input: &u16| &rows[usize::from(*input)];
    let both = off.len().min(on.len());
    for (off, on) in off.iter().zip(on) {
        let (off, on) = (row(off), row(on));
        for i in 0..N {
            sums[i] = sums[i].wrapping_add(on[i]).wrapping_sub(off[i]);
        }
    }
    for off in off[both..].iter().map(row) {
        for i in 0..N {
            sums[i] = sums[i].wrapping_sub(off[i]);
        }
    }
    for on in on[both..].iter().map(row) {
        for i in 0..N {
            sums[i] = sums[i].wrapping_add(on[i]);
        }
    }
}

/// One half of the output: hidden sums, clamped to 0..1 and squared (SCReLU), times their weights, in units of
/// `HIDDEN_ONE`² · `OUTPUT_ONE`. A weight is at most 127 in size, so that its product with a clamped sum fits sixteen
/// bits, and at most 256 products of both with the sum again fit thirty-two.
#[inline(always)]
pub fn half_output<const N: usize>(sums: &[i16; N], weights: &[i16; N]) -> i32 {
    const { assert!(N <= 256) };
    let mut total = 0;
    for i in 0..N {
        let clamped = sums[i].clamp(0, HIDDEN_ONE);
        total += i32::from(clamped.wrapping_mul(weights[i])) * i32::from(clamped);
    }
    total
}

/// The output of both halves in centipawns.
#[inline(always)]
pub fn centipawns(halves: [i32; 2], bias: i32, scale: i32) -> i32 {
    let [hidden, output] = [i64::from(HIDDEN_ONE), i64::from(OUTPUT_ONE)];
    let sum = (i64::from(halves[0]) + i64::from(halves[1])) / hidden + i64::from(bias);
    (sum * i64::from(scale) / (hidden * output)) as i32
}
