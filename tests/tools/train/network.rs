//! The network in floating point: (inputs → hidden) × 2 → 1, forwards and backwards.
//!
//! Both halves share their weights; each is the sum of the rows of the inputs that are on, clamped to 0..1 and
//! squared (SCReLU). The output depends on the number of men by a choice of output weights (buckets). The output
//! through a sigmoid is the expected result of the side to move.

use crate::data::Sample;
use tabiya::base::cpu::{Cpu, Portable, Task};

/// Sizes of a network.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Inputs of one half, those of all classes of men.
    pub inputs: usize,
    pub classes: usize,
    pub hidden: usize,
    pub buckets: usize,
}

impl Shape {
    /// Where the hidden biases, the output weights, and the output biases begin among all weights, and their number.
    pub fn offsets(&self) -> [usize; 4] {
        let biases = self.inputs * self.hidden;
        let output = biases + self.hidden;
        let output_biases = output + self.buckets * 2 * self.hidden;
        [biases, output, output_biases, output_biases + self.buckets]
    }

    /// Weights of the hidden layer that classes of men share: as many as each has, none for a single class.
    pub fn shared(&self) -> usize {
        if self.classes > 1 { self.inputs / self.classes * self.hidden } else { 0 }
    }

    /// The output weights that are used with so many men.
    pub fn bucket(&self, men: usize) -> usize {
        (men.saturating_sub(1) * self.buckets / 32).min(self.buckets - 1)
    }
}

/// What a position is to be judged as.
#[derive(Clone, Copy)]
pub struct Target {
    /// Centipawns that make an expected result of 1 / (1 + 1/e).
    pub scale: f32,
    /// Share of the score; the rest is the result's.
    pub lambda: f32,
}

impl Target {
    pub fn of(&self, sample: &Sample) -> f32 {
        let expected = sigmoid(f32::from(sample.score) / self.scale);
        self.lambda * expected + (1.0 - self.lambda) * f32::from(sample.result) / 2.0
    }
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The sums of both halves.
struct Hidden<const N: usize>([[f32; N]; 2]);

impl<const N: usize> Hidden<N> {
    #[inline(always)]
    fn of(weights: &[f32], shape: &Shape, sample: &Sample) -> Self {
        let (rows, rest) = weights.split_at(shape.offsets()[0]);
        let (rows, _) = rows.as_chunks::<N>();
        let mut sums = [[0.0; N]; 2];
        for (view, sum) in sums.iter_mut().enumerate() {
            sum.copy_from_slice(&rest[..N]);
            for &input in sample.on(view) {
                for (sum, weight) in sum.iter_mut().zip(&rows[usize::from(input)]) {
                    *sum += weight;
                }
            }
        }
        Hidden(sums)
    }
}

/// Adds up `lanes` products at a time, so that the sum can be vectorised.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            let c = a[i].clamp(0.0, 1.0);
            sums[i] += c * c * b[i];
        }
    }
    sums.iter().sum()
}

/// The output of the network, before the sigmoid.
#[inline(always)]
fn output<const N: usize>(
    weights: &[f32],
    shape: &Shape,
    bucket: usize,
    hidden: &Hidden<N>,
) -> f32 {
    let [_, output, biases, _] = shape.offsets();
    let weights_of = |half: usize| &weights[output + (bucket * 2 + half) * N..][..N];
    weights[biases + bucket] + dot(&hidden.0[0], weights_of(0)) + dot(&hidden.0[1], weights_of(1))
}

/// Runs `task` with the widest vectors of this CPU. All give the same result to the bit.
pub fn vectors<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use tabiya::base::cpu::{Avx2, Avx512};
        if let Some(cpu) = Avx512::detect() {
            return cpu.run(task);
        }
        if let Some(cpu) = Avx2::detect() {
            return cpu.run(task);
        }
    }
    Portable.run(task)
}

struct Learn<'a, const N: usize> {
    weights: &'a [f32],
    shape: &'a Shape,
    samples: &'a [&'a Sample],
    target: Target,
    gradient: &'a mut [f32],
}

impl<const N: usize> Task for Learn<'_, N> {
    type Output = f64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> f64 {
        learn_each::<N>(self.weights, self.shape, self.samples, self.target, self.gradient)
    }
}

struct Judge<'a, const N: usize> {
    weights: &'a [f32],
    shape: &'a Shape,
    samples: &'a [Sample],
    target: Target,
}

impl<const N: usize> Task for Judge<'_, N> {
    type Output = f64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> f64 {
        judge_each::<N>(self.weights, self.shape, self.samples, self.target)
    }
}

/// Adds the gradient of the samples' losses to `gradient`; gives the sum of the losses.
pub fn learn<const N: usize>(
    weights: &[f32],
    shape: &Shape,
    samples: &[&Sample],
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    vectors(Learn::<N> { weights, shape, samples, target, gradient })
}

