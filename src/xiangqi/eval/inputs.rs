//! The inputs of a xiangqi network: 2 sides × 7 piece types × 90 squares, from the point of view of either side.
//!
//! Called through `game::network` by the trainer. Each side sees its own pieces at the bottom of the board and its
//! own king on files a to e; otherwise the board is mirrored.

use crate::game::Side;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::piece::Kind;
use crate::xiangqi::types::square::Square;

/// Inputs per side.
pub const INPUTS: usize = 2 * 7 * 90;

/// The square from the point of view of `view`, mirrored if `mirror`.
fn seen(square: Square, view: Side, mirror: bool) -> usize {
    let file = if mirror { 8 - square.file() } else { square.file() };
    let rank = if view == Side::First { square.rank() } else { 9 - square.rank() };
    (rank * 9 + file) as usize
}

/// Calls `on` with every active input of `view`.
pub fn each(pos: &Position, view: Side, mut on: impl FnMut(usize)) {
    let mirror = pos.king(view).file() > 4;
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for square in pos.pieces(side, kind) {
                let other = usize::from(side != view);
                on((other * 7 + kind.index()) * 90 + seen(square, view, mirror));
            }
        }
    }
}
