//! Trains a network on files of `datagen` and `rescore` and writes a network file for the engine.
//!
//! ```text
//! cargo run --release -p tabiya-training -- train --data FILE[,FILE…] --out NETWORK
//!     [--off FILE[,FILE…]] [--game chess|xiangqi] [--hidden 32|64|128|256] [--neurons N] [--buckets N] [--epochs N]
//!     [--batch N] [--rate F] [--final-rate F] [--rows F] [--lambda F] [--scale F]
//!     [--decay F] [--from NETWORK] [--bound CP] [--holdout N] [--seed N] [--threads N]
//! ```
//!
//! A position of `--data` is trained towards `--lambda` times the expected result by its score and the rest times the
//! result of its game. `--off` has positions off their games, as `rescore --stray` writes them: only their scores
//! count.
//!
//! The optimiser is AdamW with a learning rate that falls along a cosine. The rate of the input weights is multiplied
//! by `--rows`: 0.1 overfits less when training continues (`--from`) with little data. The network with the smallest
//! loss on held-out games is written. The result depends on the data and the options, not on the number of threads.
//! `README.md` two folders up describes the whole procedure.

mod data;
mod network;
mod optimiser;
mod quantise;

use crate::options::Options;
use crate::record::Recorded;
use data::{Data, Sample, Selection, Target};
use network::Shape;
use optimiser::{Optimiser, Rates};
use std::time::Instant;
use tabiya::base::files::path_of;
use tabiya::base::rng::SplitMix64;
use tabiya::network::products::LANES;
use tabiya::network::{BUCKETS, HIDDEN, NEURONS, NetworkInputs, SETS};

/// Parts of a batch. Their gradients are added in the same order whatever thread computed them.
const SHARDS: usize = 4;

pub const NAMES: &str = "data off out game hidden neurons buckets epochs batch rate final-rate rows lambda scale decay bound \
    holdout seed threads from";

/// All settings of a training run.
struct Plan {
    shape: Shape,
    target: Target,
    epochs: usize,
    batch: usize,
    rate: f32,
    final_rate: f32,
    rates: Rates,
    seed: u64,
    threads: usize,
    /// Positions with a larger score are skipped.
    bound: i32,
}

fn plan<B: NetworkInputs>(options: &Options) -> Result<Plan, String> {
    let neurons = options.count("neurons", NEURONS, LANES, network::MOST_NEURONS)?;
    if !neurons.is_multiple_of(LANES) {
        return Err(format!("--neurons: {neurons}, expected a multiple of {LANES}"));
    }
    Ok(Plan {
        shape: Shape {
            inputs: B::INPUTS * SETS,
            sets: SETS,
            hidden: options.count("hidden", HIDDEN, 32, 256)?,
            neurons,
            buckets: options.count("buckets", BUCKETS, 1, 8)?,
        },
        target: Target {
            scale: options.number("scale", f64::from(B::network().scale), 50.0, 2_000.0)? as f32,
            lambda: options.number("lambda", 1.0, 0.0, 1.0)? as f32,
        },
        epochs: options.count("epochs", 12, 0, 10_000)?,
        batch: options.count("batch", 16_384, 64, 1 << 20)?,
        rate: options.number("rate", 0.004, 0.0, 1.0)? as f32,
        final_rate: options.number("final-rate", 0.00001, 0.0, 1.0)? as f32,
        rates: Rates {
            decay: options.number("decay", 0.1, 0.0, 1.0)? as f32,
            rows: options.number("rows", 1.0, 0.0, 1.0)? as f32,
        },
        seed: options.count("seed", 1, 0, usize::MAX)? as u64,
        threads: options.threads()?,
        bound: options.count("bound", 3_000, 100, 32_000)? as i32,
    })
}

