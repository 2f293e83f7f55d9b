//! The counts of engines with faults against the plainest way to get them: every move of every tree, but for the last
//! ply, is made on the board of the generator with faults.

use crate::common::sample;
use std::sync::atomic::AtomicBool;
use tabiya::base::rng::SplitMix64;
use tabiya::doctor::faults::{Diagnosis, Engines, Fault, FaultyBoard, Switches};
use tabiya::doctor::seeded::{Faults, totals};
use tabiya::game::Position;
use tabiya::{chess, xiangqi};

/// Adds the leaves of each of `engines` to `totals`.
fn plain<B: FaultyBoard>(board: &B, depth: u32, switches: &Switches, engines: Engines, totals: &mut [u128]) {
    let mut add = |engines: Engines, leaves: u128| {
        let here = totals.iter_mut().enumerate().filter(|(engine, _)| engines >> engine & 1 != 0);
        here.for_each(|(_, total)| *total += leaves);
    };
    let (mut moves, mut boards) = (Vec::new(), Vec::new());
    board.moves(switches, engines, &mut moves);
    if depth == 1 {
        // Most moves are moves of all engines.
        let (all, some): (Vec<_>, Vec<_>) = moves.into_iter().partition(|&(_, who)| who == engines);
        add(engines, all.len() as u128);
        return some.into_iter().for_each(|(_, who)| add(who, 1));
    }
    for (m, who) in moves {
        board.make(m, switches, who, &mut boards);
        for (child, who) in boards.drain(..) {
            plain(&child, depth - 1, switches, who, totals);
        }
    }
}

/// Compares all depths up to `depth` for `engines`.
fn compare<B: Diagnosis>(pos: &Position<B>, depth: u32, engines: &[Faults<B>]) {
    for depth in 1..=depth {
        let counts = totals(pos, depth, engines, 2, &AtomicBool::new(false)).unwrap();
        for (engines, counts) in engines.chunks(120).zip(counts.chunks(120)) {
            let mut expected = vec![0; engines.len()];
            let all = Engines::MAX >> (128 - engines.len());
            let (switches, mut boards) = (Switches::new(engines), Vec::new());
            B::sound_board(pos).read(&switches, all, &mut boards);
            for (board, who) in boards {
                plain(&board, depth, &switches, who, &mut expected);
            }
            for ((faults, count), expected) in engines.iter().zip(counts).zip(&expected) {
                assert_eq!(count, expected, "{faults:?} depth {depth} {}", pos.to_fen());
            }
        }
    }
}

/// Positions of random games from these positions: how many, the most plies, and the depth to compare.
fn compare_games<B: Diagnosis>(starts: &[&str], (games, plies, depth): (usize, usize, u32), seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let faults = Fault::<B::Fault>::all();
    let singles: Vec<Faults<B>> = faults.iter().map(|&fault| vec![fault]).collect();
    for start in starts {
        for _ in 0..games {
            let mut pos = Position::<B>::from_fen_lenient(start).unwrap().0;
            for _ in 0..rng.below(plies + 1) {
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                pos.make(moves[rng.below(moves.len())]);
            }
            compare(&pos, depth, &singles);
            let mut one = || faults[rng.below(faults.len())];
            let pairs: Vec<Faults<B>> = (0..sample(20, 120)).map(|_| vec![one(), one()]).collect();
            compare(&pos, depth, &pairs);
        }
    }
}

#[test]
fn counts_of_faults_in_chess_are_those_of_a_plain_walk() {
    let open = [
        chess::Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    compare_games::<chess::Board>(&open, (sample(1, 20), 30, 2), 1);
    // Few pieces, so that deeper trees are small: rights, pawns side by side, promotions, kings near to each other.
    let bare = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k2r/6P1/8/8/8/8/1p6/R3K3 w Qk - 0 1",
        "4k3/p1p1p3/8/1P1P4/4p1p1/8/3P1P1P/4K3 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/2k5/8/3K4/8/8/R6b w - - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    ];
    compare_games::<chess::Board>(&bare, (sample(1, 8), 8, sample(3, 4) as u32), 2);
    // A king that moves, comes back and castles needs five plies.
    let deep =
        ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1"];
    compare_games::<chess::Board>(&deep, (sample(1, 20), 0, sample(5, 6) as u32), 3);
}

#[test]
fn counts_of_faults_in_xiangqi_are_those_of_a_plain_walk() {
    compare_games::<xiangqi::Board>(&[xiangqi::Position::START_FEN], (sample(1, 10), 60, 2), 3);
    let bare = ["3k5/4a4/4b4/4P4/9/4n4/4R4/9/4c4/3AK4 w - - 0 1", "4k4/9/4P4/9/4c4/9/9/4N4/3r5/4K4 w - - 0 1"];
    compare_games::<xiangqi::Board>(&bare, (sample(1, 10), 6, sample(2, 3) as u32), 4);
}
