//! `Bitboard`: a set of squares of the 9×10 board in a `u128`, bit 0 = a0.

use super::square::Square;
use crate::base::text::{grid, read_grid};
use crate::game::NotationError;
use crate::game::Side;
use crate::game::fault::quoted;
use std::fmt;
use std::str::FromStr;

crate::bit_set! {
    /// A set of squares, and an [`IntoIterator`] of its squares from a0 upwards.
    ///
    /// ```
    /// use tabiya::xiangqi::{Bitboard, Side, Square};
    ///
    /// let palace = Bitboard::PALACES & Bitboard::half_of(Side::RED);
    /// assert!(palace.contains(Square::E1) && palace.count() == 9 && palace.lowest() == Some(Square::D0));
    /// assert_eq!((palace & Bitboard::rank(0)).into_iter().collect::<Vec<_>>(), [Square::D0, Square::E0, Square::F0]);
    /// assert_eq!(Bitboard::file(4).to_string().lines().next(), Some(". . . . x . . . ."));
    /// ```
    Bitboard, u128, Square
}

impl Bitboard {
    /// Every square of the board.
    pub const ALL: Bitboard = Bitboard((1 << 90) - 1);
    /// Red's half, up to the river.
    pub const RED_HALF: Bitboard = Bitboard((1 << 45) - 1);
    /// Both palaces.
    pub const PALACES: Bitboard = Bitboard(0o070_070_070 << 63 | 0o070_070_070);

    /// The half of the board where `side` starts.
    pub const fn half_of(side: Side) -> Bitboard {
        match side {
            Side::First => Self::RED_HALF,
            Side::Second => Bitboard(Self::ALL.0 ^ Self::RED_HALF.0),
        }
    }

    /// A file, 0 = a.
    pub const fn file(file: u32) -> Bitboard {
        let mut set = 0;
        let mut rank = 0;
        while rank < 10 {
            set |= 1 << (9 * rank + file);
            rank += 1;
        }
        Bitboard(set)
    }

    /// A rank, 0 = Red's back rank.
    pub const fn rank(rank: u32) -> Bitboard {
        Bitboard(0x1ff << (9 * rank))
    }
}

impl fmt::Display for Bitboard {
    /// Draws the set, Black's back rank first: `x` for a member, `.` for another square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = |file, rank| Square::at(file, rank).is_some_and(|square| self.contains(square));
        f.pad(&grid(9, 10, |file, rank| if holds(file, rank) { 'x' } else { '.' }))
    }
}

impl FromStr for Bitboard {
    type Err = NotationError;

    /// Reads what `Display` writes; blanks and line ends do not matter.
    ///
    /// ```
    /// use tabiya::xiangqi::Bitboard;
    ///
    /// let set = Bitboard::file(0) | Bitboard::rank(0);
    /// assert_eq!(set.to_string().parse(), Ok(set));
    /// assert!("x".parse::<Bitboard>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let cells = read_grid(text, 90).ok_or_else(|| {
            let reason = format!("{} is not a drawing of 90 squares, x or .", quoted(text));
            NotationError::new("set of squares", 0, reason)
        })?;
        let drawn = |square: &Square| {
            let (file, rank) = (square.file() as usize, square.rank() as usize);
            cells[81 - 9 * rank + file]
        };
        Ok(Square::all().filter(drawn).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_hold_the_right_squares() {
        for square in Square::all() {
            let (file, rank) = (square.file(), square.rank());
            let palace = (3..=5).contains(&file) && !(3..=6).contains(&rank);
            assert_eq!(Bitboard::PALACES.contains(square), palace, "{square}");
            assert_eq!(Bitboard::RED_HALF.contains(square), rank < 5);
            assert!(Bitboard::file(file as u32).contains(square));
            assert!(Bitboard::rank(rank as u32).contains(square));
        }
        assert_eq!(Bitboard::PALACES.count(), 18);
        assert_eq!(Bitboard::file(8).count(), 10);
    }
}
