//! A sequence of moves from the root in a fixed buffer, and whether it ends where its score says.
//!
//! Filled by `searcher`, shown by `reporting`. Nothing here allocates after `new`, searches
//! or prints.

use super::score::{self, INFINITE, MAX_PLY, Score};
use crate::game::{Playable, TableResult};

/// A principal variation.
#[derive(Clone)]
pub(super) struct Line<M> {
    len: usize,
    moves: Box<[M]>,
}

impl<M: Copy + Default> Line<M> {
    pub(super) fn new() -> Self {
        Line { len: 0, moves: vec![M::default(); MAX_PLY + 1].into_boxed_slice() }
    }

    pub(super) fn as_slice(&self) -> &[M] {
        &self.moves[..self.len]
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes `m` followed by `tail`.
    pub(super) fn set(&mut self, m: M, tail: &[M]) {
        self.moves[0] = m;
        let len = tail.len().min(MAX_PLY);
        self.moves[1..=len].copy_from_slice(&tail[..len]);
        self.len = len + 1;
    }

    /// Gets longer by `m`, if there is room.
    pub(super) fn push(&mut self, m: M) {
        if let Some(next) = self.moves.get_mut(self.len) {
            *next = m;
            self.len += 1;
        }
    }

    /// Becomes a copy of `moves`, as far as there is room.
    pub(super) fn copy(&mut self, moves: &[M]) {
        self.len = moves.len().min(MAX_PLY + 1);
        self.moves[..self.len].copy_from_slice(&moves[..self.len]);
    }
}

/// A line of the last finished iteration.
#[derive(Clone)]
pub(super) struct Settled<M> {
    pub m: M,
    pub score: Score,
    pub line: Line<M>,
    pub selective_depth: usize,
    pub result: Option<TableResult>,
}

impl<M: Copy + Default> Settled<M> {
    pub(super) fn new() -> Self {
        let (m, line) = (M::default(), Line::new());
        Settled { m, score: -INFINITE, line, selective_depth: 0, result: None }
    }
}

/// Whether the side to move has lost for want of a move: mate, or stalemate in games where that loses.
pub(super) fn is_mated<P: Playable>(pos: &P) -> bool {
    (P::STALEMATE_LOSES || pos.in_check()) && pos.count_legal() == 0
}

/// Whether `line` has the length that a mate `score` promises, is legal and ends in mate.
pub(super) fn reaches_mate<P: Playable>(root: &P, line: &[P::Move], score: Score) -> bool {
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
