//! The arithmetic of a network: adding rows of input weights, and the layers after the hidden sums.
//!
//! The head of `network` explains the integers. The loops are written so that the compiler vectorises them:
//! callers run them inside `base::cpu::dispatch_vectors`. All CPU levels give the same results.

use super::products::{LANES, LARGEST_FACTOR, QuadWeights, add_products};
use crate::base::cpu::Cpu;

/// 1 in the hidden sums and in the weights of the inputs, and the largest number whose square fits 16 bits. The
/// weights are bytes, so they are below 0.5.
pub const HIDDEN_ONE: i16 = 255;
/// 1 in the weights of the neurons. These weights are bytes, so they are below 1.
pub const NEURON_WEIGHT_ONE: i16 = 128;
/// 1 in the output weights and the straight weights.
pub const WEIGHT_ONE: i16 = 1024;
/// Shift of a squared hidden sum: 255² becomes 127, which is 1 in the hidden values.
const SQUARE_BITS: u32 = 9;
/// Shift of a neuron sum: [`NEURON_BIAS_ONE`] becomes [`NEURON_ONE`].
const NEURON_BITS: u32 = 4;
/// 1 in the neuron values: 127 · [`NEURON_WEIGHT_ONE`] / 16.
pub const NEURON_ONE: i32 = 1016;
/// 1 in the neuron sums and biases: 127 · [`NEURON_WEIGHT_ONE`].
pub const NEURON_BIAS_ONE: i32 = NEURON_ONE << NEURON_BITS;
/// 1 in the straight sum and the output bias: 127 · [`WEIGHT_ONE`].
pub const BIAS_ONE: i32 = LARGEST_FACTOR as i32 * WEIGHT_ONE as i32;
/// 1 in the output.
pub const OUTPUT_ONE: i32 = NEURON_ONE * WEIGHT_ONE as i32;

/// Subtracts the rows of the inputs that are now off from `sums` and adds those of the inputs that are now on. The
/// bytes of a row are `i8`.
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

/// The weights of the layers after the hidden one, for `N` hidden values in each view and `B` times [`LANES`]
/// neurons.
///
/// The sum of each neuron counts twice: clamped to 0..1, and squared (at most 1). Straight weights connect the hidden
/// values to the output (as in the networks of Stockfish since 2022). Output and straight weights are below 2 in
/// absolute value, so that sums fit 32 bits.
pub struct Layers<'a, const N: usize, const B: usize> {
    /// Weights of the neurons for each four of the `2 * N` hidden values, those of the side to move first. 1 is
    /// [`NEURON_WEIGHT_ONE`].
    pub neurons: &'a [QuadWeights<B>],
    /// Biases of the neurons; 1 is [`NEURON_BIAS_ONE`].
    pub biases: &'a [[i32; LANES]; B],
    /// Weights from the hidden values straight to the output; 1 is [`WEIGHT_ONE`].
    pub straight: &'a [[i16; N]; 2],
    /// Weights of the neurons' clamped and of their squared values; 1 is [`WEIGHT_ONE`].
    pub output: &'a [[[i16; LANES]; B]; 2],
    /// Bias of the output; 1 is [`BIAS_ONE`].
    pub bias: i32,
}

impl<const N: usize, const B: usize> Layers<'_, N, B> {
    /// The output for the hidden sums of the side to move and of its opponent; 1 is [`OUTPUT_ONE`].
    #[inline(always)]
    pub fn output<C: Cpu>(&self, cpu: C, sums: [&[i16; N]; 2]) -> i32 {
        const { assert!(N <= 256 && N.is_multiple_of(4) && B <= 4) };
        debug_assert!(4 * self.neurons.len() == 2 * N);
        let hidden = sums.map(squared);
        let mut neurons = *self.biases;
        add_products(cpu, &mut neurons, hidden.as_flattened().as_chunks().0, self.neurons);
        let [clamped, squares] = self.output.each_ref().map(|weights| weights.as_flattened());
        let through: i32 = neurons
            .as_flattened()
            .iter()
            .zip(clamped.iter().zip(squares))
            .map(|(sum, (&clamped, &square))| {
                let sum = sum >> NEURON_BITS;
                let size = sum.abs().min(NEURON_ONE);
                sum.clamp(0, NEURON_ONE) * i32::from(clamped) + size * size / NEURON_ONE * i32::from(square)
            })
            .sum();
        (self.bias + dot(&hidden, self.straight)) * (OUTPUT_ONE / BIAS_ONE) + through
    }
}

/// The hidden values: sums clamped to 0..1 and squared (SCReLU).
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
