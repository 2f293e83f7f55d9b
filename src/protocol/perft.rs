//! `go perft`: counts as fast as the command line and stops soon after `stop`.
//!
//! `crate::perft` and the games do the counting; this file only splits the tree into small enough pieces.

use super::games::Variant;
use crate::game::Kernel;
use crate::perft::count::Pieces;
use crate::perft::parallel::map;

/// Depth that is counted in one piece, some milliseconds at most; `stop` is checked between pieces.
const PIECE: u32 = 5;

/// The divide of `pos` in Stockfish's form, sorted by the text of the moves, with the total. `None` if `stopped`
/// became true.
pub fn divide<P: Variant>(pos: &P, depth: u32, threads: usize, stopped: &(dyn Fn() -> bool + Sync)) -> Option<String> {
    if depth == 0 {
        return Some(total(1));
    }
    let moves = counts(pos, depth, threads, stopped)?;
    let lines: String = moves.iter().map(|(text, count)| format!("{text}: {count}\n")).collect();
    Some(lines + &total(moves.iter().map(|(_, count)| count).sum()))
}

/// The last lines of every count.
pub fn total(nodes: u128) -> String {
    format!("\nNodes searched: {nodes}")
}

/// The legal moves with their counts. `depth` must be at least 1.
fn counts<P: Variant>(
    pos: &P,
    depth: u32,
    threads: usize,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(String, u128)>> {
    let kernel = P::kernels()[0];
    let pieces = &Pieces::new(pos, depth);
    let positions = &pieces.positions;
    let counts =
        map(pieces.threads(threads), positions.len(), |i| count(&positions[i].1, pieces.depth, kernel, stopped));
    let mut moves = Vec::from_iter(pos.legal_moves().iter().map(|&m| (pos.move_text(m).to_string(), 0)));
    for (&(root, _), count) in positions.iter().zip(counts) {
        moves[root].1 += count?;
    }
    moves.sort();
    Some(moves)
}

/// The number of leaves `depth` plies below `pos`; `None` if stopped.
fn count<P: Variant>(pos: &P, depth: u32, kernel: Kernel, stopped: &(dyn Fn() -> bool + Sync)) -> Option<u128> {
    if stopped() {
        return None;
    }
    if depth <= PIECE {
        return Some(u128::from(pos.perft_by(depth, kernel)));
    }
    let list = pos.legal_moves();
    list.as_slice().iter().try_fold(0, |total, &m| {
        let mut child = *pos;
        child.make(m);
        Some(total + count(&child, depth - 1, kernel, stopped)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Rules;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn pieces_add_up_to_the_whole() {
        let pos = Position::from_fen("k7/8/8/3p4/3P4/8/8/7K w - - 0 1").unwrap();
        for depth in PIECE..=PIECE + 3 {
            let counted = count(&pos, depth, Position::kernels()[0], &|| false);
            assert_eq!(counted, Some(u128::from(pos.perft(depth))), "depth {depth}");
        }
    }

    #[test]
    fn every_number_of_threads_counts_the_same_and_stops() {
        let pos = Position::from_fen(Position::START_FEN).unwrap();
        for threads in [1, 3] {
            for depth in 1..=6 {
                let moves = counts(&pos, depth, threads, &|| false).unwrap();
                assert!(moves.is_sorted() && moves.len() == 20);
                let total: u128 = moves.iter().map(|(_, count)| count).sum();
                assert_eq!(total, u128::from(pos.perft(depth)), "depth {depth}");
            }
            // Stop after a hundred pieces.
            let polls = AtomicU32::new(0);
            let stop = || polls.fetch_add(1, Ordering::Relaxed) >= 100;
            assert_eq!(divide(&pos, 20, threads, &stop), None);
            polls.store(0, Ordering::Relaxed);
            assert_eq!(divide(&pos, 0, threads, &stop).as_deref(), Some("\nNodes searched: 1"));
        }
    }
}
