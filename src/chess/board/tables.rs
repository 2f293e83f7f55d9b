//! The generated chess tables behind typed look-ups, the slider methods, and the choice between them.
//!
//! The only place that indexes `generated/chess_*.rs`. Everything that slides asks a [`Cpu`]: a token of
//! size zero that proves which instructions may be used. [`dispatch`] picks the best one at run time and
//! runs a [`Task`] inside a function compiled for it, so that a plain `cargo build --release` uses PEXT,
//! POPCNT and BMI wherever they exist. Callers: `attacks`, `movegen`, `make`, `perft`.

use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

// Digit groups would make the text a fifth larger.
#[allow(clippy::unreadable_literal)]
mod generated {
    include!("../../../generated/chess_leapers.rs");
    include!("../../../generated/chess_rays.rs");
    include!("../../../generated/chess_sliders.rs");
    include!("../../../generated/chess_zobrist.rs");
}

/// Knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(at(&generated::KNIGHT, square))
}

/// King attacks, castling aside.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(at(&generated::KING, square))
}

/// Squares attacked by a pawn of `side`.
#[inline(always)]
pub fn pawn(side: Side, square: Square) -> Bitboard {
    Bitboard(at(&generated::PAWN[side.index()], square))
}

/// The squares strictly between two squares of one rank, file or diagonal; otherwise none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(at(at_ref(&generated::BETWEEN, a), b))
}

/// The whole rank, file or diagonal through two squares; none if there is no such line or `a == b`.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(at(at_ref(&generated::LINE, a), b))
}

/// The squares behind `b` as seen from `a`, to the edge; none if they share no line.
#[inline(always)]
pub fn beyond(a: Square, b: Square) -> Bitboard {
    Bitboard(at(at_ref(&generated::BEYOND, a), b))
}

/// For a king and a rook on its rank: the squares that must be empty to castle (king and rook aside), and
/// those that must not be attacked.
#[inline(always)]
pub fn castling_paths(king: Square, rook: Square) -> (Bitboard, Bitboard) {
    let (path, king_path) = generated::CASTLING[king.index() & 7][rook.index() & 7];
    let rank = king.index() & 56;
    (Bitboard(u64::from(path) << rank), Bitboard(u64::from(king_path) << rank))
}

/// Zobrist key of a piece on a square.
#[inline(always)]
pub fn piece_key(side: Side, kind: Kind, square: Square) -> u64 {
    at(&generated::PIECE_KEYS[side.index()][kind.index()], square)
}

/// Zobrist key of the castling right that belongs to the rook on `square`.
#[inline(always)]
pub fn castling_key(square: Square) -> u64 {
    at(&generated::CASTLING_KEYS, square)
}

/// Zobrist key of a legal en passant capture on the file of `square`.
#[inline(always)]
pub fn en_passant_key(square: Square) -> u64 {
    generated::EN_PASSANT_KEYS[square.index() & 7]
}

/// Zobrist key of Black being to move.
#[inline(always)]
pub fn side_key() -> u64 {
    generated::SIDE_KEY[0]
}

/// Bishop attacks on the empty board.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    let [_, diagonal, anti] = at(&generated::LINES, square);
    Bitboard(diagonal | anti)
}

/// Rook attacks on the empty board.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    let [file, _, _] = at(&generated::LINES, square);
    Bitboard(file | 0xff << (square.index() & 56) & !(1 << square.index()))
}

#[inline(always)]
fn at_ref<T>(table: &[T; 64], square: Square) -> &T {
    debug_assert!(square.index() < 64);
    // SAFETY: every constructor of `Square` keeps its index below 64.
    unsafe { table.get_unchecked(square.index()) }
}

#[inline(always)]
fn at<T: Copy>(table: &[T; 64], square: Square) -> T {
    *at_ref(table, square)
}

/// Work that is compiled once for each [`Cpu`]. Implementations mark `run` `#[inline(always)]`.
pub trait Task {
    /// What the work gives back.
    type Output;
    /// Does the work with the instructions that `cpu` stands for.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// A level of instructions with its slider method. The value is the proof that the CPU has them.
pub trait Cpu: Copy {
    /// Squares a bishop on `square` attacks when `occupied` are occupied; own pieces included.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// Squares a rook on `square` attacks when `occupied` are occupied; own pieces included.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// Runs `task` in a function compiled for this level; recursion goes through here.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Any CPU: hyperbola quintessence, no special instructions.
#[derive(Clone, Copy)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        hyperbola_bishop(square, occupied)
    }
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        hyperbola_rook(square, occupied)
    }
    #[inline(never)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Attacks along one line by subtraction from both ends (hyperbola quintessence, Gerd Isenberg and Aleks
/// Peshkov). The byte swap mirrors files and diagonals; ranks need the table of `hyperbola_rook`.
#[inline(always)]
fn hyperbola(square: Square, occupied: Bitboard, line: u64) -> u64 {
    let slider = Bitboard::of(square).0;
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider << 1);
    let mirrored = slider.swap_bytes();
    let down = blockers.swap_bytes().wrapping_sub(mirrored << 1).swap_bytes();
    (up ^ down) & line
}

