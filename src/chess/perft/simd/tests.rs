//! Tests the vectors of this CPU against plain words, and the operations built on them against slow loops.
//!
//! This file tests every operation of every backend; `tests/perft/counters.rs` compares whole counts. [`Plain`] is a
//! backend of eight plain words, so that code for eight lanes is tested on every CPU.

#[cfg(target_arch = "x86_64")]
use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
use crate::base::cpu::{Cpu, Portable, Task};
use crate::base::rng::SplitMix64;
use crate::chess::board::Position;
use crate::chess::board::tables;
use crate::chess::perft::simd::bit_sliced::{BITS, BitSliced, count_nested, count7, sum_over};
use crate::chess::perft::simd::fills::{
    AVOID_WRAP, DELTA, EAST, NORTH, SOUTH, WEST, by_axis, king_attacks, knight_attacks, lines_of_sight, ray_attacks,
    slider_attacks, union,
};
use crate::chess::perft::simd::{MOST_LANES, Vector, compress_at, lane_mask, load_at, store_at};
#[cfg(target_arch = "x86_64")]
use crate::chess::perft::simd::{avx2::Ymm, avx512::Zmm};
use crate::chess::types::{Bitboard, Square};
use crate::game::position::random_play;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// One word per lane. For vectors with fewer lanes the last words are ignored.
pub type Words = [u64; MOST_LANES];

/// A test that runs on every backend of this CPU, in a function compiled for it.
pub trait Check: Copy {
    fn check<V: Vector>(self, cpu: V::Cpu);
}

struct Run<K, V: Vector>(K, V::Cpu);

impl<K: Check, V: Vector> Task for Run<K, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        self.0.check::<V>(self.1);
    }
}

pub fn for_each_backend(check: impl Check) {
    Portable.run(Run::<_, Plain>(check, Portable));
    #[cfg(target_arch = "x86_64")]
    {
        match Avx512::detect() {
            Some(cpu) => cpu.run(Run::<_, Zmm<Avx512>>(check, cpu)),
            None => eprintln!("SKIPPED: this CPU has no AVX-512 with population counts and bit matrices"),
        }
        match Avx512Bw::detect() {
            Some(cpu) => cpu.run(Run::<_, Zmm<Avx512Bw>>(check, cpu)),
            None => eprintln!("SKIPPED: this CPU has no AVX-512"),
        }
        match Avx2::detect() {
            Some(cpu) => cpu.run(Run::<_, Ymm>(check, cpu)),
            None => eprintln!("SKIPPED: this CPU has no AVX2"),
        }
    }
}

/// Eight words in an array: the reference implementation of each operation, lane by lane.
#[derive(Clone, Copy)]
pub struct Plain([u64; MOST_LANES]);

macro_rules! operator {
    ($trait:ident, $method:ident, $each:expr) => {
        impl $trait for Plain {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.with(other, $each)
            }
        }
    };
}
operator!(BitAnd, bitand, |a, b| a & b);
operator!(BitOr, bitor, |a, b| a | b);
operator!(BitXor, bitxor, |a, b| a ^ b);
operator!(Add, add, u64::wrapping_add);
operator!(Sub, sub, u64::wrapping_sub);

impl Not for Plain {
    type Output = Self;
    fn not(self) -> Self {
        Plain(self.0.map(|a| !a))
    }
}

impl Plain {
    fn with(self, other: Self, each: impl Fn(u64, u64) -> u64) -> Self {
        Plain(std::array::from_fn(|i| each(self.0[i], other.0[i])))
    }
}

