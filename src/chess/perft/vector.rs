//! Several bitboards at once: the operations that a kind of vector must provide.
//!
//! [`Vector`] is implemented in `avx512`, `avx2` and `pair`. Lane `i` of every vector belongs to position `i`. No
//! operation mixes lanes except [`Vector::permute`] and [`Vector::compress`].

use crate::base::cpu::Cpu;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The most lanes that a vector has. Buffers that are loaded or stored have room for this many words.
pub const MOST_LANES: usize = 8;

/// One word for each of several positions, usually a set of squares.
///
/// Values come only from functions that take a [`Vector::Cpu`], the proof that the CPU has the instructions. So any
/// code that holds a value may use it.
pub trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// Proof that the CPU has the instructions.
    type Cpu: Cpu;
    /// The number of lanes, at most [`MOST_LANES`].
    const LANES: usize;

    /// The same word in every lane.
    fn splat(cpu: Self::Cpu, word: u64) -> Self;
    /// Loads one word per lane, from the front.
    fn load(cpu: Self::Cpu, words: &[u64; MOST_LANES]) -> Self;
    /// Writes the words of the lanes to the front. The other words do not change.
    fn store(self, words: &mut [u64; MOST_LANES]);
    /// Every word shifted towards higher bits, or towards lower bits if `by` is negative. `by` must be known to the
    /// compiler.
    fn shift(self, by: i32) -> Self;
    /// The number of members of every set, in parts. Parts may be added and shifted as long as none exceeds 255: at
    /// most 31 sets, or numbers up to 31 times eight. [`Vector::sum_parts`] makes one number of them.
    fn count_parts(self) -> Self;
    /// The sum of the parts of every lane.
    fn sum_parts(self) -> Self;
    /// The product of the low 32 bits of each word.
    fn times(self, other: Self) -> Self;
    /// The lanes that are not zero, lane 0 in bit 0.
    fn nonzero(self) -> u8;
    /// `self` in lanes where `test` is zero, otherwise zero.
    fn keep_if_zero(self, test: Self) -> Self;
    /// A word per lane with only bit `square` set, where `square` is the low six bits of the lane of `squares`.
    fn bit(cpu: Self::Cpu, squares: Self) -> Self;
    /// Lane `i` of the result is lane `lanes[i]` of `self`. Higher bits of `lanes[i]` are ignored.
    fn permute(self, lanes: Self) -> Self;
    /// `self` in these lanes (lane 0 in bit 0), otherwise zero.
    fn mask_lanes(self, lanes: u8) -> Self;
    /// `self` in lanes where `a` is less than `b` (unsigned), otherwise zero.
    fn keep_if_less(self, a: Self, b: Self) -> Self;
    /// The highest member of every set, as a set.
    fn highest(self) -> Self;
    /// Loads one number per lane, from the front.
    fn widen(cpu: Self::Cpu, numbers: &[u16; MOST_LANES]) -> Self;
    /// Looks up one word per lane in a table, by the low eleven bits of `index`.
    fn gather(cpu: Self::Cpu, table: &[u64; 2048], index: Self) -> Self;
    /// Writes the words of these lanes (lane 0 in bit 0) consecutively. The words after them may be overwritten with
    /// arbitrary values.
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]);
    /// Squares attacked by `rooks` to the north and to the south, own pieces included. Rooks must be members of
    /// `occupied`; lanes where they are not have arbitrary results.
    fn file_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];
    /// The same to the east and to the west.
    fn rank_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];

    /// Empty sets.
    #[inline(always)]
    fn zero(cpu: Self::Cpu) -> Self {
        Self::splat(cpu, 0)
    }
    /// The number of members of every set.
    #[inline(always)]
    fn popcount(self) -> Self {
        self.count_parts().sum_parts()
    }
    /// The members of `self` that are not in `other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    /// `self` in lanes where `test` is not zero, otherwise zero.
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        self ^ self.keep_if_zero(test)
    }
}

/// Implements an operator of a vector of one register by an intrinsic of two registers.
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
macro_rules! operator {
    ([$($generics:tt)*] $vector:ty, $new:path, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl<$($generics)*> std::ops::$trait for $vector {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a vector is made from the token of its CPU only, the proof that it has the instructions.
                $new(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub(crate) use operator;

/// The sum bit of a full adder: squares in one or three of the sets.
#[inline(always)]
pub fn parity<V: Vector>(a: V, b: V, c: V) -> V {
    a ^ b ^ c
}

/// The carry bit of a full adder: squares in at least two of the sets.
#[inline(always)]
pub fn majority<V: Vector>(a: V, b: V, c: V) -> V {
    a & b | c & (a | b)
}

/// The squares of `a` in `mask`, and those of `b` outside it.
#[inline(always)]
pub fn select<V: Vector>(mask: V, a: V, b: V) -> V {
    mask & a | b.without(mask)
}

/// A mask of the first `len` lanes, or of all if there are fewer; lane 0 in bit 0.
#[inline(always)]
pub fn lane_mask<V: Vector>(len: usize) -> u8 {
    ((1u32 << len.min(V::LANES)) - 1) as u8
}

/// Loads the words from index `at` on. There must be eight.
#[inline(always)]
pub fn load_at<V: Vector>(cpu: V::Cpu, words: &[u64], at: usize) -> V {
    debug_assert!(at + MOST_LANES <= words.len(), "eight words from {at} on of {}", words.len());
    match words.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(words) => V::load(cpu, words),
        // Never reached. A panic here would make every caller spill registers.
        None => V::zero(cpu),
    }
}

/// Stores the words from index `at` on. There must be room for eight.
#[inline(always)]
pub fn store_at<V: Vector>(set: V, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.store(words);
    }
}

/// Writes the words of these lanes of `set` from index `at` on, followed by arbitrary words. There must be room for
/// eight.
#[inline(always)]
pub fn compress_at<V: Vector>(set: V, lanes: u8, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.compress(lanes, words);
    }
}
