//! Piece types, their letters, and the two sides as types for code specialised at compile time.

use super::bitboard::Bitboard;
use crate::game::{NotationError, Side};
use std::fmt;
use std::str::FromStr;

/// A piece type, in the order of the bitboards of `Position`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// One step forward; beyond the river sideways too.
    Soldier,
    /// One step straight, then one diagonally outward; the first square must be empty.
    Horse,
    /// Two steps diagonally on its own half; the square between must be empty.
    Elephant,
    /// One step diagonally in the palace.
    Advisor,
    /// Slides along files and ranks.
    Chariot,
    /// Slides along files and ranks; captures by jumping over exactly one piece.
    Cannon,
    /// One step along files and ranks in the palace; may not face the other king on an open file.
    King,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 7] =
        [Kind::Soldier, Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::Chariot, Kind::Cannon, Kind::King];

    /// The place in `ALL`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter, lower case.
    pub const fn letter(self) -> u8 {
        match self {
            Kind::Soldier => b'p',
            Kind::Horse => b'n',
            Kind::Elephant => b'b',
            Kind::Advisor => b'a',
            Kind::Chariot => b'r',
            Kind::Cannon => b'c',
            Kind::King => b'k',
        }
    }

    /// The English name.
    const fn name(self) -> &'static str {
        match self {
            Kind::Soldier => "soldier",
            Kind::Horse => "horse",
            Kind::Elephant => "elephant",
            Kind::Advisor => "advisor",
            Kind::Chariot => "chariot",
            Kind::Cannon => "cannon",
            Kind::King => "king",
        }
    }

    /// The FEN letter: upper case for the first side.
    pub const fn fen_letter(self, side: Side) -> u8 {
        match side {
            Side::First => self.letter().to_ascii_uppercase(),
            Side::Second => self.letter(),
        }
    }

    /// Reads a FEN letter.
    pub fn from_fen_letter(letter: u8) -> Option<(Side, Kind)> {
        let kind = match letter.to_ascii_lowercase() {
            b'p' => Kind::Soldier,
            b'h' | b'n' => Kind::Horse,
            b'e' | b'b' => Kind::Elephant,
            b'a' => Kind::Advisor,
            b'r' => Kind::Chariot,
            b'c' => Kind::Cannon,
            b'k' => Kind::King,
            _ => return None,
        };
        Some((if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, kind))
    }

    /// The maximum number of pieces of this type per side.
    pub const fn most(self) -> u32 {
        match self {
            Kind::Soldier => 5,
            Kind::King => 1,
            _ => 2,
        }
    }
}

impl fmt::Display for Kind {
    /// Writes the English name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = NotationError;

    /// Reads a name or a letter, in any case.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let lower = text.to_ascii_lowercase();
        let named = Kind::ALL.into_iter().find(|kind| lower == kind.name() || lower.as_bytes() == [kind.letter()]);
        named.ok_or_else(|| NotationError::of("piece", text, "is not a piece; expected p n b a r c k or a name"))
    }
}

/// A side known at compile time: the generator, `make` and the perft walk are compiled once for each.
pub trait Us: Copy {
    /// The opponent.
    type Them: Us<Them = Self>;
    /// Which side this is.
    const SIDE: Side;
    /// The ranks on this side of the river.
    const HOME: Bitboard;
    /// Shifts a set one rank forward; squares on the last rank are dropped.
    fn forward(set: Bitboard) -> Bitboard;
}

/// Red, as a type.
#[derive(Clone, Copy)]
pub struct Red;
/// Black, as a type.
#[derive(Clone, Copy)]
pub struct Black;

impl Us for Red {
    type Them = Black;
    const SIDE: Side = Side::First;
    const HOME: Bitboard = Bitboard::half_of(Side::First);
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 << 9 & Bitboard::ALL.0)
    }
}

impl Us for Black {
    type Them = Red;
    const SIDE: Side = Side::Second;
    const HOME: Bitboard = Bitboard::half_of(Side::Second);
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 >> 9)
    }
}
