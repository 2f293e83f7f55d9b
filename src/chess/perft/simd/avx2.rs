//! [`Vector`] in two 256-bit registers.
//!
//! Population counts are table look-ups in registers (Wojciech Muła). Used by `walk` where [`Avx2::detect`]
//! has found everything.

use crate::chess::board::tables::Avx2;
use crate::chess::perft::simd::fills::{EAST, NORTH, SOUTH, WEST, ray_attacks};
use crate::chess::perft::simd::{LANES, Vector};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Eight words in two registers.
#[derive(Clone, Copy)]
pub struct Ymms(__m256i, __m256i);

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Ymms {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a `Ymms` is made from an `Avx2` only, the proof that the CPU has AVX2.
                unsafe { Ymms($intrinsic(self.0, other.0), $intrinsic(self.1, other.1)) }
            }
        }
    };
}
operator!(BitAnd, bitand, _mm256_and_si256);
operator!(BitOr, bitor, _mm256_or_si256);
operator!(BitXor, bitxor, _mm256_xor_si256);
operator!(Add, add, _mm256_add_epi64);
operator!(Sub, sub, _mm256_sub_epi64);

impl Not for Ymms {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: as above.
        let ones = unsafe { _mm256_set1_epi64x(-1) };
        self ^ Ymms(ones, ones)
    }
}

impl Ymms {
    /// Callers have a proof that the CPU has AVX2, or a `Ymms` that was made from one.
    #[inline(always)]
    fn read(words: &[u64; LANES]) -> Self {
        // SAFETY: as above; the array has the 64 bytes that are read.
        unsafe {
            let from = words.as_ptr().cast::<__m256i>();
            Ymms(_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1)))
        }
    }
}

/// The members of four sets.
#[inline]
#[target_feature(enable = "avx2")]
fn count_half(sets: __m256i) -> __m256i {
    let table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let nibble = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(sets, nibble));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(sets), nibble);
    let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(table, high));
    _mm256_sad_epu8(bytes, _mm256_setzero_si256())
}

/// Which of four words are zero, a bit for each.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros_half(words: __m256i) -> i32 {
    let equal = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
    _mm256_movemask_pd(_mm256_castsi256_pd(equal))
}

impl Vector for Ymms {
    type Cpu = Avx2;

