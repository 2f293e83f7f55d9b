//! `perft --unique`: the number of distinct positions, and of sequences, after each number of plies.
//!
//! `distinct` finds the positions and `count` counts the sequences, independently of each other.

use super::count::{Counter, Settings};
use super::distinct::{Distinct, Limits};
use super::hash_table::MIN_MEGABYTES;
use super::progress::Watch;
use crate::game::{Notation, WideKeyed};

/// The counts of one ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Plies from the root.
    pub ply: u32,
    /// Number of distinct positions.
    pub positions: u64,
    /// Number of sequences that lead to them.
    pub sequences: u128,
}

/// Sequences are counted with a hash table from this ply on.
const HASHED_FROM: u32 = 7;

/// Maximum size of that table in megabytes; it is freed before the search for positions.
const HASH_MEGABYTES: usize = 1024;

/// Steps from ply to ply.
pub struct Unique<'a, P: WideKeyed> {
    root: P,
    depth: u32,
    settings: Settings,
    megabytes: usize,
    distinct: Distinct<'a, P>,
}

impl<'a, P: WideKeyed + Notation + Sync> Unique<'a, P> {
    /// Prepares rows for 0 to `depth` plies after `root`, within `megabytes` of memory. The hash size in `settings`
    /// is ignored; `keys` must be those of its seed.
    pub fn new(root: &P, keys: &'a P::Keys, depth: u32, settings: Settings, megabytes: usize) -> Self {
        let limits = Limits::new(settings.threads, megabytes);
        let distinct = Distinct::new(root, keys, limits, false);
        Unique { root: *root, depth, settings, megabytes, distinct }
    }

    /// The row of `ply`. Must be called once for each ply, in order.
    ///
    /// # Errors
    /// If the memory is too small for this row; earlier rows are correct.
    pub fn row(&mut self, ply: u32, watch: &dyn Watch) -> Result<Row, String> {
        let sequences = self.sequences(ply)?;
        let positions = if ply == 0 {
            1
        } else if ply == self.depth {
            self.distinct.count_next(watch)?
        } else {
            self.distinct.advance(watch)?;
            self.distinct.len()
        };
        Ok(Row { ply, positions, sequences })
    }

    fn sequences(&self, ply: u32) -> Result<u128, String> {
        let most = self.megabytes.saturating_sub(self.distinct.bytes() >> 20) / 2;
        let hash = if ply < HASHED_FROM { 0 } else { most.min(HASH_MEGABYTES) };
        let hash_megabytes = if hash < MIN_MEGABYTES { 0 } else { hash };
        let counter = Counter::new(Settings { hash_megabytes, ..self.settings.clone() })?;
        Ok(counter.total(&self.root, ply)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Kernel;

    #[test]
    fn matches_published_numbers() {
        let root = Position::from_fen(Position::START_FEN).unwrap();
        let keys = Position::wide_keys(3);
        let settings = Settings { threads: 2, hash_megabytes: 0, seed: 3, kernel: Kernel::Scalar };
        let mut unique = Unique::new(&root, &keys, 5, settings, 64);
        let rows = (0..=5).map(|ply| unique.row(ply, &()).unwrap());
        let rows: Vec<_> = rows.map(|row| (row.ply, row.positions, row.sequences)).collect();
        let known =
            [(0, 1, 1), (1, 20, 20), (2, 400, 400), (3, 5_362, 8_902), (4, 72_078, 197_281), (5, 822_518, 4_865_609)];
        assert_eq!(rows, known);
    }
}
