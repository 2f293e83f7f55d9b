//! Tests the vectors of this CPU and the operations built on them against slow loops, children computed in lanes
//! against those computed one position at a time, and the kernels against the scalar counter.
//!
//! Longer runs with the kernels of this CPU are in `tests/perft/counters.rs` and `tests/perft/statistics.rs`.

use crate::base::cpu::Portable;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
use crate::base::rng::SplitMix64;
use crate::chess::Position;
use crate::chess::board::packed::Half;
use crate::chess::board::{Board, tables};
use crate::chess::perft::batch::{BISHOPS, Batch, KNIGHTS, ParentLanes, ROOKS};
use crate::chess::perft::classify::{OurMoves, SETS};
use crate::chess::perft::pair::Pair;
use crate::chess::perft::stages::{Context, KingLines, KingZone, NullReplies, Pieces};
use crate::chess::perft::sums;
use crate::chess::perft::vector::{
    AVOID_WRAP, DELTA, MOST_LANES, NORTH_EAST, Vector, by_axis, compress_at, king_attacks, knight_attacks,
    lines_of_sight, load_at, slider_attacks, store_at, union,
};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::chess::perft::{avx2::Ymm, avx512::Zmm};
use crate::chess::types::{Bitboard, Square};
use crate::game::random_play;
use crate::game::{Counting, Half as _, Kernel, SharedHalf};
use std::slice::from_ref;

/// One word per lane. For vectors with fewer lanes the last words are ignored.
type Words = [u64; MOST_LANES];

/// Calls a function that is generic over vectors with every kind that this CPU has.
macro_rules! with_every_vector {
    ($function:ident) => {{
        $function::<Pair>(Portable);
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        {
            match Avx512::detect() {
                Some(cpu) => $function::<Zmm<Avx512>>(cpu),
                None => eprintln!("SKIPPED: this CPU has no AVX-512 with population counts and bit matrices"),
            }
            match Avx512Bw::detect() {
                Some(cpu) => $function::<Zmm<Avx512Bw>>(cpu),
                None => eprintln!("SKIPPED: this CPU has no AVX-512"),
            }
            match Avx2::detect() {
                Some(cpu) => $function::<Ymm>(cpu),
                None => eprintln!("SKIPPED: this CPU has no AVX2"),
            }
        }
    }};
}

fn words<V: Vector>(vector: V) -> Words {
    let mut words = [0; MOST_LANES];
    vector.store(&mut words);
    words
}

/// Fails unless the lanes of `vector` equal the first words of `expected`.
#[track_caller]
fn assert_lanes<V: Vector>(vector: V, expected: Words) {
    assert_eq!(words(vector)[..V::LANES], expected[..V::LANES]);
}

/// Calls `check` with the positions of `games` random games from each start position. They contain pins, checks,
/// castling of all kinds, promotions, en passant captures, many queens, and both sides to move.
fn for_each_position(games: usize, mut check: impl FnMut(&Position)) {
    let mut rng = SplitMix64::new(0x5eed_0107);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "2q1k1q1/1q4q1/8/3n4/3N4/8/Q4Q2/1Q2K2Q b - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
        // Our king can prevent their castling from b7; the castling rook is pinned while we promote; a double step that
        // blocks a check can be captured en passant.
        "r3k2r/8/1K6/8/8/8/8/8 w kq - 0 1",
        "Rr2k3/7P/8/8/8/8/8/4K3 w b - 0 1",
        "4k3/6b1/8/8/4p3/8/1K1P4/8 w - - 0 1",
        // Endings with other kinds of pieces.
        "8/pp3k2/3p4/2pP2p1/2P3P1/1P1K4/P7/8 w - - 0 1",
        "8/4kpp1/2n1p2p/3pP3/3P1P2/3K1N1P/6P1/8 w - - 0 1",
        "8/4kbp1/4p2p/3pP3/3P1P2/3KB2P/6P1/8 w - - 0 1",
        "8/5pk1/R5p1/7p/5P1P/r5P1/6K1/8 w - - 0 1",
        "8/5pk1/2n3p1/r6p/7P/R2N2P1/5PK1/8 w - - 0 1",
        "8/5pk1/6p1/4q2p/7P/5QP1/5PK1/8 w - - 0 1",
    ] {
        for _ in 0..games {
            let start = Position::from_fen(fen).unwrap();
            random_play::positions(start, 40, &mut rng).iter().for_each(&mut check);
        }
    }
}

