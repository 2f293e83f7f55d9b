//! The CPU instruction set levels that hot code is compiled for, and the choice between them at run time.
//!
//! A level is a [`Cpu`]: a zero-size token whose existence proves that the CPU has the instructions. [`dispatch`] and
//! its variants select the best level that pays off for a kind of work and run a [`Task`] in a function compiled for
//! it. So a plain `cargo build --release` uses PEXT, POPCNT and BMI where available. Each game builds its own lookups
//! on top (`SliderAttacks` in its `board/tables.rs`). The CPU is queried once per process.

/// Work that is compiled once for each [`Cpu`] level. Implementations mark `run` as `#[inline(always)]`.
pub trait Task {
    /// The result type.
    type Output;
    /// Does the work with the instructions of `cpu`.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

mod sealed {
    /// Only this file can define levels, because lookups rely on `pext` behaving as documented.
    pub trait Level {}
}

/// An instruction set level. Holding a value proves that the CPU has the instructions.
pub trait Cpu: Copy + sealed::Level {
    /// Whether [`Cpu::pext`] and [`Cpu::pdep`] are single fast instructions. Otherwise they are slow loops and
    /// callers should use another method.
    const FAST_PEXT: bool;
    /// Runs `task` in a function compiled for this level. Recursive walks call it at every node.
    fn run<T: Task>(self, task: T) -> T::Output;

    /// Parallel bit extract: the bits of `word` selected by `mask`, packed at the low end.
    #[inline(always)]
    fn pext(self, word: u64, mask: u64) -> u64 {
        pext_by_steps(word, mask)
    }
    /// Parallel bit deposit: the low bits of `word` moved to the positions of `mask`; the inverse of [`Cpu::pext`].
    #[inline(always)]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        pdep_by_steps(word, mask)
    }

    /// Adds to each of `sums` the products of all `quads` with its weights. The quads' numbers are at most
    /// [`LARGEST_FACTOR`]; sums may wrap.
    #[inline(always)]
    fn add_products<const B: usize>(self, sums: &mut [[i32; LANES]; B], quads: &[[u8; 4]], weights: &[QuadWeights<B>]) {
        for (quad, weights) in quads.iter().zip(weights) {
            for (sum, weights) in sums.as_flattened_mut().iter_mut().zip(weights.as_flattened()) {
                let products = quad.iter().zip(weights).map(|(&q, &w)| i32::from(q) * i32::from(w));
                *sum = sum.wrapping_add(products.sum());
            }
        }
    }
}

/// Number of sums that [`Cpu::add_products`] computes together.
pub const LANES: usize = 16;
/// The weights of one quad for `B` × [`LANES`] sums.
pub type QuadWeights<const B: usize> = [[[i8; 4]; LANES]; B];
/// The largest number in a quad: the sum of two of its products with weights fits 16 bits.
pub const LARGEST_FACTOR: u8 = 127;

