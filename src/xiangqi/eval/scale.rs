//! The scale factor of positions that are hard to win.
//!
//! Called once per evaluation. It depends only on material.

use crate::game::Side;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::piece::Kind;

/// Scale factor of a position that can be won normally.
pub(super) const FULL_SCALE: i32 = 64;

/// The scale factor if `strong` is ahead.
pub(super) fn scale(pos: &Position, strong: Side) -> i32 {
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let soldiers = count(strong, Kind::Soldier);
    let (horses, cannons) = (count(strong, Kind::Horse), count(strong, Kind::Cannon));
    let chariots = count(strong, Kind::Chariot);
    let weak = strong.flip();
    let guards = count(weak, Kind::Advisor) + count(weak, Kind::Elephant);
    let pieces = horses + cannons + chariots;
    match (pieces, soldiers) {
        // No attacking pieces.
        (0, 0) => 0,
        (0, 1) => {
            if guards >= 1 {
                6
            } else {
                32
            }
        }
        (0, 2) => {
            if guards >= 3 {
                10
            } else {
                40
            }
        }
        (1, 0) if cannons == 1 => {
            // A cannon needs a screen of its own.
            let own = count(strong, Kind::Advisor) + count(strong, Kind::Elephant);
            if own == 0 || guards >= 2 { 4 } else { 20 }
        }
        (1, 0) if horses == 1 => {
            if guards >= 2 {
                6
            } else {
                40
            }
        }
        (1, 0) => {
            if guards >= 4 {
                12
            } else {
                FULL_SCALE
            }
        }
        (1, 1) if chariots == 0 => {
            if guards >= 4 {
                20
            } else {
                48
            }
        }
        _ => FULL_SCALE,
    }
}
