//! The inputs of one search: [`Job`], which `Engine::go` passes to the search thread, and [`Shared`], which the
//! search threads share.
//!
//! Nothing here searches or waits.

use super::event::Progress;
use super::limits::Limits;
use super::pv::Pv;
use super::score::Value;
use super::settings::Settings;
use super::signals::Signals;
use super::strength::Handicap;
use super::time::Budget;
use super::tt::Table;
use super::vote::Vote;
use crate::game::{GameMove, Position, RankedMove, SearchParams, Searchable, TableResult};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Most nodes of a node limit that a thread takes at once.
const LARGEST_SHARE: u64 = 4096;

/// The inputs of one search.
pub(super) struct Job<B: Searchable> {
    pub root: Position<B>,
    /// The game history up to `root`.
    pub trail: Vec<B::Step>,
    /// The root moves to be searched, in generation order.
    pub moves: Vec<B::Move>,
    pub limits: Limits,
    pub settings: Settings,
    /// Scores fixed from outside, sorted by key.
    pub known_values: Arc<Vec<(u64, Value)>>,
    pub started: Instant,
    pub tt: Arc<Table>,
    pub tablebase: Arc<B::Tables>,
    pub signals: Arc<Signals>,
}

/// Tablebase results for the root.
pub(super) struct RootRanks<M> {
    /// Ranks of the root moves; empty if unknown.
    pub ranked: Vec<RankedMove<M>>,
    /// Positions with at most this many pieces are probed inside the tree; 0 turns probing off.
    pub max_pieces: u32,
}

impl<M: GameMove> RootRanks<M> {
    /// The number of root moves with a result.
    pub(super) fn hits(&self) -> u64 {
        self.ranked.iter().filter(|ranked| ranked.result.is_some()).count() as u64
    }

    /// The rank and the result of a root move. Without tablebase results all moves have the same rank.
    pub(super) fn of(&self, m: M) -> (i32, Option<TableResult>) {
        let known = self.ranked.iter().find(|ranked| ranked.m == m);
        known.map_or((0, None), |ranked| (ranked.rank, ranked.result))
    }
}

/// What one thread of a search tells the others. Its cache lines are its own: two, as processors fetch pairs.
#[repr(align(128))]
pub(super) struct ThreadReport<M> {
    /// Its node count, updated at intervals.
    pub nodes: AtomicU64,
    /// Its vote, when it is done; of helpers only.
    pub vote: Mutex<Option<Vote<M>>>,
}

/// Data shared by all threads of one search.
pub(super) struct Shared<B: Searchable> {
    pub job: Job<B>,
    /// Whether all legal moves are searched.
    pub whole_root: bool,
    /// Set when helper threads must stop.
    pub abort: AtomicBool,
    /// By thread.
    pub told: Vec<ThreadReport<B::Move>>,
    /// What is left of `node_limit` for threads to take.
    pub nodes_left: AtomicU64,
    /// The line that each thread is searching; empty unless they are reported.
    pub current_lines: Vec<Mutex<Pv<B::Move>>>,
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

impl<B: Searchable> Job<B> {
    /// The value of the position with this `key`, if it was fixed from outside.
    #[inline(never)]
    pub(super) fn known_value(&self, key: u64) -> Option<Value> {
        let known = &self.known_values;
        known.binary_search_by_key(&key, |&(k, _)| k).ok().map(|at| known[at].1)
    }
}

impl<B: Searchable> Shared<B> {
    /// What the threads have done so far.
    pub(super) fn progress(&self) -> Progress {
        let Job { tt, started, .. } = &self.job;
        Progress { nodes: self.total_nodes(), hash_full: tt.permille(), time: started.elapsed() }
    }

    /// Nodes of all threads. Only the first thread adds them up.
    pub(super) fn total_nodes(&self) -> u64 {
        self.told.iter().map(|told| told.nodes.load(Relaxed)).sum()
    }

    /// Whether all nodes of the limit are taken.
    pub(super) fn is_node_limit_reached(&self) -> bool {
        self.nodes_left.load(Relaxed) == 0
    }

    /// Takes nodes from the limit: so many may a thread search before it must ask again. 0 if none are left. The shares
    /// get smaller towards the end, so that the threads end together. The `first` share is a large one: a few nodes are
    /// of more use to one thread.
    pub(super) fn take_nodes(&self, first: bool) -> u64 {
        if self.node_limit == u64::MAX {
            return u64::MAX;
        }
        let parts = if first { 1 } else { 4 * self.told.len() as u64 };
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
