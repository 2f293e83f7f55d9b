//! The generator of xiangqi moves with faults on purpose: `faulty` lists and makes moves on the plain board of
//! `explain::xiangqi`, with the faults of `tables`.

mod faulty;
mod tables;
#[cfg(test)]
mod tests;

pub use tables::XiangqiFault;

use super::faults::{Diagnosis, MoveClass, MoveKind};
use super::setup::Setup;
use crate::explain::Explanation;
use crate::explain::xiangqi::{Rule, explain, mailbox::Mailbox};
use crate::game::{NotationError, Side};
use crate::xiangqi::types::{Kind, Square};
use crate::xiangqi::{Move, Position};

impl Diagnosis for crate::xiangqi::Board {
    type Rule = Rule;
    type Fault = XiangqiFault;
    type Faulty = Mailbox;
    const SIDES: [&'static str; 2] = ["Red", "Black"];
    const SUITE: &'static [&'static str] = &[
        include_str!("../../../perft-suites/xiangqi/probes.epd"),
        include_str!("../../../perft-suites/xiangqi/diagnosis.epd"),
    ];
    const MORE: &'static [&'static str] = &[
        include_str!("../../../perft-suites/xiangqi/standard.epd"),
        include_str!("../../../perft-suites/xiangqi/tricky.epd"),
    ];
    const MEN: &'static [(char, &'static str)] = &[
        ('p', "soldier"),
        ('a', "advisor"),
        ('b', "elephant"),
        ('n', "horse"),
        ('c', "cannon"),
        ('r', "chariot"),
        ('k', "king"),
    ];
    const RIGHTS: &'static str = "";
    const UNCHECKED: &'static [XiangqiFault] = &[];

    fn explain(
        position: &Position,
        text: &str,
        _before: &[(Position, Move)],
    ) -> Result<Explanation<Rule>, NotationError> {
        explain(position, text)
    }
    fn kind(position: &Position, text: &str) -> MoveKind {
        use MoveClass::{Capture, Quiet};
        let board = Mailbox::from(position);
        let square = |at: usize| text.get(at..at + 2).and_then(|name| Square::parse(name.as_bytes()));
        let (Some(from), Some(to)) = (square(0), square(2)) else { return MoveKind::new(Quiet, "a move") };
        match board.at(from) {
            None => MoveKind::new(Quiet, "a move from an empty point"),
            Some((side, kind)) if side != board.side => {
                MoveKind::new(Quiet, format!("a move of the opponent's {kind}"))
            }
            Some((_, kind)) if board.at(to).is_some() => MoveKind::new(Capture, format!("a {kind} capture")),
            Some((_, kind)) => MoveKind::new(Quiet, format!("a {kind} move")),
        }
    }
    fn board_of(setup: &Setup) -> Mailbox {
        let mut pieces = [None; 90];
        for (square, letter) in setup.men() {
            pieces[square] = Kind::from_fen_letter(letter as u8);
        }
        Mailbox { pieces, side: if setup.side == 'w' { Side::First } else { Side::Second } }
    }
    fn arises(_position: &Position) -> bool {
        true
    }
    fn sound_board(position: &Position) -> Mailbox {
        Mailbox::from(position)
    }
}
