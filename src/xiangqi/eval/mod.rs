//! Static evaluation: a small neural network, scaled down in endgames that are hard to win.
//!
//! The network is trained on games of the engine against itself (`tests/tools/README.md`). `scale` covers endgames that
//! the network does not learn from those games. `win_model` converts values for display and does not affect them. The
//! evaluation depends on the position only: it does not search and has no game history.

pub mod inputs;
mod scale;
pub mod see;
pub mod win_model;

use crate::game::search::win_model::FittedModel;
use crate::game::{NoTables, SearchParams, Searchable, Side};
use crate::network::Accumulators;
pub use crate::network::evaluate;
use crate::xiangqi::Position;
use crate::xiangqi::board::Board;
use crate::xiangqi::types::{Bitboard, Kind, Move};

/// What a search thread keeps between evaluations: sums of the network's hidden layer.
pub type Memo = Accumulators<Board>;

impl Searchable for Board {
    type Memo = Memo;
    type Tables = NoTables;

    /// Found with a hand-made evaluation. With the network, all values of chess together score less (42.5 % over 220
    /// games).
    const PARAMS: SearchParams = SearchParams {
        aspiration_width: 14,
        null_base: 3,
        null_slope: 20,
        null_margin: 120,
        null_lead: 200,
        reduction_slope: 225,
        futility_base: 100,
        futility_margin: 85,
        see_check_margin: 0,
        singular_margin: 128,
        singular_double: 24,
        prob_cut_margin: 170,
        prob_cut_improving: 50,
        prob_cut_moves: 256,
        quiescence_margin: 150,
        quiescence_moves: 256,
        ..SearchParams::COMMON
    };
    const WIN_MODEL: FittedModel = win_model::WIN_MODEL;
    const CODES: usize = 2 * 7 * 90;

    fn rules_code(position: &Position) -> u32 {
        position.ruleset().code()
    }
    fn counter_state(position: &Position) -> u64 {
        position.move_limit_state()
    }
    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        self.is_capture(m)
    }
    #[inline(always)]
    fn code(&self, m: Move) -> usize {
        let piece = self.side().index() * 7 + self.moved_kind(m).index();
        piece * 90 + m.to().index().min(89)
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
    /// Of the soldiers, elephants and advisors.
    #[inline]
    fn structure_key(&self) -> u64 {
        let slow = self.kind_set(Kind::Soldier) | self.kind_set(Kind::Elephant) | self.kind_set(Kind::Advisor);
        // Not separated by type: nearly all squares of elephants and advisors are impossible for soldiers.
        mixed([slow & self.side_set(Side::First), slow & self.side_set(Side::Second)])
    }
    #[inline]
    fn pieces_key(&self, side: Side) -> u64 {
        let own = self.side_set(side);
        let of = |kind| self.kind_set(kind) & own;
        mixed([of(Kind::Horse), of(Kind::Chariot), of(Kind::Cannon), of(Kind::King)])
    }
    #[inline]
    fn threats(_position: &Position, _memo: &Memo) -> u128 {
        0
    }
    #[inline]
    fn null_is_risky(&self) -> bool {
        // A side without a legal move loses, so few pieces mean zugzwang.
        let pieces = self.side_set(self.side());
        let free = self.kind_set(Kind::Chariot) | self.kind_set(Kind::Cannon) | self.kind_set(Kind::Horse);
        !pieces.meets(free)
    }
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
