//! Products of small numbers and weights, added up: where the time of the layers goes. It is written for each level of
//! CPU; the loop for any CPU is the reference.

#![allow(unsafe_code, reason = "vector instructions")]

use crate::base::cpu::{Cpu, LevelName};
#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
use std::arch::aarch64::{
    vdupq_n_s32, vget_low_s8, vld1q_s8, vld1q_s32, vmull_high_s8, vmull_s8, vpadalq_s16, vpaddq_s16,
    vreinterpretq_s8_s32, vst1q_s32,
};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use std::arch::x86_64::{
    __m512i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256, _mm512_add_epi32, _mm512_dpbusd_epi32,
    _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_maddubs_epi16, _mm_set1_epi16, _mm_set1_epi32,
    _mm_setzero_si128, _mm_storeu_si128,
};

/// Number of sums that [`add_products`] computes together.
pub const LANES: usize = 16;
/// The weights of one quad for `B` × [`LANES`] sums.
pub type QuadWeights<const B: usize> = [[[i8; 4]; LANES]; B];
/// The largest number in a quad: the sum of two of its products with weights fits 16 bits.
pub const LARGEST_FACTOR: u8 = 127;

/// Adds to each of `sums` the products of all `quads` with its weights. The quads' numbers are at most
/// [`LARGEST_FACTOR`]; sums may wrap.
#[inline(always)]
pub fn add_products<C: Cpu, const B: usize>(
    _cpu: C,
    sums: &mut [[i32; LANES]; B],
    quads: &[[u8; 4]],
    weights: &[QuadWeights<B>],
) {
    let weights = &weights[..quads.len()];
    debug_assert!(quads.as_flattened().iter().all(|&factor| factor <= LARGEST_FACTOR));
    match C::NAME {
        // SAFETY: `_cpu` exists only if the CPU has the instructions of its level, VNNI among them.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        LevelName::Avx512 => unsafe { add_products_avx512(sums, quads, weights) },
        // SAFETY: as above; both levels have AVX2.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        LevelName::Avx2 | LevelName::Avx512Bw => unsafe { add_products_avx2(sums, quads, weights) },
        // SAFETY: as above; the level has SSSE3.
        #[cfg(target_arch = "x86_64")]
        LevelName::Popcnt => unsafe { add_products_sse(sums, quads, weights) },
        #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
        LevelName::Neon => add_products_neon(sums, quads, weights),
        _ => add_products_portable(sums, quads, weights),
    }
}

/// [`add_products`] on any CPU.
#[inline(always)]
fn add_products_portable<const B: usize>(sums: &mut [[i32; LANES]; B], quads: &[[u8; 4]], weights: &[QuadWeights<B>]) {
    for (at, quad) in quads.iter().enumerate() {
        for (block, weights) in weights[at].iter().enumerate() {
            for (lane, weights) in weights.iter().enumerate() {
                for at in 0..4 {
                    let product = i32::from(quad[at]) * i32::from(weights[at]);
                    sums[block][lane] = sums[block][lane].wrapping_add(product);
                }
            }
        }
    }
}

/// [`add_products`] with AVX2: a block is two vectors of eight sums. `maddubs` does not saturate, as no factor
/// exceeds [`LARGEST_FACTOR`].
///
/// # Safety
/// The CPU must have AVX2.
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
#[inline(always)]
unsafe fn add_products_avx2<const B: usize>(
    sums: &mut [[i32; LANES]; B],
    quads: &[[u8; 4]],
    weights: &[QuadWeights<B>],
) {
    // SAFETY: the caller promises the instructions; each half that is read or written lies within its row of
    // `LANES` numbers of thirty-two bits or quads of bytes.
    unsafe {
        let mut totals = [[_mm256_setzero_si256(); 2]; B];
        for block in 0..B {
            for half in 0..2 {
                totals[block][half] = _mm256_loadu_si256(sums[block].as_ptr().add(8 * half).cast());
            }
        }
        for at in 0..quads.len() {
            let quad = _mm256_set1_epi32(i32::from_le_bytes(quads[at]));
            for block in 0..B {
                for half in 0..2 {
                    let weights = _mm256_loadu_si256(weights[at][block].as_ptr().add(8 * half).cast());
                    let pairs = _mm256_maddubs_epi16(quad, weights);
                    let products = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                    totals[block][half] = _mm256_add_epi32(totals[block][half], products);
                }
            }
        }
        for block in 0..B {
            for half in 0..2 {
                _mm256_storeu_si256(sums[block].as_mut_ptr().add(8 * half).cast(), totals[block][half]);
            }
        }
    }
}

