//! Perft: counting move sequences, generic over the game.
//!
//! - `count` runs totals and divides: with a hash table through `hashed` (`hashed_counts` with `count_table`,
//!   `hashed_columns` with `column_table`), on threads through `parallel`, in the work units of a `plan`.
//!   `checkpoint` saves the finished units of long runs and `progress` reports on them. All of these are generic over
//!   a `quantity`: plain counts or columns of statistics.
//! - `suite` reads and runs EPD files.
//! - `against` finds the position where another engine disagrees; `compare` compares a divide with one that another
//!   program `printed`.
//! - `distinct` finds the distinct positions of a ply. `unique` counts them, and `split` turns them into work units.
//!   `units` counts units, on any number of machines; `merge` adds up the results; `records` defines both file
//!   formats.
//!
//! Called by `cli`. Does not print and does not depend on a particular game.

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

/// The largest depth accepted. No tree this deep can ever be finished; the limit keeps the recursion within any
/// thread's stack.
pub const MAX_DEPTH: u32 = 100;
