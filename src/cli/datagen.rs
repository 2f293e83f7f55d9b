//! The `datagen` subcommand: training data from games of the engine against itself.
//!
//! Called by `cli`; the games are `engine::selfplay`'s, the records `game::record`'s. The file holds games in the
//! order of their numbers, whatever thread played them, so that it is the same file on every machine, and a run that
//! was stopped goes on where it stood. Nothing that a file holds is ever lost: what this program did not write in
//! the same way is refused.

use super::args::{self, Flag, number, text};
use super::failure::{Failure, Outcome};
use super::games::{Game, Offered, by_game};
use crate::base::lock::lock;
use crate::base::rng::SplitMix64;
use crate::engine::selfplay::{Conditions, SelfPlay};
use crate::engine::{MAX_THREADS, STACK_BYTES};
use crate::game::notation::quoted;
use crate::game::record::{Labels, RECORD_BYTES, Record, Recorded};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom, Stdout, Write};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// Largest value of `--games`.
const MAX_GAMES: u128 = 1_000_000_000_000;

/// What the options ask for.
pub(super) struct Order {
    file: String,
    games: u64,
    /// 0 for all cores.
    threads: usize,
    hash: usize,
    /// That of the game with the number 0, made from the option's.
    seed: u64,
    conditions: Conditions,
    game: Game,
}

/// The options.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag<Order>] = &[
    Flag("--out FILE", |o, v| text(&mut o.file, v),
        "where to write; a file of an earlier run with the same options is continued"),
    Flag("--games N", |o, v| number(&mut o.games, v, 1..=MAX_GAMES),
        "games that FILE is to hold in the end (default 1000)"),
    Flag("--nodes N", |o, v| number(&mut o.conditions.nodes, v, 1..=1_000_000_000),
        "nodes of a search after which no iteration is begun (default 5000)"),
    Flag("--random-plies N", |o, v| number(&mut o.conditions.random_plies, v, 0..=100),
        "random moves before a game; every other game has one more (default 8)"),
    Flag("--seed N", |o, v| number(&mut o.seed, v, 0..=u128::from(u64::MAX)), "other games (default 1)"),
    Flag("--threads N", |o, v| number(&mut o.threads, v, 0..=MAX_THREADS as u128),
        "games at a time; 0 = all cores (default); the file does not depend on it"),
    Flag("--hash MB", |o, v| number(&mut o.hash, v, 1..=1 << 20), "hash table of each thread (default 8)"),
    Flag("--game NAME", |o, v| Game::read(v).map(|game| o.game = game), "chess (default) or xiangqi"),
];

/// Runs `tabiya datagen` with the arguments behind that word.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
    let mut order = Order {
        file: String::new(),
        games: 1_000,
        threads: 0,
        hash: 8,
        seed: 1,
        conditions: Conditions { random_plies: 8, nodes: 5_000 },
        game: Game::Chess,
    };
    let (_, words) = args::read("datagen", FLAGS.iter(), arguments, &mut order)?;
    if let [word, ..] = words.as_slice() {
        let word = quoted(word);
        return Err(format!("datagen: {word} is no option; see tabiya datagen --help").into());
    }
    if order.file.is_empty() {
        return Err("--out is missing: the file to write".into());
    }
    order.seed = SplitMix64::new(order.seed).next_u64();
    order.threads = args::threads(order.threads).min(MAX_THREADS);
    by_game!(order.game, P => generate::<P>(&order, out))
}

/// A fault of the file.
fn blame(order: &Order, reason: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("--out {}: {reason}", order.file))
}

/// The file, what it holds, and what the threads play for it.
struct Written {
    file: File,
    /// Whole games.
    games: u64,
    /// Records of the whole games.
    records: u64,
    /// The number of the next game that somebody begins; the largest there is once the file cannot be written.
    next: u64,
    /// Games that wait for those before them.
    waiting: BTreeMap<u64, Vec<Record>>,
}

