//! The doctor: what is wrong with another move generator, and why.
//!
//! `tabiya check` ([`guide::find_bugs`](crate::guide::find_bugs)), and `perft` with `--against`, `--compare` and
//! `--expect` ([`guide::perft`](crate::guide::perft)) examine other programs.

// From `tabiya check` to a printed row:
// - `cli/check::check` starts the program (`source`), calls the two functions below, and prints;
// - `Walk::search` compares lists and counts of the suites' positions, and lists after random moves. `walk::descend`
//   follows a wrong count to its place, which `walk::examine` makes a `case`; cases that are alike are a group. `ask`
//   asks and remembers the answers;
// - `finding::findings` examines each group. `vary::shrink` makes a case small, `edits::states_of` (of a count:
//   `edits::damage`) looks for the position that the program seems to have, `vary::vary` changes one thing at a time,
//   and `fit::fault_of` looks for the fault of the table that predicts all answers; `finding::of_list` and `of_count`
//   choose the words.
// To read these functions it is enough to know: `spot` is a place where a program is asked, `setup` a position whose
// pieces can be changed. `program` runs other programs, `uci_client` those that speak UCI, `by_move` asks engines
// without perft, `read` reads a printed divide, and `diff` says what is wrong with a list or a divide. `cli/against`
// asks a program about one position, with `descend`, `examine` and `finding::finding_of`. `faults` is the
// interface of the generators with faults on purpose; `chess` and `xiangqi` implement it, each with its table.
// Without an engine to ask:
// - `expect` finds the faults that give another program's totals, or its divide.
// - `words` is what is said of divides and totals, for the program (`cli/compare`, `cli/expect`), the page and C.
//
// Terms: a *spot* is a position and moves made from it. A *case* is a wrong answer at a spot, with the *evidence*: the
// question that shows it. A *group* is cases that are alike. A *finding* is what is said of a group; its *symptom* is
// what the engine does, in words. A *fault* is a kind of mistake in the tables of the games, with its symptom.
//
// All but `cli` uses only `base`, `game`, the games, `explain` and `perft`. Only `crate::cli` and `crate::c_api` use
// the doctor.

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

pub use diff::Wrong;
#[doc(hidden)]
pub use faults::{Diagnosis, Fault, FaultKind, Faults, FaultyBoard};
