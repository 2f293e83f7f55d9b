//! The scale factor of positions that are hard to win.
//!
//! Called once per evaluation. It depends only on material.

use crate::game::Side;
use crate::xiangqi::board::Board;
use crate::xiangqi::types::Kind;

/// Scale factor of a position that can be won normally.
pub(super) const FULL_SCALE: i32 = 64;

/// The scale factor if `strong` is ahead.
pub(super) fn scale(pos: &Board, strong: Side) -> i32 {
    let fighters = pos.kind_set(Kind::Horse) | pos.kind_set(Kind::Cannon) | pos.kind_set(Kind::Chariot);
    if (fighters & pos.side_set(strong)).several() {
        return FULL_SCALE;
    }
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let guards = |side| count(side, Kind::Advisor) + count(side, Kind::Elephant);
    let soldiers = count(strong, Kind::Soldier);
    let (horses, cannons) = (count(strong, Kind::Horse), count(strong, Kind::Cannon));
    let chariots = count(strong, Kind::Chariot);
    // The factor, the number of opposing guards that are hard to beat, and the factor with these.
    let (easy, many, hard) = match (horses + cannons + chariots, soldiers) {
        (0, 0) => (0, 0, 0),
        (0, 1) => (32, 1, 6),
        (0, 2) => (40, 3, 10),
        // A cannon needs a screen of its own.
        (1, 0) if cannons == 1 && guards(strong) == 0 => (4, 0, 4),
        (1, 0) if cannons == 1 => (20, 2, 4),
        (1, 0) if horses == 1 => (40, 2, 6),
        (1, 0) => (FULL_SCALE, 4, 12),
        (1, 1) if chariots == 0 => (48, 4, 20),
        _ => return FULL_SCALE,
    };
    if guards(strong.flip()) >= many { hard } else { easy }
}
