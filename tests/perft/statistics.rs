//! The columns of perft statistics by every kernel, with memory, threads and checkpoints, against a slow count
//! that makes one move at a time.
//!
//! Positions are those of `counters`. The tests assert that no column stays empty.
//!
//! Nightly, with `TABIYA_POSITIONS` or ten times as many:
//! `cargo test --release --test tabiya perft::statistics:: -- --include-ignored`

use crate::common::program::{Folder, run};
use crate::common::{by_build, sample};
use crate::perft::counters::{positions, wanted};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Position};
use tabiya::farm::checkpoint::{seal, unseal};
use tabiya::game::{self, Columns, Counting, Kernel, columns_one_by_one};
use tabiya::perft::count::Counter;
use tabiya::xiangqi;

/// Positions of the normal run, of its large form, and of the nightly run.
const NORMAL: usize = by_build(1_500, 900);
const LARGE: usize = 9_000;
const NIGHTLY: usize = 90_000;

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
    let count = wanted(sample(NORMAL, LARGE));
    let sum = compare_kernels(&positions(count, 0x5eed_1103));
    println!("{sum:?}");
    let floor = count as u64 / 100;
    let Columns { captures, en_passants, castles, promotions, checks, mates, .. } = sum;
    for n in [captures, en_passants, castles, promotions, checks[0], checks[1], checks[2], mates[0]] {
        assert!(n > floor, "{sum:?}");
    }
}

#[test]
#[ignore = "minutes: ten times the normal run"]
fn nightly_every_kernel_counts_like_one_move_at_a_time() {
    for part in 0..wanted(NIGHTLY).div_ceil(LARGE) {
        compare_kernels(&positions(LARGE, 0x5eed_1104_0000 + 10 * part as u64));
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

/// Depth 0 is one node without a move; mate and stalemate have no nodes at depths above 0.
#[test]
fn nothing_to_count() {
    for &kernel in Position::kernels() {
        let one = Columns { nodes: 1, ..Columns::default() };
        assert_eq!(chess(Position::START_FEN).statistics_by(0, kernel), one);
        for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            for depth in 1..5 {
                assert_eq!(chess(fen).statistics_by(depth, kernel), Columns::default(), "{fen}");
            }
        }
    }
}

fn counter<B: Counting>(threads: usize, hash_megabytes: usize, seed: u64) -> Counter {
    Counter { threads, hash_megabytes, seed, kernel: B::kernels()[0] }
}

#[test]
fn memory_and_threads_count_like_one_move_at_a_time() {
    let counters = [(1, 0, 0), (2, 0, 0), (1, 16, 1), (2, 64, 2), (5, 16, u64::MAX)];
    let counters = counters.map(|(threads, mb, seed)| counter::<chess::Board>(threads, mb, seed));
    for (i, pos) in positions(wanted(sample(NORMAL, LARGE)) / 30, 0x5eed_1105).iter().enumerate() {
        let depth = 1 + i as u32 % 4;
        let expected = columns_one_by_one(pos, depth).map(u128::from);
        for counter in &counters {
            assert_eq!(counter.columns(pos, depth), Ok(expected), "{pos:?} depth {depth}");
        }
    }
}

/// By frontier, in any order of positions.
#[test]
fn every_seed_counts_the_same_columns() {
    let kiwipete = chess(&crate::common::standard("kiwipete").fen);
    let depth = by_build(5, 4);
    let total = |counter: Counter| counter.columns(&kiwipete, depth);
    let expected = total(counter::<chess::Board>(1, 0, 0));
    for seed in [1, u64::MAX] {
        assert_eq!(total(counter::<chess::Board>(3, 16, seed)), expected);
    }
}

#[test]
fn checkpoints_keep_every_column() {
    let folder = Folder::new("columns");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let arguments = ["perft", "6", "--fen", "startpos", "--stats=full", "--checkpoint", &text];
    let first = run(&arguments);
    let plain = run(&arguments[..5]);
    assert_eq!((first.code, &first.out), (Some(0), &plain.out), "{}", first.err);
    let whole = std::fs::read_to_string(&path).unwrap();
    // Resumed from the whole file, and from half of the parts without the total.
    assert_eq!(run(&arguments).out, plain.out);
    let kept = |(number, line): &(usize, &str)| number % 2 == 0 && !line.starts_with("total");
    let half = whole.lines().enumerate().filter(kept).map(|(_, line)| format!("{line}\n"));
    let half = String::from_iter(half);
    std::fs::write(&path, &half).unwrap();
    assert_eq!(run(&arguments).out, plain.out);
    // The results of the file count: a forged one changes its column.
    let first = half.lines().nth(1).unwrap();
    let mut fields = first.split('\t').map(String::from).collect::<Vec<_>>();
    fields.pop();
    fields[2] = (fields[2].parse::<u64>().unwrap() + 1).to_string();
    // The checksum covers that of the header too.
    let (_, run_sum) = unseal(half.lines().next().unwrap()).unwrap();
    let mut forged = format!("{run_sum}\t{}", fields.join("\t"));
    seal(&mut forged, 0);
    let forged = forged.split_off(run_sum.to_string().len() + 1);
    std::fs::write(&path, half.replace(&format!("{first}\n"), &forged)).unwrap();
    let [captures, more] = [&plain, &run(&arguments)].map(|run| {
        let line = run.out.lines().find_map(|line| line.strip_prefix("captures")).unwrap();
        line.trim().parse::<u64>().unwrap()
    });
    assert_eq!(more, captures + 1);
    // A file of a run without columns is refused and not changed.
    std::fs::write(&path, &whole).unwrap();
    let plain = run(&["perft", "6", "--checkpoint", &text]);
    assert_eq!(plain.code, Some(2));
    assert!(plain.err.contains("another run"), "{plain:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
}

/// Xiangqi: the same columns, as far as the game has such moves.
#[test]
fn xiangqi_kernels_count_like_one_move_at_a_time() {
    let start = xiangqi::Position::from_fen(xiangqi::Position::START_FEN).unwrap();
    let mut rng = SplitMix64::new(0x5eed_1106);
    let mut found = Vec::new();
    while found.len() < wanted(sample(NORMAL, LARGE)) / 3 {
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
