//! Reads and writes moves as coordinates.

use super::{Board, castled};
use crate::chess::types::{Kind, Move, MoveKind, Square};
use crate::game::text::fault::{Fault, quoted};
use crate::game::{MoveText, NotationError, Position};
use std::fmt;

/// Reads a legal move as coordinates. Castling may be written with the king's target square or, also in ordinary chess,
/// as the king capturing its rook.
pub(in crate::chess) fn read_coordinates(pos: &Position<Board>, text: &str) -> Result<Move, NotationError> {
    let error = |offset, reason: &str| NotationError::new("move", offset, format!("{} {reason}", quoted(text)));
    let bytes = text.as_bytes();
    let form = "is not a move; expected two squares such as e2e4, plus a promotion letter as in e7e8q";
    let (from, to) = match bytes {
        [a, b, c, d] | [a, b, c, d, _] => (Square::parse(&[*a, *b]), Square::parse(&[*c, *d])),
        _ => return Err(error(0, form)),
    };
    let from = from.ok_or_else(|| error(0, form))?;
    let to = to.ok_or_else(|| error(2, form))?;
    let promotion = match bytes.get(4).map(u8::to_ascii_lowercase) {
        None => None,
        Some(b'n') => Some(Kind::Knight),
        Some(b'b') => Some(Kind::Bishop),
        Some(b'r') => Some(Kind::Rook),
        Some(b'q') => Some(Kind::Queen),
        Some(_) => return Err(error(4, "must promote to n, b, r or q")),
    };
    let list = pos.legal_moves();
    let of_piece = || list.iter().filter(|m| m.from() == from && m.promotion() == promotion);
    of_piece()
        .find(|m| m.to() == to)
        .or_else(|| of_piece().find(|m| m.is(MoveKind::Castle) && castled(from, m.to()).0 == to))
        .copied()
        .ok_or_else(|| {
            let letter = list.iter().any(|m| (m.from(), m.to()) == (from, to) && m.promotion().is_some());
            match promotion {
                None if letter => {
                    let reason = format!("lacks the letter of the promotion; expected one such as {from}{to}q");
                    error(4, &reason).with_fault(Fault::Ambiguous)
                }
                _ => error(0, "is not legal in this position").with_fault(Fault::Illegal),
            }
        })
}

/// Writes a legal move, castling by the king's target square or, with `chess960`, by the rook's square; no move, and a
/// null move, as `0000`.
pub(in crate::chess) fn write_move(m: Move, chess960: bool) -> MoveText {
    if m == Move::NONE {
        return MoveText::new(b"0000");
    }
    let to = if m.is(MoveKind::Castle) && !chess960 { castled(m.from(), m.to()).0 } else { m.to() };
    let ([a, b], [c, d]) = (m.from().name(), to.name());
    match m.promotion() {
        Some(kind) => MoveText::new(&[a, b, c, d, kind.letter()]),
        None => MoveText::new(&[a, b, c, d]),
    }
}

impl fmt::Display for Move {
    /// Writes the move in UCI's notation for ordinary chess: `e2e4`, `e7e8q`, `e1g1`. Castling that only Chess960 has
    /// is written as king takes rook, so that it differs from a step of the king. The position's `move_text` writes all
    /// castling of Chess960 like that.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
    /// assert_eq!(position.parse_move("O-O-O")?.to_string(), "e1c1");
    /// let chess960: Position = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1".parse()?;
    /// assert_eq!(chess960.parse_move("O-O-O")?.to_string(), "b1a1");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = self.from().file() == 4 && matches!(self.to().file(), 0 | 7);
        f.pad(write_move(*self, !usual).as_str())
    }
}
