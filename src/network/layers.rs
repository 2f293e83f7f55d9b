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
    let both = off.len().min(on.len());
    for at in 0..both {
        let (off, on) = (&rows[usize::from(off[at])], &rows[usize::from(on[at])]);
        for i in 0..N {
            let change = i16::from(on[i].cast_signed()) - i16::from(off[i].cast_signed());
            sums[i] = sums[i].wrapping_add(change);
        }
    }
    for &off in &off[both..] {
        let off = &rows[usize::from(off)];
        for i in 0..N {
            sums[i] = sums[i].wrapping_sub(i16::from(off[i].cast_signed()));
        }
    }
    for &on in &on[both..] {
        let on = &rows[usize::from(on)];
        for i in 0..N {
            sums[i] = sums[i].wrapping_add(i16::from(on[i].cast_signed()));
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
        let hidden = [squared(sums[0]), squared(sums[1])];
        let mut neurons = *self.biases;
        add_products(cpu, &mut neurons, hidden.as_flattened().as_chunks().0, self.neurons);
        let mut through = 0;
        for block in 0..B {
            for lane in 0..LANES {
                let sum = neurons[block][lane] >> NEURON_BITS;
                let size = sum.abs().min(NEURON_ONE);
                let [clamped, square] = [self.output[0][block][lane], self.output[1][block][lane]];
                through += sum.clamp(0, NEURON_ONE) * i32::from(clamped);
                through += size * size / NEURON_ONE * i32::from(square);
            }
        }
        (self.bias + dot(&hidden, self.straight)) * (OUTPUT_ONE / BIAS_ONE) + through
    }
}

/// The hidden values: sums clamped to 0..1 and squared (SCReLU).
#[inline(always)]
fn squared<const N: usize>(sums: &[i16; N]) -> [u8; N] {
    let mut values = [0; N];
    for i in 0..N {
        let clamped = sums[i].clamp(0, HIDDEN_ONE) as u16;
        values[i] = ((clamped * clamped + (1 << (SQUARE_BITS - 1))) >> SQUARE_BITS) as u8;
    }
    values
}

#[inline(always)]
fn dot<const N: usize>(values: &[[u8; N]; 2], weights: &[[i16; N]; 2]) -> i32 {
    let mut sum = 0;
    for view in 0..2 {
        for i in 0..N {
            sum += i32::from(values[view][i]) * i32::from(weights[view][i]);
        }
    }
    sum
}
