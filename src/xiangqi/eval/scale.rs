//! The game phase, and the scale factor of positions that are hard to win.
//!
//! Called once per evaluation. It depends only on material.

use crate::game::Side;
use crate::game::taper::{Packed, endgame, middlegame};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::piece::Kind;

/// Game phase of the full set of pieces.
pub const PHASE: i32 = 16;
/// Scale factor of a position that can be won normally.
pub const FULL_SCALE: i32 = 64;

/// Interpolates between middlegame and endgame value by phase.
pub(super) fn blend(total: Packed, phase: i32) -> i32 {
    (middlegame(total) * phase + endgame(total) * (PHASE - phase)) / PHASE
}

/// The amount of attacking material left, from 0 (none) to 16 (all).
pub(super) fn phase(pos: &Position) -> i32 {
    let count = |kind| pos.kind_set(kind).count() as i32;
    2 * count(Kind::Chariot) + count(Kind::Cannon) + count(Kind::Horse)
}

/// The scale factor of the side that is ahead: Red if `value` is positive.
pub(super) fn scale(pos: &Position, value: i32) -> i32 {
    let strong = if value >= 0 { Side::First } else { Side::Second };
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
