//! The farm: deep counts that are saved, continued, and shared out among machines.
//!
//! A run with memory is counted in units. [`run`] saves them in a checkpoint, and continues one; a *part* of a run is a
//! share of its units for a machine of its own, and `merge` adds up the parts.
//! [`guide::deep_perft`](crate::guide::deep_perft) describes the commands.

// - `checkpoint` is the file, `recorder` what a run writes into it and finds in it; `merge` reads the files of
//   all parts.
// - `cli` has the commands.
//
// A workshop: it uses `base`, `game` and `perft`, its `cli` also `crate::cli`; and only that names it.

pub mod checkpoint;
pub(crate) mod cli;
mod merge;
mod recorder;

use crate::game::{Counting, Position};
use crate::perft::PerftError;
use crate::perft::count::{Counter, Divide, counts};
use crate::perft::countable::Countable;
use crate::perft::frontier::Part;
use crate::perft::progress::Watch;
use checkpoint::Checkpoint;
use recorder::Recorder;

/// Why a run that is saved has no total.
pub enum RunError {
    /// It cannot be counted.
    Perft(PerftError),
    /// The checkpoint cannot be used, and nothing has been counted; or the count of a part cannot be saved.
    Checkpoint(String),
}

impl From<PerftError> for RunError {
    fn from(error: PerftError) -> Self {
        RunError::Perft(error)
    }
}

/// Counts `part` of the sequences of `depth` plies, by root move if `divide`, with a counter that has memory. Saves
/// what is counted in `checkpoint`, and takes from it what an earlier run has counted.
///
/// # Errors
/// If there are too many sequences, the memory is too small, the checkpoint cannot be used, or a part cannot be
/// saved.
pub fn run<B: Counting, Q: Countable<B>>(
    counter: &Counter,
    pos: &Position<B>,
    depth: u32,
    (divide, part): (bool, Part),
    checkpoint: &Checkpoint,
    watch: &dyn Watch,
) -> Result<Divide<B::Move, Q>, RunError> {
    counter.check_memory()?;
    let (columns, counts) = (Q::NAMES.len(), counts(pos, depth, divide));
    let (seed, memory) = (counter.seed, counter.memory());
    let Part { index, of } = part;
    let fields = format!("columns={columns}\tcounts={counts}\tseed={seed}\tpart={}/{of}\tmemory={memory}", index + 1);
    let recorder = Recorder::new(counts, checkpoint, &fields, watch).map_err(RunError::Checkpoint)?;
    let (sums, saved) = recorder.run(|journal| counter.sums(pos, depth, divide, part, journal))?;
    match saved {
        // The file is the result of a part.
        Err(reason) if part != Part::WHOLE => return Err(RunError::Checkpoint(reason)),
        Err(reason) => watch.warn(&reason),
        Ok(()) => {}
    }
    Ok(Divide::of(pos, depth, divide, sums)?)
}
