//! Self-play games as training data.
//!
//! ```text
//! cargo run --release -p tabiya-training -- datagen --out FILE
//!     [--game chess|xiangqi] [--games N] [--nodes N] [--random-plies N] [--seed N] [--hash MB] [--threads N]
//! ```
//!
//! FILE then has `--games` games (1000). No iteration of a search starts after `--nodes` nodes (5000). Each game begins
//! with `--random-plies` random plies (8), every other one with one more. The hash table of a thread has `--hash` MB
//! (8).
//!
//! `selfplay` plays the games, `record` defines the records. Games are written in the order of their numbers, whichever
//! thread played them, so the file is the same on every machine and for any number of threads. An interrupted run
//! resumes where it stopped. A file that this program did not write with the same options is rejected, so no other data
//! is overwritten.

use crate::options::Options;
use crate::record::{Labels, RECORD_BYTES, Record, Recorded};
use crate::selfplay::{Conditions, SelfPlay};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom, Write};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use tabiya::base::files::{open_to_continue, path_of};
use tabiya::base::lock::lock;
use tabiya::base::rng::SplitMix64;
use tabiya::engine::STACK_BYTES;
use tabiya::game::Position;

pub const NAMES: &str = "out games nodes random-plies seed threads hash game";

/// The options, checked.
struct Plan<'a> {
    file: &'a str,
    game: &'a str,
    games: u64,
    threads: usize,
    hash: usize,
    /// Seed of game 0, derived from the value of `--seed`; the seed of game N is this plus N.
    seed: u64,
    conditions: Conditions,
}

impl<'a> Plan<'a> {
    fn of(options: &'a Options) -> Result<Self, String> {
        Ok(Plan {
            file: options.required("out")?,
            game: options.game(),
            games: options.count("games", 1_000, 1, 1_000_000_000_000)? as u64,
            threads: options.threads()?,
            hash: options.count("hash", 8, 1, 1 << 20)?,
            seed: SplitMix64::new(options.count("seed", 1, 0, usize::MAX)? as u64).next_u64(),
            conditions: Conditions {
                random_plies: options.count("random-plies", 8, 0, 100)?,
                nodes: options.count("nodes", 5_000, 1, 1_000_000_000)? as u64,
            },
        })
    }

    /// An error about the output file.
    fn fault(&self, reason: impl std::fmt::Display) -> String {
        format!("--out {}: {reason}", self.file)
    }
}

/// Plays and writes the games, and says on stdout how many the file has.
pub fn run<B: Recorded>(options: &Options) -> Result<(), String> {
    let (games, records) = generate::<B>(options)?;
    // The file is complete, also if nobody reads this.
    let _ = writeln!(io::stdout(), "{games} games, {records} positions");
    Ok(())
}

/// The output file and the games in progress.
struct Output {
    file: File,
    /// Number of complete games in the file.
    games: u64,
    /// Number of records of these games.
    records: u64,
    /// Number of the next game to start; `u64::MAX` after a write error, so that no thread starts another.
    next: u64,
    /// Finished games that wait for earlier ones to be written.
    waiting: BTreeMap<u64, Vec<Record>>,
}

impl Output {
    /// Writes a finished game, or keeps it until all earlier games are written.
    fn write_in_order(&mut self, number: u64, records: Vec<Record>) -> io::Result<()> {
        self.waiting.insert(number, records);
        while let Some(records) = self.waiting.remove(&self.games) {
            let written = self.file.write_all(records.as_flattened());
            written.inspect_err(|_| self.next = u64::MAX)?;
            self.games += 1;
            self.records += records.len() as u64;
        }
        Ok(())
    }
}

/// The records of a game.
fn records_of<B: Recorded>(player: &mut SelfPlay<B>, seed: u64) -> Vec<Record> {
    let game = player.game(seed);
    let label = |(i, (pos, score)): (usize, &(Position<B>, i16))| {
        let labels = Labels { score: *score, result: game.result, opens_game: i == 0 };
        B::to_record(pos, labels)
    };
    game.positions.iter().enumerate().map(label).collect()
}

