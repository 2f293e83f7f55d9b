//! Endgames that are evaluated by rule and not by the network: a bare king, and pieces that cannot mate.
//!
//! Positions that are called a draw here are drawn, except for a few in which there is a mate or a piece is lost at
//! once; the search sees those. `tests/games/tablebase.rs` compares the results with tablebases of three and four
//! pieces.

use crate::chess::board::{Board, Position};
use crate::chess::eval::kpk;
use crate::chess::types::{Bitboard, FILE_A, FILE_H, Kind, Square};
use crate::game::Side;

/// Each ply of the half-move clock takes 1 / `FADE` of a value.
const FADE: i32 = 220;
/// Bonus against a bare king that can be mated.
const MATING: i32 = 400;
/// Values of the pieces against a bare king. Together with [`MATING`], a rook or queen is worth more than a won
/// ending of king and pawn, so that pawns promote.
const WORTH: [(Kind, i32); 5] =
    [(Kind::Pawn, 120), (Kind::Knight, 330), (Kind::Bishop, 340), (Kind::Rook, 550), (Kind::Queen, 1000)];

/// The value for the side to move, if the position is one of these endgames.
#[inline(always)]
pub(super) fn known(pos: &Position) -> Option<i32> {
    for strong in Side::BOTH {
        if !pos.side_set(strong.flip()).several() {
            return against_bare_king(pos, strong);
        }
    }
    let heavy = pos.kind_set(Kind::Pawn) | pos.kind_set(Kind::Rook) | pos.kind_set(Kind::Queen);
    (heavy.is_empty() && cannot_mate(pos)).then_some(0)
}

/// Whether neither side can force mate: a minor piece each, or two knights against a minor piece. The position has
/// only minor pieces, and both sides have some.
#[inline(never)]
fn cannot_mate(pos: &Board) -> bool {
    let count = |side| pos.side_set(side).count();
    let knights = |side| pos.pieces(side, Kind::Knight).count();
    match count(Side::First) + count(Side::Second) {
        ..=4 => true,
        5 => Side::BOTH.into_iter().any(|side| knights(side) == 2 && count(side) == 3),
        _ => false,
    }
}

#[inline(never)]
fn against_bare_king(pos: &Position, strong: Side) -> Option<i32> {
    if let Some(wins) = kpk::wins(pos) {
        return Some(king_and_pawn(pos, strong, wins));
    }
    let set = |kind| pos.pieces(strong, kind);
    let (pawns, knights, bishops) = (set(Kind::Pawn), set(Kind::Knight), set(Kind::Bishop));
    let heavy = set(Kind::Rook) | set(Kind::Queen);
    let (light, dark) = (bishops & Bitboard::LIGHT, bishops & !Bitboard::LIGHT);
    let mates = !heavy.is_empty()
        || !light.is_empty() && !dark.is_empty()
        || !bishops.is_empty() && !knights.is_empty()
        || knights.count() > 2;
    if !mates {
        return (pawns.is_empty() || wrong_corner(pos, strong)).then_some(0);
    }
    let weak = pos.king(strong.flip());
    let kings = pos.king(strong).distance(weak);
    let material: i32 = WORTH.iter().map(|&(kind, worth)| worth * set(kind).count() as i32).sum();
    let mut value = MATING + material;
    if !pawns.is_empty() {
        value = faded(pos, value);
    }
    let alone = |set: Bitboard| !set.is_empty() && !set.several();
    value += 20 * from_centre(weak) + 15 * (7 - kings);
    if heavy.is_empty() && pawns.is_empty() && alone(knights) && alone(bishops) {
        value += 30 * to_corner(weak, light.is_empty());
    }
    Some(if pos.side() == strong { value } else { -value })
}

/// Whether a king in the corner holds the draw: all pawns of `strong` are on one edge file, its bishops do not attack
/// the promotion square, it has no other pieces, and the opposing king is on that square or next to it.
pub(super) fn wrong_corner(pos: &Board, strong: Side) -> bool {
    let pawns = pos.pieces(strong, Kind::Pawn);
    let file = match () {
        () if pawns.is_empty() => return false,
        () if (pawns & !FILE_A).is_empty() => 0,
        () if (pawns & !FILE_H).is_empty() => 7,
        () => return false,
    };
    let Some(corner) = Square::at(file, if strong == Side::First { 7 } else { 0 }) else {
        return false;
    };
    let bishops = pos.pieces(strong, Kind::Bishop);
    let same = if Bitboard::LIGHT.contains(corner) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
    let others = pos.side_set(strong) & !pawns & !bishops & !Bitboard::of(pos.king(strong));
    others.is_empty() && !bishops.meets(same) && pos.king(strong.flip()).distance(corner) <= 1
}

/// Whether a lone pawn usually draws against a lone queen or rook of `strong`.
///
/// Against a queen: the pawn is on its seventh rank on the files a, c, f or h next to its king, and the queen's king
/// is far away (60 to 82 % of such positions are draws in the tablebases). Against a rook: the pawn's king is near
/// the pawn and nearer to the promotion square than the rook's king (70 to 90 %).
#[inline(never)]
pub(super) fn holds_by_pawn(pos: &Board, strong: Side) -> bool {
    let weak = strong.flip();
    let pawn = pos.pieces(weak, Kind::Pawn);
    let (Some(pawn), 4) = (pawn.lowest(), pos.occupied().count()) else { return false };
    if !pos.side_set(strong).several() || !pos.side_set(weak).several() {
        return false;
    }
    let steps = 7 - pawn.seen_by(weak).rank();
    let Some(goal) = pawn.step(0, if weak == Side::First { steps } else { -steps }) else {
        return false;
    };
    let (own, other) = (pos.king(strong), pos.king(weak));
    if !pos.pieces(strong, Kind::Queen).is_empty() {
        let right = matches!(pawn.file(), 0 | 2 | 5 | 7);
        return steps == 1 && right && other.distance(pawn) <= 1 && own.distance(goal) >= 4;
    }
    !pos.pieces(strong, Kind::Rook).is_empty()
        && steps <= 3
        && other.distance(pawn) <= 2
        && own.distance(goal) >= other.distance(goal) + steps
}

/// King and pawn against king, by the bitbase. The value of a win grows with the pawn's rank but stays below that of
/// a queen.
fn king_and_pawn(pos: &Position, strong: Side, wins: bool) -> i32 {
    let pawn = pos.kind_set(Kind::Pawn).lowest();
    let (Some(pawn), true) = (pawn, wins) else { return 0 };
    let value = faded(pos, 500 + 40 * pawn.seen_by(strong).rank());
    if pos.side() == strong { value } else { -value }
}

/// A value reduced by the half-move clock: an advantage that makes no progress shrinks.
#[inline(always)]
pub(super) fn faded(pos: &Position, value: i32) -> i32 {
    value * (FADE - i32::from(pos.halfmove_clock()).min(100)) / FADE
}

/// Distance to the four centre squares, files plus ranks, 0 to 6.
fn from_centre(square: Square) -> i32 {
    let steps = |at: i32| (3 - at).max(at - 4);
    steps(square.file()) + steps(square.rank())
}

/// How near a square is to the nearer of the two corners of one colour: from 0 on the diagonal between the other two
/// corners to 7. Bishop and knight mate only in a corner of the bishop's colour. This drives the king there; it does
/// not show the whole manoeuvre.
fn to_corner(square: Square, dark: bool) -> i32 {
    let file = if dark { square.file() } else { 7 - square.file() };
    (7 - file - square.rank()).abs()
}
