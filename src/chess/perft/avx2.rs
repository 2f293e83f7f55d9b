//! [`Vector`] in one 256-bit register: four lanes. AVX2 has sixteen registers, so with eight lanes in two registers
//! each only half as many values would fit.
//!
//! Population counts are table look-ups in registers (Wojciech Muła). `walk` selects this backend where
//! [`Avx2::detect`] finds all instructions.

#![allow(unsafe_code, reason = "vector instructions")]

use crate::base::cpu::Avx2;
use crate::chess::perft::vector::{MOST_LANES, NORTH, SOUTH, Vector, WEST, operator, ray_attacks};
use std::arch::x86_64::*;
use std::ops::Not;

/// Four words in a register.
#[derive(Clone, Copy)]
pub struct Ymm(__m256i);

const LANES: usize = 4;

/// For each lane mask, the order in which the 32-bit halves of the words are packed.
static PACKED: [[u32; 2 * LANES]; 1 << LANES] = {
    let mut table = [[0; 2 * LANES]; 1 << LANES];
    let mut lanes = 0;
    while lanes < table.len() {
        let (mut lane, mut to) = (0, 0);
        while lane < LANES {
            if lanes >> lane & 1 != 0 {
                table[lanes][to] = 2 * lane as u32;
                table[lanes][to + 1] = 2 * lane as u32 + 1;
                to += 2;
            }
            lane += 1;
        }
        lanes += 1;
    }
    table
};

operator!([] Ymm, Ymm, BitAnd, bitand, _mm256_and_si256);
operator!([] Ymm, Ymm, BitOr, bitor, _mm256_or_si256);
operator!([] Ymm, Ymm, BitXor, bitxor, _mm256_xor_si256);
operator!([] Ymm, Ymm, Add, add, _mm256_add_epi64);
operator!([] Ymm, Ymm, Sub, sub, _mm256_sub_epi64);

impl Not for Ymm {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector is made from the token of its CPU only, the proof that it has the instructions.
        unsafe { Ymm(_mm256_xor_si256(self.0, _mm256_set1_epi64x(-1))) }
    }
}

impl Ymm {
    /// The words of the lanes.
    #[inline(always)]
    fn words(self) -> [u64; LANES] {
        let mut words = [0; MOST_LANES];
        self.store(&mut words);
        [words[0], words[1], words[2], words[3]]
    }
}

impl Vector for Ymm {
    type Cpu = Avx2;
    const LANES: usize = LANES;

