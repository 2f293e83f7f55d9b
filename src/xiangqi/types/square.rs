//! Points of the 9×10 board, called squares as in chess: a0 = 0, b0 = 1 … i0 = 8, a1 = 9 … i9 = 89.

use crate::base::bits::named_squares;
use crate::game::NotationError;
use crate::game::fault::quoted;
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square of `file` (0 = a) and `rank` (0 = Red's back rank), if it is on the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
            Some(Square((rank * 9 + file) as u8))
        } else {
            None
        }
    }

    /// The square whose index is the low seven bits of `index`.
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Square {
        Square((index & 127) as u8)
    }

    /// For `bit_set!`: the square of a set bit of a 128-bit word.
    #[inline(always)]
    pub(crate) const fn from_scan(bit: u32) -> Square {
        Square((bit & 127) as u8)
    }

    /// All squares from a0 to i9.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..90).map(Square::wrapping)
    }

    /// 0 to 89; up to 127 if unpacked from an invalid packed move.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// 0 for the a-file to 8 for the i-file.
    #[inline(always)]
    pub const fn file(self) -> i32 {
        self.0 as i32 - 9 * self.rank()
    }

    /// 0 for Red's back rank to 9 for Black's.
    #[inline(always)]
    pub const fn rank(self) -> i32 {
        // Division by nine; exact for all 128 values.
        (self.0 as i32 * 57) >> 9
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn step(self, files: i32, ranks: i32) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
    }

    /// The longer of the distances to `other` in files and ranks.
    #[inline(always)]
    pub fn distance(self, other: Square) -> i32 {
        (self.file() - other.file()).abs().max((self.rank() - other.rank()).abs())
    }

    /// Reads "a0" to "i9".
    pub fn parse(text: &[u8]) -> Option<Square> {
        match text {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Square::at(i32::from(file - b'a'), i32::from(rank - b'0'))
            }
            _ => None,
        }
    }

    /// The two characters of the square's name.
    pub const fn name(self) -> [u8; 2] {
        [b'a' + self.file() as u8, b'0' + self.rank() as u8]
    }
}

named_squares! { b'0':
    A0 B0 C0 D0 E0 F0 G0 H0 I0
    A1 B1 C1 D1 E1 F1 G1 H1 I1
    A2 B2 C2 D2 E2 F2 G2 H2 I2
    A3 B3 C3 D3 E3 F3 G3 H3 I3
    A4 B4 C4 D4 E4 F4 G4 H4 I4
    A5 B5 C5 D5 E5 F5 G5 H5 I5
    A6 B6 C6 D6 E6 F6 G6 H6 I6
    A7 B7 C7 D7 E7 F7 G7 H7 I7
    A8 B8 C8 D8 E8 F8 G8 H8 I8
    A9 B9 C9 D9 E9 F9 G9 H9 I9
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

    /// Reads `a0` to `i9`.
    ///
    /// ```
    /// use tabiya::xiangqi::Square;
    ///
    /// let e0: Square = "e0".parse()?;
    /// assert_eq!((e0.file(), e0.rank(), e0.to_string().as_str()), (4, 0, "e0"));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Square::parse(text.as_bytes()).ok_or_else(|| {
            let reason = format!("{} is not a point from a0 to i9", quoted(text));
            NotationError::new("square", 0, reason)
        })
    }
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
}
