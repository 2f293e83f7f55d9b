//! The lowest layer: square sets, CPU levels, fixed move lists, large zeroed arrays, random numbers, text decoding,
//! JSON, checksums, locks, files that the program is given, limits of time, speed, groups of processes, and a test
//! whether the reader of the output has gone.
//!
//! Every other layer may use it. It knows no rules of a game and imports nothing from the rest of the crate.

pub mod bits;
pub mod checksum;
pub mod cpu;
pub mod files;
#[cfg(any(feature = "c-api", feature = "program"))]
pub(crate) mod json;
pub mod list;
pub mod lock;
pub mod pages;
#[cfg(feature = "program")]
pub mod reader;
pub mod rng;
#[cfg(feature = "program")]
pub mod signals;
pub mod speed;
pub mod text;
#[cfg(feature = "search")]
pub mod time_limit;

/// The size of a unit test: `usual`, or `large` if `TABIYA_LARGE` is set, as in `.ci/nightly large`.
#[cfg(test)]
pub fn sample<T>(usual: T, large: T) -> T {
    if std::env::var_os("TABIYA_LARGE").is_some() { large } else { usual }
}
