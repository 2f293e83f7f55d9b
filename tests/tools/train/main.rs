//! Trains a network on files of `tabiya datagen` and writes it as the engine reads it.
//!
//! ```text
//! cargo run --release --example train -- --data FILE[,FILE…] --out NETWORK
//!     [--game chess|xiangqi] [--hidden 32|64|128|256] [--neurons N] [--buckets N] [--sets 1|8] [--epochs N]
//!     [--batch N] [--rate F] [--final-rate F] [--rows F] [--teach POSITIONS] [--teach-rate F] [--lambda F] [--scale F]
//!     [--decay F] [--from NETWORK] [--outlook F] [--outlook-scale CP] [--bound CP] [--holdout N] [--seed N] [--threads N]
//! ```
//!
//! With `--teach`, the network first learns the evaluation that the engine has by now, on so many positions near the
//! recorded ones. With `--outlook`, a position is worth what was expected at the next one of its game, to that share.
//! AdamW; the rate falls along a cosine, and the rows of inputs learn by the share `--rows` of it: a network that goes on
//! with few data learns them by heart less with 0.1. The network whose loss on held-out games is least is written.
//! The result depends on the data and the options alone, not on the threads. `README.md` one folder up tells the whole
//! chain.

mod data;
mod network;
mod optimiser;
#[path = "../options.rs"]
mod options;
mod quantise;
#[path = "../records.rs"]
mod records;
mod teacher;

use data::{Data, Outlook, Reading, Sample};
use network::{Shape, Target};
use optimiser::{Optimiser, Pace};
use options::Options;
use std::process::ExitCode;
use std::time::Instant;
use tabiya::base::cpu::LANES;
use tabiya::base::rng::SplitMix64;
use tabiya::game::network::NetworkInputs;
use tabiya::game::record::Recorded;
use tabiya::{chess, xiangqi};

/// Parts of a batch whose gradients are added up in order, whatever thread made them.
const SHARDS: usize = 4;

const NAMES: [&str; 24] = [
    "data",
    "out",
    "game",
    "hidden",
    "neurons",
    "buckets",
    "sets",
    "epochs",
    "batch",
    "rate",
    "final-rate",
    "rows",
    "lambda",
    "scale",
    "decay",
    "bound",
    "holdout",
    "seed",
    "threads",
    "teach",
    "teach-rate",
    "outlook",
    "outlook-scale",
    "from",
];

/// How to learn.
struct Plan {
    shape: Shape,
    target: Target,
    epochs: usize,
    batch: usize,
    rate: f32,
    final_rate: f32,
    pace: Pace,
    seed: u64,
    threads: usize,
    /// Positions to learn from the engine's evaluation, and the rate at the beginning.
    teach: usize,
    teach_rate: f32,
    /// Largest score.
    bound: i32,
}

fn plan<P: NetworkInputs>(options: &Options) -> Result<Plan, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let sets = options.count("sets", P::SETS, 1, P::SETS)?;
    if sets != 1 && sets != P::SETS {
        return Err(format!("--sets: {sets}, expected 1 or {}", P::SETS));
    }
    let neurons = options.count("neurons", 32, LANES, network::MOST_NEURONS)?;
    if !neurons.is_multiple_of(LANES) {
        return Err(format!("--neurons: {neurons}, expected a multiple of {LANES}"));
    }
    Ok(Plan {
        shape: Shape {
            inputs: P::INPUTS * sets,
            sets,
            hidden: options.count("hidden", 128, 32, 256)?,
            neurons,
            buckets: options.count("buckets", 8, 1, 8)?,
        },
        target: Target {
            scale: options.number("scale", 250.0, 50.0, 2_000.0)? as f32,
            lambda: options.number("lambda", 1.0, 0.0, 1.0)? as f32,
        },
        epochs: options.count("epochs", 12, 0, 10_000)?,
        batch: options.count("batch", 16_384, 64, 1 << 20)?,
        rate: options.number("rate", 0.004, 0.0, 1.0)? as f32,
        final_rate: options.number("final-rate", 0.00001, 0.0, 1.0)? as f32,
        pace: Pace {
            decay: options.number("decay", 0.1, 0.0, 1.0)? as f32,
            rows: options.number("rows", 1.0, 0.0, 1.0)? as f32,
        },
        seed: options.number("seed", 1.0, 0.0, 1e15)? as u64,
        threads: options.count("threads", cores, 1, 256)?,
        teach: options.count("teach", 0, 0, 1_000_000_000_000)?,
        teach_rate: options.number("teach-rate", 0.001, 0.0, 1.0)? as f32,
        bound: options.count("bound", 3_000, 100, 32_000)? as i32,
    })
}

