//! Counting runs: settings, totals and divides.
//!
//! A run is counted in units, which threads share and a `Journal` takes. Plain runs visit every node, and their units
//! are the positions a few plies below the root; runs with memory are counted by `frontier`. The tree walk itself is
//! the game's (`Position::perft_by`).

use super::PerftError;
use super::countable::Countable;
use super::frontier::{Frontier, Journal, MIN_DEPTH, MIN_MEGABYTES, Part, Stop};
use super::parallel::spread;
use super::progress::{Sums, Watch};
use super::quantity::{Quantity, total};
use crate::base::pages::available_megabytes;
use crate::game::{Counting, HashWords, Kernel, Position};

/// A plain run is cut until there are this many units or their depth is this small.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// Depth that is counted without a look at what may stop a run: some milliseconds.
const STOP_DEPTH: u32 = 5;

/// The legal moves of a position with the number of sequences that start with each.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::Perft;
///
/// let divide = Perft::new(Position::default()).divide(3)?;
/// for (m, count) in &divide {
///     println!("{m}: {count}");
/// }
/// assert_eq!((divide.moves.len(), divide.total), (20, 8902));
/// # Ok::<(), tabiya::perft::PerftError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divide<M, Q = u128> {
    /// Every legal move in generator order, with its count.
    pub moves: Vec<(M, Q)>,
    /// The total; at depth 0, the single empty sequence.
    pub total: Q,
}

impl<M: Copy, Q: Quantity> Divide<M, Q> {
    /// The divide of `sums` by root move; without `divide`, only their total.
    ///
    /// # Errors
    /// If there are too many sequences.
    pub(crate) fn of<B: Counting<Move = M>>(
        pos: &Position<B>,
        depth: u32,
        divide: bool,
        sums: Vec<Q>,
    ) -> Result<Self, PerftError> {
        let total = total(&sums)?;
        let moves = pos.legal_moves().into_iter().zip(sums).filter(|_| divide && depth > 0).collect();
        Ok(Divide { moves, total })
    }
}

impl<M, Q> IntoIterator for Divide<M, Q> {
    type Item = (M, Q);
    type IntoIter = std::vec::IntoIter<(M, Q)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, M, Q> IntoIterator for &'a Divide<M, Q> {
    type Item = &'a (M, Q);
    type IntoIter = std::slice::Iter<'a, (M, Q)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

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

/// Counts `depth` plies below `pos` in pieces of [`STOP_DEPTH`]; nothing more once `is_stopped`.
fn count_unless<B: Counting, Q: Countable<B>>(
    pos: &Position<B>,
    depth: u32,
    kernel: Kernel,
    is_stopped: &dyn Fn() -> bool,
) -> Q {
    let mut sum = Q::default();
    if is_stopped() {
        return sum;
    }
    if depth <= STOP_DEPTH {
        return Q::count(pos, depth, kernel);
    }
    for m in pos.legal_moves() {
        sum.add(count_unless(&pos.play_unchecked(m), depth - 1, kernel, is_stopped));
    }
    sum
}

/// The number of counts of a unit: one, or with `divide` that of the root moves. A position without moves has one too.
pub fn counts<B: Counting>(pos: &Position<B>, depth: u32, divide: bool) -> usize {
    if divide && depth > 0 { pos.legal_moves().len().max(1) } else { 1 }
}

impl Counter {
    /// The memory in megabytes that a run takes at most; 0: every node is visited.
    pub fn memory(&self) -> usize {
        if self.hash_megabytes == 0 { 0 } else { self.hash_megabytes.max(MIN_MEGABYTES) }
    }

    /// The quantity over all sequences of exactly `depth` plies.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn total<B: Counting, Q: Countable<B>>(&self, pos: &Position<B>, depth: u32) -> Result<Q, PerftError> {
        Ok(self.run(pos, depth, false, &())?.total)
    }

