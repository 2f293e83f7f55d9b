//! What perft asks of a game, [`Counting`], and the methods of [`Position`] that count move sequences.

use crate::game::count::columns::{Columns, MoveFacts};
use crate::game::count::kernel::{Kernel, assert_depth};
use crate::game::count::packing::{Half, Packing, SharedHalf};
use crate::game::moves::Moves;
use crate::game::position::{Position, Rules};
use crate::game::side::Side;

/// How positions are counted: the bound for code that is generic over both games and counts. Needs the feature `perft`.
///
/// Each game implements it in `perft/mod.rs`.
pub trait Counting: Rules {
    /// The pieces of one side, and those of its rights that still matter.
    type Half: Half<Board = Self, Move = Self::Move>;

    /// The kernels of this game that this CPU supports, fastest first; never empty.
    fn kernels() -> &'static [Kernel];
    /// The number of legal move sequences of exactly `depth` plies, counted with one of [`kernels`](Self::kernels).
    fn perft(position: &Position<Self>, depth: u32, kernel: Kernel) -> u64;
    /// The columns over all sequences of exactly `depth` plies. At depth 0 there is one node and nothing else.
    fn columns(position: &Position<Self>, depth: u32, kernel: Kernel) -> Columns;
    /// Counts the sequences of two plies from each position of `groups`, into its place in `counts`, which are 0. In
    /// all of them `side` is to move, and they are below `root`.
    fn perft2<'a>(
        root: &Position<Self>,
        side: Side,
        kernel: Kernel,
        groups: impl Iterator<Item = SharedHalf<'a, Self::Half>>,
        counts: &mut [u32],
    );
    /// The properties of the legal move `m`.
    fn facts(position: &Position<Self>, m: Self::Move) -> MoveFacts;
}

/// A packed position of a game.
pub type PackedOf<B> = <<B as Counting>::Half as Packing>::Packed;

/// Counting move sequences, with the feature `perft`.
impl<B: Counting> Position<B> {
    /// The number of legal move sequences of `depth` plies, by the fastest kernel of this CPU, on one thread that
    /// visits every node. [`Perft`](crate::perft::Perft) has threads, memory and 128-bit totals.
    ///
    /// A total of 2⁶⁴ or more does not fit, and neither this nor [`divide`](Self::divide) nor
    /// [`statistics`](Self::statistics) notices it: what they return is then without meaning. At a billion sequences a
    /// second they would get there after nearly six centuries.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert_eq!(start.perft(1), start.count_legal());
    /// ```
    #[track_caller]
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_by(depth, B::kernels()[0])
    }

    /// The same with a kernel of [`kernels`](Self::kernels).
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    #[track_caller]
    #[must_use]
    pub fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
        assert_depth(depth);
        B::perft(self, depth, kernel)
    }

    /// The kernels of this game that this CPU supports, fastest first; never empty.
    #[must_use]
    pub fn kernels() -> &'static [Kernel] {
        B::kernels()
    }

    /// Each legal move with the number of sequences of `depth` plies that begin with it. Nothing at depth 0.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let total: u64 = start.divide(3).map(|(_, count)| count).sum();
    /// assert_eq!(total, start.perft(3));
    /// ```
    #[track_caller]
    pub fn divide(&self, depth: u32) -> impl Iterator<Item = (B::Move, u64)> + use<B> {
        assert_depth(depth);
        let position = *self;
        let list = if depth > 0 { position.legal_moves() } else { Moves::new() };
        list.into_iter().map(move |m| (m, position.play_unchecked(m).perft(depth - 1)))
    }

    /// Captures, checks, mates and so on among the moves of the last ply of all sequences of `depth` plies.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert_eq!(start.statistics(3).nodes, start.perft(3));
    /// ```
    #[track_caller]
    #[must_use]
    pub fn statistics(&self, depth: u32) -> Columns {
        self.statistics_by(depth, B::kernels()[0])
    }

    /// The same with a kernel of [`kernels`](Self::kernels).
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    #[track_caller]
    #[must_use]
    pub fn statistics_by(&self, depth: u32, kernel: Kernel) -> Columns {
        assert_depth(depth);
        B::columns(self, depth, kernel)
    }
}
