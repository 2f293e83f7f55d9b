//! Every fast way of counting against a slow one, on tens of thousands of random positions and the suites.
//!
//! The oracle is the plain recursion below: list, make, recurse, one move at a time. Positions come from
//! seeded play (initial position, Chess960, suite positions; biased to pins, checks, en passant, promotions
//! and castling) and from random placements that no game would reach.
//!
//! `TABIYA_POSITIONS` says how many positions; `.ci/nightly counters` sets it.

use crate::common::play;
use std::env;
use std::fmt::Write as _;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Bitboard, Kind, Placement, Position, Square};
use tabiya::game::{Kernel, Side};
use tabiya::perft::count::Counter;
use tabiya::perft::frontier::MIN_DEPTH;

/// Positions of the normal run.
const NORMAL: usize = 4_000;

/// The number of positions to compare: `TABIYA_POSITIONS`, or the usual one.
pub fn wanted(usual: usize) -> usize {
    env::var("TABIYA_POSITIONS").map_or(usual, |text| text.parse().expect("TABIYA_POSITIONS is a number"))
}

/// The oracle. Leaves are counted from lists of moves, so that it does not depend on the counting generator.
fn slow(pos: &Position, depth: u32) -> u64 {
    let list = pos.legal_moves();
    if depth == 1 {
        return list.len() as u64;
    }
    let mut nodes = 0;
    for &m in &list {
        let mut child = *pos;
        child.make(m);
        nodes += slow(&child, depth - 1);
    }
    nodes
}

/// Compares one position; a difference is returned with the moves after which the counts differ.
fn compare(pos: &Position, depth: u32, name: &str, count: impl Fn(&Position, u32) -> u128) -> Option<String> {
    let (expected, counted) = (u128::from(slow(pos, depth)), count(pos, depth));
    if expected == counted {
        return None;
    }
    let mut text = format!("{} depth {depth}: {name} counts {counted}, not {expected}:", pos.to_fen());
    for &m in &pos.legal_moves() {
        let mut child = *pos;
        child.make(m);
        let right = if depth == 1 { 1 } else { u128::from(slow(&child, depth - 1)) };
        let ours = if depth == 1 { 1 } else { count(&child, depth - 1) };
        if ours != right {
            let _ = write!(text, " {} {ours}/{right}", pos.move_text(m));
        }
    }
    Some(text)
}

/// Fails the test if there were differences.
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong, first ones:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// The depth for the position with this index: mostly 2, some deeper.
fn depth_of(index: usize) -> u32 {
    match index % 80 {
        0 => 4,
        1..=10 => 3,
        _ => 2,
    }
}

/// `count` positions, a quarter each from games, Chess960 games, play from suite positions, and placements.
pub fn positions(count: usize, seed: u64) -> Vec<Position> {
    let quarter = count.div_ceil(4);
    let mut found = play::positions(quarter, true, seed);
    found.extend(play::positions(quarter, false, seed + 1));
    let mut rng = SplitMix64::new(seed + 2);
    let suites = play::suite_positions();
    while found.len() < 3 * quarter {
        let game = play::game(suites[rng.below(suites.len())], 12, &mut rng);
        found.extend(game.positions());
    }
    found.truncate(3 * quarter);
    while found.len() < count {
        let Some(pos) = placement(&mut rng) else { continue };
        found.push(pos);
        // And the position after a move, if possible one that allows en passant.
        let after = |m| {
            let mut child = pos;
            child.make(m);
            child
        };
        let list = pos.legal_moves();
        let passing = list.iter().copied().find(|&m| after(m).en_passant().is_some());
        if let Some(m) = passing.or_else(|| play::random_move(&pos, &mut rng)) {
            found.push(after(m));
        }
    }
    found.truncate(count);
    // Shuffled, so that every source is counted at every depth.
    for i in (1..found.len()).rev() {
        found.swap(i, rng.below(i + 1));
    }
    found
}