    /// Like [`Counter::total`], but separately for each legal move. At depth 0 there are no moves and the total is 1.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn divide<B: Counting, Q: Countable<B>>(
        &self,
        pos: &Position<B>,
        depth: u32,
    ) -> Result<Divide<B::Move, Q>, PerftError> {
        self.run(pos, depth, true, &())
    }

    /// Counts, and reports to `watch` meanwhile; without `divide`, there are no moves in the result.
    ///
    /// # Errors
    /// If there are too many sequences, or the memory is too small.
    pub fn run<B: Counting, Q: Countable<B>>(
        &self,
        pos: &Position<B>,
        depth: u32,
        divide: bool,
        watch: &dyn Watch,
    ) -> Result<Divide<B::Move, Q>, PerftError> {
        self.check_memory()?;
        let sums = Sums::new(vec![Q::default(); counts(pos, depth, divide)], 0, watch);
        let sums = sums.reporting(|| self.sums(pos, depth, divide, Part::WHOLE, &sums))?;
        Divide::of(pos, depth, divide, sums)
    }

    /// A divide for which every node is visited: a program that calls no other function has no code for memory.
    ///
    /// # Errors
    /// If there are too many sequences, or the run was stopped.
    pub fn divide_plainly<B: Counting, Q: Countable<B>>(
        &self,
        pos: &Position<B>,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Divide<B::Move, Q>, PerftError> {
        let counts = counts(pos, depth, true);
        let sums = Sums::new(vec![Q::default(); counts], 0, watch);
        let sums = sums.reporting(|| self.count_plainly(pos, depth, counts, &sums))?;
        Divide::of(pos, depth, true, sums)
    }

    /// Whether there is as much memory as the settings ask for.
    ///
    /// # Errors
    /// If there is less.
    pub fn check_memory(&self) -> Result<(), PerftError> {
        let megabytes = self.memory();
        if megabytes > 0 && available_megabytes().is_some_and(|free| megabytes > free) {
            return Err(PerftError::Memory { megabytes });
        }
        Ok(())
    }

    /// The sums of `part` of a run by root move, or one. With memory, `journal` takes the units that are counted, and
    /// has those that are not.
    ///
    /// # Errors
    /// If the memory is too small, or there are too many sequences.
    pub fn sums<B: Counting, Q: Countable<B>>(
        &self,
        pos: &Position<B>,
        depth: u32,
        divide: bool,
        part: Part,
        journal: &dyn Journal<Q>,
    ) -> Result<Vec<Q>, PerftError> {
        let Counter { threads, seed, kernel, .. } = *self;
        let megabytes = self.memory();
        let counts = counts(pos, depth, divide);
        if megabytes == 0 || depth < MIN_DEPTH {
            // It is not divided into parts: the first one has all.
            return if part.index == 0 { self.count_plainly(pos, depth, counts, journal) } else { Ok(journal.sums()) };
        }
        // A single root move is not kept apart: its units are those of the total.
        let divide = counts > 1;
        let (memory, words) = (megabytes.saturating_mul(1 << 20), HashWords::new(seed));
        let frontier = Frontier { root: pos, kernel, threads, memory, words, is_stopped: &|| journal.is_stopped() };
        match frontier.count(depth, part, divide, journal) {
            Ok(()) => Ok(journal.sums()),
            Err(Stop::Ways) => Err(PerftError::Overflow),
            Err(Stop::Memory(megabytes)) => Err(PerftError::Memory { megabytes }),
            Err(Stop::Stopped) => Err(PerftError::Stopped),
        }
    }

    /// Counts with every node visited, each unit with `counts` counts.
    fn count_plainly<B: Counting, Q: Countable<B>>(
        &self,
        pos: &Position<B>,
        depth: u32,
        counts: usize,
        journal: &dyn Journal<Q>,
    ) -> Result<Vec<Q>, PerftError> {
        let Counter { threads, kernel, .. } = *self;
        let children =
            |(i, pos): (usize, Position<B>)| pos.legal_moves().into_iter().map(move |m| (i, pos.play_unchecked(m)));
        let roots = pos.legal_moves();
        let mut units: Vec<_> = match depth {
            0 => vec![(0, *pos)],
            _ => roots.iter().enumerate().map(|(root, &m)| (root, pos.play_unchecked(m))).collect(),
        };
        let mut left = depth.saturating_sub(1);
        while units.len() < ENOUGH_UNITS && left > MIN_UNIT_DEPTH {
            units = units.into_iter().flat_map(children).collect();
            left -= 1;
        }
        journal.expect(units.len());
        // A run of a few microseconds is over before another thread has started.
        let threads = if left < MIN_UNIT_DEPTH { 1 } else { threads };
        spread(threads, units.len(), |unit| {
            if journal.knows(unit) {
                return;
            }
            let (root, after) = &units[unit];
            let count = match depth {
                // Statistics describe the last move, which the position after it no longer shows.
                1 => Q::of_move(pos, roots[*root]),
                _ => count_unless(after, left, kernel, &|| journal.is_stopped()),
            };
            if !journal.is_stopped() {
                let mut all = vec![Q::default(); counts];
                all[(*root).min(counts - 1)] = count;
                journal.enter(unit, all);
            }
        });
        if journal.is_stopped() { Err(PerftError::Stopped) } else { Ok(journal.sums()) }
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Columns;
    use std::sync::atomic::{AtomicU32, Ordering};

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

    /// Stops a run after so many looks.
    struct Until(AtomicU32);

    impl Watch for Until {
        fn is_stopped(&self, _done: usize, _all: usize) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |looks| looks.checked_sub(1)).is_err()
        }
    }

    #[test]
    fn a_divide_that_can_be_stopped_is_the_same_or_none() {
        let pos = Position::from_fen("k7/8/8/3p4/3P4/8/8/7K w - - 0 1").unwrap();
        for threads in [1, 3] {
            let counter = Counter { threads, hash_megabytes: 0, seed: 1, kernel: Position::kernels()[0] };
            // At depth 11 a unit is deeper than what is counted at once.
            let run = |depth, looks| counter.run::<_, u128>(&pos, depth, true, &Until(AtomicU32::new(looks))).ok();
            for depth in [0, 1, 2, 5, 6, 9, if threads == 1 { 10 } else { 11 }] {
                assert_eq!(run(depth, u32::MAX), counter.divide(&pos, depth).ok(), "depth {depth}");
                assert_eq!(run(depth, 0), None, "depth {depth}");
            }
            assert_eq!(run(60, 100), None);
        }
    }

    #[test]
    fn divides_of_columns_match_plain_ones() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        for depth in 1..5 {
            let [plain, merged] = [0, 16].map(|hash_megabytes| {
                let counter = Counter { threads: 2, hash_megabytes, seed: 1, kernel: Kernel::Scalar };
                counter.divide::<_, Columns<u128>>(&pos, depth).unwrap()
            });
            assert_eq!(plain, merged, "depth {depth}");
        }
    }
}
