//! What a run counts: move sequences only, or also the columns of statistics.
//!
//! [`Quantity`] makes the rest of `perft` generic: plain counts are `u128`, statistics are [`Columns`].
//! `countable` and `frontier` do the counting.

use super::PerftError;
use crate::game::Columns;
use crate::game::count::columns::COUNTED_NAMES;
use std::fmt::Debug;

/// A quantity summed over the sequences of a run. Sums and products stop at 2¹²⁸ − 1. They have only positive terms,
/// and no column exceeds the number of sequences, so a total below that is exact in all its columns.
pub trait Quantity: Copy + Default + PartialEq + Debug + Send + Sync {
    /// The names of the counted numbers.
    const NAMES: &'static [&'static str];
    /// The number of sequences.
    fn nodes(&self) -> u128;
    /// All counted numbers, the number of sequences first.
    fn numbers(&self) -> Vec<u128>;
    /// The inverse of [`Quantity::numbers`]; `None` if the length is wrong.
    fn from_numbers(numbers: &[u128]) -> Option<Self>;
    /// Column `place` of the fifteen columns of statistics; `None` if it is not counted.
    fn column(&self, place: usize) -> Option<u128>;
    /// Adds another quantity.
    fn add(&mut self, other: Self);
    /// The quantity multiplied by `ways`.
    fn times(self, ways: u128) -> Self;
}

/// The sum of the counts by root move.
///
/// # Errors
/// If it has stopped at the end of the numbers.
pub fn total<Q: Quantity>(sums: &[Q]) -> Result<Q, PerftError> {
    let mut total = Q::default();
    sums.iter().for_each(|&sum| total.add(sum));
    if total.nodes() == u128::MAX { Err(PerftError::Overflow) } else { Ok(total) }
}

impl Quantity for u128 {
    const NAMES: &'static [&'static str] = &[COUNTED_NAMES[0]];
    fn nodes(&self) -> u128 {
        *self
    }
    fn numbers(&self) -> Vec<u128> {
        vec![*self]
    }
    fn from_numbers(numbers: &[u128]) -> Option<u128> {
        <[u128; 1]>::try_from(numbers).ok().map(|[nodes]| nodes)
    }
    fn column(&self, place: usize) -> Option<u128> {
        (place == 0).then_some(*self)
    }
    fn add(&mut self, other: u128) {
        *self = self.saturating_add(other);
    }
    fn times(self, ways: u128) -> u128 {
        self.saturating_mul(ways)
    }
}

impl Quantity for Columns<u128> {
    const NAMES: &'static [&'static str] = &COUNTED_NAMES;
    fn nodes(&self) -> u128 {
        self.nodes
    }
    fn numbers(&self) -> Vec<u128> {
        self.counted().to_vec()
    }
    fn from_numbers(numbers: &[u128]) -> Option<Self> {
        numbers.try_into().ok().map(Columns::from_counted)
    }
    fn column(&self, place: usize) -> Option<u128> {
        self.all().get(place).copied()
    }
    fn add(&mut self, other: Self) {
        let mut sum = self.counted();
        sum.iter_mut().zip(other.counted()).for_each(|(n, other)| n.add(other));
        *self = Columns::from_counted(sum);
    }
    fn times(self, ways: u128) -> Self {
        self.map(|n| n.times(ways))
    }
}
