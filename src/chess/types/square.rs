//! Squares of the 8×8 board, a1 = 0, b1 = 1 … h8 = 63.

use crate::game::{NotationError, Side};
use std::fmt;
use std::str::FromStr;

/// A square; a1 by default. The index is always below 64: tables are indexed with it unchecked.
///
/// ```
/// use tabiya::chess::Square;
///
/// assert_eq!("e4".parse(), Ok(Square::E4));
/// assert_eq!(Square::at(4, 3), Some(Square::E4));
/// assert_eq!(Square::E4.step(1, 2), Some(Square::F6));
/// assert_eq!(Square::H1.step(1, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square on `file` (0 = a) and `rank` (0 = the first side's back rank), if it is on the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 { Some(Square((rank * 8 + file) as u8)) } else { None }
    }

    /// The square with this [`index`](Self::index), or `None` if it is 64 or more.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// The square whose index is the lowest 6 bits of `index`.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// All squares, in order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::wrapping)
    }

    /// The file, from 0 for the a-file.
    #[inline(always)]
    pub const fn file(self) -> i32 {
        (self.0 % 8) as i32
    }

    /// The rank, from 0 for the first side's back rank.
    #[inline(always)]
    pub const fn rank(self) -> i32 {
        (self.0 / 8) as i32
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn step(self, files: i32, ranks: i32) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
    }

    /// The larger of the distances to `other` in files and ranks.
    #[inline(always)]
    pub fn distance(self, other: Square) -> i32 {
        (self.file() - other.file()).abs().max((self.rank() - other.rank()).abs())
    }

    /// The square on the same rank and another file (0 to 7, taken modulo 8).
    #[inline(always)]
    #[must_use]
    pub const fn with_file(self, file: i32) -> Square {
        Square(self.0 & 56 | (file & 7) as u8)
    }

    /// The square on the same file and the rank of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn with_rank_of(self, other: Square) -> Square {
        Square(self.0 & 7 | other.0 & 56)
    }

    /// The square as `side` sees it when it looks at the board from its own first rank: flipped vertically for Black.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, side: Side) -> Square {
        match side {
            Side::First => self,
            Side::Second => Square(self.0 ^ 56),
        }
    }

    /// Reads a name.
    pub fn parse(text: &[u8]) -> Option<Square> {
        let [file, rank] = *text else { return None };
        Square::at(i32::from(file) - i32::from(b'a'), i32::from(rank) - i32::from(b'1'))
    }

    /// The two characters of its name.
    pub const fn name(self) -> [u8; 2] {
        [b'a' + self.file() as u8, b'1' + self.rank() as u8]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&self.name()).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = NotationError;

    /// Reads a name.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Square::parse(text.as_bytes()).ok_or_else(|| NotationError::of("square", text, "is not a square from a1 to h8"))
    }
}

/// The squares by name.
#[allow(missing_docs)]
impl Square {
    pub const A1: Square = Square(0);
    pub const B1: Square = Square(1);
    pub const C1: Square = Square(2);
    pub const D1: Square = Square(3);
    pub const E1: Square = Square(4);
    pub const F1: Square = Square(5);
    pub const G1: Square = Square(6);
    pub const H1: Square = Square(7);
    pub const A2: Square = Square(8);
    pub const B2: Square = Square(9);
    pub const C2: Square = Square(10);
    pub const D2: Square = Square(11);
    pub const E2: Square = Square(12);
    pub const F2: Square = Square(13);
    pub const G2: Square = Square(14);
    pub const H2: Square = Square(15);
    pub const A3: Square = Square(16);
    pub const B3: Square = Square(17);
    pub const C3: Square = Square(18);
    pub const D3: Square = Square(19);
    pub const E3: Square = Square(20);
    pub const F3: Square = Square(21);
    pub const G3: Square = Square(22);
    pub const H3: Square = Square(23);
    pub const A4: Square = Square(24);
    pub const B4: Square = Square(25);
    pub const C4: Square = Square(26);
    pub const D4: Square = Square(27);
    pub const E4: Square = Square(28);
    pub const F4: Square = Square(29);
    pub const G4: Square = Square(30);
    pub const H4: Square = Square(31);
    pub const A5: Square = Square(32);
    pub const B5: Square = Square(33);
    pub const C5: Square = Square(34);
    pub const D5: Square = Square(35);
    pub const E5: Square = Square(36);
    pub const F5: Square = Square(37);
    pub const G5: Square = Square(38);
    pub const H5: Square = Square(39);
    pub const A6: Square = Square(40);
    pub const B6: Square = Square(41);
    pub const C6: Square = Square(42);
    pub const D6: Square = Square(43);
    pub const E6: Square = Square(44);
    pub const F6: Square = Square(45);
    pub const G6: Square = Square(46);
    pub const H6: Square = Square(47);
    pub const A7: Square = Square(48);
    pub const B7: Square = Square(49);
    pub const C7: Square = Square(50);
    pub const D7: Square = Square(51);
    pub const E7: Square = Square(52);
    pub const F7: Square = Square(53);
    pub const G7: Square = Square(54);
    pub const H7: Square = Square(55);
    pub const A8: Square = Square(56);
    pub const B8: Square = Square(57);
    pub const C8: Square = Square(58);
    pub const D8: Square = Square(59);
    pub const E8: Square = Square(60);
    pub const F8: Square = Square(61);
    pub const G8: Square = Square(62);
    pub const H8: Square = Square(63);
}

#[cfg(test)]
mod tests {
    use crate::chess::Square;

    #[test]
    fn names_round_trip_and_bad_ones_are_rejected() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.name()), Some(square));
        }
        for bad in ["", "a", "a0", "a9", "i1", "A1", "a1 ", "é"] {
            assert_eq!(Square::parse(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn steps_stop_at_the_edge() {
        let h8 = Square::parse(b"h8").unwrap();
        assert_eq!(h8.step(-7, -7), Square::parse(b"a1"));
        assert_eq!(h8.step(1, 0), None);
        assert_eq!(h8.step(0, 1), None);
    }

    #[test]
    fn squares_have_their_indices() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!((Square::from_index(index), square.index()), (Some(square), index));
        }
        let beyond = Square::all().count();
        assert_eq!([beyond, 255, 256, usize::MAX].map(Square::from_index), [None; 4]);
    }
}
