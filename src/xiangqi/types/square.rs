//! Points of the 9×10 board, called squares as in chess: a0 = 0, b0 = 1 … i0 = 8, a1 = 9 … i9 = 89.

use crate::game::NotationError;
use std::fmt;
use std::str::FromStr;

/// A square. Its index is always below 128, and tables by square have 128 rows, so no lookup can be out of bounds.
/// Indices from 90 on are not on the board; no piece is ever there.
///
/// ```
/// use tabiya::xiangqi::Square;
///
/// assert_eq!("e0".parse(), Ok(Square::E0));
/// assert_eq!(Square::at(4, 9), Some(Square::E9));
/// assert_eq!(Square::E0.step(1, 2), Some(Square::F2));
/// assert_eq!(Square::I0.step(1, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// 0 to 89; up to 127 if unpacked from an invalid packed move.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// The square on `file` (0 = a) and `rank` (0 = the first side's back rank), if it is on the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 { Some(Square((rank * 9 + file) as u8)) } else { None }
    }

    /// The square with this [`index`](Self::index), or `None` if it is 90 or more.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 90 { Some(Square(index as u8)) } else { None }
    }

    /// The square whose index is the lowest 7 bits of `index`.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Square {
        Square((index & 127) as u8)
    }

    /// All squares, in order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..90).map(Square::wrapping)
    }

    /// The file, from 0 for the a-file.
    #[inline(always)]
    pub const fn file(self) -> i32 {
        (self.0 % 9) as i32
    }

    /// The rank, from 0 for the first side's back rank.
    #[inline(always)]
    pub const fn rank(self) -> i32 {
        (self.0 / 9) as i32
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn step(self, files: i32, ranks: i32) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
    }

    /// Reads the square at the start of a text, with ranks numbered from `first_rank`; also returns the rest.
    pub(in crate::xiangqi) fn read(text: &[u8], first_rank: u8) -> Option<(Square, &[u8])> {
        let (file, rank, rest) = match text {
            [file @ b'a'..=b'i', b'1', b'0', rest @ ..] => (file, 10, rest),
            [file @ b'a'..=b'i', rank @ b'0'..=b'9', rest @ ..] => (file, rank - b'0', rest),
            _ => return None,
        };
        let square = Square::at(i32::from(file - b'a'), i32::from(rank) - i32::from(first_rank))?;
        Some((square, rest))
    }

    /// Reads a name.
    pub fn parse(text: &[u8]) -> Option<Square> {
        let [file, rank] = *text else { return None };
        Square::at(i32::from(file) - i32::from(b'a'), i32::from(rank) - i32::from(b'0'))
    }

    /// The two characters of its name.
    pub const fn name(self) -> [u8; 2] {
        [b'a' + self.file() as u8, b'0' + self.rank() as u8]
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
        Square::parse(text.as_bytes()).ok_or_else(|| NotationError::of("square", text, "is not a square from a0 to i9"))
    }
}

/// The squares by name.
#[allow(missing_docs)]
impl Square {
    pub const A0: Square = Square(0);
    pub const B0: Square = Square(1);
    pub const C0: Square = Square(2);
    pub const D0: Square = Square(3);
    pub const E0: Square = Square(4);
    pub const F0: Square = Square(5);
    pub const G0: Square = Square(6);
    pub const H0: Square = Square(7);
    pub const I0: Square = Square(8);
    pub const A1: Square = Square(9);
    pub const B1: Square = Square(10);
    pub const C1: Square = Square(11);
    pub const D1: Square = Square(12);
    pub const E1: Square = Square(13);
    pub const F1: Square = Square(14);
    pub const G1: Square = Square(15);
    pub const H1: Square = Square(16);
    pub const I1: Square = Square(17);
    pub const A2: Square = Square(18);
    pub const B2: Square = Square(19);
    pub const C2: Square = Square(20);
    pub const D2: Square = Square(21);
    pub const E2: Square = Square(22);
    pub const F2: Square = Square(23);
    pub const G2: Square = Square(24);
    pub const H2: Square = Square(25);
    pub const I2: Square = Square(26);
    pub const A3: Square = Square(27);
    pub const B3: Square = Square(28);
    pub const C3: Square = Square(29);
    pub const D3: Square = Square(30);
    pub const E3: Square = Square(31);
    pub const F3: Square = Square(32);
    pub const G3: Square = Square(33);
    pub const H3: Square = Square(34);
    pub const I3: Square = Square(35);
    pub const A4: Square = Square(36);
    pub const B4: Square = Square(37);
    pub const C4: Square = Square(38);
    pub const D4: Square = Square(39);
    pub const E4: Square = Square(40);
    pub const F4: Square = Square(41);
    pub const G4: Square = Square(42);
    pub const H4: Square = Square(43);
    pub const I4: Square = Square(44);
    pub const A5: Square = Square(45);
    pub const B5: Square = Square(46);
    pub const C5: Square = Square(47);
    pub const D5: Square = Square(48);
    pub const E5: Square = Square(49);
    pub const F5: Square = Square(50);
    pub const G5: Square = Square(51);
    pub const H5: Square = Square(52);
    pub const I5: Square = Square(53);
    pub const A6: Square = Square(54);
    pub const B6: Square = Square(55);
    pub const C6: Square = Square(56);
    pub const D6: Square = Square(57);
    pub const E6: Square = Square(58);
    pub const F6: Square = Square(59);
    pub const G6: Square = Square(60);
    pub const H6: Square = Square(61);
    pub const I6: Square = Square(62);
    pub const A7: Square = Square(63);
    pub const B7: Square = Square(64);
    pub const C7: Square = Square(65);
    pub const D7: Square = Square(66);
    pub const E7: Square = Square(67);
    pub const F7: Square = Square(68);
    pub const G7: Square = Square(69);
    pub const H7: Square = Square(70);
    pub const I7: Square = Square(71);
    pub const A8: Square = Square(72);
    pub const B8: Square = Square(73);
    pub const C8: Square = Square(74);
    pub const D8: Square = Square(75);
    pub const E8: Square = Square(76);
    pub const F8: Square = Square(77);
    pub const G8: Square = Square(78);
    pub const H8: Square = Square(79);
    pub const I8: Square = Square(80);
    pub const A9: Square = Square(81);
    pub const B9: Square = Square(82);
    pub const C9: Square = Square(83);
    pub const D9: Square = Square(84);
    pub const E9: Square = Square(85);
    pub const F9: Square = Square(86);
    pub const G9: Square = Square(87);
    pub const H9: Square = Square(88);
    pub const I9: Square = Square(89);
}

#[cfg(test)]
mod tests {
    use crate::xiangqi::Square;

    #[test]
    fn names_round_trip_and_bad_names_are_refused() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.name()), Some(square));
        }
        for bad in ["", "a", "a10", "j0", "A1", "a1 ", "é", "a:"] {
            assert_eq!(Square::parse(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn files_and_ranks_of_every_index() {
        for index in 0..128 {
            let square = Square::wrapping(index);
            assert_eq!((square.file(), square.rank()), ((index % 9) as i32, (index / 9) as i32));
        }
    }

    #[test]
    fn steps_stop_at_the_edge() {
        let i9 = Square::parse(b"i9").unwrap();
        assert_eq!(i9.step(-8, -9), Square::parse(b"a0"));
        assert_eq!(i9.step(1, 0), None);
        assert_eq!(i9.step(0, 1), None);
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