    #[inline(always)]
    fn splat(_cpu: Avx2, word: u64) -> Self {
        debug_assert!(Avx2::detect().is_some());
        // SAFETY: `_cpu` is the proof.
        let half = unsafe { _mm256_set1_epi64x(word as i64) };
        Ymms(half, half)
    }
    #[inline(always)]
    fn load(_cpu: Avx2, words: &[u64; LANES]) -> Self {
        debug_assert!(Avx2::detect().is_some());
        Self::read(words)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; LANES]) {
        // SAFETY: as above; the array has the 64 bytes that are written.
        unsafe {
            let to = words.as_mut_ptr().cast::<__m256i>();
            _mm256_storeu_si256(to, self.0);
            _mm256_storeu_si256(to.add(1), self.1);
        }
    }
    #[inline(always)]
    fn shift(self, by: i32) -> Self {
        debug_assert!(by.unsigned_abs() < 64);
        // SAFETY: as above. With a constant count these become shifts by an immediate.
        unsafe {
            let count = _mm256_set1_epi64x(i64::from(by.unsigned_abs()));
            if by >= 0 {
                Ymms(_mm256_sllv_epi64(self.0, count), _mm256_sllv_epi64(self.1, count))
            } else {
                Ymms(_mm256_srlv_epi64(self.0, count), _mm256_srlv_epi64(self.1, count))
            }
        }
    }
    #[inline(always)]
    fn popcount(self) -> Self {
        // SAFETY: as above.
        unsafe { Ymms(count_half(self.0), count_half(self.1)) }
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Ymms(_mm256_mul_epu32(self.0, other.0), _mm256_mul_epu32(self.1, other.1)) }
    }
    #[inline(always)]
    fn nonzero(self) -> u8 {
        // SAFETY: as above.
        let zeros = unsafe { zeros_half(self.0) | zeros_half(self.1) << 4 };
        !zeros as u8
    }
    #[inline(always)]
    fn keep_if_zero(self, test: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let none = _mm256_setzero_si256();
            let masks = Ymms(_mm256_cmpeq_epi64(test.0, none), _mm256_cmpeq_epi64(test.1, none));
            self & masks
        }
    }
    #[inline(always)]
    fn bit(cpu: Avx2, squares: Self) -> Self {
        let (one, squares) = (Self::splat(cpu, 1), squares & Self::splat(cpu, 63));
        // SAFETY: as above.
        unsafe { Ymms(_mm256_sllv_epi64(one.0, squares.0), _mm256_sllv_epi64(one.1, squares.1)) }
    }
    #[inline(always)]
    fn permute(self, lanes: Self) -> Self {
        let (mut words, mut wanted) = ([0; LANES], [0; LANES]);
        self.store(&mut words);
        lanes.store(&mut wanted);
        for lane in &mut wanted {
            *lane = words[*lane as usize & (LANES - 1)];
        }
        Self::read(&wanted)
    }
    #[inline(always)]
    fn mask_lanes(self, lanes: u8) -> Self {
        // SAFETY: as above.
        unsafe {
            let lanes = _mm256_set1_epi64x(i64::from(lanes));
            let (low, high) = (_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128));
            let low = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, low), low);
            let high = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, high), high);
            self & Ymms(low, high)
        }
    }
    #[inline(always)]
    fn keep_if_less(self, a: Self, b: Self) -> Self {
        // SAFETY: as above. The comparison is signed, so the top bits are turned round.
        unsafe {
            let top = _mm256_set1_epi64x(i64::MIN);
            let (a, b) = (a ^ Ymms(top, top), b ^ Ymms(top, top));
            self & Ymms(_mm256_cmpgt_epi64(b.0, a.0), _mm256_cmpgt_epi64(b.1, a.1))
        }
    }
    #[inline(always)]
    fn highest(self) -> Self {
        let mut words = [0; LANES];
        self.store(&mut words);
        for word in &mut words {
            *word = if *word == 0 { 0 } else { 1 << (63 - word.leading_zeros()) };
        }
        Self::read(&words)
    }
    #[inline(always)]
    fn widen(_cpu: Avx2, numbers: &[u16; LANES]) -> Self {
        debug_assert!(Avx2::detect().is_some());
        // SAFETY: `_cpu` is the proof; the array has the 16 bytes that are read.
        unsafe {
            let all = _mm_loadu_si128(numbers.as_ptr().cast());
            let upper = _mm_unpackhi_epi64(all, all);
            Ymms(_mm256_cvtepu16_epi64(all), _mm256_cvtepu16_epi64(upper))
        }
    }
    #[inline(always)]
    fn gather(_cpu: Avx2, table: &[u64; 2048], index: Self) -> Self {
        let mut words = [0; LANES];
        index.store(&mut words);
        for word in &mut words {
            *word = table[*word as usize & 2047];
        }
        Self::read(&words)
    }
    #[inline(always)]
    fn compress(self, lanes: u8, words: &mut [u64; LANES]) {
        let mut all = [0; LANES];
        self.store(&mut all);
        let mut len = 0;
        for (lane, word) in all.into_iter().enumerate() {
            words[len & (LANES - 1)] = word;
            len += usize::from(lanes >> lane & 1);
        }
    }
    #[inline(always)]
    fn reduce_sum(self) -> u64 {
        let mut words = [0; LANES];
        self.store(&mut words);
        words.into_iter().fold(0, u64::wrapping_add)
    }
    #[inline(always)]
    fn file_attacks(cpu: Avx2, rooks: Self, occupied: Self) -> [Self; 2] {
        let empty = !occupied;
        [
            ray_attacks::<NORTH, Self>(cpu, rooks, empty),
            ray_attacks::<SOUTH, Self>(cpu, rooks, empty),
        ]
    }
    #[inline(always)]
    fn rank_attacks(cpu: Avx2, rooks: Self, occupied: Self) -> [Self; 2] {
        let empty = !occupied;
        [ray_attacks::<EAST, Self>(cpu, rooks, empty), ray_attacks::<WEST, Self>(cpu, rooks, empty)]
    }
}
