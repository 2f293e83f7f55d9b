//! A sort key that places positions likely to transpose into each other next to each other.
//!
//! Used through `WideKeyed::transposition_order`, as in chess. The order affects speed only, not the counts.

use crate::game::Side;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::Kind;

/// The soldiers (which never move back) and all pieces of the side that has just moved, then those of the other side.
pub fn transposition_order(pos: &Position) -> [u128; 4] {
    let of = |side: Side| [pos.pieces(side, Kind::Soldier), pos.side_set(side)].map(|set| set.0);
    let ([soldiers, pieces], [other_soldiers, other_pieces]) = (of(pos.side().flip()), of(pos.side()));
    [soldiers, pieces, other_soldiers, other_pieces]
}