/// Words with few members, many, none and all.
fn random_words(rng: &mut SplitMix64) -> Words {
    std::array::from_fn(|_| match rng.below(8) {
        0 => 0,
        1 => !0,
        2 => 1 << rng.below(64),
        3..6 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
        _ => rng.next_u64(),
    })
}

fn operations<V: Vector>(cpu: V::Cpu) {
    let mut rng = SplitMix64::new(0x5eed_0101);
    let table: Box<[u64; 2048]> = Box::new(std::array::from_fn(|i| i as u64 * 0x1_0001));
    for _ in 0..2_000 {
        let [x, y, z] = [0; 3].map(|_| random_words(&mut rng));
        let [a, b, c] = [&x, &y, &z].map(|words| V::load(cpu, words));
        let each = |f: &dyn Fn(usize) -> u64| -> Words { std::array::from_fn(f) };
        assert_lanes(a, x);
        assert_lanes(V::splat(cpu, x[0]), [x[0]; MOST_LANES]);
        assert_lanes(a & b, each(&|i| x[i] & y[i]));
        assert_lanes(a | b, each(&|i| x[i] | y[i]));
        assert_lanes(a ^ b, each(&|i| x[i] ^ y[i]));
        assert_lanes(!a, each(&|i| !x[i]));
        assert_lanes(a + b, each(&|i| x[i].wrapping_add(y[i])));
        assert_lanes(a - b, each(&|i| x[i].wrapping_sub(y[i])));
        assert_lanes(a.without(b), each(&|i| x[i] & !y[i]));
        for by in [-63, -17, -8, -1, 0, 1, 9, 36, 63] {
            let shifted = |w: u64| if by >= 0 { w << by } else { w >> -by };
            assert_lanes(a.shift(by), each(&|i| shifted(x[i])));
        }
        assert_lanes(a.popcount(), each(&|i| u64::from(x[i].count_ones())));
        assert_lanes(a.times(b), each(&|i| (x[i] & 0xffff_ffff) * (y[i] & 0xffff_ffff)));
        let nonzero = (0..V::LANES).fold(0, |bits, i| bits | u8::from(x[i] != 0) << i);
        assert_eq!(a.nonzero(), nonzero);
        assert_lanes(a.keep_if_zero(b), each(&|i| if y[i] == 0 { x[i] } else { 0 }));
        assert_lanes(a.keep_if_nonzero(b), each(&|i| if y[i] != 0 { x[i] } else { 0 }));
        assert_lanes(a.keep_if_less(b, c), each(&|i| if y[i] < z[i] { x[i] } else { 0 }));
        let lanes = rng.next_u64() as u8;
        assert_lanes(a.mask_lanes(lanes), each(&|i| if lanes >> i & 1 != 0 { x[i] } else { 0 }));
        let highest = |w: u64| if w == 0 { 0 } else { 1 << w.ilog2() };
        assert_lanes(a.highest(), each(&|i| highest(x[i])));
        assert_lanes(V::bit(cpu, a), each(&|i| 1 << (x[i] & 63)));
        assert_lanes(a.permute(b), each(&|i| x[y[i] as usize & (V::LANES - 1)]));
        let halves: [u16; MOST_LANES] = x.map(|w| w as u16);
        assert_lanes(V::widen(cpu, &halves), halves.map(u64::from));
        let found = V::gather(cpu, &table, a);
        assert_lanes(found, each(&|i| table[x[i] as usize & 2047]));
        let mut packed = [0; MOST_LANES];
        a.compress(lanes, &mut packed);
        let chosen: Vec<u64> = (0..V::LANES).filter(|i| lanes >> i & 1 != 0).map(|i| x[i]).collect();
        assert_eq!(packed[..chosen.len()], chosen);
    }
}

#[test]
fn every_operation_matches_plain_words() {
    with_every_vector!(operations);
}

