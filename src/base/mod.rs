//! The lowest layer: square sets, CPU levels, fixed move lists, large zeroed arrays, random numbers, text decoding,
//! checksums, locks, files that the program is given, limits of time, groups of processes, and a test whether the
//! reader of the output has gone.
//!
//! Every other layer may use it. It is independent of the games and imports nothing from the crate.

pub mod bits;
pub mod checksum;
pub mod cpu;
pub mod files;
pub mod list;
pub mod lock;
pub mod pages;
#[cfg(feature = "search")]
pub mod patience;
#[cfg(feature = "program")]
pub mod reader;
pub mod rng;
#[cfg(feature = "program")]
pub mod signals;
pub mod text;
