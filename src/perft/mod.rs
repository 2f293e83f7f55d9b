//! Perft: counting move sequences, for any game that implements the contracts of `game`.
//!
//! `count` divides and totals, through `hashed` with a table and through `parallel` on threads;
//! `checkpoint` keeps what long runs have finished, `census` adds statistics, `suite` reads and runs EPD
//! files, `against` finds the position where another engine disagrees. Called by `cli`; never prints,
//! never names a game.

pub mod against;
pub mod census;
pub mod checkpoint;
pub mod count;
pub mod distinct;
pub mod hashed;
pub mod parallel;
pub mod suite;
pub mod unique;

/// The deepest perft that is accepted. No tree of this depth will ever be finished; the bound keeps the
/// recursion inside any thread's stack.
pub const MAX_DEPTH: u32 = 100;
