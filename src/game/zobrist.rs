//! The parts of Zobrist keys (Albert Zobrist, 1970) that the games share: random numbers, and the key of the pieces
//! and the side to move.
//!
//! Plain perft computes no keys.

use super::side::Side;
use crate::base::rng::SplitMix64;
use std::ops::BitXor;

/// The random numbers that are XORed into a key.
pub trait RandomNumbers<Kind, Square> {
    /// The type of a key.
    type Word: Copy + Default + BitXor<Output = Self::Word>;
    /// The number of a piece on a square.
    fn piece(&self, side: Side, kind: Kind, square: Square) -> Self::Word;
    /// The number of Black to move.
    fn side(&self) -> Self::Word;
}

/// The key of the pieces and the side to move. `pieces` returns the squares of one kind of piece of a side.
#[inline(always)]
pub fn key_of_pieces<Kind: Copy, Set: IntoIterator, R: RandomNumbers<Kind, Set::Item>>(
    random: &R,
    to_move: Side,
    kinds: &[Kind],
    pieces: impl Fn(Side, Kind) -> Set,
) -> R::Word {
    let mut key = if to_move == Side::Second { random.side() } else { R::Word::default() };
    for side in Side::BOTH {
        for &kind in kinds {
            for square in pieces(side, kind) {
                key = key ^ random.piece(side, kind, square);
            }
        }
    }
    key
}

/// A stream of 128-bit random numbers.
pub struct WideNumbers(SplitMix64);

impl WideNumbers {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        WideNumbers(SplitMix64::new(seed))
    }

    /// The next number.
    pub fn draw(&mut self) -> u128 {
        u128::from(self.0.next_u64()) << 64 | u128::from(self.0.next_u64())
    }

    /// The next `N` numbers.
    pub fn draw_all<const N: usize>(&mut self) -> [u128; N] {
        std::array::from_fn(|_| self.draw())
    }
}

/// A 128-bit number for each piece on each square; `SQUARES` is a power of two.
pub struct WidePieces<const KINDS: usize, const SQUARES: usize>([[[u128; SQUARES]; KINDS]; 2]);

impl<const KINDS: usize, const SQUARES: usize> WidePieces<KINDS, SQUARES> {
    /// Draws the numbers of all pieces and squares.
    pub fn draw(numbers: &mut WideNumbers) -> Self {
        const { assert!(SQUARES.is_power_of_two()) };
        WidePieces(std::array::from_fn(|_| std::array::from_fn(|_| numbers.draw_all())))
    }

    /// The number of a piece, by the indices of its kind and square.
    #[inline(always)]
    pub fn of(&self, side: Side, kind: usize, square: usize) -> u128 {
        debug_assert!(square < SQUARES);
        self.0[side.index()][kind][square & (SQUARES - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_are_distinct_and_depend_on_the_seed() {
        let pieces = |seed| WidePieces::<3, 8>::draw(&mut WideNumbers::new(seed));
        let (a, b, c) = (pieces(1), pieces(1), pieces(2));
        assert!(a.0 == b.0 && a.0 != c.0);
        let all: HashSet<u128> = a.0.iter().flatten().flatten().copied().collect();
        assert_eq!(all.len(), 2 * 3 * 8);
        assert_eq!(a.of(Side::Second, 2, 7), a.0[1][2][7]);
    }

    #[test]
    fn the_key_covers_pieces_and_side_to_move() {
        struct Bits;
        impl RandomNumbers<u32, u32> for Bits {
            type Word = u64;
            fn piece(&self, side: Side, kind: u32, square: u32) -> u64 {
                1 << (32 * side.index() as u32 + 8 * kind + square)
            }
            fn side(&self) -> u64 {
                1 << 31
            }
        }
        let pieces = |side, kind| (0..=kind).filter(move |_| side == Side::First || kind == 1);
        assert_eq!(key_of_pieces(&Bits, Side::First, &[0, 1], pieces), 0x0300_0000_0301);
        assert_eq!(key_of_pieces(&Bits, Side::Second, &[0, 1], pieces), 0x0300_8000_0301);
    }
}
