//! Searches positions of training data again with more nodes, for better scores.
//!
//! ```text
//! cargo run --release -p tabiya-training -- rescore --data FILE --out FILE --nodes N
//!     [--game chess|xiangqi] [--every N] [--offset N] [--men N] [--bound CP] [--stray N] [--hash MB] [--threads N]
//! ```
//!
//! Of every `--every` records the one at `--offset` (from 0) is searched, if it has at least `--men` pieces, its score
//! is at most `--bound` centipawns either way, and the side to move is not in check. It is dropped if the best move is
//! a capture or promotion, or the score is decided. Each record written is a game of its own, with the result of the
//! game that it was taken from. The file depends only on the data and the options, not on the threads. A run that is
//! stopped leaves complete records.
//!
//! With `--stray N`, N random moves are played first, half of them captures or promotions where there are any, and then
//! best moves until the position is quiet. Searches visit such positions, and games do not. The record keeps the result
//! of the game, which does not apply to such a position: give the file to `train` as `--off`.

use crate::options::Options;
use crate::record::{Labels, Record, Recorded};
use crate::records::Records;
use crate::selfplay::{player, think};
use std::fs::File;
use std::io::Write;
use tabiya::base::files::path_of;
use tabiya::base::rng::SplitMix64;
use tabiya::engine::score::is_decided;
use tabiya::engine::{Engine, STACK_BYTES};
use tabiya::game::{Position, Searchable, Side};
use tabiya::network::NetworkInputs;

pub const NAMES: &str = "data out nodes game every offset men bound stray hash threads";

/// Hard node limit of a search, as a multiple of the soft one, after which no iteration starts.
const HARD: u64 = 3;
/// Positions that a thread searches between two writes.
const SHARE: usize = 64;
/// Nodes of the searches for the moves after the random ones, and the most such moves.
const REPLY_NODES: u64 = 150;
const REPLIES: usize = 6;
/// Positions off the games with a larger score are dropped as decided, in centipawns.
const LOPSIDED: i32 = 600;

/// The options, checked.
struct Plan {
    nodes: u64,
    every: usize,
    offset: usize,
    men: u32,
    bound: i32,
    stray: usize,
    hash: usize,
    threads: usize,
}

fn plan(options: &Options) -> Result<Plan, String> {
    let every = options.count("every", 1, 1, 1_000_000)?;
    options.required("nodes")?;
    Ok(Plan {
        nodes: options.count("nodes", 0, 1, 1_000_000_000)? as u64,
        every,
        offset: options.count("offset", 0, 0, every - 1)?,
        men: options.count("men", 0, 0, 32)? as u32,
        bound: options.count("bound", 1_200, 1, 32_000)? as i32,
        stray: options.count("stray", 0, 0, 8)?,
        hash: options.count("hash", 1, 1, 1 << 20)?,
        threads: options.threads()?,
    })
}

/// A quiet position after `count` random moves from `pos` and best moves after them; `None` if the game is over or
/// decided there, or the position does not become quiet.
fn stray<B: Searchable>(engine: &mut Engine<B>, mut pos: Position<B>, count: usize) -> Option<Position<B>> {
    let mut rng = SplitMix64::new(pos.key());
    for _ in 0..count {
        let list = pos.legal_moves();
        let all = list.as_slice();
        let noisy: Vec<B::Move> = all.iter().copied().filter(|&m| pos.is_noisy(m)).collect();
        let moves = if rng.below(2) == 0 && !noisy.is_empty() { &noisy } else { all };
        pos.make(*moves.get(rng.below(moves.len().max(1)))?);
    }
    for _ in 0..=REPLIES {
        engine.clear();
        let (m, score) = think(engine, pos, &[], [REPLY_NODES, 2 * REPLY_NODES])?;
        if score.abs() > LOPSIDED {
            return None;
        }
        if !pos.is_noisy(m) && !pos.in_check() {
            return Some(pos);
        }
        pos.make(m);
    }
    None
}

/// The record with the score of a search from an empty hash table; `None` if the position is not quiet or decided.
fn record<B: Recorded>(engine: &mut Engine<B>, (pos, labels): (Position<B>, Labels), plan: &Plan) -> Option<Record> {
    let pos = if plan.stray == 0 { pos } else { stray(engine, pos, plan.stray)? };
    engine.clear();
    let (m, score) = think(engine, pos, &[], [plan.nodes, plan.nodes.saturating_mul(HARD)])?;
    if pos.is_noisy(m) || is_decided(score) {
        return None;
    }
    let score = if pos.side() == Side::First { score } else { -score };
    Some(B::to_record(&pos, Labels { score: score as i16, opens_game: true, ..labels }))
}

