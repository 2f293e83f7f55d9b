//! Endgame tables at the root, and the scores of their results.
//!
//! `worker` ranks the root moves here before a search; `lookup` uses it for probes inside the tree. Waiting for a
//! disk is limited to a part of the available time, so that a sleeping disk costs neither the game nor the move.

use super::job::{Job, RootTables};
use super::score::{self, Bound, Score};
use super::time::Budget;
use crate::game::{EndgameTables, Searchable, TableResult};
use std::time::Duration;

/// Longest wait for a disk; one that needs more is asleep.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// How long to wait for the disk: the time for this move divided by `share`, at most [`LONGEST_WAIT`].
pub(super) fn longest_wait(budget: &Budget, share: u32) -> Duration {
    let time = budget.soft.or(budget.hard);
    time.map_or(LONGEST_WAIT, |time| (time / share).min(LONGEST_WAIT))
}

/// The most pieces with which a search of `job` probes its tables; 0 for no probes.
fn probe_limit<P: Searchable>(job: &Job<P>) -> u32 {
    // Limited strength must not use perfect play.
    if !P::Tables::EXIST || job.settings.strength.is_some() {
        return 0;
    }
    job.settings.table_probe_limit.min(job.tables.most_men())
}

/// Probes the tables for the root moves of a search that is about to start.
pub(super) fn rank_root_moves<P: Searchable>(
    job: &Job<P>,
    budget: &Budget,
    moves: &[P::Move],
) -> RootTables<P::Move> {
    let mut known = RootTables { ranked: Vec::new(), max_pieces: probe_limit(job) };
    if known.max_pieces == 0 || moves.is_empty() || P::Tables::men(&job.root) > known.max_pieces {
        return known;
    }
    let limit = longest_wait(budget, 2);
    let keep_waiting = || !job.signals.is_stopped() && job.started.elapsed() < limit;
    let fifty = job.settings.fifty_moves;
    if let Some(ranking) = job.tables.rank(&job.root, &job.trail, moves, fifty, &keep_waiting) {
        // Ranks by distance already ensure progress. In a drawn or lost position table scores would only hide which
        // moves make the opponent's task harder.
        let best = ranking.moves.iter().map(|ranked| ranked.result).max();
        if ranking.by_distance || best <= Some(TableResult::Draw) {
            known.max_pieces = 0;
        }
        known.ranked = ranking.moves;
    }
    known
}

/// The score of a result and its bound type. A win is a lower bound, because it may be a mate, which scores more.
pub(super) fn value_of(result: TableResult, ply: usize, fifty_moves: bool) -> (Score, Bound) {
    let win = score::table_win_in(ply);
    match result {
        TableResult::Win => (win, Bound::Lower),
        TableResult::Loss => (-win, Bound::Upper),
        TableResult::CursedWin if !fifty_moves => (win, Bound::Lower),
        TableResult::BlessedLoss if !fifty_moves => (-win, Bound::Upper),
        // Slightly better than a draw: opponents make mistakes.
        TableResult::CursedWin => (score::DRAW + 1, Bound::Exact),
        TableResult::BlessedLoss => (score::DRAW - 1, Bound::Exact),
        TableResult::Draw => (score::DRAW, Bound::Exact),
    }
}
