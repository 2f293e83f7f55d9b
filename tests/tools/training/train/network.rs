//! The network in floating point, forward and backward: (inputs → hidden) × 2 → neurons → 1.
//!
//! The head of `src/network/mod.rs` explains the network; here the sizes are options. The sigmoid of the output is
//! the expected result of the side to move.

use super::data::Sample;
use std::ops::Range;
use tabiya::base::cpu::{Cpu, CpuTask, dispatch_vectors};
use tabiya::network::MAX_ACTIVE;

/// Largest number of neurons in the second layer.
pub const MOST_NEURONS: usize = 64;

/// Sizes of a network.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Inputs of one view, those of all sets.
    pub inputs: usize,
    pub sets: usize,
    pub hidden: usize,
    /// Neurons of the second layer.
    pub neurons: usize,
    pub buckets: usize,
}

/// The ranges of each kind of weights among all weights of a network.
pub struct Places {
    pub rows: Range<usize>,
    pub biases: Range<usize>,
    /// Weights of the neurons: for each bucket and neuron those of both views.
    pub second: Range<usize>,
    /// Straight weights: for each bucket those of both views.
    pub straight: Range<usize>,
    /// Output weights: for each bucket those of the clamped, then those of the squared sums.
    pub output: Range<usize>,
    pub second_biases: Range<usize>,
    pub output_biases: Range<usize>,
}

impl Shape {
    pub fn places(&self) -> Places {
        let mut end = 0;
        let mut next = |size: usize| {
            end += size;
            end - size..end
        };
        Places {
            rows: next(self.inputs * self.hidden),
            biases: next(self.hidden),
            second: next(self.buckets * self.neurons * 2 * self.hidden),
            straight: next(self.buckets * 2 * self.hidden),
            output: next(self.buckets * 2 * self.neurons),
            second_biases: next(self.buckets * self.neurons),
            output_biases: next(self.buckets),
        }
    }

    /// The number of all weights.
    pub fn all(&self) -> usize {
        self.places().output_biases.end
    }

    /// Number of input weights that the sets share: as many as each set has.
    pub fn shared(&self) -> usize {
        self.inputs / self.sets * self.hidden
    }

    /// The bucket for a position with this many pieces.
    pub fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) * self.buckets / MAX_ACTIVE).min(self.buckets - 1)
    }
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The hidden sums of both views.
struct Hidden<const N: usize>([[f32; N]; 2]);

impl<const N: usize> Hidden<N> {
    #[inline(always)]
    fn of(weights: &[f32], shape: &Shape, sample: &Sample) -> Self {
        let Places { rows, biases, .. } = shape.places();
        let (rows, biases) = (weights[rows].as_chunks::<N>().0, &weights[biases]);
        let mut sums = [[0.0; N]; 2];
        for (view, sum) in sums.iter_mut().enumerate() {
            sum.copy_from_slice(biases);
            for &input in sample.on(view) {
                for (sum, weight) in sum.iter_mut().zip(&rows[usize::from(input)]) {
                    *sum += weight;
                }
            }
        }
        Hidden(sums)
    }

    /// The hidden values.
    #[inline(always)]
    fn values(&self) -> [[f32; N]; 2] {
        self.0.map(|sums| sums.map(|sum| sum.clamp(0.0, 1.0) * sum.clamp(0.0, 1.0)))
    }
}

/// The dot product. Adds `LANES` products at a time, so that the compiler can vectorise it.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum()
}

/// The ranges of one bucket's weights after the hidden layer.
struct Layers {
    second: Range<usize>,
    straight: Range<usize>,
    output: Range<usize>,
    second_biases: Range<usize>,
    output_bias: usize,
}

impl Layers {
    #[inline(always)]
    fn of(shape: &Shape, pieces: usize) -> Layers {
        let (places, bucket) = (shape.places(), shape.bucket(pieces));
        let part = |range: Range<usize>| {
            let size = range.len() / shape.buckets;
            range.start + bucket * size..range.start + (bucket + 1) * size
        };
        Layers {
            second: part(places.second),
            straight: part(places.straight),
            output: part(places.output),
            second_biases: part(places.second_biases),
            output_bias: places.output_biases.start + bucket,
        }
    }

