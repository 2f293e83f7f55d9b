//! [`Vector`] in one 512-bit register, for two levels of AVX-512.
//!
//! With [`Avx512`] (Ice Lake, Zen 4) a population count is one instruction, and attacks on files and ranks use bit
//! matrices (GFNI) and byte-wise subtraction instead of fills. With [`Avx512Bw`] (Skylake-X, Cascade Lake, Cooper Lake)
//! both are done as in `avx2`. `walk` selects the level.

#![allow(unsafe_code, reason = "vector instructions")]

use crate::base::cpu::{Avx512, Avx512Bw, Cpu};
use crate::chess::perft::vector::{MOST_LANES, NORTH, SOUTH, Vector, WEST, operator, ray_attacks};
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Not;

/// A level that has AVX-512F, BW and CD.
pub trait Level: Cpu {
    /// Whether it also has bit matrices (GFNI) and population counts (VPOPCNTDQ).
    const GFNI_AND_VPOPCNTDQ: bool;
}

impl Level for Avx512 {
    const GFNI_AND_VPOPCNTDQ: bool = true;
}

impl Level for Avx512Bw {
    const GFNI_AND_VPOPCNTDQ: bool = false;
}

/// Eight words in a register.
#[derive(Clone, Copy)]
pub struct Zmm<L>(__m512i, PhantomData<L>);

/// Bit `i` of byte `i`, starting at the top byte. As a matrix it reverses the bits of every byte; as a vector it
/// selects the columns of a matrix.
const DIAGONAL: u64 = 0x8040_2010_0804_0201;
const ANTI_DIAGONAL: u64 = 0x0102_0408_1020_4080;

operator!([L: Level] Zmm<L>, Zmm::of, BitAnd, bitand, _mm512_and_si512);
operator!([L: Level] Zmm<L>, Zmm::of, BitOr, bitor, _mm512_or_si512);
operator!([L: Level] Zmm<L>, Zmm::of, BitXor, bitxor, _mm512_xor_si512);
operator!([L: Level] Zmm<L>, Zmm::of, Add, add, _mm512_add_epi64);
operator!([L: Level] Zmm<L>, Zmm::of, Sub, sub, _mm512_sub_epi64);

impl<L: Level> Not for Zmm<L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: a vector is made from the token of its CPU only, the proof that it has the instructions.
        unsafe { Zmm::of(_mm512_xor_si512(self.0, _mm512_set1_epi64(-1))) }
    }
}

impl<L: Level> Zmm<L> {
    #[inline(always)]
    fn of(words: __m512i) -> Self {
        Zmm(words, PhantomData)
    }
    /// The bits of every byte in reverse order. This mirrors the board from left to right.
    #[inline(always)]
    fn mirrored(self) -> Self {
        debug_assert!(L::GFNI_AND_VPOPCNTDQ);
        // SAFETY: as above; GFNI is part of the proof.
        unsafe { Zmm::of(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(DIAGONAL as i64))) }
    }
    /// The board reflected in the a8–h1 diagonal. Applied twice, it gives the board itself.
    #[inline(always)]
    fn reflected(self) -> Self {
        debug_assert!(L::GFNI_AND_VPOPCNTDQ);
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ANTI_DIAGONAL as i64), self.0)) }
    }
    /// Squares attacked towards higher bits of the same byte: `o ^ (o - 2r)`.
    #[inline(always)]
    fn upward(rooks: Self, occupied: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let twice = _mm512_add_epi8(rooks.0, rooks.0);
            Zmm::of(_mm512_xor_si512(occupied.0, _mm512_sub_epi8(occupied.0, twice)))
        }
    }
}