/// The single bits of `mask`, the lowest first.
fn bits(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = mask & mask.wrapping_neg();
        mask ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

fn pext_by_steps(word: u64, mask: u64) -> u64 {
    bits(mask).enumerate().map(|(i, bit)| u64::from(word & bit != 0) << i).sum()
}

fn pdep_by_steps(word: u64, mask: u64) -> u64 {
    bits(mask).enumerate().map(|(i, bit)| if word >> i & 1 != 0 { bit } else { 0 }).sum()
}

/// Any CPU: no special instructions.
#[derive(Clone, Copy)]
pub struct Portable;

impl sealed::Level for Portable {}

impl Cpu for Portable {
    const FAST_PEXT: bool = false;
    #[inline(never)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use x86::{Avx2, Avx512, Avx512Bw};
#[cfg(target_arch = "x86_64")]
pub use x86::{Pext, Popcnt};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cpu, LANES, LARGEST_FACTOR, QuadWeights, Task, sealed};
    use std::arch::asm;
    use std::arch::x86_64::{
        __cpuid, _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_maddubs_epi16, _mm_set1_epi16, _mm_set1_epi32,
        _mm_setzero_si128, _mm_storeu_si128, _pdep_u64, _pext_u64,
    };
    #[cfg(feature = "vectors")]
    use std::arch::x86_64::{
        __m512i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256, _mm512_add_epi32, _mm512_dpbusd_epi32,
        _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    };
    use std::sync::atomic::{AtomicU8, Ordering};

    /// The levels of this CPU, one bit each, once queried. The query is slow, above all in a virtual machine.
    static FOUND: AtomicU8 = AtomicU8::new(0);
    /// Set once the CPU has been queried.
    const ASKED: u8 = 1 << 7;

    /// Whether the CPU has the level of `bit`. One load and one branch if it has.
    #[inline(always)]
    fn has(bit: u8) -> bool {
        // A thread that reads a stale value queries again, with the same result.
        let found = FOUND.load(Ordering::Relaxed);
        found & bit != 0 || found & ASKED == 0 && ask() & bit != 0
    }

    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let popcnt = Popcnt::is_there();
        let pext = popcnt && Pext::is_there() && !pext_is_microcoded();
        let levels = [
            (Popcnt::BIT, popcnt),
            (Pext::BIT, pext),
            #[cfg(feature = "vectors")]
            (Avx2::BIT, popcnt && Avx2::is_there()),
            #[cfg(feature = "vectors")]
            (Avx512Bw::BIT, pext && Avx512Bw::is_there()),
            #[cfg(feature = "vectors")]
            (Avx512::BIT, pext && Avx512::is_there()),
        ];
        let found = levels.iter().filter(|level| level.1).fold(ASKED, |set, level| set | level.0);
        FOUND.store(found, Ordering::Relaxed);
        found
    }

    /// AMD CPUs before Zen 3 (families below 19h) have BMI2, but execute PEXT as some 20 to 300 micro-operations.
    // `__cpuid` is safe in later standard libraries, but not in the oldest one supported.
    #[allow(unused_unsafe)]
    fn pext_is_microcoded() -> bool {
        // SAFETY: every x86-64 CPU has the instruction and these two leaves.
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
        let hygon = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6f67_7948, 0x6e65_476e, 0x656e_6975];
        let family = (version >> 8 & 15) + (version >> 20 & 255);
        hygon || amd && family < 0x19
    }

    /// [`Cpu::add_products`] with AVX2: a block is two vectors of eight sums. `maddubs` does not saturate, as no factor
    /// exceeds [`LARGEST_FACTOR`].
    ///
    /// # Safety
    /// The CPU must have AVX2.
    #[cfg(feature = "vectors")]
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
            for (totals, sums) in totals.iter_mut().zip(&*sums) {
                for (half, total) in totals.iter_mut().enumerate() {
                    *total = _mm256_loadu_si256(sums.as_ptr().add(8 * half).cast());
                }
            }
            for (&quad, weights) in quads.iter().zip(weights) {
                let quad = _mm256_set1_epi32(i32::from_le_bytes(quad));
                for (totals, weights) in totals.iter_mut().zip(weights) {
                    for (half, total) in totals.iter_mut().enumerate() {
                        let weights = _mm256_loadu_si256(weights.as_ptr().add(8 * half).cast());
                        let pairs = _mm256_maddubs_epi16(quad, weights);
                        let products = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                        *total = _mm256_add_epi32(*total, products);
                    }
                }
            }
            for (totals, sums) in totals.iter().zip(sums) {
                for (half, &total) in totals.iter().enumerate() {
                    _mm256_storeu_si256(sums.as_mut_ptr().add(8 * half).cast(), total);
                }
            }
        }
    }

    /// [`Cpu::add_products`] with SSSE3: the same as with AVX2, but a block is four vectors of four sums.
    ///
    /// # Safety
    /// The CPU must have SSSE3.
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
            for (totals, sums) in totals.iter_mut().zip(&*sums) {
                for (quarter, total) in totals.iter_mut().enumerate() {
                    *total = _mm_loadu_si128(sums.as_ptr().add(4 * quarter).cast());
                }
            }
            for (&quad, weights) in quads.iter().zip(weights) {
                let quad = _mm_set1_epi32(i32::from_le_bytes(quad));
                for (totals, weights) in totals.iter_mut().zip(weights) {
                    for (quarter, total) in totals.iter_mut().enumerate() {
                        let weights = _mm_loadu_si128(weights.as_ptr().add(4 * quarter).cast());
                        let pairs = _mm_maddubs_epi16(quad, weights);
                        let products = _mm_madd_epi16(pairs, _mm_set1_epi16(1));
                        *total = _mm_add_epi32(*total, products);
                    }
                }
            }
            for (totals, sums) in totals.iter().zip(sums) {
                for (quarter, &total) in totals.iter().enumerate() {
                    _mm_storeu_si128(sums.as_mut_ptr().add(4 * quarter).cast(), total);
                }
            }
        }
    }

    /// [`Cpu::add_products`] with VNNI: a block is one vector of sixteen sums. Four sums of each kind are kept side by
    /// side, as each addition waits several cycles for the one before it.
    ///
    /// # Safety
    /// The CPU must have AVX-512 with VNNI.
    #[cfg(feature = "vectors")]
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
            for (total, sums) in chains[0].iter_mut().zip(&*sums) {
                *total = _mm512_loadu_si512(sums.as_ptr().cast());
            }
            let (fours, rest) = quads.as_chunks::<4>();
            let (weights_of_fours, weights_of_rest) = weights.as_chunks::<4>();
            for (quads, weights) in fours.iter().zip(weights_of_fours) {
                for ((totals, &quad), weights) in chains.iter_mut().zip(quads).zip(weights) {
                    add_quad_avx512(totals, quad, weights);
                }
            }
            for (&quad, weights) in rest.iter().zip(weights_of_rest) {
                add_quad_avx512(&mut chains[0], quad, weights);
            }
            for (b, sums) in sums.iter_mut().enumerate() {
                let even = _mm512_add_epi32(chains[0][b], chains[2][b]);
                let odd = _mm512_add_epi32(chains[1][b], chains[3][b]);
                _mm512_storeu_si512(sums.as_mut_ptr().cast(), _mm512_add_epi32(even, odd));
            }
        }
    }

    /// Adds the products of four bytes to every block. Not a closure: one that is not inlined has no AVX-512.
    #[cfg(feature = "vectors")]
    #[inline(always)]
    unsafe fn add_quad_avx512<const B: usize>(totals: &mut [__m512i; B], quad: [u8; 4], weights: &QuadWeights<B>) {
        // SAFETY: as in the caller.
        unsafe {
            let quad = _mm512_set1_epi32(i32::from_le_bytes(quad));
            for (total, weights) in totals.iter_mut().zip(weights) {
                let weights = _mm512_loadu_si512(weights.as_ptr().cast());
                *total = _mm512_dpbusd_epi32(*total, quad, weights);
            }
        }
    }

    /// Aligns the stack frame of the function it is inlined in to the 64 bytes of a cache line and of the largest
    /// register. The compiler aligns a frame for the function's variables, but not for the registers that it spills:
    /// without this, every spilled vector would straddle two cache lines, which costs perft a fifth of its speed.
    #[inline(always)]
    fn align_stack() {
        #[repr(align(64))]
        struct CacheLine([u8; 0]);
        let line = CacheLine([]);
        // SAFETY: there are no instructions. The variable must exist, because its address is an operand.
        unsafe { asm!("/* {} */", in(reg) (&raw const line).addr(), options(nomem, nostack, preserves_flags)) };
    }

    /// Defines a level: its token, its detection, and the function in which its tasks run. `$pext` says whether the
    /// level has fast PEXT and adds the two instructions; `$vectors` adds the vector version of `add_products`.
    macro_rules! level {
        (
            $(#[$doc:meta])* $name:ident, $bit:literal, $run:ident, $features:literal,
            [$($feature:tt),*], $pext:ident, $vectors:ident
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name(());

            impl $name {
                const BIT: u8 = 1 << $bit;

                /// The token, if this CPU has the instructions of this level and of all levels it includes.
                #[inline(always)]
                pub fn detect() -> Option<Self> {
                    has(Self::BIT).then_some($name(()))
                }

                /// Whether the CPU has the instructions that this level adds.
                fn is_there() -> bool {
                    $(is_x86_feature_detected!($feature))&&*
                }
            }

            #[target_feature(enable = $features)]
            fn $run<T: Task>(cpu: $name, task: T) -> T::Output {
                align_stack();
                task.run(cpu)
            }

            impl sealed::Level for $name {}

            impl Cpu for $name {
                #[inline(always)]
                fn run<T: Task>(self, task: T) -> T::Output {
                    debug_assert!($name::detect().is_some());
                    // SAFETY: the token exists only if the CPU has every feature of the function.
                    unsafe { $run(self, task) }
                }
                level!(@ $pext);
                level!(@ $vectors);
            }
        };
        (@ no_vectors) => {};
        (@ without_pext) => {
            const FAST_PEXT: bool = false;
        };
        (@ with_pext) => {
            const FAST_PEXT: bool = true;
            #[inline(always)]
            fn pext(self, word: u64, mask: u64) -> u64 {
                debug_assert!(Pext::detect().is_some());
                // SAFETY: the token exists only if the CPU has BMI2.
                unsafe { _pext_u64(word, mask) }
            }
            #[inline(always)]
            fn pdep(self, word: u64, mask: u64) -> u64 {
                debug_assert!(Pext::detect().is_some());
                // SAFETY: the token exists only if the CPU has BMI2.
                unsafe { _pdep_u64(word, mask) }
            }
        };
        (@ $add_products:ident) => {
            #[inline(always)]
            fn add_products<const B: usize>(
                self,
                sums: &mut [[i32; LANES]; B],
                quads: &[[u8; 4]],
                weights: &[QuadWeights<B>],
            ) {
                debug_assert!(Popcnt::detect().is_some());
                debug_assert_eq!(quads.len(), weights.len());
                debug_assert!(quads.as_flattened().iter().all(|&factor| factor <= LARGEST_FACTOR));
                // SAFETY: the token exists only if the CPU has the vectors.
                unsafe { $add_products(sums, quads, weights) }
            }
        };
    }

    level!(
        /// x86 with POPCNT and SSE4.2: Intel as of Nehalem, AMD as of Bulldozer and Jaguar.
        Popcnt,
        0,
        run_popcnt,
        "popcnt,ssse3,sse4.1,sse4.2",
        ["popcnt", "ssse3", "sse4.1", "sse4.2"],
        without_pext,
        add_products_sse
    );
    level!(
        /// x86 with BMI2 that runs PEXT in hardware.
        Pext,
        1,
        run_pext,
        "popcnt,lzcnt,bmi1,bmi2",
        ["lzcnt", "bmi1", "bmi2"],
        with_pext,
        no_vectors
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX2 and BMI2, whether PEXT is fast or not (it is not before Zen 3). Vector code looks up so few
        /// single sliders that it does not use PEXT.
        Avx2,
        2,
        run_avx2,
        "popcnt,lzcnt,bmi1,bmi2,avx2",
        ["lzcnt", "bmi1", "bmi2", "avx2"],
        without_pext,
        add_products_avx2
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX-512 as of Skylake-X, so that Cascade Lake and Cooper Lake have it too: byte and word operations
        /// and leading zeros, but neither population counts nor bit matrices; and PEXT as [`Pext`].
        Avx512Bw,
        4,
        run_avx512bw,
        "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512vl,avx512cd,avx512dq",
        ["avx2", "avx512f", "avx512bw", "avx512vl", "avx512cd", "avx512dq"],
        with_pext,
        add_products_avx2
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX-512 as of Ice Lake and Zen 4: byte and word operations, population counts, products of bytes
        /// (VNNI), and bit matrices (GFNI); and PEXT as [`Pext`].
        Avx512,
        3,
        run_avx512,
        "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512vl,avx512cd,avx512vpopcntdq,avx512vbmi2,avx512vnni,gfni",
        [
            "avx2",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512cd",
            "avx512vpopcntdq",
            "avx512vbmi2",
            "avx512vnni",
            "gfni"
        ],
        with_pext,
        add_products_avx512
    );
}

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
pub use arm::Neon;

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
mod arm {
    use super::{Cpu, LANES, LARGEST_FACTOR, QuadWeights, Task, sealed};
    use std::arch::aarch64::{
        vdupq_n_s32, vget_low_s8, vld1q_s8, vld1q_s32, vmull_high_s8, vmull_s8, vpadalq_s16, vpaddq_s16,
        vreinterpretq_s8_s32, vst1q_s32,
    };

