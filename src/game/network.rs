//! Small neural networks, efficiently updatable: what a position is to one, and the arithmetic of the three layers.
//!
//! Each game names its inputs (`eval/inputs.rs`) and keeps its weights; networks are trained by `tests/tools/train`.
//! The arithmetic is in whole numbers and written so that compilers make vectors of it: callers run it inside
//! `base::cpu::dispatch_vectors`, and every level of CPU gives the same numbers. Nothing here knows a game.

use super::playable::Playable;
use super::side::Side;
use crate::base::cpu::{Cpu, LANES, LARGEST_FACTOR, QuadWeights};

/// A hidden sum of 1; larger ones are clamped to it. Weights of the hidden layer are at most half of it: bytes.
pub const HIDDEN_ONE: i16 = 255;
/// A weight of 1 of the neurons, whose weights are bytes and so less than that.
pub const NEURON_WEIGHT_ONE: i16 = 128;
/// A weight of 1 of the output.
pub const WEIGHT_ONE: i16 = 1024;
/// Bits that a hidden value loses when it has been squared: 255² becomes 127, which is its 1.
const SQUARE_BITS: u32 = 9;
/// Bits that a sum of the second layer loses, which then counts as [`NEURON_ONE`] where it is 1.
const NEURON_BITS: u32 = 4;
/// A value of 1 of the second layer: 127 · [`NEURON_WEIGHT_ONE`] / 16.
pub const NEURON_ONE: i32 = 1016;
/// Parts of 1 in which biases of the neurons are given.
pub const NEURON_BIAS_ONE: i32 = NEURON_ONE << NEURON_BITS;
/// Parts of 1 in which the bias of the output is given: 127 · [`WEIGHT_ONE`].
pub const BIAS_ONE: i32 = LARGEST_FACTOR as i32 * WEIGHT_ONE as i32;
/// Parts of 1 of an output.
pub const OUTPUT_ONE: i32 = NEURON_ONE * WEIGHT_ONE as i32;

/// Most inputs that are ever on for one side: one for each man.
pub const MAX_ACTIVE: usize = 32;

/// A game whose positions can be put before a network of shape (inputs → hidden) × 2 → neurons → 1.
pub trait NetworkInputs: Playable {
    /// Inputs of a set: a kind of own or enemy piece on a square.
    const INPUTS: usize;
    /// Sets of inputs that one half of a network has; which of them is a man's, the game says.
    const SETS: usize;
    /// Hands over the inputs that are on as `view` sees the board, one for each man: the number of its set times
    /// [`NetworkInputs::INPUTS`] is added to them.
    fn inputs(&self, view: Side, on: impl FnMut(usize));
    /// Men on the board.
    fn men(&self) -> u32;
}

/// Replaces the rows of inputs that went off by those of inputs that went on.
#[inline(always)]
pub fn update<const N: usize>(rows: &[[u8; N]], sums: &mut [i16; N], off: &[u16], on: &[u16]) {
    let row = |input: &u16| rows[usize::from(*input)].map(|byte| i16::from(byte.cast_signed()));
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

/// The weights of the layers after the hidden one: of a hidden layer of two halves with `N` values each, and of `B`
/// times [`LANES`] neurons. The sum of each neuron counts twice, clamped to 0..1 and squared (and at most 1), and a sum
/// of its own goes straight to the output (after the networks of Stockfish since 2022). Weights of the output are in parts
/// of [`WEIGHT_ONE`] and less than 2 in size, so that sums fit thirty-two bits.
pub struct Layers<'a, const N: usize, const B: usize> {
    /// Weights of the neurons for each four of the `2 * N` hidden values, first those of the side to move, in parts of
    /// [`NEURON_WEIGHT_ONE`].
    pub neurons: &'a [QuadWeights<B>],
    /// Biases of the neurons in parts of [`NEURON_BIAS_ONE`].
    pub biases: &'a [[i32; LANES]; B],
    /// Weights of the sum that goes straight to the output.
    pub straight: &'a [[i16; N]; 2],
    /// Weights of the neurons' clamped and of their squared values.
    pub output: &'a [[[i16; LANES]; B]; 2],
    /// Bias of the output in parts of [`BIAS_ONE`].
    pub bias: i32,
}

impl<const N: usize, const B: usize> Layers<'_, N, B> {
    /// The output for the hidden sums of the side to move and of the other one, in parts of [`OUTPUT_ONE`].
    #[inline(always)]
    pub fn output<C: Cpu>(&self, cpu: C, sums: [&[i16; N]; 2]) -> i32 {
        const { assert!(N <= 256 && N.is_multiple_of(4) && B <= 4) };
        debug_assert!(4 * self.neurons.len() == 2 * N);
        let hidden = sums.map(squared);
        let mut neurons = *self.biases;
        cpu.add_products(&mut neurons, hidden.as_flattened().as_chunks().0, self.neurons);
        let [clamped, squares] = self.output.each_ref().map(|weights| weights.as_flattened());
        let through: i32 = neurons
            .as_flattened()
            .iter()
            .zip(clamped.iter().zip(squares))
            .map(|(sum, (&clamped, &square))| {
                let sum = sum >> NEURON_BITS;
                let size = sum.abs().min(NEURON_ONE);
                sum.clamp(0, NEURON_ONE) * i32::from(clamped)
                    + size * size / NEURON_ONE * i32::from(square)
            })
            .sum();
        (self.bias + dot(&hidden, self.straight)) * (OUTPUT_ONE / BIAS_ONE) + through
    }
}

/// Hidden values: sums clamped to 0..1 and squared (SCReLU).
#[inline(always)]
fn squared<const N: usize>(sums: &[i16; N]) -> [u8; N] {
    sums.map(|sum| {
        let clamped = sum.clamp(0, HIDDEN_ONE) as u16;
        ((clamped * clamped + (1 << (SQUARE_BITS - 1))) >> SQUARE_BITS) as u8
    })
}

#[inline(always)]
fn dot<const N: usize>(values: &[[u8; N]; 2], weights: &[[i16; N]; 2]) -> i32 {
    let pairs = values.as_flattened().iter().zip(weights.as_flattened());
    pairs.map(|(&value, &weight)| i32::from(value) * i32::from(weight)).sum()
}
