//! Signals from other threads to a search: stop and ponder hit.
//!
//! Each search has [`Signals`] of its own, which exist before it begins: a stop cannot come too early, and it cannot
//! reach another search. The search polls them; `main_thread` waits here while a result must not be reported yet.

use crate::base::lock::lock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Instant;

const STOP: u32 = 1;
const PONDER: u32 = 2;
const SEARCHING: u32 = 4;

/// The signals of one search.
#[derive(Debug, Default)]
pub(super) struct Signals {
    state: AtomicU32,
    hit: OnceLock<Instant>,
    /// Guards changes that the waiting thread must not miss.
    changing: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// The search begins.
    pub(super) fn begin(&self, ponder: bool) {
        self.state.fetch_or(if ponder { SEARCHING | PONDER } else { SEARCHING }, SeqCst);
    }

    /// The search ends; called just before the report of the best move.
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

    /// Time of the ponder hit, if there was one.
    pub(super) fn hit_time(&self) -> Option<Instant> {
        self.hit.get().copied()
    }

    /// Waits until a finished search may report: for `stop` if it is `infinite`, for `stop` or the ponder hit if it
    /// is pondering.
    pub(super) fn wait_until_reportable(&self, infinite: bool) {
        let mut guard = lock(&self.changing);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
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
pub struct StopHandle(pub(super) Arc<Signals>);

impl StopHandle {
    /// Stops the search, which then returns the best move so far. Does nothing if the search is over.
    pub fn stop(&self) {
        self.change(|signals| _ = signals.state.fetch_or(STOP, SeqCst));
    }

    /// The opponent has played the expected move: pondering becomes a normal search, whose clock starts now. Does
    /// nothing if the search is not pondering.
    #[doc(hidden)]
    pub fn ponder_hit(&self) {
        self.change(|signals| {
            if signals.is_pondering() {
                signals.hit.get_or_init(Instant::now);
                signals.state.fetch_and(!PONDER, SeqCst);
            }
        });
    }

    fn change(&self, change: impl Fn(&Signals)) {
        let _changing = lock(&self.0.changing);
        change(&self.0);
        self.0.changed.notify_all();
    }
}
