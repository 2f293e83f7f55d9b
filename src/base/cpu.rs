//! The CPU instruction set levels that hot code is compiled for, and the choice between them at run time.
//!
//! A level is a [`Cpu`]: a zero-size token whose existence proves that the CPU has the instructions. [`dispatch`] and
//! its variants select the best level that pays off for a kind of work and run a [`Task`] in a function compiled for
//! it. So a plain `cargo build --release` uses PEXT, POPCNT and BMI where available. Each game builds its own lookups
//! on top (`SliderAttacks` in its `board/tables.rs`). The CPU is queried once per process.

#![allow(unsafe_code, reason = "functions compiled for a CPU level are called after its detection")]

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

/// The names of the levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelName {
    Portable,
    Popcnt,
    Pext,
    Avx2,
    Avx512Bw,
    Avx512,
    Neon,
}

/// An instruction set level. Holding a value proves that the CPU has the instructions.
pub trait Cpu: Copy + sealed::Level {
    /// The level, for code that picks its instructions by it.
    const NAME: LevelName;
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

impl sealed::Level for Portable {}

impl Cpu for Portable {
    const NAME: LevelName = LevelName::Portable;
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
    use super::{Cpu, LevelName, Task, sealed};
    use std::arch::asm;
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};
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
    /// level has fast PEXT and adds the two instructions.
    macro_rules! level {
        (
            $(#[$doc:meta])* $name:ident, $bit:literal, $run:ident, $features:literal,
            [$($feature:tt),*], $pext:ident
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
                const NAME: LevelName = LevelName::$name;
                #[inline(always)]
                fn run<T: Task>(self, task: T) -> T::Output {
                    debug_assert!($name::detect().is_some());
                    // SAFETY: the token exists only if the CPU has every feature of the function.
                    unsafe { $run(self, task) }
                }
                level!(@ $pext);
            }
        };
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
    }

    level!(
        /// x86 with POPCNT and SSE4.2: Intel as of Nehalem, AMD as of Bulldozer and Jaguar.
        Popcnt,
        0,
        run_popcnt,
        "popcnt,ssse3,sse4.1,sse4.2",
        ["popcnt", "ssse3", "sse4.1", "sse4.2"],
        without_pext
    );
    level!(
        /// x86 with BMI2 that runs PEXT in hardware.
        Pext,
        1,
        run_pext,
        "popcnt,lzcnt,bmi1,bmi2",
        ["lzcnt", "bmi1", "bmi2"],
        with_pext
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
        without_pext
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
        with_pext
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
        with_pext
    );
}

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
pub use arm::Neon;

#[cfg(all(target_arch = "aarch64", feature = "vectors"))]
mod arm {
    use super::{Cpu, LevelName, Task, sealed};

    /// 64-bit ARM: all of them have NEON.
    #[derive(Clone, Copy)]
    pub struct Neon;

    impl sealed::Level for Neon {}

    impl Cpu for Neon {
        const NAME: LevelName = LevelName::Neon;
        const FAST_PEXT: bool = false;

        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            task.run(self)
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

/// Runs `task` with AVX2 or POPCNT: for counts with sets of more than 64 squares, which PEXT does not speed up.
#[inline]
pub fn dispatch_wide<T: Task>(task: T) -> T::Output {
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
        assert_eq!(dispatch_wide(Gather(7)), 1_000);
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
}