/// The next position of the file that is selected, or `None` at its end.
fn choose<B: Recorded + NetworkInputs>(
    records: &mut Records<'_>,
    plan: &Plan,
) -> Result<Option<(Position<B>, Labels)>, String> {
    while let Some((pos, labels)) = records.next::<B>()? {
        if (records.read - 1) % plan.every == plan.offset
            && pos.piece_count() >= plan.men
            && i32::from(labels.score).abs() <= plan.bound
            && !pos.in_check()
        {
            return Ok(Some((pos, labels)));
        }
    }
    Ok(None)
}

/// Reads, searches and writes in rounds of `SHARE` positions for each thread.
pub fn run<B: Recorded + NetworkInputs>(options: &Options) -> Result<(), String> {
    let (file, to) = (options.required("data")?, options.required("out")?);
    let plan = plan(options)?;
    let of_data = |reason| format!("--data {reason}");
    let mut records = Records::open(file).map_err(of_data)?;
    let fault = |error: std::io::Error| format!("--out {to}: {error}");
    let mut out = File::create_new(path_of(to)).map_err(fault)?;
    let engines = (0..plan.threads).map(|_| player::<B>(plan.hash));
    let engines = engines.collect::<Result<Vec<_>, _>>();
    let mut engines = engines.map_err(|error| format!("--hash: {error}"))?;
    let (mut searched, mut written) = (0, 0);
    loop {
        let mut positions = Vec::with_capacity(SHARE * plan.threads);
        while positions.len() < SHARE * plan.threads
            && let Some(next) = choose::<B>(&mut records, &plan).map_err(of_data)?
        {
            positions.push(next);
        }
        if positions.is_empty() {
            break;
        }
        searched += positions.len();
        let found: Vec<Record> = std::thread::scope(|scope| {
            let search = |engine: &mut Engine<B>, part: &[(Position<B>, Labels)]| -> Vec<Record> {
                part.iter().filter_map(|&chosen| record(engine, chosen, &plan)).collect()
            };
            let threads: Vec<_> = engines
                .iter_mut()
                .zip(positions.chunks(SHARE))
                .map(|(engine, part)| {
                    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                    thread.spawn_scoped(scope, move || search(engine, part))
                })
                .collect::<Result<_, _>>()
                .map_err(|error| format!("--threads: {error}"))?;
            let joined = threads.into_iter().map(|thread| thread.join());
            Ok::<_, String>(joined.flat_map(|part| part.expect("no thread panics")).collect())
        })?;
        written += found.len();
        out.write_all(found.as_flattened()).map_err(fault)?;
    }
    println!("{} records read, {searched} searched, {written} written", records.read);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::game::random_play::random_line;
    use tabiya::{chess, xiangqi};

    /// Applies `stray` to 60 random positions; counts results with captures, and positions without a result.
    fn strays<B: Searchable + NetworkInputs>(start: &str, moves: usize) -> (usize, usize) {
        let start = Position::<B>::from_fen(start).unwrap();
        let mut engine = player::<B>(1).unwrap();
        let (mut taken, mut none) = (0, 0);
        for seed in 0..60 {
            let line = random_line(start, 12, &mut SplitMix64::new(seed));
            let mut pos = start;
            line.iter().flatten().for_each(|&m| pos.make(m));
            let found = stray(&mut engine, pos, moves);
            let again = stray(&mut engine, pos, moves);
            assert_eq!(found.map(|off| off.to_fen()), again.map(|off| off.to_fen()));
            let Some(off) = found else {
                none += 1;
                continue;
            };
            assert!(!off.in_check() && off.key() != pos.key());
            taken += usize::from(off.piece_count() < pos.piece_count());
            // A search confirms that the position is quiet.
            engine.clear();
            let (best, score) = think(&mut engine, off, &[], [REPLY_NODES, 2 * REPLY_NODES]).unwrap();
            assert!(!off.is_noisy(best) && score.abs() <= LOPSIDED);
        }
        (taken, none)
    }

    #[test]
    fn stray_positions_are_quiet_undecided_and_new() {
        for moves in [1, 2, 3] {
            let (taken, none) = strays::<chess::Board>(chess::Position::START_FEN, moves);
            assert!(taken >= 5 && none <= 50, "{moves}: {taken} {none}");
            let (taken, none) = strays::<xiangqi::Board>(xiangqi::Position::START_FEN, moves);
            assert!(taken >= 5 && none <= 50, "{moves}: {taken} {none}");
        }
    }
}
