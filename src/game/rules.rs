//! What perft, its statistics and keys need from a game.
//!
//! Games implement these traits by delegation; `perft` calls them. A game writes its move generator once, generic
//! over [`Sink`], so that listing and counting moves share the code.

use super::columns::{Columns, MoveFacts};
use super::fault::named_values;
use super::side::Side;
use crate::base::bits::BitSet;
use crate::base::list::MoveList;

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
pub trait GameMove: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Default + Send + Sync + 'static {
    /// Index of the origin square, below 128.
    fn from(self) -> usize;
    /// Index of the target square, below 128.
    fn to(self) -> usize;
    /// The packed form, for hash tables.
    fn raw(self) -> u16;
    /// Unpacks a move. Any value is accepted; check the result with `Rules::is_legal`.
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

/// For [`Rules::generate`]: every legal move.
pub const ALL: u8 = 0;
/// For [`Rules::generate`]: captures and promotions.
pub const NOISY: u8 = 1;
/// For [`Rules::generate`]: all other moves, castling included.
pub const QUIET: u8 = 2;

named_values! {
    /// A leaf counter: how the last plies of a perft tree are counted. All give the same counts.
    ///
    /// ```
    /// use tabiya::chess::Position;
    /// use tabiya::game::{Kernel, Rules};
    ///
    /// let start = Position::default();
    /// for &kernel in Position::kernels() {
    ///     assert_eq!(start.perft_by(4, kernel), 197_281, "{}", kernel.name());
    /// }
    /// assert_eq!(Position::kernels().last(), Some(&Kernel::Scalar));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    "kernel" Kernel:
    /// Batches of eight positions in AVX-512 registers.
    Avx512 "avx512";
    /// Batches of four positions in AVX2 registers.
    Avx2 "avx2";
    /// One position at a time, its last two plies together, without vectors. Where the CPU has them it uses PEXT, or
    /// POPCNT: how fast it is depends on the CPU.
    Portable "portable";
    /// One position and one ply at a time; slow and simple, the reference for the others.
    Scalar "scalar";
}

/// A position of either game: legal moves, make and perft, for code that is generic over the games.
///
/// `chess::Position` and `xiangqi::Position` implement it. Both have the important functions as methods of their own
/// too, so code for one game hardly needs the trait.
///
/// ```
/// use tabiya::game::Rules;
///
/// /// The largest number of legal moves after one move.
/// fn most_replies<P: Rules>(position: &P) -> u64 {
///     let after = |m| {
///         let mut next = *position;
///         next.make(m);
///         next.count_legal()
///     };
///     position.legal_moves().into_iter().map(after).max().unwrap_or(0)
/// }
///
/// assert_eq!(most_replies(&tabiya::chess::Position::default()), 20);
/// assert_eq!(most_replies(&tabiya::xiangqi::Position::default()), 45);
/// ```
pub trait Rules: Copy {
    /// The move type of this game.
    type Move: GameMove;

    /// The side to move.
    fn side(&self) -> Side;
    /// Makes `m`, which must be legal here.
    fn make(&mut self, m: Self::Move);
    #[doc(hidden)]
    /// Generates the legal moves selected by `SELECT` ([`ALL`], [`NOISY`] or [`QUIET`]) into `sink`; with `from`, a
    /// square index, only those of the piece on that square.
    fn generate<const SELECT: u8, S: Sink<Self::Move>>(&self, from: Option<usize>, sink: &mut S);
    /// Whether `m`, any packed move (for instance from a hash table), is legal here.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Every legal move.
    #[inline]
    #[must_use]
    fn legal_moves(&self) -> Moves<Self::Move> {
        list_of::<Self, ALL>(self)
    }
    /// The legal captures and promotions.
    #[inline]
    #[must_use]
    fn noisy_moves(&self) -> Moves<Self::Move> {
        list_of::<Self, NOISY>(self)
    }
    /// The legal moves that are not in `noisy_moves`.
    #[inline]
    #[must_use]
    fn quiet_moves(&self) -> Moves<Self::Move> {
        list_of::<Self, QUIET>(self)
    }
    /// The number of legal moves; no list is written.
    #[inline]
    fn count_legal(&self) -> u64 {
        let mut sink = CountSink::default();
        self.generate::<ALL, _>(None, &mut sink);
        sink.0
    }
    /// The number of legal move sequences of exactly `depth` plies; 1 at depth 0.
    ///
    /// The total is a `u64`: callers whose totals may reach 2⁶⁴ split at the root and add in `u128`.
    fn perft(&self, depth: u32) -> u64 {
        perft_one_by_one(self, depth)
    }

