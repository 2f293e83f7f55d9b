//! Static evaluation: a small neural network, scaled down in endgames that are hard to win.
//!
//! The network is trained on games of the engine against itself (`tests/tools/README.md`). `scale` covers endgames that
//! the network does not learn from those games. `win_model` converts values for display and does not affect them. The
//! evaluation depends on the position only: it does not search and has no game history.

pub mod inputs;
mod scale;
pub mod see;
pub mod win_model;

use crate::game::Side;
use crate::game::network::Accumulators;
pub use crate::game::network::evaluate;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::{Bitboard, Kind};

/// What a search thread keeps between evaluations: sums of the network's hidden layer.
pub type Memo = Accumulators<Position>;

/// A key of the soldiers, elephants and advisors.
#[inline]
pub fn structure_key(pos: &Position) -> u64 {
    let slow = pos.kind_set(Kind::Soldier) | pos.kind_set(Kind::Elephant) | pos.kind_set(Kind::Advisor);
    // Not separated by type: nearly all squares of elephants and advisors are impossible for soldiers.
    mixed(Side::BOTH.map(|side| slow & pos.side_set(side)))
}

/// A key of the other pieces of `side`.
#[inline]
pub fn pieces_key(pos: &Position, side: Side) -> u64 {
    let own = pos.side_set(side);
    mixed([Kind::Horse, Kind::Chariot, Kind::Cannon, Kind::King].map(|kind| pos.kind_set(kind) & own))
}

/// A hash key of square sets.
#[inline(always)]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let mut key = 0x9e37_79b9_7f4a_7c15_u64;
    for set in sets {
        for word in [set.0 as u64, (set.0 >> 64) as u64] {
            key = (key ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            key ^= key >> 32;
        }
    }
    key
}
