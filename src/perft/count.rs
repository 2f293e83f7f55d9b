//! Counting: a run's settings, its total and its divide.
//!
//! [`Counter`] is what `cli` uses for every count: it owns the hash table, picks the leaf counter and
//! spreads the work by `parallel`. The walk itself is the game's (`Rules::perft_by`) or `hashed`'s.

use super::checkpoint::{Checkpoint, Keeper};
use super::hash_table::HashTable;
use super::hashed::{Context, Hashable};
use super::parallel::{self, Job, Keep, Watch};
use crate::game::{Kernel, Notation, WideKeyed};

/// The legal moves of a position with the number of sequences that begin with each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divide<M, Q = u128> {
    /// Every legal move in the order of the generator, and what is counted behind it.
    pub moves: Vec<(M, Q)>,
    /// The sum; one sequence at depth 0.
    pub total: Q,
}

impl<M, Q: Default> Default for Divide<M, Q> {
    fn default() -> Self {
        Divide { moves: Vec::new(), total: Q::default() }
    }
}

/// How to count.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads, at least 1.
    pub threads: usize,
    /// Size of the hash table in megabytes; 0 = none.
    pub hash_megabytes: usize,
    /// Chooses the keys of the hash table.
    pub seed: u64,
    /// The leaf counter, one of `Rules::kernels`.
    pub kernel: Kernel,
}

/// Counts sequences (or columns of statistics) by one set of settings, keeping its hash table from run to run.
pub struct Counter<P: WideKeyed, Q: Hashable<P> = u128> {
    settings: Settings,
    table: Option<Q::Table>,
    keys: P::Keys,
}

impl<P: WideKeyed + Notation + Sync, Q: Hashable<P>> Counter<P, Q> {
    /// A counter with an empty table.
    ///
    /// # Errors
    /// If there is no memory for the hash table.
    pub fn new(settings: Settings) -> Result<Self, String> {
        let table = match settings.hash_megabytes {
            0 => None,
            megabytes => Some(Q::Table::new(megabytes)?),
        };
        Ok(Counter { keys: P::wide_keys(settings.seed), settings, table })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Size of the hash table in megabytes; 0 = none.
    pub fn hash_megabytes(&self) -> usize {
        self.table.as_ref().map_or(0, Q::Table::megabytes)
    }

    /// Megabytes of the hash table that lie on large pages by now, where the system tells.
    pub fn large_page_megabytes(&self) -> Option<usize> {
        self.table.as_ref()?.large_page_megabytes()
    }

    /// What is counted in the sequences of exactly `depth` plies.
    pub fn total(&self, pos: &P, depth: u32) -> Q {
        // Without a checkpoint nothing can fail.
        self.divide(pos, depth, None, &()).unwrap_or_default().total
    }

    /// The same on the calling thread alone. Several threads may do so at once; they share the table.
    pub fn total_here(&self, pos: &P, depth: u32) -> Q {
        let Settings { kernel, .. } = self.settings;
        match &self.table {
            None => Q::count(pos, depth, kernel),
            Some(table) => {
                Q::count_hashed(pos, depth, &Context { table, keys: &self.keys, kernel })
            }
        }
    }

    /// The same as [`Counter::total`] for each legal move. At depth 0 there are no moves and the total is 1.
    ///
    /// # Errors
    /// If the checkpoint cannot be used; nothing has been counted then.
    pub fn divide(
        &self,
        pos: &P,
        depth: u32,
        checkpoint: Option<&Checkpoint>,
        watch: &dyn Watch,
    ) -> Result<Divide<P::Move, Q>, String> {
        let kernel = self.settings.kernel;
        if depth == 0 {
            return Ok(Divide { moves: Vec::new(), total: Q::count(pos, 0, kernel) });
        }
        // Where work is to be saved, nothing is counted twice; otherwise every node is walked.
        let key_of = |pos: &P| pos.wide_key(&self.keys);
        let distinct = self.table.is_some() || checkpoint.is_some();
        let mut plan = parallel::plan(pos, depth, distinct.then_some(&key_of));
        if distinct {
            // Positions that meet again do so while the table has their entries in the caches.
            plan.units.sort_by_cached_key(|unit| unit.position.transposition_order());
        }
        let work = |pos: &P| self.total_here(pos, plan.unit_depth);
        let keeper;
        let mut job = Job {
            threads: self.settings.threads,
            known: vec![None; plan.units.len()],
            keep: None,
            watch,
        };
        if let Some(file) = checkpoint {
            let found = file.read(plan.units.len())?;
            let done = found.results.iter().flatten().count();
            keeper = Keeper::new(file, &found.seeds, self.settings.seed);
            job.known = found.results;
            // A file that cannot be written should be known now, not after hours.
            keeper.keep(&job.known)?;
            watch.resumed(done, plan.units.len(), &found.seeds);
            job.keep = Some(&keeper);
        }
        let counts = if plan.unit_depth == 0 {
            // Statistics are about the moves, of which the positions after them know nothing any more.
            plan.moves.iter().map(|&m| Q::of_move(pos, m)).collect()
        } else {
            parallel::run(&plan, job, work, Q::nodes)
        };
        let mut divide = Divide::default();
        divide.moves.extend(plan.moves.iter().map(|&m| (m, Q::default())));
        for (unit, &count) in plan.units.iter().zip(&counts) {
            for &(root, ways) in &unit.roots {
                divide.moves[root].1 += count.times(ways);
                divide.total += count.times(ways);
            }
        }
        Ok(divide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Rules;

    #[test]
    fn the_parts_add_up_to_the_whole_with_any_settings() {
        let pos = Position::from_fen(Position::START_FEN).unwrap();
        for (threads, hash_megabytes) in [(1, 0), (3, 0), (1, 4), (3, 16)] {
            let kernel = Kernel::Scalar;
            let settings = Settings { threads, hash_megabytes, seed: 1, kernel };
            let counter = Counter::new(settings).unwrap();
            for depth in 0..6 {
                let divide = counter.divide(&pos, depth, None, &()).unwrap();
                assert_eq!(divide.total, u128::from(pos.perft(depth)));
                assert_eq!(divide.moves.len(), if depth == 0 { 0 } else { 20 });
                let parts: u128 = divide.moves.iter().map(|&(_, n)| n).sum();
                assert_eq!(parts, if depth == 0 { 0 } else { divide.total });
            }
        }
    }
}
