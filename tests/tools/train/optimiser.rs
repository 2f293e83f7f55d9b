//! What is learnt: the weights of the network by AdamW, and the rows that its sets of inputs share.
//!
//! Called by `main`. With several sets, a row of the network's hidden layer is the sum of one of the set and of one that
//! all sets share (a factoriser): the shared rows learn from all positions what is true of a man whatever its set, the
//! sets' rows, which begin at zero, what differs from that. The network computes with the sums, and the gradient of a
//! shared row is the sum of the gradients of its sums, so that shared rows cost something for each step, and nothing for
//! each position.

use crate::network::Shape;
use crate::quantise::{LARGEST_IN_ROWS, parts};
use tabiya::base::cpu::{Cpu, Task, dispatch_vectors};
use tabiya::base::rng::SplitMix64;

/// Numbers that are learnt by AdamW (Kingma and Ba 2014; Loshchilov and Hutter 2017).
struct Learnt {
    values: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    gradient: Vec<f32>,
}

/// What is the same for all numbers in a step.
struct Step {
    rate: f32,
    decay: f32,
    /// Parts of the two means that have been learnt by now.
    first_part: f32,
    second_part: f32,
}

/// Numbers of one kind, which follow each other.
struct Part {
    /// Index behind the last one.
    end: usize,
    /// They do not become larger, nor less than minus this.
    limit: f32,
    /// Their share of the rate.
    share: f32,
}

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;

impl Learnt {
    fn new(values: Vec<f32>) -> Learnt {
        let zeros = || vec![0.0; values.len()];
        Learnt { first: zeros(), second: zeros(), gradient: zeros(), values }
    }

    /// One step by the gradient; values do not leave the limits of their part.
    #[inline(always)]
    fn step(&mut self, step: &Step, parts: &[Part]) {
        let mut begin = 0;
        for &Part { end, limit, share } in parts {
            let at = begin..end;
            let rate = share * step.rate;
            begin = end;
            let values = self.values[at.clone()].iter_mut().zip(&self.gradient[at.clone()]);
            let means = self.first[at.clone()].iter_mut().zip(&mut self.second[at]);
            for ((value, gradient), (first, second)) in values.zip(means) {
                *first = FIRST * *first + (1.0 - FIRST) * gradient;
                *second = SECOND * *second + (1.0 - SECOND) * gradient * gradient;
                let by = (*first / step.first_part) / ((*second / step.second_part).sqrt() + 1e-8);
                let stepped = *value - rate * (by + step.decay * *value);
                *value = stepped.clamp(-limit, limit);
            }
        }
    }
}

/// The rows of all sets, which are their own, with the shared rows added.
#[inline(always)]
fn add_shared(rows: &mut [f32], shared: &[f32]) {
    if !shared.is_empty() {
        for rows in rows.chunks_exact_mut(shared.len()) {
            for (row, shared) in rows.iter_mut().zip(shared) {
                *row = (*row + shared).clamp(-LARGEST_IN_ROWS, LARGEST_IN_ROWS);
            }
        }
    }
}

/// The gradient of the shared rows, from that of the rows of all sets.
#[inline(always)]
fn shared_gradient(rows: &[f32], shared: &mut [f32]) {
    shared.fill(0.0);
    if !shared.is_empty() {
        for rows in rows.chunks_exact(shared.len()) {
            for (shared, row) in shared.iter_mut().zip(rows) {
                *shared += row;
            }
        }
    }
}

/// The mean gradient of `count` samples, whose sum is that of the shards; leaves the shards zero.
#[inline(always)]
fn take_mean(shards: &mut [Vec<f32>], mean: &mut [f32], count: usize) {
    /// Numbers that stay in the nearest cache while the shards are gone through.
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
        mean.iter_mut().for_each(|mean| *mean /= count as f32);
    }
}

