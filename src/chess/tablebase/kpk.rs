//! King and pawn against king: one bit for each position, made by `build.rs`. Needs no files.
//!
//! Used by the evaluation and by tablebase probes. Exact: whether the side with the pawn wins, the other
//! side's king included among the defenders by stalemate and by taking the pawn.

use crate::chess::board::position::Position;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

include!("../../../generated/chess_kpk.rs");

/// The side with the pawn, if there is one pawn and nothing else but kings.
pub fn strong_side(pos: &Position) -> Option<Side> {
    let pawn = pos.kind_set(Kind::Pawn);
    if pos.occupied().count() != 3 || pawn.count() != 1 {
        return None;
    }
    Some(if pawn.meets(pos.side_set(Side::First)) { Side::First } else { Side::Second })
}

/// Whether the side with the pawn wins; `None` for other material.
#[inline]
pub fn wins(pos: &Position) -> Option<bool> {
    let strong = strong_side(pos)?;
    let pawn = pos.kind_set(Kind::Pawn).lowest()?;
    Some(bit(strong, pos.side(), pos.king(strong), pawn, pos.king(strong.flip())))
}

fn bit(strong: Side, mover: Side, king: Square, pawn: Square, other: Square) -> bool {
    // Seen with the pawn moving up on the files a to d.
    let flip = if strong == Side::First { 0 } else { 56 } | if pawn.file() > 3 { 7 } else { 0 };
    let [king, pawn, other] = [king, pawn, other].map(|square| square.index() ^ flip);
    let place = (pawn / 8 - 1) * 4 + pawn % 8;
    WINS[usize::from(mover != strong)][place][king] >> other & 1 != 0
}