/// Adds the gradient of a batch to `gradients`, in shards, and returns the sum of the losses.
fn batch<const N: usize>(weights: &[f32], plan: &Plan, samples: &[&Sample], gradients: &mut [Vec<f32>]) -> f64 {
    let size = samples.len().div_ceil(SHARDS).max(1);
    let mut shards: Vec<_> = samples.chunks(size).zip(gradients.iter_mut()).collect();
    let each = shards.len().div_ceil(plan.threads).max(1);
    std::thread::scope(|scope| {
        let work = |part: &mut [(&[&Sample], &mut Vec<f32>)]| -> Vec<f64> {
            part.iter_mut()
                .map(|(samples, gradient)| network::add_gradient::<N>(weights, &plan.shape, samples, gradient))
                .collect()
        };
        let threads: Vec<_> = shards.chunks_mut(each).map(|part| scope.spawn(move || work(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).sum()
    })
}

/// The mean loss on the held-out positions.
fn holdout<const N: usize>(weights: &[f32], plan: &Plan, samples: &[Sample]) -> f64 {
    let each = samples.len().div_ceil(plan.threads).max(1);
    let sum: f64 = std::thread::scope(|scope| {
        let loss = |part| network::total_loss::<N>(weights, &plan.shape, part);
        let threads: Vec<_> = samples.chunks(each).map(|part| scope.spawn(move || loss(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
    });
    sum / samples.len().max(1) as f64
}

/// The state of a training run.
struct Training {
    optimiser: Optimiser,
    gradients: Vec<Vec<f32>>,
}

impl Training {
    fn new(plan: &Plan, from: Option<Vec<f32>>, rng: &mut SplitMix64) -> Self {
        let optimiser = match from {
            Some(weights) => Optimiser::of(plan.shape, plan.rates, weights),
            None => Optimiser::new(plan.shape, plan.rates, rng),
        };
        let gradients = vec![vec![0.0; optimiser.weights.len()]; SHARDS];
        Training { optimiser, gradients }
    }

    /// One optimiser step on a batch; returns the sum of its losses.
    fn step<const N: usize>(&mut self, plan: &Plan, samples: &[&Sample], rate: f32) -> f64 {
        let weights = &self.optimiser.weights;
        let loss = batch::<N>(weights, plan, samples, &mut self.gradients);
        self.optimiser.step(&mut self.gradients, samples.len(), rate);
        loss
    }
}

/// The learning rate after a share of the steps, from `first` down to `last`.
fn rate(first: f32, last: f32, share: f32) -> f32 {
    last + (first - last) * (1.0 + (share * std::f32::consts::PI).cos()) / 2.0
}

/// The loss on held-out games: of the network that the training began with, infinite if with none, and of the best one.
pub struct Losses {
    pub start: f64,
    pub best: f64,
}

fn train<B: NetworkInputs, const N: usize>(
    data: &Data,
    plan: &Plan,
    from: Option<Vec<f32>>,
    out: &str,
) -> Result<Losses, String> {
    let mut rng = SplitMix64::new(plan.seed);
    let continued = from.is_some();
    let mut training = Training::new(plan, from, &mut rng);
    let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
    let batches = data.training.len().div_ceil(plan.batch);
    let all_steps = (plan.epochs * batches) as f32;
    let (mut step, mut start, mut best) = (0, f64::INFINITY, f64::INFINITY);
    let write = |weights: &[f32]| {
        let file = quantise::file::<B>(weights, &plan.shape, plan.target.scale);
        std::fs::write(path_of(out), file).map_err(|error| format!("--out {out}: {error}"))
    };
    if continued {
        start = holdout::<N>(&training.optimiser.weights, plan, &data.holdout);
        println!("start      held out {start:.6}");
        write(&training.optimiser.weights)?;
    }
    let begin = Instant::now();
    for epoch in 1..=plan.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let mut loss = 0.0;
        for chosen in order.chunks(plan.batch) {
            let samples: Vec<&Sample> = chosen.iter().map(|&i| &data.training[i as usize]).collect();
            let rate = rate(plan.rate, plan.final_rate, step as f32 / all_steps);
            loss += training.step::<N>(plan, &samples, rate);
            step += 1;
        }
        let held_out = holdout::<N>(&training.optimiser.weights, plan, &data.holdout);
        let kept = held_out < best;
        if kept {
            best = held_out;
            write(&training.optimiser.weights)?;
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "epoch {epoch:3}  loss {:.6}  held out {held_out:.6}{}  {:.0} positions/s",
            loss / data.training.len() as f64,
            if kept { " *" } else { "  " },
            (epoch * data.training.len()) as f64 / seconds
        );
    }
    Ok(Losses { start, best })
}

/// Reads the data of a game and trains.
pub fn run<B: Recorded + NetworkInputs>(options: &Options) -> Result<(), String> {
    fit::<B>(options).map(|_| ())
}

/// The same; returns the losses.
pub fn fit<B: Recorded + NetworkInputs>(options: &Options) -> Result<Losses, String> {
    let out = options.required("out")?;
    let plan = plan::<B>(options)?;
    let selection = Selection { holdout: options.count("holdout", 50, 2, 1_000_000)? as u64, bound: plan.bound };
    let from = options.text("from").map(|file| {
        let bytes = std::fs::read(path_of(file)).map_err(|error| error.to_string());
        let weights = bytes.and_then(|bytes| quantise::weights::<B>(&bytes, &plan.shape));
        weights.map_err(|reason| format!("--from {file}: {reason}"))
    });
    let from = from.transpose()?;
    let mut data = Data::default();
    options.required("data")?;
    for (option, target) in [("data", plan.target), ("off", Target { lambda: 1.0, ..plan.target })] {
        for file in options.text(option).into_iter().flat_map(|files| files.split(',')) {
            data.read::<B>(file, selection, target).map_err(|reason| format!("--{option} {reason}"))?;
        }
    }
    println!("{} games, {} training positions, {} held out", data.games, data.training.len(), data.holdout.len());
    if data.training.is_empty() || data.holdout.is_empty() {
        return Err(format!("--data: too few games; expected at least {}", selection.holdout));
    }
    match plan.shape.hidden {
        32 => train::<B, 32>(&data, &plan, from, out),
        64 => train::<B, 64>(&data, &plan, from, out),
        128 => train::<B, 128>(&data, &plan, from, out),
        256 => train::<B, 256>(&data, &plan, from, out),
        other => Err(format!("--hidden: {other}, expected 32, 64, 128 or 256")),
    }
}