    /// 64-bit ARM: all of them have NEON.
    #[derive(Clone, Copy)]
    pub struct Neon;

    impl sealed::Level for Neon {}

    impl Cpu for Neon {
        const FAST_PEXT: bool = false;

        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            task.run(self)
        }

        /// A block is four vectors of four sums. Sums of two products fit 16 bits, as no factor exceeds
        /// [`LARGEST_FACTOR`].
        #[inline(always)]
        fn add_products<const B: usize>(
            self,
            sums: &mut [[i32; LANES]; B],
            quads: &[[u8; 4]],
            weights: &[QuadWeights<B>],
        ) {
            debug_assert_eq!(quads.len(), weights.len());
            debug_assert!(quads.as_flattened().iter().all(|&factor| factor <= LARGEST_FACTOR));
            // SAFETY: every such CPU has the instructions; each quarter that is read or written lies within its row of
            // `LANES` numbers of thirty-two bits or quads of bytes.
            unsafe {
                let mut totals = [[vdupq_n_s32(0); 4]; B];
                for (totals, sums) in totals.iter_mut().zip(&*sums) {
                    for (quarter, total) in totals.iter_mut().enumerate() {
                        *total = vld1q_s32(sums.as_ptr().add(4 * quarter));
                    }
                }
                for (&quad, weights) in quads.iter().zip(weights) {
                    let quad = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(quad)));
                    for (totals, weights) in totals.iter_mut().zip(weights) {
                        for (quarter, total) in totals.iter_mut().enumerate() {
                            let weights = vld1q_s8(weights.as_ptr().add(4 * quarter).cast());
                            let low = vmull_s8(vget_low_s8(quad), vget_low_s8(weights));
                            let pairs = vpaddq_s16(low, vmull_high_s8(quad, weights));
                            *total = vpadalq_s16(*total, pairs);
                        }
                    }
                }
                for (totals, sums) in totals.iter().zip(sums) {
                    for (quarter, &total) in totals.iter().enumerate() {
                        vst1q_s32(sums.as_mut_ptr().add(4 * quarter), total);
                    }
                }
            }
        }
    }
}

