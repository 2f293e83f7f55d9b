//! How much of an evaluation counts: the game phase, and the scale of endgames that are hard to win.
//!
//! Called by `eval` once an evaluation. It looks at material and a few squares, never at features. What is known for
//! certain does not come here: see `endgame`.

use super::endgame::{holds_by_pawn, wrong_corner};
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::game::Side;

/// Game phase of the full set of pieces.
pub const PHASE: i32 = 24;
/// Scale of an endgame that is won as it stands.
pub const FULL_SCALE: i32 = 64;

/// How many pieces are left, from 0 (none) to 24 (all).
pub(super) fn phase(pos: &Position) -> i32 {
    let count = |kind| pos.kind_set(kind).count() as i32;
    let minors = count(Kind::Knight) + count(Kind::Bishop);
    (minors + 2 * count(Kind::Rook) + 4 * count(Kind::Queen)).min(PHASE)
}

/// How much of an endgame advantage can be made good; `eg` tells whose it is.
pub(super) fn scale(pos: &Position, eg: i32) -> i32 {
    let strong = if eg >= 0 { Side::First } else { Side::Second };
    let weak = strong.flip();
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let pawns = pos.pieces(strong, Kind::Pawn);
    let worth = |side| {
        3 * (count(side, Kind::Knight) + count(side, Kind::Bishop))
            + 5 * count(side, Kind::Rook)
            + 9 * count(side, Kind::Queen)
    };
    let (ours, theirs) = (worth(strong), worth(weak));
    if pawns.is_empty() {
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
        return FULL_SCALE;
    }
    if wrong_corner(pos, strong) {
        return 4;
    }
    let opposed = count(strong, Kind::Bishop) == 1 && count(weak, Kind::Bishop) == 1 && {
        let both = pos.kind_set(Kind::Bishop) & Bitboard::LIGHT;
        both.count() == 1
    };
    if opposed {
        if ours + theirs == 6 && pos.occupied().count() == 5 {
            // One pawn: the weaker side gives its bishop for it, or blocks it for good.
            return 4;
        }
        return if ours == 3 && theirs == 3 { 28 } else { 46 };
    }
    (44 + 5 * pawns.count() as i32).min(FULL_SCALE)
}
