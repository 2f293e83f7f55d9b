//! Static evaluation: rules for known endgames, and a small neural network for everything else.
//!
//! The network is trained on games of the engine against itself (`tests/tools/README.md`). `endgame` and `scale` cover
//! endgames that the network does not learn from those games. `win_model` converts values for display and does not
//! affect them. The evaluation depends on the position only: it does not search and has no game history.

mod endgame;
pub mod inputs;
pub mod kpk;
mod scale;
pub mod see;
pub mod win_model;

use crate::chess::board::position::Position;
use crate::chess::types::{Bitboard, Kind};
use crate::game::Side;
use crate::game::network::Accumulators;
pub use crate::game::network::evaluate;

/// What a search thread keeps between evaluations: sums of the network's hidden layer.
pub type Memo = Accumulators<Position>;

/// A key of the pawn structure alone.
#[inline]
pub fn structure_key(pos: &Position) -> u64 {
    let pawns = pos.kind_set(Kind::Pawn);
    mixed(Side::BOTH.map(|side| pawns & pos.side_set(side)))
}

/// A key of the pieces of `side` other than pawns.
#[inline]
pub fn pieces_key(pos: &Position, side: Side) -> u64 {
    let own = pos.side_set(side);
    let [_, pieces @ ..] = Kind::ALL;
    mixed(pieces.map(|kind| pos.kind_set(kind) & own))
}

/// A hash key of some sets of squares: each set is multiplied by an odd constant, and the sum is mixed into all bits.
#[inline(always)]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let factor = |i: usize| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(9 * i as u32) | 1;
    let products = sets.iter().enumerate().map(|(i, set)| set.0.wrapping_mul(factor(i)));
    let sum = products.fold(0, u64::wrapping_add);
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}
