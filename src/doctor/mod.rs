//! The doctor: what is wrong with another move generator, and why.
//!
//! [`diff`] compares a generator in Rust. `tabiya check`, `perft --against`, `--compare` and `--expect` examine other
//! programs; [`guide::perft`](crate::guide::perft) describes them.

// - `diff` finds the position where another generator differs, `reading` the divide in what another program has
//   printed. `check` does so on a whole suite and names the faults of a program; `program` runs other programs and asks
//   them, `uci_client` those that speak UCI.
// - `faults` is the interface of generators with faults on purpose, which `chess` and `xiangqi` implement. `seeded`
//   counts with them; `expect` finds the faults that give another program's totals.
// - `words` is what is said of divides and totals, for the program, the page and C.  `cli` has
//   the commands.
//
// A workshop: it uses `base`, `game`, the games and `perft`, and only `crate::cli` and `crate::c_api` name it.

#[cfg(feature = "program")]
#[doc(hidden)]
pub mod ask;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod by_move;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod case;
#[doc(hidden)]
pub mod chess;
#[cfg(feature = "program")]
pub(crate) mod cli;
#[doc(hidden)]
pub mod diff;
#[cfg(feature = "program")]
mod edits;
#[doc(hidden)]
pub mod expect;
#[doc(hidden)]
pub mod faults;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod finding;
#[cfg(feature = "program")]
mod fit;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod setup;
#[cfg(feature = "program")]
mod shrink;
#[doc(hidden)]
pub mod spot;
#[cfg(test)]
mod tests;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod uci_client;
#[cfg(feature = "program")]
mod vary;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod walk;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod xiangqi;

pub use diff::{Node, Wrong, diff};
#[doc(hidden)]
pub use faults::{Diagnosis, Fault, FaultKind, Faults, FaultyBoard};
