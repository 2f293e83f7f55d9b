//! The kernels of perft by name, and the depths that it has.

use crate::game::text::fault::{NotationError, named};
use std::fmt;
use std::str::FromStr;

/// A leaf counter: how the last plies of a perft tree are counted. All give the same counts.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::game::Kernel;
///
/// let start = Position::default();
/// for &kernel in Position::kernels() {
///     assert_eq!(start.perft_by(4, kernel), 197_281, "{}", kernel.name());
/// }
/// assert_eq!(Position::kernels().last(), Some(&Kernel::Scalar));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    /// Batches of eight positions in AVX-512 registers, with all instructions that the kernel knows and the CPU has.
    Avx512,
    /// The same without population counts and bit matrices, which AVX-512 has as of Ice Lake and Zen 4 only.
    Avx512Bw,
    /// Batches of four positions in AVX2 registers.
    Avx2,
    /// For every CPU. In chess, batches of two positions, in SSE2 registers on x86-64 and in plain words elsewhere; in
    /// xiangqi, one position at a time, its last two plies together.
    Portable,
    /// One position and one ply at a time; slow and simple, the reference for the others.
    Scalar,
}

impl Kernel {
    /// All values, in order.
    pub const ALL: [Kernel; 5] = [Kernel::Avx512, Kernel::Avx512Bw, Kernel::Avx2, Kernel::Portable, Kernel::Scalar];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Avx512 => "avx512",
            Kernel::Avx512Bw => "avx512bw",
            Kernel::Avx2 => "avx2",
            Kernel::Portable => "portable",
            Kernel::Scalar => "scalar",
        }
    }
}

impl fmt::Display for Kernel {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = NotationError;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        named(text, "kernel", &Kernel::ALL)
    }
}

/// The largest depth of a perft. No tree this deep can ever be counted; the limit keeps the recursion within any
/// thread's stack.
///
/// ```should_panic
/// let _ = tabiya::chess::Position::default().perft(tabiya::perft::MAX_DEPTH + 1);
/// ```
pub const MAX_DEPTH: u32 = 100;

/// Panics if `depth` is too large for a perft.
#[track_caller]
pub(crate) fn assert_depth(depth: u32) {
    assert!(depth <= MAX_DEPTH, "perft depth {depth}, expected at most {MAX_DEPTH}");
}
