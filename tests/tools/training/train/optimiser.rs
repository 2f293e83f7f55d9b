//! The optimiser: AdamW on the weights of the network, with rows that all sets of inputs share (a factoriser).
//!
//! Each row of input weights is the sum of the set's own row and of a row that all sets share. The
//! shared rows learn from all positions; the sets' own rows start at zero and learn the differences. The network uses
//! the sums. The gradient of a shared row is the sum of the gradients of its sums, so that shared rows cost time only
//! in each step, not in each position.

use super::network::Shape;
use super::quantise::{LARGEST_IN_ROWS, parts};
use tabiya::base::cpu::{Cpu, CpuTask, dispatch_vectors};
use tabiya::base::rng::SplitMix64;

/// Parameters with their state of AdamW (Kingma and Ba 2014; Loshchilov and Hutter 2017): moving averages of the
/// gradient and of its square.
struct Parameters {
    values: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    gradient: Vec<f32>,
}

/// What all parameters have in common in a step.
struct Step {
    rate: f32,
    decay: f32,
    /// Bias corrections of the two moving averages: 1 - βᵗ.
    mean_correction: f32,
    square_correction: f32,
}

/// A range of parameters of one kind.
struct Part {
    /// Index after the last one.
    end: usize,
    /// Limit of their absolute value.
    limit: f32,
    /// Factor of the learning rate.
    share: f32,
}

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

impl Parameters {
    fn new(values: Vec<f32>) -> Parameters {
        let zeros = || vec![0.0; values.len()];
        Parameters { mean: zeros(), square: zeros(), gradient: zeros(), values }
    }

    /// One step by the gradient. Values stay within the limits of their part.
    #[inline(always)]
    fn step(&mut self, step: &Step, parts: &[Part]) {
        let mut begin = 0;
        for &Part { end, limit, share } in parts {
            let at = begin..end;
            let rate = share * step.rate;
            begin = end;
            let values = self.values[at.clone()].iter_mut().zip(&self.gradient[at.clone()]);
            let averages = self.mean[at.clone()].iter_mut().zip(&mut self.square[at]);
            for ((value, gradient), (mean, square)) in values.zip(averages) {
                *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
                *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
                let by = (*mean / step.mean_correction) / ((*square / step.square_correction).sqrt() + 1e-8);
                let stepped = *value - rate * (by + step.decay * *value);
                *value = stepped.clamp(-limit, limit);
            }
        }
    }
}

/// Adds the shared rows to the own rows of all sets.
#[inline(always)]
fn add_shared(rows: &mut [f32], shared: &[f32]) {
    for rows in rows.chunks_exact_mut(shared.len()) {
        for (row, shared) in rows.iter_mut().zip(shared) {
            *row = (*row + shared).clamp(-LARGEST_IN_ROWS, LARGEST_IN_ROWS);
        }
    }
}

/// The gradient of the shared rows, from that of the rows of all sets.
#[inline(always)]
fn shared_gradient(rows: &[f32], shared: &mut [f32]) {
    shared.fill(0.0);
    for rows in rows.chunks_exact(shared.len()) {
        for (shared, row) in shared.iter_mut().zip(rows) {
            *shared += row;
        }
    }
}

/// Sets `mean` to the mean gradient of `count` samples, whose sum is in `shards`, and clears the shards.
#[inline(always)]
fn take_mean(shards: &mut [Vec<f32>], mean: &mut [f32], count: usize) {
    /// Numbers that fit the L1 cache during the loop over the shards.
    const PART: usize = 1024;
    for (number, mean) in mean.chunks_mut(PART).enumerate() {
        mean.fill(0.0);
        for shard in &mut *shards {
            let part = &mut shard[number * PART..][..mean.len()];
            for (mean, gradient) in mean.iter_mut().zip(part) {
                *mean += *gradient;
                *gradient = 0.0;
            }
        }
        for mean in mean.iter_mut() {
            *mean /= count as f32;
        }
    }
}

