//! Signals from other threads to a running search: stop and ponder hit.
//!
//! `Engine` starts a search here and gives out [`StopHandle`]s; the search polls the signals; `worker` waits here
//! while a result must not be reported yet. Each search starts with a clean state, so a signal for one search never
//! affects the next. Nothing here waits for a search.

use crate::base::lock::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

const STOP: u32 = 1;
const PONDER: u32 = 2;
const SEARCHING: u32 = 4;

/// The signals of the current search.
pub(super) struct Signals {
    state: AtomicU32,
    /// Time of the ponder hit, in nanoseconds after `origin`.
    hit: AtomicU64,
    origin: Instant,
    /// Guards the wait of a finished search that must not report yet.
    wait_lock: Mutex<()>,
    wake: Condvar,
}

impl Signals {
    pub(super) fn new() -> Self {
        Signals {
            state: AtomicU32::new(0),
            hit: AtomicU64::new(0),
            origin: Instant::now(),
            wait_lock: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Starts a search with a clean state.
    pub(super) fn begin(&self, ponder: bool) {
        self.hit.store(0, SeqCst);
        self.state.store(SEARCHING | if ponder { PONDER } else { 0 }, SeqCst);
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

    fn change(&self, change: impl Fn()) {
        let guard = lock(&self.wait_lock);
        change();
        drop(guard);
        self.wake.notify_all();
    }

    fn stop(&self) {
        self.change(|| _ = self.state.fetch_or(STOP, SeqCst));
    }

    fn ponder_hit(&self) {
        self.change(|| {
            if self.is_pondering() {
                self.hit.store(self.origin.elapsed().as_nanos() as u64, SeqCst);
                self.state.fetch_and(!PONDER, SeqCst);
            }
        });
    }

    /// Waits until a finished search may report: for `stop` if it is `infinite`, for `stop` or the ponder hit if it
    /// is pondering.
    pub(super) fn wait_until_reportable(&self, infinite: bool) {
        let mut guard = lock(&self.wait_lock);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops a search, or signals the ponder hit, from any thread. See `Engine::stop_handle`.
#[derive(Clone)]
pub struct StopHandle(pub(super) Arc<Signals>);

impl StopHandle {
    /// Stops the running search, which then reports its best move soon. Does nothing if no search is running; later
    /// searches are not affected.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The opponent has played the expected move: pondering becomes a normal search, whose clock starts now. Does
    /// nothing if no search is pondering.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}
