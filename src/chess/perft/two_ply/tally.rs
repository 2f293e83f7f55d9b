//! Where the counts of a batch are added up: one sum, or a sum for each position.
//!
//! Chosen by who counts, through `collect`; `two_ply`, `made_moves` and `collect` add.

use crate::chess::perft::simd::{MOST_LANES, Vector};

/// Where the counts of a batch are added up.
pub trait Tally<V> {
    /// Adds a count for each lane.
    fn add(&mut self, counts: V);
    /// Adds counts of which each is for the lane that the low three bits of its source name.
    fn add_by_source(&mut self, counts: V, sources: V);
    /// Adds a count for one lane.
    fn add_one(&mut self, lane: usize, count: u64);
}

/// One sum of all lanes.
pub struct AllLanes<V> {
    counts: V,
    more: u64,
}

impl<V: Vector> AllLanes<V> {
    #[inline(always)]
    pub fn new(cpu: V::Cpu) -> Self {
        AllLanes { counts: V::zero(cpu), more: 0 }
    }

    /// The sum.
    #[inline(always)]
    pub fn sum(self) -> u64 {
        self.counts.reduce_sum() + self.more
    }
}

impl<V: Vector> Tally<V> for AllLanes<V> {
    #[inline(always)]
    fn add(&mut self, counts: V) {
        self.counts = self.counts + counts;
    }
    #[inline(always)]
    fn add_by_source(&mut self, counts: V, _sources: V) {
        self.counts = self.counts + counts;
    }
    #[inline(always)]
    fn add_one(&mut self, _lane: usize, count: u64) {
        self.more += count;
    }
}

/// A sum for each lane.
#[derive(Default)]
pub struct EachLane(pub [u64; MOST_LANES]);

impl<V: Vector> Tally<V> for EachLane {
    #[inline(always)]
    fn add(&mut self, counts: V) {
        let mut words = [0; MOST_LANES];
        counts.store(&mut words);
        for (sum, count) in self.0.iter_mut().zip(words) {
            *sum += count;
        }
    }
    #[inline(always)]
    fn add_by_source(&mut self, counts: V, sources: V) {
        let (mut words, mut lanes) = ([0; MOST_LANES], [0; MOST_LANES]);
        counts.store(&mut words);
        sources.store(&mut lanes);
        for (count, lane) in words.into_iter().zip(lanes) {
            self.0[lane as usize % MOST_LANES] += count;
        }
    }
    #[inline(always)]
    fn add_one(&mut self, lane: usize, count: u64) {
        self.0[lane % MOST_LANES] += count;
    }
}
