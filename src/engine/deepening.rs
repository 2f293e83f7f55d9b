//! A search from its start to its answer: [`run_search`], which its first thread runs, and iterative deepening with
//! aspiration windows.
//!
//! Only the first thread reports and checks the clock.

use super::decide::{self, Final, Vote};
use super::job::{Job, NodeCount, Shared, reductions};
use super::limits::Limits;
use super::mate_proof::{Proof, odd_ending};
use super::node::{Node, ROOT, RootMove};
use super::pool::PoolTask;
use super::report::{Event, Listener, Progress, Reporter, SearchResult};
use super::score::{self, INFINITE, MAX_PLY, Value};
use super::searcher::{Memory, Searcher};
use super::strength::Handicap;
use super::tablebase::rank_root_moves;
use super::time::{Budget, scaled};
use crate::base::time_limit::time_limit;
use crate::game::{EndgameTables, Searchable};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The senders of the tasks of the threads that help in a search.
pub(super) type Helpers<B> = Vec<mpsc::Sender<PoolTask<Memory<B>>>>;

/// Runs a search up to and including the report of the best move, as its first thread. `memory` is that of this thread.
pub(super) fn run_search<B: Searchable>(
    job: Job<B>,
    listener: Box<dyn Listener<B::Move>>,
    mut helpers: Helpers<B>,
    memory: &mut Memory<B>,
) -> SearchResult<B::Move> {
    if job.settings.strength.is_some() {
        helpers.clear();
    }
    let mut reporter = Reporter::new(listener);
    let shared = Arc::new(shared_data(job, 1 + helpers.len()));
    let job = &shared.job;
    let answer = if job.moves.is_empty() {
        reporter.report_no_move(Progress::of(&shared), Searcher::<B>::no_move(job.root.in_check(), 0));
        SearchResult::NONE
    } else {
        search_in_parallel(&shared, &helpers, memory, &mut reporter)
    };
    let solved = job.limits.until_mate && (answer.best.is_none() || score::is_mate(answer.score));
    job.signals.wait_until_reportable(job.limits.infinite && !solved);
    for error in job.tablebase.take_faults() {
        reporter.say(Event::Error(&error));
    }
    job.signals.end();
    reporter.say(Event::Best(answer));
    answer
}

/// Stops the helpers when it is dropped, so also if the first thread panics.
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
    reporter: &mut Reporter<B::Move>,
) -> SearchResult<B::Move> {
    let ending = Ending(&shared.abort);
    let job = &shared.job;
    let mut proof = None;
    if let Some(wanted) = job.limits.mate {
        proof = Proof::new(wanted, &job.trail);
        if proof.is_none() {
            reporter.say(Event::Error("no memory for proofs of mates"));
        }
    }
    // Before the helpers start, so that this thread gets its share of a node limit.
    let mut searcher = Searcher::new(shared, memory, 0, Some(reporter));
    let (sender, votes) = mpsc::channel();
    for (index, helper) in (1..).zip(helpers) {
        let (shared, sender) = (Arc::clone(shared), sender.clone());
        let task = Box::new(move |memory: &mut Memory<B>| {
            let mut searcher = Searcher::new(&shared, memory, index, None);
            deepen(&mut searcher, None);
            let vote = decide::vote(searcher);
            // Before the first thread goes on: a table that has been replaced is freed now.
            drop(shared);
            let _ = sender.send(vote);
        });
        let _ = helper.send(task);
    }
    drop(sender);
    deepen(&mut searcher, proof.as_deref_mut());
    drop(ending);
    // The channel closes when the last helper is done.
    let mut votes: Vec<Vote<_>> = votes.iter().flatten().collect();
    votes.sort_by_key(|vote| vote.thread);
    decide::withdraw_refuted(&mut searcher, &votes);
    if !votes.is_empty() && has_votes(job) {
        decide::apply_vote(&mut searcher, votes);
    }
    report_final(&mut searcher);
    let answer = decide::answer(&searcher);
    if job.limits.mate.is_some() {
        let beyond = proof.and_then(|proof| proof.beyond(&searcher, answer.score));
        let odd = odd_ending(&job.root, searcher.root_moves[0].line.as_slice(), answer.score);
        for message in beyond.iter().chain(&odd) {
            searcher.say(Event::Message(message));
        }
    }
    answer
}

