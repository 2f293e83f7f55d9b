//! The main function of a search, which its first thread runs: time budget, helper threads and the final report.
//!
//! The inputs are in `job`, signals from other threads in `signals`, the threads in `pool`.

use super::event::{Event, Report, SearchResult};
use super::job::{Job, Shared, ThreadReport, reductions};
use super::limits::Limits;
use super::pool::Seat;
use super::pv::Pv;
use super::reporter::Reporter;
use super::score;
use super::searcher::{Memory, Searcher};
use super::strength::Handicap;
use super::tablebase::rank_root_moves;
use super::time::Budget;
use crate::base::lock::lock;
use crate::game::{EndgameTables, Searchable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// The seats of the threads that help in a search.
pub(super) type Helpers<B> = Vec<Arc<Seat<Memory<B>>>>;

/// A current line for each thread, if these are reported. Each starts with the first root move.
fn current_lines<B: Searchable>(job: &Job<B>, threads: usize) -> Vec<Mutex<Pv<B::Move>>> {
    let count = if job.settings.show_current_line { threads } else { 0 };
    let mut line = Pv::new();
    job.moves.first().iter().for_each(|&&m| line.push(m));
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
pub(super) fn shared_data<B: Searchable>(job: Job<B>, threads: usize) -> Shared<B> {
    let limits = &job.limits;
    let handicap = Handicap::of(job.settings.strength, job.settings.randomness);
    let handicap_nodes = handicap.map_or(u64::MAX, |handicap| handicap.nodes(&job.root));
    let node_cap = limits.mate_node_limit(threads).min(handicap_nodes);
    let node_limit = limits.nodes.unwrap_or(u64::MAX).min(node_cap);
    let budget = budget(&job);
    job.tt.next_age();
    let root_ranks = rank_root_moves(&job, &budget);
    let told = || ThreadReport { nodes: AtomicU64::new(0), vote: Mutex::new(None) };
    Shared {
        abort: AtomicBool::new(false),
        told: std::iter::repeat_with(told).take(threads).collect(),
        nodes_left: AtomicU64::new(node_limit),
        current_lines: current_lines(&job, threads),
        tablebase_hits: AtomicU64::new(root_ranks.hits()),
        budget,
        node_limit,
        depth_limit: limits.depth.unwrap_or(u32::MAX).max(1),
        handicap,
        root_ranks,
        reductions: reductions(&job.settings.params),
        whole_root: job.moves.len() == job.root.legal_moves().len(),
        job,
    }
}

/// Runs a search up to and including the report of the best move, as its first thread. `memory` is that of this thread.
pub(super) fn run_search<B: Searchable>(
    job: Job<B>,
    report: Report<B::Move>,
    mut helpers: Helpers<B>,
    memory: &mut Memory<B>,
) -> SearchResult<B::Move> {
    if job.settings.strength.is_some() {
        helpers.clear();
    }
    let mut reporter = Reporter::new(report, job.settings.lines_per_info);
    let shared = Arc::new(shared_data(job, 1 + helpers.len()));
    let job = &shared.job;
    let answer = if job.moves.is_empty() {
        reporter.report_no_move(&shared, Searcher::<B>::no_move(job.root.in_check(), 0));
        SearchResult::NONE
    } else {
        search_in_parallel(&shared, &helpers, memory, &mut reporter)
    };
    let solved = job.limits.until_mate && (answer.best.is_none() || score::is_mate(answer.score));
    job.signals.wait_until_reportable(job.limits.infinite && !solved);
    for fault in job.tablebase.take_faults() {
        reporter.say(Event::Fault(&fault));
    }
    job.signals.end();
    reporter.say(Event::Best(answer));
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
fn search_in_parallel<B: Searchable>(
    shared: &Arc<Shared<B>>,
    helpers: &Helpers<B>,
    memory: &mut Memory<B>,
    reporter: &mut Reporter<B>,
) -> SearchResult<B::Move> {
    let ending = Ending(&shared.abort);
    // Before the helpers start, so that this thread gets its share of a node limit.
    let mut searcher = Searcher::new(shared, memory, 0, Some(reporter));
    if shared.job.limits.mate.is_some() && searcher.proof.is_none() {
        searcher.say(Event::Fault("no memory for proofs of mates"));
    }
    for (index, helper) in (1..).zip(helpers) {
        let shared = Arc::clone(shared);
        helper.give(move |memory| {
            let mut searcher = Searcher::new(&shared, memory, index, None);
            searcher.deepen();
            let vote = searcher.vote();
            *lock(&shared.told[index].vote) = vote;
        });
    }
    searcher.deepen();
    drop(ending);
    helpers.iter().for_each(|helper| helper.wait());
    let results: Vec<_> = shared.told.iter().filter_map(|told| lock(&told.vote).take()).collect();
    searcher.withdraw_refuted(&results);
    if !results.is_empty() && has_votes(&shared.job) {
        searcher.apply_vote(results);
    }
    searcher.report_final();
    let answer = searcher.answer();
    for message in searcher.mate_messages(answer.score) {
        searcher.say(Event::Message(&message));
    }
    answer
}

/// Whether threads vote on the best move: not in searches for a fixed depth, several lines or a mate.
fn has_votes<B: Searchable>(job: &Job<B>) -> bool {
    let Limits { depth, mate, .. } = &job.limits;
    depth.is_none() && mate.is_none() && job.settings.multi_pv == 1
}
