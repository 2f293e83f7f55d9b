//! Tests whether one packed move (any sixteen bits) is legal. Only for castling and en passant are the moves of that
//! piece generated.
//!
//! Whether the piece reaches its target takes one or two table look-ups. Whether the king is safe afterwards, the
//! position's checks and pins say. Neither needs slider attacks, so nothing here is compiled for special instructions.
//! The move generator is the oracle: `tests/games/invariants.rs` tests every packed move in many positions.

use super::bare::Board;
use super::movegen::{ALL, ChecksAndPins};
use super::tables;
use crate::chess::types::{Bitboard, Kind, Move, MoveKind, Square, Us};
use crate::game::{Board as _, ListSink, Moves};

/// Whether `m` is legal; `U` is to move and has these checks and pins.
#[inline(always)]
pub(super) fn is_legal<U: Us>(pos: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let (own, enemies) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
    let (from, to, occupied, king) = (m.from(), m.to(), own | enemies, pos.king(U::SIDE));
    let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
    if !(pos.kind_set(m.piece()) & own).contains(from) {
        return false;
    }
    // A knight, bishop, rook, queen or king; nothing is between the squares of a step.
    if let 1..=5 = m.code() {
        let reaches = (tables::reach(m.piece(), from) & !own).contains(to);
        if !reaches || tables::between(from, to).meets(occupied) {
            return false;
        }
        if m.is(MoveKind::King) {
            return !is_attacked::<U>(pos, to, (occupied ^ origin) | target, enemies & !target);
        }
    } else {
        let single = U::forward(origin) & !occupied;
        let reach = match m.kind() {
            Some(MoveKind::DoublePush) => U::forward(single & U::THIRD_RANK) & !occupied,
            Some(MoveKind::EnPassant | MoveKind::Castle) => return is_generated(pos, pins, m),
            None => return false,
            Some(kind) => {
                let ends = if kind == MoveKind::Pawn { !U::LAST_RANK } else { U::LAST_RANK };
                (single | U::pawn_attacks(origin) & enemies) & ends
            }
        };
        if !reach.contains(to) {
            return false;
        }
    }
    let ends_checks = match pins.checkers.lowest() {
        None => true,
        Some(checker) => !pins.checkers.several() && (tables::between(king, checker) | pins.checkers).contains(to),
    };
    let is_pinned = (pins.straight | pins.diagonal).contains(from);
    ends_checks && (!is_pinned || tables::line(king, from).contains(to))
}

/// Whether one of `enemies` attacks `square`, given the occupied squares.
#[inline(always)]
fn is_attacked<U: Us>(pos: &Board, square: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
    let leapers = tables::knight(square) & pos.kind_set(Kind::Knight)
        | tables::pawn(U::SIDE, square) & pos.kind_set(Kind::Pawn)
        | tables::king(square) & pos.kind_set(Kind::King);
    let queens = pos.kind_set(Kind::Queen);
    let sliders = tables::rook_lines(square) & (pos.kind_set(Kind::Rook) | queens)
        | tables::bishop_lines(square) & (pos.kind_set(Kind::Bishop) | queens);
    leapers.meets(enemies)
        || (sliders & enemies).into_iter().any(|slider| !tables::between(square, slider).meets(occupied))
}

/// The same for rare moves, which are left to the generator.
#[cold]
#[inline(never)]
fn is_generated(pos: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let mut list = Moves::new();
    pos.generate::<ALL, _>(pins, Some(m.from().index()), &mut ListSink(&mut list));
    list.as_slice().contains(&m)
}