/// Runs `$task` at the first of these levels that the CPU has; those in brackets need the feature `vectors`.
macro_rules! run_at_best {
    ($task:ident, [$($vectors:ident)*] $($level:ident)*) => {{
        #[cfg(target_arch = "x86_64")]
        {
            $(#[cfg(feature = "vectors")]
            if let Some(cpu) = $vectors::detect() {
                return cpu.run($task);
            })*
            $(if let Some(cpu) = $level::detect() {
                return cpu.run($task);
            })*
        }
        Portable.run($task)
    }};
}

/// Runs `task` with PEXT where it is fast: for lookups and move lists. POPCNT alone gains nothing there, and each
/// level is one more copy to compile.
#[inline]
pub fn dispatch<T: Task>(task: T) -> T::Output {
    run_at_best!(task, [] Pext)
}

/// Runs `task` with POPCNT if available: for counts that PEXT does not speed up.
#[inline]
pub fn dispatch_popcnt<T: Task>(task: T) -> T::Output {
    run_at_best!(task, [Avx2] Popcnt)
}

/// Runs `task` with the best level for single positions, where both POPCNT and PEXT gain much. A CPU with AVX2 counts
/// with vectors, so this has no copy for it.
#[inline]
pub fn dispatch_counts<T: Task>(task: T) -> T::Output {
    run_at_best!(task, [] Pext Popcnt)
}

