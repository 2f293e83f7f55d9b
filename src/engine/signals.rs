//! Signals from other threads to a running search: stop and ponder hit.
//!
//! `Engine` starts a search here and gives out [`StopHandle`]s; the search polls the signals; `worker` waits here
//! while a result must not be reported yet. Each search starts with a clean state, so a signal for one search never
//! affects the next; a stop for the next search waits for it. Nothing here waits for a search.

use crate::base::lock::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

const STOP: u32 = 1;
const PONDER: u32 = 2;
const SEARCHING: u32 = 4;

/// The searches of an engine are numbered from 1.
#[derive(Debug, Default)]
struct Numbers {
    /// The last search that has begun.
    begun: u64,
    /// The last search that was stopped before it began.
    stopped_early: u64,
}

/// The signals of the current search.
#[derive(Debug)]
pub(super) struct Signals {
    state: AtomicU32,
    /// Time of the ponder hit, in nanoseconds after `origin`.
    hit: AtomicU64,
    origin: Instant,
    /// Also guards the wait of a finished search that must not report yet.
    numbers: Mutex<Numbers>,
    wake: Condvar,
}

impl Signals {
    pub(super) fn new() -> Self {
        Signals {
            state: AtomicU32::new(0),
            hit: AtomicU64::new(0),
            origin: Instant::now(),
            numbers: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// Starts a search with a clean state, but for a stop that was meant for it.
    pub(super) fn begin(&self, ponder: bool) {
        let mut numbers = lock(&self.numbers);
        numbers.begun += 1;
        let stopped = if numbers.stopped_early == numbers.begun { STOP } else { 0 };
        self.hit.store(0, SeqCst);
        self.state.store(SEARCHING | stopped | if ponder { PONDER } else { 0 }, SeqCst);
    }

    /// The number of the next search.
    pub(super) fn next_number(&self) -> u64 {
        lock(&self.numbers).begun + 1
    }

    /// Ends the search; called just before the report of the best move.
    pub(super) fn end(&self) {
        self.state.fetch_and(!SEARCHING, SeqCst);
    }

    pub(super) fn is_searching(&self) -> bool {
        self.state.load(SeqCst) & SEARCHING != 0
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.state.load(Relaxed) & STOP != 0
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.state.load(SeqCst) & PONDER != 0
    }

    /// Time of the ponder hit.
    pub(super) fn hit_time(&self) -> Instant {
        self.origin + Duration::from_nanos(self.hit.load(SeqCst))
    }

    /// Waits until a finished search may report: for `stop` if it is `infinite`, for `stop` or the ponder hit if it
    /// is pondering.
    pub(super) fn wait_until_reportable(&self, infinite: bool) {
        let mut guard = lock(&self.numbers);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops a search, from any thread: the one that begins next after [`Engine::stop_handle`]. A stop is never lost, even
/// if it comes before the search begins, and never affects a later search.
///
/// ```
/// use std::time::Duration;
/// use tabiya::chess::Position;
/// use tabiya::search::{Engine, Limits};
///
/// let mut engine = Engine::new();
/// let stop = engine.stop_handle();
/// std::thread::spawn(move || {
///     std::thread::sleep(Duration::from_millis(20));
///     stop.stop();
/// });
/// let found = engine.search(&Position::default(), Limits::infinite());
/// assert!(found.best.is_some());
/// ```
///
/// [`Engine::stop_handle`]: crate::search::Engine::stop_handle
#[derive(Clone, Debug)]
pub struct StopHandle {
    pub(super) signals: Arc<Signals>,
    /// The number of the search; `None` for the one that is running, whichever it is.
    pub(super) search: Option<u64>,
}

impl StopHandle {
    /// Stops the search, which then returns the best move so far. Does nothing if the search is over.
    pub fn stop(&self) {
        self.change(|signals, numbers| match self.search {
            Some(search) if search > numbers.begun => numbers.stopped_early = search,
            Some(search) if search < numbers.begun => {}
            _ => _ = signals.state.fetch_or(STOP, SeqCst),
        });
    }

    /// The opponent has played the expected move: pondering becomes a normal search, whose clock starts now. Does
    /// nothing if no search is pondering.
    #[doc(hidden)]
    pub fn ponder_hit(&self) {
        self.change(|signals, _| {
            if signals.is_pondering() {
                signals.hit.store(signals.origin.elapsed().as_nanos() as u64, SeqCst);
                signals.state.fetch_and(!PONDER, SeqCst);
            }
        });
    }

    fn change(&self, change: impl Fn(&Signals, &mut Numbers)) {
        change(&self.signals, &mut lock(&self.signals.numbers));
        self.signals.wake.notify_all();
    }
}
