//! What a run counts: sequences alone, or the columns of statistics as well.
//!
//! [`Quantity`] lets everything here be written once: plain counts are `u128`, statistics are [`Columns`]. How
//! they are counted is told in `hashed`. Knows no game.

use crate::game::Columns;
use std::fmt::Debug;
use std::ops::AddAssign;

/// Something that adds up over the sequences of a run.
pub trait Quantity: Copy + Default + PartialEq + Debug + AddAssign + Send + Sync {
    /// Added to the name of a run whose checkpoint holds these.
    const NAME: &'static str;
    /// The number of sequences.
    fn nodes(&self) -> u128;
    /// Everything that is counted, the number of sequences first.
    fn numbers(&self) -> Vec<u128>;
    /// What [`Quantity::numbers`] gives these numbers for; `None` if there is no such thing.
    fn from_numbers(numbers: &[u128]) -> Option<Self>;
    /// The number of this place among the fifteen columns of statistics, if it is counted.
    fn column(&self, place: usize) -> Option<u128>;
    /// The same `ways` times.
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
