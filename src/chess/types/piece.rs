//! Piece kinds, their letters, and the two colours as types for code that is specialised at compile time.

use super::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::game::{NotationError, Side};
use std::fmt;
use std::str::FromStr;

/// A kind of piece, in the order of the bitboards of `Position`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Moves forward, captures diagonally.
    Pawn,
    /// Leaps.
    Knight,
    /// Slides diagonally.
    Bishop,
    /// Slides along files and ranks.
    Rook,
    /// Slides in all directions.
    Queen,
    /// Moves one step in any direction; may castle.
    King,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 6] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The place in `ALL`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter, lower case.
    pub const fn letter(self) -> u8 {
        match self {
            Kind::Pawn => b'p',
            Kind::Knight => b'n',
            Kind::Bishop => b'b',
            Kind::Rook => b'r',
            Kind::Queen => b'q',
            Kind::King => b'k',
        }
    }

    /// The English name.
    const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Knight => "knight",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::Queen => "queen",
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
            b'p' => Kind::Pawn,
            b'n' => Kind::Knight,
            b'b' => Kind::Bishop,
            b'r' => Kind::Rook,
            b'q' => Kind::Queen,
            b'k' => Kind::King,
            _ => return None,
        };
        Some((if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, kind))
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
        named.ok_or_else(|| NotationError::of("piece", text, "is not a piece; expected p n b r q k or a name"))
    }
}

/// A colour known at compile time. The move generator and `make` are compiled once for each; the walk and the
/// formula of perft, which flip the board after every move, for White alone.
pub trait Us: Copy {
    /// The opponent.
    type Them: Us<Them = Self>;
    /// The side of this colour.
    const SIDE: Side;
    /// The rank on which the king and rooks of this side start.
    const BACK_RANK: Bitboard;
    /// The rank from which a pawn promotes with its next step.
    const SEVENTH_RANK: Bitboard;
    /// The rank on which pawns promote.
    const LAST_RANK: Bitboard;
    /// The rank that a pawn reaches with its first single step.
    const THIRD_RANK: Bitboard;
    /// What one step forward adds to the square index.
    const FORWARD: i32;
    /// The set shifted one rank forward. Members on the last rank are dropped.
    fn forward(set: Bitboard) -> Bitboard;

    /// Squares attacked towards the a-file by pawns on `set`.
    #[inline(always)]
    fn pawn_attacks_west(set: Bitboard) -> Bitboard {
        Bitboard(Self::forward(set & !FILE_A).0 >> 1)
    }
    /// Squares attacked towards the h-file by pawns on `set`.
    #[inline(always)]
    fn pawn_attacks_east(set: Bitboard) -> Bitboard {
        Bitboard(Self::forward(set & !FILE_H).0 << 1)
    }
    /// Squares attacked by pawns on `set`.
    #[inline(always)]
    fn pawn_attacks(set: Bitboard) -> Bitboard {
        Self::pawn_attacks_west(set) | Self::pawn_attacks_east(set)
    }
}

/// White, as a type.
#[derive(Clone, Copy)]
pub struct White;
/// Black, as a type.
#[derive(Clone, Copy)]
pub struct Black;

impl Us for White {
    type Them = Black;
    const SIDE: Side = Side::First;
    const BACK_RANK: Bitboard = Bitboard::rank(0);
    const SEVENTH_RANK: Bitboard = Bitboard::rank(6);
    const LAST_RANK: Bitboard = Bitboard::rank(7);
    const THIRD_RANK: Bitboard = Bitboard::rank(2);
    const FORWARD: i32 = 8;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 << 8)
    }
}

impl Us for Black {
    type Them = White;
    const SIDE: Side = Side::Second;
    const BACK_RANK: Bitboard = Bitboard::rank(7);
    const SEVENTH_RANK: Bitboard = Bitboard::rank(1);
    const LAST_RANK: Bitboard = Bitboard::rank(0);
    const THIRD_RANK: Bitboard = Bitboard::rank(5);
    const FORWARD: i32 = -8;
    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 >> 8)
    }
}
