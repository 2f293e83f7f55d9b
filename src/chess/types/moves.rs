//! `Move`: from, to and kind in sixteen bits.

use super::piece::Kind;
use super::square::Square;
use crate::game::GameMove;
use std::fmt;

/// The kind of a move: bits 12 to 15 of a [`Move`].
///
/// The first six are the moving piece, so `make` needs no board look-up. Whether a move captures is one bit test on
/// the position (`Position::is_capture`).
///
/// ```
/// use tabiya::chess::{MoveKind, Position};
///
/// let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// assert!(position.parse_move("O-O")?.is(MoveKind::Castle));
/// assert!(position.parse_move("a8=N")?.is(MoveKind::PromoteKnight));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A pawn's single step or capture without promotion.
    Pawn,
    /// A knight's move.
    Knight,
    /// A bishop's move.
    Bishop,
    /// A rook's move.
    Rook,
    /// A queen's move.
    Queen,
    /// A king's move that is not castling.
    King,
    /// A pawn's double step.
    DoublePush,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// Castling; `to` is the square of the castling rook.
    Castle,
    /// Promotion to a knight.
    PromoteKnight = 12,
    /// Promotion to a bishop.
    PromoteBishop = 13,
    /// Promotion to a rook.
    PromoteRook = 14,
    /// Promotion to a queen.
    PromoteQueen = 15,
}

/// A packed move: bits 0–5 from, 6–11 to, 12–15 [`MoveKind`].
///
/// Castling is encoded as the king taking its own rook, in ordinary chess too; `Display` and `Position::move_text`
/// write the usual forms. The default value (`a1a1`, a pawn) is never legal and means "no move" and the null move;
/// it is written `0000`. A text does not say which piece moves, so `Position::parse_move` reads it.
///
/// ```
/// use tabiya::chess::{Kind, Move, MoveKind, Position, Square};
///
/// let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let m = position.parse_move("a7a8q")?;
/// assert_eq!((m.from(), m.to(), position.moved_kind(m)), (Square::A7, Square::A8, Kind::Pawn));
/// assert_eq!(m.promotion(), Some(Kind::Queen));
/// assert_eq!(m, Move::new(Square::A7, Square::A8, MoveKind::PromoteQueen));
///
/// let castle = position.parse_move("e1g1")?;
/// assert_eq!((castle.from(), castle.to(), castle.to_string().as_str()), (Square::E1, Square::H1, "e1g1"));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// No move, and the null move.
    pub const NONE: Move = Move(0);

    /// Packs a move.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// The origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// The target square; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// The bits of the kind.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0 >> 12
    }

    /// Whether all that happens is that a piece leaves `from`, and arrives on `to`, where it may capture: none of the
    /// special moves of pawns, and not castling.
    #[inline(always)]
    pub(in crate::chess) const fn is_plain(self) -> bool {
        self.code() <= MoveKind::King as u16
    }

    /// The kind of the move, or `None` for the three unused codes.
    pub const fn kind(self) -> Option<MoveKind> {
        Some(match self.code() {
            0 => MoveKind::Pawn,
            1 => MoveKind::Knight,
            2 => MoveKind::Bishop,
            3 => MoveKind::Rook,
            4 => MoveKind::Queen,
            5 => MoveKind::King,
            6 => MoveKind::DoublePush,
            7 => MoveKind::EnPassant,
            8 => MoveKind::Castle,
            12 => MoveKind::PromoteKnight,
            13 => MoveKind::PromoteBishop,
            14 => MoveKind::PromoteRook,
            15 => MoveKind::PromoteQueen,
            _ => return None,
        })
    }

    /// The moving piece (the king for castling).
    #[inline(always)]
    pub(in crate::chess) const fn piece(self) -> Kind {
        match self.code() {
            1 => Kind::Knight,
            2 => Kind::Bishop,
            3 => Kind::Rook,
            4 => Kind::Queen,
            5 | 8 => Kind::King,
            _ => Kind::Pawn,
        }
    }

    /// The new piece, if the move is a promotion.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self.code() {
            12 => Some(Kind::Knight),
            13 => Some(Kind::Bishop),
            14 => Some(Kind::Rook),
            15 => Some(Kind::Queen),
            _ => None,
        }
    }

    /// Whether the move is of this kind.
    #[inline(always)]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.code() == kind as u16
    }
}

impl GameMove for Move {
    #[inline(always)]
    fn from(self) -> usize {
        Move::from(self).index()
    }
    #[inline(always)]
    fn to(self) -> usize {
        Move::to(self).index()
    }
    #[inline(always)]
    fn raw(self) -> u16 {
        self.0
    }
    #[inline(always)]
    fn from_raw(raw: u16) -> Self {
        Move(raw)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_part() {
        for code in 0..16u16 {
            for raw in [0u16, 0x0fff, 0x0abc] {
                let m = Move::from_raw(code << 12 | raw);
                assert_eq!(m.code(), code);
                if let Some(kind) = m.kind() {
                    assert_eq!(Move::new(m.from(), m.to(), kind), m);
                    assert!(m.is(kind));
                } else {
                    assert!((9..12).contains(&code));
                }
            }
        }
    }
}
