//! What endgame tables say about the root of a search, and what their results are worth.
//!
//! `worker` asks for the ranks of root moves before a search begins; `lookup` asks for results inside the tree. A
//! disk is waited for only for a part of the time there is, so that one that sleeps costs neither the game nor the
//! move.

use super::job::{Job, RootTables};
use super::score::{self, Bound, Score};
use super::time::Budget;
use crate::game::{EndgameTables, Playable, TableResult};
use std::time::Duration;

/// The longest wait for a disk: one that needs more is asleep.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// How long a disk may be waited for: one `share`-th of the time for this move.
pub(super) fn longest_wait(budget: &Budget, share: u32) -> Duration {
    let time = budget.soft.or(budget.hard);
    time.map_or(LONGEST_WAIT, |time| (time / share).min(LONGEST_WAIT))
}

/// The fewest men for which a search of `job` asks its tables nothing.
fn men_limit<P: Playable>(job: &Job<P>) -> u32 {
    // A player that is to be beaten must not know everything.
    if !P::Tables::EXIST || job.settings.strength.is_some() {
        return 0;
    }
    job.settings.table_probe_limit.min(job.tables.most_men())
}

/// Ranks the root moves of a search that is about to begin.
pub(super) fn ask_at_root<P: Playable>(
    job: &Job<P>,
    budget: &Budget,
    moves: &[P::Move],
) -> RootTables<P::Move> {
    let mut known = RootTables { ranked: Vec::new(), men: men_limit(job) };
    if known.men == 0 || moves.is_empty() || P::Tables::men(&job.root) > known.men {
        return known;
    }
    let limit = longest_wait(budget, 2);
    let patience = || !job.signals.is_stopped() && job.started.elapsed() < limit;
    let fifty = job.settings.fifty_moves;
    if let Some(ranking) = job.tables.rank(&job.root, &job.trail, moves, fifty, &patience) {
        // With distances the ranks see to progress; in a drawn or lost position results would only hide which
        // of the moves are the harder ones to meet.
        let best = ranking.moves.iter().map(|ranked| ranked.result).max();
        if ranking.by_distance || best <= Some(TableResult::Draw) {
            known.men = 0;
        }
        known.ranked = ranking.moves;
    }
    known
}

/// The score of a result, and what it says: a win may be a mate that is better than the score.
pub(super) fn value_of(result: TableResult, ply: usize, fifty_moves: bool) -> (Score, Bound) {
    let win = score::table_win_in(ply);
    match result {
        TableResult::Win => (win, Bound::Lower),
        TableResult::Loss => (-win, Bound::Upper),
        TableResult::CursedWin if !fifty_moves => (win, Bound::Lower),
        TableResult::BlessedLoss if !fifty_moves => (-win, Bound::Upper),
        // A hair better than a draw: opponents err.
        TableResult::CursedWin => (score::DRAW + 1, Bound::Exact),
        TableResult::BlessedLoss => (score::DRAW - 1, Bound::Exact),
        TableResult::Draw => (score::DRAW, Bound::Exact),
    }
}
