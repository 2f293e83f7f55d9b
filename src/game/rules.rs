//! What plain perft, hashed perft and perft statistics ask of a game.
//!
//! Games implement these traits by delegation; `perft` calls them. The generator of a game is written
//! once over [`Sink`], so that listing and counting are the same code.

use super::columns::{Columns, MoveFacts};
use super::side::Side;
use crate::base::bits::BitSet;
use crate::base::list::MoveList;

/// A move packed into sixteen bits.
pub trait GameMove:
    Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + Default + Send + Sync + 'static
{
    /// Index of the square the piece leaves, below 128.
    fn from(self) -> usize;
    /// Index of the square the piece reaches, below 128.
    fn to(self) -> usize;
    /// The packed form, for tables.
    fn raw(self) -> u16;
    /// The move of a packed form; any value is accepted, so check it with `Rules::is_legal`.
    fn from_raw(raw: u16) -> Self;
}

/// Room for the moves of any position of any game; xiangqi has 119 at most. Sixteen men of chess have no more: fifteen queens with 27
/// moves each, and a king with 8. (A pawn about to promote has 12, and a rook has less than a queen even if it
/// castles.) A game of chess leads to 218 at most.
pub const MOST_MOVES: usize = 15 * 27 + 8;

/// The moves of a position, in place.
pub type Moves<M> = MoveList<M, MOST_MOVES>;

/// Where a generator sends its moves: sets of target squares with a recipe for the move.
pub trait Sink<M> {
    /// True where only the number of moves matters: generators may then merge pieces that move alike.
    const COUNTS_ONLY: bool;
    /// Takes one move for every square of `targets`; `build` makes it from the square.
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> M);
}

/// Writes moves into a list.
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

/// Counts moves by population count and builds none.
#[derive(Default)]
pub struct CountSink(pub u64);

impl<M> Sink<M> for CountSink {
    const COUNTS_ONLY: bool = true;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, _build: impl Fn(B::Square) -> M) {
        self.0 += u64::from(targets.count());
    }
}

/// Answers whether one move is among those generated.
struct ContainsSink<M> {
    wanted: M,
    found: bool,
}

impl<M: Eq> Sink<M> for ContainsSink<M> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> M) {
        for square in targets.squares() {
            self.found |= build(square) == self.wanted;
        }
    }
}

/// For [`Rules::generate`]: every legal move.
pub const ALL: u8 = 0;
/// For [`Rules::generate`]: captures and promotions.
pub const NOISY: u8 = 1;
/// For [`Rules::generate`]: what is not noisy, castling included.
pub const QUIET: u8 = 2;

/// A way of counting the leaves of a perft tree. All give the same counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// Eight positions at once in AVX-512 registers.
    Avx512,
    /// Eight positions at once in pairs of AVX2 registers.
    Avx2,
    /// One position at a time, its last two plies together, without special instructions.
    Portable,
    /// One position and one ply at a time; slow and obvious.
    Scalar,
}

impl Kernel {
    /// Every kernel of any game.
    pub const ALL: [Kernel; 4] = [Kernel::Avx512, Kernel::Avx2, Kernel::Portable, Kernel::Scalar];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Avx512 => "avx512",
            Kernel::Avx2 => "avx2",
            Kernel::Portable => "portable",
            Kernel::Scalar => "scalar",
        }
    }
}

/// All that plain perft needs of a position.
pub trait Rules: Copy {
    /// A move of this game.
    type Move: GameMove;

    /// The player to move.
    fn side(&self) -> Side;
    /// Plays `m`, which must be legal here.
    fn make(&mut self, m: Self::Move);
    /// Sends the legal moves that `SELECT` ([`ALL`], [`NOISY`] or [`QUIET`]) names to `sink`; with `from`,
    /// the index of a square, only those of the piece that stands there.
    fn generate<const SELECT: u8, S: Sink<Self::Move>>(&self, from: Option<usize>, sink: &mut S);
    /// Whether the side to move has a piece where `m`, any packed move, begins, and of the kind that `m`
    /// names if it names one. Cheap; [`Rules::is_legal`] asks it first.
    fn has_mover(&self, m: Self::Move) -> bool;

