//! What other threads may tell a running search: stop, and the expected move was played.
//!
//! `Engine` begins a search here and hands [`StopHandle`]s out, the search looks now and then, `worker` waits
//! here when a result must not be reported yet. Each search begins with a clean state, so that nothing meant
//! for one search reaches the next. Nothing here waits for a search.

use crate::base::lock::lock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

const STOP: u32 = 1;
const PONDER: u32 = 2;
const SEARCHING: u32 = 4;

/// What other threads may tell a running search.
pub(super) struct Signals {
    state: AtomicU32,
    /// Nanoseconds from `origin` to the ponder hit.
    hit: AtomicU64,
    origin: Instant,
    /// For the search that has finished but must not report yet.
    gate: Mutex<()>,
    opened: Condvar,
}

impl Signals {
    pub(super) fn new() -> Self {
        Signals {
            state: AtomicU32::new(0),
            hit: AtomicU64::new(0),
            origin: Instant::now(),
            gate: Mutex::new(()),
            opened: Condvar::new(),
        }
    }

    /// Begins a search with a clean state.
    pub(super) fn begin(&self, ponder: bool) {
        self.hit.store(0, SeqCst);
        self.state.store(SEARCHING | if ponder { PONDER } else { 0 }, SeqCst);
    }

    /// The search is about to report.
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

    /// When the opponent played the expected move.
    pub(super) fn hit_time(&self) -> Instant {
        self.origin + Duration::from_nanos(self.hit.load(SeqCst))
    }

    fn change(&self, change: impl Fn()) {
        let guard = lock(&self.gate);
        change();
        drop(guard);
        self.opened.notify_all();
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

    /// Waits until the result of a finished search may be reported.
    pub(super) fn wait_for_leave(&self, infinite: bool) {
        let mut guard = lock(&self.gate);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.opened.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Stops a search from any thread; see `Engine::stop_handle`.
#[derive(Clone)]
pub struct StopHandle(pub(super) Arc<Signals>);

impl StopHandle {
    /// Ends the running search, which reports its best move soon. Without a running search nothing happens,
    /// and a search that is started later is not affected.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The opponent has played the expected move: pondering becomes a normal search, and the own clock runs from
    /// now. Without a pondering search nothing happens.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}
