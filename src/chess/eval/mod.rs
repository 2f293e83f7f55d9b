//! Evaluation: endgames that are known as a whole, and a small neural network for everything else.
//!
//! Called through `Playable::evaluate`. The network is trained on games of the engine against itself
//! (`tests/tools/README.md` tells how); `endgame` and `scale` know what it cannot learn from them. `win_model` is about
//! what is shown of a value and takes no part in it. Nothing here looks ahead or knows any history.

mod endgame;
pub mod inputs;
pub mod network;
mod scale;
pub mod see;
pub mod win_model;

use self::endgame::faded;
use crate::base::cpu::{Cpu, Task, dispatch_vectors};
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::game::Side;

/// What a search thread remembers between evaluations: sums of the network's hidden layer.
pub use self::network::Accumulators as Memo;

/// Larger values of the network are cut off: so far above a queen they say nothing.
const LARGEST: i32 = 10_000;

/// The value of the position for the side to move, in centipawns.
#[inline]
pub fn evaluate(pos: &Position, memo: &mut Memo) -> i32 {
    dispatch_vectors(Evaluate { pos, memo })
}

struct Evaluate<'a> {
    pos: &'a Position,
    memo: &'a mut Memo,
}

impl Task for Evaluate<'_> {
    type Output = i32;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let pos = self.pos;
        if let Some(value) = endgame::known(pos) {
            return value;
        }
        let value = self.memo.evaluate(pos, cpu).clamp(-LARGEST, LARGEST);
        let strong = if value >= 0 { pos.side() } else { pos.side().flip() };
        // Without progress every advantage fades.
        faded(pos, scale::towards_draw(pos, strong, value))
    }
}

/// A key of the pawn structure alone.
#[inline]
pub fn structure_key(pos: &Position) -> u64 {
    let pawns = pos.kind_set(Kind::Pawn);
    mixed(Side::BOTH.map(|side| pawns & pos.side_set(side)))
}

/// A key of the men of `side` that are no pawns.
#[inline]
pub fn pieces_key(pos: &Position, side: Side) -> u64 {
    let own = pos.side_set(side);
    let [_, pieces @ ..] = Kind::ALL;
    mixed(pieces.map(|kind| pos.kind_set(kind) & own))
}

/// A key of sets of squares: a multiplication for each, by odd numbers that have nothing in common, and one that
/// mixes the sum into all bits.
#[inline(always)]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let factor = |i: usize| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(9 * i as u32) | 1;
    let products = sets.iter().enumerate().map(|(i, set)| set.0.wrapping_mul(factor(i)));
    let sum = products.fold(0, u64::wrapping_add);
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}