/// [`add_products`] with SSSE3: the same as with AVX2, but a block is four vectors of four sums.
///
/// # Safety
/// The CPU must have SSSE3.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn add_products_sse<const B: usize>(
    sums: &mut [[i32; LANES]; B],
    quads: &[[u8; 4]],
    weights: &[QuadWeights<B>],
) {
    // SAFETY: the caller promises the instructions; each quarter that is read or written lies within its row of
    // `LANES` numbers of thirty-two bits or quads of bytes.
    unsafe {
        let mut totals = [[_mm_setzero_si128(); 4]; B];
        for block in 0..B {
            for quarter in 0..4 {
                totals[block][quarter] = _mm_loadu_si128(sums[block].as_ptr().add(4 * quarter).cast());
            }
        }
        for at in 0..quads.len() {
            let quad = _mm_set1_epi32(i32::from_le_bytes(quads[at]));
            for block in 0..B {
                for quarter in 0..4 {
                    let weights = _mm_loadu_si128(weights[at][block].as_ptr().add(4 * quarter).cast());
                    let pairs = _mm_maddubs_epi16(quad, weights);
                    let products = _mm_madd_epi16(pairs, _mm_set1_epi16(1));
                    totals[block][quarter] = _mm_add_epi32(totals[block][quarter], products);
                }
            }
        }
        for block in 0..B {
            for quarter in 0..4 {
                _mm_storeu_si128(sums[block].as_mut_ptr().add(4 * quarter).cast(), totals[block][quarter]);
            }
        }
    }
}

/// [`add_products`] with VNNI: a block is one vector of sixteen sums. Four sums of each kind are kept side by
/// side, as each addition waits several cycles for the one before it.
///
/// # Safety
/// The CPU must have AVX-512 with VNNI.
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
#[inline(always)]
unsafe fn add_products_avx512<const B: usize>(
    sums: &mut [[i32; LANES]; B],
    quads: &[[u8; 4]],
    weights: &[QuadWeights<B>],
) {
    // SAFETY: the caller promises the instructions; each row that is read or written has `LANES` numbers of
    // thirty-two bits or quads of bytes, a whole vector.
    unsafe {
        let mut chains = [[_mm512_setzero_si512(); B]; 4];
        for block in 0..B {
            chains[0][block] = _mm512_loadu_si512(sums[block].as_ptr().cast());
        }
        let whole = quads.len() / 4 * 4;
        for first in (0..whole).step_by(4) {
            for chain in 0..4 {
                add_quad_avx512(&mut chains[chain], quads[first + chain], &weights[first + chain]);
            }
        }
        for at in whole..quads.len() {
            add_quad_avx512(&mut chains[0], quads[at], &weights[at]);
        }
        for block in 0..B {
            let even = _mm512_add_epi32(chains[0][block], chains[2][block]);
            let odd = _mm512_add_epi32(chains[1][block], chains[3][block]);
            _mm512_storeu_si512(sums[block].as_mut_ptr().cast(), _mm512_add_epi32(even, odd));
        }
    }
}

/// Adds the products of four bytes to every block. Not a closure: one that is not inlined has no AVX-512.
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
#[inline(always)]
unsafe fn add_quad_avx512<const B: usize>(totals: &mut [__m512i; B], quad: [u8; 4], weights: &QuadWeights<B>) {
    // SAFETY: as in the caller.
    unsafe {
        let quad = _mm512_set1_epi32(i32::from_le_bytes(quad));
        for block in 0..B {
            let weights = _mm512_loadu_si512(weights[block].as_ptr().cast());
            totals[block] = _mm512_dpbusd_epi32(totals[block], quad, weights);
        }
    }
}

