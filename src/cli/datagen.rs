//! `tabiya datagen`: self-play games as training data.
//!
//! `engine::selfplay` plays the games, `game::record` defines the records. Games are written in the order of their
//! numbers, whichever thread played them, so the file is the same on every machine and for any number of threads. An
//! interrupted run resumes where it stopped. A file that this program did not write with the same options is rejected,
//! so no other data is overwritten.

use super::args::{self, Flag, number, text};
use super::prelude::*;
use crate::base::cpu::threads;
use crate::base::files::{open_to_continue, path_of};
use crate::base::lock::lock;
use crate::base::rng::SplitMix64;
use crate::engine::selfplay::{Conditions, SelfPlay};
use crate::engine::{MAX_THREADS, STACK_BYTES};
use crate::game::record::{Labels, RECORD_BYTES, Record};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Mutex;
use std::thread;

/// Largest value of `--games`.
const MAX_GAMES: u128 = 1_000_000_000_000;

/// The parsed options.
pub(super) struct Options {
    file: String,
    games: u64,
    /// 0 means all cores.
    threads: usize,
    hash: usize,
    /// Seed of game 0, derived from the value of `--seed`; the seed of game N is this plus N.
    seed: u64,
    conditions: Conditions,
    game: Game,
}

/// The options.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag<Options>] = &[
    Flag("--out FILE", |o, v| text(&mut o.file, v),
        "output file; an existing file with the same options is continued"),
    Flag("--games N", |o, v| number(&mut o.games, v, 1..=MAX_GAMES),
        "number of games in FILE at the end (default 1000)"),
    Flag("--nodes N", |o, v| number(&mut o.conditions.nodes, v, 1..=1_000_000_000),
        "start no further iteration of a search after N nodes (default 5000)"),
    Flag("--random-plies N", |o, v| number(&mut o.conditions.random_plies, v, 0..=100),
        "random plies before each game, one more in every other game (default 8)"),
    Flag("--seed N", |o, v| number(&mut o.seed, v, 0..=u128::from(u64::MAX)), "seed of the games (default 1)"),
    Flag("--threads N", |o, v| number(&mut o.threads, v, 0..=MAX_THREADS as u128),
        "games played in parallel; 0 = all cores (default); does not change FILE"),
    Flag("--hash MB", |o, v| number(&mut o.hash, v, 1..=1 << 20), "hash table size per thread in MB (default 8)"),
    Flag("--game NAME", |o, v| Game::read(v).map(|game| o.game = game), "chess (default) or xiangqi"),
];

/// Runs `tabiya datagen` with the arguments after `datagen`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
    let mut options = Options {
        file: String::new(),
        games: 1_000,
        threads: 0,
        hash: 8,
        seed: 1,
        conditions: Conditions { random_plies: 8, nodes: 5_000 },
        game: Game::Chess,
    };
    let (_, words) = args::read("datagen", FLAGS.iter(), arguments, &mut options)?;
    if let [word, ..] = words.as_slice() {
        let word = quoted(word);
        return Err(format!("datagen: unexpected argument {word}; see tabiya datagen --help").into());
    }
    if options.file.is_empty() {
        return Err("--out FILE is missing".into());
    }
    options.seed = SplitMix64::new(options.seed).next_u64();
    options.threads = threads(options.threads).min(MAX_THREADS);
    by_game!(options.game, P => generate::<P>(&options, out))
}

/// An error about the output file.
fn out_error(options: &Options, reason: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("--out {}: {reason}", options.file))
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
fn records_of<P: Variant>(player: &mut SelfPlay<P>, seed: u64) -> Vec<Record> {
    let game = player.game(seed);
    let label = |(i, (pos, score)): (usize, &(P, i16))| {
        let labels = Labels { score: *score, result: game.result, opens_game: i == 0 };
        pos.to_record(labels)
    };
    game.positions.iter().enumerate().map(label).collect()
}

