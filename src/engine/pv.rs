//! A principal variation in a fixed buffer, the saved lines of an iteration, and a check that a line reaches the mate
//! that its score promises.
//!
//! Filled by `searcher`, `lines` and `mate_proof`, reported by `lines`. Nothing here allocates after `new`,
//! searches or prints.

use super::score::{self, Bound, INFINITE, MAX_PLY, Value};
use crate::game::{Position, Searchable, TableResult};

/// A principal variation.
#[derive(Clone)]
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

/// A line of the last completed iteration.
#[derive(Clone)]
pub(super) struct CompletedPv<M> {
    pub m: M,
    pub score: Value,
    /// The bound type of `score`.
    pub bound: Bound,
    pub line: Pv<M>,
    pub selective_depth: usize,
    pub result: Option<TableResult>,
}

impl<M: Copy + Default> CompletedPv<M> {
    pub(super) fn new() -> Self {
        let (m, line) = (M::default(), Pv::new());
        CompletedPv { m, score: -INFINITE, bound: Bound::Exact, line, selective_depth: 0, result: None }
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