impl Written {
    /// Keeps the game until all those before it are written.
    fn hand_in(&mut self, number: u64, records: Vec<Record>) -> io::Result<()> {
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
fn records_of<P: Offered + Recorded>(player: &mut SelfPlay<P>, seed: u64) -> Vec<Record> {
    let game = player.game(seed);
    let label = |(i, (pos, score)): (usize, &(P, i16))| {
        let labels = Labels { score: *score, result: game.result, opens_game: i == 0 };
        pos.to_record(labels)
    };
    game.positions.iter().enumerate().map(label).collect()
}

/// Opens the file and finds out where to go on: whoever was stopped has written the last game only in part, and
/// nobody can see whether it is whole, so it is played again.
fn open<P: Offered + Recorded>(order: &Order, player: &mut SelfPlay<P>) -> Outcome<Written> {
    let fault = |error: io::Error| blame(order, error);
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(&order.file).map_err(fault)?;
    // A file system without locks is no reason to refuse.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(blame(order, "another process is writing it"));
    }
    let (mut games, mut records, mut last) = (0, 0, 0);
    // The bytes of the first game, and of what is left of a record if there is no other game.
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
            let reason = format!("record {} is none of {} training data", records + 1, P::NAME);
            return Err(blame(order, reason));
        };
        if labels.opens_game {
            (games, last) = (games + 1, records);
        }
        if games == 1 {
            first.extend_from_slice(&record);
        }
        records += 1;
    }
    if !first.is_empty() && !records_of(player, order.seed).as_flattened().starts_with(&first) {
        let reason = "it was made with other options or by another version; expected a new file";
        return Err(blame(order, reason));
    }
    if games > order.games {
        let reason = format!("it holds {games} games already, more than --games {}", order.games);
        return Err(blame(order, reason));
    }
    let end = last * RECORD_BYTES as u64;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(fault)?;
    let games = games.saturating_sub(1);
    Ok(Written { file, games, records: last, next: games, waiting: BTreeMap::new() })
}

/// Plays and writes until the file holds all games.
fn generate<P: Offered + Recorded>(order: &Order, out: &mut Stdout) -> Outcome {
    let start = P::from_fen(P::START_FEN).map_err(|e| format!("the start position: {e}"))?;
    let player = |_| SelfPlay::new(start, order.conditions, order.hash);
    let players = (0..order.threads).map(player).collect::<Result<Vec<_>, _>>();
    let mut players = players.map_err(|error| format!("--hash: {error}"))?;
    let Some(first) = players.first_mut() else { return Ok(()) };
    // It may have to play a game.
    let thread = || thread::Builder::new().stack_size(STACK_BYTES);
    let written = thread::scope(|scope| {
        let opened = thread().spawn_scoped(scope, || open(order, first));
        let failed = |_| Err(blame(order, "a thread has failed"));
        opened.map_err(|error| blame(order, error))?.join().unwrap_or_else(failed)
    })?;
    let written = Mutex::new(written);
    let outcome = thread::scope(|scope| {
        let work = |mut player: SelfPlay<P>| -> io::Result<()> {
            loop {
                let mut guard = lock(&written);
                let number = guard.next;
                if number >= order.games {
                    return Ok(());
                }
                guard.next += 1;
                drop(guard);
                let records = records_of(&mut player, order.seed.wrapping_add(number));
                lock(&written).hand_in(number, records)?;
            }
        };
        let start = |player| thread().spawn_scoped(scope, move || work(player));
        let started = players.into_iter().map(start).collect::<io::Result<Vec<_>>>();
        let threads = started.inspect_err(|_| lock(&written).next = u64::MAX)?;
        watch(order, &written, || threads.iter().all(|thread| thread.is_finished()));
        let mut joined = threads.into_iter().map(|thread| thread.join());
        joined.try_for_each(|end| {
            end.unwrap_or_else(|_| Err(io::Error::other("a thread has failed")))
        })
    });
    let outcome: io::Result<()> = outcome;
    outcome.map_err(|error| blame(order, error))?;
    let Written { games, records, .. } = *lock(&written);
    writeln!(out, "{games} games, {records} positions")?;
    Ok(out.flush()?)
}

/// Shows progress on a terminal until `finished`.
fn watch(order: &Order, written: &Mutex<Written>, finished: impl Fn() -> bool) {
    if !io::stderr().is_terminal() {
        return;
    }
    let held = || {
        let Written { games, records, .. } = *lock(written);
        (games, records)
    };
    let (begin, before) = (Instant::now(), held());
    while !finished() {
        thread::sleep(Duration::from_millis(200));
        let (games, records) = held();
        let seconds = begin.elapsed().as_secs_f64();
        let speed = (records - before.1) as f64 / seconds;
        let left = (order.games - games) as f64 * seconds / (games - before.0) as f64;
        // Nobody is hurt if stderr is closed.
        let _ = write!(
            io::stderr(),
            "\r{games} games  {records} positions  {speed:.0} a second  {left:.0} s left\x1b[K"
        );
    }
    let _ = write!(io::stderr(), "\r\x1b[K");
}