/// The squares from `from` in a direction, up to the first occupied one.
fn walk(from: usize, d: usize, occupied: u64) -> u64 {
    let (mut set, mut reached) = (1u64 << from, 0);
    loop {
        let moved = if DELTA[d] > 0 { set << DELTA[d] } else { set >> -DELTA[d] };
        set = moved & AVOID_WRAP[d];
        reached |= set;
        if set == 0 || set & occupied != 0 {
            return reached;
        }
    }
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |i| set >> i & 1 != 0)
}

fn attacks<V: Vector>(cpu: V::Cpu) {
    let mut rng = SplitMix64::new(0x5eed_0102);
    for _ in 0..1_000 {
        let occupied = random_words(&mut rng);
        let [rooks, bishops] = [0; 2]
            .map(|_| random_words(&mut rng))
            .map(|sliders| -> Words { std::array::from_fn(|i| sliders[i] & occupied[i]) });
        let lines = by_axis(V::load(cpu, &rooks), V::load(cpu, &bishops));
        let attacks = slider_attacks::<V>(cpu, lines, V::load(cpu, &occupied));
        let sources = random_words(&mut rng);
        let reached = lines_of_sight::<V>(cpu, V::load(cpu, &sources), V::load(cpu, &occupied));
        for d in 0..8 {
            let sliders = if d < 4 { rooks } else { bishops };
            let all = |sets: &Words, i: usize| members(sets[i]).fold(0, |set, from| set | walk(from, d, occupied[i]));
            let expected: Words = std::array::from_fn(|i| all(&sliders, i));
            assert_lanes(attacks[d], expected);
            let expected: Words = std::array::from_fn(|i| all(&sources, i));
            assert_lanes(reached[d], expected);
        }
        let pieces = V::load(cpu, &sources);
        let around = |look_up: fn(Square) -> Bitboard, i: usize| {
            Bitboard(sources[i]).into_iter().fold(Bitboard::EMPTY, |set, square| set | look_up(square)).0
        };
        let expected: Words = std::array::from_fn(|i| around(tables::knight, i));
        assert_lanes(knight_attacks(cpu, pieces), expected);
        let expected: Words = std::array::from_fn(|i| around(tables::king, i));
        let around: Words = std::array::from_fn(|i| expected[i] | sources[i]);
        assert_lanes(king_attacks(cpu, pieces) | pieces, around);
        let single = V::bit(cpu, pieces);
        let queens = slider_attacks::<V>(cpu, [single; 4], V::load(cpu, &occupied) | single);
        let look_up = |i: usize| {
            let square = Square::wrapping(sources[i] as u32);
            let occupied = Bitboard(occupied[i]);
            (tables::bishop(square, occupied) | tables::rook(square, occupied)).0
        };
        assert_lanes(union(&queens), std::array::from_fn(look_up));
    }
}

#[test]
fn attacks_match_a_square_by_square_walk() {
    with_every_vector!(attacks);
}

fn memory<V: Vector>(cpu: V::Cpu) {
    let mut room: [u64; 2 * MOST_LANES] = std::array::from_fn(|i| i as u64);
    for at in 0..=MOST_LANES {
        let expected: Words = std::array::from_fn(|i| (at + i) as u64);
        assert_lanes(load_at::<V>(cpu, &room, at), expected);
    }
    store_at(V::splat(cpu, 70), &mut room, 3);
    let expected = std::array::from_fn(|i| if (3..3 + V::LANES).contains(&i) { 70 } else { i as u64 });
    assert_eq!(room, expected);
    compress_at(V::splat(cpu, 90), 0b101, &mut room, 8);
    assert_eq!(room[8..10], [90, 90]);
}

#[test]
fn words_load_and_store_at_any_offset() {
    with_every_vector!(memory);
}

