//! A bare king is driven to the edge, which the network does not learn from its games (the mop-up evaluation of the
//! chess programming wiki). With a rook, a queen or two bishops the search then finds the mate within fifty moves.

use crate::chess::Position;
use crate::chess::types::{Bitboard, Kind, Square};
use crate::game::Side;

/// More than any won ending with pawns, so that a pawn promotes.
const MATING: i32 = 1_200;
/// For each piece, so that none is given away, and for a queen more, which mates sooner.
const PIECE: i32 = 200;
const QUEEN: i32 = 200;
/// For each step of the bare king from the centre, and for each that the kings are nearer.
const TO_EDGE: i32 = 20;
const KINGS: i32 = 15;

/// The value for the side to move, if one side has a bare king and the other one pieces alone that can mate it.
#[inline(always)]
pub(super) fn mop_up(pos: &Position) -> Option<i32> {
    for strong in Side::BOTH {
        if !pos.side_set(strong.flip()).several() {
            return against_bare_king(pos, strong);
        }
    }
    None
}

#[inline(never)]
fn against_bare_king(pos: &Position, strong: Side) -> Option<i32> {
    let set = |kind| pos.pieces(strong, kind);
    let heavy = set(Kind::Rook) | set(Kind::Queen);
    let bishops = set(Kind::Bishop);
    let has_both_bishops = bishops.meets(Bitboard::LIGHT) && bishops.meets(!Bitboard::LIGHT);
    if !set(Kind::Pawn).is_empty() || heavy.is_empty() && !has_both_bishops {
        return None;
    }
    let weak = pos.king(strong.flip());
    let pieces = pos.side_set(strong).count() as i32 - 1;
    let value = MATING
        + PIECE * pieces
        + QUEEN * set(Kind::Queen).count() as i32
        + TO_EDGE * from_centre(weak)
        + KINGS * (7 - pos.king(strong).distance(weak));
    Some(if pos.side() == strong { value } else { -value })
}

/// Distance to the four centre squares, files plus ranks, 0 to 6.
fn from_centre(square: Square) -> i32 {
    let steps = |at: i32| (3 - at).max(at - 4);
    steps(square.file()) + steps(square.rank())
}
