//! What a search is given and what its threads share: the inputs ([`Job`]), the signals that reach it from other
//! threads ([`Signals`]: stop and ponder hit), and [`Shared`].
//!
//! Nothing here searches.

use super::limits::{Limits, Settings};
use super::node::RootRanks;
use super::strength::Handicap;
use super::time::Budget;
use super::tt::Table;
use crate::base::lock::lock;
use crate::game::{Position, SearchParams, Searchable};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Most nodes of a node limit that a thread takes at once.
const LARGEST_SHARE: u64 = 4096;

/// The inputs of one search.
pub(super) struct Job<B: Searchable> {
    pub root: Position<B>,
    /// The game history up to `root`.
    pub trail: Vec<B::Past>,
    /// The root moves to be searched, in generation order.
    pub moves: Vec<B::Move>,
    pub limits: Limits,
    pub settings: Settings,
    pub params: SearchParams,
    pub started: Instant,
    pub tt: Arc<Table>,
    pub tablebase: Arc<B::Tables>,
    pub signals: Arc<Signals>,
}

/// The number of nodes that a thread has searched, updated at intervals. Its cache lines are its own: two, as
/// processors fetch pairs.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCount(pub AtomicU64);

/// Data shared by all threads of one search.
pub(super) struct Shared<B: Searchable> {
    pub job: Job<B>,
    /// Whether all legal moves are searched.
    pub whole_root: bool,
    /// Set when helper threads must stop.
    pub abort: AtomicBool,
    /// By thread.
    pub nodes: Vec<NodeCount>,
    /// What is left of `node_limit` for threads to take.
    pub nodes_left: AtomicU64,
    /// Tablebase hits.
    pub tablebase_hits: AtomicU64,
    pub budget: Budget,
    pub node_limit: u64,
    pub depth_limit: u32,
    pub handicap: Option<Handicap>,
    /// Tablebase results for the root.
    pub root_ranks: RootRanks<B::Move>,
    /// Base late move reductions by depth and move count, in 1/1024 plies.
    pub reductions: Reductions,
}

/// Reductions by depth and move count, each below 64.
pub(super) type Reductions = [[i32; 64]; 64];

/// Computes the reduction table from the parameters.
pub(super) fn reductions(params: &SearchParams) -> Reductions {
    let slope = f64::from(params.reduction_slope.max(1));
    let logarithms: [f64; 64] = std::array::from_fn(|i| (i as f64).ln());
    let mut table = [[0; 64]; 64];
    for depth in 1..64 {
        for count in 1..64 {
            let product = logarithms[depth] * logarithms[count];
            table[depth][count] = params.reduction_base + (product * 102_400.0 / slope) as i32;
        }
    }
    table
}

impl<B: Searchable> Shared<B> {
    /// Nodes of all threads. Only the first thread adds them up.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum()
    }

    /// Whether all nodes of the limit are taken.
    pub(super) fn is_node_limit_reached(&self) -> bool {
        self.nodes_left.load(Relaxed) == 0
    }

    /// Takes nodes from the limit: the number that a thread may search before it asks again, 0 if none are left. The
    /// shares get smaller towards the end, so that the threads end together. The `first` share is a large one: a few
    /// nodes are of more use to one thread.
    pub(super) fn take_nodes(&self, first: bool) -> u64 {
        if self.node_limit == u64::MAX {
            return u64::MAX;
        }
        let parts = if first { 1 } else { 4 * self.nodes.len() as u64 };
        let share = |left: u64| left.div_ceil(parts).min(LARGEST_SHARE);
        let taken = self.nodes_left.fetch_update(Relaxed, Relaxed, |left| Some(left - share(left)));
        taken.map_or(0, share)
    }

    /// Whether half of the time for this move (soft limit, or else hard limit) has passed.
    pub(super) fn is_half_time_over(&self) -> bool {
        let time = self.budget.soft.or(self.budget.hard).zip(self.pondered());
        time.is_some_and(|(whole, pondered)| self.job.started.elapsed().saturating_sub(pondered) >= whole / 2)
    }

    /// How long the search pondered before the ponder hit, zero if it is a normal search; `None` while it is
    /// pondering.
    pub(super) fn pondered(&self) -> Option<Duration> {
        let Job { signals, limits, started, .. } = &self.job;
        if signals.is_pondering() {
            None
        } else if limits.ponder {
            signals.hit_time().map(|hit| hit.saturating_duration_since(*started))
        } else {
            Some(Duration::ZERO)
        }
    }
}

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
