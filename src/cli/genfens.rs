//! `genfens N seed S book None|FILE`: random openings for OpenBench.
//!
//! OpenBench's client passes this command as one argument and `quit` as the next, and reads the lines
//! `info string genfens <FEN>`. An opening is a position of the book, or the initial position, followed by random
//! moves. Openings that a short search finds unbalanced are discarded. The same seed gives the same openings.

use super::args;
use super::prelude::*;
use crate::base::rng::SplitMix64;
use crate::base::text::decode;
use crate::chess::{Board, Position};
use crate::engine::{Engine, Limits, Value};
use crate::game::random_play::random_line;
use crate::game::text::fen::Tolerance;
use std::collections::HashSet;

/// Random plies after the initial position, and after a position of a book; one more in every other opening.
const PLIES: usize = 8;
const PLIES_AFTER_BOOK: usize = 4;
/// Nodes of the search that judges an opening, and the score in centipawns from which it is unbalanced.
const NODES: u64 = 4_000;
const UNBALANCED: Value = 250;
/// Give up after this many failed attempts in a row.
const MAX_FAILURES: usize = 20_000;
/// Largest book in bytes.
const MAX_BOOK: u64 = 1 << 30;
/// Hash table size in megabytes.
const HASH: usize = 1;

/// Runs `tabiya genfens` with the arguments after `genfens`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> CommandResult {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Arguments after the book are meant for other engines; `quit` needs no action.
    let [n, "seed", s, "book", book, ..] = words[..] else {
        let given = quoted(&words.join(" "));
        return Err(format!("genfens: bad arguments {given}; expected N seed S book None|FILE").into());
    };
    let (mut count, mut seed) = (0, 0);
    args::number(&mut count, n, 1..=1_000_000_000).map_err(|e| format!("genfens N: {e}"))?;
    args::number(&mut seed, s, 0..=u128::from(u64::MAX)).map_err(|e| format!("genfens seed: {e}"))?;
    let starts = match book {
        "None" | "none" | "NONE" => Vec::new(),
        path => read_book(path)?,
    };
    let mut engine = Engine::<Board>::new();
    // If this fails the default size will do.
    let _ = engine.set_hash(HASH);
    let mut rng = SplitMix64::new(seed);
    let mut known = HashSet::new();
    let mut failures = 0;
    while known.len() < count {
        failures += 1;
        if failures > MAX_FAILURES {
            let found = known.len();
            return Err(format!("genfens: found only {found} balanced openings in the book").into());
        }
        let Some(pos) = opening(&starts, &mut rng) else { continue };
        engine.set_position(pos, &[]);
        engine.clear();
        let answer = engine.answer(Limits::nodes(NODES)).map_err(|e| format!("genfens: {e}"))?;
        if answer.score.abs() < UNBALANCED && known.insert(pos.to_fen()) {
            failures = 0;
            writeln!(out, "info string genfens {}", pos.to_fen())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Reads a book of FEN or EPD lines.
fn read_book(path: &str) -> CommandResult<Vec<Position>> {
    let book_error = |reason: String| Failure::Usage(format!("genfens book: {reason}"));
    let (name, bytes) = read_input(path, MAX_BOOK).map_err(book_error)?;
    let mut starts = Vec::new();
    for (number, line) in (1..).zip(decode(&bytes).lines()) {
        // Four fields are enough; operations of EPD or the counters of a FEN follow them.
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        if !fields.is_empty() {
            let pos = Position::read_fen(&fields.join(" "), &mut Tolerance::lenient());
            starts.push(pos.map_err(|e| book_error(format!("{name}, line {number}: {e}")))?);
        }
    }
    if starts.is_empty() {
        return Err(book_error(format!("{name} is empty; expected lines of FEN or EPD")));
    }
    Ok(starts)
}

/// A random opening; `None` if the game ends in it or the side to move is in check.
fn opening(starts: &[Position], rng: &mut SplitMix64) -> Option<Position> {
    let (mut pos, plies) = match starts.len() {
        0 => (Position::from_fen(Position::START_FEN).ok()?, PLIES),
        count => (starts[rng.below(count)], PLIES_AFTER_BOOK),
    };
    for m in random_line(pos, plies, rng)? {
        pos.make(m);
    }
    (pos.count_legal() > 0 && pos.checkers().is_empty()).then_some(pos)
}
