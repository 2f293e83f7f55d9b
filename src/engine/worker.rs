//! The search thread: signals from outside, limits, node counting, helper threads, and the final report.
//!
//! Called by `Engine::go`; calls `deepening`. Each search has its own [`Signals`] state, so that nothing
//! meant for one search reaches the next.

use super::limits::Limits;
use super::params::Params;
use super::report::Report;
use super::score::Score;
use super::searcher::Searcher;
use super::strength::Handicap;
use super::time::Budget;
use super::tt::Table;
use crate::game::{MoveBuffer, Playable};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stack of a search thread: `MAX_PLY` frames of search and as many of quiescence need about a tenth.
const STACK_BYTES: usize = 32 << 20;

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

    fn hit_time(&self) -> Instant {
        self.origin + Duration::from_nanos(self.hit.load(SeqCst))
    }

    fn change(&self, change: impl Fn()) {
        let guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn wait_for_leave(&self, infinite: bool) {
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// The opponent has played the expected move: pondering becomes a normal search whose time counts from
    /// now. Without a pondering search nothing happens.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

/// What the engine's options ask of a search.
#[derive(Clone)]
pub(super) struct Settings {
    pub threads: usize,
    pub multi_pv: usize,
    pub show_current_line: bool,
    pub show_refutations: bool,
    pub ponder: bool,
    pub strength: Option<u32>,
    /// Largest error of the evaluation, in centipawns.
    pub randomness: Score,
    /// What a draw is worth to the opponent of the side to move at the root, in centipawns.
    pub contempt: Score,
    /// Share of the time that is slept, in percent.
    pub rest: u32,
    pub params: Params,
    /// Scores fixed from outside, by key.
    pub known_values: Arc<Vec<(u64, Score)>>,
}

/// One search, as handed to its thread.
pub(super) struct Job<P: Playable> {
    pub root: P,
    /// Steps of the game up to `root`.
    pub trail: Vec<P::Step>,
    pub limits: Limits<P::Move>,
    pub settings: Settings,
    pub started: Instant,
    pub table: Arc<Table>,
    pub signals: Arc<Signals>,
    pub report: Arc<dyn Report<P>>,
}

/// What all threads of one search share.
pub(super) struct Shared<'a, P: Playable> {
    pub job: &'a Job<P>,
    /// The table, one step nearer.
    pub table: &'a Table,
    /// The helpers must go home.
    pub abort: AtomicBool,
    /// Nodes of each thread, written now and then.
    pub nodes: Vec<AtomicU64>,
    pub budget: Budget,
    pub node_limit: u64,
    pub depth_limit: u32,
}

impl<P: Playable> Shared<'_, P> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// The time this move has cost by now; `None` while pondering.
    pub(super) fn thinking_time(&self) -> Option<Duration> {
        let signals = &self.job.signals;
        if signals.is_pondering() {
            None
        } else if self.job.limits.ponder {
            Some(Instant::now().saturating_duration_since(signals.hit_time()))
        } else {
            Some(self.job.started.elapsed())
        }
    }
}

/// Legal root moves as far as the limits allow them, in generation order.
fn root_moves<P: Playable>(root: &P, limits: &Limits<P::Move>) -> Vec<P::Move> {
    let mut list = P::List::default();
    root.legal_moves(&mut list);
    let all = list.as_slice();
    let allowed: Vec<_> = all.iter().copied().filter(|m| !limits.banned.contains(m)).collect();
    match &limits.root_moves {
        Some(wanted) if allowed.iter().any(|m| wanted.contains(m)) => {
            allowed.into_iter().filter(|m| wanted.contains(m)).collect()
        }
        _ => allowed,
    }
}

/// Runs a search to its report; gives the searchers back for the next one.
pub(super) fn run<P: Playable>(job: &Job<P>, searchers: &mut Vec<Box<Searcher<P>>>) {
    let limits = &job.limits;
    let moves = root_moves(&job.root, limits);
    let handicap = Handicap::of(job.settings.strength, job.settings.randomness);
    let weakened = job.settings.strength.is_some();
    let threads = if weakened { 1 } else { job.settings.threads.max(1) };
    searchers.resize_with(threads, Searcher::new);
    let timed = limits.movetime.map(|time| Budget::exact(time, limits.overhead)).or_else(|| {
        limits.clock.as_ref().map(|clock| {
            let budget = Budget::share(clock, limits.overhead);
            if job.settings.ponder { budget.relaxed() } else { budget }
        })
    });
    let node_cap = handicap.map_or(u64::MAX, |handicap| handicap.nodes);
    let shared = Shared {
        job,
        table: &job.table,
        abort: AtomicBool::new(false),
        nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        budget: if limits.infinite { Budget::default() } else { timed.unwrap_or_default() },
        node_limit: limits.nodes.unwrap_or(u64::MAX).min(node_cap),
        depth_limit: limits.depth.unwrap_or(u32::MAX).max(1),
    };
    job.table.next_age();
    let outcome = if moves.is_empty() {
        super::deepening::report_no_move(&shared);
        None
    } else {
        let Some((first, helpers)) = searchers.split_first_mut() else { return };
        std::thread::scope(|scope| {
            for (i, searcher) in helpers.iter_mut().enumerate() {
                let (shared, moves) = (&shared, &moves);
                // A helper that cannot be started is missed by nobody.
                let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(
                    scope,
                    move || {
                        searcher.prepare(shared, moves, i + 1);
                        searcher.handicap = handicap;
                        searcher.deepen(shared);
                    },
                );
            }
            first.prepare(&shared, &moves, 0);
            first.handicap = handicap;
            let outcome = first.deepen(&shared);
            shared.abort.store(true, SeqCst);
            outcome
        })
    };
    let solved = limits.until_mate
        && outcome.as_ref().is_none_or(|outcome| super::score::is_mate(outcome.score));
    job.signals.wait_for_leave(limits.infinite && !solved);
    let (best, ponder, score) = match outcome {
        Some(outcome) => (Some(outcome.best), outcome.ponder, outcome.score),
        None => (None, None, 0),
    };
    job.signals.end();
    job.report.best(best, ponder, score);
}

/// Starts the thread of a search.
pub(super) fn spawn<P: Playable>(
    job: Job<P>,
    mut searchers: Vec<Box<Searcher<P>>>,
) -> std::io::Result<std::thread::JoinHandle<Vec<Box<Searcher<P>>>>> {
    std::thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
        run(&job, &mut searchers);
        searchers
    })
}
