//! `Bitboard`: a set of squares of the 9×10 board in a `u128`, bit 0 = a0.

use super::square::Square;
use crate::game::Side;
use crate::game::position::type_macros::bitboard;

bitboard! {
    /// A set of squares, and an [`IntoIterator`] of its squares from a0 upwards.
    ///
    /// ```
    /// use tabiya::xiangqi::{Bitboard, Side, Square};
    ///
    /// let palace = Bitboard::PALACES & Bitboard::half_of(Side::RED);
    /// assert!(palace.contains(Square::E1) && palace.count() == 9 && palace.lowest() == Some(Square::D0));
    /// assert_eq!((palace & Bitboard::rank(0)).into_iter().collect::<Vec<_>>(), [Square::D0, Square::E0, Square::F0]);
    /// assert_eq!((!palace).count(), 81);
    /// assert_eq!(Bitboard::rank(Square::E3.rank()).step(0, 2), Bitboard::rank(5));
    /// assert!(Bitboard::rank(10).is_empty());
    /// assert_eq!(Bitboard::file(4).to_string().lines().next(), Some(". . . . x . . . ."));
    /// ```
    9 by 10, u128
}

impl Bitboard {
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
            assert!(Bitboard::file(file).contains(square));
            assert!(Bitboard::rank(rank).contains(square));
        }
        assert_eq!(Bitboard::PALACES.count(), 18);
        assert_eq!(Bitboard::file(8).count(), 10);
    }
}