#[inline(always)]
fn learn_each<const N: usize>(
    weights: &[f32],
    shape: &Shape,
    samples: &[&Sample],
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    let [biases, output_at, output_biases, _] = shape.offsets();
    let mut loss = 0.0;
    for sample in samples {
        let hidden = Hidden::<N>::of(weights, shape, sample);
        let bucket = shape.bucket(usize::from(sample.active));
        let expected = sigmoid(output(weights, shape, bucket, &hidden));
        let error = expected - target.of(sample);
        loss += f64::from(error * error);
        let slope = 2.0 * error * expected * (1.0 - expected);
        gradient[output_biases + bucket] += slope;
        for view in 0..2 {
            let at = output_at + (bucket * 2 + view) * N;
            let mut back = [0.0; N];
            let (sums, outs) = (&hidden.0[view], &weights[at..at + N]);
            let out_gradient = &mut gradient[at..at + N];
            for i in 0..N {
                let c = sums[i].clamp(0.0, 1.0);
                let inside = if sums[i] > 0.0 && sums[i] < 1.0 { 1.0 } else { 0.0 };
                out_gradient[i] += slope * c * c;
                back[i] = slope * outs[i] * 2.0 * c * inside;
            }
            for (g, b) in gradient[biases..biases + N].iter_mut().zip(&back) {
                *g += b;
            }
            let (rows, _) = gradient[..biases].as_chunks_mut::<N>();
            for &input in sample.on(view) {
                for (g, b) in rows[usize::from(input)].iter_mut().zip(&back) {
                    *g += b;
                }
            }
        }
    }
    loss
}

/// The sum of the samples' losses.
pub fn judge<const N: usize>(
    weights: &[f32],
    shape: &Shape,
    samples: &[Sample],
    target: Target,
) -> f64 {
    vectors(Judge::<N> { weights, shape, samples, target })
}

#[inline(always)]
fn judge_each<const N: usize>(
    weights: &[f32],
    shape: &Shape,
    samples: &[Sample],
    target: Target,
) -> f64 {
    let loss = |sample: &Sample| {
        let hidden = Hidden::<N>::of(weights, shape, sample);
        let bucket = shape.bucket(usize::from(sample.active));
        let error = sigmoid(output(weights, shape, bucket, &hidden)) - target.of(sample);
        f64::from(error * error)
    };
    samples.iter().map(loss).sum()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use tabiya::base::rng::SplitMix64;
    use tabiya::game::network::MAX_ACTIVE;

    pub const N: usize = 32;
    pub const SHAPE: Shape = Shape { inputs: 12, classes: 3, hidden: N, buckets: 2 };
    pub const TARGET: Target = Target { scale: 400.0, lambda: 0.6 };

    pub fn sample(rng: &mut SplitMix64) -> Sample {
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        inputs.as_flattened_mut().iter_mut().for_each(|input| *input = rng.below(12) as u16);
        let (active, result) = (1 + rng.below(32) as u8, rng.below(3) as u8);
        Sample { inputs, active, result, score: rng.below(800) as i16 - 400 }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut rng = SplitMix64::new(3);
        let all = SHAPE.offsets()[3];
        // Hidden sums far from the corners of the clamp: always on, always off, and between.
        let [biases, output, ..] = SHAPE.offsets();
        let mut random = |size: f32| size * (rng.below(2_001) as f32 / 1_000.0 - 1.0);
        let mut weights: Vec<f32> = (0..all)
            .map(|i| match i {
                _ if i < biases => random(0.01),
                _ if i < output => [2.0, -1.0, 0.4, 0.6][i % 4],
                _ => random(0.5),
            })
            .collect();
        let samples: Vec<Sample> = (0..20).map(|_| sample(&mut rng)).collect();
        let chosen: Vec<&Sample> = samples.iter().collect();
        let mut gradient = vec![0.0; all];
        let loss = learn::<N>(&weights, &SHAPE, &chosen, TARGET, &mut gradient);
        assert!((loss - judge::<N>(&weights, &SHAPE, &samples, TARGET)).abs() < 1e-5);
        let largest = gradient.iter().fold(0.0, |size: f32, g| size.max(g.abs()));
        let mut seen = 0;
        for i in 0..all {
            let step = 0.002;
            let before = weights[i];
            let mut at = |weight| {
                weights[i] = weight;
                judge::<N>(&weights, &SHAPE, &samples, TARGET)
            };
            let slope = (at(before + step) - at(before - step)) / (2.0 * f64::from(step));
            weights[i] = before;
            let error = (slope - f64::from(gradient[i])).abs();
            assert!(error < 0.02 * f64::from(largest), "{i}: {slope} {}", gradient[i]);
            seen += u32::from(gradient[i].abs() > 0.1 * largest);
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn buckets_share_out_the_men() {
        let shape = Shape { buckets: 8, ..SHAPE };
        let buckets: Vec<usize> = (2..=32).map(|men| shape.bucket(men)).collect();
        assert!(buckets.is_sorted() && buckets[0] == 0 && buckets[30] == 7);
        assert!((2..=32).all(|men| Shape { buckets: 1, ..SHAPE }.bucket(men) == 0));
    }
}
