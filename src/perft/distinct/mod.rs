//! The distinct positions of every ply, in the order in which a depth-first walk first comes to them, and how
//! many sequences lead to each.
//!
//! Two sequences lead to the same position if pieces, side to move, castling rights and legal en passant
//! captures agree, as `WideKeyed::wide_key` has it. Keys have 128 bits and all of them are compared.
//!
//! The first plies are kept as positions (`ply`). A deeper ply is kept as one bit for each move of the ply
//! before it: whether that move is the first to reach its position. Following only such moves from the base
//! visits every distinct position once, in order, and costs no more than making the moves (`tree`). To find
//! the bits of the next ply, all moves are made and their keys entered into a hash table. What does not fit
//! into the memory is left for another go over the same moves (`pass`, `table`): making a move and its
//! key again takes less than writing the key to a disk and reading it back, so nothing is ever written.
//!
//! Called by `unique` (numbers of positions), `split` (work units) and `plan` (units of a run). Knows no game and
//! prints nothing.

mod marks;
mod pass;
mod ply;
mod table;
mod tree;

pub use ply::{Ply, Roots, Weight};

use super::progress::Watch;
use crate::game::WideKeyed;
use pass::{Budget, Count, Mark, Weigh};
use std::ops::Range;
use tree::{Level, Tree};

/// What a search for distinct positions may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory in bytes.
    pub memory: usize,
    /// The most positions of a ply that are kept as positions.
    pub base: usize,
}

/// The least memory that is of any use, in megabytes.
pub const MIN_MEGABYTES: usize = 16;

impl Limits {
    /// Limits for `threads` threads and `megabytes` (2²⁰ bytes, at least [`MIN_MEGABYTES`]) of memory.
    pub fn new(threads: usize, megabytes: usize) -> Self {
        let memory = megabytes.max(MIN_MEGABYTES) << 20;
        // About 300 bytes each with everything around it: an eighth of the memory at most.
        Limits { threads: threads.max(1), memory, base: (memory / 8 / 300).min(1 << 17) }
    }
}

/// The distinct positions of one ply, and the way to those of the next.
pub struct Distinct<'a, P: WideKeyed> {
    tree: Tree<'a, P>,
    limits: Limits,
    /// The number of sequences that lead to each position of the present ply, if they are counted.
    weights: Vec<u64>,
    weighed: bool,
    /// Moves of the last ply that was gone through, for estimates.
    moves: u64,
    /// Positions of that ply.
    parents: u64,
}

impl<'a, P: WideKeyed + Sync> Distinct<'a, P> {
    /// The one position after no ply. With `weighed`, the sequences that lead to each position are counted.
    pub fn new(root: &P, keys: &'a P::Keys, limits: Limits, weighed: bool) -> Self {
        let mut base = Ply::new(root, 1);
        base.weights.truncate(usize::from(weighed));
        Distinct::below(base, keys, limits)
    }

    /// The positions of `base`, in its order. Sequences are counted if it has weights.
    pub fn below(base: Ply<P, u64>, keys: &'a P::Keys, limits: Limits) -> Self {
        let Ply { positions, weights, .. } = base;
        Distinct {
            weighed: weights.len() == positions.len(),
            weights,
            tree: Tree { base: positions, levels: Vec::new(), keys },
            limits,
            moves: 0,
            parents: 0,
        }
    }

    /// The number of distinct positions of the present ply.
    pub fn len(&self) -> u64 {
        self.tree.nodes()
    }

