//! The generated xiangqi tables behind typed look-ups, and the choice of CPU instructions.
//!
//! The only place that indexes `generated/xiangqi_*.rs`. Files of the board are gathered into ten
//! neighbouring bits by a [`Cpu`]: a token of size zero that proves which instructions may be used.
//! [`dispatch`] picks the best one at run time and runs a [`Task`] inside a function compiled for it.
//! Callers: `attacks`, `movegen`, `make`, `count`.

use crate::game::Side;
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::piece::Kind;
use crate::xiangqi::types::square::Square;

mod generated {
    include!("../../../generated/xiangqi_leapers.rs");
    include!("../../../generated/xiangqi_lines.rs");
    include!("../../../generated/xiangqi_zobrist.rs");
}

/// The four neighbours straight ahead, beside and behind as a number: south, west, east, north from bit 0
/// on. Neighbours beyond an edge give stray bits, which the tables ignore.
#[inline(always)]
fn legs(square: Square, occupied: Bitboard) -> usize {
    let window = (occupied.0 << 9 >> square.index()) as usize;
    window & 1 | window >> 7 & 2 | window >> 8 & 4 | window >> 15 & 8
}

/// The four diagonal neighbours as a number: south-west, south-east, north-west, north-east.
#[inline(always)]
fn eyes(square: Square, occupied: Bitboard) -> usize {
    let window = (occupied.0 << 10 >> square.index()) as usize;
    window & 1 | window >> 1 & 2 | window >> 16 & 4 | window >> 17 & 8
}

/// Squares a horse on `square` reaches.
#[inline(always)]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::HORSE[square.index()][legs(square, occupied)])
}

/// Squares from which a horse attacks `square`.
#[inline(always)]
pub fn horse_back(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::HORSE_BACK[square.index()][eyes(square, occupied)])
}

/// Squares an elephant on `square` reaches.
#[inline(always)]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::ELEPHANT[square.index()][eyes(square, occupied)])
}

/// The legs of a horse on `square` and what it reaches over each.
#[inline(always)]
pub fn horse_by_leg(square: Square) -> [(Square, Bitboard); 4] {
    let open = |i: usize| Bitboard(generated::HORSE[square.index()][15 ^ 1 << i]);
    let at = |offset: i32| Square::wrapping((square.index() as i32 + offset) as u32);
    [(at(-9), open(0)), (at(-1), open(1)), (at(1), open(2)), (at(9), open(3))]
}

/// The eyes of an elephant on `square` and what it reaches over each.
#[inline(always)]
pub fn elephant_by_eye(square: Square) -> [(Square, Bitboard); 4] {
    let open = |i: usize| Bitboard(generated::ELEPHANT[square.index()][15 ^ 1 << i]);
    let at = |offset: i32| Square::wrapping((square.index() as i32 + offset) as u32);
    [(at(-10), open(0)), (at(-8), open(1)), (at(8), open(2)), (at(10), open(3))]
}

/// The squares of the eyes of an elephant on `square`.
pub fn eyes_of(square: Square) -> Bitboard {
    elephant_by_eye(square)
        .into_iter()
        .filter(|(_, targets)| !targets.is_empty())
        .fold(Bitboard::EMPTY, |set, (eye, _)| set | Bitboard::of(eye))
}

/// Squares an advisor on `square` reaches.
#[inline(always)]
pub fn advisor(square: Square) -> Bitboard {
    Bitboard(generated::ADVISOR[square.index()])
}

/// Squares a king on `square` reaches.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(generated::KING[square.index()])
}

/// Squares a soldier of `side` on `square` reaches.
#[inline(always)]
pub fn soldier(side: Side, square: Square) -> Bitboard {
    Bitboard(generated::SOLDIER[side.index()][square.index()])
}

/// Squares from which a soldier of `side` attacks `square`.
#[inline(always)]
pub fn soldier_back(side: Side, square: Square) -> Bitboard {
    Bitboard(generated::SOLDIER_BACK[side.index()][square.index()])
}

/// The squares strictly between two squares of one rank or file; otherwise none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(generated::BETWEEN[a.index()][b.index()])
}

