//! Searches positions of training data again with more nodes, so that their scores know more.
//!
//! ```text
//! cargo run --release --example rescore -- --data FILE --out FILE --nodes N
//!     [--game chess|xiangqi] [--every N] [--offset N] [--men N] [--bound CP] [--hash MB] [--threads N]
//! ```
//!
//! Of every N records the one at `--offset` is taken, counted from 0, if it has `--men` men at least and its score is
//! at most `--bound`; it is left out if the best move turns out to be a capture, or a mate is seen. Each record written is
//! a game of its own, with the result of the game that it was taken from. The file depends on the data and the
//! options alone, not on the threads; a run that is stopped leaves whole records.

#[path = "../options.rs"]
mod options;

use options::Options;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use tabiya::engine::score::is_decided;
use tabiya::engine::{Engine, Info, Limits, Report, STACK_BYTES, Score};
use tabiya::game::network::NetworkInputs;
use tabiya::game::record::{Labels, RECORD_BYTES, Record, Recorded};
use tabiya::game::{Playable, Side};
use tabiya::{chess, xiangqi};

const NAMES: [&str; 10] =
    ["data", "out", "nodes", "game", "every", "offset", "men", "bound", "hash", "threads"];

/// A search may take so many times the nodes after which no iteration is begun.
const HARD: u64 = 3;
/// Positions that a thread searches before they are written.
const SHARE: usize = 64;

/// What is to be done.
struct Plan {
    nodes: u64,
    every: usize,
    offset: usize,
    men: u32,
    bound: i32,
    hash: usize,
    threads: usize,
}

fn plan(options: &Options) -> Result<Plan, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let every = options.count("every", 1, 1, 1_000_000)?;
    options.required("nodes")?;
    Ok(Plan {
        nodes: options.count("nodes", 0, 1, 1_000_000_000)? as u64,
        every,
        offset: options.count("offset", 0, 0, every - 1)?,
        men: options.count("men", 0, 0, 32)? as u32,
        bound: options.count("bound", 1_200, 1, 32_000)? as i32,
        hash: options.count("hash", 1, 1, 1 << 20)?,
        threads: options.count("threads", cores, 1, 256)?,
    })
}

/// The answer of the last search.
struct Answer<M>(Mutex<(Option<M>, Score)>);

impl<P: Playable> Report<P> for Answer<P::Move> {
    fn info(&self, _info: &Info<'_, P::Move>) {}
    fn best(&self, best: Option<P::Move>, _ponder: Option<P::Move>, score: Score) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (best, score);
    }
}

/// An engine that knows nothing of the position before.
struct Judge<P: Playable> {
    engine: Engine<P>,
    answer: Arc<Answer<P::Move>>,
}

impl<P: Recorded> Judge<P> {
    fn new(plan: &Plan) -> Result<Self, String> {
        let answer = Arc::new(Answer(Mutex::new((None, 0))));
        let mut engine = Engine::new(Arc::clone(&answer) as Arc<dyn Report<P>>);
        engine.resize_hash(plan.hash).map_err(|error| format!("--hash: {error}"))?;
        Ok(Judge { engine, answer })
    }

    /// The record with the score of a search, if the position is quiet.
    fn record(&mut self, pos: P, labels: Labels, nodes: u64) -> Option<Record> {
        self.engine.new_game();
        self.engine.set_position(pos, &[]);
        self.engine.search(Limits {
            nodes: Some(nodes.saturating_mul(HARD)),
            soft_nodes: Some(nodes),
            ..Limits::default()
        });
        let (best, score) = *self.answer.0.lock().unwrap_or_else(PoisonError::into_inner);
        if best.is_none_or(|m| pos.is_noisy(m)) || is_decided(score) {
            return None;
        }
        let score = if pos.side() == Side::First { score } else { -score };
        Some(pos.to_record(Labels { score: score as i16, opens_game: true, ..labels }))
    }
}

/// The positions of a file that are to be searched.
struct Chosen<'a> {
    reader: BufReader<File>,
    file: &'a str,
    plan: &'a Plan,
    read: usize,
}

impl Chosen<'_> {
    /// The next one, or nothing at the end of the file.
    fn next<P: Recorded + NetworkInputs>(&mut self) -> Result<Option<(P, Labels)>, String> {
        let mut record = [0; RECORD_BYTES];
        loop {
            match self.reader.read_exact(&mut record) {
                Ok(()) => {}
                // A run that is going on may have written a part of a record.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(format!("--data {}: {error}", self.file)),
            }
            self.read += 1;
            let Some((pos, labels)) = P::from_record(&record) else {
                let reason = "is no training data of this game";
                return Err(format!("--data {}: record {} {reason}", self.file, self.read));
            };
            if (self.read - 1) % self.plan.every == self.plan.offset
                && pos.men() >= self.plan.men
                && i32::from(labels.score).abs() <= self.plan.bound
                && !pos.in_check()
            {
                return Ok(Some((pos, labels)));
            }
        }
    }
}

/// Reads, searches and writes, `SHARE` positions a thread at a time.
fn rescore<P: Recorded + NetworkInputs>(options: &Options) -> Result<(), String> {
    let (file, to) = (options.required("data")?, options.required("out")?);
    let plan = plan(options)?;
    let input = File::open(file).map_err(|error| format!("--data {file}: {error}"))?;
    let mut chosen = Chosen { reader: BufReader::new(input), file, plan: &plan, read: 0 };
    let fault = |error: std::io::Error| format!("--out {to}: {error}");
    let mut out = File::create_new(to).map_err(fault)?;
    let judges = (0..plan.threads).map(|_| Judge::<P>::new(&plan));
    let mut judges = judges.collect::<Result<Vec<_>, _>>()?;
    let (mut searched, mut written) = (0, 0);
    loop {
        let mut positions = Vec::with_capacity(SHARE * plan.threads);
        while positions.len() < SHARE * plan.threads
            && let Some(next) = chosen.next::<P>()?
        {
            positions.push(next);
        }
        if positions.is_empty() {
            break;
        }
        searched += positions.len();
        let records: Vec<Record> = std::thread::scope(|scope| {
            let search = |judge: &mut Judge<P>, part: &[(P, Labels)]| -> Vec<Record> {
                part.iter()
                    .filter_map(|&(pos, labels)| judge.record(pos, labels, plan.nodes))
                    .collect()
            };
            let threads: Vec<_> = judges
                .iter_mut()
                .zip(positions.chunks(SHARE))
                .map(|(judge, part)| {
                    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                    thread.spawn_scoped(scope, move || search(judge, part))
                })
                .collect::<Result<_, _>>()
                .map_err(|error| format!("--threads: {error}"))?;
            let joined = threads.into_iter().map(|thread| thread.join());
            Ok::<_, String>(joined.flat_map(|part| part.expect("no thread panics")).collect())
        })?;
        written += records.len();
        out.write_all(records.as_flattened()).map_err(fault)?;
    }
    println!("{} records read, {searched} searched, {written} written", chosen.read);
    Ok(())
}

fn run() -> Result<(), String> {
    let options = Options::read(std::env::args().skip(1), &NAMES)?;
    match options.text("game").unwrap_or("chess") {
        "chess" => rescore::<chess::Position>(&options),
        "xiangqi" => rescore::<xiangqi::Position>(&options),
        other => Err(format!("--game: {other:?}, expected chess or xiangqi")),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("rescore: {reason}");
            ExitCode::from(2)
        }
    }
}