    /// The neuron sums; those after the last neuron are 0.
    #[inline(always)]
    fn sums<const N: usize>(&self, weights: &[f32], values: &[[f32; N]; 2]) -> [f32; MOST_NEURONS] {
        let rows = weights[self.second.clone()].chunks_exact(2 * N);
        let biases = &weights[self.second_biases.clone()];
        let mut sums = [0.0; MOST_NEURONS];
        for (sum, (row, bias)) in sums.iter_mut().zip(rows.zip(biases)) {
            *sum = bias + dot(values.as_flattened(), row);
        }
        sums
    }

    /// The output of the network, before the sigmoid.
    #[inline(always)]
    fn output<const N: usize>(&self, weights: &[f32], values: &[[f32; N]; 2], sums: &[f32; MOST_NEURONS]) -> f32 {
        let straight = dot(values.as_flattened(), &weights[self.straight.clone()]);
        let output = &weights[self.output.clone()];
        let (clamped, squared) = output.split_at(output.len() / 2);
        let neurons = sums.iter().zip(clamped.iter().zip(squared));
        let through = neurons
            .map(|(sum, (clamped, squared))| sum.clamp(0.0, 1.0) * clamped + (sum * sum).min(1.0) * squared)
            .sum::<f32>();
        weights[self.output_bias] + straight + through
    }
}

struct AddGradient<'a, const N: usize> {
    weights: &'a [f32],
    shape: &'a Shape,
    samples: &'a [&'a Sample],
    gradient: &'a mut [f32],
}

impl<const N: usize> CpuTask for AddGradient<'_, N> {
    type Output = f64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> f64 {
        add_each_gradient::<N>(self.weights, self.shape, self.samples, self.gradient)
    }
}

struct TotalLoss<'a, const N: usize> {
    weights: &'a [f32],
    shape: &'a Shape,
    samples: &'a [Sample],
}

impl<const N: usize> CpuTask for TotalLoss<'_, N> {
    type Output = f64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> f64 {
        sum_losses::<N>(self.weights, self.shape, self.samples)
    }
}

/// Adds the gradient of the samples' losses to `gradient` and returns the sum of the losses.
pub fn add_gradient<const N: usize>(weights: &[f32], shape: &Shape, samples: &[&Sample], gradient: &mut [f32]) -> f64 {
    dispatch_vectors(AddGradient::<N> { weights, shape, samples, gradient })
}

#[inline(always)]
fn add_each_gradient<const N: usize>(weights: &[f32], shape: &Shape, samples: &[&Sample], gradient: &mut [f32]) -> f64 {
    let Places { rows, biases, .. } = shape.places();
    let mut loss = 0.0;
    for sample in samples {
        let hidden = Hidden::<N>::of(weights, shape, sample);
        let values = hidden.values();
        let layers = Layers::of(shape, usize::from(sample.active));
        let sums = layers.sums(weights, &values);
        let expected = sigmoid(layers.output(weights, &values, &sums));
        let error = expected - sample.expected;
        loss += f64::from(error * error);
        let slope = 2.0 * error * expected * (1.0 - expected);
        let back = back_to_hidden(&layers, weights, slope, &values, &sums, gradient);
        for view in 0..2 {
            let mut back = back[view];
            for (back, &sum) in back.iter_mut().zip(&hidden.0[view]) {
                *back *= if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 };
            }
            add(&mut gradient[biases.clone()], 1.0, &back);
            let (rows, _) = gradient[rows.clone()].as_chunks_mut::<N>();
            for &input in sample.on(view) {
                add(&mut rows[usize::from(input)], 1.0, &back);
            }
        }
    }
    loss
}

/// Adds `times * values` to `sums`.
#[inline(always)]
fn add(sums: &mut [f32], times: f32, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += times * value;
    }
}

