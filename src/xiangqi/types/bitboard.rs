//! `Bitboard`: a set of squares of the 9×10 board in a `u128`, bit 0 = a0.

use super::square::Square;
use crate::base::text::grid;
use crate::game::Side;

crate::bit_set! {
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
    Bitboard, u128, Square
}

impl Bitboard {
    /// All squares of the board.
    pub const ALL: Bitboard = Bitboard((1 << 90) - 1);
    /// Red's half, up to the river.
    pub const RED_HALF: Bitboard = Bitboard((1 << 45) - 1);
    /// Both palaces.
    pub const PALACES: Bitboard = Bitboard(0o070_070_070 << 63 | 0o070_070_070);

    const A_FILE: u128 = Self::ALL.0 / Self::FIRST_RANK;
    const FIRST_RANK: u128 = 0x1ff;

    /// A file, from 0 for the a-file, as [`Square::file`] counts. No squares if the board has no such file.
    pub const fn file(file: i32) -> Bitboard {
        if file >= 0 && file < 9 { Bitboard(Self::A_FILE << file) } else { Bitboard::EMPTY }
    }

    /// A rank, from 0 for the first side's back rank, as [`Square::rank`] counts. No squares if the board has no such
    /// rank.
    pub const fn rank(rank: i32) -> Bitboard {
        if rank >= 0 && rank < 10 { Bitboard(Self::FIRST_RANK << (9 * rank)) } else { Bitboard::EMPTY }
    }

    /// The set moved `files` to the right and `ranks` up: each square that [`Square::step`] finds from one of the set.
    /// What would leave the board is dropped.
    #[doc(alias = "shift")]
    #[inline]
    #[must_use]
    pub const fn step(self, files: i32, ranks: i32) -> Bitboard {
        if files.unsigned_abs() >= 9 || ranks.unsigned_abs() >= 10 {
            return Bitboard::EMPTY;
        }
        const RANK: u128 = Bitboard::FIRST_RANK;
        // The squares of the first rank that stay on it.
        let stay = RANK & if files > 0 { RANK >> files } else { RANK << -files };
        let stay = self.0 & (stay * Self::A_FILE);
        let distance = 9 * ranks + files;
        let moved = if distance > 0 { stay << distance } else { stay >> -distance };
        Bitboard(moved & Self::ALL.0)
    }

    /// The half of the board where `side` starts.
    pub const fn half_of(side: Side) -> Bitboard {
        match side {
            Side::First => Self::RED_HALF,
            Side::Second => Bitboard(Self::ALL.0 ^ Self::RED_HALF.0),
        }
    }
}

impl std::ops::Not for Bitboard {
    type Output = Self;
    /// The squares of the board that the set does not have.
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0 ^ Self::ALL.0)
    }
}

impl std::fmt::Display for Bitboard {
    /// Draws the set, the last rank first: `x` for a member, `.` for another square.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let holds = |file, rank| Square::at(file, rank).is_some_and(|square| self.contains(square));
        f.pad(&grid(9, 10, |file, rank| if holds(file, rank) { 'x' } else { '.' }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

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

    #[test]
    fn sets_have_the_squares_of_their_members() {
        let mut rng = SplitMix64::new(17);
        for _ in 0..200 {
            let members: Vec<Square> = Square::all().filter(|_| rng.below(3) == 0).collect();
            let set: Bitboard = members.iter().copied().collect();
            let others: Vec<Square> = Square::all().filter(|square| !members.contains(square)).collect();
            assert_eq!((!set).into_iter().collect::<Vec<_>>(), others);
            let (files, ranks) = (rng.below(23) as i32 - 11, rng.below(23) as i32 - 11);
            let moved: Bitboard = members.iter().filter_map(|square| square.step(files, ranks)).collect();
            assert_eq!(set.step(files, ranks), moved, "{set}\n{files} {ranks}");
            let mut changed = set;
            for &square in others.iter() {
                changed.insert(square);
            }
            assert_eq!(changed, Bitboard::ALL);
            for &square in others.iter() {
                changed.remove(square);
            }
            assert_eq!(changed, set);
            assert_eq!(Bitboard::ALL - set, !set);
        }
    }

    #[test]
    fn files_and_ranks_beyond_the_board_are_empty() {
        for number in [i32::MIN, -64, -11, -1, 0, 1, 7, 8, 9, 10, 31, 63, 64, 128, i32::MAX] {
            let file: Bitboard = Square::all().filter(|square| square.file() == number).collect();
            let rank: Bitboard = Square::all().filter(|square| square.rank() == number).collect();
            assert_eq!((Bitboard::file(number), Bitboard::rank(number)), (file, rank));
            let [right, up] = [Bitboard::ALL.step(number, 0), Bitboard::ALL.step(0, number)];
            assert_eq!(right.is_empty(), number.unsigned_abs() >= Bitboard::rank(0).count());
            assert_eq!(up.is_empty(), number.unsigned_abs() >= Bitboard::file(0).count());
        }
    }
}