/// Runs `task` with the widest vectors of this CPU: for long rows of small numbers.
#[inline]
pub fn dispatch_vectors<T: Task>(task: T) -> T::Output {
    #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
    return Neon.run(task);
    #[cfg(not(all(target_arch = "aarch64", feature = "vectors")))]
    run_at_best!(task, [Avx512 Avx2] Popcnt)
}

/// The number of threads that a user asks for: `asked`, or as many as the system can run at once if it is 0.
pub fn threads(asked: usize) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    if asked == 0 { available() } else { asked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    /// Extracts and deposits random words; the checked count proves that the level's function ran.
    struct Gather(u64);

    impl Task for Gather {
        type Output = u64;
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> u64 {
            let mut rng = SplitMix64::new(self.0);
            let mut checked = 0;
            for _ in 0..1_000 {
                let (word, mask) = (rng.next_u64(), rng.next_u64() & rng.next_u64());
                let packed = cpu.pext(word, mask);
                assert_eq!(packed, pext_by_steps(word, mask));
                assert_eq!(packed >> mask.count_ones(), 0);
                assert_eq!(cpu.pdep(packed, mask), word & mask);
                checked += 1;
            }
            for (word, mask) in [(0, 0), (!0, 0), (!0, !0), (1 << 63, 1 << 63), (!0, 1 << 63)] {
                assert_eq!(cpu.pdep(cpu.pext(word, mask), mask), word & mask);
            }
            checked
        }
    }

    #[test]
    fn every_level_gathers_and_scatters_alike() {
        assert_eq!(pext_by_steps(0b1010_0110, 0b1111_0010), 0b1_0101);
        assert_eq!(Portable.run(Gather(1)), 1_000);
        assert_eq!(dispatch(Gather(2)), 1_000);
        assert_eq!(dispatch_popcnt(Gather(7)), 1_000);
        assert_eq!(dispatch_counts(Gather(8)), 1_000);
        assert_eq!(dispatch_vectors(Gather(9)), 1_000);
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        {
            let ran = [
                Popcnt::detect().map(|cpu| cpu.run(Gather(3))),
                Pext::detect().map(|cpu| cpu.run(Gather(4))),
                Avx2::detect().map(|cpu| cpu.run(Gather(5))),
                Avx512::detect().map(|cpu| cpu.run(Gather(6))),
                Avx512Bw::detect().map(|cpu| cpu.run(Gather(10))),
            ];
            assert!(ran.iter().flatten().all(|&checked| checked == 1_000));
            // Each level includes those below it; AVX2 does not need fast PEXT.
            let [popcnt, pext, avx2, avx512, avx512bw] = ran.map(|checked| checked.is_some());
            assert!(popcnt || !pext && !avx2);
            assert!(pext && avx2 || !avx512bw);
            assert!(avx512bw || !avx512);
            assert_eq!(
                popcnt,
                is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("ssse3")
                    && is_x86_feature_detected!("sse4.2")
            );
        }
    }

    struct AddProducts<'a, const B: usize> {
        sums: [[i32; LANES]; B],
        quads: &'a [[u8; 4]],
        weights: &'a [QuadWeights<B>],
    }

    impl<const B: usize> Task for AddProducts<'_, B> {
        type Output = [[i32; LANES]; B];
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> [[i32; LANES]; B] {
            let mut sums = self.sums;
            cpu.add_products(&mut sums, self.quads, self.weights);
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
        assert_eq!(Portable.run(task()), wanted);
        #[cfg(target_arch = "x86_64")]
        {
            let levels = [
                Popcnt::detect().map(|cpu| cpu.run(task())),
                Pext::detect().map(|cpu| cpu.run(task())),
                #[cfg(feature = "vectors")]
                Avx2::detect().map(|cpu| cpu.run(task())),
                #[cfg(feature = "vectors")]
                Avx512::detect().map(|cpu| cpu.run(task())),
                #[cfg(feature = "vectors")]
                Avx512Bw::detect().map(|cpu| cpu.run(task())),
            ];
            assert!(levels.iter().flatten().all(|sums| *sums == wanted));
        }
        #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
        assert_eq!(Neon.run(task()), wanted);
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
