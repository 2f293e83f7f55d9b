//! Endgame tables inside the tree.
//!
//! Called by `search` at every node; without tables it costs a comparison, in games without tables nothing.

use super::endgame::value_of;
use super::node::Node;
use super::score::{self, Bound, Score};
use super::searcher::Searcher;
use super::tt::Entry;
use crate::game::{EndgameTables, Playable, TableResult};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Between what bounds the value of a node must lie.
#[derive(Clone, Copy)]
pub(super) struct TableBounds {
    pub floor: Score,
    pub ceiling: Score,
}

impl TableBounds {
    const NONE: TableBounds = TableBounds { floor: -score::INFINITE, ceiling: score::INFINITE };
}

impl<P: Playable> Searcher<'_, P> {
    /// What tables know of a node: its value, if that settles it, or else bounds (outside of empty windows).
    #[inline(always)]
    pub(super) fn ask_tables(
        &mut self,
        node: Node<'_, P>,
        depth: i32,
        (alpha, beta): (Score, Score),
    ) -> ControlFlow<Score, TableBounds> {
        if !P::Tables::EXIST
            || self.shared.known.men == 0
            || P::Tables::men(node.pos) > self.shared.known.men
        {
            return ControlFlow::Continue(TableBounds::NONE);
        }
        self.look_up(node, depth, (alpha, beta))
    }

    #[cold]
    fn look_up(
        &mut self,
        node: Node<'_, P>,
        depth: i32,
        (alpha, beta): (Score, Score),
    ) -> ControlFlow<Score, TableBounds> {
        let shared = self.shared;
        let settings = &shared.job.settings;
        let largest = P::Tables::men(node.pos) == self.shared.known.men;
        let excluded = self.frame(node.ply).excluded != P::Move::default();
        if node.ply == 0
            || excluded
            || largest && depth < settings.table_probe_depth
            || !P::Tables::is_fresh(node.pos)
        {
            return ControlFlow::Continue(TableBounds::NONE);
        }
        let Some(result) = self.result_in_time(node.pos) else {
            return ControlFlow::Continue(TableBounds::NONE);
        };
        shared.table_hits.fetch_add(1, Relaxed);
        let (value, bound) = value_of(result, node.ply, settings.fifty_moves);
        let settled = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        if settled {
            let entry = Entry {
                m: 0,
                score: score::to_table(value, node.ply),
                eval: score::NONE,
                depth: (depth + 6).min(score::MAX_PLY as i32 - 1),
                bound,
                pv: beta - alpha > 1,
            };
            shared.table.store(node.key, entry);
            return ControlFlow::Break(value);
        }
        let mut limits = TableBounds::NONE;
        if beta - alpha > 1 {
            match bound {
                Bound::Lower => limits.floor = value,
                _ => limits.ceiling = value,
            }
        }
        ControlFlow::Continue(limits)
    }

    /// The result of a position, waited for as long as the time for that lasts. Afterwards only what is in memory
    /// is known, and the search goes on without the rest.
    fn result_in_time(&mut self, pos: &P) -> Option<TableResult> {
        let (left, since) = (self.disk_time, Cell::new(None));
        let patience = || {
            if left.is_zero() || self.is_over() {
                return false;
            }
            let began: Instant = since.get().unwrap_or_else(Instant::now);
            since.set(Some(began));
            began.elapsed() < left
        };
        let result = self.shared.job.tables.result(pos, &patience);
        if let Some(began) = since.get() {
            // Analysis without a clock may wait for every answer, but not for one that does not come.
            if result.is_none() || self.shared.budget.hard.is_some() {
                self.disk_time = left.saturating_sub(began.elapsed());
            }
            if self.is_over() {
                self.look_at_clock();
            }
        }
        result
    }
}