    #[inline(always)]
    fn splat(_cpu: Avx2, word: u64) -> Self {
        debug_assert!(Avx2::detect().is_some());
        // SAFETY: `_cpu` is the proof.
        Ymm(unsafe { _mm256_set1_epi64x(word as i64) })
    }
    #[inline(always)]
    fn load(_cpu: Avx2, words: &[u64; MOST_LANES]) -> Self {
        debug_assert!(Avx2::detect().is_some());
        // SAFETY: `_cpu` is the proof; the array has the 32 bytes that are read.
        Ymm(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MOST_LANES]) {
        // SAFETY: as above; the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn shift(self, by: i32) -> Self {
        debug_assert!(by.unsigned_abs() < 64);
        // SAFETY: as above. With a constant count these become shifts by an immediate.
        unsafe {
            let count = _mm256_set1_epi64x(i64::from(by.unsigned_abs()));
            Ymm(if by >= 0 { _mm256_sllv_epi64(self.0, count) } else { _mm256_srlv_epi64(self.0, count) })
        }
    }
    #[inline(always)]
    fn count_parts(self) -> Self {
        // SAFETY: as above. The parts are bytes.
        unsafe {
            let counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            let table = _mm256_broadcastsi128_si256(counts);
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble);
            Ymm(_mm256_add_epi8(low, _mm256_shuffle_epi8(table, high)))
        }
    }
    #[inline(always)]
    fn sum_parts(self) -> Self {
        // SAFETY: as above.
        Ymm(unsafe { _mm256_sad_epu8(self.0, _mm256_setzero_si256()) })
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: as above.
        Ymm(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }
    #[inline(always)]
    fn nonzero(self) -> u8 {
        // SAFETY: as above.
        let zeros = unsafe {
            let equal = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(equal))
        };
        zeros as u8 ^ 0xf
    }
    #[inline(always)]
    fn keep_if_zero(self, test: Self) -> Self {
        // SAFETY: as above.
        self & Ymm(unsafe { _mm256_cmpeq_epi64(test.0, _mm256_setzero_si256()) })
    }
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let zero = _mm256_cmpeq_epi64(test.0, _mm256_setzero_si256());
            Ymm(_mm256_andnot_si256(zero, self.0))
        }
    }
    #[inline(always)]
    fn bit(cpu: Avx2, squares: Self) -> Self {
        let (one, squares) = (Self::splat(cpu, 1), squares & Self::splat(cpu, 63));
        // SAFETY: as above.
        Ymm(unsafe { _mm256_sllv_epi64(one.0, squares.0) })
    }
    #[inline(always)]
    fn permute(self, lanes: Self) -> Self {
        // SAFETY: as above. Words are moved as two halves each: lane 3 is halves 6 and 7.
        unsafe {
            let lane = _mm256_and_si256(lanes.0, _mm256_set1_epi64x(LANES as i64 - 1));
            let even = _mm256_add_epi64(lane, lane);
            let odd = _mm256_slli_epi64::<32>(even);
            let both = _mm256_or_si256(even, _mm256_or_si256(odd, _mm256_set1_epi64x(1 << 32)));
            Ymm(_mm256_permutevar8x32_epi32(self.0, both))
        }
    }
    #[inline(always)]
    fn mask_lanes(self, lanes: u8) -> Self {
        // SAFETY: as above.
        unsafe {
            let each = _mm256_setr_epi64x(1, 2, 4, 8);
            let lanes = _mm256_and_si256(_mm256_set1_epi64x(i64::from(lanes)), each);
            self & Ymm(_mm256_cmpeq_epi64(lanes, each))
        }
    }
    #[inline(always)]
    fn keep_if_less(self, a: Self, b: Self) -> Self {
        // SAFETY: as above. The comparison is signed, so the top bits are flipped.
        unsafe {
            let top = Ymm(_mm256_set1_epi64x(i64::MIN));
            let (a, b) = (a ^ top, b ^ top);
            self & Ymm(_mm256_cmpgt_epi64(b.0, a.0))
        }
    }
    #[inline(always)]
    fn highest(self) -> Self {
        let mut below = self;
        for by in [1, 2, 4, 8, 16, 32] {
            below = below | below.shift(-by);
        }
        below ^ below.shift(-1)
    }
    #[inline(always)]
    fn widen(_cpu: Avx2, numbers: &[u16; MOST_LANES]) -> Self {
        debug_assert!(Avx2::detect().is_some());
        // SAFETY: `_cpu` is the proof; the array has the 16 bytes that are read.
        Ymm(unsafe { _mm256_cvtepu16_epi64(_mm_loadu_si128(numbers.as_ptr().cast())) })
    }
    #[inline(always)]
    fn gather(_cpu: Avx2, table: &[u64; 2048], index: Self) -> Self {
        let [a, b, c, d] = index.words();
        let entry = |i: u64| table[i as usize & 2047] as i64;
        let [a, b, c, d] = [entry(a), entry(b), entry(c), entry(d)];
        // SAFETY: as above. The gather instruction is slow on some CPUs.
        Ymm(unsafe { _mm256_setr_epi64x(a, b, c, d) })
    }
    #[inline(always)]
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]) {
        let order = &PACKED[usize::from(lanes) & (PACKED.len() - 1)];
        // SAFETY: as above; the array has the 32 bytes that are read.
        unsafe {
            let order = _mm256_loadu_si256(order.as_ptr().cast());
            Ymm(_mm256_permutevar8x32_epi32(self.0, order)).store(words);
        }
    }
    #[inline(always)]
    fn file_attacks(cpu: Avx2, rooks: Self, occupied: Self) -> [Self; 2] {
        let empty = !occupied;
        [ray_attacks::<NORTH, Self>(cpu, rooks, empty), ray_attacks::<SOUTH, Self>(cpu, rooks, empty)]
    }
    #[inline(always)]
    fn rank_attacks(cpu: Avx2, rooks: Self, occupied: Self) -> [Self; 2] {
        // SAFETY: as above. Each byte is a rank: o ^ (o - 2r), without carries between ranks.
        let east = unsafe {
            let doubled = _mm256_add_epi8(rooks.0, rooks.0);
            occupied ^ Ymm(_mm256_sub_epi8(occupied.0, doubled))
        };
        [east, ray_attacks::<WEST, Self>(cpu, rooks, !occupied)]
    }
}