    /// Every legal move.
    #[inline]
    #[must_use]
    fn legal_moves(&self) -> Moves<Self::Move> {
        let mut list = Moves::new();
        self.generate::<ALL, _>(None, &mut ListSink(&mut list));
        list
    }
    /// The legal captures and promotions.
    #[inline]
    #[must_use]
    fn noisy_moves(&self) -> Moves<Self::Move> {
        let mut list = Moves::new();
        self.generate::<NOISY, _>(None, &mut ListSink(&mut list));
        list
    }
    /// The legal moves that `noisy_moves` does not list.
    #[inline]
    #[must_use]
    fn quiet_moves(&self) -> Moves<Self::Move> {
        let mut list = Moves::new();
        self.generate::<QUIET, _>(None, &mut ListSink(&mut list));
        list
    }
    /// The number of legal moves, without writing a list.
    #[inline]
    fn count_legal(&self) -> u64 {
        let mut sink = CountSink::default();
        self.generate::<ALL, _>(None, &mut sink);
        sink.0
    }
    /// Whether any packed move, for instance one from a hash table, is legal here. Generates the moves of one
    /// piece only.
    #[inline]
    fn is_legal(&self, m: Self::Move) -> bool {
        if !self.has_mover(m) {
            return false;
        }
        let mut sink = ContainsSink { wanted: m, found: false };
        self.generate::<ALL, _>(Some(m.from()), &mut sink);
        sink.found
    }

    /// The number of legal move sequences of exactly `depth` plies; 1 at depth 0.
    ///
    /// This provided walk is also the oracle for games that replace it by a faster one. The total is a
    /// `u64`: callers that may pass 2⁶⁴ split at the root and add in `u128`.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal(),
            _ => {
                let list = self.legal_moves();
                list.as_slice()
                    .iter()
                    .map(|&m| {
                        let mut child = *self;
                        child.make(m);
                        child.perft(depth - 1)
                    })
                    .sum()
            }
        }
    }

    /// `perft` with the leaves counted by `kernel`, one of [`Rules::kernels`].
    fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
        let _ = kernel;
        self.perft(depth)
    }

    /// The kernels that this game has on this CPU, the fastest first; never empty.
    fn kernels() -> Vec<Kernel> {
        vec![Kernel::Scalar]
    }
}

/// Position keys, for hashed perft and search. Plain perft never computes one.
pub trait Keyed: Rules {
    /// The Zobrist key, from scratch.
    fn key(&self) -> u64;
    /// The key after the legal move `m`, from `key`, the key of this position. Called before `make`, so
    /// that a table entry can be fetched early.
    fn key_after(&self, key: u64, m: Self::Move) -> u64;
}

/// Wide keys from any seed, for perft with a hash table.
///
/// A total that is wrong because two positions share a key is the one fault a user cannot see, so these keys
/// have 128 bits, and another seed gives keys that have nothing in common with the first.
pub trait WideKeyed: Rules {
    /// The random numbers of one seed.
    type Keys: Send + Sync;
    /// The random numbers of `seed`.
    fn wide_keys(seed: u64) -> Self::Keys;
    /// The key, from scratch. Positions with the same moves at every depth may share it; others must not.
    fn wide_key(&self, keys: &Self::Keys) -> u128;
    /// The key after the legal move `m`, from `key`, the key of this position.
    fn wide_key_after(&self, keys: &Self::Keys, key: u128, m: Self::Move) -> u128;
    /// Lists the legal moves, in the order of the generator, with the keys after them.
    #[inline(always)]
    fn keyed_moves<L: KeyedList<Self::Move>>(&self, keys: &Self::Keys, key: u128, list: &mut L) {
        let parent = OneByOneKeys { pos: self, keys, key };
        self.generate::<ALL, _>(None, &mut KeyedSink { parent: &parent, list });
    }
    /// Sorts the positions of one ply so that those with many positions ahead in common are neighbours. First
    /// comes what the side has that has just moved, since the other one may still make the moves that lead two
    /// positions to the same, and the men that never go back.
    fn transposition_order(&self) -> [u128; 4];
    /// What counts the positions two plies above the leaves.
    type Bulk: BulkPerft2<Self>;
}

