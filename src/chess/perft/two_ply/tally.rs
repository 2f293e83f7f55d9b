//! Accumulators for the counts of a batch: one sum, or one sum per position.

use crate::chess::perft::simd::{MOST_LANES, Vector};

/// Accumulates the counts of a batch.
pub trait Tally<V> {
    /// Adds one count per lane.
    fn add(&mut self, counts: V);
    /// Adds counts, each for the lane given by the low three bits of its source.
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

/// One sum per lane.
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
