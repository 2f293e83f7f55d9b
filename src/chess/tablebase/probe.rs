//! The value of a position: combines the stored value with captures, because tables may store a wrong value where a
//! capture is best, and with en passant, which tables ignore.
//!
//! Results assume a half-move clock of 0; the caller takes the position's own clock into account.

use super::material::MOST_MEN;
use super::refusal::Refusal;
use super::table::Lookup;
use crate::chess::Position;
use crate::chess::types::{Kind, Move, MoveKind};

/// A result, and whether a capture achieves it: unknown if the table is missing after some capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Resolved {
    wdl: i8,
    by_capture: Result<bool, Refusal>,
}

/// The distance of a position whose best move is a capture or a pawn move; 0 for a draw.
fn before_zeroing(wdl: i8) -> i32 {
    match wdl {
        2 => 1,
        1 => 101,
        -1 => -101,
        -2 => -1,
        _ => 0,
    }
}

/// The result for the side to move: −2 loss, −1 loss that the fifty-move rule makes a draw, 0 draw, 1 win that it
/// makes a draw, 2 win.
pub(super) fn wdl(tables: Lookup<'_>, pos: &Position) -> Result<i8, Refusal> {
    Ok(resolved(tables, pos)?.wdl)
}

fn resolved(tables: Lookup<'_>, pos: &Position) -> Result<Resolved, Refusal> {
    resolve(&|pos| tables.wdl(pos), pos, -2, 2)
}

/// The result within the window; `stored` is what a table says of a position. All captures are searched, because the
/// table may not account for them.
fn resolve(
    stored: &impl Fn(&Position) -> Result<i8, Refusal>,
    pos: &Position,
    mut alpha: i8,
    beta: i8,
) -> Result<Resolved, Refusal> {
    if !pos.castling().is_empty() {
        return Err(Refusal::Castling);
    }
    // Following every capture among many pieces takes too long.
    if pos.occupied().count() > MOST_MEN {
        return Err(Refusal::TooManyMen);
    }
    let noisy = pos.noisy_moves();
    let (mut capture, mut passing, mut missing) = (None::<i8>, None::<i8>, None);
    let mut captures = 0;
    let passes = |m: Move| m.is(MoveKind::EnPassant);
    // En passant is last, to keep it separate from the other captures, which the table takes into account.
    let usual = noisy.iter().filter(|&&m| pos.is_capture(m) && !passes(m));
    for &m in usual.chain(noisy.iter().filter(|&&m| passes(m))) {
        captures += 1;
        let value = match resolve(stored, &pos.play_unchecked(m), -beta, -alpha) {
            Ok(resolved) => -resolved.wdl,
            Err(refusal) if refusal == Refusal::TooSlow || passes(m) => return Err(refusal),
            Err(refusal) => {
                missing = Some(refusal);
                continue;
            }
        };
        if value >= beta {
            return Ok(Resolved { wdl: value, by_capture: Ok(true) });
        }
        let best = if passes(m) { &mut passing } else { &mut capture };
        *best = (*best).max(Some(value));
        alpha = alpha.max(value);
    }
    let stored = stored(pos)?;
    if let Some(refusal) = missing {
        // A table never says too much, so an unknown capture does not matter where it says enough.
        return if stored >= beta { Ok(Resolved { wdl: stored, by_capture: Err(refusal) }) } else { Err(refusal) };
    }
    let usual = stored.max(capture.unwrap_or(stored));
    if let Some(passing) = passing {
        // Without en passant the table may regard the position as stalemate.
        let only = pos.count_legal() == captures && capture.is_none();
        if only || passing > usual || passing == usual && passing > 0 {
            return Ok(Resolved { wdl: passing, by_capture: Ok(true) });
        }
    }
    let by_capture = usual > 0 && capture == Some(usual);
    Ok(Resolved { wdl: usual, by_capture: Ok(by_capture) })
}

/// The distance in plies to the next capture or pawn move under best play: positive for a win, negative for a loss, 0
/// for a draw, beyond 100 if the fifty-move rule makes it a draw.
pub(super) fn dtz(tables: Lookup<'_>, pos: &Position) -> Result<i32, Refusal> {
    let Resolved { wdl, by_capture } = resolved(tables, pos)?;
    if wdl == 0 {
        return Ok(0);
    }
    if by_capture? {
        return Ok(before_zeroing(wdl));
    }
    let moves = pos.legal_moves();
    let is_pawn = |m: Move| m.piece() == Kind::Pawn;
    if wdl > 0 {
        let mut missing = None;
        for &m in moves.iter().filter(|&&m| is_pawn(m) && !pos.is_capture(m)) {
            match resolved(tables, &pos.play_unchecked(m)) {
                Ok(resolved) if -resolved.wdl == wdl => return Ok(before_zeroing(wdl)),
                Ok(_) => {}
                Err(Refusal::TooSlow) => return Err(Refusal::TooSlow),
                Err(refusal) => missing = Some(refusal),
            }
        }
        // Where a pawn move wins, the table's value is not a distance.
        if let Some(refusal) = missing {
            return Err(refusal);
        }
    }
    if let Some(distance) = tables.dtz(pos, wdl)? {
        return Ok(before_zeroing(wdl) + if wdl > 0 { distance } else { -distance });
    }
    // The table contains the positions after every move that does not reset the clock, so search one ply.
    let mut best = if wdl > 0 { i32::MAX } else { before_zeroing(-2) };
    for &m in moves.iter() {
        let child = pos.play_unchecked(m);
        let zeroing = is_pawn(m) || pos.is_capture(m);
        if wdl > 0 {
            if !zeroing {
                let value = -dtz(tables, &child)?;
                if value == 1 && !child.checkers().is_empty() && child.count_legal() == 0 {
                    best = 1;
                } else if value > 0 {
                    best = best.min(value + 1);
                }
            }
        } else if zeroing {
            if wdl == -1 && resolved(tables, &child)?.wdl < 2 {
                best = best.min(before_zeroing(-1));
            }
        } else {
            best = best.min(-dtz(tables, &child)? - 1);
        }
    }
    // A table that says the position is won although there is no winning move is wrong.
    if best == i32::MAX { Err(Refusal::Damaged) } else { Ok(best) }
}

/// The distance after the legal move `m` with the result `wdl`, from the point of view of the side that makes it. The
/// move itself is counted.
pub(super) fn dtz_of_move(tables: Lookup<'_>, pos: &Position, m: Move, wdl: i8) -> Result<i32, Refusal> {
    let child = pos.play_unchecked(m);
    if m.piece() == Kind::Pawn || pos.is_capture(m) {
        return Ok(before_zeroing(wdl));
    }
    if !child.checkers().is_empty() && child.count_legal() == 0 {
        return Ok(1);
    }
    let value = -dtz(tables, &child)?;
    Ok(value + value.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables ignore en passant: what they call a stalemate is not one when that capture is the only move.
    #[test]
    fn an_only_move_en_passant_is_forced_whatever_the_table_says() {
        let pos = Position::from_fen("7k/5K2/6P1/8/3pP3/3N4/8/8 b - e3 0 1").unwrap();
        assert_eq!(pos.count_legal(), 1);
        // The table knows this position as drawn, and every other as won by the side to move.
        let stored = |other: &Position| Ok(if *other == pos { 0 } else { 2 });
        assert_eq!(resolve(&stored, &pos, -2, 2).map(|resolved| resolved.wdl), Ok(-2));
    }
}
