//! Pruning of whole nodes (razoring, reverse futility, null move, ProbCut) and of single moves at shallow depth (late
//! moves, history, futility, static exchange evaluation).
//!
//! The constants of each rule are in `game::search::params`.

use super::node::{Candidate, NON_PV, Node, NodeState};
use super::ordering::Picker;
use super::score::{self, Bound, DECIDED_BOUND, NONE, Value};
use super::searcher::Searcher;
use super::tt::Entry;
use crate::game::{GameMove, Searchable};

/// Tries to prune a non-PV node. The side to move is not in check and no move is excluded. `repeats` is whether the
/// value depends on the moves that led here, so that the table must not get it.
pub(super) fn prune_node<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    state: &NodeState<'_, B>,
    repeats: bool,
) -> Option<Value> {
    let &NodeState { node, depth, eval, improving, .. } = state;
    let (alpha, beta) = (state.window.alpha, state.window.beta);
    let params = searcher.params;
    // Razoring: far below alpha, so only captures can help.
    if depth <= 3 && eval + params.razoring_margin * depth < alpha {
        let value = searcher.quiescence::<NON_PV>(node, alpha, alpha + 1);
        if searcher.stopped || value <= alpha {
            return Some(value);
        }
    }
    // Reverse futility pruning: so far above beta that the opponent's best move should not help.
    if depth <= params.reverse_futility_depth
        && eval - params.reverse_futility_margin * (depth - i32::from(improving)) >= beta
        && !score::is_decided(beta)
        && !score::is_decided(eval)
    {
        return Some((eval + beta) / 2);
    }
    if let Some(value) = null_move(searcher, state) {
        return Some(value);
    }
    // ProbCut: a good capture that is far above beta in a reduced search.
    let limit = beta + params.prob_cut_margin - params.prob_cut_improving * i32::from(improving);
    if depth >= 5
        && !score::is_decided(beta)
        && state.hit.is_none_or(|hit| hit.entry.depth < depth - 3 || hit.value >= limit)
    {
        return prob_cut(searcher, state, limit, repeats);
    }
    None
}

/// Null-move pruning: the position is so good that the side can pass and still fail high.
#[inline(always)]
fn null_move<B: Searchable>(searcher: &mut Searcher<'_, B>, state: &NodeState<'_, B>) -> Option<Value> {
    let &NodeState { node, depth, eval, static_eval, .. } = state;
    let Node { pos, ply, .. } = node;
    let beta = state.window.beta;
    let params = searcher.params;
    let no_code = searcher.history.no_code();
    let after_null = searcher.earlier(ply, 1).code == no_code && ply > 0;
    let promising = depth >= 3
        && !after_null
        && ply >= searcher.null_from
        && eval >= beta
        && static_eval + params.null_slope * depth >= beta + params.null_margin
        && eval >= static_eval
        && !score::is_decided(beta)
        && !pos.null_is_risky();
    if !promising {
        return None;
    }
    let reduction = params.null_base + depth / 3 + ((eval - beta) / params.null_lead.max(1)).min(3);
    let mut child = *pos;
    child.make_null();
    searcher.shared.job.tt.prefetch(child.key());
    let since_null = searcher.enter_null(node);
    let next = node.child(&child, !node.cut);
    let value = -searcher.search_node::<NON_PV>(next, -beta, -beta + 1, depth - reduction);
    searcher.since_null = since_null;
    searcher.trail.pop();
    if searcher.stopped {
        return Some(score::DRAW);
    }
    if value < beta {
        return None;
    }
    // Do not return unproven mates.
    let value = if score::is_decided(value) { beta } else { value };
    if depth < 12 || searcher.null_from > 0 {
        return Some(value);
    }
    // Verification at high depth: search again with null moves disabled for some plies.
    searcher.null_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
    let same = Node { cut: false, ..node };
    let verified = searcher.search_node::<NON_PV>(same, beta - 1, beta, depth - reduction);
    searcher.null_from = 0;
    (searcher.stopped || verified >= beta).then_some(value)
}

/// Searches good captures for one that reaches `limit` at reduced depth.
fn prob_cut<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    state: &NodeState<'_, B>,
    limit: Value,
    repeats: bool,
) -> Option<Value> {
    let shared = searcher.shared;
    let &NodeState { node, depth, static_eval, .. } = state;
    let pos = node.pos;
    let mut picker = Picker::noisy(None, (limit - static_eval).max(0));
    let context = searcher.context(node, false);
    for _ in 0..searcher.params.prob_cut_moves + 2 * i32::from(node.cut) {
        let Some(m) = picker.next(pos, searcher.history, searcher.params, &context) else {
            break;
        };
        let mut child = *pos;
        child.make(m);
        shared.job.tt.prefetch(child.key());
        searcher.enter(node, m, pos.code(m));
        let next = node.child(&child, !node.cut);
        let mut value = -searcher.quiescence::<NON_PV>(next, -limit, -limit + 1);
        if value >= limit && !searcher.stopped {
            value = -searcher.search_node::<NON_PV>(next, -limit, -limit + 1, depth - 4);
        }
        searcher.trail.pop();
        if searcher.stopped {
            return Some(score::DRAW);
        }
        if value >= limit && !score::is_decided(value) {
            if !repeats {
                let (m, depth, bound) = (m.raw(), depth - 3, Bound::Lower);
                let entry = Entry { m, score: value, eval: NONE, depth, bound, pv: false };
                shared.job.tt.store(pos.key(), entry);
            }
            return Some(value);
        }
    }
    None
}

/// Whether to prune a move of a node below the root. `quiets` is the number of quiet moves searched before it.
#[inline(always)]
pub(super) fn shallow_prune<B: Searchable>(
    searcher: &Searcher<'_, B>,
    state: &mut NodeState<'_, B>,
    candidate: &Candidate<B::Move>,
    quiets: usize,
    picker: &mut Picker<B::Move>,
) -> bool {
    let params = searcher.params;
    let &Candidate { m, history_score, reduction, .. } = candidate;
    let pos = state.node.pos;
    let in_check = pos.in_check();
    let depth = state.depth;
    if state.window.best <= -DECIDED_BOUND {
        return false;
    }
    if candidate.gives_check {
        let margin = params.see_check_margin * depth;
        return margin > 0 && !pos.see_at_least(m, -margin);
    }
    if candidate.noisy {
        return depth <= 7 && !pos.see_at_least(m, -params.see_noisy_margin * depth);
    }
    // Late move pruning (by move count).
    let move_count_limit =
        (params.late_base + params.late_slope * depth * depth) / 64 / (2 - i32::from(state.improving));
    if !in_check && quiets as i32 >= move_count_limit {
        picker.skip_quiet();
        return true;
    }
    // History pruning. From here on margins depend on the depth after reduction.
    let lmr_depth = (depth - 1 - reduction / 1024).max(0);
    if lmr_depth <= 4 && history_score < -params.history_margin * (lmr_depth + 1) {
        return true;
    }
    // Futility pruning: the static evaluation is too far below alpha.
    if !in_check && lmr_depth <= 8 {
        let futility_value = state.static_eval
            + params.futility_base
            + params.futility_margin * lmr_depth
            + history_score / params.futility_history;
        if futility_value <= state.window.alpha {
            state.window.best = state.window.best.max(futility_value);
            picker.skip_quiet();
            return true;
        }
    }
    // SEE pruning: the move loses too much material.
    lmr_depth <= 8 && !pos.see_at_least(m, -params.see_quiet_margin * lmr_depth)
}
