//! [`Perft`]: counting with threads and memory, for programs that use the crate.

use super::PerftError;
use super::count::{Counter, Divide};
use crate::base::cpu;
use crate::game::rules::assert_depth;
use crate::game::{Board, Columns, Kernel, Position};

/// Counts move sequences with a choice of kernel, threads and memory; totals have 128 bits.
///
/// The defaults are the fastest kernel of this CPU, one thread, and a visit to every node.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::{Perft, PerftError};
///
/// let start = Position::default();
/// let perft = Perft::new(start).threads(2).hash(16);
/// assert_eq!(perft.count(6)?, 119_060_324);
/// assert_eq!(perft.divide(3)?.moves.len(), 20);
/// assert_eq!(perft.statistics(4)?.captures, 1576);
/// # Ok::<(), PerftError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Perft<B: Board> {
    position: Position<B>,
    counter: Counter,
}

impl<B: Board> Perft<B> {
    /// Counts below `position`.
    pub fn new(position: Position<B>) -> Self {
        let kernel = B::kernels()[0];
        Perft { position, counter: Counter { threads: 1, hash_megabytes: 0, seed: 0, kernel } }
    }

    /// Sets the number of threads; 0 means all that the system can run at once.
    pub fn threads(mut self, threads: usize) -> Self {
        self.counter.threads = cpu::threads(threads);
        self
    }

    /// Counts each distinct position once, in this much memory in megabytes; 0 visits every node.
    pub fn hash(mut self, megabytes: usize) -> Self {
        self.counter.hash_megabytes = megabytes;
        self
    }

    /// Has a run with memory visit the positions in a different order, to verify a total with a second run.
    pub fn seed(mut self, seed: u64) -> Self {
        self.counter.seed = seed;
        self
    }

    /// Uses this kernel; ignored if the CPU or the game does not have it.
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        if B::kernels().contains(&kernel) {
            self.counter.kernel = kernel;
        }
        self
    }

    /// The number of sequences of `depth` plies.
    ///
    /// # Errors
    /// If the memory is too small, or the total is 2¹²⁸ or more.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](super::MAX_DEPTH).
    #[track_caller]
    pub fn count(&self, depth: u32) -> Result<u128, PerftError> {
        assert_depth(depth);
        self.counter.total(&self.position, depth)
    }

    /// The number of sequences that begin with each move, and their sum.
    ///
    /// # Errors
    /// If the memory is too small, or the total is 2¹²⁸ or more.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](super::MAX_DEPTH).
    #[track_caller]
    pub fn divide(&self, depth: u32) -> Result<Divide<B::Move>, PerftError> {
        assert_depth(depth);
        self.counter.divide(&self.position, depth)
    }

    /// Captures, checks, mates and so on among the last moves of the sequences.
    ///
    /// # Errors
    /// If the memory is too small, or the total is 2¹²⁸ or more.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](super::MAX_DEPTH).
    #[track_caller]
    pub fn statistics(&self, depth: u32) -> Result<Columns<u128>, PerftError> {
        assert_depth(depth);
        self.counter.total(&self.position, depth)
    }
}
