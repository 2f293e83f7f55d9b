//! The two sides. `First` is White in chess and Red in xiangqi.

use crate::game::text::fault::NotationError;
use std::fmt;
use std::str::FromStr;

/// A side. The first side moves first.
///
/// ```
/// use tabiya::game::Side;
///
/// assert_eq!(!Side::WHITE, Side::BLACK);
/// assert_eq!(Side::RED, Side::First);
/// ```
#[doc(alias = "Color")]
#[doc(alias = "Colour")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// White in chess, Red in xiangqi.
    First,
    /// Black.
    Second,
}

impl Side {
    /// White, the first side of chess.
    pub const WHITE: Side = Side::First;
    /// Red, the first side of xiangqi.
    pub const RED: Side = Side::First;
    /// Black, the second side of both games.
    pub const BLACK: Side = Side::Second;

    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 or 1, for arrays of two.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline(always)]
    #[must_use]
    pub const fn flip(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The ranks of one step towards the opponent.
    pub(crate) const fn forward(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }
}

impl std::ops::Not for Side {
    type Output = Side;
    /// The other side.
    #[inline(always)]
    fn not(self) -> Side {
        self.flip()
    }
}

impl fmt::Display for Side {
    /// Writes FEN's letter: `w` for White and Red, `b` for Black.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::First => "w",
            Side::Second => "b",
        })
    }
}

impl FromStr for Side {
    type Err = NotationError;

    /// Reads FEN's letter or a colour: `w`, `white`, `red`, `b`, `black`.
    ///
    /// ```
    /// use tabiya::game::Side;
    ///
    /// assert_eq!("white".parse::<Side>()?, Side::WHITE);
    /// assert_eq!(Side::BLACK.to_string(), "b");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text {
            "w" | "white" | "red" => Ok(Side::First),
            "b" | "black" => Ok(Side::Second),
            _ => Err(NotationError::of("side", text, "is not a side; expected w or b")),
        }
    }
}