fn children<V: Vector>(cpu: V::Cpu) {
    for_each_position(30, |parent| {
        let parent_lanes = ParentLanes::<V>::new(cpu, parent);
        let mut batch = Batch::new(&parent.with_white_to_move());
        let mut made = Vec::new();
        for group in parent.legal_moves().chunks(V::LANES) {
            batch.push_children(cpu, &parent_lanes, group);
            made.extend(group.iter().map(|&m| parent.play_unchecked(m).with_white_to_move()));
            while batch.is_full::<V>() {
                for (lane, child) in made.drain(..V::LANES).enumerate() {
                    assert_eq!(batch.board(lane), child);
                }
                batch.advance::<V>();
            }
        }
        for (lane, child) in made.into_iter().enumerate() {
            assert_eq!(batch.board(lane), child);
        }
    });
}

#[test]
fn children_made_in_lanes_match_those_made_one_by_one() {
    with_every_vector!(children);
}

#[test]
fn the_example_in_the_perft_docs_is_right() {
    let fen = "r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
    let pos = Position::from_fen(fen).unwrap();
    let mut batch = Batch::new(&pos);
    batch.push(&pos, 0);
    let cpu = Portable;
    let pieces = &Pieces::<Pair>::of::<{ KNIGHTS | BISHOPS | ROOKS }>(cpu, &batch);
    let king = &KingLines::of(cpu, pieces);
    let zone = &KingZone::of(cpu, &batch, pieces, king);
    let null = &NullReplies::of(cpu, pieces, king);
    let at = Context { cpu, batch: &batch, pieces, king, zone, null };
    let OurMoves { ordinary, special, ep_replies } = &OurMoves::of(at);
    let word = |set: Pair| {
        let mut words = [0; MOST_LANES];
        set.store(&mut words);
        words[0]
    };
    let number = |numbers: Pair| word(numbers) as i64;
    let moves: i64 =
        sums::moves_to(cpu, ordinary).0.iter().rev().fold(0, |sum, &plane| 2 * sum + number(plane.popcount()));
    let replies = number(null.count + zone.null_king_moves);
    assert_eq!((moves, replies), (31, 27));
    let landing = number(sums::null_and_landing(at, ordinary)) - moves * replies;
    assert_eq!(landing, -1);
    assert_eq!(number(sums::leaving(at, ordinary)), 6);
    assert_eq!(number(sums::denied_king_moves(at, ordinary)), 1);
    assert_eq!(number(sums::unpinned_moves(at, ordinary)), 25);
    assert_eq!(number(*ep_replies), 0);
    // Bxc6+, a slider move to the north-east.
    let mut expected = [0; SETS];
    expected[NORTH_EAST] = 1 << 42;
    assert_eq!(special.sets.map(word), expected);
    let after = Position::from_fen("r1bqkbnr/ppp2ppp/2Bp4/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4").unwrap();
    assert_eq!((after.count_legal(), pos.perft(2)), (4, 870));
}

/// Compares every kernel with the scalar one.
fn compare_kernels(pos: &Position, depth: u32) {
    let expected = pos.perft_by(depth, Kernel::Scalar);
    for &kernel in Position::kernels() {
        assert_eq!(pos.perft_by(depth, kernel), expected, "{} at depth {depth}, {kernel:?}", pos.to_fen());
    }
}

#[test]
fn every_kernel_counts_right() {
    for_each_position(3, |pos| {
        for depth in [2, 3] {
            compare_kernels(pos, depth);
        }
    });
}

#[test]
fn each_position_has_its_own_count() {
    for_each_position(3, |pos| {
        let children = pos.legal_moves().into_iter().map(|m| pos.play_unchecked(m)).collect::<Vec<_>>();
        let side = pos.side().flip();
        let halves = Vec::from_iter(children.iter().map(|child| [side, side.flip()].map(|side| Half::of(child, side))));
        for &kernel in Position::kernels() {
            let mut counts = vec![0; children.len()];
            let groups = halves.iter().enumerate();
            let groups = groups.map(|(first, [half, other])| {
                let halves = from_ref(other);
                SharedHalf { side, half, halves, numbers: &[0], first }
            });
            Board::perft2(pos, side, kernel, groups, &mut counts);
            for (child, count) in children.iter().zip(counts) {
                assert_eq!(u64::from(count), child.perft_by(2, Kernel::Scalar), "{} {kernel:?}", child.to_fen());
            }
        }
    });
}