impl<L: Level> Vector for Zmm<L> {
    type Cpu = L;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_cpu: L, word: u64) -> Self {
        debug_assert!(Avx512Bw::detect().is_some());
        // SAFETY: `_cpu` is the proof.
        Zmm::of(unsafe { _mm512_set1_epi64(word as i64) })
    }
    #[inline(always)]
    fn load(_cpu: L, words: &[u64; MOST_LANES]) -> Self {
        debug_assert!(Avx512Bw::detect().is_some());
        // SAFETY: `_cpu` is the proof; the array has the 64 bytes that are read.
        Zmm::of(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MOST_LANES]) {
        // SAFETY: as above; the array has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn shift(self, by: i32) -> Self {
        debug_assert!(by.unsigned_abs() < 64);
        // SAFETY: as above. With a constant count these become shifts by an immediate.
        unsafe {
            let count = _mm512_set1_epi64(i64::from(by.unsigned_abs()));
            Zmm::of(if by >= 0 { _mm512_sllv_epi64(self.0, count) } else { _mm512_srlv_epi64(self.0, count) })
        }
    }
    #[inline(always)]
    fn count_parts(self) -> Self {
        if L::GFNI_AND_VPOPCNTDQ {
            // SAFETY: as above; VPOPCNTDQ is part of the proof.
            return Zmm::of(unsafe { _mm512_popcnt_epi64(self.0) });
        }
        // SAFETY: as above. The parts are bytes.
        unsafe {
            let counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            let table = _mm512_broadcast_i32x4(counts);
            let nibble = _mm512_set1_epi8(15);
            let low = _mm512_shuffle_epi8(table, _mm512_and_si512(self.0, nibble));
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), nibble);
            Zmm::of(_mm512_add_epi8(low, _mm512_shuffle_epi8(table, high)))
        }
    }
    #[inline(always)]
    fn sum_parts(self) -> Self {
        if L::GFNI_AND_VPOPCNTDQ {
            return self;
        }
        // SAFETY: as above.
        Zmm::of(unsafe { _mm512_sad_epu8(self.0, _mm512_setzero_si512()) })
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: as above.
        Zmm::of(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }
    #[inline(always)]
    fn nonzero(self) -> u8 {
        // SAFETY: as above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }
    #[inline(always)]
    fn keep_if_zero(self, test: Self) -> Self {
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), self.0)) }
    }
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_maskz_mov_epi64(_mm512_test_epi64_mask(test.0, test.0), self.0)) }
    }
    #[inline(always)]
    fn bit(cpu: L, squares: Self) -> Self {
        let squares = squares & Self::splat(cpu, 63);
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_sllv_epi64(_mm512_set1_epi64(1), squares.0)) }
    }
    #[inline(always)]
    fn permute(self, lanes: Self) -> Self {
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_permutexvar_epi64(lanes.0, self.0)) }
    }
    #[inline(always)]
    fn mask_lanes(self, lanes: u8) -> Self {
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_maskz_mov_epi64(lanes, self.0)) }
    }
    #[inline(always)]
    fn keep_if_less(self, a: Self, b: Self) -> Self {
        // SAFETY: as above.
        unsafe { Zmm::of(_mm512_maskz_mov_epi64(_mm512_cmplt_epu64_mask(a.0, b.0), self.0)) }
    }
    #[inline(always)]
    fn highest(self) -> Self {
        // SAFETY: as above; AVX-512CD is part of the proof.
        unsafe {
            let top = _mm512_set1_epi64(i64::MIN);
            Zmm::of(_mm512_srlv_epi64(top, _mm512_lzcnt_epi64(self.0)))
        }
    }
    #[inline(always)]
    fn widen(_cpu: L, numbers: &[u16; MOST_LANES]) -> Self {
        debug_assert!(Avx512Bw::detect().is_some());
        // SAFETY: `_cpu` is the proof; the array has the 16 bytes that are read.
        unsafe { Zmm::of(_mm512_cvtepu16_epi64(_mm_loadu_si128(numbers.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn gather(cpu: L, table: &[u64; 2048], index: Self) -> Self {
        // Eight loads in its place make perft take 1.0 to 1.16 times as long on a Cascade Lake, 0.98 to 1.04 on a
        // Zen 4, so there is no choice at start-up. Microcode against gather data sampling was not measured.
        let index = index & Self::splat(cpu, 2047);
        // SAFETY: `cpu` is the proof; every index is below the table's length.
        unsafe { Zmm::of(_mm512_i64gather_epi64::<8>(index.0, table.as_ptr().cast())) }
    }
    #[inline(always)]
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]) {
        // The form that writes directly to memory is slow on some CPUs.
        // SAFETY: as above; the array has the 64 bytes that are written.
        unsafe {
            let packed = _mm512_maskz_compress_epi64(lanes, self.0);
            _mm512_storeu_si512(words.as_mut_ptr().cast(), packed);
        }
    }
    #[inline(always)]
    fn file_attacks(cpu: L, rooks: Self, occupied: Self) -> [Self; 2] {
        if !L::GFNI_AND_VPOPCNTDQ {
            let empty = !occupied;
            return [ray_attacks::<NORTH, Self>(cpu, rooks, empty), ray_attacks::<SOUTH, Self>(cpu, rooks, empty)];
        }
        // After the reflection a file is a byte whose bits go from rank 8 to rank 1.
        let (r, o) = (rooks.reflected(), occupied.reflected());
        let south = Self::upward(r, o).reflected();
        let north = Self::upward(r.mirrored(), o.mirrored()).mirrored().reflected();
        [north, south]
    }
    #[inline(always)]
    fn rank_attacks(cpu: L, rooks: Self, occupied: Self) -> [Self; 2] {
        let west = if L::GFNI_AND_VPOPCNTDQ {
            Self::upward(rooks.mirrored(), occupied.mirrored()).mirrored()
        } else {
            ray_attacks::<WEST, Self>(cpu, rooks, !occupied)
        };
        [Self::upward(rooks, occupied), west]
    }
}
