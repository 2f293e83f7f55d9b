//! Counting runs: settings, totals and divides.
//!
//! A run is counted in units, which threads share and a [`Ledger`] takes. Plain runs visit every node, and their units
//! are the positions a few plies below the root; runs with memory are counted by `frontier`. The tree walk itself is
//! the game's (`Counting::perft`).

use super::PerftError;
use super::frontier::{Frontier, MIN_DEPTH, MIN_MEGABYTES, Stop};
use super::run::{Divide, Ledger, Poll, Task, spread};
use crate::base::pages::available_megabytes;
use crate::game::count::kernel::MAX_DEPTH;
use crate::game::{Columns, Counting, HashWords, Kernel, Position};
use std::collections::BTreeSet;

/// A plain run is cut until there are this many units or their depth is this small.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// Depth that is counted without a look at what may stop a run: some milliseconds.
const STOP_DEPTH: u32 = 5;

/// Counts sequences, or columns of their statistics, with these settings.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory in megabytes for counting by frontier, raised to [`MIN_MEGABYTES`]; 0: every node is visited.
    pub hash_megabytes: usize,
    /// Decides in which order a run with memory meets positions.
    pub seed: u64,
    /// The leaf counter, one of `Position::kernels`.
    pub kernel: Kernel,
}

impl Counter {
    /// The memory in megabytes that a run takes at most; 0: every node is visited.
    pub fn memory(&self) -> usize {
        if self.hash_megabytes == 0 { 0 } else { self.hash_megabytes.max(MIN_MEGABYTES) }
    }

