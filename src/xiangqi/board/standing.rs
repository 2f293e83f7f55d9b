//! What the notations of players say of a move: where the piece stands among the equal ones of its file, and how it
//! moves.

use super::Board;
use crate::game::{Position, Side};
use crate::xiangqi::types::{Bitboard, Kind, Move, Square};

/// Where a piece is among the equal pieces of its file, as its side sees it.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub kind: Kind,
    /// 1 on the right to 9 on the left.
    pub file: u8,
    /// The equal pieces in front of it.
    pub index: u32,
    /// The equal pieces on the file, with this one.
    pub count: u32,
    /// Whether soldiers of its side are in tandem on two files.
    pub two_files: bool,
}

impl Standing {
    pub fn of(pos: &Position<Board>, m: Move) -> Standing {
        let kind = pos.moved_kind(m);
        let equals = pos.pieces(pos.side(), kind);
        let on_file = |file| equals & Bitboard::file(file);
        let group = on_file(m.from().file());
        let in_front = group.into_iter().filter(|square| match pos.side() {
            Side::First => *square > m.from(),
            Side::Second => *square < m.from(),
        });
        let tandems = (0..9).filter(|&file| on_file(file).several()).count();
        Standing {
            kind,
            file: file_number(pos.side(), m.from()),
            index: in_front.count() as u32,
            count: group.count(),
            two_files: kind == Kind::Soldier && tandems > 1,
        }
    }
}

/// The file of `square`, 1 to 9 from the right of `side`.
fn file_number(side: Side, square: Square) -> u8 {
    match side {
        Side::First => 9 - square.file() as u8,
        Side::Second => 1 + square.file() as u8,
    }
}

/// The last two characters of a move: its direction, and the ranks or the file that it reaches.
pub(super) fn movement(pos: &Position<Board>, m: Move, kind: Kind) -> [u8; 2] {
    let ranks = match pos.side() {
        Side::First => m.to().rank() - m.from().rank(),
        Side::Second => m.from().rank() - m.to().rank(),
    };
    let sign = match ranks {
        0 => b'=',
        1.. => b'+',
        _ => b'-',
    };
    let by_file = ranks == 0 || matches!(kind, Kind::Horse | Kind::Elephant | Kind::Advisor);
    let number = if by_file { file_number(pos.side(), m.to()) } else { ranks.unsigned_abs() as u8 };
    [sign, b'0' + number]
}
