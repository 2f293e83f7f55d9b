//! Plays the engine against itself with different search parameters (`game::SearchParams`), and tunes them.
//!
//! ```text
//! cargo run --release -p tabiya-training -- match [--a NAME=VALUE[,…]] [--b NAME=VALUE[,…]] [--elo0 F --elo1 F]
//! cargo run --release -p tabiya-training -- screen --changes NAME=VALUE[,…]
//! cargo run --release -p tabiya-training -- spsa --params NAME:LOW:HIGH:STEP[,…] --state FILE [--rate F]
//!     all: [--game chess|xiangqi] [--pairs N] [--nodes N] [--random-plies N] [--hash MB] [--seed N] [--threads N]
//!           [--every PAIRS]
//! ```
//!
//! A pair is two games with the same random opening and reversed colours. Searches end by nodes, so the load of the
//! machine does not matter. `match` plays A against B; with `--elo0` and `--elo1` it ends when the SPRT is decided
//! (both error rates 5 %). `screen` measures the effect of each of many changes in the games of one match: for each
//! pair every change is given to one of the players at random. `spsa` moves all parameters at once, STEP up or down at
//! random, and shifts them towards the side that scores better (Spall 1992). `FILE` keeps the state; a run with the
//! same file continues from there.

mod params;
mod spsa;
mod statistics;

use crate::options::Options;
use crate::selfplay::{Conditions, Duel};
use params::by_name;
use spsa::Tuning;
use statistics::Tally;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tabiya::base::files::path_of;
use tabiya::base::rng::SplitMix64;
use tabiya::engine::STACK_BYTES;
use tabiya::game::{Position, SearchParams, Searchable};

pub const NAMES: &str = "a b changes elo0 elo1 params state rate game pairs nodes random-plies hash seed threads \
    every";

/// The options, checked.
struct Plan {
    conditions: Conditions,
    megabytes: usize,
    pairs: u64,
    threads: usize,
    seed: u64,
    /// Pairs between two lines of output.
    every: u64,
}

fn plan(options: &Options) -> Result<Plan, String> {
    Ok(Plan {
        conditions: Conditions {
            random_plies: options.count("random-plies", 8, 0, 100)?,
            nodes: options.count("nodes", 5_000, 1, 1_000_000_000)? as u64,
        },
        megabytes: options.count("hash", 8, 1, 1 << 20)?,
        pairs: options.count("pairs", 1_000, 1, 1_000_000_000)? as u64,
        threads: options.threads()?,
        seed: SplitMix64::new(options.count("seed", 1, 0, usize::MAX)? as u64).next_u64(),
        every: options.count("every", 100, 1, 1_000_000_000)? as u64,
    })
}

/// The default parameters of the game with the changes of the option `name`.
fn changed<B: Searchable>(options: &Options, name: &str) -> Result<SearchParams, String> {
    let mut params = B::PARAMS;
    for part in options.text(name).into_iter().flat_map(|text| text.split(',')) {
        change(&mut params, name, part)?;
    }
    Ok(params)
}

/// Applies the change `part` (NAME=VALUE) of the option `name`.
fn change(params: &mut SearchParams, name: &str, part: &str) -> Result<(), String> {
    let fault = |expected: &str| format!("--{name}: {part:?}: expected {expected}");
    let (key, value) = part.split_once('=').ok_or_else(|| fault("NAME=VALUE"))?;
    let known = || fault(&format!("one of {}", params::NAMES.join(", ")));
    *by_name(params, key).ok_or_else(known)? = value.parse().map_err(|_| fault("a whole number behind ="))?;
    Ok(())
}

/// Plays the pairs with these numbers on all threads.
///
/// `begin` gets a pair's number and returns the parameters of both players with data for `end`. `end` gets the number,
/// that data and the half-points of the first player, 0 to 4; it returns true to stop.
fn play<B, I>(
    plan: &Plan,
    numbers: std::ops::Range<u64>,
    begin: impl Fn(u64) -> (I, [SearchParams; 2]) + Sync,
    end: impl Fn(u64, I, u32) -> bool + Sync,
) -> Result<(), String>
where
    B: Searchable,
{
    let start = Position::<B>::from_fen(B::START_FEN).map_err(|error| error.to_string())?;
    let (next, over) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let work = |mut duel: Duel<B>| {
        while !over.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= numbers.end {
                break;
            }
            let (information, params) = begin(number);
            duel.set_params(params);
            let points = duel.pair(plan.seed.wrapping_add(number));
            if end(number, information, points) {
                over.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let duel = Duel::new(start, plan.conditions, plan.megabytes);
            let duel = duel.map_err(|error| format!("--hash: {error}"))?;
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, || work(duel)).map_err(|error| format!("--threads: {error}"))?;
        }
        Ok(())
    })
}

