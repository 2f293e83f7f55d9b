//! The order of positions in which those that meet again by transposition are neighbours.
//!
//! Used through `WideKeyed::transposition_order`, as in chess. Any order counts right.

use crate::game::Side;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::piece::Kind;

/// The soldiers, which never go back, and the men of the side that has just moved, then those of the other side.
pub fn transposition_order(pos: &Position) -> [u128; 4] {
    let of = |side: Side| [pos.pieces(side, Kind::Soldier), pos.side_set(side)].map(|set| set.0);
    let ([soldiers, men], [other_soldiers, other_men]) = (of(pos.side().flip()), of(pos.side()));
    [soldiers, men, other_soldiers, other_men]
}
