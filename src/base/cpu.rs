//! The CPU instruction set levels that hot code is compiled for, and the choice between them at run time.
//!
//! A level is a [`Cpu`]: a zero-size token whose existence proves that the CPU has the instructions. The vector kernels
//! of perft, which `chess/perft/walk.rs` chooses by name, and the products of the network take one. For the network,
//! [`dispatch_vectors`] picks the best level and runs a [`CpuTask`] in a function compiled for it. No other code is
//! compiled for a level. Functions that count much are compiled a second time, for POPCNT (`with_bits`), and [`pext`]
//! and [`pdep`] use the instructions where they are fast. The CPU is queried once per process.

#![allow(unsafe_code, reason = "functions compiled for a CPU level are called after its detection")]

/// Work that is compiled once for each [`Cpu`] level that it runs at: [`Cpu::enter`] calls `run`. Implementations mark
/// `run` as `#[inline(always)]`.
///
/// `run` is generic over the level, because [`dispatch_vectors`] picks the level after the task was made. The vectors
/// of perft belong to one level each (`Vector::Cpu`), and the compiler cannot tell that `C` is that level. So the tasks
/// of perft carry the token as a field, and ignore the argument.
pub trait CpuTask {
    type Output;
    /// Does the work with the instructions of `cpu`.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelName {
    Portable,
    Popcnt,
    Avx2,
    Avx512Bw,
    Avx512,
    Neon,
}

/// An instruction set level.
///
/// # Safety
/// Holding a value must prove that the CPU has the instructions of the level `NAME`.
pub unsafe trait Cpu: Copy {
    /// The level, for code that picks its instructions by it.
    const NAME: LevelName;
    /// Runs `task` in a function compiled for this level. Perft calls it at every node.
    fn enter<T: CpuTask>(self, task: T) -> T::Output;
}

/// Parallel bit extract: the bits of each word selected by `mask`, packed at the low end.
#[inline(always)]
pub fn pext<const N: usize>(mut words: [u64; N], mask: u64) -> [u64; N] {
    #[cfg(target_arch = "x86_64")]
    if x86::has_fast_pext() {
        // SAFETY: the CPU has BMI2.
        return unsafe { x86::pext(words, mask) };
    }
    for word in &mut words {
        *word = pext_by_steps(*word, mask);
    }
    words
}

/// Parallel bit deposit: the low bits of each word moved to the positions of `mask`; the inverse of [`pext`].
#[inline(always)]
pub fn pdep<const N: usize>(mut words: [u64; N], mask: u64) -> [u64; N] {
    #[cfg(target_arch = "x86_64")]
    if x86::has_fast_pext() {
        // SAFETY: the CPU has BMI2.
        return unsafe { x86::pdep(words, mask) };
    }
    for word in &mut words {
        *word = pdep_by_steps(*word, mask);
    }
    words
}

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

