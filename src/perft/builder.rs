//! [`Perft`]: counting with threads and memory, for programs that use the crate.

use super::PerftError;
use super::count::Counter;
use super::progress::{Progress, Reporter};
use super::run::{Divide, Task};
use crate::base::cpu;
use crate::game::{Columns, Counting, Kernel, Position};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// How often a watch is called.
const INTERVAL: Duration = Duration::from_millis(50);

/// Counts move sequences with a choice of kernel, threads and memory; totals have 128 bits.
///
/// The defaults are the fastest kernel of this CPU, one thread, and a visit to every node.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::{Perft, PerftError};
///
/// let start = Position::default();
/// let perft = Perft::new(start).threads(2).hash(16);
/// assert_eq!(perft.count(6)?, 119_060_324);
/// assert_eq!(perft.divide(3)?.moves.len(), 20);
/// assert_eq!(perft.statistics(4)?.captures, 1576);
/// # Ok::<(), PerftError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Perft<B: Counting> {
    position: Position<B>,
    counter: Counter,
    watch: Option<Arc<WatchFunction>>,
}

type WatchFunction = dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync;

impl<B: Counting> Perft<B> {
    /// Counts below `position`.
    pub fn new(position: Position<B>) -> Self {
        let kernel = B::kernels()[0];
        Perft { position, counter: Counter { threads: 1, hash_megabytes: 0, seed: 0, kernel }, watch: None }
    }

    /// Sets the number of threads; 0 means all that the system can run at once.
    pub fn threads(mut self, threads: usize) -> Self {
        self.counter.threads = cpu::threads(threads);
        self
    }

    /// Counts each distinct position once, in this much memory in megabytes; 0 visits every node.
    pub fn hash(mut self, megabytes: usize) -> Self {
        self.counter.hash_megabytes = megabytes;
        self
    }

    /// Has a run with memory visit the positions in a different order, to verify a total with a second run.
    pub fn seed(mut self, seed: u64) -> Self {
        self.counter.seed = seed;
        self
    }

    /// Uses this kernel; ignored if the CPU or the game does not have it.
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        if B::kernels().contains(&kernel) {
            self.counter.kernel = kernel;
        }
        self
    }

    /// Calls `watch` with the progress of a run about twenty times a second, from one of the threads that count. The
    /// run ends with [`PerftError::Stopped`] some milliseconds after `watch` has returned [`ControlFlow::Break`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use tabiya::chess::Position;
    /// use tabiya::perft::{Perft, PerftError};
    ///
    /// let cancel = Arc::new(AtomicBool::new(false)); // set by another thread, such as that of a button
    /// let cancelled = cancel.clone();
    /// let perft = Perft::new(Position::default()).watch(move |progress| {
    ///     println!("{} of {} units, {} nodes", progress.done, progress.all, progress.nodes);
    ///     if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// });
    /// assert_eq!(perft.count(5), Ok(4_865_609));
    /// cancel.store(true, Ordering::Relaxed);
    /// assert_eq!(perft.count(20), Err(PerftError::Stopped));
    /// ```
    #[doc(alias = "progress")]
    #[doc(alias = "cancel")]
    pub fn watch(mut self, watch: impl Fn(&Progress) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watch = Some(Arc::new(watch));
        self
    }

    fn run(&self, task: &Task) -> Result<Divide<B::Move, Columns<u128>>, PerftError> {
        let Perft { position, counter, watch } = self;
        match watch {
            None => counter.run(position, task, &|_| false),
            Some(watch) => {
                let reporter = Reporter::new(INTERVAL, &**watch);
                counter.run(position, task, &|finished| reporter.poll(finished))
            }
        }
    }

    /// The number of sequences of `depth` plies.
    ///
    /// # Errors
    /// If the memory is too small, the depth or the number of sequences is too large, or the run was stopped.
    pub fn count(&self, depth: u32) -> Result<u128, PerftError> {
        Ok(self.run(&Task::nodes(depth))?.total.nodes)
    }

    /// The number of sequences that begin with each move, and their sum.
    ///
    /// # Errors
    /// If the memory is too small, the depth or the number of sequences is too large, or the run was stopped.
    pub fn divide(&self, depth: u32) -> Result<Divide<B::Move>, PerftError> {
        Ok(self.run(&Task { divide: true, ..Task::nodes(depth) })?.nodes())
    }

    /// Captures, checks, mates and so on among the last moves of the sequences.
    ///
    /// # Errors
    /// If the memory is too small, the depth or the number of sequences is too large, or the run was stopped.
    pub fn statistics(&self, depth: u32) -> Result<Columns<u128>, PerftError> {
        Ok(self.run(&Task { statistics: true, ..Task::nodes(depth) })?.total)
    }
}

impl<B: Counting> fmt::Debug for Perft<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Perft { position, counter, watch } = self;
        f.debug_struct("Perft")
            .field("position", position)
            .field("counter", counter)
            .field("watch", &watch.is_some())
            .finish()
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
    use std::time::Instant;

    /// A unit of so deep a run takes seconds; what is counted of it is reported at once.
    #[test]
    fn nodes_are_reported_before_the_first_unit_is_finished() {
        let nodes = Arc::new(AtomicU64::new(0));
        let seen = nodes.clone();
        let perft = Perft::new(Position::default()).watch(move |progress| {
            seen.store(progress.nodes as u64, Relaxed);
            if progress.nodes > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let begin = Instant::now();
        assert_eq!(perft.count(11), Err(PerftError::Stopped));
        assert!(nodes.load(Relaxed) > 0 && begin.elapsed() < Duration::from_secs(20));
        assert_eq!(perft.count(200), Err(PerftError::Depth));
    }

    /// Runs that would take an hour, plainly and with memory: both report finished units, and end on request.
    #[test]
    fn runs_report_their_progress_and_can_be_stopped() {
        for megabytes in [0, 16] {
            let (finished, begin) = (Arc::new(AtomicUsize::new(0)), Instant::now());
            let seen = finished.clone();
            let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
            let position: Position = fen.parse().unwrap();
            let perft = Perft::new(position).hash(megabytes).watch(move |progress| {
                assert!(progress.done <= progress.all || progress.all == 0);
                assert!(progress.done == 0 || progress.nodes > 0);
                seen.store(progress.done, Relaxed);
                let enough = progress.done > 0 || begin.elapsed() > Duration::from_secs(100);
                if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(perft.count(8), Err(PerftError::Stopped), "{megabytes} MB");
            assert!(finished.load(Relaxed) > 0, "{megabytes} MB: no unit was reported");
        }
    }
}
