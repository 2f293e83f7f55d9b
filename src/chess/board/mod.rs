//! The rules of chess: tables and attacks, the position, legal moves, making moves, keys, notation and repetition.
//!
//! Used by `eval`, `book` and `perft`, and through the traits of `game` by everything above. Nothing here evaluates
//! or searches.

pub mod attacks;
pub mod bare;
pub(super) mod legality;
pub(super) mod make;
pub mod movegen;
pub mod notation;
pub mod packed;
pub mod position;
pub mod repetition;
mod san;
pub mod tables;
pub mod zobrist;
