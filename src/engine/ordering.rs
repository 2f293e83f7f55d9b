//! The staged move picker: table move, good captures, quiet moves by history, bad captures.
//!
//! Every node of `alpha_beta` and `quiescence`, and every ProbCut, has one on its stack. Moves are generated only when
//! their stage is reached, and sorted lazily.

use super::history::{Context, History, LIMIT};
use crate::base::list::MoveList;
use crate::game::moves::{NOISY, QUIET};
use crate::game::{GameMove, ListSink, MOST_MOVES, Moves, Position, SearchParams, Searchable};
use std::hint::select_unpredictable;

#[derive(Clone, Copy)]
struct Scored<M> {
    m: M,
    value: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Table,
    Noisy,
    GoodNoisy,
    Quiet,
    AllQuiet,
    BadNoisy,
    Done,
}

/// Returns the legal moves of a node one by one, most promising first.
pub(super) struct Picker<M: Copy> {
    stage: Stage,
    tt_move: Option<M>,
    moves: MoveList<Scored<M>, MOST_MOVES>,
    bad: MoveList<M, MOST_MOVES>,
    cursor: usize,
    /// Captures whose SEE value is below this come last, or not at all if `noisy_only`.
    threshold: i32,
    /// Skip quiet moves and bad captures.
    noisy_only: bool,
    skip_quiet: bool,
}

impl<M: GameMove> Picker<M> {
    /// A picker of all legal moves. `tt_move` must be legal.
    pub(super) fn all(tt_move: Option<M>) -> Self {
        Picker {
            stage: Stage::Table,
            tt_move,
            moves: MoveList::new(),
            bad: MoveList::new(),
            cursor: 0,
            threshold: 0,
            noisy_only: false,
            skip_quiet: false,
        }
    }

    /// A picker of `tt_move` and the captures and promotions with a SEE value of at least `threshold`.
    /// `tt_move` must be legal.
    pub(super) fn noisy(tt_move: Option<M>, threshold: i32) -> Self {
        Picker { threshold, noisy_only: true, ..Picker::all(tt_move) }
    }

    /// Skips all remaining quiet moves.
    pub(super) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// The remaining move with the best score.
    #[inline]
    fn select(&mut self) -> Option<Scored<M>> {
        let rest = self.moves.as_mut_slice().get_mut(self.cursor..)?;
        let (mut best, mut best_value) = (0, rest.first()?.value);
        for (i, scored) in rest.iter().enumerate().skip(1) {
            // Branchless: the comparison is unpredictable, so a branch would often be mispredicted.
            let better = scored.value > best_value;
            best = select_unpredictable(better, i, best);
            best_value = best_value.max(scored.value);
        }
        rest.swap(0, best);
        self.cursor += 1;
        Some(rest[0])
    }

    /// The next move, or `None` if there are no more.
    #[inline]
    pub(super) fn next<B: Searchable<Move = M>>(
        &mut self,
        pos: &Position<B>,
        history: &History,
        params: &SearchParams,
        context: &Context<M>,
    ) -> Option<M> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Noisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::Noisy => {
                    let mut list = Moves::new();
                    pos.board.generate::<NOISY, _>(&pos.checks_and_pins, &mut ListSink(&mut list));
                    for &m in list.as_slice() {
                        if Some(m) != self.tt_move {
                            let value = pos.gain(m) * 64 + history.capture(pos, m);
                            self.moves.push(Scored { m, value });
                        }
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select() {
                    Some(Scored { m, .. }) => {
                        if pos.see_at_least(m, self.threshold) {
                            return Some(m);
                        }
                        self.bad.push(m);
                    }
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Quiet,
                },
                Stage::Quiet => {
                    if !self.skip_quiet {
                        self.score_quiet(pos, history, params, context);
                    }
                    self.stage = Stage::AllQuiet;
                }
                Stage::AllQuiet => {
                    if !self.skip_quiet
                        && let Some(Scored { m, .. }) = self.select()
                    {
                        return Some(m);
                    }
                    self.stage = Stage::BadNoisy;
                    self.cursor = 0;
                }
                Stage::BadNoisy => {
                    let Some(&m) = self.bad.as_slice().get(self.cursor) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    self.cursor += 1;
                    return Some(m);
                }
                Stage::Done => return None,
            }
        }
    }

    fn score_quiet<B: Searchable<Move = M>>(
        &mut self,
        pos: &Position<B>,
        history: &History,
        params: &SearchParams,
        context: &Context<M>,
    ) {
        let mut list = Moves::new();
        pos.board.generate::<QUIET, _>(&pos.checks_and_pins, &mut ListSink(&mut list));
        self.moves.clear();
        self.cursor = 0;
        let side = pos.side();
        let counter = M::from_raw(history.counter(context.before[0]));
        for &m in list.as_slice() {
            if Some(m) == self.tt_move {
                continue;
            }
            let code = pos.code(m);
            let mut value = history.structure(context.structure, code, params.structure_history)
                + history.butterfly(side, context.threats, m)
                + history.continuation(context.before[0], code)
                + history.continuation(context.before[1], code)
                + history.continuation(context.before[2], code) / 2;
            if m == context.killers[0] {
                value += LIMIT;
            } else if m == context.killers[1] || m == counter {
                value += LIMIT * 3 / 4;
            }
            self.moves.push(Scored { m, value });
        }
    }

    /// Whether the picker is in its last stage: captures that lose material.
    pub(super) fn is_late_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }
}
