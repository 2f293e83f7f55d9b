//! Alpha-beta: principal variation search with pruning, reductions and extensions, and the quiescence search at its
//! horizon.
//!
//! Whole nodes and single moves are pruned in `pruning`, which calls back. `game::search::params` has the constants.
//! Scores are fail-soft and from the side to move's point of view.

use super::history::Context;
use super::node::{Bounds, Candidate, NON_PV, Node, NodeState, PV, ROOT, Tried, TtHit, Window, tt_move};
use super::ordering::Picker;
use super::score::{self, Bound, NONE, Value};
use super::searcher::{Frame, Searcher};
use super::tt::Entry;
use super::{pruning, tablebase};
use crate::game::{GameMove, Searchable};
use std::ops::ControlFlow;

impl<B: Searchable> Searcher<'_, B> {
    /// Searches `node` to `depth` and returns its value.
    #[allow(clippy::too_many_lines, reason = "one sequence of numbered steps")]
    pub(super) fn search_node<const NODE: u8>(
        &mut self,
        node: Node<'_, B>,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
    ) -> Value {
        let shared = self.shared;
        let (root, pv) = (NODE == ROOT, NODE != NON_PV);
        let Node { pos, ply, cut } = node;
        let in_check = pos.in_check();
        let params = self.params;

        // 1. Check extension. At depth 0 quiescence search takes over.
        if in_check && !root {
            depth += 1;
        }
        if depth <= 0 {
            return if pv {
                self.quiescence::<PV>(node, alpha, beta)
            } else {
                self.quiescence::<NON_PV>(node, alpha, beta)
            };
        }

        // 2. Return if the search is stopped, the game is over or the maximum ply is reached.
        let bounds = match self.begin_node::<NODE>(node, alpha, beta) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(bounds) => bounds,
        };
        (alpha, beta) = (alpha.max(bounds.floor), beta.min(bounds.ceiling));
        // A value within bounds, from tablebases or from a repetition that the rules forbid, depends on more than
        // the position: it is neither taken from the table nor stored there.
        let repeats = bounds != Bounds::NONE;

        // 3. Mate distance pruning: from here no line is better than mate in one, or worse than being mated now.
        if !root {
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. Transposition table cutoff.
        let none = B::Move::default();
        let excluded = self.frame_mut(ply).excluded;
        let no_excluded = excluded == none;
        let (hit, early_eval) = if no_excluded {
            let early_eval = self.evaluate_early(node);
            (TtHit::probe(&shared.job.tt, node), early_eval)
        } else {
            (None, NONE)
        };
        if no_excluded {
            self.frame_mut(ply).was_pv = pv || hit.is_some_and(|hit| hit.entry.pv);
        }
        if let Some(hit) = hit
            && !pv
            && !repeats
            && hit.entry.depth >= depth
            && hit.causes_cutoff(beta)
            && B::plies_to_draw(pos) as i32 > params.table_cut_plies
        {
            self.update_from_tt_cut(node, depth, &hit, hit.value >= beta);
            return hit.value;
        }

        // 5. Tablebase probe.
        let bounds = match tablebase::probe(self, node, depth, (alpha, beta), bounds) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(bounds) => bounds,
        };

        // 6. Static evaluation and node state.
        let mut window = Window::new(alpha.max(bounds.floor), beta);
        window.best = bounds.floor;
        let mut state = self.assess::<NODE>(node, depth, window, (hit, early_eval));
        self.frame_mut(ply + 1).killers = [none; 2];
        self.frame_mut(ply + 1).excluded = none;
        self.frame_mut(ply + 2).cutoffs = 0;
        if no_excluded && !in_check && !root {
            self.update_from_evaluation(node, state.static_eval);
        }
        self.frame_mut(ply + 1).doubles = self.frame_mut(ply).doubles;

        // 7. Prune the whole node: razoring, futility, null move, ProbCut.
        if !pv
            && !in_check
            && no_excluded
            && let Some(value) = pruning::prune_node(self, &state, repeats)
        {
            return value.clamp(bounds.floor, bounds.ceiling);
        }

        // 8. Internal iterative reduction: without a table move the search is expensive. The root always has a move,
        // even if it is not stored.
        if !root
            && depth >= 4
            && no_excluded
            && (pv || cut)
            && hit.is_none_or(|hit| hit.entry.m == 0 || hit.entry.depth + 4 < depth)
        {
            depth -= 1;
            state.depth = depth;
        }

        let mut picker = Picker::all(state.tt_move);
        let context = self.context(node, true);
        let mut tried = Tried::new();
        let mut count = 0;
        loop {
            // 9. The next move.
            let next_move =
                if root { self.next_root_move(count) } else { picker.next(pos, self.history, params, &context) };
            let Some(m) = next_move else { break };
            if m == excluded && !no_excluded {
                continue;
            }
            count += 1;
            if root && let Some(reporter) = &mut self.reporter {
                reporter.current_move = Some((m, self.first_root + count));
            }
            let (noisy, code) = (pos.is_noisy(m), pos.code(m));
            let history_score = if noisy {
                self.history.capture(pos, m)
            } else {
                self.history.butterfly(pos.side(), context.threats, m)
                    + self.history.structure(context.structure, code, params.structure_history)
                    + self.history.continuation(context.before[0], code)
                    + self.history.continuation(context.before[1], code)
            };
            let mut child = *pos;
            child.make(m);
            let reduction = self.reduction(depth, count);
            let candidate = Candidate { m, noisy, gives_check: child.in_check(), history_score, reduction };

            // 10. Shallow-depth pruning of moves.
            let quiets = tried.quiet.len();
            if !root && pruning::shallow_prune(self, &mut state, &candidate, quiets, &mut picker) {
                continue;
            }
            shared.job.tt.prefetch(child.key());

            // 11. Singular extension of the table move.
            let extension = match self.singular_extension::<NODE>(&state, m) {
                ControlFlow::Continue(extension) => extension,
                ControlFlow::Break(value) => return value.clamp(bounds.floor, bounds.ceiling),
            };

            // 12. Search the move: late moves with a reduction first, all but the first with a null window.
            self.enter(node, m, code);
            let frame = self.frame_mut(ply);
            (frame.quiet, frame.threats, frame.count) = (!noisy, context.threats, count);
            self.frame_mut(ply + 1).doubles = self.frame_mut(ply).doubles + u32::from(extension >= 2);
            let before_nodes = self.nodes;
            let new_depth = depth - 1 + extension;
            let (alpha, beta) = (state.window.alpha, state.window.beta);
            let mut value = -score::INFINITE;
            let mut full = !pv || count > 1;
            let mut reducible = false;
            if depth >= 2 && count > 1 + usize::from(root) {
                let late = picker.is_late_noisy();
                let reduction = self.late_move_reduction::<NODE>(&state, &candidate, &context, late);
                let deeper = reduction < -1024 && count <= 5;
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + i32::from(deeper));
                reducible = true;
                let next = node.child(&child, true);
                value = -self.search_node::<NON_PV>(next, -alpha - 1, -alpha, reduced);
                full = value > alpha && reduced < new_depth && !self.stopped;
            }
            if full {
                let next = node.child(&child, !cut);
                value = -self.search_node::<NON_PV>(next, -alpha - 1, -alpha, new_depth);
                if reducible && !noisy && !self.stopped {
                    let good = value > alpha;
                    let bonus = if good { params.bonus(new_depth) } else { -params.malus(new_depth) };
                    self.history.update_continuations(&context, code, bonus);
                }
            }
            if pv && !self.stopped && (count == 1 || value > alpha) {
                let next = node.child(&child, false);
                value = -self.search_node::<PV>(next, -beta, -alpha, new_depth);
            }
            self.trail.pop();
            if self.stopped {
                return score::DRAW;
            }

            // 13. Update the root moves, the window and the line.
            if root {
                let (index, nodes) = (self.first_root + count - 1, self.nodes - before_nodes);
                let bound = match value {
                    _ if value >= beta => Bound::Lower,
                    _ if value > alpha => Bound::Exact,
                    _ => Bound::Upper,
                };
                let known = (count == 1 || value > alpha).then_some(bound);
                self.record_root(index, value, known, nodes);
            }
            if state.window.raise(m, value) {
                if pv {
                    self.extend_line(ply, m);
                }
                if state.window.is_cut() {
                    break;
                }
            }
            if m != state.window.best_move {
                tried.push(m, noisy);
            }
        }

        // 14. No legal move: mate or stalemate. In a singular search the excluded move was the only one.
        if count == 0 {
            return if no_excluded { Self::no_move(in_check, ply) } else { alpha };
        }

        // 15. Update the histories and the transposition table.
        if state.window.is_cut() {
            self.frame_mut(ply).cutoffs += 1;
            self.update_histories(&state, &tried, &context);
        } else if no_excluded && !root && state.window.best_move == none {
            self.reward_previous_move(node, params.bonus(depth));
        }
        if no_excluded && !root && depth > 3 {
            // Without a cutoff the node counts as PV if its parent does. With one it stays PV only if the refuting
            // child is.
            if state.window.is_cut() {
                state.was_pv &= self.frame_mut(ply + 1).was_pv;
            } else {
                state.was_pv |= self.earlier(ply, 1).was_pv;
            }
            self.frame_mut(ply).was_pv = state.was_pv;
        }
        // What is stored must not be above the bound of the tablebases.
        state.window.cap(bounds.ceiling);
        if no_excluded && !repeats && !(root && (self.first_root > 0 || !shared.whole_root)) {
            self.store_result(&state);
        }
        state.window.best
    }

    /// The root move after `count` others of the current line (MultiPV). Only moves of the same rank are searched
    /// together.
    fn next_root_move(&self, count: usize) -> Option<B::Move> {
        let first = self.root_moves.get(self.first_root)?;
        let next = self.root_moves.get(self.first_root + count)?;
        (next.rank == first.rank).then_some(next.m)
    }

    /// The node state before the first move: table move, static evaluation and the best estimate of the value.
    #[inline(always)]
    fn assess<'a, const NODE: u8>(
        &mut self,
        node: Node<'a, B>,
        depth: i32,
        window: Window<B::Move>,
        (hit, early_eval): (Option<TtHit>, Value),
    ) -> NodeState<'a, B> {
        let Node { pos, ply, .. } = node;
        let in_check = pos.in_check();
        let tt_move = if NODE == ROOT {
            Some(self.root_moves[self.first_root].m)
        } else {
            hit.and_then(|hit| tt_move(pos, &hit.entry))
        };
        let excluded = self.frame_mut(ply).excluded;
        let (mut raw_eval, mut static_eval) = (NONE, NONE);
        if !in_check {
            if excluded == B::Move::default() {
                (raw_eval, static_eval) = self.static_eval(node, hit, early_eval);
            } else {
                static_eval = self.frame_mut(ply).eval;
            }
        }
        self.frame_mut(ply).eval = static_eval;
        let eval = match hit {
            Some(hit) if !in_check => hit.adjusted_eval(static_eval),
            _ => static_eval,
        };
        let improving = !in_check && {
            let (two, four) = (self.earlier(ply, 2).eval, self.earlier(ply, 4).eval);
            let before = if two != NONE { two } else { four };
            before == NONE || static_eval > before
        };
        let was_pv = self.frame_mut(ply).was_pv;
        self.frame_mut(ply + 1).was_pv = false;
        NodeState { node, depth, window, excluded, hit, tt_move, was_pv, raw_eval, static_eval, eval, improving }
    }

    /// The extension of the move `m` in plies, 1 or 2 if it is singular, negative if other moves are good too. Breaks
    /// with the node's value if the singular search proves a cutoff (multi-cut).
    #[inline(always)]
    fn singular_extension<const NODE: u8>(&mut self, state: &NodeState<'_, B>, m: B::Move) -> ControlFlow<Value, i32> {
        let (params, &NodeState { node, depth, .. }) = (self.params, state);
        let (ply, beta) = (node.ply, state.window.beta);
        if NODE == ROOT
            || !state.no_excluded()
            || depth < params.singular_depth
            || Some(m) != state.tt_move
            || ply >= 2 * self.root_depth.max(1) as usize
        {
            return ControlFlow::Continue(0);
        }
        let Some(TtHit { entry, value }) = state.hit else { return ControlFlow::Continue(0) };
        if entry.m != m.raw() || entry.bound == Bound::Upper || entry.depth < depth - 3 || score::is_decided(value) {
            return ControlFlow::Continue(0);
        }
        let limit = value - params.singular_margin * depth / 64;
        let other = self.search_without(node, m, limit, (depth - 1) / 2);
        if self.stopped {
            return ControlFlow::Break(score::DRAW);
        }
        if other < limit {
            let twice = NODE == NON_PV && other < limit - params.singular_double && self.frame_mut(ply).doubles < 6;
            ControlFlow::Continue(if twice { 2 } else { 1 })
        } else if limit >= beta {
            // Multi-cut: another move also reaches beta, so the full search is expected to fail high.
            ControlFlow::Break(limit)
        } else {
            ControlFlow::Continue(-i32::from(value >= beta))
        }
    }

    /// Searches `node` without the move `m`, with a null window below `beta`, and returns the value.
    fn search_without(&mut self, node: Node<'_, B>, m: B::Move, beta: Value, depth: i32) -> Value {
        self.frame_mut(node.ply).excluded = m;
        let value = self.search_node::<NON_PV>(node, beta - 1, beta, depth);
        self.frame_mut(node.ply).excluded = B::Move::default();
        value
    }

    /// The reduction of a late move, in 1/1024 plies. `late_noisy` is whether it is a capture that loses material.
    #[inline(always)]
    fn late_move_reduction<const NODE: u8>(
        &self,
        state: &NodeState<'_, B>,
        candidate: &Candidate<B::Move>,
        context: &Context<B::Move>,
        late_noisy: bool,
    ) -> i32 {
        let params = self.params;
        let Node { pos, ply, cut, .. } = state.node;
        let &Candidate { m, history_score, gives_check, mut reduction, .. } = candidate;
        reduction += params.reduction_worse * i32::from(!state.improving);
        reduction += params.reduction_cut * i32::from(cut);
        let pv = NODE != NON_PV;
        reduction -= params.reduction_pv * (i32::from(state.was_pv) + i32::from(pv));
        reduction -= params.reduction_check * i32::from(gives_check);
        if candidate.noisy {
            reduction -= if late_noisy { params.reduction_losing_capture } else { params.reduction_capture };
            reduction -= history_score / params.reduction_capture_history;
        } else {
            if context.killers.contains(&m) {
                reduction -= params.reduction_killer;
            }
            if state.tt_move.is_some_and(|t| pos.is_noisy(t)) {
                reduction += params.reduction_noisy;
            }
            reduction -= history_score / params.reduction_history;
        }
        if self.frame(ply + 1).cutoffs > 3 {
            reduction += params.reduction_cutoffs;
        }
        reduction
    }

    /// Stores the result in the transposition table, and updates the correction history with its difference from the
    /// static evaluation.
    #[inline(always)]
    fn store_result(&mut self, state: &NodeState<'_, B>) {
        let &NodeState { node, depth, raw_eval, static_eval, .. } = state;
        let Node { pos, ply, .. } = node;
        let Window { best, best_move, bound, .. } = state.window;
        let entry = Entry {
            m: best_move.raw(),
            score: score::to_tt(best, ply),
            eval: raw_eval,
            depth,
            bound,
            pv: state.was_pv,
        };
        self.shared.job.tt.store(pos.key(), entry);
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best > static_eval,
            Bound::Upper => best < static_eval,
        };
        let quiet_result = !pos.in_check() && (best_move == B::Move::default() || !pos.is_noisy(best_move));
        if quiet_result && informative && !score::is_decided(best) {
            let keys = self.correction_keys(node);
            self.history.update_correction(&keys, depth, best - static_eval);
        }
    }

    /// Updates histories, killers and counter-move after a cutoff: a bonus for the best move, a malus for the other
    /// searched moves; for quiet ones only if the best move is quiet.
    fn update_histories(&mut self, state: &NodeState<'_, B>, tried: &Tried<B::Move>, context: &Context<B::Move>) {
        let params = self.params;
        let Node { pos, ply, .. } = state.node;
        let Window { beta, best, best_move, .. } = state.window;
        let depth = state.depth + i32::from(best > beta + params.bonus_margin);
        let (bonus, malus) = (params.bonus(depth), -params.malus(depth));
        let history = &mut self.history;
        if pos.is_noisy(best_move) {
            history.update_capture(pos, best_move, bonus);
        } else {
            history.update_quiet(pos, best_move, context, bonus);
            for &m in tried.quiet.as_slice() {
                history.update_quiet(pos, m, context, malus);
            }
            history.set_counter(context.before[0], best_move.raw());
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != best_move {
                *killers = [best_move, killers[0]];
            }
        }
        for &m in tried.noisy.as_slice() {
            self.history.update_capture(pos, m, malus);
        }
    }

    /// Updates the quiet history of the table move after a table cutoff at `node`. `good` is whether the entry fails
    /// high.
    fn update_from_tt_cut(&mut self, node: Node<'_, B>, depth: i32, hit: &TtHit, good: bool) {
        let params = self.params;
        let pos = node.pos;
        if let Some(m) = tt_move(pos, &hit.entry)
            && !pos.is_noisy(m)
        {
            let context = self.context(node, true);
            let bonus = if good { params.bonus(depth) } else { -params.malus(depth) };
            self.history.update_quiet(pos, m, &context, bonus);
        }
        // The table has a reply that refutes the previous move: give an early quiet move a malus.
        let &Frame { code, quiet, count, .. } = self.earlier(node.ply, 1);
        if good && hit.entry.m != 0 && quiet && count <= 2 {
            for back in [2, 3] {
                let before = self.earlier(node.ply, back).code;
                self.history.update_continuation(before, code, -params.malus(depth + 1));
            }
        }
    }

    /// Every move of `node` failed low, so the previous move was good: gives it `bonus` if it is quiet.
    fn reward_previous_move(&mut self, node: Node<'_, B>, bonus: i32) {
        let &Frame { m, code, quiet, threats, .. } = self.earlier(node.ply, 1);
        if !quiet {
            return;
        }
        self.history.update_butterfly(node.pos.side().flip(), threats, m, bonus);
        for back in [2, 3] {
            let before = self.earlier(node.ply, back).code;
            self.history.update_continuation(before, code, bonus);
        }
    }

    /// Updates the history of the previous move, if it was quiet, by how much it changed the static evaluation.
    #[inline(always)]
    fn update_from_evaluation(&mut self, node: Node<'_, B>, eval: Value) {
        let params = self.params;
        let &Frame { m, quiet, threats, eval: before, .. } = self.earlier(node.ply, 1);
        if quiet && before != NONE && eval != NONE {
            let limit = params.evaluation_bonus_limit;
            let bonus = (-params.evaluation_bonus * (before + eval)).clamp(-limit, limit);
            self.history.update_butterfly(node.pos.side().flip(), threats, m, bonus);
        }
    }

    /// Quiescence search of `node`: captures and check evasions until the position is quiet enough to be evaluated. Any
    /// table entry is deep enough here.
    pub(super) fn quiescence<const NODE: u8>(&mut self, node: Node<'_, B>, alpha: Value, beta: Value) -> Value {
        let shared = self.shared;
        let pv = NODE == PV;
        let Node { pos, ply, .. } = node;
        let in_check = pos.in_check();
        let params = self.params;
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
        let mut picker = if in_check { Picker::all(tt_move) } else { Picker::noisy(tt_move, 0) };
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
