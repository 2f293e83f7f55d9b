//! Several bitboards at once: what a CPU must offer for it, and the moves of sets that follow.
//!
//! [`Vector`] is implemented by `avx512` and `avx2` and used by `fills`, `bit_sliced` and all of `lanes` and
//! `two_ply`. Lane `i` of every vector belongs to position `i`; no operation mixes lanes except
//! [`Vector::permute`], [`Vector::compress`] and [`Vector::reduce_sum`]. `dispatch` is where the name of a kernel
//! becomes its vectors.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod bit_sliced;
pub mod dispatch;
pub mod fills;
#[cfg(test)]
pub mod tests;

use crate::chess::board::tables::Cpu;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The most lanes that a vector has. What is read from memory or written there has room for so many.
pub const MOST_LANES: usize = 8;

/// One word for each of several positions, mostly a set of squares.
///
/// Values come from [`Vector::splat`] and [`Vector::load`] alone, which ask for the proof that the CPU has
/// the instructions; so whoever has a value may use it.
pub trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// The proof.
    type Cpu: Cpu;
    /// The number of lanes, [`MOST_LANES`] or fewer.
    const LANES: usize;

    /// The same word in every lane.
    fn splat(cpu: Self::Cpu, word: u64) -> Self;
    /// One word for each lane, from the front.
    fn load(cpu: Self::Cpu, words: &[u64; MOST_LANES]) -> Self;
    /// Writes the words of the lanes to the front; the others stay as they are.
    fn store(self, words: &mut [u64; MOST_LANES]);
    /// Every word shifted towards higher bits, or towards lower ones if `by` is negative. `by` must be known
    /// to the compiler.
    fn shift(self, by: i32) -> Self;
    /// The number of members of every set, in parts that may be added and shifted as long as none exceeds 255:
    /// of 31 sets at most, or numbers up to 31 times eight. [`Vector::sum_parts`] makes it one number.
    fn count_parts(self) -> Self;
    /// The sum of the parts of every lane.
    fn sum_parts(self) -> Self;
    /// The product of the low 32 bits of each word.
    fn times(self, other: Self) -> Self;
    /// Which lanes are not zero, lane 0 in bit 0.
    fn nonzero(self) -> u8;
    /// `self` where `test` is zero, otherwise nothing.
    fn keep_if_zero(self, test: Self) -> Self;
    /// Bit `square` of each lane, the square being the low six bits of the word.
    fn bit(cpu: Self::Cpu, squares: Self) -> Self;
    /// Lane `i` of the result is lane `lanes[i]` of `self`; bits above the number of a lane do not count.
    fn permute(self, lanes: Self) -> Self;
    /// `self` in these lanes (lane 0 in bit 0), otherwise nothing.
    fn mask_lanes(self, lanes: u8) -> Self;
    /// `self` where `a` is less than `b` as a number, otherwise nothing.
    fn keep_if_less(self, a: Self, b: Self) -> Self;
    /// The highest member of every set, as a set.
    fn highest(self) -> Self;
    /// One number for each lane, from the front.
    fn widen(cpu: Self::Cpu, numbers: &[u16; MOST_LANES]) -> Self;
    /// Each lane's word of a table, by the low eleven bits of its index.
    fn gather(cpu: Self::Cpu, table: &[u64; 2048], index: Self) -> Self;
    /// Writes the words of these lanes (lane 0 in bit 0) one after the other; what follows them is written as
    /// well and means nothing.
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]);
    /// The sum of all lanes, wrapping.
    fn reduce_sum(self) -> u64;
    /// Squares attacked by rooks on `rooks` to the north and to the south, own pieces included. Rooks are among
    /// `occupied`; lanes where they are not hold anything.
    fn file_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];
    /// The same to the east and to the west.
    fn rank_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];

    /// The empty sets.
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
    /// `self` where `test` is not zero, otherwise nothing.
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        self ^ self.keep_if_zero(test)
    }
}

/// The bit of a sum of three sets that stays: in one or three of them.
#[inline(always)]
pub fn parity<V: Vector>(a: V, b: V, c: V) -> V {
    a ^ b ^ c
}

/// The bit of a sum of three sets that is carried: in two of them at least.
#[inline(always)]
pub fn majority<V: Vector>(a: V, b: V, c: V) -> V {
    a & b | c & (a | b)
}

/// The first `len` lanes, or all where there are not so many; lane 0 in bit 0.
#[inline(always)]
pub fn lane_mask<V: Vector>(len: usize) -> u8 {
    ((1u32 << len.min(V::LANES)) - 1) as u8
}

/// The words from number `at` on; eight must be there.
#[inline(always)]
pub fn load_at<V: Vector>(cpu: V::Cpu, words: &[u64], at: usize) -> V {
    debug_assert!(at + MOST_LANES <= words.len(), "eight words from {at} on of {}", words.len());
    match words.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(words) => V::load(cpu, words),
        // Not reached; a panic here would cost every caller its registers.
        None => V::zero(cpu),
    }
}

/// Writes the words from number `at` on; there must be room for eight.
#[inline(always)]
pub fn store_at<V: Vector>(set: V, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.store(words);
    }
}

/// Writes these lanes of `set` from number `at` on, and something behind them; there must be room for eight.
#[inline(always)]
pub fn compress_at<V: Vector>(set: V, lanes: u8, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.compress(lanes, words);
    }
}