/// One pass over a batch: the gradient in shards, and the sum of the losses.
fn batch<const N: usize>(
    weights: &[f32],
    plan: &Plan,
    target: Target,
    samples: &[&Sample],
    gradients: &mut [Vec<f32>],
) -> f64 {
    let size = samples.len().div_ceil(SHARDS).max(1);
    let mut shards: Vec<_> = samples.chunks(size).zip(gradients.iter_mut()).collect();
    let each = shards.len().div_ceil(plan.threads).max(1);
    std::thread::scope(|scope| {
        let work = |part: &mut [(&[&Sample], &mut Vec<f32>)]| -> Vec<f64> {
            part.iter_mut()
                .map(|(samples, gradient)| {
                    network::learn::<N>(weights, &plan.shape, samples, target, gradient)
                })
                .collect()
        };
        let threads: Vec<_> =
            shards.chunks_mut(each).map(|part| scope.spawn(move || work(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).sum()
    })
}

/// The mean loss on the held-out positions.
fn holdout<const N: usize>(weights: &[f32], plan: &Plan, samples: &[Sample]) -> f64 {
    let each = samples.len().div_ceil(plan.threads).max(1);
    let sum: f64 = std::thread::scope(|scope| {
        let judge = |part| network::judge::<N>(weights, &plan.shape, part, plan.target);
        let threads: Vec<_> =
            samples.chunks(each).map(|part| scope.spawn(move || judge(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
    });
    sum / samples.len().max(1) as f64
}

/// What is being trained.
struct Training {
    optimiser: Optimiser,
    gradients: Vec<Vec<f32>>,
}

impl Training {
    fn new(plan: &Plan, from: Option<Vec<f32>>, rng: &mut SplitMix64) -> Self {
        let optimiser = match from {
            Some(weights) => Optimiser::of(plan.shape, plan.pace, weights),
            None => Optimiser::new(plan.shape, plan.pace, rng),
        };
        let gradients = vec![vec![0.0; optimiser.weights.len()]; SHARDS];
        Training { optimiser, gradients }
    }

    /// One step by a batch; the sum of its losses.
    fn step<const N: usize>(
        &mut self,
        plan: &Plan,
        target: Target,
        samples: &[&Sample],
        rate: f32,
    ) -> f64 {
        let weights = &self.optimiser.weights;
        let loss = batch::<N>(weights, plan, target, samples, &mut self.gradients);
        self.optimiser.step(&mut self.gradients, samples.len(), rate);
        loss
    }
}

/// The rate after a share of the steps, from `first` down to `last`.
fn rate(first: f32, last: f32, share: f32) -> f32 {
    last + (first - last) * (1.0 + (share * std::f32::consts::PI).cos()) / 2.0
}

/// Learns the evaluation that the engine has.
fn teach<const N: usize, P>(training: &mut Training, data: &Data, plan: &Plan, rng: &mut SplitMix64)
where
    P: Recorded + NetworkInputs,
{
    let target = Target { lambda: 1.0, ..plan.target };
    let sets = plan.shape.sets;
    let steps = plan.teach / plan.batch;
    let (mut loss, begin) = (0.0, Instant::now());
    for step in 1..=steps {
        let part = plan.batch.div_ceil(SHARDS);
        let seeds: Vec<u64> = (0..SHARDS).map(|_| rng.next_u64()).collect();
        let each = SHARDS.div_ceil(plan.threads).max(1);
        let samples: Vec<Sample> = std::thread::scope(|scope| {
            let make = |seeds: &[u64]| -> Vec<Sample> {
                let some = |&seed| {
                    let rng = &mut SplitMix64::new(seed);
                    teacher::samples::<P>(&data.records, sets, part, plan.bound, rng)
                };
                seeds.iter().flat_map(some).collect()
            };
            let threads: Vec<_> =
                seeds.chunks(each).map(|seeds| scope.spawn(move || make(seeds))).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().expect("no thread panics"))
                .collect()
        });
        let chosen: Vec<&Sample> = samples.iter().collect();
        let rate = rate(plan.teach_rate, plan.final_rate, step as f32 / steps as f32);
        loss += training.step::<N>(plan, target, &chosen, rate) / chosen.len() as f64;
        if step % 100 == 0 || step == steps {
            let count = if step % 100 == 0 { 100 } else { step % 100 };
            let speed = (step * plan.batch) as f64 / begin.elapsed().as_secs_f64();
            let shown = loss / count as f64;
            println!("teacher {:9}  loss {shown:.6}  {speed:.0} positions/s", step * plan.batch);
            loss = 0.0;
        }
    }
}

fn train<const N: usize, P>(
    data: &Data,
    plan: &Plan,
    from: Option<Vec<f32>>,
    out: &str,
) -> Result<(), String>
where
    P: Recorded + NetworkInputs,
{
    let mut rng = SplitMix64::new(plan.seed);
    let begun = from.is_some() || plan.teach > 0;
    let mut training = Training::new(plan, from, &mut rng);
    teach::<N, P>(&mut training, data, plan, &mut rng);
    let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
    let batches = data.training.len().div_ceil(plan.batch);
    let all_steps = (plan.epochs * batches) as f32;
    let (mut step, mut best) = (0, f64::INFINITY);
    let write = |weights: &[f32]| {
        let file = quantise::file(weights, &plan.shape, plan.target.scale);
        std::fs::write(out, file).map_err(|error| format!("--out {out}: {error}"))
    };
    if begun {
        println!(
            "begun      held out {:.6}",
            holdout::<N>(&training.optimiser.weights, plan, &data.holdout)
        );
        write(&training.optimiser.weights)?;
    }
    let begin = Instant::now();
    for epoch in 1..=plan.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let mut loss = 0.0;
        for chosen in order.chunks(plan.batch) {
            let samples: Vec<&Sample> =
                chosen.iter().map(|&i| &data.training[i as usize]).collect();
            let rate = rate(plan.rate, plan.final_rate, step as f32 / all_steps);
            loss += training.step::<N>(plan, plan.target, &samples, rate);
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
    Ok(())
}

/// Reads the data and trains, with a game and a size that are known.
fn learn<P: Recorded + NetworkInputs>(options: &Options) -> Result<(), String> {
    let out = options.required("out")?;
    let plan = plan::<P>(options)?;
    let reading = Reading {
        sets: plan.shape.sets,
        holdout: options.count("holdout", 50, 2, 1_000_000)? as u64,
        bound: plan.bound,
        outlook: Outlook {
            share: options.number("outlook", 0.0, 0.0, 1.0)? as f32,
            scale: options.number("outlook-scale", 160.0, 50.0, 2_000.0)? as f32,
        },
    };
    let from = options.text("from").map(|file| {
        let bytes = std::fs::read(file).map_err(|error| error.to_string());
        let weights = bytes.and_then(|bytes| quantise::weights(&bytes, &plan.shape));
        weights.map_err(|reason| format!("--from {file}: {reason}"))
    });
    let from = from.transpose()?;
    let mut data = Data::default();
    for file in options.required("data")?.split(',') {
        data.read::<P>(file, reading)?;
    }
    println!(
        "{} games, {} positions to learn from, {} held out",
        data.games,
        data.training.len(),
        data.holdout.len()
    );
    if data.training.is_empty() || data.holdout.is_empty() {
        return Err(format!("--data: too few games; expected at least {}", reading.holdout));
    }
    match plan.shape.hidden {
        32 => train::<32, P>(&data, &plan, from, out),
        64 => train::<64, P>(&data, &plan, from, out),
        128 => train::<128, P>(&data, &plan, from, out),
        256 => train::<256, P>(&data, &plan, from, out),
        other => Err(format!("--hidden: {other}, expected 32, 64, 128 or 256")),
    }
}

fn run() -> Result<(), String> {
    let options = Options::read(std::env::args().skip(1), &NAMES)?;
    match options.text("game").unwrap_or("chess") {
        "chess" => learn::<chess::Position>(&options),
        "xiangqi" => learn::<xiangqi::Position>(&options),
        other => Err(format!("--game: {other:?}, expected chess or xiangqi")),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("train: {reason}");
            ExitCode::from(2)
        }
    }
}
