//! The units of a run: the positions a few plies below the root.
//!
//! With a table or a checkpoint, a position that can be reached in several ways is one unit, so that no two threads
//! count the same. Otherwise each way is a unit, since plain perft visits every node. The units depend only on position
//! and depth, so a checkpoint can be continued with any number of threads.

use super::distinct::{Ply, Roots};
use crate::game::WideKeyed;

/// The run is split deeper until there are this many units or their depth is this small.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// The same for distinct units. More of them, in a good order, use the table better, as long as the units do not
/// become too shallow.
const ENOUGH_DISTINCT: usize = 8_000;
const MIN_DISTINCT_DEPTH: u32 = 5;

/// The units of a run.
pub struct Plan<P: WideKeyed> {
    /// The legal moves of the root.
    pub moves: Vec<P::Move>,
    /// The units, with the number of sequences that lead to each by root move.
    pub units: Ply<P, Roots<u128>>,
    /// Depth of each unit.
    pub unit_depth: u32,
}

impl<P: WideKeyed> Plan<P> {
    /// Splits a run of `depth` plies (at least 1) from `root`. With `keys`, transpositions are merged.
    pub fn new(root: &P, depth: u32, keys: Option<&P::Keys>) -> Self {
        let list = root.legal_moves();
        let wanted = |units: usize, depth| {
            let distinct = keys.is_some() && units < ENOUGH_DISTINCT && depth > MIN_DISTINCT_DEPTH;
            distinct || units < ENOUGH_UNITS && depth > MIN_UNIT_DEPTH
        };
        let mut units = Ply::new(root, Roots::default());
        let mut unit_depth = depth;
        // At least one unit per root move.
        while unit_depth == depth || wanted(units.positions.len(), unit_depth) {
            // No limit on positions, and these weights never overflow.
            let Ok(Some(next)) = units.expand(keys, depth - unit_depth, usize::MAX) else { break };
            (units, unit_depth) = (next, unit_depth - 1);
        }
        if keys.is_some() {
            // Units that transpose into each other are counted close together, while the entries are still in the CPU
            // caches.
            units = units.in_order();
        }
        Plan { moves: list.as_slice().to_vec(), units, unit_depth }
    }

    /// The number of threads to use, of `most`. A run of a few microseconds is over before another thread has
    /// started.
    pub fn threads(&self, most: usize) -> usize {
        if self.unit_depth < MIN_UNIT_DEPTH { 1 } else { most }
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn distinct_units_account_for_all_sequences() {
        let keys = Position::wide_keys(9);
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let pos = Position::from_fen(fen).unwrap();
            for depth in 1..9 {
                let all = Plan::new(&pos, depth, None);
                let merged = Plan::new(&pos, depth, Some(&keys));
                assert_eq!(all.moves.len(), merged.moves.len());
                // Merged units may have to be one ply deeper.
                let plies = depth - merged.unit_depth;
                let mut ways = vec![0u128; merged.moves.len()];
                let roots = merged.units.weights.iter().flat_map(|roots| &roots.0);
                roots.for_each(|&(root, n)| ways[usize::from(root)] += n);
                for (&m, &ways) in merged.moves.iter().zip(&ways) {
                    let mut child = pos;
                    child.make(m);
                    assert_eq!(ways, u128::from(child.perft(plies - 1)), "{fen} depth {depth}");
                }
                let mut distinct: Vec<u128> = merged.units.positions.iter().map(|pos| pos.wide_key(&keys)).collect();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), merged.units.positions.len());
                assert!(all.units.weights.iter().all(|roots| roots.0.len() == 1 && roots.0[0].1 == 1));
            }
        }
        let start = Position::from_fen(Position::START_FEN).unwrap();
        let units = |depth, keys| Plan::new(&start, depth, keys).units.positions.len();
        assert_eq!(units(9, None), 8_902);
        assert_eq!(units(8, Some(&keys)), 5_362);
        assert_eq!(units(9, Some(&keys)), 72_078);
    }
}