/// A random number in -1..1.
fn uniform(rng: &mut SplitMix64) -> f32 {
    (rng.next_u64() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// A network in training.
pub struct Optimiser {
    /// The weights of the network.
    pub weights: Vec<f32>,
    shape: Shape,
    /// The weights without the shared rows.
    own: Parameters,
    /// The shared rows.
    shared: Parameters,
    rates: Rates,
    steps: i32,
}

/// Weight decay and relative learning rates.
#[derive(Clone, Copy)]
pub struct Rates {
    /// Weight decay per unit of the learning rate.
    pub decay: f32,
    /// Factor of the learning rate of the input weights. They are nearly all of the network and the first to overfit.
    pub rows: f32,
}

impl Optimiser {
    /// An untrained network.
    pub fn new(shape: Shape, rates: Rates, rng: &mut SplitMix64) -> Optimiser {
        let places = shape.places();
        let mut own = vec![0.0; shape.all()];
        let mut shared = vec![0.0; shape.shared()];
        let mut random = |weights: &mut [f32], middle: f32, spread: f32| {
            for weight in weights.iter_mut() {
                *weight = middle + spread * uniform(rng);
            }
        };
        random(&mut shared, 0.0, 0.1);
        own[places.biases].fill(0.1);
        let spread = (1.0 / (2.0 * shape.hidden as f32)).sqrt();
        random(&mut own[places.second.start..places.output.end], 0.0, spread);
        random(&mut own[places.second_biases], 0.2, 0.2);
        let mut weights = own.clone();
        add_shared(&mut weights[places.rows], &shared);
        let [own, shared] = [own, shared].map(Parameters::new);
        Optimiser { weights, shape, own, shared, rates, steps: 0 }
    }

    /// A trained network, to continue its training. The shared rows start as the mean of all sets.
    pub fn of(shape: Shape, rates: Rates, weights: Vec<f32>) -> Optimiser {
        let rows = shape.places().rows;
        let mut own = weights.clone();
        let mut shared = vec![0.0; shape.shared()];
        shared_gradient(&own[rows.clone()], &mut shared);
        for weight in shared.iter_mut() {
            *weight /= shape.sets as f32;
        }
        for rows in own[rows].chunks_exact_mut(shared.len()) {
            for (row, shared) in rows.iter_mut().zip(&shared) {
                *row -= shared;
            }
        }
        let [own, shared] = [own, shared].map(Parameters::new);
        Optimiser { weights, shape, own, shared, rates, steps: 0 }
    }

    /// One step by the gradient of `count` samples, whose sum is in `shards`. Clears the shards.
    pub fn step(&mut self, shards: &mut [Vec<f32>], count: usize, rate: f32) {
        dispatch_vectors(Stepping { optimiser: self, shards, count, rate });
    }

    #[inline(always)]
    fn step_each(&mut self, shards: &mut [Vec<f32>], count: usize, rate: f32) {
        self.steps += 1;
        let [mean_correction, square_correction] = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(self.steps));
        let step = Step { rate, decay: self.rates.decay, mean_correction, square_correction };
        let rows = self.shape.places().rows;
        take_mean(shards, &mut self.own.gradient, count);
        shared_gradient(&self.own.gradient[rows.clone()], &mut self.shared.gradient);
        let shared = self.shared.values.len();
        let of_network = parts(&self.shape).into_iter();
        let mut parts: Vec<Part> =
            of_network.map(|part| Part { end: part.places.end, limit: part.largest, share: 1.0 }).collect();
        parts[0].share = self.rates.rows;
        // A set's own row may cancel the shared one.
        parts[0].limit = 2.0 * LARGEST_IN_ROWS;
        self.own.step(&step, &parts);
        let part = Part { end: shared, limit: LARGEST_IN_ROWS, share: self.rates.rows };
        self.shared.step(&step, &[part]);
        self.weights.copy_from_slice(&self.own.values);
        add_shared(&mut self.weights[rows], &self.shared.values);
    }
}

struct Stepping<'a> {
    optimiser: &'a mut Optimiser,
    shards: &'a mut [Vec<f32>],
    count: usize,
    rate: f32,
}

