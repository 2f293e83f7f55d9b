//! The rules of chess: tables and attacks, the position, legal moves, making them, keys, notation, repetition.
//!
//! Used by the rooms `eval`, `book` and `perft` and, through the contracts, by everything above; evaluates
//! and searches nothing.

pub mod attacks;
pub(super) mod legality;
pub(super) mod make;
pub mod movegen;
pub mod notation;
pub mod order;
pub mod position;
pub mod record;
pub mod repetition;
pub mod tables;
pub mod zobrist;
