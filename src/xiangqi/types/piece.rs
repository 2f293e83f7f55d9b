//! Piece types, their letters, and the two sides as types for code specialised at compile time.

use super::bitboard::Bitboard;
use crate::game::Side;
use crate::game::position::type_macros::kinds;

kinds! {
    /// A piece type, in the order of the bitboards of `Position`.
    "p n b a r c k", {
        b'h' => b'n',
        b'e' => b'b',
    }
    /// One step forward; beyond the river sideways too.
    Soldier b'p' "soldier";
    /// One step straight, then one diagonally outward; the first square must be empty.
    Horse b'n' "horse";
    /// Two steps diagonally on its own half; the square between must be empty.
    Elephant b'b' "elephant";
    /// One step diagonally in the palace.
    Advisor b'a' "advisor";
    /// Slides along files and ranks.
    Chariot b'r' "chariot";
    /// Slides along files and ranks; captures by jumping over exactly one piece.
    Cannon b'c' "cannon";
    /// One step along files and ranks in the palace; may not face the other king on an open file.
    King b'k' "king";
}

impl Kind {
    /// The maximum number of pieces of this type per side.
    pub const fn most(self) -> u32 {
        match self {
            Kind::Soldier => 5,
            Kind::King => 1,
            _ => 2,
        }
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