/// Pieces at random: crowded or nearly empty boards, kings near each other or on their back ranks with castling
/// rights, many sliders or many pawns, pieces on the lines of the kings. `None` if the position is not legal, which
/// is the usual case.
fn placement(rng: &mut SplitMix64) -> Option<Position> {
    let style = rng.below(8);
    let mut pieces = [None; 64];
    let home = style <= 1;
    let white = if home { rng.below(8) } else { rng.below(64) };
    let black = match style {
        0 | 1 => 56 + rng.below(8),
        2 => (white + [2, 10, 16, 17, 18, 15, 14][rng.below(7)]) % 64,
        _ => rng.below(64),
    };
    if white == black {
        return None;
    }
    let kings = [(Side::First, white), (Side::Second, black)];
    for (side, king) in kings {
        pieces[king] = Some((side, Kind::King));
    }
    let mut castling = Bitboard::EMPTY;
    for (side, king) in kings.into_iter().filter(|_| home) {
        let (file, rank) = (king % 8, king / 8 * 8);
        for wing in [0..file, file + 1..8] {
            if !wing.is_empty() && rng.below(4) > 0 {
                let rook = rank + wing.start + rng.below(wing.len());
                pieces[rook] = Some((side, Kind::Rook));
                castling |= Bitboard::of(Square::wrapping(rook as u32));
            }
        }
    }
    let kinds: &[Kind] = match style {
        3 | 4 => &[Kind::Bishop, Kind::Rook, Kind::Queen, Kind::Queen, Kind::Knight, Kind::Pawn],
        5 | 6 => &[Kind::Pawn, Kind::Pawn, Kind::Pawn, Kind::Knight, Kind::Rook, Kind::Bishop],
        _ => &[Kind::Pawn, Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen],
    };
    let most = [3, 6, 10, 14][rng.below(4)];
    for side in Side::BOTH {
        for _ in 0..=rng.below(most) {
            let kind = kinds[rng.below(kinds.len())];
            let mut square = Square::wrapping(rng.below(64) as u32);
            if rng.below(3) == 0 {
                let king = Square::wrapping(kings[rng.below(2)].1 as u32);
                let line = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)];
                let ((file, rank), steps) = (line[rng.below(8)], 1 + rng.below(4) as i32);
                square = king.step(file * steps, rank * steps)?;
            } else if kind == Kind::Pawn && rng.below(2) == 0 {
                // Ranks before promotion, and before and after the double step.
                let rank = [1, 3, 4, 6][rng.below(4)];
                square = Square::wrapping((rank * 8 + rng.below(8)) as u32);
            }
            if pieces[square.index()].is_none() {
                pieces[square.index()] = Some((side, kind));
            }
        }
    }
    let side = if rng.below(2) == 0 { Side::First } else { Side::Second };
    let chess960 = !castling.is_empty();
    let (en_passant, halfmove, fullmove) = (None, 0, 1);
    Position::new(&Placement { pieces, side, castling, en_passant, halfmove, fullmove, chess960 }).ok()
}

fn compare_kernels(positions: &[Position]) {
    let mut wrong = Vec::new();
    for (i, pos) in positions.iter().enumerate() {
        // Kernels with lanes fill them only three or more plies above the leaves.
        let depth = depth_of(i).max(2 + (i % 2) as u32);
        for &kernel in Position::kernels() {
            let count = |pos: &Position, depth| u128::from(pos.perft_by(depth, kernel));
            wrong.extend(compare(pos, depth, kernel.name(), count));
        }
    }
    assert_none(&wrong);
}

/// Positions that a kernel once counted wrong: castling that releases the rook's pin, removes two defenders of a
/// square, or brings the king near the other king.
#[test]
fn castling_that_affects_the_other_king() {
    let fens = [
        "rk4nr/p2p4/1nq5/K1B2p1p/4NRp1/PP1p1PPP/4P2N/b3R2B w ha - 2 23",
        "k7/8/2P5/2np4/2R5/8/7p/RK3R2 b FA - 0 1",
        "1k1r4/4N3/1r2n3/5p2/6P1/8/8/3K4 w d - 0 1",
        "r1q1r2b/p1pp1pp1/R4n1p/1Pn1p3/2N2k1P/3PN3/1PP1P1P1/1K2R2B b E - 0 9",
        "r2k1r2/4R3/8/p2Q4/4p3/8/8/1R1K4 b Bfa - 0 1",
    ];
    let mut wrong = Vec::new();
    for fen in fens {
        let pos = Position::from_fen(fen).unwrap();
        for &kernel in Position::kernels() {
            let count = |pos: &Position, depth| u128::from(pos.perft_by(depth, kernel));
            wrong.extend(compare(&pos, 3, kernel.name(), count));
        }
    }
    assert_none(&wrong);
}

fn compare_counters(positions: &[Position]) {
    let kernels = Position::kernels().iter().cycle();
    let settings = [(1, 16, 0), (2, 64, 1), (5, 16, u64::MAX), (2, 0, 0)];
    let mut wrong = Vec::new();
    for ((threads, hash_megabytes, seed), &kernel) in settings.into_iter().zip(kernels) {
        let counter = Counter { threads, hash_megabytes, seed, kernel };
        let name = format!("{}, threads {threads}, {hash_megabytes} MB, seed {seed}", kernel.name());
        for (i, pos) in positions.iter().enumerate() {
            // Less is counted without a frontier.
            let depth = depth_of(i).max(MIN_DEPTH);
            wrong.extend(compare(pos, depth, &name, |pos, depth| counter.total(pos, depth).unwrap()));
        }
    }
    assert_none(&wrong);
}

#[test]
fn every_kernel_counts_like_the_slow_walk() {
    assert!(Position::kernels().contains(&Kernel::Scalar));
    compare_kernels(&positions(wanted(NORMAL), 0x5eed_3002));
}

#[test]
fn memory_and_threads_count_like_the_slow_walk() {
    compare_counters(&positions(wanted(NORMAL) / 20, 0x5eed_3003));
}
