//! The distinct positions of every ply, in the order of first arrival in a depth-first walk, with the number of
//! sequences that lead to each.
//!
//! Two positions are the same if pieces, side to move, castling rights and legal en passant captures agree, as in
//! `WideKeyed::wide_key`. All 128 key bits are compared.
//!
//! The first plies are stored as positions (`ply`). A deeper ply is stored as one bit for each move of the ply before
//! it: whether that move is the first to reach its position. Following only these moves from the base visits every
//! distinct position once, in order, at the cost of making the moves (`tree`). To compute the bits of the next ply,
//! all moves are made and the keys after them are entered into a hash table. Keys that do not fit into memory are
//! left for another pass over the same moves (`pass`, `table`): recomputing a key is faster than writing it to disk
//! and reading it back, so nothing is written to disk.
//!
//! Prints nothing.

mod marks;
mod pass;
mod ply;
mod table;
mod tree;

pub(super) use ply::TOO_MANY;
pub use ply::{Ply, Roots, Weight};

use super::progress::Watch;
use crate::game::{MOST_MOVES, WideKeyed};
use marks::Marks;
use pass::Budget;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use table::Table;
use tree::{Level, Tree};

/// The resources for finding distinct positions.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory in bytes.
    pub memory: usize,
    /// Maximum number of positions of a ply that is stored as positions.
    pub base: usize,
}

/// The minimum memory, in megabytes.
pub const MIN_MEGABYTES: usize = 16;

impl Limits {
    /// Limits for `threads` threads and `megabytes` (2²⁰ bytes, at least [`MIN_MEGABYTES`]) of memory.
    pub fn new(threads: usize, megabytes: usize) -> Self {
        let memory = megabytes.max(MIN_MEGABYTES).saturating_mul(1 << 20);
        // About 300 bytes each, all included: at most an eighth of the memory.
        Limits { threads: threads.max(1), memory, base: (memory / 8 / 300).min(1 << 17) }
    }
}

/// The distinct positions of one ply; advances ply by ply.
pub struct Distinct<'a, P: WideKeyed> {
    tree: Tree<'a, P>,
    limits: Limits,
    /// The number of sequences to each position of the current ply, if they are counted.
    weights: Vec<u64>,
    weighed: bool,
    /// Number of moves from the previous ply, for estimates.
    moves: u64,
    /// Number of positions of the previous ply.
    parents: u64,
}

impl<'a, P: WideKeyed + Sync> Distinct<'a, P> {
    /// Starts at ply 0 with the root alone. With `weighed`, the sequences that lead to each position are counted.
    pub fn new(root: &P, keys: &'a P::Keys, limits: Limits, weighed: bool) -> Self {
        let mut base = Ply::new(root, 1);
        base.weights.truncate(usize::from(weighed));
        Distinct::below(base, keys, limits)
    }

    /// Starts with the positions of `base`, in its order. Sequences are counted if it has weights.
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

    /// The number of distinct positions of the current ply.
    pub fn len(&self) -> u64 {
        self.tree.nodes()
    }

    /// Whether there are no positions: every game has ended before this ply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of sequences to each position, in order; empty if they are not counted.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// Advances to the next ply.
    ///
    /// # Errors
    /// If the memory is too small, or 2⁶⁴ sequences lead to one position.
    pub fn advance(&mut self, watch: &dyn Watch) -> Result<(), String> {
        if self.tree.levels.is_empty() && self.advance_base()? {
            return Ok(());
        }
        // One bit per move, plus an eighth for the ranks.
        let marks = self.expected_moves() as usize / 64 * 9;
        let weights = if self.weighed { self.expected_positions() as usize * 8 } else { 0 };
        let budget = self.budget(self.bytes() + marks + weights)?;
        let marks = Marks::new(self.len() * MOST_MOVES as u64);
        let first = |table: &mut Table<()>, key, start, place: u64| {
            table.enter(key, || marks.set(start + place), |()| ());
        };
        let starts = pass::run(&self.tree, budget, watch, |place, _| place, first, |()| ())?.starts;
        let level = Level::new(marks, starts);
        (self.parents, self.moves) = (self.tree.nodes(), level.moves());
        if self.weighed {
            let budget = self.budget(self.bytes() + level.bytes() + level.len() as usize * 8)?;
            let budget = Budget { expected: level.len(), ..budget };
            self.weights = self.weigh(&level, budget, watch)?;
        }
        self.tree.levels.push(level);
        Ok(())
    }

