//! `Move`: origin, target and piece class in 16 bits.

use super::piece::Kind;
use super::square::Square;
use crate::game::GameMove;
use std::fmt;

/// The class of the moving piece: bits 14 and 15 of a [`Move`].
///
/// Two bits cannot distinguish seven piece types. The three that move most often have their own code. The other
/// four share one and are distinguished by the position (`Position::moved_kind`).
///
/// ```
/// use tabiya::xiangqi::{Kind, MoveKind, Position};
///
/// let start = Position::default();
/// let m = start.parse_move("H2+3")?;
/// assert_eq!((m.kind(), start.moved_kind(m)), (MoveKind::Horse, Kind::Horse));
/// let m = start.parse_move("A4+5")?;
/// assert_eq!((m.kind(), start.moved_kind(m)), (MoveKind::Step, Kind::Advisor));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A soldier, elephant, advisor or king.
    Step,
    /// A horse.
    Horse,
    /// A chariot.
    Chariot,
    /// A cannon.
    Cannon,
}

impl MoveKind {
    /// The class of a piece type.
    #[inline(always)]
    pub const fn of(kind: Kind) -> MoveKind {
        match kind {
            Kind::Horse => MoveKind::Horse,
            Kind::Chariot => MoveKind::Chariot,
            Kind::Cannon => MoveKind::Cannon,
            Kind::Soldier | Kind::Elephant | Kind::Advisor | Kind::King => MoveKind::Step,
        }
    }
}

/// A packed move: bits 0–6 origin, 7–13 target, 14–15 [`MoveKind`].
///
/// The default value (`a0a0`, a step) is never legal and means "no move" and the null move; it is written `0000`.
///
/// ```
/// use tabiya::xiangqi::{Move, MoveKind, Position, Square};
///
/// let m = Position::default().parse_move("C2=5")?;
/// assert_eq!((m.from(), m.to(), m.to_string().as_str()), (Square::H2, Square::E2, "h2e2"));
/// assert_eq!(m, Move::new(Square::H2, Square::E2, MoveKind::Cannon));
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
        Move(from.index() as u16 | (to.index() as u16) << 7 | (kind as u16) << 14)
    }

    /// The origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// The target square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 7) as u32)
    }

    /// The bits of the kind.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0 >> 14
    }

    /// The class of the moving piece.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.code() {
            0 => MoveKind::Step,
            1 => MoveKind::Horse,
            2 => MoveKind::Chariot,
            _ => MoveKind::Cannon,
        }
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
        for raw in 0..=u16::MAX {
            let m = Move::from_raw(raw);
            assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
            assert_eq!(m.raw(), raw);
        }
    }
}
