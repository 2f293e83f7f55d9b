//! The generator of chess moves with faults on purpose: `generator` and `castling` list moves on the plain board of
//! `explain::chess`, `make` makes them, and `tables` names the faults.
//!
//! All of this is slow and plain.

mod castling;
mod generator;
mod kinds;
mod make;
mod tables;
#[cfg(test)]
mod tests;

pub use tables::ChessFault;

use super::faults::{Diagnosis, MoveKind};
use super::setup::Setup;
use crate::chess::{Move, Position};
use crate::explain::Explanation;
use crate::explain::chess::{Rule, explain, mailbox::Mailbox};
use crate::game::NotationError;

impl Diagnosis for crate::chess::Board {
    type Rule = Rule;
    type Fault = ChessFault;
    type Faulty = Mailbox;
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const SUITE: &'static [&'static str] = &[
        include_str!("../../../perft-suites/chess/probes.epd"),
        include_str!("../../../perft-suites/chess/diagnosis.epd"),
        include_str!("../../../perft-suites/chess/diagnosis960.epd"),
    ];
    const MORE: &'static [&'static str] = &[
        include_str!("../../../perft-suites/chess/standard.epd"),
        include_str!("../../../perft-suites/chess/tricky.epd"),
        include_str!("../../../perft-suites/chess/chess960.epd"),
    ];
    const MEN: &'static [(char, &'static str)] =
        &[('p', "pawn"), ('n', "knight"), ('b', "bishop"), ('r', "rook"), ('q', "queen"), ('k', "king")];
    const RIGHTS: &'static str = "KQkq";
    const UNCHECKED: &'static [ChessFault] = &[ChessFault::CastlesWithoutRook];

    fn explain(
        position: &Position,
        text: &str,
        before: &[(Position, Move)],
    ) -> Result<Explanation<Rule>, NotationError> {
        explain(position, text, before)
    }
    fn kind(position: &Position, text: &str) -> MoveKind {
        kinds::kind(position, text)
    }
    fn board_of(setup: &Setup) -> Mailbox {
        kinds::board_of(setup)
    }
    fn arises(position: &Position) -> bool {
        kinds::arises(position)
    }
    fn sound_board(position: &Position) -> Mailbox {
        Mailbox::new(position)
    }
}
