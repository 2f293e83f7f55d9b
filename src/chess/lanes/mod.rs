//! Leaf counting: the perft walk, specialised by colour, CPU and kernel.
//!
//! `walk` goes down the tree; the kernels differ in how they count the last plies: `scalar` one position
//! at a time (the oracle for the others), `portable` two plies at once by `replies` with `changes` and
//! `court`. Called by
//! `chess::contract` as the chess form of `Rules::perft`.

mod changes;
mod court;
mod replies;
mod walk;

use super::position::Position;
use super::tables;
use crate::game::Kernel;

/// The kernels that this CPU can run, the fastest first.
pub fn kernels() -> Vec<Kernel> {
    vec![Kernel::Portable, Kernel::Scalar]
}

/// The number of legal move sequences of exactly `depth` plies, counted by `kernel`.
pub fn perft(pos: &Position, depth: u32, kernel: Kernel) -> u64 {
    match (depth, kernel) {
        (0, _) => 1,
        (_, Kernel::Scalar) => tables::dispatch(walk::Start::new(pos, depth, walk::Scalar)),
        (_, Kernel::Portable) => tables::dispatch(walk::Start::new(pos, depth, walk::Portable)),
    }
}