/// Opens the file and checks its records. The last game in it may be incomplete, and the records do not show it, so
/// that game is played again.
fn open<B: Recorded>(plan: &Plan<'_>, player: &mut SelfPlay<B>) -> Result<Output, String> {
    let fault = |error: io::Error| plan.fault(error);
    let mut file = open_to_continue(&path_of(plan.file)).map_err(|reason| plan.fault(reason))?;
    let (mut games, mut records, mut last) = (0, 0, 0);
    // The bytes of the first game, with an incomplete record behind it if there is no second game.
    let mut first = Vec::new();
    let mut reader = BufReader::new(&file);
    let mut bytes = Vec::with_capacity(RECORD_BYTES);
    loop {
        bytes.clear();
        reader.by_ref().take(RECORD_BYTES as u64).read_to_end(&mut bytes).map_err(fault)?;
        let Ok(record) = Record::try_from(bytes.as_slice()) else {
            first.extend_from_slice(if games <= 1 { &bytes } else { &[] });
            break;
        };
        let labels = B::from_record(&record).map(|(_, labels)| labels);
        let Some(labels) = labels.filter(|labels| labels.opens_game || records > 0) else {
            let reason = format!("record {} is not valid {} training data", records + 1, plan.game);
            return Err(plan.fault(reason));
        };
        if labels.opens_game {
            (games, last) = (games + 1, records);
        }
        if games == 1 {
            first.extend_from_slice(&record);
        }
        records += 1;
    }
    if !first.is_empty() && !records_of(player, plan.seed).as_flattened().starts_with(&first) {
        let reason = "written with other options or by another version; expected a new file";
        return Err(plan.fault(reason));
    }
    if games > plan.games {
        let reason = format!("already has {games} games, more than --games {}", plan.games);
        return Err(plan.fault(reason));
    }
    let end = last * RECORD_BYTES as u64;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(fault)?;
    let games = games.saturating_sub(1);
    Ok(Output { file, games, records: last, next: games, waiting: BTreeMap::new() })
}

/// Plays and writes games until the file has all of them. Returns the numbers of games and of records in it.
pub fn generate<B: Recorded>(options: &Options) -> Result<(u64, u64), String> {
    let plan = &Plan::of(options)?;
    let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| format!("the start position: {e}"))?;
    let player = |_| SelfPlay::new(start, plan.conditions, plan.hash);
    let players = (0..plan.threads).map(player).collect::<Result<Vec<_>, _>>();
    let mut players = players.map_err(|error| format!("--hash: {error}"))?;
    let Some(first) = players.first_mut() else { return Ok((0, 0)) };
    // `open` may play a game to compare it with the file, so it needs the stack of a search.
    let thread = || thread::Builder::new().stack_size(STACK_BYTES);
    let written = thread::scope(|scope| {
        let opened = thread().spawn_scoped(scope, || open(plan, first));
        let failed = |_| Err(plan.fault("a thread has panicked"));
        opened.map_err(|error| plan.fault(error))?.join().unwrap_or_else(failed)
    })?;
    let written = Mutex::new(written);
    let outcome = thread::scope(|scope| {
        let work = |mut player: SelfPlay<B>| -> io::Result<()> {
            loop {
                let mut guard = lock(&written);
                let number = guard.next;
                if number >= plan.games {
                    return Ok(());
                }
                guard.next += 1;
                drop(guard);
                let records = records_of(&mut player, plan.seed.wrapping_add(number));
                lock(&written).write_in_order(number, records)?;
            }
        };
        let start = |player| thread().spawn_scoped(scope, move || work(player));
        let started = players.into_iter().map(start).collect::<io::Result<Vec<_>>>();
        let threads = started.inspect_err(|_| lock(&written).next = u64::MAX)?;
        watch(plan, &written, || threads.iter().all(|thread| thread.is_finished()));
        let mut joined = threads.into_iter().map(|thread| thread.join());
        joined.try_for_each(|end| end.unwrap_or_else(|_| Err(io::Error::other("a thread has panicked"))))
    });
    let outcome: io::Result<()> = outcome;
    outcome.map_err(|error| plan.fault(error))?;
    let Output { games, records, .. } = *lock(&written);
    Ok((games, records))
}

/// Shows progress on stderr until `finished`, if it is a terminal.
fn watch(plan: &Plan<'_>, written: &Mutex<Output>, finished: impl Fn() -> bool) {
    let mut stderr = io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    let totals = || {
        let Output { games, records, .. } = *lock(written);
        (games, records)
    };
    let (begin, before) = (Instant::now(), totals());
    while !finished() {
        thread::sleep(Duration::from_millis(200));
        let (games, records) = totals();
        let seconds = begin.elapsed().as_secs_f64();
        let speed = (records - before.1) as f64 / seconds;
        let left = (plan.games - games) as f64 * seconds / (games - before.0) as f64;
        // Nothing is lost with a line that cannot be written.
        let _ = write!(stderr, "\r{games} games  {records} positions  {speed:.0} per second  {left:.0} s left\x1b[K");
    }
    let _ = write!(stderr, "\r\x1b[K");
}
