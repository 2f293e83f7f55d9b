//! Piece kinds, their letters, and the two colours as types for code that is specialised at compile time.

use super::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::game::Side;
use crate::game::position::type_macros::kinds;

kinds! {
    /// A kind of piece, in the order of the bitboards of `Position`.
    "p n b r q k", {}
    /// Moves forward, captures diagonally.
    Pawn b'p' "pawn";
    /// Leaps.
    Knight b'n' "knight";
    /// Slides diagonally.
    Bishop b'b' "bishop";
    /// Slides along files and ranks.
    Rook b'r' "rook";
    /// Slides in all directions.
    Queen b'q' "queen";
    /// Moves one step in any direction; may castle.
    King b'k' "king";
}

/// A colour known at compile time. The move generator and `make` are compiled once for each; the walk and the kernels
/// of perft, which flip the board after every move, for White alone.
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
