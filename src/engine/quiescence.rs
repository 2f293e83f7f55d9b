//! Quiescence search: captures and check evasions until the position is quiet enough to be evaluated.
//!
//! Any table entry is deep enough here.

use super::node::{Bounds, Node, PV, TtHit, Window, tt_move};
use super::ordering::Picker;
use super::score::{self, NONE, Value};
use super::searcher::Searcher;
use super::tt::Entry;
use crate::game::{GameMove, Searchable};
use std::ops::ControlFlow;

impl<B: Searchable> Searcher<'_, B> {
    /// Quiescence search of `node`.
    pub(super) fn quiescence<const NODE: u8>(&mut self, node: Node<'_, B>, alpha: Value, beta: Value) -> Value {
        let shared = self.shared;
        let pv = NODE == PV;
        let Node { pos, ply, .. } = node;
        let in_check = pos.in_check();
        let params = &shared.job.settings.params;
        let bounds = match self.begin_node::<NODE>(node, alpha, beta) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(bounds) => bounds,
        };
        let (alpha, beta) = (alpha.max(bounds.floor), beta.min(bounds.ceiling));
        let repeats = bounds != Bounds::NONE;

        let early_eval = self.evaluate_early(node);
        let hit = TtHit::probe(&shared.job.tt, node);
        if let Some(hit) = hit
            && !pv
            && !repeats
            && hit.causes_cutoff(beta)
            && B::plies_to_draw(pos) as i32 > params.table_cut_plies
        {
            return hit.value;
        }
        let mut window = Window::new(alpha, beta);
        window.best = bounds.floor;
        let (mut raw_eval, mut futility) = (NONE, score::INFINITE);
        if !in_check {
            // Stand pat.
            let static_eval;
            (raw_eval, static_eval) = self.static_eval(node, hit, early_eval);
            let eval = hit.map_or(static_eval, |hit| hit.adjusted_eval(static_eval));
            window.best = eval.clamp(bounds.floor, bounds.ceiling);
            if window.best >= beta {
                return window.best;
            }
            window.alpha = alpha.max(window.best);
            futility = window.best + params.quiescence_margin;
        }

        let tt_move = hit.and_then(|hit| tt_move(pos, &hit.entry)).filter(|&m| in_check || pos.is_noisy(m));
        let mut picker = match in_check {
            true => Picker::all(tt_move),
            false => Picker::noisy(tt_move, 0),
        };
        let context = self.context(node, in_check);
        let mut count = 0;
        while let Some(m) = picker.next(pos, self.history, params, &context) {
            count += 1;
            if window.best > -score::DECIDED_BOUND {
                if in_check {
                    // Once an evasion avoids mate, quiet moves and losing captures are skipped.
                    if count > 1 && !pos.is_noisy(m) {
                        break;
                    }
                } else {
                    let futility_value = futility + pos.gain(m);
                    if futility_value <= window.alpha {
                        window.best = window.best.max(futility_value);
                        continue;
                    }
                    if futility <= window.alpha && !pos.see_at_least(m, 1) {
                        window.best = window.best.max(futility);
                        continue;
                    }
                }
            }
            let mut child = *pos;
            child.make(m);
            // The best captures come first: if the first few do not help, only those with check are tried.
            if !in_check && !child.in_check() && count > params.quiescence_moves && window.best > -score::DECIDED_BOUND
            {
                continue;
            }
            shared.job.tt.prefetch(child.key());
            self.enter(node, m, pos.code(m));
            let next = node.child(&child, false);
            let value = -self.quiescence::<NODE>(next, -beta, -window.alpha);
            self.trail.pop();
            if self.stopped {
                return score::DRAW;
            }
            if window.raise(m, value) {
                if pv {
                    self.extend_line(ply, m);
                }
                if window.is_cut() {
                    break;
                }
            }
        }
        if in_check && count == 0 {
            return Self::no_move(true, ply);
        }
        if repeats {
            return window.best.min(bounds.ceiling);
        }
        let entry = Entry {
            m: window.best_move.raw(),
            score: score::to_tt(window.best, ply),
            eval: raw_eval,
            depth: 0,
            bound: window.bound,
            pv: pv || hit.is_some_and(|hit| hit.entry.pv),
        };
        shared.job.tt.store(pos.key(), entry);
        window.best
    }
}