/// [`add_products`] with NEON, which every 64-bit ARM CPU has: a block is four vectors of four sums. Sums of two
/// products fit 16 bits, as no factor exceeds [`LARGEST_FACTOR`].
#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
#[inline(always)]
fn add_products_neon<const B: usize>(sums: &mut [[i32; LANES]; B], quads: &[[u8; 4]], weights: &[QuadWeights<B>]) {
    // SAFETY: every such CPU has the instructions; each quarter that is read or written lies within its row of
    // `LANES` numbers of thirty-two bits or quads of bytes.
    unsafe {
        let mut totals = [[vdupq_n_s32(0); 4]; B];
        for block in 0..B {
            for quarter in 0..4 {
                totals[block][quarter] = vld1q_s32(sums[block].as_ptr().add(4 * quarter));
            }
        }
        for at in 0..quads.len() {
            let quad = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(quads[at])));
            for block in 0..B {
                for quarter in 0..4 {
                    let weights = vld1q_s8(weights[at][block].as_ptr().add(4 * quarter).cast());
                    let low = vmull_s8(vget_low_s8(quad), vget_low_s8(weights));
                    let pairs = vpaddq_s16(low, vmull_high_s8(quad, weights));
                    totals[block][quarter] = vpadalq_s16(totals[block][quarter], pairs);
                }
            }
        }
        for block in 0..B {
            for quarter in 0..4 {
                vst1q_s32(sums[block].as_mut_ptr().add(4 * quarter), totals[block][quarter]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
    use crate::base::cpu::Neon;
    #[cfg(target_arch = "x86_64")]
    use crate::base::cpu::Popcnt;
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
    use crate::base::cpu::{CpuTask, Portable};
    use crate::base::rng::SplitMix64;

    struct AddProducts<'a, const B: usize> {
        sums: [[i32; LANES]; B],
        quads: &'a [[u8; 4]],
        weights: &'a [QuadWeights<B>],
    }

    impl<const B: usize> CpuTask for AddProducts<'_, B> {
        type Output = [[i32; LANES]; B];
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> [[i32; LANES]; B] {
            let mut sums = self.sums;
            add_products(cpu, &mut sums, self.quads, self.weights);
            sums
        }
    }

    /// Adds `count` random quads with every level; extreme factors and weights are frequent.
    fn add_products_by_every_level<const B: usize>(count: usize, rng: &mut SplitMix64) {
        let mut weight = || match rng.below(4) {
            0 => i8::MAX,
            1 => i8::MIN,
            _ => rng.next_u64() as i8,
        };
        let mut factor = || weight().clamp(0, LARGEST_FACTOR as i8) as u8;
        let quads: Vec<[u8; 4]> = (0..count).map(|_| [(); 4].map(|()| factor())).collect();
        let weights: Vec<QuadWeights<B>> =
            (0..count).map(|_| [[(); LANES]; B].map(|row| row.map(|()| [(); 4].map(|()| weight())))).collect();
        let sums = [[(); LANES]; B].map(|row| row.map(|()| i32::from(weight()) << 20));
        let mut wanted = sums;
        for (block, row) in wanted.iter_mut().enumerate() {
            for (lane, sum) in row.iter_mut().enumerate() {
                let mut exact = i64::from(*sum);
                for (quad, weights) in quads.iter().zip(&weights) {
                    for i in 0..4 {
                        exact += i64::from(quad[i]) * i64::from(weights[block][lane][i]);
                    }
                }
                *sum = exact as i32;
            }
        }
        let task = || AddProducts { sums, quads: &quads, weights: &weights };
        assert_eq!(Portable.enter(task()), wanted);
        #[cfg(target_arch = "x86_64")]
        {
            let levels = [
                Popcnt::detect().map(|cpu| cpu.enter(task())),
                #[cfg(feature = "vectors")]
                Avx2::detect().map(|cpu| cpu.enter(task())),
                #[cfg(feature = "vectors")]
                Avx512::detect().map(|cpu| cpu.enter(task())),
                #[cfg(feature = "vectors")]
                Avx512Bw::detect().map(|cpu| cpu.enter(task())),
            ];
            assert!(levels.iter().flatten().all(|sums| *sums == wanted));
        }
        #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
        assert_eq!(Neon.enter(task()), wanted);
    }

    #[test]
    fn every_level_adds_the_same_products() {
        let mut rng = SplitMix64::new(7);
        for count in [0, 1, 2, 64, 127] {
            add_products_by_every_level::<1>(count, &mut rng);
            add_products_by_every_level::<2>(count, &mut rng);
            add_products_by_every_level::<3>(count, &mut rng);
        }
    }
}
