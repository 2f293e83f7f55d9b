//! The units into which a run is cut: the positions a few plies below the root.
//!
//! Where a table or a checkpoint is used, a position that is reached in several ways is one unit, so that no
//! two threads count the same; without, each way is a unit of its own, as plain perft walks every node. How
//! many there are depends on position and depth only, so that a checkpoint written with one number of threads
//! serves any other. Called by `count` and `protocol`.

use super::distinct::{Ply, Roots};
use crate::game::WideKeyed;

/// Units are made until there are this many, or as shallow as this.
const ENOUGH_UNITS: usize = 2_000;
const MIN_UNIT_DEPTH: u32 = 4;

/// The same for distinct units: with more of them, in a good order, a table is used better, as long as the units
/// do not become too small for it.
const ENOUGH_DISTINCT: usize = 8_000;
const MIN_DISTINCT_DEPTH: u32 = 5;

/// The units of a run.
pub struct Plan<P: WideKeyed> {
    /// The legal moves of the root.
    pub moves: Vec<P::Move>,
    /// The units, and how many sequences lead to each by which root move.
    pub units: Ply<P, Roots<u128>>,
    /// Plies to count in each unit.
    pub unit_depth: u32,
}

impl<P: WideKeyed> Plan<P> {
    /// Cuts a run of `depth` plies, at least 1, from `root`; the units are distinct if there are `keys`.
    pub fn new(root: &P, depth: u32, keys: Option<&P::Keys>) -> Self {
        let list = root.legal_moves();
        let wanted = |units: usize, depth| {
            let distinct = keys.is_some() && units < ENOUGH_DISTINCT && depth > MIN_DISTINCT_DEPTH;
            distinct || units < ENOUGH_UNITS && depth > MIN_UNIT_DEPTH
        };
        let mut units = Ply::new(root, Roots::default());
        let mut unit_depth = depth;
        // Each root move is a unit at least.
        while unit_depth == depth || wanted(units.positions.len(), unit_depth) {
            // Neither positions nor numbers have a limit.
            let Ok(Some(next)) = units.expand(keys, depth - unit_depth, usize::MAX) else { break };
            (units, unit_depth) = (next, unit_depth - 1);
        }
        if keys.is_some() {
            // Positions that meet again do so while the table has their entries in the caches.
            units = units.in_order();
        }
        Plan { moves: list.as_slice().to_vec(), units, unit_depth }
    }

    /// The threads that are worth their start, of `most`: a run of a few microseconds is over before another one
    /// has begun.
    pub fn threads(&self, most: usize) -> usize {
        if self.unit_depth < MIN_UNIT_DEPTH { 1 } else { most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Notation;

    #[test]
    fn distinct_units_stand_for_all_ways() {
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
                // Merged units may need to go a ply deeper to be enough.
                let plies = depth - merged.unit_depth;
                let mut ways = vec![0u128; merged.moves.len()];
                let roots = merged.units.weights.iter().flat_map(|roots| &roots.0);
                roots.for_each(|&(root, n)| ways[usize::from(root)] += n);
                for (&m, &ways) in merged.moves.iter().zip(&ways) {
                    let mut child = pos;
                    child.make(m);
                    assert_eq!(ways, u128::from(child.perft(plies - 1)), "{fen} depth {depth}");
                }
                let mut distinct: Vec<u128> =
                    merged.units.positions.iter().map(|pos| pos.wide_key(&keys)).collect();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), merged.units.positions.len());
                assert!(
                    all.units.weights.iter().all(|roots| roots.0.len() == 1 && roots.0[0].1 == 1)
                );
            }
        }
        let start = Position::from_fen(Position::START_FEN).unwrap();
        let units = |depth, keys| Plan::new(&start, depth, keys).units.positions.len();
        assert_eq!(units(9, None), 8_902);
        assert_eq!(units(8, Some(&keys)), 5_362);
        assert_eq!(units(9, Some(&keys)), 72_078);
    }
}