/// Rank and file of a square, without the square.
#[inline(always)]
pub fn cross(square: Square) -> Bitboard {
    Bitboard(generated::CROSS[square.index()])
}

/// What a chariot (low half) and a cannon (high half) on the rank point `file` see when the nine points
/// `occupied` of its rank are occupied. The chariot sees the empty points and the first piece each way;
/// the cannon the same empty points and the second piece.
#[inline(always)]
pub fn rank_line(file: usize, occupied: usize) -> u32 {
    generated::RANK[file & 15][occupied & 511]
}

/// The same for the file point `rank` and the ten points of its file.
#[inline(always)]
pub fn file_line(rank: usize, occupied: usize) -> u32 {
    generated::FILE[rank & 15][occupied & 1023]
}

/// Zobrist key of a piece on a square.
#[inline(always)]
pub fn piece_key(side: Side, kind: Kind, square: Square) -> u64 {
    generated::PIECE_KEYS[side.index()][kind.index()][square.index()]
}

/// Zobrist key of Black being to move.
#[inline(always)]
pub fn side_key() -> u64 {
    generated::SIDE_KEY[0]
}

/// The nine points of a rank.
#[inline(always)]
pub fn rank_bits(set: Bitboard, rank: i32) -> usize {
    (set.0 >> ((9 * rank as u32) & 127)) as usize & 511
}

/// Work that is compiled once for each [`Cpu`]. Implementations mark `run` `#[inline(always)]`.
pub trait Task {
    /// What the work gives back.
    type Output;
    /// Does the work with the instructions that `cpu` stands for.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A level of instructions. The value is the proof that the CPU has them.
pub trait Cpu: Copy {
    /// The ten points of `file` (0 to 8), rank 0 in bit 0.
    fn file_bits(self, set: Bitboard, file: i32) -> usize;
    /// The points `bits` of `file` as squares, the opposite of `file_bits`.
    fn file_set(self, bits: u32, file: i32) -> Bitboard;
    /// Runs `task` in a function compiled for this level; recursion goes through here.
    fn run<T: Task>(self, task: T) -> T::Output;

