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
    /// Whether a sum or a product has stopped at the end of the numbers.
    fn is_beyond(&self) -> bool {
        self.nodes() == u128::MAX
    }
    /// This quantity, if it is exact.
    ///
    /// # Errors
    /// If it is not.
    fn exact(self) -> Result<Self, PerftError> {
        if self.is_beyond() { Err(PerftError::Overflow) } else { Ok(self) }
    }
}

/// The sum of the counts by root move.
///
/// # Errors
/// If it is not exact.
pub fn total<Q: Quantity>(sums: &[Q]) -> Result<Q, PerftError> {
    let mut total = Q::default();
    sums.iter().for_each(|&sum| total.add(sum));
    total.exact()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `2^exponent - less`.
    fn power(exponent: u32, less: u128) -> u128 {
        (1 << (exponent - 1)) - less + (1 << (exponent - 1))
    }

    fn columns(nodes: u128, captures: u128) -> Columns<u128> {
        Columns { nodes, captures, ..Columns::default() }
    }

    #[test]
    fn sums_and_products_stop_at_the_last_number() {
        let last = u128::MAX - 1;
        for (a, b, sum) in [
            (last, 0, Ok(last)),
            (power(127, 1), power(127, 0), Err(PerftError::Overflow)),
            (power(127, 1), power(127, 1), Ok(last)),
            (last, 1, Err(PerftError::Overflow)),
            (last, last, Err(PerftError::Overflow)),
        ] {
            let mut total = a;
            total.add(b);
            assert_eq!(total.exact(), sum, "{a} + {b}");
            let mut total = columns(a, 1);
            total.add(columns(b, 2));
            assert_eq!(total.exact(), sum.map(|nodes| columns(nodes, 3)), "{a} + {b}");
        }
        for (n, ways, product) in [
            (3, 5, Ok(15)),
            (power(64, 1), power(64, 0), Ok(u128::MAX - (1 << 64) + 1)),
            (power(64, 0), power(64, 0), Err(PerftError::Overflow)),
            (u128::MAX, 1, Err(PerftError::Overflow)),
            // A position without moves, however many sequences lead to it.
            (0, u128::MAX, Ok(0)),
        ] {
            assert_eq!(n.times(ways).exact(), product, "{n} * {ways}");
            let all = columns(n, 1.min(n)).times(ways).exact();
            assert_eq!(all.map(|columns| columns.nodes), product, "{n} * {ways}");
        }
    }
}
