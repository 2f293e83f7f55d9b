//! Endgame tables inside the tree.
//!
//! Called by `search` at every node; without tables it costs a comparison, in games without tables nothing.

use super::endgame::value_of;
use super::job::Shared;
use super::node::Node;
use super::score::{self, Bound, Score};
use super::searcher::Searcher;
use super::tt::Entry;
use crate::game::{EndgameTables, Playable};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

/// Between what bounds the value of a node must lie.
#[derive(Clone, Copy)]
pub(super) struct TableBounds {
    pub floor: Score,
    pub ceiling: Score,
}

impl TableBounds {
    const NONE: TableBounds = TableBounds { floor: -score::INFINITE, ceiling: score::INFINITE };
}

impl<P: Playable> Searcher<P> {
    /// What tables know of a node: its value, if that settles it, or else bounds (outside of empty windows).
    #[inline(always)]
    pub(super) fn ask_tables(
        &mut self,
        shared: &Shared<'_, P>,
        node: Node<'_, P>,
        depth: i32,
        (alpha, beta): (Score, Score),
    ) -> ControlFlow<Score, TableBounds> {
        if !P::Tables::EXIST || self.table_men == 0 || P::Tables::men(node.pos) > self.table_men {
            return ControlFlow::Continue(TableBounds::NONE);
        }
        self.look_up(shared, node, depth, (alpha, beta))
    }

    #[cold]
    fn look_up(
        &mut self,
        shared: &Shared<'_, P>,
        node: Node<'_, P>,
        depth: i32,
        (alpha, beta): (Score, Score),
    ) -> ControlFlow<Score, TableBounds> {
        let settings = &shared.job.settings;
        let largest = P::Tables::men(node.pos) == self.table_men;
        let excluded = self.frame(node.ply).excluded != P::Move::default();
        if node.ply == 0
            || excluded
            || largest && depth < settings.table_probe_depth
            || !P::Tables::is_fresh(node.pos)
        {
            return ControlFlow::Continue(TableBounds::NONE);
        }
        let patience = || !self.is_over(shared);
        let Some(result) = shared.job.tables.result(node.pos, &patience) else {
            if !patience() {
                self.look_at_clock();
            }
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
}
