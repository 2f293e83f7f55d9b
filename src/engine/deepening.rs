//! Iterative deepening: one search after the other, each a ply deeper, with narrow windows around the last
//! score; time is managed and lines are reported between them.
//!
//! Called by `worker` on every search thread; only the first one reports and minds the clock.

use super::node::{Node, ROOT};
use super::score::{self, INFINITE, MAX_PLY, Score};
use super::searcher::{RootMove, Searcher};
use crate::game::{Playable, SearchParams};
use std::time::Duration;

/// How a search ended.
pub(super) struct Outcome<M> {
    pub best: M,
    pub ponder: Option<M>,
    pub score: Score,
}

/// Iterations that are searched if there is only one legal move and a clock is running.
const FORCED_DEPTH: u32 = 5;
/// Time after which windows that failed are reported.
const PATIENCE: Duration = Duration::from_secs(3);

/// How settled the choice of the best move is.
#[derive(Default)]
struct Calm<M> {
    best: M,
    /// Iterations since the best move changed.
    unchanged: usize,
    /// Score of earlier iterations, averaged.
    average: Option<Score>,
}

impl<M: Copy + Eq> Calm<M> {
    /// Takes note of an iteration, and gives the factor for the soft limit. `share` is the part of all nodes
    /// that went into the best move.
    fn scale(&mut self, best: M, score: Score, share: f64) -> f64 {
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.best = best;
        let drop = self.average.map_or(0, |average| (average - score).clamp(-30, 90));
        self.average = Some(self.average.map_or(score, |average| (average + score) / 2));
        let stability = [1.5, 1.2, 1.0, 0.9, 0.82][self.unchanged.min(4)];
        let worry = 1.0 + f64::from(drop) / 120.0;
        let doubt = (1.55 - share).clamp(0.6, 1.4);
        stability * worry * doubt
    }
}

impl<P: Playable> Searcher<'_, P> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn deepen(&mut self) {
        let shared = self.shared;
        let first = self.root_moves[0].m;
        let lines = shared.job.settings.multi_pv.min(self.root_moves.len());
        let main = self.index == 0;
        let mut calm = Calm { best: first, unchanged: 0, average: None };
        for depth in 1..MAX_PLY as u32 {
            if depth > shared.depth_limit {
                break;
            }
            // Helpers leave out some depths, so that the threads do not all do the same.
            if !main && depth > 3 && (depth as usize + self.index).is_multiple_of(4) {
                continue;
            }
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITE;
            }
            for line in 0..lines {
                self.first_root = line;
                self.aspire();
                self.root_moves[line..].sort_by_key(RootMove::order);
                self.root_moves[..=line].sort_by_key(RootMove::order);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            if !main {
                self.keep(depth);
            } else {
                self.settle(depth);
                let done = self.prove_mates(depth);
                if done || self.stopped || self.is_enough(depth, &mut calm) {
                    break;
                }
                if shared.job.settings.show_refutations {
                    self.report_refutations_in_time();
                }
            }
        }
    }

    /// What is to be played.
    pub(super) fn outcome(&self) -> Outcome<P::Move> {
        let best = &self.root_moves[0];
        let score = if best.score == -INFINITE { best.previous } else { best.score };
        let ponder = best.line.as_slice().get(1).copied().or_else(|| self.guess_reply());
        Outcome { best: best.m, ponder, score }
    }

    /// Searches the root with a window around the last score, wider and wider until it holds.
    fn aspire(&mut self) {
        let shared = self.shared;
        let depth = self.root_depth;
        let node = Node::root(&shared.job.root);
        let previous = self.root_moves[self.first_root].previous;
        let mut width = shared.params.aspiration_width;
        let narrow = SearchParams::on(shared.params.aspiration)
            && depth >= 5
            && previous != -INFINITE
            && !score::is_decided(previous);
        let (mut alpha, mut beta) = match narrow {
            true => (previous - width, previous + width),
            false => (-INFINITE, INFINITE),
        };
        let mut lowered = 0;
        loop {
            self.selective_depth = 0;
            let searched = (depth - lowered).max(1);
            let value = self.search::<ROOT>(node, alpha, beta, searched);
            let first_root = self.first_root;
            self.root_moves[first_root..].sort_by_key(RootMove::order);
            if self.stopped || value > alpha && value < beta {
                return;
            }
            if self.index == 0
                && self.first_root == 0
                && shared.job.settings.multi_pv == 1
                && shared.job.started.elapsed() >= PATIENCE
            {
                self.report_bound();
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                lowered = 0;
            } else {
                beta = (value + width).min(INFINITE);
                lowered = (lowered + 1).min(3);
            }
            width += width / 2 + 5;
            if width > 1_000 || score::is_decided(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether the search may end after a finished iteration.
    fn is_enough(&mut self, depth: u32, calm: &mut Calm<P::Move>) -> bool {
        let shared = self.shared;
        let limits = &shared.job.limits;
        let best = &self.root_moves[0];
        // A mate against the side to move is known for certain when all lines of that length are searched.
        if limits.until_mate
            && let Some(plies) = score::mate_plies(best.score)
            && (plies > 0 || plies.unsigned_abs() <= depth)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.nodes >= soft) {
            return true;
        }
        let searched = self.nodes - self.proof.as_ref().map_or(0, |proof| proof.nodes);
        let share = best.nodes as f64 / searched.max(1) as f64;
        let scale = calm.scale(best.m, best.score, share);
        let Some(soft) = shared.budget.soft else { return false };
        let forced = self.root_moves.len() == 1 && depth >= FORCED_DEPTH;
        // A mate that is nearer than half the depth will not get any nearer.
        let mated =
            score::mate_plies(best.score).is_some_and(|plies| plies.unsigned_abs() * 2 < depth);
        self.enough = if forced || mated { Duration::ZERO } else { soft.mul_f64(scale) };
        shared.pondered().is_some() && shared.job.started.elapsed() >= self.enough
    }
}
