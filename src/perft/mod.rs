//! Perft: counting move sequences, for any game that implements the contracts of `game`.
//!
//! `count` divides and totals, through `hashed` with a hash table (`hashed_counts` with `count_table`,
//! `hashed_columns` with `column_table`) and on threads (`parallel`) by the units of a `plan`; `checkpoint` keeps what
//! long runs have finished, `progress` tells of them; all of them count either sequences or columns of statistics, a
//! `quantity`. `suite` reads and runs EPD files, `against` finds the position where another engine disagrees,
//! `compare` sets a divide beside one that another program has `printed`. `distinct` finds distinct positions, which `unique` counts and `split`
//! makes into work units; `units` counts these, on any number of machines, `merge` adds up their results, and
//! `records` is the form of both files. Called by `cli`; never prints, never names a game.

pub mod against;
mod builder;
pub mod checkpoint;
mod column_table;
pub mod compare;
pub mod count;
mod count_table;
pub mod distinct;
pub mod hash_table;
pub mod hashed;
mod hashed_columns;
mod hashed_counts;
pub mod merge;
pub mod parallel;
pub mod plan;
pub mod printed;
pub mod progress;
pub mod quantity;
pub mod records;
pub mod split;
pub mod suite;
pub mod unique;
pub mod units;

pub use builder::Perft;
pub use count::Divide;

/// The deepest perft that is accepted. No tree of this depth will ever be finished; the bound keeps the
/// recursion inside any thread's stack.
pub const MAX_DEPTH: u32 = 100;
