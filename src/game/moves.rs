//! Moves and lists of them.
//!
//! A game writes its move generator once, generic over [`Sink`], so that listing and counting moves share the code.

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
pub trait GameMove:
    Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Default + Send + Sync + 'static
{
    /// Index of the origin square, below 128.
    fn from(self) -> usize;
    /// Index of the target square, below 128.
    fn to(self) -> usize;
    /// The packed form, for hash tables.
    fn raw(self) -> u16;
    /// Unpacks a move. Any value is accepted; check the result with
    /// [`Position::is_legal`](crate::game::Position::is_legal).
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