    /// What a chariot (first) and a cannon (second) on `square` see; own pieces are included.
    #[inline(always)]
    fn lines(self, square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let (file, rank) = (square.file(), square.rank());
        let along = rank_line(file as usize, rank_bits(occupied, rank));
        let across = file_line(rank as usize, self.file_bits(occupied, file));
        let place = |bits: u32| Bitboard(u128::from(bits) << ((9 * rank as u32) & 127));
        (
            place(along & 0xffff) | self.file_set(across & 0xffff, file),
            place(along >> 16) | self.file_set(across >> 16, file),
        )
    }
}

/// The lowest seven points of the a-file.
const FILE_LOW: u64 = 0x0040_2010_0804_0201;
/// Three points of a file.
const FILE_HIGH: u64 = 0x0004_0201;

/// The words of a set: ranks 0 to 6 (63 squares), and ranks 7 to 9.
#[inline(always)]
fn words(set: Bitboard) -> (u64, u64) {
    (set.0 as u64, (set.0 >> 63) as u64)
}

/// Gathers a file by multiplication: bit `9 i` goes to bit `56 + i`, and no two products meet.
#[inline(always)]
fn gather(set: Bitboard, file: i32) -> usize {
    const FACTOR: u64 = 0x0101_0101_0101_0100;
    let (low, high) = words(set);
    let low = (low >> file & FILE_LOW).wrapping_mul(FACTOR) >> 56;
    let high = (high >> file & FILE_HIGH).wrapping_mul(FACTOR) >> 56;
    (low | high << 7) as usize
}

#[inline(always)]
fn scatter(bits: u32, file: i32) -> Bitboard {
    let low = generated::SPREAD[bits as usize & 127];
    let high = generated::SPREAD[bits as usize >> 7 & 7];
    Bitboard((u128::from(low) | u128::from(high) << 63) << file)
}

/// Any CPU: files are gathered by multiplication.
#[derive(Clone, Copy)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn file_bits(self, set: Bitboard, file: i32) -> usize {
        gather(set, file)
    }
    #[inline(always)]
    fn file_set(self, bits: u32, file: i32) -> Bitboard {
        scatter(bits, file)
    }
    #[inline(never)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Pext, Popcnt};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};

    /// x86 with POPCNT, LZCNT and BMI1, but without a PEXT worth using.
    #[derive(Clone, Copy)]
    pub struct Popcnt(());

    impl Popcnt {
        /// The proof, if this CPU has the instructions.
        pub fn detect() -> Option<Self> {
            (is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1"))
            .then_some(Popcnt(()))
        }
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1")]
    fn run_popcnt<T: Task>(cpu: Popcnt, task: T) -> T::Output {
        task.run(cpu)
    }

    impl Cpu for Popcnt {
        #[inline(always)]
        fn file_bits(self, set: Bitboard, file: i32) -> usize {
            gather(set, file)
        }
        #[inline(always)]
        fn file_set(self, bits: u32, file: i32) -> Bitboard {
            scatter(bits, file)
        }
        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            debug_assert!(Popcnt::detect().is_some());
            // SAFETY: a `Popcnt` exists only if `detect` has found every feature of `run_popcnt`.
            unsafe { run_popcnt(self, task) }
        }
    }

    /// x86 with BMI2 whose PEXT is fast.
    #[derive(Clone, Copy)]
    pub struct Pext(());

    impl Pext {
        /// The proof, if this CPU has the instructions and runs PEXT in hardware.
        pub fn detect() -> Option<Self> {
            let has = Popcnt::detect().is_some() && is_x86_feature_detected!("bmi2");
            (has && !pext_is_microcoded()).then_some(Pext(()))
        }
    }

    /// AMD before Zen 3 (families below 19h) has BMI2, but runs PEXT as some 20 to 300 micro-operations.
    // Asking is safe from a later standard library on than the first this crate builds with.
    #[allow(unused_unsafe)]
    fn pext_is_microcoded() -> bool {
        // SAFETY: every x86-64 CPU has the instruction and these two leaves.
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
        let hygon = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6f67_7948, 0x6e65_476e, 0x656e_6975];
        let family = (version >> 8 & 15) + (version >> 20 & 255);
        hygon || amd && family < 0x19
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn run_pext<T: Task>(cpu: Pext, task: T) -> T::Output {
        task.run(cpu)
    }

    impl Cpu for Pext {
        #[inline(always)]
        fn file_bits(self, set: Bitboard, file: i32) -> usize {
            debug_assert!(is_x86_feature_detected!("bmi2"));
            let (low, high) = words(set);
            // SAFETY: a `Pext` exists only if BMI2 was detected.
            unsafe {
                (_pext_u64(low, FILE_LOW << file) | _pext_u64(high, FILE_HIGH << file) << 7)
                    as usize
            }
        }
        #[inline(always)]
        fn file_set(self, bits: u32, file: i32) -> Bitboard {
            debug_assert!(is_x86_feature_detected!("bmi2"));
            let bits = u64::from(bits);
            // SAFETY: a `Pext` exists only if BMI2 was detected.
            let (low, high) = unsafe {
                (_pdep_u64(bits, FILE_LOW << file), _pdep_u64(bits >> 7, FILE_HIGH << file))
            };
            Bitboard(u128::from(low) | u128::from(high) << 63)
        }
        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            debug_assert!(Popcnt::detect().is_some() && is_x86_feature_detected!("bmi2"));
            // SAFETY: a `Pext` exists only if `detect` has found every feature of `run_pext`.
            unsafe { run_pext(self, task) }
        }
    }
}

/// Runs `task` with the best instructions this CPU has; detection happens once a process.
#[inline]
pub fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use std::sync::LazyLock;
        static BEST: LazyLock<(Option<Pext>, Option<Popcnt>)> =
            LazyLock::new(|| (Pext::detect(), Popcnt::detect()));
        match *BEST {
            (Some(cpu), _) => return cpu.run(task),
            (None, Some(cpu)) => return cpu.run(task),
            (None, None) => {}
        }
    }
    Portable.run(task)
}
