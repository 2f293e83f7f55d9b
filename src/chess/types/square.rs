//! Squares of the 8×8 board, a1 = 0, b1 = 1 … h8 = 63.

use crate::base::bits::named_squares;
use crate::game::fault::quoted;
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
    /// The square on `file` (0 = a) and `rank` (0 = first), if both are below 8.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Square((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// The square whose index is the low six bits of `index`.
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// For `bit_set!`: the square of a set bit found in a 64-bit word.
    #[inline(always)]
    pub(crate) const fn from_scan(bit: u32) -> Square {
        debug_assert!(bit < 64);
        // A scan of a non-empty word gives 0..=63. The mask adds no latency, and it keeps the type's guarantee
        // whatever the caller does.
        Square((bit & 63) as u8)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::wrapping)
    }

    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> i32 {
        (self.0 & 7) as i32
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> i32 {
        (self.0 >> 3) as i32
    }

    /// The square on the same rank and another file (0 to 7, taken modulo 8).
    #[inline(always)]
    #[must_use]
    pub const fn with_file(self, file: u32) -> Square {
        Square(self.0 & 56 | (file & 7) as u8)
    }

    /// The square on the same file and the rank of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn with_rank_of(self, other: Square) -> Square {
        Square(self.0 & 7 | other.0 & 56)
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn step(self, files: i32, ranks: i32) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
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

    /// The number of king steps to `other`: the larger of the distances in files and ranks.
    #[inline(always)]
    pub fn distance(self, other: Square) -> i32 {
        (self.file() - other.file()).abs().max((self.rank() - other.rank()).abs())
    }

    /// Reads "a1" to "h8".
    pub fn parse(text: &[u8]) -> Option<Square> {
        match text {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Square::at(i32::from(file - b'a'), i32::from(rank - b'1'))
            }
            _ => None,
        }
    }

    /// The two characters of the square's name.
    pub const fn name(self) -> [u8; 2] {
        [b'a' + (self.0 & 7), b'1' + (self.0 >> 3)]
    }
}

named_squares! { b'1':
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
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

    /// Reads `a1` to `h8`.
    ///
    /// ```
    /// use tabiya::chess::Square;
    ///
    /// let e4: Square = "e4".parse()?;
    /// assert_eq!((e4.file(), e4.rank(), e4.to_string().as_str()), (4, 3, "e4"));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Square::parse(text.as_bytes()).ok_or_else(|| {
            let reason = format!("{} is not a square from a1 to h8", quoted(text));
            NotationError::new("square", 0, reason)
        })
    }
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
}
