//! The inputs of the chess network: 2 owners × 6 kinds × 64 squares, seen by either side.
//!
//! Called through `game::network` by the trainer and by whoever evaluates. Both sides see their own men at the
//! bottom of the board, and their own king on the files a to d: otherwise the board is mirrored.

use crate::chess::board::position::Position;
use crate::chess::types::piece::Kind;
use crate::game::Side;

/// Inputs of one half.
pub const INPUTS: usize = 2 * 6 * 64;

/// What is xored to squares so that `view` sees them: another rank for Black, another file if its king is on the
/// files e to h.
#[inline(always)]
pub fn orientation(pos: &Position, view: Side) -> usize {
    let king = pos.king(view);
    let mirror = if king.file() >= 4 { 7 } else { 0 };
    let flip = if view == Side::Second { 56 } else { 0 };
    mirror | flip
}

/// The input of a piece for `view`, whose squares are turned by `orientation`.
#[inline(always)]
pub fn input(view: Side, orientation: usize, side: Side, kind: Kind, square: usize) -> usize {
    let other = usize::from(side != view);
    (other * 6 + kind.index()) << 6 | (square ^ orientation)
}

/// Hands over every input that is on for `view`.
pub fn each(pos: &Position, view: Side, mut on: impl FnMut(usize)) {
    let orientation = orientation(pos, view);
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for square in pos.pieces(side, kind) {
                on(input(view, orientation, side, kind, square.index()));
            }
        }
    }
}
