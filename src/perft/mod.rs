//! Perft: counting the legal move sequences of a length, which is how move generators are tested and timed.
//!
//! `position.perft(depth)`, `divide` and `statistics` of both games count on one thread. [`Perft`] adds threads, a hash
//! table, a choice of kernel, and totals of 128 bits. The manual of the `perft` command, with suites, comparisons with
//! other engines and runs on many machines, is [`guide::perft`](crate::guide::perft).
//!
//! ```
//! use tabiya::perft::Perft;
//! use tabiya::{chess, xiangqi};
//!
//! assert_eq!(Perft::new(chess::Position::default()).threads(2).hash(16).count(6)?, 119_060_324);
//! assert_eq!(Perft::new(xiangqi::Position::default()).hash(16).count(4)?, 3_290_240);
//! # Ok::<(), tabiya::perft::PerftError>(())
//! ```

// - `count` runs totals and divides: with a hash table through `hashed` (`column_table`; `hashed_counts` and
//   `count_table` for plain counts), on threads through `parallel`, in the work units of a `plan`.
//   `checkpoint` saves the finished units of long runs and `progress` reports on them. All of these are generic over
//   a `quantity`: plain counts or columns of statistics.
// - `suite` runs EPD files and others, which `suite_reader` reads.
// - `diff` finds the position where another generator differs; `against` asks another engine with it. `compare`
//   compares a divide with one that another program `printed`. `check` does so on a whole suite and names the rules
//   that a program breaks; `program` runs other programs and asks them.
// - `seeded` counts with faults on purpose; `expect` finds the faults that give another program's totals.
// - `distinct` finds the distinct positions of a ply. `unique` counts them, and `split` turns them into work units.
//   `units` counts units, on any number of machines; `merge` adds up the results; `records` defines the
//   lines of their files and of checkpoints.
//
// Called by `cli`. Does not print and does not depend on a particular game.

#[cfg(feature = "program")]
#[doc(hidden)]
pub mod against;
mod builder;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod checkpoint;
mod column_table;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod count;
mod count_table;
#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod distinct;
mod error;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod expect;
#[doc(hidden)]
pub mod hash_table;
#[doc(hidden)]
pub mod hashed;
mod hashed_counts;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod merge;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod plan;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod printed;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod quantity;
#[doc(hidden)]
pub mod records;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod seeded;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod split;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod suite;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod suite_reader;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod unique;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod units;

pub use crate::base::pages::HashError;
pub use crate::game::rules::MAX_DEPTH;
pub use builder::Perft;
pub use count::Divide;
pub use diff::{Difference, Differences, diff};
pub use error::PerftError;
