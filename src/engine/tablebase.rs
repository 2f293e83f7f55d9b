//! Tablebases: ranks of the root moves before a search, probes inside the tree, and the scores of their results.
//!
//! Waiting for a disk is limited to a part of the available time, so that a sleeping disk costs neither the game nor
//! the move. Without tables a node costs one comparison; in games that have no tables it costs nothing.

use super::job::Job;
use super::limits::MOST_MEN;
use super::node::{Bounds, Node, RootRanks};
use super::score::{self, Bound, Value};
use super::searcher::Searcher;
use super::time::Budget;
use super::tt::Entry;
use crate::game::{EndgameTables, Position, Searchable, TableResult};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// The most pieces with which a search of `job` probes its tables; 0 for no probes.
fn probe_limit<B: Searchable>(job: &Job<B>) -> u32 {
    // Limited strength must not use perfect play.
    if !B::Tables::EXIST || job.settings.strength.is_some() {
        return 0;
    }
    job.settings.tablebase_probe_limit.unwrap_or(MOST_MEN).min(job.tablebase.most_men())
}

/// Probes the tables for the root moves of a search that is about to start.
pub(super) fn rank_root_moves<B: Searchable>(job: &Job<B>, budget: &Budget) -> RootRanks<B::Move> {
    let mut known = RootRanks { ranked: Vec::new(), max_pieces: probe_limit(job) };
    if known.max_pieces == 0 || job.moves.is_empty() || job.root.piece_count() > known.max_pieces {
        return known;
    }
    let limit = budget.longest_wait(2);
    let keep_waiting = || !job.signals.is_stopped() && job.started.elapsed() < limit;
    let fifty = !job.settings.ignores_fifty_moves;
    if let Some(ranking) = job.tablebase.rank(&job.root, &job.trail, &job.moves, fifty, &keep_waiting) {
        let best = ranking.moves.iter().filter_map(|ranked| ranked.result).max();
        let all_known = ranking.moves.iter().all(|ranked| ranked.result.is_some());
        // Ranks by distance already ensure progress. In a drawn or lost position table scores would only hide which
        // moves make the opponent's task harder, unless the search has to judge moves that are not in the tables.
        let idle = ranking.by_distance || best <= Some(TableResult::Draw);
        if idle && (all_known || best == Some(TableResult::Win)) {
            known.max_pieces = 0;
        }
        known.ranked = ranking.moves;
    }
    known
}

/// Probes the tables at a node. Breaks with the value if it causes a cutoff; otherwise continues with `bounds`,
/// narrowed by the tables' bounds unless the window is a null window.
#[inline(always)]
pub(super) fn probe<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    node: Node<'_, B>,
    depth: i32,
    (alpha, beta): (Value, Value),
    bounds: Bounds,
) -> ControlFlow<Value, Bounds> {
    if !B::Tables::EXIST
        || searcher.shared.root_ranks.max_pieces == 0
        || node.pos.piece_count() > searcher.shared.root_ranks.max_pieces
    {
        return ControlFlow::Continue(bounds);
    }
    probe_in_tree(searcher, node, depth, (alpha, beta), bounds)
}

#[cold]
fn probe_in_tree<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    node: Node<'_, B>,
    depth: i32,
    (alpha, beta): (Value, Value),
    mut bounds: Bounds,
) -> ControlFlow<Value, Bounds> {
    let shared = searcher.shared;
    let settings = &shared.job.settings;
    let largest = node.pos.piece_count() == searcher.shared.root_ranks.max_pieces;
    let excluded = searcher.frame_mut(node.ply).excluded != B::Move::default();
    if node.ply == 0 || excluded || largest && depth < settings.tablebase_probe_depth || !B::Tables::is_fresh(node.pos)
    {
        return ControlFlow::Continue(bounds);
    }
    let Some(result) = probe_result(searcher, node.pos) else {
        return ControlFlow::Continue(bounds);
    };
    shared.tablebase_hits.fetch_add(1, Relaxed);
    let (value, bound) = score::of_result(result, node.ply, settings.ignores_fifty_moves);
    let cutoff = match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    if cutoff {
        let entry = Entry {
            m: 0,
            score: score::to_tt(value, node.ply),
            eval: score::NONE,
            depth: (depth + 6).min(score::MAX_PLY as i32 - 1),
            bound,
            pv: beta - alpha > 1,
        };
        shared.job.tt.store(node.pos.key(), entry);
        return ControlFlow::Break(value);
    }
    if beta - alpha > 1 {
        match bound {
            Bound::Lower => bounds.floor = bounds.floor.max(value),
            _ => bounds.ceiling = bounds.ceiling.min(value),
        }
    }
    ControlFlow::Continue(bounds)
}

/// Probes the tables for a position. May wait for the disk until this thread's disk time is used up. After that
/// only tables in memory are used.
fn probe_result<B: Searchable>(searcher: &mut Searcher<'_, B>, pos: &Position<B>) -> Option<TableResult> {
    let (left, since) = (searcher.disk_time, Cell::new(None));
    let keep_waiting = || {
        if left.is_zero() || searcher.is_over() {
            return false;
        }
        let began: Instant = since.get().unwrap_or_else(Instant::now);
        since.set(Some(began));
        began.elapsed() < left
    };
    let result = searcher.shared.job.tablebase.result(pos, &keep_waiting);
    if let Some(began) = since.get() {
        // Without a clock a successful read is not charged, so analysis may wait for every probe. A read that
        // times out always is.
        if result.is_none() || searcher.shared.budget.hard.is_some() {
            searcher.disk_time = left.saturating_sub(began.elapsed());
        }
        if searcher.is_over() {
            searcher.check_clock_next();
        }
    }
    result
}