    /// `perft` with the given kernel, one of [`Rules::kernels`].
    fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
        let _ = kernel;
        self.perft(depth)
    }

    /// The kernels of this game that this CPU supports, fastest first; never empty.
    fn kernels() -> &'static [Kernel] {
        &[Kernel::Scalar]
    }
}

/// The legal moves selected by `SELECT`.
#[inline(always)]
fn list_of<P: Rules, const SELECT: u8>(position: &P) -> Moves<P::Move> {
    let mut list = Moves::new();
    position.generate::<SELECT, _>(None, &mut ListSink(&mut list));
    list
}

/// [`Rules::perft`] one position at a time: the simple, slow reference.
pub fn perft_one_by_one<P: Rules>(pos: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count_legal(),
        _ => {
            let below = |m| {
                let mut child = *pos;
                child.make(m);
                perft_one_by_one(&child, depth - 1)
            };
            pos.legal_moves().into_iter().map(below).sum()
        }
    }
}

/// Zobrist keys.
///
/// ```
/// use tabiya::game::{Keyed, Rules};
///
/// /// The keys after all moves.
/// fn keys<P: Keyed>(position: &P) -> Vec<u64> {
///     position.legal_moves().into_iter().map(|m| position.key_after(m)).collect()
/// }
/// assert_eq!(keys(&tabiya::chess::Position::default()).len(), 20);
/// ```
pub trait Keyed: Rules {
    /// The Zobrist key.
    fn key(&self) -> u64;
    /// The key after the legal move `m`, without making it.
    fn key_after(&self, m: Self::Move) -> u64;
}

/// 128-bit keys from any seed, for the proof of mates: a wrong proof caused by two positions with the same key is an
/// error that a user cannot notice.
pub trait WideKeyed: Rules {
    /// The random numbers of a seed.
    type Keys: Send + Sync;
    /// Draws the random numbers of `seed`.
    fn wide_keys(seed: u64) -> Self::Keys;
    /// The key, from scratch. Positions may share a key only if they have the same moves at every depth.
    fn wide_key(&self, keys: &Self::Keys) -> u128;
}

/// Perft statistics: the kinds of the last moves of sequences, for `perft --stats`.
pub trait Census: Rules {
    /// The properties of `m`, which must be legal here.
    fn facts(&self, m: Self::Move) -> MoveFacts;

    /// The columns over all sequences of exactly `depth` plies, counted with `kernel`, one of [`Rules::kernels`]. At
    /// depth 0 there is one node and nothing else.
    ///
    /// Games override this with a faster count for every kernel but [`Kernel::Scalar`].
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        let _ = kernel;
        columns_one_by_one(self, depth)
    }
}

/// [`Census::columns`] one move at a time: the slow, simple reference.
pub fn columns_one_by_one<P: Census>(pos: &P, depth: u32) -> Columns {
    let mut columns = Columns::default();
    if depth == 0 {
        columns.nodes = 1;
        return columns;
    }
    let list = pos.legal_moves();
    for &m in list.as_slice() {
        if depth == 1 {
            pos.facts(m).note(&mut columns);
        } else {
            let mut child = *pos;
            child.make(m);
            columns += columns_one_by_one(&child, depth - 1);
        }
    }
    columns
}
