//! Static evaluation: a small neural network, and a rule to drive a bare king to the edge.
//!
//! The network is trained on games of the engine against itself (`tests/tools/README.md`). `win_model` converts values
//! for display and does not affect them. The evaluation depends on the position only: it does not search and has no
//! game history.

pub mod inputs;
mod mop_up;
pub mod see;
pub mod win_model;

use crate::chess::Position;
use crate::chess::board::Board;
use crate::chess::types::{Bitboard, Kind, Move};
use crate::game::search::win_model::FittedModel;
use crate::game::{SearchParams, Searchable, Side};
use crate::network::Accumulators;
pub use crate::network::evaluate;

/// What a search thread keeps between evaluations: sums of the network's hidden layer.
pub type Memo = Accumulators<Board>;

impl Searchable for Board {
    type Memo = Memo;
    #[cfg(feature = "tablebases")]
    type Tables = crate::chess::tablebase::Tablebases;
    #[cfg(not(feature = "tablebases"))]
    type Tables = crate::game::NoTables;

    const PARAMS: SearchParams = SearchParams::COMMON;
    const WIN_MODEL: FittedModel = win_model::WIN_MODEL;
    const CODES: usize = 2 * 6 * 64;

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        self.is_capture(m) || m.promotion().is_some()
    }
    #[inline(always)]
    fn code(&self, m: Move) -> usize {
        (self.side().index() * 6 + m.piece().index()) << 6 | m.to().index()
    }
    #[inline]
    fn victim(&self, m: Move) -> usize {
        self.taken(m).map_or(0, |kind| 1 + kind.index())
    }
    #[inline]
    fn gain(&self, m: Move) -> i32 {
        self.material_gain(m)
    }
    #[inline]
    fn see_at_least(&self, m: Move, limit: i32) -> bool {
        self.exchange_gains(m, limit)
    }
    #[inline]
    fn evaluate(position: &Position, memo: &mut Memo) -> i32 {
        evaluate(position, memo)
    }
    fn piece_count(&self) -> u32 {
        self.occupied().count()
    }
    /// Of the pawns.
    #[inline]
    fn structure_key(&self) -> u64 {
        let pawns = self.kind_set(Kind::Pawn);
        mixed([pawns & self.side_set(Side::First), pawns & self.side_set(Side::Second)])
    }
    #[inline]
    fn pieces_key(&self, side: Side) -> u64 {
        let own = self.side_set(side);
        let [_, mut pieces @ ..] = self.kinds;
        for set in &mut pieces {
            *set &= own;
        }
        mixed(pieces)
    }
    #[inline]
    fn threats(position: &Position, memo: &Memo) -> u128 {
        let (them, known) = (position.side().flip(), memo.pieces(position));
        let is_known = known.kinds == position.kinds && known.sides == position.sides;
        let set = if is_known { known.attacks[them.index()] } else { position.attacked_by(them) };
        u128::from(set.0)
    }
    fn is_basic_mate(&self) -> bool {
        let bare = Side::BOTH.into_iter().any(|side| !self.side_set(side).several());
        bare && !(self.kind_set(Kind::Queen) | self.kind_set(Kind::Rook)).is_empty()
    }
    #[inline]
    fn null_is_risky(&self) -> bool {
        // Zugzwang is likely only when a side has nothing but king and pawns.
        let pieces = self.side_set(self.side());
        (pieces & !(self.kind_set(Kind::Pawn) | self.kind_set(Kind::King))).is_empty()
    }
}

/// A hash key of some sets of squares: each set is multiplied by an odd constant, and the sum is mixed into all bits.
#[inline(always)]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let factor = |i: usize| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(9 * i as u32) | 1;
    let mut sum = 0_u64;
    for (i, set) in sets.iter().enumerate() {
        sum = sum.wrapping_add(set.0.wrapping_mul(factor(i)));
    }
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}
