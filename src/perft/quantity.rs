//! What a run counts: move sequences only, or also the columns of statistics.
//!
//! [`Quantity`] makes the rest of `perft` generic: plain counts are `u128`, statistics are [`Columns`]. `hashed` has
//! the counting itself.

use crate::game::Columns;
use std::fmt::Debug;
use std::ops::AddAssign;

/// A quantity summed over the sequences of a run.
pub trait Quantity: Copy + Default + PartialEq + Debug + AddAssign + Send + Sync {
    /// Suffix of the run's name in a checkpoint of this quantity.
    const NAME: &'static str;
    /// The number of sequences.
    fn nodes(&self) -> u128;
    /// All counted numbers, the number of sequences first.
    fn numbers(&self) -> Vec<u128>;
    /// The inverse of [`Quantity::numbers`]; `None` if the length is wrong.
    fn from_numbers(numbers: &[u128]) -> Option<Self>;
    /// Column `place` of the fifteen columns of statistics; `None` if it is not counted.
    fn column(&self, place: usize) -> Option<u128>;
    /// The quantity multiplied by `ways`.
    fn times(self, ways: u128) -> Self;
}

impl Quantity for u128 {
    const NAME: &'static str = "";
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
    fn times(self, ways: u128) -> u128 {
        self * ways
    }
}

impl Quantity for Columns<u128> {
    const NAME: &'static str = " columns";
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
    fn times(self, ways: u128) -> Self {
        self.map(|n| n * ways)
    }
}
