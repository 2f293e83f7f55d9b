//! A mailbox board, without bit sets, for the explanations and for the generator with faults.

use crate::game::Side;
use crate::xiangqi::Position;
use crate::xiangqi::board::attacks::attacks;
use crate::xiangqi::board::placement::Placement;
use crate::xiangqi::types::{Kind, Square};

/// Steps along ranks and files.
pub const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Steps along diagonals.
pub const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The pieces by square, and the side to move. A king may be missing: a faulty generator lets it be taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mailbox {
    pub pieces: [Option<(Side, Kind)>; 90],
    pub side: Side,
}

impl From<&Position> for Mailbox {
    fn from(pos: &Position) -> Self {
        let Placement { pieces, side, .. } = Placement::from(pos);
        Mailbox { pieces, side }
    }
}

impl Mailbox {
    pub fn at(&self, square: Square) -> Option<(Side, Kind)> {
        self.pieces[square.index()]
    }

    pub fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    pub fn is_of(&self, square: Square, side: Side) -> bool {
        self.at(square).is_some_and(|(owner, _)| owner == side)
    }

    /// The squares of `side`'s pieces with their types.
    pub fn pieces_of(&self, side: Side) -> impl Iterator<Item = (Square, Kind)> + '_ {
        Square::all()
            .filter_map(move |square| self.at(square).filter(|piece| piece.0 == side).map(|piece| (square, piece.1)))
    }

    pub fn king(&self, side: Side) -> Option<Square> {
        self.pieces_of(side).find(|&(_, kind)| kind == Kind::King).map(|(square, _)| square)
    }

    /// The squares of the pieces that attack the king of `side`; the other king attacks it along an open file.
    pub fn checkers(&self, side: Side) -> Vec<Square> {
        let Some(king) = self.king(side) else { return Vec::new() };
        let occupied = Square::all().filter(|&square| !self.is_empty(square)).collect();
        let checks = |&(from, kind): &(Square, Kind)| match kind {
            Kind::King => {
                from.file() == king.file() && self.screens(from, king).is_some_and(|screens| screens.is_empty())
            }
            _ => attacks(side.flip(), kind, from, occupied).contains(king),
        };
        self.pieces_of(side.flip()).filter(checks).map(|(from, _)| from).collect()
    }

    /// The board after the piece on `from` has moved to `to`.
    pub fn after(&self, from: Square, to: Square) -> Mailbox {
        let mut next = self.clone();
        next.pieces[to.index()] = next.pieces[from.index()].take();
        next.side = self.side.flip();
        next
    }

    /// The squares between two squares of a rank or file; `None` if they share neither.
    pub fn between(a: Square, b: Square) -> Option<Vec<Square>> {
        let (files, ranks) = (b.file() - a.file(), b.rank() - a.rank());
        if a == b || (files != 0 && ranks != 0) {
            return None;
        }
        let (step, length) = ((files.signum(), ranks.signum()), files.abs().max(ranks.abs()));
        (1..length).map(|n| a.step(step.0 * n, step.1 * n)).collect()
    }

    /// The occupied squares between two squares of a rank or file; `None` if they share neither.
    pub fn screens(&self, a: Square, b: Square) -> Option<Vec<Square>> {
        let between = Mailbox::between(a, b)?;
        Some(between.into_iter().filter(|&square| !self.is_empty(square)).collect())
    }
}

pub fn in_palace(side: Side, square: Square) -> bool {
    let depth = if side == Side::First { square.rank() } else { 9 - square.rank() };
    (3..=5).contains(&square.file()) && depth <= 2
}

/// Whether a square lies beyond the river for a side.
pub fn beyond_river(side: Side, square: Square) -> bool {
    (side == Side::First) == (square.rank() >= 5)
}

/// The square of the leg of a horse's jump, or of the eye of an elephant's step, from `from`: the one next to it on
/// the way.
pub fn first_step(from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    from.step(files / 2, ranks / 2)
}
