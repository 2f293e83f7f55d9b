//! `Bitboard`: a set of chess squares in a `u64`, bit 0 = a1.

use super::square::Square;
use crate::base::text::grid;

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
    Bitboard, u64, Square
}

impl Bitboard {
    /// All squares of the board.
    pub const ALL: Bitboard = Bitboard(u64::MAX);

    /// The light squares; b1 and h1 are two of them.
    pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

    const A_FILE: u64 = 0x0101_0101_0101_0101;
    const FIRST_RANK: u64 = 0xff;

    /// A file, from 0 for the a-file, as [`Square::file`] counts. No squares if the board has no such file.
    pub const fn file(file: i32) -> Bitboard {
        if file >= 0 && file < 8 { Bitboard(Self::A_FILE << file) } else { Bitboard::EMPTY }
    }

    /// A rank, from 0 for the first side's back rank, as [`Square::rank`] counts. No squares if the board has no such
    /// rank.
    pub const fn rank(rank: i32) -> Bitboard {
        if rank >= 0 && rank < 8 { Bitboard(Self::FIRST_RANK << (8 * rank)) } else { Bitboard::EMPTY }
    }

    /// The set moved `files` to the right and `ranks` up: each square that [`Square::step`] finds from one of the set.
    /// What would leave the board is dropped.
    #[doc(alias = "shift")]
    #[inline]
    #[must_use]
    pub const fn step(self, files: i32, ranks: i32) -> Bitboard {
        if files.unsigned_abs() >= 8 || ranks.unsigned_abs() >= 8 {
            return Bitboard::EMPTY;
        }
        const RANK: u64 = Bitboard::FIRST_RANK;
        // The squares of the first rank that stay on it.
        let stay = RANK & if files > 0 { RANK >> files } else { RANK << -files };
        let stay = self.0 & (stay * Self::A_FILE);
        let distance = 8 * ranks + files;
        let moved = if distance > 0 { stay << distance } else { stay >> -distance };
        Bitboard(moved & Self::ALL.0)
    }

    /// The set flipped vertically (a1 becomes a8).
    #[inline(always)]
    pub const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }
}

impl std::ops::Not for Bitboard {
    type Output = Self;
    /// The squares of the board that the set does not have.
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl std::fmt::Display for Bitboard {
    /// Draws the set, the last rank first: `x` for a member, `.` for another square.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let holds = |file, rank| Square::at(file, rank).is_some_and(|square| self.contains(square));
        f.pad(&grid(8, 8, |file, rank| if holds(file, rank) { 'x' } else { '.' }))
    }
}

/// The a-file.
pub const FILE_A: Bitboard = Bitboard::file(0);
/// The h-file.
pub const FILE_H: Bitboard = Bitboard::file(7);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    #[test]
    fn light_squares_are_those_whose_coordinates_have_an_odd_sum() {
        for square in Square::all() {
            let light = (square.file() + square.rank()) % 2 == 1;
            assert_eq!(Bitboard::LIGHT.contains(square), light, "{square}");
        }
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
