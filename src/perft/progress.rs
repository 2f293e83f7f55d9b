//! [`Progress`] of a run, and [`Reporter`], which reports it now and then.

use super::run::Finished;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

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

/// Passes the progress of a run to a function at intervals, on one of the threads that count; the function returns
/// whether the run goes on.
pub struct Reporter<F> {
    report: F,
    interval: Duration,
    begin: Instant,
    /// The time of the next report, and the speed so far.
    next: Mutex<(Duration, Speed)>,
}

impl<F: Fn(&Progress) -> ControlFlow<()>> Reporter<F> {
    pub fn new(interval: Duration, report: F) -> Self {
        let next = Mutex::new((interval, Speed::default()));
        Reporter { report, interval, begin: Instant::now(), next }
    }

    /// Reports if the interval has passed since the last report, and returns whether the run is to stop.
    pub fn poll(&self, finished: Finished) -> bool {
        let time = self.begin.elapsed();
        // While one thread reports, the others count.
        let Ok(mut next) = self.next.try_lock() else { return false };
        if time < next.0 {
            return false;
        }
        let Finished { units: done, of: all, nodes } = finished;
        let left = next.1.left(time, done, all);
        next.0 = time + self.interval;
        (self.report)(&Progress { done, all, nodes, time, left }).is_break()
    }
}

/// The recent speed of a run: times with the units finished by then.
///
/// The time left is estimated from it alone: the start of a run, with empty tables, says little about its end, and
/// units of earlier runs say nothing about the speed of this one.
#[derive(Default)]
struct Speed {
    samples: VecDeque<(Duration, usize)>,
}

impl Speed {
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
        let mut run = Speed::default();
        assert_eq!(run.left(Duration::ZERO, 500, 1_000), None);
        let mut done = 500;
        for second in 1..=60 {
            done += 1;
            let left = run.left(seconds(second), done, 1_000).unwrap();
            assert_eq!(left.as_secs_f64().round() as usize, 1_000 - done, "second {second}");
        }
        for second in 61..=180 {
            done += 2;
            let left = run.left(seconds(second), done, 1_000).unwrap().as_secs_f64();
            let (fast, slow) = ((1_000 - done) as f64 / 2.0, (1_000 - done) as f64);
            assert!(left >= fast - 0.01 && left <= slow + 0.01, "second {second}");
            assert!(second < 100 || left <= fast + 0.01, "second {second}: {left}");
        }
        // No recent progress: no estimate.
        let mut run = Speed::default();
        assert_eq!(run.left(seconds(100), 0, 10), None);
        assert_eq!(run.left(seconds(200), 10, 10), Some(Duration::ZERO));
    }

    #[test]
    fn reports_keep_their_interval_and_may_stop_the_run() {
        let reports = Mutex::new(Vec::new());
        let reporter = Reporter::new(Duration::ZERO, |progress: &Progress| {
            let mut reports = reports.lock().unwrap();
            reports.push((progress.done, progress.all, progress.nodes));
            if reports.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let poll = |units| reporter.poll(Finished { units, of: 4, nodes: 7 });
        assert_eq!([poll(0), poll(1)], [false, true]);
        assert_eq!(*reports.lock().unwrap(), [(0, 4, 7), (1, 4, 7)]);
        let never = Reporter::new(Duration::from_secs(1 << 30), |_: &Progress| panic!("too early"));
        assert!(!never.poll(Finished::default()));
    }
}