/// A list of moves with the keys after them.
pub trait KeyedList<M> {
    /// Appends a move.
    fn push(&mut self, m: M, key: u128);
}

/// A position that gives the keys after its moves.
pub trait KeysAfter<M> {
    /// The key after a legal move.
    fn key_after(&self, m: M) -> u128;
}

/// [`WideKeyed::wide_key_after`] for each move.
struct OneByOneKeys<'a, P: WideKeyed> {
    pos: &'a P,
    keys: &'a P::Keys,
    key: u128,
}

impl<P: WideKeyed> KeysAfter<P::Move> for OneByOneKeys<'_, P> {
    #[inline(always)]
    fn key_after(&self, m: P::Move) -> u128 {
        self.pos.wide_key_after(self.keys, self.key, m)
    }
}

/// Writes moves into a list with the keys after them.
pub struct KeyedSink<'a, K, L> {
    /// The position that the moves are played in.
    pub parent: &'a K,
    /// Where moves and keys are written.
    pub list: &'a mut L,
}

impl<M: Copy, K: KeysAfter<M>, L: KeyedList<M>> Sink<M> for KeyedSink<'_, K, L> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> M) {
        for square in targets.squares() {
            let m = build(square);
            self.list.push(m, self.parent.key_after(m));
        }
    }
}

/// Counts the sequences of two plies from many positions, each on its own, for hashed perft.
///
/// A kernel may keep positions back until it can count several together, so a count is complete only after
/// [`BulkPerft2::flush`]. All positions between two calls of that have the same side to move.
pub trait BulkPerft2<P: Rules> {
    /// For positions of the tree below `root`, by a kernel of [`Rules::kernels`].
    fn new(root: &P, kernel: Kernel) -> Self;
    /// Adds the positions after `moves`, legal moves of `parent`. What the position after the `i`-th move
    /// counts is added to `counts[first + i]`, now or later. `before` is called before any are
    /// counted, which takes long and leaves memory idle.
    fn add_children(
        &mut self,
        parent: &P,
        moves: &[P::Move],
        first: usize,
        counts: &mut [u32],
        before: impl FnMut(),
    );
    /// Adds what is still missing in `counts`.
    fn flush(&mut self, counts: &mut [u32]);
}

/// Counts positions at once, one at a time.
pub struct OneByOne(Kernel);

impl<P: Rules> BulkPerft2<P> for OneByOne {
    fn new(_root: &P, kernel: Kernel) -> Self {
        OneByOne(kernel)
    }
    fn add_children(
        &mut self,
        parent: &P,
        moves: &[P::Move],
        first: usize,
        counts: &mut [u32],
        mut before: impl FnMut(),
    ) {
        for (count, &m) in counts[first..].iter_mut().zip(moves) {
            before();
            let mut child = *parent;
            child.make(m);
            *count += child.perft_by(2, self.0) as u32;
        }
    }
    fn flush(&mut self, _counts: &mut [u32]) {}
}

/// Statistics about the last move of sequences, for `perft --stats`.
pub trait Census: Rules {
    /// The facts about `m`, which must be legal here.
    fn facts(&self, m: Self::Move) -> MoveFacts;

    /// The columns of the sequences of exactly `depth` plies, counted by `kernel`, one of
    /// [`Rules::kernels`]. At depth 0 there is one node and nothing else.
    ///
    /// Games replace this by something faster for every kernel but [`Kernel::Scalar`].
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        let _ = kernel;
        columns_one_by_one(self, depth)
    }
}

/// [`Census::columns`] one move at a time: the slow and obvious count that the others are compared with.
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
