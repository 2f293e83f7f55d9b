//! An order of positions in which positions that transpose into each other are neighbours.
//!
//! Used through `WideKeyed::transposition_order` by runs with a hash table and by runs that are split into work
//! units. Any order gives correct counts; a bad one only counts some positions more often.

use crate::chess::board::position::Position;
use crate::chess::types::{Bitboard, Kind};
use crate::game::Side;

/// Files, from those whose pawns move most often to those whose pawns move least often.
const FILES: [u32; 8] = [4, 3, 2, 5, 1, 6, 0, 7];

/// Sorts by the pawns and pieces of the side that has just moved, then by those of the other side.
///
/// Two positions have common descendants if each side can still make the moves that so far only the other position
/// contains. The side that has just moved has fewer turns left for that, so it comes first. Cut the tree of the start
/// position at ply 4 into two halves of this order: 23 % of the positions at ply 7 belong to both halves. In the
/// order of first occurrence it is 44 %.
pub fn transposition_order(pos: &Position) -> [u128; 4] {
    let of = |side: Side| {
        let seen = |set: Bitboard| if side == Side::First { set.0 } else { set.0.swap_bytes() };
        let pawns = seen(pos.pieces(side, Kind::Pawn));
        let file = |file: u32| (0..8).map(move |rank| pawns >> (8 * rank + file) & 1);
        // A pawn that has not moved sorts before one that has.
        let files = FILES.into_iter().flat_map(file).fold(0, |all, pawn| all << 1 | u128::from(1 - pawn));
        [files, u128::from(seen(pos.side_set(side)))]
    };
    let ([pawns, men], [other_pawns, other_men]) = (of(pos.side().flip()), of(pos.side()));
    [pawns, men, other_pawns, other_men]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sort key of the position after a few moves from the start position.
    fn after(moves: &str) -> [u128; 4] {
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for text in moves.split(' ') {
            let m = pos.parse_move(text).unwrap();
            pos.make(m);
        }
        transposition_order(&pos)
    }

    #[test]
    fn the_side_that_has_just_moved_sorts_first_by_its_pawns() {
        let sorted =
            ["b1c3 a7a6", "a2a3 a7a6", "e2e4 a7a6", "a2a3 d7d6", "a2a3 d7d5", "h2h3 e7e6", "a2a3 e7e6", "a2a3 e7e5"];
        let keys = sorted.map(after);
        for (i, pair) in keys.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", sorted[i], sorted[i + 1]);
        }
        // Both sides have the same keys.
        let (white, black) = (after("e2e4 a7a6 g1f3"), after("a2a3 e7e5 b1c3 g8f6"));
        assert_eq!(white[..2], black[..2]);
        assert_eq!(after("e2e4 e7e5 g1f3"), after("g1f3 e7e5 e2e4"));
    }
}
