//! The generator of xiangqi moves with faults on purpose: `faulty` lists and makes moves on the plain board of
//! `xiangqi::explain`, with the faults of `tables`. `active` says cheaply which of them cannot show.

mod active;
mod faulty;
mod tables;
#[cfg(test)]
mod tests;

pub use tables::XiangqiFault;

use super::faults::{Diagnosis, Engines, Feature, Order};
use crate::game::{PerSide, Side};
use crate::xiangqi::explain::board::Board;
use crate::xiangqi::types::Square;
use crate::xiangqi::{Move, Placement, Position};

impl Diagnosis for crate::xiangqi::Board {
    type Fault = XiangqiFault;
    type Faulty = Board;
    const SIDES: [&'static str; 2] = ["Red", "Black"];
    const PROBES: &'static [(&'static str, &'static str, u32)] = &[
        (Position::START_FEN, "", 1),
        (Position::START_FEN, "", 2),
        // Checkmate and stalemate.
        ("3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 0 1", "", 2),
        ("3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 0 1", "", 3),
        // Bare kings and repetition.
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "", 5),
        ("3k5/9/9/p8/9/9/P8/9/9/4K4 w - - 0 1", "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8", 3),
        // A pin, and captures.
        ("4k4/9/9/9/4r4/9/9/4N4/9/4K4 b - - 0 1", "", 2),
        ("3k5/9/9/9/9/9/9/9/4n4/4K4 w - - 0 1", "", 2),
        ("3k5/9/9/9/9/9/9/n8/9/R3K4 w - - 0 1", "", 2),
        // Transpositions with another depth and another side to move.
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "", 2),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "", 3),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1", "", 3),
    ];

    const SUITE: &'static [&'static str] = &[include_str!("../../../perft-suites/xiangqi/diagnosis.epd")];
    const MORE: &'static [&'static str] = &[
        include_str!("../../../perft-suites/xiangqi/standard.epd"),
        include_str!("../../../perft-suites/xiangqi/tricky.epd"),
    ];
    const RIVAL: &'static str = "fairy-stockfish";

    fn features(position: &Position, _before: &[(Position, Move)], text: &str) -> Vec<Feature> {
        let board = Board::from(position);
        let square = |at: usize| text.get(at..at + 2).and_then(|name| Square::parse(name.as_bytes()));
        let (Some(from), Some(to)) = (square(0), square(2)) else { return Vec::new() };
        let piece = board.at(from).map_or("from an empty point".into(), |(_, kind)| format!("of a {kind}"));
        let target = if board.at(to).is_some() { "that capture" } else { "without a capture" };
        let check = if position.in_check() { "in check" } else { "not in check" };
        let side = ["of Red", "of Black"][position.side().index()];
        let feature = |order, cost, words: &str| Feature { order, cost, words: words.to_string().into() };
        vec![
            feature(Order::Piece, 1, &piece),
            feature(Order::Side, 2, side),
            feature(Order::Target, 1, target),
            feature(Order::Check, 1, check),
        ]
    }
    fn arises(_position: &Position) -> bool {
        true
    }
    fn sound_board(position: &Position) -> Board {
        Board::from(position)
    }
    fn position_of(board: &Board) -> Option<Position> {
        Position::new(&Placement { pieces: board.pieces, side: board.side, ..Placement::default() }).ok()
    }
    fn active(position: &Position, plies: u32) -> PerSide<Engines> {
        PerSide(Side::BOTH.map(|side| active::kinds(position, side, plies)))
    }
    const REMEMBERED: Engines = 0;
    fn mingle(_kinds: Engines) -> bool {
        false
    }
}
