//! What perft needs of a game: its kernels, columns of statistics, packed positions, and the slow count that all others
//! are compared with.

pub mod columns;
pub mod counting;
pub mod kernel;
pub mod one_by_one;
pub mod packing;
