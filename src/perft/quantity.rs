//! What a run counts: sequences alone, or the columns of statistics as well.
//!
//! [`Quantity`] lets `count`, `hashed`, `parallel` and `checkpoint` be written once: plain counts are `u128`,
//! statistics are [`Columns`]. Knows no game.

use crate::game::{Census, Columns, Kernel, Rules};
use std::fmt::Debug;
use std::ops::AddAssign;

/// Something that adds up over the sequences of a run.
pub trait Quantity: Record + Copy + Default + PartialEq + Debug + AddAssign + Send + Sync {
    /// The number of sequences.
    fn nodes(&self) -> u128;
    /// Everything that is counted, the number of sequences first.
    fn numbers(&self) -> Vec<u128>;
    /// The number of this place among the fifteen columns of statistics, if it is counted.
    fn column(&self, place: usize) -> Option<u128>;
    /// The same `ways` times.
    fn times(self, ways: u64) -> Self;
}

/// Something that a checkpoint keeps in a line.
pub trait Record: Sized {
    /// Added to the name of a run whose checkpoint holds these.
    const NAME: &'static str;
    /// The text of a line.
    fn to_text(&self) -> String;
    /// What [`Record::to_text`] has written; `None` for anything else.
    fn from_text(text: &str) -> Option<Self>;
}

/// A quantity that can be counted in positions of a game.
pub trait Countable<P: Rules>: Quantity {
    /// That of the sequences of exactly `depth` plies. Depth-limited: their number must fit 64 bits.
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self;
    /// That of the one legal move `m`.
    fn of_move(pos: &P, m: P::Move) -> Self;
}

impl Quantity for u128 {
    fn nodes(&self) -> u128 {
        *self
    }
    fn numbers(&self) -> Vec<u128> {
        vec![*self]
    }
    fn column(&self, place: usize) -> Option<u128> {
        (place == 0).then_some(*self)
    }
    fn times(self, ways: u64) -> u128 {
        self * u128::from(ways)
    }
}

impl Record for u128 {
    const NAME: &'static str = "";
    fn to_text(&self) -> String {
        self.to_string()
    }
    fn from_text(text: &str) -> Option<u128> {
        text.parse().ok()
    }
}

impl<P: Rules> Countable<P> for u128 {
    fn count(pos: &P, depth: u32, kernel: Kernel) -> u128 {
        u128::from(pos.perft_by(depth, kernel))
    }
    fn of_move(_pos: &P, _m: P::Move) -> u128 {
        1
    }
}

impl Quantity for Columns<u128> {
    fn nodes(&self) -> u128 {
        self.nodes
    }
    fn numbers(&self) -> Vec<u128> {
        self.counted().to_vec()
    }
    fn column(&self, place: usize) -> Option<u128> {
        self.all().get(place).copied()
    }
    fn times(self, ways: u64) -> Self {
        self.map(|n| n * u128::from(ways))
    }
}

impl Record for Columns<u128> {
    const NAME: &'static str = " columns";
    fn to_text(&self) -> String {
        self.counted().map(|n| n.to_string()).join(" ")
    }
    fn from_text(text: &str) -> Option<Self> {
        let mut numbers = text.split(' ');
        let mut counted = [0; crate::game::columns::COUNTED];
        for slot in &mut counted {
            *slot = numbers.next()?.parse().ok()?;
        }
        numbers.next().is_none().then_some(Columns::from_counted(counted))
    }
}

impl<P: Census> Countable<P> for Columns<u128> {
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self {
        pos.columns(depth, kernel).map(u128::from)
    }
    fn of_move(pos: &P, m: P::Move) -> Self {
        let mut columns = Columns::default();
        pos.facts(m).note(&mut columns);
        columns.map(u128::from)
    }
}
