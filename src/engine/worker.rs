//! The search thread: time budget, helper threads and the final report.
//!
//! Called by `Engine::go` and `Engine::search`; calls `deepening`. The inputs are in `job`, signals from other
//! threads in `signals`.

use super::deepening::Outcome;
use super::endgame::rank_root_moves;
use super::job::{Job, Shared, reductions};
use super::limits::Limits;
use super::line::Line;
use super::reporting::report_no_move;
use super::score;
use super::searcher::{Memory, Searcher};
use super::strength::Handicap;
use super::time::Budget;
use crate::game::{EndgameTables, Searchable};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// Stack size of a search thread, in bytes. `MAX_PLY` frames of search and as many of quiescence search need about a
/// tenth of it.
pub const STACK_BYTES: usize = 32 << 20;

/// The legal root moves that the limits allow, in generation order.
fn root_moves<P: Searchable>(root: &P, limits: &Limits<P::Move>) -> Vec<P::Move> {
    let list = root.legal_moves();
    let all = list.as_slice();
    let allowed: Vec<_> = all.iter().copied().filter(|m| !limits.banned.contains(m)).collect();
    match &limits.root_moves {
        Some(wanted) if allowed.iter().any(|m| wanted.contains(m)) => {
            allowed.into_iter().filter(|m| wanted.contains(m)).collect()
        }
        _ => allowed,
    }
}

/// A current line for each thread, if these are reported. Each starts with the first root move.
fn current_lines<P: Searchable>(
    job: &Job<P>,
    moves: &[P::Move],
    threads: usize,
) -> Vec<Mutex<Line<P::Move>>> {
    let count = if job.settings.show_current_line { threads } else { 0 };
    let mut line = Line::new();
    moves.first().iter().for_each(|&&m| line.push(m));
    std::iter::repeat_n(line, count).map(Mutex::new).collect()
}

/// The time budget of a search.
fn budget<P: Searchable>(job: &Job<P>) -> Budget {
    let Limits { movetime, clock, infinite, overhead, .. } = &job.limits;
    match (movetime, clock) {
        _ if *infinite => Budget::default(),
        (Some(time), clock) => Budget::exact(*time, clock.as_ref(), *overhead),
        (None, Some(clock)) => {
            let budget = Budget::share(clock, (job.trail.len() / 2) as u32, *overhead);
            if job.settings.ponder { budget.relaxed() } else { budget }
        }
        (None, None) => Budget::default(),
    }
}

/// Runs a search up to and including the report of the best move. `memories`, one per thread, are kept for the next
/// search.
pub(super) fn run<P: Searchable>(job: &Job<P>, memories: &mut Vec<Box<Memory<P>>>) {
    let limits = &job.limits;
    let moves = root_moves(&job.root, limits);
    let handicap = Handicap::of(job.settings.strength, job.settings.randomness);
    let weakened = job.settings.strength.is_some();
    let threads = if weakened { 1 } else { job.settings.threads.max(1) };
    memories.resize_with(threads, || Box::new(Memory::new()));
    let handicap_nodes = handicap.map_or(u64::MAX, |handicap| handicap.nodes);
    let node_cap = limits.mate_node_limit(threads).min(handicap_nodes);
    let budget = budget(job);
    job.table.next_age();
    let root_tables = rank_root_moves(job, &budget, &moves);
    let shared = &Shared {
        job,
        table: &job.table,
        params: &job.settings.params,
        abort: AtomicBool::new(false),
        nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        current_lines: current_lines(job, &moves, threads),
        table_hits: AtomicU64::new(root_tables.ranked.len() as u64),
        budget,
        node_limit: limits.nodes.unwrap_or(u64::MAX).min(node_cap),
        depth_limit: limits.depth.unwrap_or(u32::MAX).max(1),
        handicap,
        root_tables,
        reductions: reductions(&job.settings.params),
    };
    let outcome = if moves.is_empty() {
        report_no_move(shared);
        None
    } else {
        search(shared, &moves, memories)
    };
    let solved =
        limits.until_mate && outcome.as_ref().is_none_or(|outcome| score::is_mate(outcome.score));
    job.signals.wait_until_reportable(limits.infinite && !solved);
    let (best, ponder, score) = match outcome {
        Some(outcome) => (Some(outcome.best), outcome.ponder, outcome.score),
        None => (None, None, 0),
    };
    for fault in job.tables.take_faults() {
        job.report.fault(&fault);
    }
    job.signals.end();
    job.report.best(best, ponder, score);
}

/// Searches with all threads until the first one is done.
fn search<P: Searchable>(
    shared: &Shared<'_, P>,
    moves: &[P::Move],
    memories: &mut [Box<Memory<P>>],
) -> Option<Outcome<P::Move>> {
    let (first, helpers) = memories.split_first_mut()?;
    let mut searcher = Searcher::new(shared, first, moves, 0);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = helpers
            .iter_mut()
            .zip(1..)
            .filter_map(|(memory, index)| {
                let help = move || {
                    let mut helper = Searcher::new(shared, memory, moves, index);
                    helper.deepen();
                    helper.result()
                };
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                // If a helper thread cannot be started, search without it.
                thread.spawn_scoped(scope, help).ok()
            })
            .collect();
        searcher.deepen();
        shared.abort.store(true, SeqCst);
        threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
    });
    if has_votes(shared.job) {
        searcher.apply_vote(results);
    }
    searcher.report_final();
    let outcome = searcher.outcome();
    if let Some(message) = searcher.mate_message(outcome.score) {
        shared.job.report.message(&message);
    }
    Some(outcome)
}

/// Whether threads vote on the best move: not in searches for a fixed depth, several lines or a mate.
fn has_votes<P: Searchable>(job: &Job<P>) -> bool {
    let Limits { depth, mate, .. } = &job.limits;
    depth.is_none() && mate.is_none() && job.settings.multi_pv == 1
}

/// Starts the search thread.
pub(super) fn spawn<P: Searchable>(
    job: Job<P>,
    mut memories: Vec<Box<Memory<P>>>,
) -> std::io::Result<std::thread::JoinHandle<Vec<Box<Memory<P>>>>> {
    std::thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
        run(&job, &mut memories);
        memories
    })
}