/// A number in -1..1.
fn uniform(rng: &mut SplitMix64) -> f32 {
    (rng.next_u64() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// A network that learns.
pub struct Optimiser {
    /// The weights of the network.
    pub weights: Vec<f32>,
    shape: Shape,
    /// The weights without what is shared.
    own: Learnt,
    /// Empty if there is one set.
    shared: Learnt,
    pace: Pace,
    steps: i32,
}

/// How weights learn, besides by the rate of each step.
#[derive(Clone, Copy)]
pub struct Pace {
    /// What a weight loses of itself for each unit of the rate.
    pub decay: f32,
    /// The share of the rate by which the rows of inputs learn. They are nearly all of the network, and the first to learn
    /// by heart.
    pub rows: f32,
}

impl Optimiser {
    /// A network that has learnt nothing.
    pub fn new(shape: Shape, pace: Pace, rng: &mut SplitMix64) -> Optimiser {
        let places = shape.places();
        let mut own = vec![0.0; shape.all()];
        let mut shared = vec![0.0; shape.shared()];
        let rows = if shared.is_empty() { &mut own[places.rows.clone()] } else { &mut shared[..] };
        let mut random = |weights: &mut [f32], middle: f32, spread: f32| {
            weights.iter_mut().for_each(|weight| *weight = middle + spread * uniform(rng));
        };
        random(rows, 0.0, 0.1);
        own[places.biases].fill(0.1);
        let spread = (1.0 / (2.0 * shape.hidden as f32)).sqrt();
        random(&mut own[places.second.start..places.output.end], 0.0, spread);
        random(&mut own[places.second_biases], 0.2, 0.2);
        let mut weights = own.clone();
        add_shared(&mut weights[places.rows], &shared);
        let [own, shared] = [own, shared].map(Learnt::new);
        Optimiser { weights, shape, own, shared, pace, steps: 0 }
    }

    /// A network that goes on learning: what its sets have in common is what they share.
    pub fn of(shape: Shape, pace: Pace, weights: Vec<f32>) -> Optimiser {
        let rows = shape.places().rows;
        let mut own = weights.clone();
        let mut shared = vec![0.0; shape.shared()];
        shared_gradient(&own[rows.clone()], &mut shared);
        shared.iter_mut().for_each(|weight| *weight /= shape.sets as f32);
        if !shared.is_empty() {
            for rows in own[rows].chunks_exact_mut(shared.len()) {
                rows.iter_mut().zip(&shared).for_each(|(row, shared)| *row -= shared);
            }
        }
        let [own, shared] = [own, shared].map(Learnt::new);
        Optimiser { weights, shape, own, shared, pace, steps: 0 }
    }

    /// One step by the gradient of `count` samples, the sum of `shards`, which are left zero.
    pub fn step(&mut self, shards: &mut [Vec<f32>], count: usize, rate: f32) {
        dispatch_vectors(Stepping { optimiser: self, shards, count, rate });
    }

    #[inline(always)]
    fn step_each(&mut self, shards: &mut [Vec<f32>], count: usize, rate: f32) {
        self.steps += 1;
        let [first_part, second_part] = [FIRST, SECOND].map(|part| 1.0 - part.powi(self.steps));
        let step = Step { rate, decay: self.pace.decay, first_part, second_part };
        let rows = self.shape.places().rows;
        take_mean(shards, &mut self.own.gradient, count);
        shared_gradient(&self.own.gradient[rows.clone()], &mut self.shared.gradient);
        let shared = self.shared.values.len();
        let of_network = parts(&self.shape).into_iter();
        let mut parts: Vec<Part> = of_network
            .map(|part| Part { end: part.places.end, limit: part.largest, share: 1.0 })
            .collect();
        parts[0].share = self.pace.rows;
        if shared > 0 {
            // What a set adds may take back all that is shared.
            parts[0].limit = 2.0 * LARGEST_IN_ROWS;
        }
        self.own.step(&step, &parts);
        let part = Part { end: shared, limit: LARGEST_IN_ROWS, share: self.pace.rows };
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

impl Task for Stepping<'_> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        self.optimiser.step_each(self.shards, self.count, self.rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sample;
    use crate::network::tests::{N, SHAPE, TARGET, sample};
    use crate::network::{Places, judge, learn};
    use crate::quantise::{LARGEST, LARGEST_IN_NEURONS};

    const PACE: Pace = Pace { decay: 0.0, rows: 1.0 };

    #[test]
    fn the_gradient_of_shared_rows_is_the_slope_of_the_loss() {
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
        learn::<N>(&network(&shared), &SHAPE, &chosen, TARGET, &mut gradient);
        let mut of_shared = vec![1.0; shared.len()];
        shared_gradient(&gradient[rows.clone()], &mut of_shared);
        let largest = of_shared.iter().fold(0.0, |size: f32, g| size.max(g.abs()));
        let mut seen = 0;
        for i in 0..shared.len() {
            let step = 0.002;
            let before = shared[i];
            let mut at = |weight| {
                shared[i] = weight;
                judge::<N>(&network(&shared), &SHAPE, &samples, TARGET)
            };
            let slope = (at(before + step) - at(before - step)) / (2.0 * f64::from(step));
            shared[i] = before;
            let error = (slope - f64::from(of_shared[i])).abs();
            assert!(error < 0.02 * f64::from(largest), "{i}: {slope} {}", of_shared[i]);
            seen += u32::from(of_shared[i].abs() > 0.1 * largest);
        }
        assert!(seen > 10, "{seen}");
    }

    /// The network after a step by a gradient of which the first weight alone has one.
    fn stepped(shape: Shape) -> (Vec<f32>, Vec<f32>) {
        let mut optimiser = Optimiser::new(shape, PACE, &mut SplitMix64::new(5));
        let before = optimiser.weights.clone();
        let mut shards = vec![vec![0.0; before.len()]; 2];
        (shards[0][0], shards[1][0]) = (3.0, 1.0);
        optimiser.step(&mut shards, 2, 0.01);
        assert!(shards.iter().flatten().all(|&gradient| gradient == 0.0));
        (before, optimiser.weights)
    }

    #[test]
    fn a_set_moves_the_others_by_what_is_shared() {
        let (before, after) = stepped(SHAPE);
        let shared = SHAPE.shared();
        for i in 0..before.len() {
            // The first step of Adam has the size of the rate, whatever the gradient's.
            let wanted = match i {
                0 => 0.02,
                _ if i == shared || i == 2 * shared => 0.01,
                _ => 0.0,
            };
            assert!((before[i] - after[i] - wanted).abs() < 1e-6, "{i}");
        }
        // At first, all sets are alike.
        assert!(before[..shared] == before[shared..2 * shared] && before[0] != before[1]);
    }

    #[test]
    fn a_single_set_shares_nothing() {
        let (before, after) = stepped(Shape { sets: 1, ..SHAPE });
        for i in 0..before.len() {
            let wanted = if i == 0 { 0.01 } else { 0.0 };
            assert!((before[i] - after[i] - wanted).abs() < 1e-6, "{i}");
        }
    }

    #[test]
    fn a_network_that_goes_on_learning_is_the_same_at_first() {
        for sets in [1, SHAPE.sets] {
            let shape = Shape { sets, ..SHAPE };
            let mut rng = SplitMix64::new(8);
            let weights: Vec<f32> =
                (0..shape.all()).map(|_| uniform(&mut rng) * LARGEST_IN_ROWS).collect();
            let mut optimiser = Optimiser::of(shape, PACE, weights.clone());
            assert_eq!(optimiser.weights, weights);
            let mut shards = vec![vec![0.0; weights.len()]];
            optimiser.step(&mut shards, 1, 0.1);
            for (after, before) in optimiser.weights.iter().zip(&weights) {
                assert!((after - before).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn rows_learn_at_their_own_pace() {
        for sets in [1, SHAPE.sets] {
            let shape = Shape { sets, ..SHAPE };
            let moved = |rows| {
                let pace = Pace { rows, ..PACE };
                let mut optimiser = Optimiser::new(shape, pace, &mut SplitMix64::new(7));
                let before = optimiser.weights.clone();
                let mut shards = vec![vec![1.0; before.len()]];
                optimiser.step(&mut shards, 1, 0.01);
                let moved: Vec<f32> =
                    before.iter().zip(&optimiser.weights).map(|(b, a)| b - a).collect();
                moved
            };
            let (all, half, none) = (moved(1.0), moved(0.5), moved(0.0));
            let rows = shape.places().rows;
            for i in 0..all.len() {
                let wanted = if rows.contains(&i) { [all[i] / 2.0, 0.0] } else { [all[i]; 2] };
                assert!(all[i] > 0.009 && (half[i] - wanted[0]).abs() < 1e-6, "{i}");
                assert!((none[i] - wanted[1]).abs() < 1e-6, "{i}");
            }
        }
    }

    #[test]
    fn weights_stay_within_what_is_written() {
        let mut optimiser = Optimiser::new(SHAPE, PACE, &mut SplitMix64::new(6));
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