/// Whether threads vote on the best move: not in searches for a fixed depth, several lines or a mate.
fn has_votes<B: Searchable>(job: &Job<B>) -> bool {
    let Limits { depth, mate, .. } = &job.limits;
    depth.is_none() && mate.is_none() && job.settings.multi_pv <= 1
}

/// What `threads` threads share in the search of `job`.
pub(super) fn shared_data<B: Searchable>(job: Job<B>, threads: usize) -> Shared<B> {
    let limits = &job.limits;
    let handicap = job.settings.strength.map(Handicap::of);
    let handicap_nodes = handicap.map_or(u64::MAX, |handicap| handicap.nodes(&job.root));
    let node_cap = limits.mate_node_limit(threads).min(handicap_nodes);
    let node_limit = limits.nodes.unwrap_or(u64::MAX).min(node_cap);
    let budget = budget(&job);
    job.tt.next_age();
    let root_ranks = rank_root_moves(&job, &budget);
    Shared {
        abort: AtomicBool::new(false),
        nodes: (0..threads).map(|_| NodeCount::default()).collect(),
        nodes_left: AtomicU64::new(node_limit),
        tablebase_hits: AtomicU64::new(root_ranks.hits()),
        budget,
        node_limit,
        depth_limit: limits.depth.unwrap_or(u32::MAX).max(1),
        handicap,
        root_ranks,
        reductions: reductions(&job.params),
        whole_root: job.moves.len() == job.root.legal_moves().len(),
        job,
    }
}

/// The time budget of a search.
fn budget<B: Searchable>(job: &Job<B>) -> Budget {
    let Limits { movetime, clock, infinite, overhead, .. } = &job.limits;
    if *infinite {
        Budget::default()
    } else if let Some(time) = movetime {
        Budget::exact(*time, clock.as_ref(), *overhead)
    } else if let Some(clock) = clock {
        let budget = Budget::share(clock, (job.trail.len() / 2) as u32, *overhead);
        if job.settings.ponder { budget.relaxed() } else { budget }
    } else {
        Budget::default()
    }
}

/// Depth to which a forced move (the only one that may be played) is searched when a clock is running.
const FORCED_DEPTH: u32 = 5;
/// Search time after which aspiration window failures are reported.
fn bound_report_delay() -> Duration {
    time_limit(3_000)
}

/// How stable the best move and its score are from one iteration to the next.
#[derive(Default)]
struct BestMoveStability<M> {
    best: M,
    /// Iterations since the best move last changed.
    unchanged: usize,
    /// Running average of the scores of earlier iterations.
    average: Option<Value>,
}

impl<M: Copy + Eq> BestMoveStability<M> {
    /// Updates the state after an iteration and returns the scale factor of the soft limit. `share` is the fraction
    /// of all nodes that were spent on the best move.
    fn scale(&mut self, best: M, score: Value, share: f64) -> f64 {
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.best = best;
        let drop = self.average.map_or(0, |average| (average - score).clamp(-30, 90));
        self.average = Some(self.average.map_or(score, |average| (average + score) / 2));
        let stability = [1.5, 1.2, 1.0, 0.9, 0.82][self.unchanged.min(4)];
        let falling = 1.0 + f64::from(drop) / 120.0;
        let effort = (1.55 - share).clamp(0.6, 1.4);
        stability * falling * effort
    }
}

/// Runs iterations until a limit is reached, with proofs of mates in the first thread of a search for a mate.
fn deepen<B: Searchable>(searcher: &mut Searcher<'_, B>, mut proof: Option<&mut Proof<B>>) {
    let shared = searcher.shared;
    let first = searcher.root_moves[0].m;
    let lines = shared.job.settings.multi_pv.clamp(1, searcher.root_moves.len());
    let main = searcher.index == 0;
    let mut stability = BestMoveStability { best: first, unchanged: 0, average: None };
    for depth in 1..MAX_PLY as u32 {
        if depth > shared.depth_limit {
            break;
        }
        // Helper threads skip every fourth depth, so that the threads do not all search the same.
        if !main && depth > 3 && (depth as usize + searcher.index).is_multiple_of(4) {
            continue;
        }
        searcher.root_depth = depth as i32;
        if searcher.stopped {
            break;
        }
        for root_move in &mut searcher.root_moves {
            root_move.previous = root_move.score;
            root_move.score = -INFINITE;
            root_move.refuted = false;
        }
        for line in 0..lines {
            searcher.first_root = line;
            aspiration_search(searcher);
            RootMove::sort(&mut searcher.root_moves[line..]);
            RootMove::sort(&mut searcher.root_moves[..=line]);
            if searcher.stopped {
                break;
            }
        }
        if searcher.stopped {
            break;
        }
        if !main {
            searcher.save_lines(depth);
        } else {
            searcher.finish_iteration(depth);
            let (mut done, mut proof_nodes) = (false, 0);
            if let Some(proof) = &mut proof {
                done = proof.prove(searcher, depth);
                proof_nodes = proof.nodes;
            }
            if done || searcher.stopped || should_end(searcher, depth, proof_nodes, &mut stability) {
                break;
            }
        }
    }
}

