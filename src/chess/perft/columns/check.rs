//! Moves that give check: the kind of check, and whether there is a reply.
//!
//! The move is made, so the result is exact, whatever the caller assumed. Generates no move list.

use crate::chess::board::Board;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::{ChecksAndPins, PawnTargets, en_passant};
use crate::chess::board::tables;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::{CheckKind, Columns, CountSink};

/// Counts the check that the legal move `m` gives, if it gives one.
#[inline(always)]
pub fn count(pos: &Board, m: Move, columns: &mut Columns) {
    let mut child = *pos;
    child.make_as::<White>(m);
    let child = child.flipped();
    let king = child.king(White::SIDE);
    let checkers = attackers(&child, king, child.occupied()) & child.side_set(Black::SIDE);
    // Castling can give check only with the rook.
    let moved = if m.is(MoveKind::Castle) { checkers } else { Bitboard::of(m.to()).flipped() };
    let Some(kind) = CheckKind::of(checkers.meets(moved), (checkers & !moved).count()) else {
        return;
    };
    if has_reply(&child, king, checkers) {
        columns.checks[kind as usize] += 1;
    } else {
        columns.mates[kind as usize] += 1;
    }
}

/// Whether the side to move, whose king on `king` is attacked by `checkers`, has a legal move.
#[inline(always)]
fn has_reply(pos: &Board, king: Square, checkers: Bitboard) -> bool {
    let (own, foes) = (pos.side_set(White::SIDE), pos.side_set(Black::SIDE));
    let occupied = pos.occupied();
    // The king does not shield the square behind it.
    let without_king = occupied ^ Bitboard::of(king);
    for to in tables::king(king) & !own {
        if !attackers(pos, to, without_king).meets(foes) {
            return true;
        }
    }
    let checker = match checkers.lowest() {
        Some(checker) if !checkers.several() => checker,
        _ => return false,
    };
    // A pinned piece stays on its pin line, which meets the line of the check only at the king.
    let pins = ChecksAndPins::of::<White>(pos);
    let free = own & !(pins.straight | pins.diagonal);
    let pawns = pos.kind_set(Kind::Pawn);
    let evasion = tables::between(king, checker) | checkers;
    let pieces = free & !Bitboard::of(king) & !pawns;
    for to in evasion {
        if attackers(pos, to, occupied).meets(pieces) {
            return true;
        }
    }
    let PawnTargets { single, double, west, east } = PawnTargets::of::<White>(pos, free & pawns, evasion, &pins);
    if !(single | double | west | east).is_empty() {
        return true;
    }
    let mut captures = CountSink::default();
    if !pos.en_passant.is_empty() {
        en_passant::<White, _>(pos, own, king, &mut captures);
    }
    captures.0 != 0
}
