//! The ground floor: bit sets, fixed move lists and a small random generator.
//!
//! Everything above may use it; it knows nothing about games and imports nothing from the crate.

pub mod bits;
pub mod list;
pub mod rng;