    /// The number of sequences of exactly `depth` plies.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn total<B: Counting>(&self, pos: &Position<B>, depth: u32) -> Result<u128, PerftError> {
        Ok(self.run(pos, &Task::nodes(depth), &|_| false)?.total.nodes)
    }

    /// The same for each legal move. At depth 0 there are no moves and the total is 1.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn divide<B: Counting>(&self, pos: &Position<B>, depth: u32) -> Result<Divide<B::Move>, PerftError> {
        Ok(self.run(pos, &Task { divide: true, ..Task::nodes(depth) }, &|_| false)?.nodes())
    }

    /// The columns of statistics.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn columns<B: Counting>(&self, pos: &Position<B>, depth: u32) -> Result<Columns<u128>, PerftError> {
        Ok(self.run(pos, &Task { statistics: true, ..Task::nodes(depth) }, &|_| false)?.total)
    }

    /// Counts, and asks `poll` meanwhile whether to go on.
    ///
    /// # Errors
    /// If the depth or the number of sequences is too large, the memory is too small, or the run was stopped.
    pub fn run<B: Counting>(
        &self,
        pos: &Position<B>,
        task: &Task,
        poll: Poll<'_>,
    ) -> Result<Divide<B::Move, Columns<u128>>, PerftError> {
        let sums = vec![Columns::default(); task.counts(pos)];
        let ledger = Ledger::new(BTreeSet::new(), sums, &|_, _| {}, poll);
        self.count_into(pos, task, &ledger)?;
        task.result(pos, ledger.into_sums()?)
    }

    /// A divide for which every node is visited: a program that calls no other function has no code for memory.
    ///
    /// # Errors
    /// If the run was stopped.
    pub fn divide_plainly<B: Counting>(
        &self,
        pos: &Position<B>,
        depth: u32,
        poll: Poll<'_>,
    ) -> Result<Divide<B::Move>, PerftError> {
        let task = Task { divide: true, ..Task::nodes(depth) };
        let ledger = Ledger::new(BTreeSet::new(), vec![Columns::default(); task.counts(pos)], &|_, _| {}, poll);
        self.count_plainly(pos, &task, &ledger);
        Ok(task.result(pos, ledger.into_sums()?)?.nodes())
    }

    /// Counts the units that `ledger` does not know, and enters them.
    ///
    /// # Errors
    /// If the depth or the number of sequences is too large, the memory is too small, or the run was stopped.
    pub fn count_into<B: Counting>(
        &self,
        pos: &Position<B>,
        task: &Task,
        ledger: &Ledger<'_>,
    ) -> Result<(), PerftError> {
        self.check(task.depth)?;
        let Counter { threads, seed, kernel, .. } = *self;
        let megabytes = self.memory();
        if megabytes == 0 || task.depth < MIN_DEPTH {
            // It is not divided into parts: the first one has all.
            if task.part.index == 0 {
                self.count_plainly(pos, task, ledger);
            }
            return Ok(());
        }
        let (memory, words) = (megabytes.saturating_mul(1 << 20), HashWords::new(seed));
        let frontier = Frontier { root: pos, kernel, threads, memory, words, is_stopped: &|| ledger.is_stopped() };
        // A single root move is not kept apart: its units are those of the total.
        let divide = task.counts(pos) > 1;
        frontier.count(&Task { divide, ..*task }, ledger).map_err(|stop| match stop {
            Stop::Ways => PerftError::Overflow,
            Stop::Memory(megabytes) => PerftError::Memory { megabytes },
            Stop::Stopped => PerftError::Stopped,
        })
    }

    /// Whether there is such a depth, and as much memory as the settings ask for.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self, depth: u32) -> Result<(), PerftError> {
        if depth > MAX_DEPTH {
            return Err(PerftError::Depth);
        }
        let megabytes = self.memory();
        if megabytes > 0 && available_megabytes().is_some_and(|free| megabytes > free) {
            return Err(PerftError::Memory { megabytes });
        }
        Ok(())
    }

    /// Counts with every node visited.
    fn count_plainly<B: Counting>(&self, pos: &Position<B>, task: &Task, ledger: &Ledger<'_>) {
        // Each unit is a position, with the number of its root move.
        let mut units = Vec::new();
        if task.depth == 0 {
            units.push((0, *pos));
        } else {
            for (root, m) in pos.legal_moves().into_iter().enumerate() {
                units.push((root, pos.play_unchecked(m)));
            }
        }
        let mut left = task.depth.saturating_sub(1);
        while units.len() < ENOUGH_UNITS && left > MIN_UNIT_DEPTH {
            let mut next = Vec::new();
            for (root, parent) in &units {
                next.extend(parent.legal_moves().into_iter().map(|m| (*root, parent.play_unchecked(m))));
            }
            units = next;
            left -= 1;
        }
        ledger.expect(units.len());
        // A run of a few microseconds is over before another thread has started.
        let threads = if left < MIN_UNIT_DEPTH { 1 } else { self.threads };
        let counts = task.counts(pos);
        spread(threads, units.len(), |unit| {
            if ledger.knows(unit) || ledger.is_stopped() {
                return;
            }
            let (root, after) = &units[unit];
            let mut all = vec![Columns::default(); counts];
            let count = &mut all[if counts > 1 { *root } else { 0 }];
            if task.statistics && task.depth == 1 {
                // Statistics describe the last move, which the position after it no longer shows.
                let mut columns = Columns::default();
                B::facts(pos, pos.legal_moves()[*root]).note(&mut columns);
                count.add_times(columns.map(u128::from), 1);
            } else if !self.count_below(after, left, task.statistics, ledger, count) {
                return;
            }
            ledger.enter(unit, &all);
        });
    }

    /// Adds the counts of `depth` plies below `pos`, in pieces of [`STOP_DEPTH`], and returns whether the run goes on.
    fn count_below<B: Counting>(
        &self,
        pos: &Position<B>,
        depth: u32,
        statistics: bool,
        ledger: &Ledger<'_>,
        sum: &mut Columns<u128>,
    ) -> bool {
        if depth > STOP_DEPTH {
            for m in pos.legal_moves() {
                if !self.count_below(&pos.play_unchecked(m), depth - 1, statistics, ledger, sum) {
                    return false;
                }
            }
            return true;
        }
        let mut columns = Columns::default();
        if statistics {
            columns = B::columns(pos, depth, self.kernel);
        } else {
            columns.nodes = B::perft(pos, depth, self.kernel);
        }
        sum.add_times(columns.map(u128::from), 1);
        !ledger.add_nodes(columns.nodes.into())
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn divides_add_up_with_any_settings() {
        let pos = Position::from_fen(Position::START_FEN).unwrap();
        for (threads, hash_megabytes) in [(1, 0), (3, 0), (1, 16), (3, 64)] {
            let kernel = Kernel::Scalar;
            let counter = Counter { threads, hash_megabytes, seed: 1, kernel };
            for depth in 0..6 {
                let divide = counter.divide(&pos, depth).unwrap();
                assert_eq!(divide.total, u128::from(pos.perft(depth)));
                assert_eq!(divide.moves.len(), if depth == 0 { 0 } else { 20 });
                let parts: u128 = divide.moves.iter().map(|&(_, n)| n).sum();
                assert_eq!(parts, if depth == 0 { 0 } else { divide.total });
            }
        }
    }

    #[test]
    fn a_divide_that_can_be_stopped_is_the_same_or_none() {
        let pos = Position::from_fen("k7/8/8/3p4/3P4/8/8/7K w - - 0 1").unwrap();
        for threads in [1, 3] {
            let counter = Counter { threads, hash_megabytes: 0, seed: 1, kernel: Position::kernels()[0] };
            // At depth 11 a unit is deeper than what is counted at once.
            let run = |depth, looks| {
                let looks = AtomicU32::new(looks);
                let poll = |_| looks.fetch_update(Relaxed, Relaxed, |looks| looks.checked_sub(1)).is_err();
                counter.divide_plainly(&pos, depth, &poll)
            };
            for depth in [0, 1, 2, 5, 6, 9, if threads == 1 { 10 } else { 11 }] {
                assert_eq!(run(depth, u32::MAX), counter.divide(&pos, depth), "depth {depth}");
                assert_eq!(run(depth, 0), Err(PerftError::Stopped), "depth {depth}");
            }
            assert_eq!(run(60, 100), Err(PerftError::Stopped));
        }
    }

    #[test]
    fn divides_of_columns_match_plain_ones() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        for depth in 1..5 {
            let [plain, merged] = [0, 16].map(|hash_megabytes| {
                let counter = Counter { threads: 2, hash_megabytes, seed: 1, kernel: Kernel::Scalar };
                let task = Task { divide: true, statistics: true, ..Task::nodes(depth) };
                counter.run(&pos, &task, &|_| false).unwrap()
            });
            assert_eq!(plain, merged, "depth {depth}");
            assert_eq!(plain.total, pos.statistics(depth).map(u128::from), "depth {depth}");
        }
    }

    #[test]
    fn sums_stop_at_the_last_number_and_are_refused() {
        let pos = Position::default();
        let columns = |nodes| Columns { nodes, captures: 1, ..Columns::default() };
        let task = Task { divide: true, ..Task::nodes(1) };
        for (a, b, fits) in [(u128::MAX - 1, 0, true), (1 << 127, (1 << 127) - 2, true), (1 << 127, 1 << 127, false)] {
            let total = task.result(&pos, vec![columns(a), columns(b)]).map(|divide| divide.total);
            let sum = Columns { captures: 2, ..columns(a.saturating_add(b)) };
            assert_eq!(total, if fits { Ok(sum) } else { Err(PerftError::Overflow) }, "{a} + {b}");
        }
        let mut product = columns(1);
        product.add_times(columns(u128::MAX / 2), 3);
        assert_eq!(product, Columns { captures: 4, ..columns(u128::MAX) });
    }
}