impl Vector for Plain {
    type Cpu = Portable;
    const LANES: usize = MOST_LANES;
    fn splat(_cpu: Portable, word: u64) -> Self {
        Plain([word; MOST_LANES])
    }
    fn load(_cpu: Portable, words: &Words) -> Self {
        Plain(*words)
    }
    fn store(self, words: &mut Words) {
        *words = self.0;
    }
    fn shift(self, by: i32) -> Self {
        Plain(self.0.map(|a| if by >= 0 { a << by } else { a >> -by }))
    }
    fn count_parts(self) -> Self {
        // Bytes, so that overflowing sums are noticed.
        Plain(self.0.map(|a| u64::from_le_bytes(a.to_le_bytes().map(|byte| byte.count_ones() as u8))))
    }
    fn sum_parts(self) -> Self {
        Plain(self.0.map(|a| a.to_le_bytes().into_iter().map(u64::from).sum()))
    }
    fn times(self, other: Self) -> Self {
        self.with(other, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }
    fn nonzero(self) -> u8 {
        (0..MOST_LANES).fold(0, |lanes, i| lanes | u8::from(self.0[i] != 0) << i)
    }
    fn keep_if_zero(self, test: Self) -> Self {
        self.with(test, |a, test| if test == 0 { a } else { 0 })
    }
    fn bit(_cpu: Portable, squares: Self) -> Self {
        Plain(squares.0.map(|square| 1 << (square & 63)))
    }
    fn permute(self, lanes: Self) -> Self {
        Plain(lanes.0.map(|lane| self.0[lane as usize % MOST_LANES]))
    }
    fn mask_lanes(self, lanes: u8) -> Self {
        Plain(std::array::from_fn(|i| if lanes >> i & 1 != 0 { self.0[i] } else { 0 }))
    }
    fn keep_if_less(self, a: Self, b: Self) -> Self {
        Plain(std::array::from_fn(|i| if a.0[i] < b.0[i] { self.0[i] } else { 0 }))
    }
    fn highest(self) -> Self {
        Plain(self.0.map(|a| a.checked_ilog2().map_or(0, |bit| 1 << bit)))
    }
    fn widen(_cpu: Portable, numbers: &[u16; MOST_LANES]) -> Self {
        Plain(numbers.map(u64::from))
    }
    fn gather(_cpu: Portable, table: &[u64; 2048], index: Self) -> Self {
        Plain(index.0.map(|i| table[i as usize % 2048]))
    }
    fn compress(self, lanes: u8, words: &mut Words) {
        let chosen = (0..MOST_LANES).filter(|i| lanes >> i & 1 != 0);
        words.iter_mut().zip(chosen).for_each(|(word, i)| *word = self.0[i]);
    }
    fn reduce_sum(self) -> u64 {
        self.0.into_iter().fold(0, u64::wrapping_add)
    }
    fn file_attacks(cpu: Portable, rooks: Self, occupied: Self) -> [Self; 2] {
        [ray_attacks::<NORTH, Self>(cpu, rooks, !occupied), ray_attacks::<SOUTH, Self>(cpu, rooks, !occupied)]
    }
    fn rank_attacks(cpu: Portable, rooks: Self, occupied: Self) -> [Self; 2] {
        [ray_attacks::<EAST, Self>(cpu, rooks, !occupied), ray_attacks::<WEST, Self>(cpu, rooks, !occupied)]
    }
}

pub fn words<V: Vector>(vector: V) -> Words {
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
pub fn for_each_position(games: usize, mut check: impl FnMut(&Position)) {
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
    ] {
        for _ in 0..games {
            let start = Position::from_fen(fen).unwrap();
            random_play::positions(start, 40, &mut rng).iter().for_each(&mut check);
        }
    }
}

/// Words with few members, many, none and all.
pub fn random_words(rng: &mut SplitMix64) -> Words {
    std::array::from_fn(|_| match rng.below(8) {
        0 => 0,
        1 => !0,
        2 => 1 << rng.below(64),
        3..6 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
        _ => rng.next_u64(),
    })
}

#[derive(Clone, Copy)]
struct Operations;

impl Check for Operations {
    fn check<V: Vector>(self, cpu: V::Cpu) {
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
            let sum = x[..V::LANES].iter().copied().fold(0, u64::wrapping_add);
            assert_eq!(a.reduce_sum(), sum);
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
}

#[test]
fn every_operation_matches_plain_words() {
    for_each_backend(Operations);
}

/// The squares from `from` in a direction, up to the first occupied one.
pub fn walk(from: usize, d: usize, occupied: u64) -> u64 {
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

pub fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |i| set >> i & 1 != 0)
}

#[derive(Clone, Copy)]
struct Attacks;

impl Check for Attacks {
    fn check<V: Vector>(self, cpu: V::Cpu) {
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
                let all =
                    |sets: &Words, i: usize| members(sets[i]).fold(0, |set, from| set | walk(from, d, occupied[i]));
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
}

#[test]
fn attacks_match_a_square_by_square_walk() {
    for_each_backend(Attacks);
}

#[derive(Clone, Copy)]
struct Numbers;

impl Check for Numbers {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        let mut rng = SplitMix64::new(0x5eed_0104);
        for _ in 0..500 {
            // At most 24 on a square: eight sets of ones, eight of twos.
            let ones: [Words; 8] = std::array::from_fn(|_| random_words(&mut rng));
            let twos: [Words; 8] = std::array::from_fn(|_| random_words(&mut rng));
            let mut planes = BitSliced::<V>::zero(cpu);
            planes.add(0, ones.map(|sets| V::load(cpu, &sets)));
            planes.add(1, twos.map(|sets| V::load(cpu, &sets)));
            let stored = planes.0.map(words);
            let number = |lane: usize, square: usize| -> u64 {
                (0..BITS).map(|bit| (stored[bit][lane] >> square & 1) << bit).sum()
            };
            let count = |sets: &[Words], lane: usize, square: usize| -> u64 {
                sets.iter().map(|words| words[lane] >> square & 1).sum()
            };
            let mut other = BitSliced::<V>::zero(cpu);
            other.add(0, twos.map(|sets| V::load(cpu, &sets)));
            let dot = words(planes.dot(cpu, &other.0));
            let weight = words(sum_over(cpu, &planes.0, V::load(cpu, &ones[0])));
            let seven: [V; 7] = std::array::from_fn(|i| V::load(cpu, &ones[i]));
            let numbers_of_seven = count7(&seven);
            let numbers = numbers_of_seven.map(words);
            let mut nested = seven;
            for k in 1..7 {
                nested[k] = nested[k] & nested[k - 1];
            }
            let depths_of_seven = count_nested(&nested);
            let depths = depths_of_seven.map(words);
            let mut twice = BitSliced::<V>::zero(cpu);
            twice.add_numbers(numbers_of_seven, depths_of_seven);
            twice.add_numbers(depths_of_seven, depths_of_seven);
            let twice = twice.0.map(words);
            for lane in 0..V::LANES {
                let (mut products, mut sum) = (0, 0);
                for square in 0..64 {
                    let value = count(&ones, lane, square) + 2 * count(&twos, lane, square);
                    assert_eq!(number(lane, square), value);
                    products += value * count(&twos, lane, square);
                    sum += value * (ones[0][lane] >> square & 1);
                    let three = |planes: &[Words; 3]| -> u64 {
                        (0..3).map(|bit| (planes[bit][lane] >> square & 1) << bit).sum()
                    };
                    assert_eq!(three(&numbers), count(&ones[..7], lane, square));
                    let depth = (0..7).take_while(|&k| ones[k][lane] >> square & 1 != 0).count();
                    assert_eq!(three(&depths), depth as u64);
                    let sum: u64 = (0..BITS).map(|bit| (twice[bit][lane] >> square & 1) << bit).sum();
                    assert_eq!(sum, three(&numbers) + 3 * depth as u64);
                }
                assert_eq!((dot[lane], weight[lane]), (products, sum));
            }
        }
    }
}

#[test]
fn bit_sliced_numbers_add_and_multiply() {
    for_each_backend(Numbers);
}

#[test]
fn lane_masks_begin_at_lane_0() {
    assert_eq!([0, 1, 5, 8, 20].map(lane_mask::<Plain>), [0, 1, 0b1_1111, 0xff, 0xff]);
    #[cfg(target_arch = "x86_64")]
    assert_eq!([0, 1, 3, 4, 20].map(lane_mask::<Ymm>), [0, 1, 0b111, 0xf, 0xf]);
}

#[derive(Clone, Copy)]
struct Memory;

impl Check for Memory {
    fn check<V: Vector>(self, cpu: V::Cpu) {
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
}

#[test]
fn words_load_and_store_at_any_offset() {
    for_each_backend(Memory);
}
