//! Diagnosis of move generators of chess: `explain` and `explain_castling` say why a move is legal or not, `generator`
//! and `castling` list moves with faults on purpose on a `board`, `make` makes them, and `tables` names the rules and
//! the faults.
//!
//! All of this is slow and plain; `attack` is what it shares. `active` says cheaply which faults cannot show.

mod active;
mod attack;
mod board;
mod castling;
mod explain;
mod explain_castling;
mod generator;
mod make;
mod tables;
#[cfg(test)]
mod tests;

pub use board::{Board, Step};
pub use tables::{ChessFault, Rule};

use super::board::position::Position;
use super::types::Move;
use crate::game::{Diagnosis, Engines, Explanation, NotationError, PerSide, Side};
use std::hash::Hash;

impl Diagnosis for Position {
    type Rule = Rule;
    type Fault = ChessFault;
    type Board = Board;
    const SIDES: [&'static str; 2] = ["White", "Black"];

    fn explain_after(&self, text: &str, before: &[(Self, Move)]) -> Result<Explanation<Rule>, NotationError> {
        explain::explain(self, text, before)
    }
    fn faulty_board(&self) -> Board {
        Board::new(self)
    }
    fn of_faulty_board(board: &Board) -> Option<Position> {
        board.position()
    }
    fn essence(&self) -> &impl Hash {
        &self.board
    }
    fn active(&self, plies: u32, alone: bool) -> PerSide<Engines> {
        PerSide(Side::BOTH.map(|side| active::kinds(self, side, plies, alone)))
    }
}
