//! Diagnosis of xiangqi generators: explanations of moves, and a generator with faults on purpose.
//!
//! Implements `game::diagnosis`. All of it works on a plain `board` of its own: `explain` names the rule that a move
//! breaks or that allows it, `faulty` generates moves with the faults of `tables`. `active` says cheaply which of them
//! cannot show.

mod active;
mod board;
mod explain;
mod faulty;
mod tables;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use tables::{Rule, XiangqiFault};

use super::board::notation::read_squares;
use super::board::position::{Placement, Position};
use super::types::Move;
use crate::game::diagnosis::{Diagnosis, Explanation};
use crate::game::{Engines, NotationError, PerSide, Side};
use std::hash::Hash;

impl Diagnosis for Position {
    type Rule = Rule;
    type Fault = XiangqiFault;
    type Board = Board;
    const SIDES: [&'static str; 2] = ["Red", "Black"];

    fn explain_after(&self, text: &str, _before: &[(Self, Move)]) -> Result<Explanation<Rule>, NotationError> {
        let (from, to) = read_squares(self, text)?;
        Ok(explain::explain(self, from, to))
    }

    fn faulty_board(&self) -> Board {
        Board::from(self)
    }
    fn of_faulty_board(board: &Board) -> Option<Position> {
        Position::new(&Placement { pieces: board.pieces, side: board.side, ..Placement::default() }).ok()
    }
    fn essence(&self) -> &impl Hash {
        &self.board
    }
    fn active(&self, plies: u32, _alone: bool) -> PerSide<Engines> {
        PerSide(Side::BOTH.map(|side| active::kinds(self, side, plies)))
    }
}
