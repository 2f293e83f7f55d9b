//! A node of the tree: where it stands, what the table knows of it, its window, and what `search` has found
//! out about it.
//!
//! Used by `search`, `pruning`, `quiescence` and `deepening`. Plain data and small questions; nothing here
//! searches.

use super::score::{self, Bound, Score};
use super::tt::{Entry, Table};
use crate::base::list::MoveList;
use crate::game::{GameMove, MOST_MOVES, Playable};

/// A node whose window is empty: the answer is only "at least" or "at most".
pub(super) const NON_PV: u8 = 0;
/// A node with an open window.
pub(super) const PV: u8 = 1;
/// The root.
pub(super) const ROOT: u8 = 2;

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, P> {
    pub pos: &'a P,
    pub key: u64,
    pub in_check: bool,
    pub ply: usize,
    /// A cut-off is expected here.
    pub cut: bool,
}

impl<'a, P: Playable> Node<'a, P> {
    /// The root of a search of `pos`.
    pub(super) fn root(pos: &'a P) -> Self {
        Node { pos, key: pos.key(), in_check: pos.in_check(), ply: 0, cut: false }
    }
}

/// The position after a move or a null move.
pub(super) struct Child<P> {
    pos: P,
    key: u64,
    pub gives_check: bool,
}

impl<P: Playable> Child<P> {
    /// The position after the legal move `m`, whose bucket of the table is on its way.
    #[inline(always)]
    pub(super) fn of(node: Node<'_, P>, m: P::Move, table: &Table) -> Self {
        let key = node.pos.key_after(node.key, m);
        table.prefetch(key);
        let mut pos = *node.pos;
        pos.make(m);
        Child { key, gives_check: pos.in_check(), pos }
    }

    /// The position after a null move, likewise. The side to move is not in check.
    #[inline(always)]
    pub(super) fn after_null(node: Node<'_, P>, table: &Table) -> Self {
        let key = node.pos.key_after_null(node.key);
        table.prefetch(key);
        let mut pos = *node.pos;
        pos.make_null();
        Child { key, gives_check: false, pos }
    }

    /// The child as a node at `ply`.
    #[inline(always)]
    pub(super) fn node(&self, ply: usize, cut: bool) -> Node<'_, P> {
        Node { pos: &self.pos, key: self.key, in_check: self.gives_check, ply, cut }
    }
}

/// What the table knows about a node.
#[derive(Clone, Copy)]
pub(super) struct TableHit {
    pub entry: Entry,
    /// The score as seen from the root: mates count from there.
    pub value: Score,
}

impl TableHit {
    #[inline(always)]
    pub(super) fn probe<P>(table: &Table, node: Node<'_, P>) -> Option<Self> {
        let entry = table.probe(node.key)?;
        Some(TableHit { entry, value: score::from_table(entry.score, node.ply) })
    }

    /// Whether the score settles a search with a window that begins (or ends) at `beta`. Forfeits never do:
    /// other moves may have led here this time.
    #[inline(always)]
    pub(super) fn settles(&self, beta: Score) -> bool {
        !score::is_forfeit(self.value)
            && match self.entry.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value < beta,
            }
    }

    /// The better guess of the value: the score, where it says more than the evaluation `eval`.
    #[inline(always)]
    pub(super) fn sharpened(&self, eval: Score) -> Score {
        let sharpens = !score::is_decided(self.value)
            && match self.entry.bound {
                Bound::Exact => true,
                Bound::Lower => self.value > eval,
                Bound::Upper => self.value < eval,
            };
        if sharpens { self.value } else { eval }
    }
}

/// The best move of a table entry, if there is one and it is legal: another position may share the entry.
#[inline(always)]
pub(super) fn table_move<P: Playable>(pos: &P, entry: &Entry) -> Option<P::Move> {
    Some(P::Move::from_raw(entry.m)).filter(|&m| m != P::Move::default() && pos.is_legal(m))
}

/// The window of a node, and the best that was found for it.
#[derive(Clone, Copy)]
pub(super) struct Window<M> {
    pub alpha: Score,
    pub beta: Score,
    /// The best value so far (fail-soft: it may lie outside the window).
    pub best: Score,
    /// The move that raised alpha last, or the default move.
    pub best_move: M,
    /// What `best` says.
    pub bound: Bound,
}

impl<M: GameMove> Window<M> {
    #[inline(always)]
    pub(super) fn new(alpha: Score, beta: Score) -> Self {
        let (best, best_move) = (-score::INFINITE, M::default());
        Window { alpha, beta, best, best_move, bound: Bound::Upper }
    }

    /// Takes note of the value of `m`; says whether it raised alpha.
    #[inline(always)]
    pub(super) fn raise(&mut self, m: M, value: Score) -> bool {
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

    /// Whether a move reached beta: the others need not be searched.
    #[inline(always)]
    pub(super) fn is_cut(&self) -> bool {
        self.bound == Bound::Lower
    }
}

/// What `search` knows of its node before the first move and while it goes through them.
pub(super) struct NodeState<'a, P: Playable> {
    pub node: Node<'a, P>,
    /// Plies that are left.
    pub depth: i32,
    pub window: Window<P::Move>,
    /// The move that a singular search leaves out; the default move for none.
    pub excluded: P::Move,
    pub hit: Option<TableHit>,
    pub table_move: Option<P::Move>,
    /// Whether this is, or the table remembers it as, a node of a principal variation.
    pub was_pv: bool,
    /// Evaluation as the game gives it, `NONE` in check.
    pub raw_eval: Score,
    /// The same corrected by experience.
    pub static_eval: Score,
    /// The best guess of the value: the static evaluation, or what the table knows better.
    pub eval: Score,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
}

impl<P: Playable> NodeState<'_, P> {
    /// Whether no move is left out.
    #[inline(always)]
    pub(super) fn is_whole(&self) -> bool {
        self.excluded == P::Move::default()
    }
}

/// A move of a node that is about to be searched.
pub(super) struct Candidate<M> {
    pub m: M,
    pub noisy: bool,
    pub gives_check: bool,
    /// What history says about it.
    pub learnt: i32,
    /// Reduction by depth and number of the move alone, in 1/1024 plies.
    pub reduction: i32,
}

/// The moves of a node that were searched and are not the best.
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
