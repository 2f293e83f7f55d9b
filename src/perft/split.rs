//! `perft --split`: a run cut into work units, one for each distinct position some plies below the root.
//!
//! Writes the form that `records` describes, in the order of first arrival, so that the same run always gives
//! the same text, with any number of threads, and neighbours are relatives. The units stay in the memory as
//! `distinct` keeps them; their text is made twice, once for its checksum, which stands in the header, and once
//! to be written. Called by `cli`.

use super::distinct::{Base, Distinct, Limits, Roots};
use super::parallel::{Watch, spread};
use super::records::{Header, Unit};
use crate::game::{MoveBuffer, Notation, WideKeyed};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What to cut, and how.
#[derive(Clone, Debug)]
pub struct Split {
    /// The game's name.
    pub game: String,
    /// Depth of the whole run.
    pub depth: u32,
    /// Plies from the root to the units; less than `depth`.
    pub plies: u32,
    /// Whether to say with which root move how many sequences begin; not with 0 plies.
    pub divide: bool,
    /// Chooses the keys that tell positions apart.
    pub seed: u64,
}

/// Why nothing, or not everything, was written.
#[derive(Debug)]
pub enum SplitError {
    /// The run cannot be cut like that; nothing was written.
    Refused(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for SplitError {
    fn from(error: io::Error) -> Self {
        SplitError::Output(error)
    }
}

/// Units whose text is made in one piece, about.
const BLOCK: u64 = 4096;

/// Cuts the run of `split` from `root` and writes its units to `out`; returns their number.
///
/// # Errors
/// If the memory is too small, or `out` cannot be written.
pub fn write<P: WideKeyed + Notation + Sync>(
    root: &P,
    split: &Split,
    limits: Limits,
    out: &mut impl Write,
    watch: &dyn Watch,
) -> Result<u64, SplitError> {
    let keys = P::wide_keys(split.seed);
    let header = |units: u64, sequences: u128, sum, moves| Header {
        game: split.game.clone(),
        depth: split.depth,
        plies: split.plies,
        units,
        sequences,
        sum,
        fen: root.to_fen(),
        moves,
    };
    if split.divide {
        let base = divided(root, &keys, split.plies, limits).map_err(SplitError::Refused)?;
        let sequences = base.weights.iter().flat_map(|w| &w.0).map(|&(_, n)| u128::from(n)).sum();
        let units = base.positions.len() as u64;
        let mut list = P::List::default();
        root.legal_moves(&mut list);
        let moves: Vec<String> =
            list.as_slice().iter().map(|&m| root.move_text(m).to_string()).collect();
        let write = |block: Range<usize>, text: &mut String| {
            let mut sum = 0u64;
            for number in block {
                let roots = &base.weights[number].0;
                let sequences = roots.iter().map(|&(_, n)| n).sum();
                let fen = base.positions[number].to_fen();
                let check = Unit::write(text, number as u64, sequences, &fen, Some(roots));
                sum = sum.wrapping_add(check);
            }
            sum
        };
        let blocks = blocks(base.positions.len(), |i| i as u64);
        let header = |sum| header(units, sequences, sum, Some(moves.clone()));
        output(&blocks, limits.threads, write, header, out)?;
        return Ok(units);
    }
    let mut distinct = Distinct::new(root, &keys, limits, true);
    for _ in 0..split.plies {
        distinct.advance(watch).map_err(SplitError::Refused)?;
    }
    let sequences = distinct.weights().iter().map(|&n| u128::from(n)).sum();
    let write = |block: Range<usize>, text: &mut String| {
        let mut sum = 0u64;
        distinct.visit(block, |number, pos| {
            let sequences = distinct.weights()[number as usize];
            sum = sum.wrapping_add(Unit::write(text, number, sequences, &pos.to_fen(), None));
        });
        sum
    };
    let blocks = blocks(distinct.parts(), |part| distinct.numbers(&(0..part)).end);
    let header = |sum| header(distinct.len(), sequences, sum, None);
    output(&blocks, limits.threads, write, header, out)?;
    Ok(distinct.len())
}

/// The positions after some plies with the root moves that lead to them.
fn divided<P: WideKeyed>(
    root: &P,
    keys: &P::Keys,
    plies: u32,
    limits: Limits,
) -> Result<Base<P, Roots>, String> {
    let mut base = Base::new(root, Roots::default());
    // A position, its place in the hash table, and a few roots of 16 bytes each.
    let each = size_of::<P>() + 64 + 8 * 16;
    for ply in 0..plies {
        let mut list = P::List::default();
        let mut next = base.positions.len();
        if let Some(middle) = base.positions.get(base.positions.len() / 2) {
            middle.legal_moves(&mut list);
            next *= list.as_slice().len().max(2) / 2;
        }
        if next.saturating_mul(each) > limits.memory {
            let (needed, have) = (next.saturating_mul(each) >> 20, limits.memory >> 20);
            return Err(format!(
                "--divide needs about {needed} MB of memory for ply {}, and may use {have} MB",
                ply + 1
            ));
        }
        base = base.expand(keys, ply)?.0;
    }
    Ok(base)
}

/// Cuts `parts` parts into blocks of about [`BLOCK`] units; `before` tells how many units come before a part.
fn blocks(parts: usize, before: impl Fn(usize) -> u64) -> Vec<Range<usize>> {
    let (mut blocks, mut from) = (Vec::new(), 0);
    for part in 1..=parts {
        if part == parts || before(part + 1) - before(from) > BLOCK {
            blocks.push(from..part);
            from = part;
        }
    }
    blocks
}

/// Makes the text of all blocks twice: first for the header's sum, then to be written.
fn output(
    blocks: &[Range<usize>],
    threads: usize,
    write: impl Fn(Range<usize>, &mut String) -> u64 + Sync,
    header: impl Fn(u64) -> Header,
    out: &mut impl Write,
) -> Result<(), SplitError> {
    let sum = AtomicU64::new(0);
    let texts: Vec<Mutex<String>> = (0..4 * threads).map(|_| Mutex::default()).collect();
    for keep in [false, true] {
        if keep {
            out.write_all(header(sum.load(Relaxed)).line().as_bytes())?;
        }
        for round in blocks.chunks(texts.len()) {
            spread(threads, round.len(), |i| {
                let mut text = texts[i].lock().unwrap_or_else(PoisonError::into_inner);
                text.clear();
                let part = write(round[i].clone(), &mut text);
                if !keep {
                    sum.fetch_add(part, Relaxed);
                }
            });
            if keep {
                for text in &texts[..round.len()] {
                    let text = text.lock().unwrap_or_else(PoisonError::into_inner);
                    out.write_all(text.as_bytes())?;
                }
            }
        }
    }
    Ok(out.flush()?)
}
