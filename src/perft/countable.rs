//! What a run needs to know of a quantity in a game, for plain counts and for columns of statistics.

use super::quantity::Quantity;
use crate::game::count::packing::Run;
use crate::game::{BulkPerft2, Columns, Counting, Kernel, Position};

/// A quantity that can be counted in a game.
pub trait Countable<B: Counting>: Quantity {
    /// Counts two plies below many positions.
    type Bulk: BulkPerft2<B>;
    /// Counts the sequences of exactly `depth` plies. Their number must fit 64 bits.
    fn count(pos: &Position<B>, depth: u32, kernel: Kernel) -> Self;
    /// The quantity for the single legal move `m`.
    fn of_move(pos: &Position<B>, m: B::Move) -> Self;
    /// The sum of the counts with these numbers.
    fn sum(counts: &[<Self::Bulk as BulkPerft2<B>>::Count], numbers: &[u32]) -> Self;
}

impl<B: Counting> Countable<B> for u128 {
    type Bulk = B::Bulk;
    fn count(pos: &Position<B>, depth: u32, kernel: Kernel) -> u128 {
        u128::from(pos.perft_by(depth, kernel))
    }
    fn of_move(_pos: &Position<B>, _m: B::Move) -> u128 {
        1
    }
    #[inline(always)]
    fn sum(counts: &[u32], numbers: &[u32]) -> u128 {
        let counts = numbers.iter().map(|&number| u64::from(counts[number as usize]));
        u128::from(counts.sum::<u64>())
    }
}

impl<B: Counting> Countable<B> for Columns<u128> {
    type Bulk = ColumnsBulk<B>;
    fn count(pos: &Position<B>, depth: u32, kernel: Kernel) -> Self {
        pos.statistics_by(depth, kernel).map(u128::from)
    }
    fn of_move(pos: &Position<B>, m: B::Move) -> Self {
        let mut columns = Columns::default();
        B::facts(pos, m).note(&mut columns);
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
pub struct ColumnsBulk<B: Counting> {
    root: Position<B>,
    kernel: Kernel,
}

impl<B: Counting> BulkPerft2<B> for ColumnsBulk<B> {
    type Count = Columns;
    fn new(root: &Position<B>, kernel: Kernel) -> Self {
        ColumnsBulk { root: *root, kernel }
    }
    fn add(&mut self, run: &Run<'_, B::Half>, counts: &mut [Columns]) {
        for (place, board) in run.boards() {
            // No column depends on the key.
            let pos = Position { board, key: 0, checks_and_pins: board.compute_checks_and_pins(), ..self.root };
            counts[place] += pos.statistics_by(2, self.kernel);
        }
    }
    fn flush(&mut self, _counts: &mut [Columns]) {}
}
