//! The inputs of a xiangqi network: 2 owners × 7 kinds × 90 squares, seen by either side.
//!
//! Called through `game::network` by the trainer. Both sides see their own men at the bottom of the board, and their
//! own king on the files a to e: otherwise the board is mirrored.

use crate::game::Side;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::piece::Kind;
use crate::xiangqi::types::square::Square;

/// Inputs of one half.
pub const INPUTS: usize = 2 * 7 * 90;

/// The square as `view` sees it, on the mirrored board if `mirror`.
fn seen(square: Square, view: Side, mirror: bool) -> usize {
    let file = if mirror { 8 - square.file() } else { square.file() };
    let rank = if view == Side::First { square.rank() } else { 9 - square.rank() };
    (rank * 9 + file) as usize
}

/// Hands over every input that is on for `view`.
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