// SAFETY: it needs no instructions.
unsafe impl Cpu for Portable {
    const NAME: LevelName = LevelName::Portable;
    #[inline(never)]
    fn enter<T: CpuTask>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::Popcnt;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use x86::{Avx2, Avx512, Avx512Bw};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Cpu, CpuTask, LevelName};
    use std::arch::asm;
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};
    use std::sync::atomic::{AtomicU8, Ordering};

    /// The levels of this CPU, one bit each, once queried. The query is slow, above all in a virtual machine.
    static FOUND: AtomicU8 = AtomicU8::new(0);
    /// PEXT and PDEP are single fast instructions.
    const FAST_PEXT: u8 = 1 << 1;
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
        let pext = popcnt && is_x86_feature_detected!("bmi2") && !pext_is_microcoded();
        let levels = [
            (Popcnt::BIT, popcnt),
            (FAST_PEXT, pext),
            #[cfg(feature = "vectors")]
            (Avx2::BIT, popcnt && Avx2::is_there()),
            #[cfg(feature = "vectors")]
            (Avx512Bw::BIT, popcnt && Avx512Bw::is_there()),
            #[cfg(feature = "vectors")]
            (Avx512::BIT, popcnt && Avx512::is_there()),
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

    /// Whether PEXT and PDEP are single fast instructions.
    #[inline(always)]
    pub fn has_fast_pext() -> bool {
        has(FAST_PEXT)
    }

    #[target_feature(enable = "bmi2")]
    pub fn pext<const N: usize>(mut words: [u64; N], mask: u64) -> [u64; N] {
        for word in &mut words {
            *word = _pext_u64(*word, mask);
        }
        words
    }

    #[target_feature(enable = "bmi2")]
    pub fn pdep<const N: usize>(mut words: [u64; N], mask: u64) -> [u64; N] {
        for word in &mut words {
            *word = _pdep_u64(*word, mask);
        }
        words
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

    /// Defines a level: its token, its detection, and the function in which its tasks run.
    macro_rules! level {
        (
            $(#[$doc:meta])* $name:ident, $bit:literal, $run:ident, $features:literal,
            [$($feature:tt),*]
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
            fn $run<T: CpuTask>(cpu: $name, task: T) -> T::Output {
                align_stack();
                task.run(cpu)
            }

            // SAFETY: only `detect` makes a token.
            unsafe impl Cpu for $name {
                const NAME: LevelName = LevelName::$name;
                #[inline(always)]
                fn enter<T: CpuTask>(self, task: T) -> T::Output {
                    debug_assert!($name::detect().is_some());
                    // SAFETY: the token exists only if the CPU has every feature of the function.
                    unsafe { $run(self, task) }
                }
            }
        };
    }

    level!(
        /// x86 with POPCNT and SSE4.2: Intel as of Nehalem, AMD as of Bulldozer and Jaguar.
        Popcnt,
        0,
        run_popcnt,
        "popcnt,ssse3,sse4.1,sse4.2",
        ["popcnt", "ssse3", "sse4.1", "sse4.2"]
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX2 and BMI2: Intel as of Haswell, AMD as of Zen.
        Avx2,
        2,
        run_avx2,
        "popcnt,lzcnt,bmi1,bmi2,avx2",
        ["lzcnt", "bmi1", "bmi2", "avx2"]
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX-512 as of Skylake-X, so that Cascade Lake and Cooper Lake have it too: byte and word operations
        /// and leading zeros, but neither population counts nor bit matrices.
        Avx512Bw,
        4,
        run_avx512bw,
        "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512vl,avx512cd,avx512dq",
        ["lzcnt", "bmi1", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512cd", "avx512dq"]
    );
    #[cfg(feature = "vectors")]
    level!(
        /// x86 with AVX-512 as of Ice Lake and Zen 4: byte and word operations, population counts, products of bytes
        /// (VNNI), and bit matrices (GFNI).
        Avx512,
        3,
        run_avx512,
        "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512vl,avx512cd,avx512vpopcntdq,avx512vbmi2,avx512vnni,gfni",
        [
            "lzcnt",
            "bmi1",
            "bmi2",
            "avx2",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512cd",
            "avx512vpopcntdq",
            "avx512vbmi2",
            "avx512vnni",
            "gfni"
        ]
    );
}

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
pub use arm::Neon;

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
mod arm {
    use super::{Cpu, CpuTask, LevelName};

    /// 64-bit ARM: all of them have NEON.
    #[derive(Clone, Copy)]
    pub struct Neon;

    // SAFETY: every CPU of this architecture has the instructions.
    unsafe impl Cpu for Neon {
        const NAME: LevelName = LevelName::Neon;
        #[inline(always)]
        fn enter<T: CpuTask>(self, task: T) -> T::Output {
            task.run(self)
        }
    }
}

/// Whether the CPU has the instructions of the second copy that `with_bits` compiles.
#[inline(always)]
pub fn has_bits() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Popcnt::detect().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Defines a function that is compiled twice, without special instructions and with POPCNT, and that runs the copy for
/// this CPU. What it calls should be `#[inline(always)]`, so that it is compiled twice too.
macro_rules! with_bits {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident$(<$side:ident: $bound:ident>)?($($argument:ident: $type:ty),*) $(-> $output:ty)? $body:block
    ) => {
        $(#[$meta])*
        #[inline]
        #[allow(unsafe_code, reason = "a copy for instructions that the CPU has")]
        $vis fn $name$(<$side: $bound>)?($($argument: $type),*) $(-> $output)? {
            #[inline(always)]
            fn any_cpu$(<$side: $bound>)?($($argument: $type),*) $(-> $output)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "popcnt,ssse3,sse4.1,sse4.2")]
            fn with_bits$(<$side: $bound>)?($($argument: $type),*) $(-> $output)? {
                any_cpu$(::<$side>)?($($argument),*)
            }
            #[cfg(target_arch = "x86_64")]
            if crate::base::cpu::has_bits() {
                // SAFETY: the CPU has the instructions.
                return unsafe { with_bits$(::<$side>)?($($argument),*) };
            }
            any_cpu$(::<$side>)?($($argument),*)
        }
    };
}
pub(crate) use with_bits;

/// Runs `task` with the widest vectors of this CPU: for long rows of small numbers.
#[inline]
pub fn dispatch_vectors<T: CpuTask>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    if let Some(cpu) = Avx512::detect() {
        return cpu.enter(task);
    }
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    if let Some(cpu) = Avx2::detect() {
        return cpu.enter(task);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Popcnt::detect() {
        return cpu.enter(task);
    }
    #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
    return Neon.enter(task);
    #[cfg(not(all(target_arch = "aarch64", feature = "vectors")))]
    Portable.enter(task)
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

    #[test]
    fn bits_are_gathered_and_scattered_alike_by_steps_and_by_instructions() {
        assert_eq!(pext_by_steps(0b1010_0110, 0b1111_0010), 0b1_0101);
        let mut rng = SplitMix64::new(1);
        let random = (0..1_000).map(|_| (rng.next_u64(), rng.next_u64() & rng.next_u64()));
        let edges = [(0, 0), (!0, 0), (!0, !0), (1 << 63, 1 << 63), (!0, 1 << 63)];
        for (word, mask) in random.chain(edges) {
            let packed = pext_by_steps(word, mask);
            assert_eq!(packed.checked_shr(mask.count_ones()).unwrap_or(0), 0);
            assert_eq!(pdep_by_steps(packed, mask), word & mask);
            assert_eq!(pext([word, !word], mask), [packed, pext_by_steps(!word, mask)]);
            assert_eq!(pdep([packed, !0], mask), [word & mask, mask]);
        }
    }

    with_bits! {
        fn sum_of_bits(words: &[u64]) -> u32 {
            words.iter().map(|word| word.count_ones()).sum()
        }
    }

    #[test]
    fn with_and_without_population_counts_the_sums_are_equal() {
        let mut rng = SplitMix64::new(2);
        let words: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
        let by_steps = words.iter().map(|&word| (0..64).filter(|bit| word >> bit & 1 != 0).count() as u32).sum();
        assert_eq!(sum_of_bits(&words), by_steps);
    }

    struct Level;

    impl CpuTask for Level {
        type Output = LevelName;
        #[inline(always)]
        fn run<C: Cpu>(self, _cpu: C) -> LevelName {
            C::NAME
        }
    }

    #[test]
    fn each_level_includes_those_below_it() {
        assert_eq!(Portable.enter(Level), LevelName::Portable);
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        {
            assert!(Popcnt::detect().is_none_or(|cpu| cpu.enter(Level) == LevelName::Popcnt));
            assert!(Avx2::detect().is_none_or(|cpu| cpu.enter(Level) == LevelName::Avx2));
            assert!(Popcnt::detect().is_some() || Avx2::detect().is_none());
            assert!(Avx2::detect().is_some() || Avx512Bw::detect().is_none());
            assert!(Avx512Bw::detect().is_some() || Avx512::detect().is_none());
            let has_all = is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("ssse3")
                && is_x86_feature_detected!("sse4.2");
            assert_eq!(Popcnt::detect().is_some(), has_all);
        }
    }
}
