//! The trait `Searchable` of `game` for the xiangqi [`Position`], mostly by delegation.

use crate::game::win_model::FittedModel;
use crate::game::{NoTables, SearchParams, Searchable, Side};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::eval;
use crate::xiangqi::types::{Kind, Move};

impl Searchable for Position {
    type Memo = eval::Memo;
    type Tables = NoTables;

    /// Found with a hand-made evaluation. With the network, all values of chess together score less (42.5 % over 220
    /// games).
    const PARAMS: SearchParams = SearchParams {
        aspiration_width: 14,
        null_base: 3,
        null_slope: 20,
        null_table: 0,
        null_margin: 120,
        null_lead: 200,
        reduction_slope: 225,
        reduction_singular: 0,
        reduction_after_late: 0,
        negative_reductions: 0,
        pv_update: 0,
        futility_base: 100,
        futility_margin: 85,
        see_check_margin: 0,
        table_cut_malus: 0,
        second_search_history: 0,
        singular_margin: 128,
        singular_double: 24,
        singular_again: 0,
        prob_cut_margin: 170,
        prob_cut_improving: 50,
        prob_cut_moves: 256,
        quiescence_margin: 150,
        quiescence_moves: 256,
        ..SearchParams::COMMON
    };
    const WIN_MODEL: FittedModel = eval::win_model::WIN_MODEL;
    const CODES: usize = 2 * 7 * 90;

    fn rules_code(&self) -> u32 {
        self.ruleset().code()
    }
    fn counter_state(&self) -> u64 {
        self.move_limit_state()
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
        Position::see_at_least(self, m, limit)
    }
    #[inline]
    fn evaluate(&self, memo: &mut eval::Memo) -> i32 {
        eval::evaluate(self, memo)
    }
    fn piece_count(&self) -> u32 {
        self.occupied().count()
    }
    #[inline]
    fn structure_key(&self) -> u64 {
        eval::structure_key(self)
    }
    #[inline]
    fn pieces_key(&self, side: Side) -> u64 {
        eval::pieces_key(self, side)
    }
    #[inline]
    fn threats(&self, _memo: &eval::Memo) -> u128 {
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