    /// Whether there is none: the game is over before that ply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of sequences that lead to each position, in order; empty unless they are counted.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// Goes on to the next ply.
    ///
    /// # Errors
    /// If the memory is too small, or 2⁶⁴ sequences lead to one position.
    pub fn advance(&mut self, watch: &dyn Watch) -> Result<(), String> {
        if self.tree.levels.is_empty() && self.advance_base()? {
            return Ok(());
        }
        // A bit for each move, and an eighth more to number them.
        let marks = self.expected_moves() as usize / 64 * 9;
        let weights = if self.weighed { self.expected_positions() as usize * 8 } else { 0 };
        let budget = self.budget(self.bytes() + marks + weights)?;
        let mut goal = Mark::default();
        let starts = pass::run(&self.tree, &mut goal, budget, watch)?.starts;
        let level = Level::new(goal.marks, starts);
        (self.parents, self.moves) = (self.tree.nodes(), level.moves());
        if self.weighed {
            let budget = self.budget(self.bytes() + level.bytes() + level.len() as usize * 8)?;
            let budget = Budget { expected: level.len(), ..budget };
            let mut goal = Weigh::new(&self.weights, &level);
            pass::run(&self.tree, &mut goal, budget, watch)?;
            self.weights = goal.finish();
        }
        self.tree.levels.push(level);
        Ok(())
    }

    /// The number of distinct positions of the next ply, which takes less memory than going there.
    ///
    /// # Errors
    /// If the memory is too small.
    pub fn count_next(&mut self, watch: &dyn Watch) -> Result<u64, String> {
        let budget = self.budget(self.bytes())?;
        Ok(pass::run(&self.tree, &mut Count, budget, watch)?.positions)
    }

    /// The parts that [`Distinct::visit`] can go through one by one; together they are everything, in order.
    pub fn parts(&self) -> usize {
        self.tree.base.len()
    }

    /// Numbers of the positions that belong to a range of parts.
    pub fn numbers(&self, parts: &Range<usize>) -> Range<u64> {
        self.tree.first_node(parts.start)..self.tree.first_node(parts.end)
    }

    /// Hands the positions of a range of parts to `visit`, in order, with their numbers.
    pub fn visit(&self, parts: Range<usize>, mut visit: impl FnMut(u64, &P)) {
        let mut number = self.numbers(&parts).start;
        for part in parts {
            self.tree.walk(part, |pos, _| {
                visit(number, pos);
                number += 1;
            });
        }
    }

    /// Goes on to the next ply if that can still be kept as positions; whether it can.
    fn advance_base(&mut self) -> Result<bool, String> {
        let positions = std::mem::take(&mut self.tree.base);
        let weights = std::mem::take(&mut self.weights);
        let present = Ply { positions, weights, arrivals: self.moves };
        // The weights are numbers: it is all the same which ply this is.
        let next = present.expand(Some(self.tree.keys), 0, self.limits.base)?;
        let advanced = next.is_some();
        if advanced {
            self.parents = present.positions.len() as u64;
        }
        let Ply { positions, weights, arrivals } = next.unwrap_or(present);
        (self.tree.base, self.weights, self.moves) = (positions, weights, arrivals);
        Ok(advanced)
    }

    /// Bytes in use, apart from what the way to the next ply takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.tree.base.as_slice())
            + self.tree.levels.iter().map(Level::bytes).sum::<usize>()
            + size_of_val(self.weights())
    }

    /// About how many moves the positions of the present ply have.
    fn expected_moves(&self) -> u64 {
        let average = self.moves as f64 / self.parents.max(1) as f64;
        (self.len() as f64 * (average * 1.1).max(2.0)) as u64
    }

    /// About how many positions those moves lead to.
    fn expected_positions(&self) -> u64 {
        let share = self.len() as f64 / self.moves.max(1) as f64;
        (self.expected_moves() as f64 * share.clamp(0.1, 1.0)) as u64
    }

    /// Shares out what the memory has left beside `fixed` bytes.
    fn budget(&self, fixed: usize) -> Result<Budget, String> {
        let left = self.limits.memory.saturating_sub(fixed);
        if left < self.limits.memory / 8 {
            let (needed, have) = (((fixed / 7 * 8) >> 20) + 1, self.limits.memory >> 20);
            let reason =
                format!("the next ply needs about {needed} MB of memory, and may use {have} MB");
            return Err(reason);
        }
        Ok(Budget {
            threads: self.limits.threads,
            table_bytes: left / 8 * 7,
            round_bytes: (left / 8).min(256 << 20),
            expected: self.expected_positions(),
            average_moves: self.expected_moves() / self.len().max(1) + 1,
        })
    }
}
