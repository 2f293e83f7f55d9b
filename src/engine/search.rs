//! Alpha-beta: principal variation search with pruning, reductions and extensions.
//!
//! `deepening` calls it at the root, it calls itself and `quiescence`. Every heuristic has its switch in
//! `params`. Scores are fail-soft and seen from the side to move.

use super::ordering::Picker;
use super::params::Params;
use super::score::{self, Bound, DECIDED_BOUND, MAX_PLY, NONE, Score};
use super::searcher::{Searcher, settles, sharpens};
use super::tt::Entry;
use super::worker::Shared;
use crate::base::list::MoveList;
use crate::game::{GameMove, Playable};
use std::time::Duration;

/// A node whose window is empty: the answer is only "at least" or "at most".
pub(super) const NON_PV: u8 = 0;
/// A node with an open window.
pub(super) const PV: u8 = 1;
/// The root.
pub(super) const ROOT: u8 = 2;

/// Moves before which nothing is said about the move being searched.
const QUIET_START: Duration = Duration::from_secs(1);

/// The changing part of a call: where it stands and what it may spend.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, P> {
    pub pos: &'a P,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    /// A cut-off is expected here.
    pub cut: bool,
}

impl<P: Playable> Searcher<P> {
    /// The value of a node searched `depth` plies deep.
    pub(super) fn search<const NODE: u8>(
        &mut self,
        shared: &Shared<'_, P>,
        node: Node<'_, P>,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
    ) -> Score {
        let (root, pv) = (NODE == ROOT, NODE != NON_PV);
        let Node { pos, key, in_check, ply, cut } = node;
        let params = self.params;
        let on = Params::on;
        if on(params.check_extension) && in_check && !root {
            depth += 1;
        }
        if depth <= 0 {
            return if pv {
                self.quiescence::<PV>(shared, pos, key, in_check, alpha, beta, ply)
            } else {
                self.quiescence::<NON_PV>(shared, pos, key, in_check, alpha, beta, ply)
            };
        }
        if pv {
            self.line(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.must_stop(shared) {
            return score::DRAW;
        }
        if !root {
            if let Some(score) = self.ended(pos, key, ply) {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return self.too_deep(shared, pos, key, in_check);
            }
            // No line from here is better than mating now or worse than being mated now.
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let none = P::Move::default();
        let excluded = self.frame(ply).excluded;
        let whole = excluded == none;
        let entry = if whole { shared.table.probe(key) } else { None };
        let table_score = entry.map(|e| score::from_table(e.score, ply));
        if let (Some(entry), Some(value)) = (entry, table_score)
            && !pv
            && entry.depth >= depth
            && settles(entry.bound, value, beta)
            && on(params.table_cuts)
        {
            return value;
        }
        let table_move = if root {
            Some(self.root_moves[self.first_root].m)
        } else {
            entry.map(|e| P::Move::from_raw(e.m)).filter(|&m| m != none && pos.is_legal(m))
        };
        let was_pv = pv || entry.is_some_and(|e| e.pv);

        // The static evaluation, and the best guess of the value.
        let (mut raw, mut eval) = (NONE, NONE);
        if !in_check {
            if whole {
                (raw, eval) = self.static_eval(shared, pos, key, entry.as_ref());
            } else {
                eval = self.frame(ply).eval;
            }
        }
        self.frame(ply).eval = eval;
        let static_eval = eval;
        if let (false, Some(entry), Some(value)) = (in_check, entry, table_score)
            && sharpens(entry.bound, value, eval)
        {
            eval = value;
        }
        let improving = !in_check && {
            let (two, four) = (self.earlier(ply, 2).eval, self.earlier(ply, 4).eval);
            let before = if two != NONE { two } else { four };
            before == NONE || static_eval > before
        };
        self.frame(ply + 1).killers = [none; 2];
        self.frame(ply + 1).excluded = none;
        self.frame(ply + 2).cutoffs = 0;
        self.frame(ply + 1).doubles = self.frame(ply).doubles;

        if !pv && !in_check && whole {
            if let Some(value) = self.prune_node(
                shared,
                node,
                alpha,
                beta,
                depth,
                (static_eval, eval, improving),
                entry.as_ref(),
            ) {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }
        }
        if on(params.iterative_reduction)
            && depth >= 4
            && whole
            && (pv || cut)
            && entry.is_none_or(|e| e.m == 0 || e.depth + 4 < depth)
        {
            depth -= 1;
        }

        let mut picker = Picker::all(table_move);
        let context = self.context(ply);
        let mut tried_quiet = MoveList::<P::Move, 256>::new();
        let mut tried_noisy = MoveList::<P::Move, 256>::new();
        let (mut best, mut best_move, mut bound) = (-score::INFINITE, none, Bound::Upper);
        let mut count = 0;
        let mut root_index = self.first_root;
        loop {
            let m = if root {
                let Some(root_move) = self.root_moves.get(root_index) else { break };
                root_index += 1;
                root_move.m
            } else {
                match picker.next(pos, &self.history, &params, &context) {
                    Some(m) => m,
                    None => break,
                }
            };
            if m == excluded && !whole {
                continue;
            }
            count += 1;
            let noisy = pos.is_noisy(m);
            let code = pos.code(m);
            if root && self.index == 0 && shared.job.started.elapsed() >= QUIET_START {
                shared.job.report.current_move(self.root_depth as u32, m, root_index as u32);
            }
            let learnt = if noisy {
                self.history.capture(pos, m)
            } else {
                self.history.butterfly(pos.side(), m)
                    + self.history.continuation(context.before[0], code)
                    + self.history.continuation(context.before[1], code)
            };
            let child_key = pos.key_after(key, m);
            shared.table.touch(child_key);
            let mut child = *pos;
            child.make(m);
            let check = child.in_check();
            let mut reduction = self.reduction(depth, count);

            // Moves that are not worth a look at this depth.
            if !root && best > -DECIDED_BOUND && !check {
                let near = (depth - 1 - reduction / 1024).max(0);
                if noisy {
                    if on(params.see_pruning)
                        && depth <= 7
                        && !pos.see_at_least(m, -params.see_noisy_margin * depth)
                    {
                        continue;
                    }
                } else {
                    let many = (3 + depth * depth) / (2 - i32::from(improving));
                    if on(params.late_move_pruning) && !in_check && tried_quiet.len() as i32 >= many
                    {
                        picker.skip_quiet();
                        continue;
                    }
                    if on(params.history_pruning) && near <= 4 && learnt < -4_000 * (near + 1) {
                        continue;
                    }
                    if on(params.futility) && !in_check && near <= 8 {
                        let hope = static_eval + 100 + params.futility_margin * near + learnt / 256;
                        if hope <= alpha {
                            best = best.max(hope.min(alpha));
                            picker.skip_quiet();
                            continue;
                        }
                    }
                    if on(params.see_pruning)
                        && near <= 8
                        && !pos.see_at_least(m, -params.see_quiet_margin * near)
                    {
                        continue;
                    }
                }
            }

            // A table move that is much better than all others is searched deeper.
            let mut extension = 0;
            if on(params.singular)
                && !root
                && whole
                && depth >= 7
                && Some(m) == table_move
                && ply < 2 * self.root_depth.max(1) as usize
                && let (Some(entry), Some(value)) = (entry, table_score)
                && entry.m == m.raw()
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 3
                && !score::is_decided(value)
            {
                let limit = value - 2 * depth;
                self.frame(ply).excluded = m;
                let other = self.search::<NON_PV>(shared, node, limit - 1, limit, (depth - 1) / 2);
                self.frame(ply).excluded = none;
                if self.stopped {
                    return score::DRAW;
                }
                if other < limit {
                    extension = 1;
                    if !pv && other < limit - 24 && self.frame(ply).doubles < 6 {
                        extension = 2;
                    }
                } else if limit >= beta {
                    // Several moves reach beta: so will the full search.
                    return limit;
                } else if value >= beta {
                    extension = -1;
                }
            }

            let frame = self.frame(ply);
            (frame.m, frame.code) = (m, code);
            self.frame(ply + 1).doubles = self.frame(ply).doubles + u32::from(extension >= 2);
            self.trail.push(pos.step(key, m));
            let before_nodes = self.nodes;
            let new_depth = depth - 1 + extension;
            let next =
                Node { pos: &child, key: child_key, in_check: check, ply: ply + 1, cut: false };

            let mut value = -score::INFINITE;
            let mut full = !pv || count > 1;
            if on(params.reductions) && depth >= 2 && count > 1 + usize::from(root) {
                // Late moves are searched less deep at first.
                reduction += params.reduction_worse * i32::from(!improving);
                reduction += params.reduction_cut * i32::from(cut);
                reduction -= 1024 * (i32::from(was_pv) + i32::from(pv) + i32::from(check));
                if noisy {
                    reduction -= if picker.is_late_noisy() { 512 } else { 1024 };
                    reduction -= learnt / 8;
                } else {
                    if context.killers.contains(&m) {
                        reduction -= 1024;
                    }
                    if table_move.is_some_and(|t| pos.is_noisy(t)) {
                        reduction += 768;
                    }
                    reduction -= learnt / params.reduction_history;
                }
                if self.frame(ply + 1).cutoffs > 3 {
                    reduction += 768;
                }
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                value = -self.search::<NON_PV>(
                    shared,
                    Node { cut: true, ..next },
                    -alpha - 1,
                    -alpha,
                    reduced,
                );
                full = value > alpha && reduced < new_depth && !self.stopped;
            }
            if full {
                value = -self.search::<NON_PV>(
                    shared,
                    Node { cut: !cut, ..next },
                    -alpha - 1,
                    -alpha,
                    new_depth,
                );
            }
            if pv && !self.stopped && (count == 1 || value > alpha) {
                value = -self.search::<PV>(shared, next, -beta, -alpha, new_depth);
            }
            self.trail.pop();
            if self.stopped {
                return score::DRAW;
            }

            if root {
                let nodes = self.nodes - before_nodes;
                self.record_root(root_index - 1, value, count == 1 || value > alpha, nodes);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = m;
                    if pv {
                        self.extend_line(ply, m);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                    alpha = value;
                    bound = Bound::Exact;
                }
            }
            if m != best_move {
                if noisy {
                    tried_noisy.push(m);
                } else {
                    tried_quiet.push(m);
                }
            }
        }

        if count == 0 {
            return if whole { Self::no_move(in_check, ply) } else { alpha };
        }
        if bound == Bound::Lower {
            self.frame(ply).cutoffs += 1;
            let bonus_depth = depth + i32::from(best > beta + 100);
            self.learn(node, best_move, bonus_depth, &tried_quiet, &tried_noisy);
        }
        if whole && !(root && self.first_root > 0) {
            let entry = Entry {
                m: best_move.raw(),
                score: score::to_table(best, ply),
                eval: raw,
                depth,
                bound,
                pv: was_pv,
            };
            shared.table.store(key, entry);
            let informative = match bound {
                Bound::Exact => true,
                Bound::Lower => best > static_eval,
                Bound::Upper => best < static_eval,
            };
            let quiet_result = !in_check && (best_move == none || !pos.is_noisy(best_move));
            if quiet_result && informative && !score::is_decided(best) {
                let structure = pos.structure_key();
                self.history.update_correction(pos.side(), structure, depth, best - raw);
            }
        }
        best
    }

    /// Tries to settle a node without searching its moves one by one.
    #[allow(clippy::too_many_arguments)]
    fn prune_node(
        &mut self,
        shared: &Shared<'_, P>,
        node: Node<'_, P>,
        alpha: Score,
        beta: Score,
        depth: i32,
        (static_eval, eval, improving): (Score, Score, bool),
        entry: Option<&Entry>,
    ) -> Option<Score> {
        let Node { pos, key, ply, .. } = node;
        let (params, on) = (self.params, Params::on);
        // So bad that only captures can help.
        if on(params.razoring) && depth <= 3 && eval + params.razoring_margin * depth < alpha {
            let value = self.quiescence::<NON_PV>(shared, pos, key, false, alpha, alpha + 1, ply);
            if self.stopped || value <= alpha {
                return Some(value);
            }
        }
        // So good that the opponent's best move will not help.
        if on(params.reverse_futility)
            && depth <= 8
            && eval - params.reverse_futility_margin * (depth - i32::from(improving)) >= beta
            && !score::is_decided(beta)
            && !score::is_decided(eval)
        {
            return Some((eval + beta) / 2);
        }
        // So good that even passing keeps it.
        let after_null = self.earlier(ply, 1).code == self.history.no_code() && ply > 0;
        if on(params.null_move)
            && depth >= 3
            && !after_null
            && ply >= self.null_from
            && eval >= beta
            && static_eval + 20 * depth >= beta + 120
            && !score::is_decided(beta)
            && !pos.null_is_risky()
        {
            let reduction = params.null_base + depth / 3 + ((eval - beta) / 200).min(3);
            let mut child = *pos;
            child.make_null();
            let no_code = self.history.no_code();
            let frame = self.frame(ply);
            (frame.m, frame.code) = (P::Move::default(), no_code);
            self.trail.push(pos.null_step(key));
            let next = Node {
                pos: &child,
                key: pos.key_after_null(key),
                in_check: false,
                ply: ply + 1,
                cut: !node.cut,
            };
            let value = -self.search::<NON_PV>(shared, next, -beta, -beta + 1, depth - reduction);
            self.trail.pop();
            if self.stopped {
                return Some(score::DRAW);
            }
            if value >= beta {
                // A mate found after passing is no proof.
                let value = if score::is_decided(value) { beta } else { value };
                if depth < 12 || self.null_from > 0 || !on(params.null_verification) {
                    return Some(value);
                }
                self.null_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                let check = self.search::<NON_PV>(
                    shared,
                    Node { cut: false, ..node },
                    beta - 1,
                    beta,
                    depth - reduction,
                );
                self.null_from = 0;
                if self.stopped || check >= beta {
                    return Some(value);
                }
            }
        }
        // A good capture that stays far above beta in a shallow search settles it as well.
        let limit = beta + 170 - 50 * i32::from(improving);
        if on(params.prob_cut)
            && depth >= 5
            && !score::is_decided(beta)
            && entry.is_none_or(|e| e.depth < depth - 3 || score::from_table(e.score, ply) >= limit)
        {
            return self.prob_cut(shared, node, limit, depth, static_eval);
        }
        None
    }

    /// Looks for a capture whose shallow search reaches `limit`.
    fn prob_cut(
        &mut self,
        shared: &Shared<'_, P>,
        node: Node<'_, P>,
        limit: Score,
        depth: i32,
        static_eval: Score,
    ) -> Option<Score> {
        let Node { pos, key, ply, .. } = node;
        let mut picker = Picker::noisy(None, (limit - static_eval).max(0));
        let context = self.context(ply);
        let params = self.params;
        while let Some(m) = picker.next(pos, &self.history, &params, &context) {
            let child_key = pos.key_after(key, m);
            shared.table.touch(child_key);
            let mut child = *pos;
            child.make(m);
            let code = pos.code(m);
            let frame = self.frame(ply);
            (frame.m, frame.code) = (m, code);
            self.trail.push(pos.step(key, m));
            let check = child.in_check();
            let mut value = -self.quiescence::<NON_PV>(
                shared,
                &child,
                child_key,
                check,
                -limit,
                -limit + 1,
                ply + 1,
            );
            if value >= limit && !self.stopped {
                let next = Node {
                    pos: &child,
                    key: child_key,
                    in_check: check,
                    ply: ply + 1,
                    cut: !node.cut,
                };
                value = -self.search::<NON_PV>(shared, next, -limit, -limit + 1, depth - 4);
            }
            self.trail.pop();
            if self.stopped {
                return Some(score::DRAW);
            }
            if value >= limit && !score::is_decided(value) {
                let entry = Entry {
                    m: m.raw(),
                    score: value,
                    eval: NONE,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    pv: false,
                };
                shared.table.store(key, entry);
                return Some(value);
            }
        }
        None
    }

    /// Remembers which move cut the tree, and which ones did not.
    fn learn(
        &mut self,
        node: Node<'_, P>,
        best: P::Move,
        depth: i32,
        tried_quiet: &[P::Move],
        tried_noisy: &[P::Move],
    ) {
        let Node { pos, ply, .. } = node;
        let bonus = (160 * depth - 80).min(1_700);
        let malus = -(180 * depth - 60).min(1_500);
        let before = [1, 2, 4].map(|back| self.earlier(ply, back).code);
        let history = &mut self.history;
        if pos.is_noisy(best) {
            history.update_capture(pos, best, bonus);
        } else {
            let mut quiet = |m: P::Move, bonus: i32| {
                history.update_butterfly(pos.side(), m, bonus);
                let code = pos.code(m);
                for code_before in before {
                    history.update_continuation(code_before, code, bonus);
                }
            };
            quiet(best, bonus);
            for &m in tried_quiet {
                quiet(m, malus);
            }
            history.set_counter(before[0], best.raw());
            let killers = &mut self.frame(ply).killers;
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
        }
        for &m in tried_noisy {
            self.history.update_capture(pos, m, malus);
        }
    }
}
