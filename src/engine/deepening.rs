//! Iterative deepening with aspiration windows. Manages the time and reports lines between iterations.
//!
//! Only the first thread reports and checks the clock.

use super::node::{Node, ROOT};
use super::score::{self, INFINITE, MAX_PLY, Value};
use super::searcher::{RootMove, Searcher};
use super::time::scaled;
use crate::base::patience::patience;
use crate::game::Searchable;
use std::time::Duration;

/// Depth to which a forced move (the only legal one) is searched when a clock is running.
const FORCED_DEPTH: u32 = 5;
/// Search time after which aspiration window failures are reported.
fn bound_report_delay() -> Duration {
    patience(3_000)
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

impl<B: Searchable> Searcher<'_, B> {
    /// Runs iterations until a limit is reached.
    pub(super) fn deepen(&mut self) {
        let shared = self.shared;
        let first = self.root_moves[0].m;
        let lines = shared.job.settings.multi_pv.min(self.root_moves.len());
        let main = self.index == 0;
        let mut stability = BestMoveStability { best: first, unchanged: 0, average: None };
        for depth in 1..MAX_PLY as u32 {
            if depth > shared.depth_limit {
                break;
            }
            // Helper threads skip every fourth depth, so that the threads do not all search the same.
            if !main && depth > 3 && (depth as usize + self.index).is_multiple_of(4) {
                continue;
            }
            self.root_depth = depth as i32;
            if self.stopped {
                break;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITE;
                root_move.refuted = false;
            }
            for line in 0..lines {
                self.first_root = line;
                self.aspiration_search();
                RootMove::sort(&mut self.root_moves[line..]);
                RootMove::sort(&mut self.root_moves[..=line]);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            if !main {
                self.save_lines(depth);
            } else {
                self.finish_iteration(depth);
                let done = self.prove_mates(depth);
                if done || self.stopped || self.should_end(depth, &mut stability) {
                    break;
                }
                if shared.job.settings.show_refutations {
                    self.report_refutations_if_due();
                }
            }
        }
    }

    /// Searches the root with an aspiration window around the last score, and widens it until the score is inside.
    fn aspiration_search(&mut self) {
        let shared = self.shared;
        let depth = self.root_depth;
        let node = Node::root(&shared.job.root);
        let previous = self.root_moves[self.first_root].previous;
        let mut width = shared.job.settings.params.aspiration_width;
        let narrow = depth >= 5 && previous != -INFINITE && !score::is_decided(previous);
        let (mut alpha, mut beta) = match narrow {
            true => (previous - width, previous + width),
            false => (-INFINITE, INFINITE),
        };
        let mut failed_high = 0;
        loop {
            self.selective_depth = 0;
            let searched = (depth - failed_high).max(1);
            let value = self.search_node::<ROOT>(node, alpha, beta, searched);
            let first_root = self.first_root;
            RootMove::sort(&mut self.root_moves[first_root..]);
            if self.stopped || value > alpha && value < beta {
                return;
            }
            if self.index == 0
                && self.first_root == 0
                && shared.job.settings.multi_pv == 1
                && shared.job.started.elapsed() >= bound_report_delay()
            {
                self.report_bound();
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
    fn should_end(&mut self, depth: u32, stability: &mut BestMoveStability<B::Move>) -> bool {
        let shared = self.shared;
        let limits = &shared.job.limits;
        let best = &self.root_moves[0];
        // A mate against the side to move is certain only when all lines of that length have been searched.
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
        let scale = stability.scale(best.m, best.score, share);
        let Some(soft) = shared.budget.soft else { return false };
        let forced = self.root_moves.len() == 1 && depth >= FORCED_DEPTH;
        // A mate within half the depth will not get any shorter.
        let mated = score::mate_plies(best.score).is_some_and(|plies| plies.unsigned_abs() * 2 < depth);
        self.soft_limit = if forced || mated { Duration::ZERO } else { scaled(soft, scale) };
        shared.pondered().is_some() && shared.job.started.elapsed() >= self.soft_limit
    }
}
