//! What tables say about a position: their values put together with captures, which they leave out where a
//! capture is best, and en passant, which they do not know.
//!
//! Called by `mod`. Results are those of the fifty-move rule counted from a fresh counter; the caller takes
//! the position's own counter into account.

use super::refusal::Refusal;
use crate::chess::board::position::Position;
use crate::chess::types::moves::Move;
use crate::chess::types::moves::MoveKind;
use crate::chess::types::piece::Kind;
use crate::game::Rules;

/// Where stored values come from: the tables, and whatever needs none.
pub(super) trait Lookup {
    /// The stored result, −2 to 2. It may be too low where a capture is best, and ignores en passant.
    fn wdl(&self, pos: &Position) -> Result<i8, Refusal>;
    /// The stored distance, from 0, or `None` if it is kept for the other side only.
    fn dtz(&self, pos: &Position, wdl: i8) -> Result<Option<i32>, Refusal>;
}

/// A result, and whether a capture (or only captures) reach it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Resolved {
    wdl: i8,
    by_capture: bool,
}

/// The distance of a position whose best move is a capture or a pawn move; 0 for a draw.
pub(super) fn before_zeroing(wdl: i8) -> i32 {
    match wdl {
        2 => 1,
        1 => 101,
        -1 => -101,
        -2 => -1,
        _ => 0,
    }
}

fn after(pos: &Position, m: Move) -> Position {
    let mut child = *pos;
    child.make(m);
    child
}

/// The result for the side to move: −2 loss, −1 loss that the fifty-move rule makes a draw, 0 draw, 1 win
/// that it makes a draw, 2 win.
pub(super) fn wdl(tables: &impl Lookup, pos: &Position) -> Result<i8, Refusal> {
    Ok(resolve(tables, pos, -2, 2)?.wdl)
}

/// The result inside the window; every capture is tried, for the table may have left it out.
fn resolve(
    tables: &impl Lookup,
    pos: &Position,
    mut alpha: i8,
    beta: i8,
) -> Result<Resolved, Refusal> {
    if !pos.castling().is_empty() {
        return Err(Refusal::Castling);
    }
    let noisy = pos.noisy_moves();
    let (mut capture, mut passing) = (None::<i8>, None::<i8>);
    let mut captures = 0;
    let passes = |m: Move| m.is(MoveKind::EnPassant);
    // En passant last, so that what has raised alpha is known to be in the table or not.
    let usual = noisy.iter().filter(|&&m| pos.is_capture(m) && !passes(m));
    for &m in usual.chain(noisy.iter().filter(|&&m| passes(m))) {
        captures += 1;
        let value = -resolve(tables, &after(pos, m), -beta, -alpha)?.wdl;
        if value >= beta {
            return Ok(Resolved { wdl: value, by_capture: true });
        }
        let best = if passes(m) { &mut passing } else { &mut capture };
        *best = (*best).max(Some(value));
        alpha = alpha.max(value);
    }
    let stored = tables.wdl(pos)?;
    let usual = stored.max(capture.unwrap_or(stored));
    if let Some(passing) = passing {
        // Without en passant the table may take the position for a stalemate.
        let only = pos.count_legal() == captures && capture.is_none();
        if only || passing > usual || passing == usual && passing > 0 {
            return Ok(Resolved { wdl: passing, by_capture: true });
        }
    }
    let by_capture = usual > 0 && capture == Some(usual);
    Ok(Resolved { wdl: usual, by_capture })
}

/// The distance to the next capture or pawn move under best play, in plies: positive for a win, negative
/// for a loss, 0 for a draw; beyond 100 where the fifty-move rule makes it a draw.
pub(super) fn dtz(tables: &impl Lookup, pos: &Position) -> Result<i32, Refusal> {
    let Resolved { wdl, by_capture } = resolve(tables, pos, -2, 2)?;
    if wdl == 0 {
        return Ok(0);
    }
    if by_capture {
        return Ok(before_zeroing(wdl));
    }
    let moves = pos.legal_moves();
    let is_pawn = |m: Move| m.piece() == Kind::Pawn;
    if wdl > 0 {
        for &m in moves.iter().filter(|&&m| is_pawn(m) && !pos.is_capture(m)) {
            if -resolve(tables, &after(pos, m), -2, 2)?.wdl == wdl {
                return Ok(before_zeroing(wdl));
            }
        }
    }
    if let Some(distance) = tables.dtz(pos, wdl)? {
        return Ok(before_zeroing(wdl) + if wdl > 0 { distance } else { -distance });
    }
    // The table has the positions after every move that is not zeroing: look one ply ahead.
    let mut best = if wdl > 0 { i32::MAX } else { before_zeroing(-2) };
    for &m in moves.iter() {
        let child = after(pos, m);
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
            if wdl == -1 && resolve(tables, &child, -2, 2)?.wdl < 2 {
                best = best.min(before_zeroing(-1));
            }
        } else {
            best = best.min(-dtz(tables, &child)? - 1);
        }
    }
    // A table that calls a position won and has no winning move is wrong.
    if best == i32::MAX { Err(Refusal::Damaged) } else { Ok(best) }
}

/// The distance of the legal move `m` whose result is `wdl`, seen from the side that makes it and with this
/// move counted.
pub(super) fn dtz_of_move(
    tables: &impl Lookup,
    pos: &Position,
    m: Move,
    wdl: i8,
) -> Result<i32, Refusal> {
    let child = after(pos, m);
    if m.piece() == Kind::Pawn || pos.is_capture(m) {
        return Ok(before_zeroing(wdl));
    }
    if !child.checkers().is_empty() && child.count_legal() == 0 {
        return Ok(1);
    }
    let value = -dtz(tables, &child)?;
    Ok(value + value.signum())
}
