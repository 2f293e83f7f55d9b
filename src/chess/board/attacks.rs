//! Attacks by piece and occupancy, and the attackers of a square.
//!
//! Nothing here depends on the side to move.

use super::Board;
use super::tables;
use crate::chess::types::{Bitboard, Black, Kind, Square, Us, White};
use crate::game::Side;

/// Squares attacked by any piece of `U`, given the occupied squares. The caller removes the enemy king from
/// `occupied`, so that it does not shield the squares behind it.
#[inline(always)]
pub(in crate::chess) fn attacked_by<U: Us>(board: &Board, occupied: Bitboard) -> Bitboard {
    let own = board.side_set(U::SIDE);
    let queens = board.kind_set(Kind::Queen);
    let mut set = U::pawn_attacks(board.kind_set(Kind::Pawn) & own);
    set |= tables::king(board.king(U::SIDE));
    for square in board.kind_set(Kind::Knight) & own {
        set |= tables::knight(square);
    }
    for square in (board.kind_set(Kind::Bishop) | queens) & own {
        set |= tables::bishop(square, occupied);
    }
    for square in (board.kind_set(Kind::Rook) | queens) & own {
        set |= tables::rook(square, occupied);
    }
    set
}

/// Pieces of either side that attack `square`, given the occupied squares.
#[inline(always)]
pub(in crate::chess) fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let queens = board.kind_set(Kind::Queen);
    let pawns = tables::pawn(Side::Second, square) & board.side_set(Side::First)
        | tables::pawn(Side::First, square) & board.side_set(Side::Second);
    pawns & board.kind_set(Kind::Pawn)
        | tables::knight(square) & board.kind_set(Kind::Knight)
        | tables::king(square) & board.kind_set(Kind::King)
        | tables::bishop(square, occupied) & (board.kind_set(Kind::Bishop) | queens)
        | tables::rook(square, occupied) & (board.kind_set(Kind::Rook) | queens)
}

/// Squares attacked by a piece of `side` and `kind` on `square`, given the occupied squares. Squares of own pieces
/// are included (those pieces are defended).
///
/// ```
/// use tabiya::chess::{Bitboard, Kind, Side, Square, attacks};
///
/// let occupied: Bitboard = [Square::E6, Square::B4, Square::E1].into_iter().collect();
/// assert_eq!(attacks(Side::WHITE, Kind::Rook, Square::E4, occupied).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . x . . .
/// . . . . x . . .
/// . x x x . x x x
/// . . . . x . . .
/// . . . . x . . .
/// . . . . x . . .");
/// assert_eq!(attacks(Side::WHITE, Kind::Knight, Square::E4, occupied).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . x . x . .
/// . . x . . . x .
/// . . . . . . . .
/// . . x . . . x .
/// . . . x . x . .
/// . . . . . . . .");
/// ```
#[inline]
#[must_use]
pub fn attacks(side: Side, kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => tables::pawn(side, square),
        Kind::Knight => tables::knight(square),
        Kind::King => tables::king(square),
        Kind::Bishop => tables::bishop(square, occupied),
        Kind::Rook => tables::rook(square, occupied),
        Kind::Queen => tables::bishop(square, occupied) | tables::rook(square, occupied),
    }
}

impl Bitboard {
    /// The squares that pawns of `side` on the squares of the set attack.
    ///
    /// ```
    /// use tabiya::chess::{Bitboard, Kind, Position, Side};
    ///
    /// let pawns = Position::default().pieces(Side::WHITE, Kind::Pawn);
    /// assert_eq!(pawns.pawn_attacks(Side::WHITE), Bitboard::rank(2));
    /// ```
    #[inline]
    #[must_use]
    pub fn pawn_attacks(self, side: Side) -> Bitboard {
        match side {
            Side::First => White::pawn_attacks(self),
            Side::Second => Black::pawn_attacks(self),
        }
    }
}

impl Board {
    /// Squares attacked by any piece of `side`, own pieces included.
    ///
    /// ```
    /// use tabiya::chess::{Position, Side};
    ///
    /// let position: Position = "4k3/8/8/3p4/8/8/8/R3K3 w Q - 0 1".parse()?;
    /// assert_eq!(position.attacked_by(Side::WHITE).to_string(), "\
    /// x . . . . . . .
    /// x . . . . . . .
    /// x . . . . . . .
    /// x . . . . . . .
    /// x . . . . . . .
    /// x . . . . . . .
    /// x . . x x x . .
    /// . x x x x x . .");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn attacked_by(&self, side: Side) -> Bitboard {
        match side {
            Side::First => attacked_by::<White>(self, self.occupied()),
            Side::Second => attacked_by::<Black>(self, self.occupied()),
        }
    }

    /// The pieces of `side` that attack `square` (or defend the piece of `side` on it).
    ///
    /// ```
    /// use tabiya::chess::{Position, Side, Square};
    ///
    /// let start = Position::default();
    /// let defenders = start.attackers(Side::WHITE, Square::F3);
    /// assert_eq!(defenders, [Square::G1, Square::E2, Square::G2].into_iter().collect());
    /// ```
    #[inline]
    #[must_use]
    pub fn attackers(&self, side: Side, square: Square) -> Bitboard {
        attackers(self, square, self.occupied()) & self.side_set(side)
    }
}
