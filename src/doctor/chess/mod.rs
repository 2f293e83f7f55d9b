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

use super::faults::Diagnosis;
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
    const PROBES: &'static [(&'static str, u32)] = &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", 3),
        ("7k/8/8/8/p7/P7/8/K7 w - - 98 90", 3),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", 5),
        ("7k/8/8/8/8/8/8/K6N w - - 0 1", 3),
        ("7k/8/8/8/p7/P7/8/K7 w - - 0 1", 5),
        ("7k/8/8/8/3q4/8/4Q3/K7 w - - 0 1", 3),
        ("4k3/8/8/8/4r3/8/4N3/4K3 b - - 0 1", 2),
        ("7k/8/8/8/8/8/6n1/7K w - - 0 1", 2),
        ("k7/8/8/8/8/2n5/8/B6K w - - 0 1", 2),
        ("k7/8/8/8/8/8/4P3/4K3 w - - 0 1", 2),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", 1),
        ("8/4P3/8/8/8/8/k7/7K w - - 0 1", 3),
        ("8/8/8/3k4/8/8/8/4K2R w K - 0 1", 3),
        ("r3k3/8/8/8/3K4/8/8/8 b q - 0 1", 3),
        ("4k2r/8/8/8/8/8/8/B3K3 w k - 0 1", 2),
        ("r3k2r/8/8/8/3b4/8/8/R3K2R b K - 0 1", 2),
        ("r3k2r/8/8/3B4/8/8/8/R3K2R w k - 0 1", 2),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 2),
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 3),
        ("k7/8/8/8/3p4/8/4P3/K7 w - - 0 1", 4),
        ("k7/8/8/8/2p4p/2P4P/8/B3K2R w K - 0 1", 5),
        ("7k/8/8/8/8/8/8/R5K1 w - - 0 1", 3),
        ("7k/8/8/8/8/8/8/R5K1 b - - 0 1", 3),
    ];
    const SUITE: &'static [&'static str] = &[
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
    fn kind(position: &Position, text: &str) -> String {
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
