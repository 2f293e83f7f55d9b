//! [`Vector`] in two words: two lanes, for every CPU without vectors that another kernel knows.
//!
//! On x86-64 they are in a register of SSE2, which all of these CPUs have. Elsewhere the compiler makes of two plain
//! words what it can.

#![allow(unsafe_code, reason = "vector instructions")]

use crate::base::cpu::Portable;
#[cfg(not(target_arch = "x86_64"))]
use crate::chess::perft::vector::EAST;
use crate::chess::perft::vector::{MOST_LANES, NORTH, SOUTH, Vector, WEST, ray_attacks};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

#[cfg(target_arch = "x86_64")]
type Words = __m128i;
#[cfg(not(target_arch = "x86_64"))]
type Words = [u64; 2];

/// Two words.
#[derive(Clone, Copy)]
pub struct Pair(Words);

// Everything that differs between the two is here; both have the same functions.
#[cfg(target_arch = "x86_64")]
impl Pair {
    #[inline(always)]
    fn of([a, b]: [u64; 2]) -> Self {
        const { assert!(cfg!(target_feature = "sse2")) };
        // SAFETY: every x86-64 CPU has SSE2.
        Pair(unsafe { _mm_set_epi64x(b as i64, a as i64) })
    }
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        // SAFETY: as above.
        unsafe {
            let high = _mm_unpackhi_epi64(self.0, self.0);
            [_mm_cvtsi128_si64(self.0) as u64, _mm_cvtsi128_si64(high) as u64]
        }
    }
    /// All bits in lanes that are zero, otherwise none.
    #[inline(always)]
    fn zeros(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let halves = _mm_cmpeq_epi32(self.0, _mm_setzero_si128());
            Pair(_mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves)))
        }
    }
    /// Lane 0 in bit 0, by the highest bits.
    #[inline(always)]
    fn signs(self) -> u8 {
        // SAFETY: as above.
        unsafe { _mm_movemask_pd(_mm_castsi128_pd(self.0)) as u8 }
    }
    #[inline(always)]
    fn shifted(self, by: i32) -> Self {
        // SAFETY: as above. With a constant count these become shifts by an immediate.
        unsafe {
            let count = _mm_cvtsi32_si128(by.abs());
            Pair(if by >= 0 { _mm_sll_epi64(self.0, count) } else { _mm_srl_epi64(self.0, count) })
        }
    }
    /// The parts are bytes: members are counted in two bits, in four, and in eight.
    #[inline(always)]
    fn counts(self) -> Self {
        // SAFETY: as above.
        unsafe {
            let (ones, pairs, nibbles) = (_mm_set1_epi8(0x55), _mm_set1_epi8(0x33), _mm_set1_epi8(0x0f));
            let counts = _mm_sub_epi8(self.0, _mm_and_si128(_mm_srli_epi64::<1>(self.0), ones));
            let high = _mm_and_si128(_mm_srli_epi64::<2>(counts), pairs);
            let counts = _mm_add_epi8(_mm_and_si128(counts, pairs), high);
            Pair(_mm_and_si128(_mm_add_epi8(counts, _mm_srli_epi64::<4>(counts)), nibbles))
        }
    }
    #[inline(always)]
    fn sum(self) -> Self {
        // SAFETY: as above.
        Pair(unsafe { _mm_sad_epu8(self.0, _mm_setzero_si128()) })
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        // SAFETY: as above.
        Pair(unsafe { _mm_mul_epu32(self.0, other.0) })
    }
    /// Each byte is a rank: o ^ (o - 2r), without carries between ranks.
    #[inline(always)]
    fn east_attacks(rooks: Self, occupied: Self) -> Self {
        // SAFETY: as above.
        occupied ^ Pair(unsafe { _mm_sub_epi8(occupied.0, _mm_add_epi8(rooks.0, rooks.0)) })
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Pair {
    #[inline(always)]
    fn of(words: [u64; 2]) -> Self {
        Pair(words)
    }
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        self.0
    }
    #[inline(always)]
    fn zeros(self) -> Self {
        self.by_words(|word| if word == 0 { !0 } else { 0 })
    }
    #[inline(always)]
    fn signs(self) -> u8 {
        (self.0[0] >> 63 | self.0[1] >> 63 << 1) as u8
    }
    #[inline(always)]
    fn shifted(self, by: i32) -> Self {
        self.by_words(|word| if by >= 0 { word << by } else { word >> -by })
    }
    #[inline(always)]
    fn counts(self) -> Self {
        self.by_words(|word| u64::from(word.count_ones()))
    }
    #[inline(always)]
    fn sum(self) -> Self {
        self
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        let low = |word: u64| word & 0xffff_ffff;
        Pair([low(self.0[0]) * low(other.0[0]), low(self.0[1]) * low(other.0[1])])
    }
    #[inline(always)]
    fn east_attacks(rooks: Self, occupied: Self) -> Self {
        ray_attacks::<EAST, Self>(Portable, rooks, !occupied)
    }
}

