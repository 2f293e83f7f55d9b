//! The farm: deep counts that are saved, continued, and shared out among machines.
//!
//! A run with memory is counted in units. `perft --checkpoint` saves them, and continues a run; a *part* of a run is a
//! share of its units, for another machine, and `merge` adds up the parts.
//! [`guide::deep_perft`](crate::guide::deep_perft) describes the commands.

// - `checkpoint` is the file, `recorder` what a run writes into it and finds in it; `merge` reads the files of
//   all parts.
// - `cli` has the commands.
//
// It uses `base`, `game` and `perft`, and its `cli` also `crate::cli`, which alone names this module.

pub mod checkpoint;
pub(crate) mod cli;
mod merge;
mod recorder;
