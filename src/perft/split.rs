//! `perft --split`: cuts a run into work units, one for each distinct position some plies below the root.
//!
//! Writes the format of `records`. Neighbouring units are similar positions, so that a worker's hash table serves many
//! of its units and two workers share few positions: the last ply of moderate size is sorted by
//! `WideKeyed::transposition_order`, and deeper plies follow in order of first arrival. A run always produces the same
//! text, whatever the number of threads and the memory. The units stay in memory in the form of `distinct`; their text
//! is generated twice, once for the checksum in the header and once for the output.

use super::distinct::{Distinct, Limits, Ply, Roots, TOO_MANY, Weight};
use super::parallel::map;
use super::progress::Watch;
use super::records::{Header, RunError, Unit};
use crate::game::{Notation, WideKeyed};
use std::io::Write;
use std::ops::Range;

/// The parameters of a split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The game's name.
    pub game: String,
    /// Depth of the run.
    pub depth: u32,
    /// Plies from the root to the units; below `depth`.
    pub plies: u32,
    /// Whether to record how many sequences start with each root move; not allowed with 0 plies.
    pub divide: bool,
    /// Seed of the keys that distinguish positions.
    pub seed: u64,
}

/// A larger ply is not sorted but follows the order of the ply before it.
const SORTED: usize = 100_000;

/// Approximate number of units whose text is generated at a time.
const BLOCK: u64 = 4096;

/// Splits the run from `root` and writes its units to `out`. Returns their number.
///
/// # Errors
/// If the memory is too small or `out` cannot be written.
pub fn write<P: WideKeyed + Notation + Sync>(
    root: &P,
    split: &Split,
    limits: Limits,
    out: &mut impl Write,
    watch: &dyn Watch,
) -> Result<u64, RunError> {
    let keys = P::wide_keys(split.seed);
    let mut header = Header {
        game: split.game.clone(),
        depth: split.depth,
        plies: split.plies,
        units: 0,
        sequences: 0,
        sum: 0,
        fen: root.to_fen(),
        moves: None,
    };
    if split.divide {
        let units = divided(root, &keys, split.plies, limits)?;
        header.units = units.positions.len() as u64;
        header.sequences = units.weights.iter().flat_map(|w| &w.0).map(|w| u128::from(w.1)).sum();
        if units.weights.iter().any(|weight| total(&weight.0).is_none()) {
            return Err(TOO_MANY.to_string().into());
        }
        let list = root.legal_moves();
        let moves = list.as_slice().iter().map(|&m| root.move_text(m).to_string());
        header.moves = Some(moves.collect());
        let write = |block: Range<usize>, take: &mut dyn FnMut(u64, u64, &P, UnitRoots<'_>)| {
            for number in block {
                let roots = &units.weights[number].0;
                let sequences = total(roots).unwrap_or_default();
                take(number as u64, sequences, &units.positions[number], Some(roots));
            }
        };
        let blocks = blocks(units.positions.len(), |i| i as u64);
        return output(header, &blocks, limits.threads, write, out);
    }
    let (base, plies) = sorted(Ply::new(root, 1), &keys, split.plies)?;
    let mut distinct = Distinct::below(base, &keys, limits);
    for _ in plies..split.plies {
        distinct.advance(watch)?;
    }
    header.units = distinct.len();
    header.sequences = distinct.weights().iter().map(|&n| u128::from(n)).sum();
    let write = |block: Range<usize>, take: &mut dyn FnMut(u64, u64, &P, UnitRoots<'_>)| {
        distinct.visit(block, |number, pos| {
            take(number, distinct.weights()[number as usize], pos, None);
        });
    };
    let blocks = blocks(distinct.parts(), |part| distinct.numbers(&(0..part)).end);
    output(header, &blocks, limits.threads, write, out)
}

/// The number of sequences that lead to a unit, of those by each root move; `None` on overflow.
fn total(roots: &[(u16, u64)]) -> Option<u64> {
    roots.iter().try_fold(0u64, |sum, &(_, n)| sum.checked_add(n))
}

/// The last ply, of at most `plies`, that is small enough to sort, sorted; and its number.
fn sorted<P: WideKeyed, W: Weight>(
    mut base: Ply<P, W>,
    keys: &P::Keys,
    plies: u32,
) -> Result<(Ply<P, W>, u32), String> {
    for ply in 0..plies {
        match base.expand(Some(keys), ply, SORTED)? {
            Some(next) => base = next,
            None => return Ok((base.in_order(), ply)),
        }
    }
    Ok((base.in_order(), plies))
}

/// The positions after `plies` plies with the root moves that lead to them.
fn divided<P: WideKeyed>(root: &P, keys: &P::Keys, plies: u32, limits: Limits) -> Result<Ply<P, Roots<u64>>, String> {
    let (mut base, sorted_ply) = sorted(Ply::new(root, Roots::default()), keys, plies)?;
    // A position, its entry in the hash map, and a few root moves of 16 bytes each.
    let each = size_of::<P>() + 64 + 8 * 16;
    for ply in sorted_ply..plies {
        let mut next = base.positions.len();
        if let Some(middle) = base.positions.get(base.positions.len() / 2) {
            next *= middle.legal_moves().len().max(2) / 2;
        }
        if next.saturating_mul(each) > limits.memory {
            let (needed, have) = (next.saturating_mul(each) >> 20, limits.memory >> 20);
            return Err(format!(
                "--divide needs about {needed} MB of memory for ply {}, and may use {have} MB",
                ply + 1
            ));
        }
        if let Some(next) = base.expand(Some(keys), ply, usize::MAX)? {
            base = next;
        }
    }
    Ok(base)
}

/// Divides `parts` parts into blocks of about [`BLOCK`] units. `before` returns the number of units before a part.
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

/// How many of a unit's sequences start with each root move, if that is recorded.
type UnitRoots<'a> = Option<&'a [(u16, u64)]>;

/// Generates the text of all blocks twice: first to sum the checksums for the header, then to write it. `visit` passes
/// the units of a block to its argument: number, sequences that lead to it, position, root moves. Returns the number of
/// units.
fn output<P: Notation>(
    mut header: Header,
    blocks: &[Range<usize>],
    threads: usize,
    visit: impl Fn(Range<usize>, &mut dyn FnMut(u64, u64, &P, UnitRoots<'_>)) + Sync,
    out: &mut impl Write,
) -> Result<u64, RunError> {
    let write = |block: Range<usize>| {
        let (mut text, mut sum) = (String::new(), 0u64);
        visit(block, &mut |number, sequences, pos, roots| {
            let check = Unit::write(&mut text, number, sequences, &pos.to_fen(), roots);
            sum = sum.wrapping_add(check);
        });
        (text, sum)
    };
    for keep in [false, true] {
        if keep {
            out.write_all(header.line().as_bytes())?;
        }
        for round in blocks.chunks(4 * threads) {
            for (text, sum) in map(threads, round.len(), |i| write(round[i].clone())) {
                match keep {
                    true => out.write_all(text.as_bytes())?,
                    false => header.sum = header.sum.wrapping_add(sum),
                }
            }
        }
    }
    out.flush()?;
    Ok(header.units)
}