/// Searches the root with an aspiration window around the last score, and widens it until the score is inside.
fn aspiration_search<B: Searchable>(searcher: &mut Searcher<'_, B>) {
    let shared = searcher.shared;
    let depth = searcher.root_depth;
    let node = Node::root(&shared.job.root);
    let previous = searcher.root_moves[searcher.first_root].previous;
    let mut width = searcher.params.aspiration_width;
    let narrow = depth >= 5 && previous != -INFINITE && !score::is_decided(previous);
    let (mut alpha, mut beta) = if narrow { (previous - width, previous + width) } else { (-INFINITE, INFINITE) };
    let mut failed_high = 0;
    loop {
        searcher.selective_depth = 0;
        let searched = (depth - failed_high).max(1);
        let value = searcher.search_node::<ROOT>(node, alpha, beta, searched);
        let first_root = searcher.first_root;
        RootMove::sort(&mut searcher.root_moves[first_root..]);
        if searcher.stopped || value > alpha && value < beta {
            return;
        }
        if searcher.index == 0
            && searcher.first_root == 0
            && shared.job.settings.multi_pv <= 1
            && shared.job.started.elapsed() >= bound_report_delay()
        {
            searcher.report_bound();
        }
        if value <= alpha {
            beta = (alpha + beta) / 2;
            alpha = (value - width).max(-INFINITE);
            failed_high = 0;
        } else {
            beta = (value + width).min(INFINITE);
            failed_high = (failed_high + 1).min(3);
        }
        width += width / 2 + 5;
        if width > 1_000 || score::is_decided(value) {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}

/// Whether the search should end after a completed iteration.
fn should_end<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    depth: u32,
    proof_nodes: u64,
    stability: &mut BestMoveStability<B::Move>,
) -> bool {
    let shared = searcher.shared;
    let limits = &shared.job.limits;
    let best = &searcher.root_moves[0];
    // A mate against the side to move is certain only when all lines of that length have been searched.
    if limits.until_mate
        && let Some(plies) = score::mate_plies(best.score)
        && (plies > 0 || plies.unsigned_abs() <= depth)
    {
        return true;
    }
    if limits.soft_nodes.is_some_and(|soft| searcher.nodes >= soft) {
        return true;
    }
    let share = best.nodes as f64 / (searcher.nodes - proof_nodes).max(1) as f64;
    let scale = stability.scale(best.m, best.score, share);
    let Some(soft) = shared.budget.soft else { return false };
    let forced = searcher.root_moves.len() == 1 && depth >= FORCED_DEPTH;
    // A mate within half the depth will not get any shorter.
    let mated = score::mate_plies(best.score).is_some_and(|plies| plies.unsigned_abs() * 2 < depth);
    searcher.soft_limit = if forced || mated { Duration::ZERO } else { scaled(soft, scale) };
    shared.pondered().is_some() && shared.job.started.elapsed() >= searcher.soft_limit
}

/// Decides which move is played, and reports its line unless that has been done.
fn report_final<B: Searchable>(searcher: &mut Searcher<'_, B>) {
    let stopped = searcher.stopped;
    match decide::choose_final(searcher) {
        Final::Completed if !stopped && searcher.reported => {}
        // After an unfinished iteration the lines are repeated, with the final number of nodes.
        Final::Completed => searcher.report_completed_lines(stopped && searcher.reported, true),
        Final::BestRootMove => searcher.report_root_move(0, true),
        Final::FirstDepth => {
            for rank in 0..searcher.completed.len() {
                let RootMove { score, refuted, .. } = searcher.root_moves[rank];
                let unfinished = rank > 0 && rank >= searcher.first_root;
                if score != -INFINITE && !(unfinished && refuted) {
                    searcher.report_root_move(rank, true);
                }
            }
        }
    }
}
