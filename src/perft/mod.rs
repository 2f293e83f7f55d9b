//! Perft: counting the legal move sequences of a length, which is how move generators are tested and timed.
//!
//! `position.perft(depth)`, `divide` and `statistics` of both games count on one thread. [`Perft`] adds threads,
//! counting in memory, a choice of kernel, progress, and totals of 128 bits. The manual of the `perft` command, with
//! suites, comparisons with other engines and runs on many machines, is [`guide::perft`](crate::guide::perft).
//!
//! ```
//! use tabiya::perft::Perft;
//! use tabiya::{chess, xiangqi};
//!
//! assert_eq!(Perft::new(chess::Position::default()).threads(2).hash(16).count(6)?, 119_060_324);
//! assert_eq!(Perft::new(xiangqi::Position::default()).hash(16).count(4)?, 3_290_240);
//! # Ok::<(), tabiya::perft::PerftError>(())
//! ```

// - `count` does what the task of a `run` asks for: plainly on threads, or by `frontier`. The ledger of the run adds up
//   the units of both, and asks whether to go on; `progress` reports now and then.
// - `suite` runs EPD files, which `suite_reader` reads.
//
// Does not print and does not depend on a particular game.

mod builder;
#[doc(hidden)]
pub mod count;
mod error;
#[doc(hidden)]
pub mod frontier;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod run;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod suite;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod suite_reader;

pub use crate::game::count::kernel::MAX_DEPTH;
pub use builder::Perft;
pub use error::PerftError;
pub use progress::Progress;
pub use run::Divide;
