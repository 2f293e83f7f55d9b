//! `Move`: origin, target and piece class in 16 bits.

use super::piece::Kind;
use super::square::Square;
use crate::game::position::type_macros::packed_move;
use crate::game::text::fault::named_values;

named_values! {
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
    "kind of move" MoveKind:
    /// A soldier, elephant, advisor or king.
    Step "step";
    /// A horse.
    Horse "horse";
    /// A chariot.
    Chariot "chariot";
    /// A cannon.
    Cannon "cannon";
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

packed_move! {
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
    7
}

impl Move {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameMove;

    #[test]
    fn packing_keeps_every_part() {
        for raw in 0..=u16::MAX {
            let m = Move::from_raw(raw);
            assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
            assert_eq!(m.raw(), raw);
        }
    }
}
