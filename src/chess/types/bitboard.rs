//! `Bitboard`: a set of chess squares in a `u64`, bit 0 = a1.

use super::square::Square;
use crate::base::text::{grid, read_grid};
use crate::game::NotationError;
use crate::game::fault::quoted;
use std::fmt;
use std::str::FromStr;

crate::bit_set! {
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
    /// assert!((!file).count() == 56 && !file.meets(!file) && !Bitboard::ALL.is_empty());
    /// for square in ends {
    ///     println!("{square}");
    /// }
    /// ```
    Bitboard, u64, Square
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

    /// All squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The light squares; b1 and h1 are two of them.
    pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

    /// A file, 0 = a.
    pub const fn file(file: u32) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file)
    }

    /// A rank, 0 = first.
    pub const fn rank(rank: u32) -> Bitboard {
        Bitboard(0xff << (8 * rank))
    }
}

impl fmt::Display for Bitboard {
    /// Draws the set, the eighth rank first: `x` for a member, `.` for another square.
    ///
    /// ```
    /// use tabiya::chess::{Bitboard, Square};
    ///
    /// let set = Bitboard::rank(0) | Square::E4.into();
    /// assert_eq!(set.to_string(), "\
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . x . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// x x x x x x x x");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = |file, rank| Square::at(file, rank).is_some_and(|square| self.contains(square));
        f.pad(&grid(8, 8, |file, rank| if holds(file, rank) { 'x' } else { '.' }))
    }
}

impl FromStr for Bitboard {
    type Err = NotationError;

    /// Reads what `Display` writes; blanks and line ends do not matter.
    ///
    /// ```
    /// use tabiya::chess::Bitboard;
    ///
    /// let set = Bitboard::file(0) | Bitboard::rank(0);
    /// assert_eq!(set.to_string().parse(), Ok(set));
    /// assert!("x".parse::<Bitboard>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let cells = read_grid(text, 64).ok_or_else(|| {
            let reason = format!("{} is not a drawing of 64 squares, x or .", quoted(text));
            NotationError::new("set of squares", 0, reason)
        })?;
        let drawn = |square: &Square| {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            cells[56 - 8 * rank + file]
        };
        Ok(Square::all().filter(drawn).collect())
    }
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
