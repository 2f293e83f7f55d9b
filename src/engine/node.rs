//! The data of a search node: position, table entry, window, and what `alpha_beta` has worked out about it.
//!
//! Plain data with small accessors; nothing here searches.

use super::score::{self, Bound, Value};
use super::tt::{Entry, Table};
use crate::base::list::MoveList;
use crate::game::{GameMove, MOST_MOVES, Position, Searchable};

/// A node with a null window: the result is only a bound.
pub(super) const NON_PV: u8 = 0;
/// A node with an open window.
pub(super) const PV: u8 = 1;
/// The root.
pub(super) const ROOT: u8 = 2;

/// A node: its position and its place in the tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, B: Searchable> {
    pub pos: &'a Position<B>,
    pub ply: usize,
    /// Whether this is an expected cut node.
    pub cut: bool,
}

impl<'a, B: Searchable> Node<'a, B> {
    /// The root of a search of `pos`.
    pub(super) fn root(pos: &'a Position<B>) -> Self {
        Node { pos, ply: 0, cut: false }
    }

    /// The node of `pos`, the position after a move.
    #[inline(always)]
    pub(super) fn child<'c>(&self, pos: &'c Position<B>, cut: bool) -> Node<'c, B> {
        Node { pos, ply: self.ply + 1, cut }
    }
}

/// The table entry of a node.
#[derive(Clone, Copy)]
pub(super) struct TtHit {
    pub entry: Entry,
    /// The score, with mates counted from the root.
    pub value: Value,
}

impl TtHit {
    #[inline(always)]
    pub(super) fn probe<B: Searchable>(table: &Table, node: Node<'_, B>) -> Option<Self> {
        let entry = table.probe(node.pos.key())?;
        Some(TtHit { entry, value: score::from_tt(entry.score, node.ply) })
    }

    /// Whether the score causes a cutoff in the null window below `beta`. Forfeit scores never do, because they
    /// depend on the moves that led here.
    #[inline(always)]
    pub(super) fn causes_cutoff(&self, beta: Value) -> bool {
        !score::is_forfeit(self.value)
            && match self.entry.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value < beta,
            }
    }

    /// The static evaluation `eval`, or the table score where its bound makes it the better estimate.
    #[inline(always)]
    pub(super) fn adjusted_eval(&self, eval: Value) -> Value {
        let better = !score::is_decided(self.value)
            && match self.entry.bound {
                Bound::Exact => true,
                Bound::Lower => self.value > eval,
                Bound::Upper => self.value < eval,
            };
        if better { self.value } else { eval }
    }
}

/// Bounds on the value of a node, from tablebases or from the rules on repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub floor: Value,
    pub ceiling: Value,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds { floor: -score::INFINITE, ceiling: score::INFINITE };
}

/// The move of a table entry, if it has one and it is legal here. It can be illegal after a key collision.
#[inline(always)]
pub(super) fn tt_move<B: Searchable>(pos: &Position<B>, entry: &Entry) -> Option<B::Move> {
    Some(B::Move::from_raw(entry.m)).filter(|&m| m != B::Move::default() && pos.is_legal(m))
}

/// The window of a node, and its best value and move so far.
#[derive(Clone, Copy)]
pub(super) struct Window<M> {
    pub alpha: Value,
    pub beta: Value,
    /// The best value so far (fail-soft: it may be outside the window).
    pub best: Value,
    /// The last move that raised alpha, or the default move.
    pub best_move: M,
    /// The bound type of `best`.
    pub bound: Bound,
}

impl<M: GameMove> Window<M> {
    #[inline(always)]
    pub(super) fn new(alpha: Value, beta: Value) -> Self {
        let (best, best_move) = (-score::INFINITE, M::default());
        Window { alpha, beta, best, best_move, bound: Bound::Upper }
    }

    /// Updates the window with the value of `m`. Returns whether it raised alpha.
    #[inline(always)]
    pub(super) fn raise(&mut self, m: M, value: Value) -> bool {
        if value <= self.best {
            return false;
        }
        self.best = value;
        if value <= self.alpha {
            return false;
        }
        self.best_move = m;
        if value >= self.beta {
            self.bound = Bound::Lower;
        } else {
            (self.alpha, self.bound) = (value, Bound::Exact);
        }
        true
    }

    /// Lowers the best value to `ceiling`, an upper bound on the node's value. A value that was above it is then exact,
    /// unless all moves failed low.
    #[inline(always)]
    pub(super) fn cap(&mut self, ceiling: Value) {
        if self.best > ceiling {
            self.best = ceiling;
            if self.is_cut() && ceiling < self.beta {
                self.bound = Bound::Exact;
            }
        }
    }

    /// Whether a move reached beta (a beta cutoff).
    #[inline(always)]
    pub(super) fn is_cut(&self) -> bool {
        self.bound == Bound::Lower
    }
}

/// The state of a node in `alpha_beta`: set before the first move, and updated as moves are searched.
pub(super) struct NodeState<'a, B: Searchable> {
    pub node: Node<'a, B>,
    /// Remaining depth in plies.
    pub depth: i32,
    pub window: Window<B::Move>,
    /// The move excluded by a singular search; the default move for none.
    pub excluded: B::Move,
    pub hit: Option<TtHit>,
    pub tt_move: Option<B::Move>,
    /// Whether this is a PV node, or was one according to the table.
    pub was_pv: bool,
    /// The game's evaluation, or `NONE` in check.
    pub raw_eval: Value,
    /// The evaluation with the correction history applied.
    pub static_eval: Value,
    /// The best estimate of the value: the static evaluation, or the table score if that is better.
    pub eval: Value,
    /// Whether the static evaluation is better than at the side's previous move.
    pub improving: bool,
}

impl<B: Searchable> NodeState<'_, B> {
    /// Whether no move is excluded.
    #[inline(always)]
    pub(super) fn no_excluded(&self) -> bool {
        self.excluded == B::Move::default()
    }
}

/// A move of a node that is about to be searched.
pub(super) struct Candidate<M> {
    pub m: M,
    pub noisy: bool,
    pub gives_check: bool,
    /// Its history score.
    pub history_score: i32,
    /// Base reduction, from depth and move count alone, in 1/1024 plies.
    pub reduction: i32,
}

/// The searched moves of a node other than the best move.
pub(super) struct Tried<M: Copy> {
    pub quiet: MoveList<M, MOST_MOVES>,
    pub noisy: MoveList<M, MOST_MOVES>,
}

impl<M: Copy> Tried<M> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Tried { quiet: MoveList::new(), noisy: MoveList::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, m: M, noisy: bool) {
        if noisy {
            self.noisy.push(m);
        } else {
            self.quiet.push(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(bound: Bound, value: Value) -> TtHit {
        TtHit { entry: Entry { m: 0, score: value, eval: score::NONE, depth: 9, bound, pv: false }, value }
    }

    #[test]
    fn a_bound_counts_on_its_own_side_only() {
        for (bound, value, cuts_off, eval) in [
            (Bound::Exact, 150, true, 150),
            (Bound::Exact, 50, true, 50),
            (Bound::Lower, 150, true, 150),
            (Bound::Lower, 50, false, 100),
            (Bound::Upper, 150, false, 100),
            (Bound::Upper, 50, true, 50),
            (Bound::Exact, score::forfeit_in(3), false, 100),
        ] {
            let hit = hit(bound, value);
            assert_eq!((hit.causes_cutoff(100), hit.adjusted_eval(100)), (cuts_off, eval), "{bound:?} {value}");
        }
    }
}
