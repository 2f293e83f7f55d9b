//! The columns of perft statistics by every kernel, with memory and threads, against a slow count that makes one move
//! at a time.
//!
//! Positions are those of `counters`, and `TABIYA_POSITIONS` says how many. Tests assert that no column stays empty.

use crate::common::by_build;
use crate::perft::counters::{positions, wanted};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Position};
use tabiya::game::{self, Columns, Counting, Kernel, columns_one_by_one};
use tabiya::perft::count::Counter;
use tabiya::xiangqi;

/// Positions of the normal run.
const NORMAL: usize = by_build(1_500, 900);

/// The depth for the position with this index: mostly 2, some 1 and 3.
fn depth_of(index: usize) -> u32 {
    match index % 16 {
        0 => 1,
        1 => 3,
        _ => 2,
    }
}

/// Compares every kernel with the slow count, and returns the sum of all columns.
fn compare_kernels<B: Counting>(positions: &[game::Position<B>]) -> Columns {
    let mut sum = Columns::default();
    for (i, pos) in positions.iter().enumerate() {
        let depth = depth_of(i);
        let expected = columns_one_by_one(pos, depth);
        sum += expected;
        for &kernel in B::kernels() {
            assert_eq!(pos.statistics_by(depth, kernel), expected, "{pos:?} depth {depth} {kernel:?}");
        }
    }
    sum
}

fn chess(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn every_kernel_counts_like_one_move_at_a_time() {
    let count = wanted(NORMAL);
    let sum = compare_kernels(&positions(count, 0x5eed_1103));
    println!("{sum:?}");
    let floor = count as u64 / 100;
    let Columns { captures, en_passants, castles, promotions, checks, mates, .. } = sum;
    for n in [captures, en_passants, castles, promotions, checks[0], checks[1], checks[2], mates[0]] {
        assert!(n > floor, "{sum:?}");
    }
}

/// Cases that are rare in random play: a position and the columns of its moves in the order of `Columns::counted`,
/// as python-chess counts them.
#[test]
fn rare_checks_and_mates() {
    for (fen, counted) in [
        // En passant opens two lines to the king, or one by removing the captured pawn, or the pawn gives check.
        ("8/8/4k3/3pP3/8/1B6/8/K3R3 w - d6 0 1", [19, 2, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]),
        ("8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1", [14, 2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1", [5, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        // Castling gives check and mate with the rook.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", [15, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", [15, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]),
        // A promotion that gives check along the pawn's own line: straight ahead and with a capture.
        ("8/4P3/8/4k3/8/8/8/K7 w - - 0 1", [7, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("4r3/3P4/2k5/8/8/8/8/K7 w - - 0 1", [11, 4, 0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 0]),
        // A king move uncovers a rook: check, and mate.
        ("k7/8/8/8/8/8/K7/R7 w - - 0 1", [11, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]),
        ("kr6/1p6/8/8/8/8/K7/R7 w - - 0 1", [11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]),
    ] {
        let pos = chess(fen);
        let slow = columns_one_by_one(&pos, 1);
        for &kernel in Position::kernels() {
            assert_eq!(pos.statistics_by(1, kernel), slow, "{fen} {kernel:?}");
        }
        assert_eq!(slow.counted(), counted, "{fen}");
    }
}

fn counter<B: Counting>(threads: usize, hash_megabytes: usize, seed: u64) -> Counter {
    Counter { threads, hash_megabytes, seed, kernel: B::kernels()[0] }
}

#[test]
fn memory_and_threads_count_like_one_move_at_a_time() {
    let counters = [(1, 0, 0), (2, 0, 0), (1, 16, 1), (2, 64, 2), (5, 16, u64::MAX)];
    let counters = counters.map(|(threads, mb, seed)| counter::<chess::Board>(threads, mb, seed));
    for (i, pos) in positions(wanted(NORMAL) / 30, 0x5eed_1105).iter().enumerate() {
        let depth = 1 + i as u32 % 4;
        let expected = columns_one_by_one(pos, depth).map(u128::from);
        for counter in &counters {
            assert_eq!(counter.columns(pos, depth), Ok(expected), "{pos:?} depth {depth}");
        }
    }
}

/// Xiangqi: the same columns, as far as the game has such moves.
#[test]
fn xiangqi_kernels_count_like_one_move_at_a_time() {
    let start = xiangqi::Position::from_fen(xiangqi::Position::START_FEN).unwrap();
    let mut rng = SplitMix64::new(0x5eed_1106);
    let mut found = Vec::new();
    while found.len() < wanted(NORMAL) / 3 {
        let mut pos = start;
        for _ in 0..120 {
            let list = pos.legal_moves();
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
            found.push(pos);
        }
    }
    let sum = compare_kernels(&found);
    println!("{sum:?}");
    assert!(sum.checks.iter().take(3).all(|&n| n > 10) && sum.mates[0] > 10, "{sum:?}");
    let (few, merged) = (counter::<xiangqi::Board>(2, 0, 0), counter::<xiangqi::Board>(2, 16, 3));
    for pos in found.iter().step_by(300) {
        let expected = pos.statistics_by(4, Kernel::Portable).map(u128::from);
        assert_eq!((few.columns(pos, 4), merged.columns(pos, 4)), (Ok(expected), Ok(expected)), "{pos:?}");
    }
    // Both games use the same kernel names.
    assert!(xiangqi::Position::kernels().contains(&Kernel::Scalar));
}
