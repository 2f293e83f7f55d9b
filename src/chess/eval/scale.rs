//! Endgames that are drawn more often than not, whatever the material says: how much of a value counts in them.
//!
//! Called by `eval` once an evaluation. It looks at material and a few squares. What is known for certain does not
//! come here: see `endgame`.

use super::endgame::{holds_by_pawn, wrong_corner};
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::game::Side;

/// The scale of a value that counts in full.
const FULL: i32 = 64;

/// What is left of a value in favour of `strong`.
#[inline(always)]
pub(super) fn towards_draw(pos: &Position, strong: Side, value: i32) -> i32 {
    let pawns = pos.pieces(strong, Kind::Pawn);
    if pawns.several() {
        // Several pawns are too many for every case here but those on one edge.
        return if wrong_corner(pos, strong) { value * 4 / FULL } else { value };
    }
    value * scale(pos, strong, pawns.is_empty()) / FULL
}

/// How much of an advantage can be made good with at most one pawn.
#[inline(never)]
fn scale(pos: &Position, strong: Side, pawnless: bool) -> i32 {
    let weak = strong.flip();
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let worth = |side| {
        3 * (count(side, Kind::Knight) + count(side, Kind::Bishop))
            + 5 * count(side, Kind::Rook)
            + 9 * count(side, Kind::Queen)
    };
    let (ours, theirs) = (worth(strong), worth(weak));
    if pawnless {
        if ours <= 3 {
            return 0;
        }
        // Two knights cannot force mate; a minor piece more is seldom enough.
        if ours == 6 && count(strong, Kind::Knight) == 2 {
            match (count(weak, Kind::Pawn), theirs) {
                (0, _) => return 0,
                // Against a pawn they can, now and then: it saves the weaker side from stalemate.
                (_, 0) => return 8,
                _ => {}
            }
        }
        if holds_by_pawn(pos, strong) {
            return 12;
        }
        if ours - theirs <= 3 {
            return if theirs <= 3 && ours - theirs < 3 { 4 } else { 12 };
        }
        return FULL;
    }
    if wrong_corner(pos, strong) {
        return 4;
    }
    // One pawn with bishops of opposite colours: the weaker side gives its bishop for it, or blocks it for good.
    let bishops = count(strong, Kind::Bishop) == 1 && count(weak, Kind::Bishop) == 1;
    let opposed = bishops && (pos.kind_set(Kind::Bishop) & Bitboard::LIGHT).count() == 1;
    if opposed && ours + theirs == 6 && pos.occupied().count() == 5 { 4 } else { FULL }
}
