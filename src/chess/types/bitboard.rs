//! `Bitboard`: a set of chess squares in a `u64`, bit 0 = a1.

use super::square::Square;
use crate::game::position::type_macros::bitboard;

bitboard! {
    /// A set of squares, and an [`IntoIterator`] of its members from a1 upwards.
    ///
    /// ```
    /// use tabiya::chess::{Bitboard, Square};
    ///
    /// let file = Bitboard::file(4);
    /// assert!(file.contains(Square::E4) && file.count() == 8 && file.lowest() == Some(Square::E1));
    /// let ends = file & (Bitboard::rank(0) | Bitboard::rank(7));
    /// assert_eq!(ends, [Square::E1, Square::E8].into_iter().collect());
    /// assert_eq!((file - ends).count(), 6);
    ///
    /// // Squares and sets count files and ranks alike; there is nothing beside the board.
    /// assert_eq!(Bitboard::file(Square::E4.file()), file);
    /// assert!(Bitboard::file(-1).is_empty() && Bitboard::file(9).is_empty());
    /// assert_eq!(file.step(1, 0), Bitboard::file(5));
    /// assert_eq!(Bitboard::file(7).step(1, 0), Bitboard::EMPTY);
    ///
    /// let mut corners = Bitboard::EMPTY;
    /// corners.insert(Square::A1);
    /// corners.insert(Square::H8);
    /// corners.remove(Square::A1);
    /// assert_eq!(corners, Bitboard::of(Square::H8));
    /// assert!((!file).count() == 56 && !file.meets(!file) && !Bitboard::ALL.is_empty());
    /// for square in ends {
    ///     println!("{square}");
    /// }
    /// ```
    8 by 8, u64
}

/// The a-file.
pub const FILE_A: Bitboard = Bitboard::file(0);
/// The h-file.
pub const FILE_H: Bitboard = Bitboard::file(7);

impl Bitboard {
    /// The set flipped vertically (a1 becomes a8).
    #[inline(always)]
    pub const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The light squares; b1 and h1 are two of them.
    pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_squares_are_those_whose_coordinates_have_an_odd_sum() {
        for square in Square::all() {
            let light = (square.file() + square.rank()) % 2 == 1;
            assert_eq!(Bitboard::LIGHT.contains(square), light, "{square}");
        }
    }
}
