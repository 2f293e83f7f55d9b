//! What a run has counted so far ([`Sums`]), and the reports on its progress ([`Watch`]).

use super::frontier::Journal;
use super::quantity::Quantity;
use crate::base::lock::lock;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// How often the thread that reports looks whether the run is over.
const TICK: Duration = Duration::from_millis(50);

/// The progress of a run. It is counted in *units*, which take about the same time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Finished units, including those of earlier runs.
    pub done: usize,
    /// All units, by an estimate; 0 while a run with memory lists the positions that it is going to count from.
    pub all: usize,
    /// Sequences counted by this run.
    pub nodes: u128,
    /// Elapsed time of this run.
    pub time: Duration,
    /// Estimated time left, at the recent speed.
    pub left: Option<Duration>,
}

/// Receives the progress of a run, and may stop it. `()` does neither.
pub trait Watch: Sync {
    /// How often to call [`Watch::progress`]; `None`: never.
    fn interval(&self) -> Option<Duration> {
        None
    }
    /// Whether the run is to stop with `done` of `all` units finished; asked every few milliseconds.
    fn is_stopped(&self, done: usize, all: usize) -> bool {
        let _ = (done, all);
        false
    }
    /// A progress report.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
    /// A run that is saved starts with `done` of about `all` units that were saved before.
    fn resumed(&self, done: usize, all: usize) {
        let _ = (done, all);
    }
    /// A warning; the run continues.
    fn warn(&self, message: &str) {
        let _ = message;
    }
}

impl Watch for () {}

/// The counts of a run so far.
struct State<Q> {
    /// By root move, or one.
    sums: Vec<Q>,
    /// The number of units that are counted, and of all.
    done: usize,
    all: usize,
    /// Nodes counted by this run.
    nodes: u128,
}

/// The sums of a run, whose progress is reported.
pub struct Sums<'a, Q> {
    state: Mutex<State<Q>>,
    watch: &'a dyn Watch,
}

impl<'a, Q: Quantity> Sums<'a, Q> {
    /// Begins with the sums of `done` units.
    pub fn new(sums: Vec<Q>, done: usize, watch: &'a dyn Watch) -> Self {
        Sums { state: Mutex::new(State { sums, done, all: 0, nodes: 0 }), watch }
    }

    /// Runs `count`, and reports meanwhile.
    pub fn reporting<T>(&self, count: impl FnOnce() -> T) -> T {
        let Some(interval) = self.watch.interval() else { return count() };
        thread::scope(|scope| {
            // Dropped at the end, even on a panic.
            let (_running, end) = mpsc::channel::<()>();
            let report = move || {
                let mut reporter = Reporter::new(self.watch, interval, lock(&self.state).done);
                while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let (done, all, nodes) = {
                        let state = lock(&self.state);
                        (state.done, state.all, state.nodes)
                    };
                    reporter.report(done, all, nodes);
                }
            };
            if let Err(error) = Builder::new().spawn_scoped(scope, report) {
                self.watch.warn(&format!("no progress is shown: {error}"));
            }
            count()
        })
    }
}

impl<Q: Quantity> Journal<Q> for Sums<'_, Q> {
    fn expect(&self, units: usize) {
        lock(&self.state).all = units;
    }
    fn knows(&self, _unit: usize) -> bool {
        false
    }
    fn enter(&self, _unit: usize, counts: Vec<Q>) {
        let mut state = lock(&self.state);
        state.done += 1;
        for (place, count) in counts.into_iter().enumerate() {
            state.sums[place].add(count);
            state.nodes.add(count.nodes());
        }
    }
    fn sums(&self) -> Vec<Q> {
        lock(&self.state).sums.clone()
    }
    fn is_stopped(&self) -> bool {
        let State { done, all, .. } = *lock(&self.state);
        self.watch.is_stopped(done, all)
    }
}

/// Reports progress to a [`Watch`] at intervals.
///
/// The time left is estimated from recent speed only: the start of a run, with empty tables, says little about its
/// end, and units of earlier runs say nothing about the speed of this one.
struct Reporter<'a> {
    watch: &'a dyn Watch,
    interval: Duration,
    begin: Instant,
    /// Time of the last report.
    last_report: Duration,
    /// Times and the units finished by then, starting with the start of the run.
    samples: VecDeque<(Duration, usize)>,
}

impl<'a> Reporter<'a> {
    /// Starts a run with `done` units finished.
    fn new(watch: &'a dyn Watch, interval: Duration, done: usize) -> Self {
        let samples = VecDeque::from([(Duration::ZERO, done)]);
        Reporter { watch, interval, begin: Instant::now(), last_report: Duration::ZERO, samples }
    }

    /// Reports if the interval has passed since the last report.
    fn report(&mut self, done: usize, all: usize, nodes: u128) {
        let time = self.begin.elapsed();
        if time >= self.last_report + self.interval {
            self.last_report = time;
            let left = self.left(time, done, all);
            self.watch.progress(&Progress { done, all, nodes, time, left });
        }
    }

    /// The estimated time left after `time` with `done` of `all` units finished; `None` while there is no basis for
    /// an estimate.
    fn left(&mut self, time: Duration, done: usize, all: usize) -> Option<Duration> {
        self.samples.push_back((time, done));
        // The last third of the run so far, but at least ten seconds.
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
    fn time_left_follows_recent_speed() {
        let seconds = Duration::from_secs;
        // An earlier run finished 500 of 1,000; this one does 1 a second, then 2 a second.
        let mut reporter = Reporter::new(&(), TICK, 500);
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
        // No recent progress: no estimate.
        let mut reporter = Reporter::new(&(), TICK, 0);
        assert_eq!(reporter.left(seconds(100), 0, 10), None);
        assert_eq!(reporter.left(seconds(200), 10, 10), Some(Duration::ZERO));
    }
}
