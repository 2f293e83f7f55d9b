//! Moves and lists of them, and the kernels of perft.
//!
//! A game writes its move generator once, generic over [`Sink`], so that listing and counting moves share the code.

use crate::base::bits::BitSet;
use crate::base::list::MoveList;
use crate::game::text::fault::named_values;

/// A move packed into 16 bits.
///
/// ```
/// use tabiya::chess::{Move, Position};
/// use tabiya::game::GameMove;
///
/// let m = Position::default().parse_move("e2e4")?;
/// assert_eq!((GameMove::from(m), GameMove::to(m)), (12, 28));
/// assert_eq!(Move::from_raw(m.raw()), m);
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
pub trait GameMove:
    Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Default + Send + Sync + 'static
{
    /// Index of the origin square, below 128.
    fn from(self) -> usize;
    /// Index of the target square, below 128.
    fn to(self) -> usize;
    /// The packed form, for hash tables.
    fn raw(self) -> u16;
    /// Unpacks a move. Any value is accepted; check the result with [`Position::is_legal`](super::Position::is_legal).
    fn from_raw(raw: u16) -> Self;
}

/// Capacity of a move list: at least the largest number of moves of any position of any game. Xiangqi has at most
/// 119. In chess the 16 pieces of a side have at most this many: 15 queens with 27 moves each and a king with 8. (A
/// pawn about to promote has 12, and a rook has fewer than a queen even if it castles.) Positions reachable in a game
/// of chess have at most 218.
pub const MOST_MOVES: usize = 15 * 27 + 8;

/// The moves of a position, stored inline: a list that is a slice (`len`, `iter`, `sort`, indexing …) and an iterator
/// by value. Nothing is allocated.
///
/// ```
/// use tabiya::chess::{Move, Moves, Position};
///
/// let start = Position::default();
/// let mut moves: Moves<Move> = start.legal_moves();
/// moves.sort_by_key(|&m| start.san(m));
/// assert_eq!((moves.len(), start.san(moves[0]).as_str()), (20, "Na3"));
/// let pawns: Moves<Move> = moves.into_iter().filter(|m| start.moved_kind(*m) == tabiya::chess::Kind::Pawn).collect();
/// assert_eq!(pawns.len(), 16);
/// ```
pub type Moves<M> = MoveList<M, MOST_MOVES>;

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

/// Receives the moves of a generator as sets of target squares, each with a closure that builds the move.
pub trait Sink<M> {
    /// True if only the number of moves matters; generators may then merge pieces with the same move type.
    const COUNTS_ONLY: bool;
    /// Receives one move for every square of `targets`; `build` makes the move from the square.
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> M);
}

/// Appends moves to a list.
pub struct ListSink<'a, M: Copy>(pub &'a mut Moves<M>);

impl<M: Copy> Sink<M> for ListSink<'_, M> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> M) {
        for square in targets.squares() {
            self.0.push(build(square));
        }
    }
}

/// Counts moves by population count, without building them.
#[derive(Default)]
pub struct CountSink(pub u64);

impl<M> Sink<M> for CountSink {
    const COUNTS_ONLY: bool = true;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, _build: impl Fn(B::Square) -> M) {
        self.0 += u64::from(targets.count());
    }
}

/// For [`Rules::generate`](crate::game::Rules::generate): every legal move.
pub const ALL: u8 = 0;
/// For [`Rules::generate`](crate::game::Rules::generate): captures and promotions.
pub const NOISY: u8 = 1;
/// For [`Rules::generate`](crate::game::Rules::generate): all other moves, castling included.
pub const QUIET: u8 = 2;

named_values! {
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
    "kernel" Kernel:
    /// Batches of eight positions in AVX-512 registers, with all instructions that the kernel knows and the CPU has.
    Avx512 "avx512";
    /// The same without population counts and bit matrices, which AVX-512 has as of Ice Lake and Zen 4 only.
    Avx512Bw "avx512bw";
    /// Batches of four positions in AVX2 registers.
    Avx2 "avx2";
    /// One position at a time, its last two plies together, without vectors. Where the CPU has them it uses PEXT, or
    /// POPCNT: how fast it is depends on the CPU.
    Portable "portable";
    /// One position and one ply at a time; slow and simple, the reference for the others.
    Scalar "scalar";
}
