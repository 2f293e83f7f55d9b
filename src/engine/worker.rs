//! A search as a task of the search threads: time budget, helper threads and the final report.
//!
//! The inputs are in `job`, signals from other threads in `signals`, the threads in `pool`.

use super::endgame::rank_root_moves;
use super::job::{Job, Shared, Told, reductions};
use super::limits::Limits;
use super::pool::Seat;
use super::pv::Pv;
use super::report::SearchResult;
use super::reporting::report_no_move;
use super::score;
use super::searcher::{Memory, Searcher};
use super::strength::Handicap;
use super::time::Budget;
use crate::base::lock::lock;
use crate::game::{EndgameTables, Position, Searchable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// The seats of the threads that help in a search.
pub(super) type Helpers<B> = Vec<Arc<Seat<Memory<B>>>>;

/// The legal root moves that the limits allow, in generation order.
fn root_moves<B: Searchable>(root: &Position<B>, limits: &Limits<B::Move>) -> Vec<B::Move> {
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
fn current_lines<B: Searchable>(job: &Job<B>, moves: &[B::Move], threads: usize) -> Vec<Mutex<Pv<B::Move>>> {
    let count = if job.settings.show_current_line { threads } else { 0 };
    let mut line = Pv::new();
    moves.first().iter().for_each(|&&m| line.push(m));
    std::iter::repeat_n(line, count).map(Mutex::new).collect()
}

/// The time budget of a search.
fn budget<B: Searchable>(job: &Job<B>) -> Budget {
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

/// What `threads` threads share in the search of `job`.
pub(super) fn share<B: Searchable>(job: Job<B>, threads: usize) -> Shared<B> {
    let limits = &job.limits;
    let moves = root_moves(&job.root, limits);
    let handicap = Handicap::of(job.settings.strength, job.settings.randomness);
    let handicap_nodes = handicap.map_or(u64::MAX, |handicap| handicap.nodes(&job.root));
    let node_cap = limits.mate_node_limit(threads).min(handicap_nodes);
    let node_limit = limits.nodes.unwrap_or(u64::MAX).min(node_cap);
    let budget = budget(&job);
    job.table.next_age();
    let root_tables = rank_root_moves(&job, &budget, &moves);
    let told = || Told { nodes: AtomicU64::new(0), result: Mutex::new(None) };
    Shared {
        abort: AtomicBool::new(false),
        told: std::iter::repeat_with(told).take(threads).collect(),
        nodes_left: AtomicU64::new(node_limit),
        current_lines: current_lines(&job, &moves, threads),
        table_hits: AtomicU64::new(root_tables.hits()),
        budget,
        node_limit,
        depth_limit: limits.depth.unwrap_or(u32::MAX).max(1),
        handicap,
        root_tables,
        reductions: reductions(&job.settings.params),
        whole_root: moves.len() == job.root.legal_moves().len(),
        moves,
        job,
    }
}

/// Runs a search up to and including the report of the best move, as its first thread. `memory` is that of this thread.
pub(super) fn lead<B: Searchable>(
    job: Job<B>,
    mut helpers: Helpers<B>,
    memory: &mut Memory<B>,
) -> SearchResult<B::Move> {
    if job.settings.strength.is_some() {
        helpers.clear();
    }
    let shared = Arc::new(share(job, 1 + helpers.len()));
    let job = &shared.job;
    let answer = if shared.moves.is_empty() {
        report_no_move(&shared);
        SearchResult { best: None, ponder: None, score: 0, depth: 0, nodes: 0 }
    } else {
        search(&shared, &helpers, memory)
    };
    let solved = job.limits.until_mate && (answer.best.is_none() || score::is_mate(answer.score));
    job.signals.wait_until_reportable(job.limits.infinite && !solved);
    for fault in job.tables.take_faults() {
        job.report.fault(&fault);
    }
    job.signals.end();
    job.report.best(answer.best, answer.ponder, answer.score);
    answer
}

/// Ends the helpers' part of a search, even if the first thread panics.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// Searches with all threads until the first one is done.
fn search<B: Searchable>(
    shared: &Arc<Shared<B>>,
    helpers: &Helpers<B>,
    memory: &mut Memory<B>,
) -> SearchResult<B::Move> {
    let ending = Ending(&shared.abort);
    // Before the helpers start, so that this thread gets its share of a node limit.
    let mut searcher = Searcher::new(shared, memory, 0);
    if shared.job.limits.mate.is_some() && searcher.proof.is_none() {
        shared.job.report.fault("no memory for proofs of mates");
    }
    for (index, helper) in (1..).zip(helpers) {
        let shared = Arc::clone(shared);
        helper.give(move |memory| {
            let mut searcher = Searcher::new(&shared, memory, index);
            searcher.deepen();
            let result = searcher.result();
            *lock(&shared.told[index].result) = result;
        });
    }
    searcher.deepen();
    drop(ending);
    helpers.iter().for_each(|helper| helper.wait());
    let results: Vec<_> = shared.told.iter().filter_map(|told| lock(&told.result).take()).collect();
    searcher.withdraw_refuted(&results);
    if !results.is_empty() && has_votes(&shared.job) {
        searcher.apply_vote(results);
    }
    searcher.report_final();
    let answer = searcher.answer();
    if let Some(message) = searcher.mate_message(answer.score) {
        shared.job.report.message(&message);
    }
    answer
}

/// Whether threads vote on the best move: not in searches for a fixed depth, several lines or a mate.
fn has_votes<B: Searchable>(job: &Job<B>) -> bool {
    let Limits { depth, mate, .. } = &job.limits;
    depth.is_none() && mate.is_none() && job.settings.multi_pv == 1
}
