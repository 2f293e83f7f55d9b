//! `genfens N seed S book None|FILE`: random openings, in the form that OpenBench's client asks for.
//!
//! The client runs the program with this command as one argument and `quit` as the next, and reads the lines
//! `info string genfens <FEN>`. An opening is a line of the book, or the initial position, with some random
//! moves; what a short search finds one-sided is thrown away. The same seed makes the same openings.

use super::args;
use super::bench::Last;
use super::failure::{Failure, Outcome};
use crate::base::rng::SplitMix64;
use crate::chess::Position;
use crate::engine::selfplay::random_line;
use crate::engine::{Engine, Limits, Report, Score};
use crate::game::notation::{FenReader, quoted};
use crate::game::{Notation, Rules};
use std::collections::HashSet;
use std::io::{Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// Random plies behind the initial position, and behind a line of a book; one more in every other opening.
const PLIES: usize = 8;
const PLIES_BEHIND_BOOK: usize = 4;
/// The search that judges an opening, and the score from which on it is one-sided, in centipawns.
const NODES: u64 = 4_000;
const ONE_SIDED: Score = 250;
/// So many attempts in a row without an opening, and the book has none.
const PATIENCE: usize = 20_000;
/// Megabytes of the table.
const HASH: usize = 1;

/// Runs the command with the arguments behind that word.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // What follows the book is meant for other engines; `quit` is what happens anyway.
    let [n, "seed", s, "book", book, ..] = words[..] else {
        let given = quoted(&words.join(" "));
        return Err(format!("genfens: {given}; expected genfens N seed S book None|FILE").into());
    };
    let (mut count, mut seed) = (0, 0);
    args::number(&mut count, n, 1..=1_000_000_000).map_err(|e| format!("genfens: {e}"))?;
    args::number(&mut seed, s, 0..=u128::from(u64::MAX))
        .map_err(|e| format!("genfens seed: {e}"))?;
    let starts = match book {
        "None" | "none" | "NONE" => Vec::new(),
        path => read_book(path)?,
    };
    let last = Arc::new(Last::default());
    let mut engine = Engine::new(Arc::clone(&last) as Arc<dyn Report<Position>>);
    // The usual size does as well.
    let _ = engine.resize_hash(HASH);
    let mut rng = SplitMix64::new(seed);
    let mut known = HashSet::new();
    let mut failures = 0;
    while known.len() < count {
        failures += 1;
        if failures > PATIENCE {
            let found = known.len();
            return Err(format!("genfens: the book has but {found} even openings").into());
        }
        let Some(pos) = opening(&starts, &mut rng) else { continue };
        engine.set_position(pos, &[]);
        engine.new_game();
        engine.go(Limits { nodes: Some(NODES), ..Limits::default() });
        engine.wait();
        if last.score.load(SeqCst).abs() < ONE_SIDED && known.insert(pos.to_fen()) {
            failures = 0;
            writeln!(out, "info string genfens {}", pos.to_fen())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The positions of a book of FEN or EPD lines.
fn read_book(path: &str) -> Outcome<Vec<Position>> {
    // In full: of a path the end matters most.
    let fault = |reason: String| Failure::Usage(format!("genfens book: {reason}"));
    let text = std::fs::read_to_string(path)
        .map_err(|error| fault(format!("cannot read {path:?}: {error}")))?;
    let mut starts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Four fields are enough; EPD has operations behind them, a FEN counters.
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        if !fields.is_empty() {
            let pos = Position::read_fen(&fields.join(" "), &mut FenReader::lenient());
            starts.push(pos.map_err(|e| fault(format!("{path:?}, line {number}: {e}")))?);
        }
    }
    match starts.is_empty() {
        true => Err(fault(format!("{path:?} is empty, expected FEN lines"))),
        false => Ok(starts),
    }
}

/// A random opening, if the game is not over at its end or before, and nobody is in check.
fn opening(starts: &[Position], rng: &mut SplitMix64) -> Option<Position> {
    let (mut pos, plies) = match starts.len() {
        0 => (Position::from_fen(Position::START_FEN).ok()?, PLIES),
        count => (starts[rng.below(count)], PLIES_BEHIND_BOOK),
    };
    for m in random_line(pos, plies, rng)? {
        pos.make(m);
    }
    (pos.count_legal() > 0 && pos.checkers().is_empty()).then_some(pos)
}
