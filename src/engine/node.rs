//! The data of a search node: position, table entry, window, and what `alpha_beta` has worked out about it; and the
//! root moves with their lines and results, and what tablebases know of them.
//!
//! Plain data with small accessors; nothing here searches, and lines do not allocate after `new`.

use super::score::{self, Bound, INFINITE, MAX_PLY, Value};
use super::tt::{Entry, Table};
use crate::base::list::MoveList;
use crate::game::{GameMove, MOST_MOVES, Position, RankedMove, Searchable, TableResult};

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

// --- the root ---------------------------------------------------------------------------------------

/// A principal variation.
#[derive(Clone, Default)]
pub(super) struct Pv<M> {
    len: usize,
    moves: Box<[M]>,
}

impl<M: Copy + Default> Pv<M> {
    pub(super) fn new() -> Self {
        Pv { len: 0, moves: vec![M::default(); MAX_PLY + 1].into_boxed_slice() }
    }

    pub(super) fn as_slice(&self) -> &[M] {
        &self.moves[..self.len]
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Sets the line to `m` followed by `tail`.
    pub(super) fn set(&mut self, m: M, tail: &[M]) {
        self.moves[0] = m;
        let len = tail.len().min(MAX_PLY);
        self.moves[1..=len].copy_from_slice(&tail[..len]);
        self.len = len + 1;
    }

    /// Appends `m`, if there is room.
    pub(super) fn push(&mut self, m: M) {
        if let Some(next) = self.moves.get_mut(self.len) {
            *next = m;
            self.len += 1;
        }
    }

    /// Sets the line to `moves`, as far as there is room.
    pub(super) fn copy(&mut self, moves: &[M]) {
        self.len = moves.len().min(MAX_PLY + 1);
        self.moves[..self.len].copy_from_slice(&moves[..self.len]);
    }
}

/// A root move and its results.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub m: M,
    /// Score in the current iteration; `-INFINITE` if the move did not raise alpha.
    pub score: Value,
    /// The bound type of `score`.
    pub bound: Bound,
    /// Whether the current iteration has found that the move loses by force.
    pub refuted: bool,
    /// Score of the previous iteration.
    pub previous: Value,
    pub line: Pv<M>,
    pub selective_depth: usize,
    /// Nodes spent on this move in this search.
    pub nodes: u64,
    /// Rank by tablebases. Moves of a higher rank come first, whatever their scores.
    pub rank: i32,
    /// The tablebase result of the move.
    pub result: Option<TableResult>,
}

impl<M: Copy + Default + Eq> RootMove<M> {
    /// A root move that has not been searched yet, with its rank and result from `known`.
    pub(super) fn new(m: M, known: &RootRanks<M>) -> Self {
        let (rank, result) = known.of(m);
        RootMove {
            m,
            score: -INFINITE,
            bound: Bound::Upper,
            refuted: false,
            previous: -INFINITE,
            line: Pv::new(),
            selective_depth: 0,
            nodes: 0,
            rank,
            result,
        }
    }

    /// Makes this a copy of `other`, without allocating.
    pub(super) fn copy(&mut self, other: &Self) {
        let mut line = std::mem::take(&mut self.line);
        line.copy(other.line.as_slice());
        *self = RootMove { line, ..*other };
    }

    /// Sort key: best move first.
    pub(super) fn order(&self) -> std::cmp::Reverse<(i32, Value)> {
        std::cmp::Reverse((self.rank, self.score))
    }

    /// Sorts the moves, best first; equal ones keep their order. By insertion: that needs no memory, and few moves
    /// change their place.
    pub(super) fn sort(moves: &mut [Self]) {
        for end in 1..moves.len() {
            let order = moves[end].order();
            let at = moves[..end].partition_point(|before| before.order() <= order);
            moves[at..=end].rotate_right(1);
        }
    }
}

/// Tablebase results for the root.
pub(super) struct RootRanks<M> {
    /// Ranks of the root moves; empty if unknown.
    pub ranked: Vec<RankedMove<M>>,
    /// Positions with at most this many pieces are probed inside the tree; 0 turns probing off.
    pub max_pieces: u32,
}

impl<M: Copy + Eq> RootRanks<M> {
    /// The number of root moves with a result.
    pub(super) fn hits(&self) -> u64 {
        self.ranked.iter().filter(|ranked| ranked.result.is_some()).count() as u64
    }

    /// The rank and the result of a root move. Without tablebase results all moves have the same rank.
    pub(super) fn of(&self, m: M) -> (i32, Option<TableResult>) {
        let known = self.ranked.iter().find(|ranked| ranked.m == m);
        known.map_or((0, None), |ranked| (ranked.rank, ranked.result))
    }
}

/// Whether the side to move is mated, or stalemated in games where stalemate loses.
pub(super) fn is_mated<B: Searchable>(pos: &Position<B>) -> bool {
    (B::STALEMATE_LOSES || pos.in_check()) && pos.count_legal() == 0
}

/// Whether `line` is legal, ends in mate, and has the length of the mate `score`.
pub(super) fn reaches_mate<B: Searchable>(root: &Position<B>, line: &[B::Move], score: Value) -> bool {
    let Some(plies) = score::mate_plies(score) else { return false };
    if line.len() != plies.unsigned_abs() as usize {
        return false;
    }
    let mut pos = *root;
    for &m in line {
        if !pos.is_legal(m) {
            return false;
        }
        pos.make(m);
    }
    is_mated(&pos)
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