/// Opens the file and checks its records. The last game in it may be incomplete, and the records do not show it, so
/// that game is played again.
fn open<P: Variant>(options: &Options, player: &mut SelfPlay<P>) -> Outcome<Output> {
    let fault = |error: io::Error| out_error(options, error);
    let mut file = open_to_continue(&path_of(&options.file)).map_err(|reason| out_error(options, reason))?;
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
        let labels = P::from_record(&record).map(|(_, labels)| labels);
        let Some(labels) = labels.filter(|labels| labels.opens_game || records > 0) else {
            let reason = format!("record {} is not valid {} training data", records + 1, P::NAME);
            return Err(out_error(options, reason));
        };
        if labels.opens_game {
            (games, last) = (games + 1, records);
        }
        if games == 1 {
            first.extend_from_slice(&record);
        }
        records += 1;
    }
    if !first.is_empty() && !records_of(player, options.seed).as_flattened().starts_with(&first) {
        let reason = "written with other options or by another version; expected a new file";
        return Err(out_error(options, reason));
    }
    if games > options.games {
        let reason = format!("already has {games} games, more than --games {}", options.games);
        return Err(out_error(options, reason));
    }
    let end = last * RECORD_BYTES as u64;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(fault)?;
    let games = games.saturating_sub(1);
    Ok(Output { file, games, records: last, next: games, waiting: BTreeMap::new() })
}

/// Plays and writes games until the file has all of them.
fn generate<P: Variant>(options: &Options, out: &mut Stdout) -> Outcome {
    let start = P::from_fen(P::START_FEN).map_err(|e| format!("the start position: {e}"))?;
    let player = |_| SelfPlay::new(start, options.conditions, options.hash);
    let players = (0..options.threads).map(player).collect::<Result<Vec<_>, _>>();
    let mut players = players.map_err(|error| format!("--hash: {error}"))?;
    let Some(first) = players.first_mut() else { return Ok(()) };
    // `open` may play a game to compare it with the file, so it needs the stack of a search.
    let thread = || thread::Builder::new().stack_size(STACK_BYTES);
    let written = thread::scope(|scope| {
        let opened = thread().spawn_scoped(scope, || open(options, first));
        let failed = |_| Err(out_error(options, "a thread has panicked"));
        opened.map_err(|error| out_error(options, error))?.join().unwrap_or_else(failed)
    })?;
    let written = Mutex::new(written);
    let outcome = thread::scope(|scope| {
        let work = |mut player: SelfPlay<P>| -> io::Result<()> {
            loop {
                let mut guard = lock(&written);
                let number = guard.next;
                if number >= options.games {
                    return Ok(());
                }
                guard.next += 1;
                drop(guard);
                let records = records_of(&mut player, options.seed.wrapping_add(number));
                lock(&written).write_in_order(number, records)?;
            }
        };
        let start = |player| thread().spawn_scoped(scope, move || work(player));
        let started = players.into_iter().map(start).collect::<io::Result<Vec<_>>>();
        let threads = started.inspect_err(|_| lock(&written).next = u64::MAX)?;
        watch(options, &written, || threads.iter().all(|thread| thread.is_finished()));
        let mut joined = threads.into_iter().map(|thread| thread.join());
        joined.try_for_each(|end| end.unwrap_or_else(|_| Err(io::Error::other("a thread has panicked"))))
    });
    let outcome: io::Result<()> = outcome;
    outcome.map_err(|error| out_error(options, error))?;
    let Output { games, records, .. } = *lock(&written);
    writeln!(out, "{games} games, {records} positions")?;
    Ok(out.flush()?)
}

/// Shows progress on stderr until `finished`, if it is a terminal.
fn watch(options: &Options, written: &Mutex<Output>, finished: impl Fn() -> bool) {
    let progress = Progress::new();
    if !progress.terminal {
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
        let left = (options.games - games) as f64 * seconds / (games - before.0) as f64;
        let speed = format!("{speed:.0} per second  {left:.0} s left");
        progress.show(&format!("{games} games  {records} positions  {speed}"));
    }
    progress.clear();
}