/// A match of A against B.
pub fn compare<B: Searchable>(options: &Options) -> Result<(), String> {
    let plan = plan(options)?;
    let players = [changed::<B>(options, "a")?, changed::<B>(options, "b")?];
    let bounds = match (options.text("elo0"), options.text("elo1")) {
        (None, None) => None,
        _ => {
            let elo = |name| options.number(name, 0.0, -1_000.0, 1_000.0);
            let (low, high) = (elo("elo0")?, elo("elo1")?);
            if low >= high {
                return Err(format!("--elo1: {high}, expected more than --elo0"));
            }
            Some([low, high])
        }
    };
    let tally = Mutex::new(Tally::default());
    let end = |_, (), points: u32| {
        let mut tally = tally.lock().expect("no thread panics");
        tally.add(points);
        let decision = bounds.and_then(|bounds| tally.sprt(bounds));
        if tally.pairs().is_multiple_of(plan.every) || decision.is_some() {
            println!("{tally}  {}", decision.as_deref().unwrap_or_default());
        }
        decision.is_some()
    };
    play::<B, ()>(&plan, 0..plan.pairs, |_| ((), players), end)?;
    println!("{}", tally.lock().expect("no thread panics"));
    Ok(())
}

/// Gives each change to one of two players, drawn from `seed`: the players by change, and the parameters of both.
fn assigned(played: SearchParams, changes: &[&str], seed: u64) -> (Vec<usize>, [SearchParams; 2]) {
    let mut rng = SplitMix64::new(seed);
    let mut params = [played; 2];
    let players: Vec<usize> = changes.iter().map(|_| rng.below(2)).collect();
    for (part, &player) in changes.iter().zip(&players) {
        change(&mut params[player], "changes", part).expect("checked before");
    }
    (players, params)
}

/// Measures each of many changes in the same games (a factorial design): in every pair each change is given to one of
/// the players at random. The other changes only add to the error of its result.
pub fn screen<B: Searchable>(options: &Options) -> Result<(), String> {
    let plan = plan(options)?;
    let played = B::PARAMS;
    let changes: Vec<&str> = options.required("changes")?.split(',').collect();
    changes.iter().try_for_each(|part| change(&mut played.clone(), "changes", part))?;
    let tallies = Mutex::new(changes.iter().map(|_| Tally::default()).collect::<Vec<_>>());
    let begin = |number| assigned(played, &changes, plan.seed ^ number);
    let show = |tallies: &[Tally]| {
        let lines = changes.iter().zip(tallies);
        lines.for_each(|(part, tally)| println!("{part:32} {tally}"));
        println!();
    };
    let end = |_, players: Vec<usize>, points: u32| {
        let mut tallies = tallies.lock().expect("no thread panics");
        for (tally, player) in tallies.iter_mut().zip(players) {
            tally.add(if player == 0 { points } else { 4 - points });
        }
        let pairs = tallies[0].pairs();
        if pairs.is_multiple_of(plan.every) && pairs < plan.pairs {
            show(&tallies);
        }
        false
    };
    play::<B, Vec<usize>>(&plan, 0..plan.pairs, begin, end)?;
    show(&tallies.into_inner().expect("no thread panics"));
    Ok(())
}

/// Tunes parameters by SPSA.
pub fn spsa<B: Searchable>(options: &Options) -> Result<(), String> {
    let plan = plan(options)?;
    let file = options.required("state")?;
    let rate = options.number("rate", 0.002, 0.0, 1.0)?;
    let tuning = Tuning::new(B::PARAMS, options.required("params")?, rate, plan.pairs)?;
    let tuning = Mutex::new(tuning.resumed(file)?);
    let from = tuning.lock().expect("no thread panics").done();
    let failure = Mutex::new(None);
    let begin = |number| tuning.lock().expect("no thread panics").begin(plan.seed ^ number);
    let end = |_, signs: Vec<bool>, points| {
        let mut tuning = tuning.lock().expect("no thread panics");
        tuning.learn(&signs, points);
        if tuning.done().is_multiple_of(plan.every) || tuning.done() == plan.pairs {
            println!("{tuning}");
            if let Err(error) = std::fs::write(path_of(file), tuning.to_string()) {
                *failure.lock().expect("no thread panics") = Some(format!("--state {file}: {error}"));
                return true;
            }
        }
        false
    };
    play::<B, Vec<bool>>(&plan, from..plan.pairs, begin, end)?;
    failure.into_inner().expect("no thread panics").map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::chess;

    #[test]
    fn every_change_falls_to_one_player() {
        let played = chess::Board::PARAMS;
        let changes = ["null_base=0", "futility_margin=77", "late_base=0"];
        let mut seen = [[0; 2]; 3];
        for seed in 0..100 {
            let (players, params) = assigned(played, &changes, seed);
            for ((part, &player), seen) in changes.iter().zip(&players).zip(&mut seen) {
                let mut expected = played;
                change(&mut expected, "changes", part).unwrap();
                let name = part.split('=').next().unwrap();
                for (index, mut params) in params.into_iter().enumerate() {
                    let from = if index == player { &mut expected } else { &mut played.clone() };
                    assert_eq!(by_name(&mut params, name), by_name(from, name), "{part}");
                }
                seen[player] += 1;
            }
        }
        assert!(seen.as_flattened().iter().all(|&times| times > 25), "{seen:?}");
    }
}
