//! What a run needs to know of a quantity in a game, for plain counts and for columns of statistics.

use super::quantity::Quantity;
use crate::game::{BulkPerft2, Census, Columns, Kernel, Packable};

/// A quantity that can be counted in a game.
pub trait Countable<P: Packable>: Quantity {
    /// Counts two plies below many positions.
    type Bulk: BulkPerft2<P>;
    /// Counts the sequences of exactly `depth` plies. Their number must fit 64 bits.
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self;
    /// The quantity for the single legal move `m`.
    fn of_move(pos: &P, m: P::Move) -> Self;
    /// The sum of the counts with these numbers.
    fn sum(counts: &[<Self::Bulk as BulkPerft2<P>>::Count], numbers: &[u32]) -> Self;
}

impl<P: Packable> Countable<P> for u128 {
    type Bulk = P::Bulk;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> u128 {
        u128::from(pos.perft_by(depth, kernel))
    }
    fn of_move(_pos: &P, _m: P::Move) -> u128 {
        1
    }
    #[inline(always)]
    fn sum(counts: &[u32], numbers: &[u32]) -> u128 {
        let counts = numbers.iter().map(|&number| u64::from(counts[number as usize]));
        u128::from(counts.sum::<u64>())
    }
}

impl<P: Packable + Census> Countable<P> for Columns<u128> {
    type Bulk = ColumnsBulk<P>;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self {
        pos.columns(depth, kernel).map(u128::from)
    }
    fn of_move(pos: &P, m: P::Move) -> Self {
        let mut columns = Columns::default();
        pos.facts(m).note(&mut columns);
        columns.map(u128::from)
    }
    fn sum(counts: &[Columns], numbers: &[u32]) -> Self {
        let mut sum = Columns::default();
        for &number in numbers {
            sum += counts[number as usize];
        }
        sum.map(u128::from)
    }
}

/// Counts the columns of one position after the other.
pub struct ColumnsBulk<P> {
    root: P,
    kernel: Kernel,
}

impl<P: Packable + Census> BulkPerft2<P> for ColumnsBulk<P> {
    type Count = Columns;
    fn new(root: &P, kernel: Kernel) -> Self {
        ColumnsBulk { root: *root, kernel }
    }
    fn add_children(&mut self, parent: &P::Board, moves: &[P::Move], first: usize, counts: &mut [Columns]) {
        let parent = self.root.with_board(parent);
        for (count, &m) in counts[first..].iter_mut().zip(moves) {
            let mut child = parent;
            child.make(m);
            *count += child.columns(2, self.kernel);
        }
    }
    fn add(&mut self, board: &P::Board, place: usize, counts: &mut [Columns]) {
        counts[place] += self.root.with_board(board).columns(2, self.kernel);
    }
    fn flush(&mut self, _counts: &mut [Columns]) {}
}
