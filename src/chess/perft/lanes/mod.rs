//! Several positions at once, one in each lane of a vector: their sets, castling, making children from a parent,
//! legal moves, and making moves. Built on `simd`. Nothing here may look two plies ahead.
//!
//! Without vectors `portable` counts, which is not a case of this with a single lane: that takes 1.4 to 3.9 times as
//! long.

pub mod batch;
pub mod castling;
pub mod children;
pub mod legal_sets;
pub mod moves;
pub mod pawns;
pub mod side_sets;
#[cfg(test)]
mod tests;
