//! How a run goes on: what is told of it, to whom and how often.
//!
//! [`Reporter`] is used by `count`, `units` and `distinct`; the command line is a [`Watch`] that prints. Nothing
//! here counts.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// Time between two reports, and between two writings of a checkpoint.
pub const INTERVAL: Duration = Duration::from_millis(500);

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// Finished units, those of earlier runs among them.
    pub done: usize,
    /// All units.
    pub all: usize,
    /// Nodes counted by this run.
    pub nodes: u128,
    /// Time this run has taken.
    pub time: Duration,
    /// Time until the end, if the rest goes as fast as what was done lately.
    pub left: Option<Duration>,
}

/// Who is told how a run goes on. Nobody: `()`.
pub trait Watch: Sync {
    /// Whether [`Watch::progress`] is wanted at all.
    fn is_watching(&self) -> bool {
        false
    }
    /// A run goes on.
    fn progress(&self, status: &Status) {
        let _ = status;
    }
    /// A run begins with `done` of `all` units from its checkpoint, which other runs have counted with `seeds`.
    fn resumed(&self, done: usize, all: usize, seeds: &BTreeSet<u64>) {
        let _ = (done, all, seeds);
    }
    /// Something went wrong that does not end the run.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

/// Tells a [`Watch`] from time to time how far a run has come.
///
/// The time that is left is estimated from what was done lately: the beginning of a run, when tables are empty,
/// says little about its end, and what earlier runs have done says nothing of the speed of this one.
pub struct Reporter<'a> {
    watch: &'a dyn Watch,
    begin: Instant,
    /// When the last report was.
    told: Duration,
    /// Moments and the units finished by then, the first one at the start of the run.
    samples: VecDeque<(Duration, usize)>,
}

impl<'a> Reporter<'a> {
    /// For a run that begins now, with `done` units.
    pub fn new(watch: &'a dyn Watch, done: usize) -> Self {
        let samples = VecDeque::from([(Duration::ZERO, done)]);
        Reporter { watch, begin: Instant::now(), told: Duration::ZERO, samples }
    }

    /// Reports, if somebody listens and the last report is [`INTERVAL`] ago.
    pub fn report(&mut self, done: usize, all: usize, nodes: u128) {
        let time = self.begin.elapsed();
        if self.watch.is_watching() && time >= self.told + INTERVAL {
            self.told = time;
            let left = self.left(time, done, all);
            self.watch.progress(&Status { done, all, nodes, time, left });
        }
    }

    /// The time left when `done` of `all` units are finished after `time`; `None` as long as nothing is known.
    fn left(&mut self, time: Duration, done: usize, all: usize) -> Option<Duration> {
        self.samples.push_back((time, done));
        // The last third of the run so far, but not less than ten seconds.
        let window = (time / 3).max(Duration::from_secs(10));
        while self.samples.get(1).is_some_and(|&(at, _)| at + window <= time) {
            self.samples.pop_front();
        }
        let &(from, before) = self.samples.front()?;
        let speed = done.checked_sub(before)? as f64 / time.checked_sub(from)?.as_secs_f64();
        Duration::try_from_secs_f64(all.saturating_sub(done) as f64 / speed).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_estimated_from_what_was_done_lately() {
        let seconds = Duration::from_secs;
        // An earlier run has done 500 of 1,000; this one does 1 a second, then 2 a second.
        let mut reporter = Reporter::new(&(), 500);
        assert_eq!(reporter.left(Duration::ZERO, 500, 1_000), None);
        let mut done = 500;
        for second in 1..=60 {
            done += 1;
            let left = reporter.left(seconds(second), done, 1_000).unwrap();
            assert_eq!(left.as_secs_f64().round() as usize, 1_000 - done, "second {second}");
        }
        for second in 61..=180 {
            done += 2;
            let left = reporter.left(seconds(second), done, 1_000).unwrap().as_secs_f64();
            let (fast, slow) = ((1_000 - done) as f64 / 2.0, (1_000 - done) as f64);
            assert!(left >= fast - 0.01 && left <= slow + 0.01, "second {second}");
            assert!(second < 100 || left <= fast + 0.01, "second {second}: {left}");
        }
        // Nothing done for long: no end in sight.
        let mut reporter = Reporter::new(&(), 0);
        assert_eq!(reporter.left(seconds(100), 0, 10), None);
        assert_eq!(reporter.left(seconds(200), 10, 10), Some(Duration::ZERO));
    }
}
