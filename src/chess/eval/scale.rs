//! Scales down the value of endgames that are usually drawn despite a material advantage.
//!
//! Depends on the material and a few squares. `endgame` handles endgames with a known result before.

use super::endgame::{holds_by_pawn, wrong_corner};
use crate::chess::board::Board;
use crate::chess::types::{Bitboard, Kind};
use crate::game::Side;

/// The scale of a value that is not reduced.
const FULL: i32 = 64;

/// Scales a value in favour of `strong`.
#[inline(always)]
pub(super) fn towards_draw(pos: &Board, strong: Side, value: i32) -> i32 {
    let pawns = pos.pieces(strong, Kind::Pawn);
    if pawns.several() {
        // With several pawns only those on one edge file are drawish.
        return if wrong_corner(pos, strong) { value * 4 / FULL } else { value };
    }
    value * scale(pos, strong, pawns.is_empty()) / FULL
}

/// The scale of an advantage with at most one pawn, in parts of [`FULL`].
#[inline(never)]
fn scale(pos: &Board, strong: Side, pawnless: bool) -> i32 {
    let weak = strong.flip();
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let material = |side| {
        3 * (count(side, Kind::Knight) + count(side, Kind::Bishop))
            + 5 * count(side, Kind::Rook)
            + 9 * count(side, Kind::Queen)
    };
    let (ours, theirs) = (material(strong), material(weak));
    if pawnless {
        if ours <= 3 {
            return 0;
        }
        // Two knights cannot force mate. An extra minor piece is rarely enough.
        if ours == 6 && count(strong, Kind::Knight) == 2 {
            match (count(weak, Kind::Pawn), theirs) {
                (0, _) => return 0,
                // Against a pawn they sometimes can: its moves prevent stalemate.
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
    // A pawn with opposite-coloured bishops: the weaker side blocks it or gives its bishop for it.
    let bishops = count(strong, Kind::Bishop) == 1 && count(weak, Kind::Bishop) == 1;
    let opposed = bishops && (pos.kind_set(Kind::Bishop) & Bitboard::LIGHT).count() == 1;
    if opposed && ours + theirs == 6 && pos.occupied().count() == 5 { 4 } else { FULL }
}