impl Pair {
    /// `f` of each word.
    #[inline(always)]
    fn by_words(self, f: impl Fn(u64) -> u64) -> Self {
        let [a, b] = self.words();
        Pair::of([f(a), f(b)])
    }
}

/// Implements an operator: by an intrinsic on x86-64, otherwise word by word.
macro_rules! operator_by_words {
    ($trait:ident, $method:ident, $intrinsic:ident, $each:expr) => {
        impl $trait for Pair {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: every x86-64 CPU has SSE2.
                return Pair(unsafe { $intrinsic(self.0, other.0) });
                #[cfg(not(target_arch = "x86_64"))]
                Pair([$each(self.0[0], other.0[0]), $each(self.0[1], other.0[1])])
            }
        }
    };
}
operator_by_words!(BitAnd, bitand, _mm_and_si128, u64::bitand);
operator_by_words!(BitOr, bitor, _mm_or_si128, u64::bitor);
operator_by_words!(BitXor, bitxor, _mm_xor_si128, u64::bitxor);
operator_by_words!(Add, add, _mm_add_epi64, u64::wrapping_add);
operator_by_words!(Sub, sub, _mm_sub_epi64, u64::wrapping_sub);

impl Not for Pair {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self ^ Pair::of([!0; 2])
    }
}

impl Vector for Pair {
    type Cpu = Portable;
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(_cpu: Portable, word: u64) -> Self {
        Pair::of([word; 2])
    }
    #[inline(always)]
    fn load(_cpu: Portable, words: &[u64; MOST_LANES]) -> Self {
        Pair::of([words[0], words[1]])
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MOST_LANES]) {
        [words[0], words[1]] = self.words();
    }
    #[inline(always)]
    fn shift(self, by: i32) -> Self {
        self.shifted(by)
    }
    #[inline(always)]
    fn count_parts(self) -> Self {
        self.counts()
    }
    #[inline(always)]
    fn sum_parts(self) -> Self {
        self.sum()
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.product(other)
    }
    #[inline(always)]
    fn nonzero(self) -> u8 {
        self.zeros().signs() ^ 3
    }
    #[inline(always)]
    fn keep_if_zero(self, test: Self) -> Self {
        self & test.zeros()
    }
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        self.without(test.zeros())
    }
    #[inline(always)]
    fn bit(_cpu: Portable, squares: Self) -> Self {
        squares.by_words(|square| 1 << (square & 63))
    }
    #[inline(always)]
    fn permute(self, lanes: Self) -> Self {
        let [a, b] = self.words();
        let [a, b] = [Pair::of([a; 2]), Pair::of([b; 2])];
        let odd = Pair::of([0; 2]) - (lanes & Pair::of([1; 2]));
        a.without(odd) | b & odd
    }
    #[inline(always)]
    fn mask_lanes(self, lanes: u8) -> Self {
        let mask = |lane: u8| u64::from(lane & 1).wrapping_neg();
        self & Pair::of([mask(lanes), mask(lanes >> 1)])
    }
    #[inline(always)]
    fn keep_if_less(self, a: Self, b: Self) -> Self {
        let ([a, c], [b, d]) = (a.words(), b.words());
        let mask = |is_less: bool| u64::from(is_less).wrapping_neg();
        self & Pair::of([mask(a < b), mask(c < d)])
    }
    #[inline(always)]
    fn highest(self) -> Self {
        self.by_words(|word| word.checked_ilog2().map_or(0, |bit| 1 << bit))
    }
    #[inline(always)]
    fn widen(_cpu: Portable, numbers: &[u16; MOST_LANES]) -> Self {
        Pair::of([u64::from(numbers[0]), u64::from(numbers[1])])
    }
    #[inline(always)]
    fn gather(_cpu: Portable, table: &[u64; 2048], index: Self) -> Self {
        index.by_words(|i| table[i as usize & 2047])
    }
    #[inline(always)]
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]) {
        let [a, b] = self.words();
        words[0] = if lanes & 1 != 0 { a } else { b };
        words[1] = b;
    }
    #[inline(always)]
    fn file_attacks(cpu: Portable, rooks: Self, occupied: Self) -> [Self; 2] {
        let empty = !occupied;
        [ray_attacks::<NORTH, Self>(cpu, rooks, empty), ray_attacks::<SOUTH, Self>(cpu, rooks, empty)]
    }
    #[inline(always)]
    fn rank_attacks(cpu: Portable, rooks: Self, occupied: Self) -> [Self; 2] {
        [Self::east_attacks(rooks, occupied), ray_attacks::<WEST, Self>(cpu, rooks, !occupied)]
    }
}