/// Backpropagates from the output to the hidden values: takes the derivative by the output, returns the derivatives
/// by the hidden values, and adds those by the weights in between to `gradient`.
#[inline(always)]
fn back_to_hidden<const N: usize>(
    layers: &Layers,
    weights: &[f32],
    slope: f32,
    values: &[[f32; N]; 2],
    sums: &[f32; MOST_NEURONS],
    gradient: &mut [f32],
) -> [[f32; N]; 2] {
    let values = values.as_flattened();
    let mut back = [[0.0; N]; 2];
    gradient[layers.output_bias] += slope;
    add(back.as_flattened_mut(), slope, &weights[layers.straight.clone()]);
    add(&mut gradient[layers.straight.clone()], slope, values);
    let count = layers.second_biases.len();
    for (neuron, &sum) in sums[..count].iter().enumerate() {
        let [clamped, squared] = [neuron, count + neuron].map(|i| layers.output.start + i);
        gradient[clamped] += slope * sum.clamp(0.0, 1.0);
        gradient[squared] += slope * (sum * sum).min(1.0);
        let inside = if sum > 0.0 && sum < 1.0 { weights[clamped] } else { 0.0 };
        let small = if sum * sum < 1.0 { weights[squared] * 2.0 * sum } else { 0.0 };
        let slope = slope * (inside + small);
        let at = layers.second.start + neuron * 2 * N;
        gradient[layers.second_biases.start + neuron] += slope;
        add(back.as_flattened_mut(), slope, &weights[at..at + 2 * N]);
        add(&mut gradient[at..at + 2 * N], slope, values);
    }
    back
}

/// The sum of the samples' losses.
pub fn total_loss<const N: usize>(weights: &[f32], shape: &Shape, samples: &[Sample]) -> f64 {
    dispatch_vectors(TotalLoss::<N> { weights, shape, samples })
}

#[inline(always)]
fn sum_losses<const N: usize>(weights: &[f32], shape: &Shape, samples: &[Sample]) -> f64 {
    let loss = |sample: &Sample| {
        let values = Hidden::<N>::of(weights, shape, sample).values();
        let layers = Layers::of(shape, usize::from(sample.active));
        let sums = layers.sums(weights, &values);
        let error = sigmoid(layers.output(weights, &values, &sums)) - sample.expected;
        f64::from(error * error)
    };
    samples.iter().map(loss).sum()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use tabiya::base::rng::SplitMix64;
    use tabiya::network::MAX_ACTIVE;

    pub const N: usize = 32;
    pub const SHAPE: Shape = Shape { inputs: 12, sets: 3, hidden: N, neurons: 4, buckets: 2 };

    pub fn sample(rng: &mut SplitMix64) -> Sample {
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        inputs.as_flattened_mut().iter_mut().for_each(|input| *input = rng.below(12) as u16);
        Sample { inputs, active: 1 + rng.below(32) as u8, expected: rng.below(101) as f32 / 100.0 }
    }

    #[test]
    fn gradients_match_difference_quotients() {
        let mut rng = SplitMix64::new(3);
        let all = SHAPE.all();
        // Sums far from the corners of the clamps: above, below, and in between.
        let Places { rows, biases, second, second_biases, .. } = SHAPE.places();
        let mut random = |size: f32| size * (rng.below(2_001) as f32 / 1_000.0 - 1.0);
        let mut weights: Vec<f32> = (0..all)
            .map(|i| match i {
                _ if rows.contains(&i) => random(0.01),
                _ if biases.contains(&i) => [2.0, -1.0, 0.4, 0.6][i % 4],
                _ if second.contains(&i) => random(0.01),
                _ if second_biases.contains(&i) => [2.0, -0.4, 0.4, -2.0][i % 4],
                _ => random(0.5),
            })
            .collect();
        let samples: Vec<Sample> = (0..20).map(|_| sample(&mut rng)).collect();
        let chosen: Vec<&Sample> = samples.iter().collect();
        let mut gradient = vec![0.0; all];
        let loss = add_gradient::<N>(&weights, &SHAPE, &chosen, &mut gradient);
        assert!((loss - total_loss::<N>(&weights, &SHAPE, &samples)).abs() < 1e-5);
        let largest = gradient.iter().fold(0.0, |size: f32, g| size.max(g.abs()));
        let mut seen = 0;
        for i in 0..all {
            let step = 0.002;
            let before = weights[i];
            let mut at = |weight| {
                weights[i] = weight;
                total_loss::<N>(&weights, &SHAPE, &samples)
            };
            let slope = (at(before + step) - at(before - step)) / (2.0 * f64::from(step));
            weights[i] = before;
            let error = (slope - f64::from(gradient[i])).abs();
            assert!(error < 0.02 * f64::from(largest), "{i}: {slope} {}", gradient[i]);
            seen += u32::from(gradient[i].abs() > 0.1 * largest);
        }
        assert!(seen > 10, "{seen}");
    }
}
