//! Quiescence search: captures and check evasions until the position is quiet enough to be evaluated.
//!
//! Called by `search` at the horizon. The same rules about ends of the game and the table hold as there.

use super::ordering::Picker;
use super::params::Params;
use super::score::{self, Bound, MAX_PLY, NONE, Score};
use super::search::PV;
use super::searcher::{Searcher, settles, sharpens};
use super::tt::Entry;
use super::worker::Shared;
use crate::game::{GameMove, Playable};

/// What a capture may win beyond its victim.
const SAFETY: Score = 150;

impl<P: Playable> Searcher<P> {
    /// The value of the position after all worthwhile captures.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn quiescence<const NODE: u8>(
        &mut self,
        shared: &Shared<'_, P>,
        pos: &P,
        key: u64,
        in_check: bool,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let pv = NODE == PV;
        if pv {
            self.line(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.must_stop(shared) {
            return score::DRAW;
        }
        if let Some(score) = self.ended(pos, key, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.too_deep(shared, pos, key, in_check);
        }

        let entry = shared.table.probe(key);
        if let Some(entry) = entry {
            let value = score::from_table(entry.score, ply);
            if !pv && settles(entry.bound, value, beta) && Params::on(self.params.table_cuts) {
                return value;
            }
        }
        let (mut raw, mut best, mut futility) = (NONE, -score::INFINITE, score::INFINITE);
        if !in_check {
            (raw, best) = self.static_eval(shared, pos, key, entry.as_ref());
            if let Some(entry) = entry {
                let value = score::from_table(entry.score, ply);
                if sharpens(entry.bound, value, best) {
                    best = value;
                }
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            futility = best + SAFETY;
        }

        let table_move = entry
            .map(|e| P::Move::from_raw(e.m))
            .filter(|&m| m != P::Move::default() && pos.is_legal(m))
            .filter(|&m| in_check || pos.is_noisy(m));
        let see = Params::on(self.params.quiescence_see);
        let mut picker = match in_check {
            true => Picker::all(table_move),
            false => Picker::noisy(table_move, if see { 0 } else { -score::INFINITE }),
        };
        let context = self.context(ply);
        let (mut best_move, mut bound, mut count) = (P::Move::default(), Bound::Upper, 0);
        while let Some(m) = picker.next(pos, &self.history, &self.params, &context) {
            count += 1;
            if best > -score::DECIDED_BOUND {
                if in_check {
                    // One way out of check that is not mate: the losing and quiet rest is not looked at.
                    if count > 1 && !pos.is_noisy(m) {
                        break;
                    }
                } else if Params::on(self.params.quiescence_futility) && m.raw() != 0 {
                    let hope = futility + pos.gain(m);
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                    if futility <= alpha && !pos.see_at_least(m, 1) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            let child_key = pos.key_after(key, m);
            shared.table.touch(child_key);
            let mut child = *pos;
            child.make(m);
            let code = pos.code(m);
            let frame = self.frame(ply);
            (frame.m, frame.code) = (m, code);
            self.trail.push(pos.step(key, m));
            let check = child.in_check();
            let value =
                -self.quiescence::<NODE>(shared, &child, child_key, check, -beta, -alpha, ply + 1);
            self.trail.pop();
            if self.stopped {
                return score::DRAW;
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
                    bound = if pv { Bound::Exact } else { Bound::Upper };
                }
            }
        }
        if in_check && count == 0 {
            return Self::no_move(true, ply);
        }
        let entry = Entry {
            m: best_move.raw(),
            score: score::to_table(best, ply),
            eval: raw,
            depth: 0,
            bound,
            pv: pv || entry.is_some_and(|e| e.pv),
        };
        shared.table.store(key, entry);
        best
    }
}