    /// The number of sequences to each position of the next ply, to which `level` leads.
    fn weigh(&self, level: &Level, budget: Budget, watch: &dyn Watch) -> Result<Vec<u64>, String> {
        let next = Vec::from_iter((0..level.len()).map(|_| AtomicU64::new(0)));
        let overflow = AtomicBool::new(false);
        // With a key: its move and the sequences to its parent; in the table: the position and the sequences to it.
        let note = |place, parent| (place, self.weights[parent as usize]);
        let add = |table: &mut Table<(u64, u64)>, key, start, (place, more): (u64, u64)| {
            let first = || (level.marks.before(start + place), more);
            table.enter(key, first, |(_, weight)| match weight.checked_add(more) {
                Some(sum) => *weight = sum,
                None => overflow.store(true, Relaxed),
            });
        };
        let keep = |&(number, weight): &(u64, u64)| next[number as usize].store(weight, Relaxed);
        pass::run(&self.tree, budget, watch, note, add, keep)?;
        match overflow.into_inner() {
            true => Err(TOO_MANY.to_string()),
            false => Ok(next.into_iter().map(AtomicU64::into_inner).collect()),
        }
    }

    /// The number of distinct positions of the next ply. Needs less memory than advancing to it.
    ///
    /// # Errors
    /// If the memory is too small.
    pub fn count_next(&mut self, watch: &dyn Watch) -> Result<u64, String> {
        let budget = self.budget(self.bytes())?;
        let enter = |table: &mut Table<()>, key, _, ()| table.enter(key, || (), |()| ());
        Ok(pass::run(&self.tree, budget, watch, |_, _| (), enter, |()| ())?.positions)
    }

    /// The number of parts that [`Distinct::visit`] can visit separately; together they are all positions, in order.
    pub fn parts(&self) -> usize {
        self.tree.base.len()
    }

    /// The numbers of the positions of a range of parts.
    pub fn numbers(&self, parts: &Range<usize>) -> Range<u64> {
        self.tree.first_node(parts.start)..self.tree.first_node(parts.end)
    }

    /// Calls `visit` for each position of a range of parts, in order, with its number.
    pub fn visit(&self, parts: Range<usize>, mut visit: impl FnMut(u64, &P)) {
        let mut number = self.numbers(&parts).start;
        for part in parts {
            self.tree.walk(part, |pos, _| {
                visit(number, pos);
                number += 1;
            });
        }
    }

    /// Advances to the next ply if it can still be stored as positions; returns whether it did.
    fn advance_base(&mut self) -> Result<bool, String> {
        let positions = std::mem::take(&mut self.tree.base);
        let weights = std::mem::take(&mut self.weights);
        let present = Ply { positions, weights, arrivals: self.moves };
        // Plain numbers as weights do not depend on the ply.
        let next = present.expand(Some(self.tree.keys), 0, self.limits.base)?;
        let advanced = next.is_some();
        if advanced {
            self.parents = present.positions.len() as u64;
        }
        let Ply { positions, weights, arrivals } = next.unwrap_or(present);
        (self.tree.base, self.weights, self.moves) = (positions, weights, arrivals);
        Ok(advanced)
    }

    /// Bytes in use, without those needed to advance.
    pub fn bytes(&self) -> usize {
        size_of_val(self.tree.base.as_slice())
            + self.tree.levels.iter().map(Level::bytes).sum::<usize>()
            + size_of_val(self.weights())
    }

    /// Estimated number of moves from the current ply.
    fn expected_moves(&self) -> u64 {
        let average = self.moves as f64 / self.parents.max(1) as f64;
        (self.len() as f64 * (average * 1.1).max(2.0)) as u64
    }

    /// Estimated number of distinct positions after those moves.
    fn expected_positions(&self) -> u64 {
        let share = self.len() as f64 / self.moves.max(1) as f64;
        (self.expected_moves() as f64 * share.clamp(0.1, 1.0)) as u64
    }

    /// Distributes the memory left next to `fixed` bytes.
    fn budget(&self, fixed: usize) -> Result<Budget, String> {
        let left = self.limits.memory.saturating_sub(fixed);
        if left < self.limits.memory / 8 {
            let (needed, have) = (((fixed / 7 * 8) >> 20) + 1, self.limits.memory >> 20);
            let reason = format!("the next ply needs about {needed} MB of memory, and may use {have} MB");
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
