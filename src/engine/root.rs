//! The root moves with their lines and results, and what tablebases know of them.
//!
//! Nothing here searches or prints, and lines do not allocate after `new`.

use super::score::{self, Bound, INFINITE, MAX_PLY, Value};
use crate::game::{Position, RankedMove, Searchable, TableResult};

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