#[inline(always)]
fn hyperbola_bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [_, diagonal, anti] = at(&generated::LINES, square);
    Bitboard(hyperbola(square, occupied, diagonal) | hyperbola(square, occupied, anti))
}

#[inline(always)]
fn hyperbola_rook(square: Square, occupied: Bitboard) -> Bitboard {
    let [file, _, _] = at(&generated::LINES, square);
    let base = square.index() & 56;
    let inner = (occupied.0 >> base >> 1 & 63) as usize;
    let rank = u64::from(generated::RANK[square.index() & 7][inner]) << base;
    Bitboard(hyperbola(square, occupied, file) | rank)
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Pext, Popcnt};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use std::arch::x86_64::{__cpuid, _pext_u64};
    use std::sync::LazyLock;

    /// x86 with POPCNT, LZCNT and BMI1, but without a PEXT worth using: hyperbola quintessence.
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
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            hyperbola_bishop(square, occupied)
        }
        #[inline(always)]
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            hyperbola_rook(square, occupied)
        }
        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            debug_assert!(Popcnt::detect().is_some());
            // SAFETY: a `Popcnt` exists only if `detect` has found every feature of `run_popcnt`.
            unsafe { run_popcnt(self, task) }
        }
    }

    /// x86 with BMI2 whose PEXT is fast: attacks by extracted occupancy.
    #[derive(Clone, Copy)]
    pub struct Pext(());

    impl Pext {
        /// The proof, if this CPU has the instructions and runs PEXT in hardware.
        pub fn detect() -> Option<Self> {
            // Asking the CPU takes long, above all in a virtual machine.
            static FAST: LazyLock<bool> = LazyLock::new(|| {
                let has = Popcnt::detect().is_some() && is_x86_feature_detected!("bmi2");
                has && !pext_is_microcoded()
            });
            FAST.then_some(Pext(()))
        }

        #[inline(always)]
        fn look_up(self, (mask, offset): (u64, u32), occupied: Bitboard) -> Bitboard {
            debug_assert!(is_x86_feature_detected!("bmi2"));
            // SAFETY: a `Pext` exists only if BMI2 was detected. Every (mask, offset) of the index tables
            // owns 2^popcount(mask) entries of SLIDER from `offset` on (`tests/tables.rs` looks up all of
            // them), and PEXT gives a number below that.
            unsafe {
                let i = offset as usize + _pext_u64(occupied.0, mask) as usize;
                debug_assert!(i < generated::SLIDER.len());
                Bitboard(*generated::SLIDER.get_unchecked(i))
            }
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
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            self.look_up(at(&generated::BISHOP_INDEX, square), occupied)
        }
        #[inline(always)]
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            self.look_up(at(&generated::ROOK_INDEX, square), occupied)
        }
        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            debug_assert!(Popcnt::detect().is_some() && is_x86_feature_detected!("bmi2"));
            // SAFETY: a `Pext` exists only if `detect` has found every feature of `run_pext`.
            unsafe { run_pext(self, task) }
        }
    }

    /// A level above [`Pext`] that slides as it does: its token, and the function that its tasks run in.
    macro_rules! level {
        ($(#[$doc:meta])* $name:ident, $run:ident, $features:literal, [$($feature:tt),*]) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name(Pext);

            impl $name {
                /// The proof, if this CPU has the instructions.
                pub fn detect() -> Option<Self> {
                    let has = $(is_x86_feature_detected!($feature))&&*;
                    Pext::detect().filter(|_| has).map($name)
                }
            }

            #[target_feature(enable = $features)]
            fn $run<T: Task>(cpu: $name, task: T) -> T::Output {
                task.run(cpu)
            }

            impl Cpu for $name {
                #[inline(always)]
                fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
                    self.0.bishop(square, occupied)
                }
                #[inline(always)]
                fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
                    self.0.rook(square, occupied)
                }
                #[inline(always)]
                fn run<T: Task>(self, task: T) -> T::Output {
                    debug_assert!($name::detect().is_some());
                    // SAFETY: the token exists only if `detect` has found every feature of the function.
                    unsafe { $run(self, task) }
                }
            }
        };
    }

    level!(
        /// x86 with AVX2, and PEXT as [`Pext`].
        Avx2,
        run_avx2,
        "popcnt,lzcnt,bmi1,bmi2,avx2",
        ["avx2"]
    );
    level!(
        /// x86 with AVX-512 as of Ice Lake and Zen 4: byte and word operations, population counts, and bit
        /// matrices (GFNI); and PEXT as [`Pext`].
        Avx512,
        run_avx512,
        "popcnt,lzcnt,bmi1,bmi2,avx2,avx512f,avx512bw,avx512vl,avx512cd,avx512vpopcntdq,avx512vbmi2,gfni",
        [
            "avx2",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512cd",
            "avx512vpopcntdq",
            "avx512vbmi2",
            "gfni"
        ]
    );
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