impl CpuTask for Stepping<'_> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        self.optimiser.step_each(self.shards, self.count, self.rate);
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::Sample;
    use super::super::network::tests::{N, SHAPE, sample};
    use super::super::network::{Places, add_gradient, total_loss};
    use super::super::quantise::{LARGEST, LARGEST_IN_NEURONS};
    use super::*;

    const RATES: Rates = Rates { decay: 0.0, rows: 1.0 };

    #[test]
    fn gradients_of_shared_rows_match_difference_quotients() {
        let mut rng = SplitMix64::new(4);
        let Places { rows, biases, second, second_biases, .. } = SHAPE.places();
        let mut random = |size: f32| size * uniform(&mut rng);
        let own: Vec<f32> = (0..SHAPE.all())
            .map(|i| match i {
                _ if rows.contains(&i) => random(0.005),
                _ if biases.contains(&i) => [2.0, -1.0, 0.4, 0.6][i % 4],
                _ if second.contains(&i) => random(0.01),
                _ if second_biases.contains(&i) => [2.0, -0.4, 0.4, -2.0][i % 4],
                _ => random(0.5),
            })
            .collect();
        let mut shared: Vec<f32> = (0..SHAPE.shared()).map(|_| random(0.005)).collect();
        assert_eq!(SHAPE.sets * shared.len(), rows.len());
        let network = |shared: &[f32]| {
            let mut weights = own.clone();
            add_shared(&mut weights[rows.clone()], shared);
            weights
        };
        let samples: Vec<Sample> = (0..20).map(|_| sample(&mut rng)).collect();
        let chosen: Vec<&Sample> = samples.iter().collect();
        let mut gradient = vec![0.0; SHAPE.all()];
        add_gradient::<N>(&network(&shared), &SHAPE, &chosen, &mut gradient);
        let mut of_shared = vec![1.0; shared.len()];
        shared_gradient(&gradient[rows.clone()], &mut of_shared);
        let largest = of_shared.iter().fold(0.0, |size: f32, g| size.max(g.abs()));
        let mut seen = 0;
        for i in 0..shared.len() {
            let step = 0.002;
            let before = shared[i];
            let mut at = |weight| {
                shared[i] = weight;
                total_loss::<N>(&network(&shared), &SHAPE, &samples)
            };
            let slope = (at(before + step) - at(before - step)) / (2.0 * f64::from(step));
            shared[i] = before;
            let error = (slope - f64::from(of_shared[i])).abs();
            assert!(error < 0.02 * f64::from(largest), "{i}: {slope} {}", of_shared[i]);
            seen += u32::from(of_shared[i].abs() > 0.1 * largest);
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn a_step_of_one_set_moves_the_others_by_the_shared_row() {
        let mut optimiser = Optimiser::new(SHAPE, RATES, &mut SplitMix64::new(5));
        let before = optimiser.weights.clone();
        let mut shards = vec![vec![0.0; before.len()]; 2];
        // A gradient in which only the first number is not 0.
        (shards[0][0], shards[1][0]) = (3.0, 1.0);
        optimiser.step(&mut shards, 2, 0.01);
        assert!(shards.iter().flatten().all(|&gradient| gradient == 0.0));
        let after = optimiser.weights;
        let shared = SHAPE.shared();
        for i in 0..before.len() {
            // The first step of Adam is as large as the learning rate.
            let wanted = match i {
                0 => 0.02,
                _ if i == shared || i == 2 * shared => 0.01,
                _ => 0.0,
            };
            assert!((before[i] - after[i] - wanted).abs() < 1e-6, "{i}");
        }
        // Initially all sets are equal.
        assert!(before[..shared] == before[shared..2 * shared] && before[0] != before[1]);
    }

    #[test]
    fn continued_training_starts_with_the_same_network() {
        let mut rng = SplitMix64::new(8);
        let weights: Vec<f32> = (0..SHAPE.all()).map(|_| uniform(&mut rng) * LARGEST_IN_ROWS).collect();
        let mut optimiser = Optimiser::of(SHAPE, RATES, weights.clone());
        assert_eq!(optimiser.weights, weights);
        let mut shards = vec![vec![0.0; weights.len()]];
        optimiser.step(&mut shards, 1, 0.1);
        for (after, before) in optimiser.weights.iter().zip(&weights) {
            assert!((after - before).abs() < 1e-6);
        }
    }

    #[test]
    fn weights_stay_within_the_ranges_of_the_file() {
        let mut optimiser = Optimiser::new(SHAPE, RATES, &mut SplitMix64::new(6));
        for _ in 0..100 {
            let mut shards = vec![vec![-1.0; optimiser.weights.len()]];
            optimiser.step(&mut shards, 1, 0.1);
        }
        let Places { rows, biases, second, straight, output, .. } = SHAPE.places();
        for (places, largest) in [
            (rows, LARGEST_IN_ROWS),
            (biases, LARGEST),
            (second, LARGEST_IN_NEURONS),
            (straight.start..output.end, LARGEST),
        ] {
            assert!(optimiser.weights[places].iter().all(|&weight| weight == largest));
        }
        assert!(optimiser.weights[output.end..].iter().all(|&weight| weight > LARGEST));
    }
}
