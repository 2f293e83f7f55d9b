//! The ground floor: bit sets, CPU levels, fixed move lists, large zeroed arrays, a small random generator,
//! the encodings of text files, numbers in them and their checksum, locks, and whether anybody reads the output.
//!
//! Everything above may use it; it knows nothing about games and imports nothing from the crate.

pub mod bits;
pub mod checksum;
pub mod cpu;
pub mod list;
pub mod lock;
pub mod pages;
pub mod reader;
pub mod rng;
pub mod text;
