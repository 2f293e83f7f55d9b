//! A mailbox board, without bit sets: what is on each square, and what an engine, which may be wrong, believes about
//! castling and en passant.

use crate::chess::Position;
use crate::chess::types::{Kind, Square};
use crate::game::Side;
use std::hash::{Hash, Hasher};

/// The pieces by square.
pub type Squares = [Option<(Side, Kind)>; 64];

/// King side and queen side, as indices.
pub const WINGS: [usize; 2] = [0, 1];

/// A plain board by squares. Its rights and its en passant square need not be those of a legal position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox {
    pub squares: Squares,
    pub side: Side,
    /// The square of the rook that may castle, for each side and wing.
    pub rights: [[Option<Square>; 2]; 2],
    /// The squares of kings and rooks before castling, for each side.
    pub homes: [(Square, [Option<Square>; 2]); 2],
    /// The square that a double step has just passed.
    pub en_passant: Option<Square>,
    pub chess960: bool,
}

/// What `homes` holds is the same on all boards of a tree.
impl Hash for Mailbox {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(
            &self.squares.map(|piece| piece.map_or(0, |(side, kind)| 1 + (kind.index() + 6 * side.index()) as u8)),
        );
        (self.side, self.rights, self.en_passant).hash(state);
    }
}

/// A move of the generator with faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub from: Square,
    pub to: Square,
    pub what: What,
}

/// The kind of a [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Plain,
    DoubleStep,
    EnPassant,
    /// Castling with the rook from this square, on this wing; the step's `to` is the king's new square.
    Castle(Square, usize),
    Promote(Kind),
}

impl Mailbox {
    pub fn new(pos: &Position) -> Mailbox {
        let mut squares = [None; 64];
        for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            for square in pos.pieces(side, kind) {
                squares[square.index()] = Some((side, kind));
            }
        }
        let mut rights = [[None; 2]; 2];
        for side in Side::BOTH {
            for rook in pos.castling() & pos.side_set(side) {
                rights[side.index()][usize::from(rook < pos.king(side))] = Some(rook);
            }
        }
        let homes = |side: Side| {
            if pos.is_chess960() {
                (pos.king(side), rights[side.index()])
            } else {
                (Square::E1.seen_by(side), [Square::H1, Square::A1].map(|s| Some(s.seen_by(side))))
            }
        };
        Mailbox {
            squares,
            side: pos.side(),
            rights,
            homes: Side::BOTH.map(homes),
            en_passant: pos.en_passant(),
            chess960: pos.is_chess960(),
        }
    }

    pub fn at(&self, square: Square) -> Option<(Side, Kind)> {
        self.squares[square.index()]
    }

    /// The king of `side`, which a faulty engine may have lost.
    pub fn king(&self, side: Side) -> Option<Square> {
        Square::all().find(|&square| self.at(square) == Some((side, Kind::King)))
    }

    /// The pieces after the move `step`, without faults.
    pub fn pieces_after(&self, step: Step) -> Squares {
        let mut squares = self.squares;
        let mover = squares[step.from.index()].take();
        match step.what {
            What::Castle(rook, wing) => {
                let mine = Some((self.side, Kind::Rook));
                if squares[rook.index()] == mine {
                    squares[rook.index()] = None;
                }
                squares[castled_rook(step.to, wing).index()] = mine;
            }
            What::EnPassant => squares[step.to.with_rank_of(step.from).index()] = None,
            What::Promote(kind) => {
                squares[step.to.index()] = Some((self.side, kind));
                return squares;
            }
            What::Plain | What::DoubleStep => {}
        }
        squares[step.to.index()] = mover;
        squares
    }
}

/// Where the rook goes when the king castles to `king`.
pub fn castled_rook(king: Square, wing: usize) -> Square {
    king.with_file([5, 3][wing])
}
