//! The rules of xiangqi: tables and attacks, position, legal moves, make, keys, notation, repetition.
//!
//! Used by `eval`, `book` and `perft` and, through the traits of `game`, by everything above.

pub mod attacks;
pub mod bare;
pub(super) mod chinese;
pub(super) mod legality;
pub(super) mod make;
pub(super) mod move_limit;
pub mod movegen;
pub mod notation;
pub mod packed;
pub mod position;
pub mod repetition;
mod standing;
pub mod tables;
mod wxf;
pub mod zobrist;
