//! Tests whether one packed move (any sixteen bits) is legal, without generating moves and without CPU dispatch.
//!
//! Whether the piece reaches its target takes one or two table look-ups. What it must not do to its king, the
//! position's checks and pins say; only moves that they leave open are tried. The move generator is the oracle:
//! `tests/games/invariants.rs` tests every packed move in many positions.

use super::bare::Board;
use super::movegen::{ChecksAndPins, is_safe_after, king_may_step};
use super::tables;
use crate::xiangqi::types::{Kind, Move, MoveKind, Us};

/// Whether `m` is legal; `U` is to move and has these checks and pins.
#[inline(always)]
pub(super) fn is_legal<U: Us>(pos: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let (own, occupied) = (pos.side_set(U::SIDE), pos.occupied());
    let (from, to) = (m.from(), m.to());
    if !own.contains(from) || own.contains(to) {
        return false;
    }
    let is = |kind| pos.kind_set(kind).contains(from);
    let king = pos.king(U::SIDE);
    let reaches = match m.kind() {
        MoveKind::Horse => is(Kind::Horse) && tables::horse(from, occupied).contains(to),
        MoveKind::Chariot | MoveKind::Cannon if !tables::cross(from).contains(to) => false,
        MoveKind::Chariot => is(Kind::Chariot) && !tables::between(from, to).meets(occupied),
        MoveKind::Cannon => {
            let screens = (tables::between(from, to) & occupied).count();
            is(Kind::Cannon) && screens == u32::from(pos.is_capture(m))
        }
        MoveKind::Step if from == king => return tables::king(from).contains(to) && king_may_step::<U>(pos, king, to),
        MoveKind::Step => {
            is(Kind::Soldier) && tables::soldier(U::SIDE, from).contains(to)
                || is(Kind::Advisor) && tables::advisor(from).contains(to)
                || is(Kind::Elephant) && tables::elephant(from, occupied).contains(to)
        }
    };
    let (allowed, is_free) = if pins.checkers.is_empty() {
        (!pins.hollow.contains(to), !pins.pinned.contains(from))
    } else {
        (pins.screens.contains(from) || pins.evasion.contains(to), false)
    };
    reaches && allowed && (is_free || is_safe_after::<U>(pos, king, from, to))
}
