//! The traits of `game` that the search needs, for `Position`, mostly by delegation.

use crate::base::cpu::Cpu;
use crate::game::network::{Network, NetworkInputs, Piece, Pieces};
use crate::game::win_model::FittedModel;
use crate::game::{NoTables, SearchParams, Searchable, Side};
use crate::xiangqi::board::position::{Placement, Position};
use crate::xiangqi::board::repetition::Step;
use crate::xiangqi::eval;
use crate::xiangqi::eval::inputs::{self, Orientation};
use crate::xiangqi::types::{Bitboard, Kind, Move, Square};

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
    #[inline(always)]
    fn null_step(&self, key: u64) -> Step {
        Position::step(self, key, Move::NONE)
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
    fn threats(&self) -> u128 {
        0
    }
    #[inline]
    fn null_is_risky(&self) -> bool {
        // A side without a legal move loses, so few pieces mean zugzwang.
        let pieces = self.side_set(self.side());
        let free =
            self.kind_set(Kind::Chariot) | self.kind_set(Kind::Cannon) | self.kind_set(Kind::Horse);
        !pieces.meets(free)
    }
    #[inline]
    fn key_after_null(&self, key: u64) -> u64 {
        Position::key_after_null(self, key)
    }
}

impl NetworkInputs for Position {
    const FORMAT: &[u8; 4] = b"TBX5";
    const INPUTS: usize = inputs::INPUTS;
    const SETS: usize = inputs::SETS;
    type Squares = Bitboard;
    type Kinds = [Bitboard; 7];
    type Orientation = Orientation;

    #[inline(always)]
    fn network() -> &'static Network {
        &eval::network::NETWORK
    }
    #[inline(always)]
    fn network_pieces<C: Cpu>(&self, cpu: C) -> Pieces<Self> {
        inputs::pieces(self, cpu)
    }
    #[inline(always)]
    fn orientation(king: Bitboard, view: Side) -> Orientation {
        Orientation::of(Square::wrapping(king.0.trailing_zeros()), view)
    }
    #[inline(always)]
    fn input(view: Side, orientation: Orientation, piece: Piece<Self>) -> usize {
        inputs::input(view, orientation, piece)
    }
    #[inline(always)]
    fn ply(&self) -> usize {
        2 * usize::from(self.fullmove_number()) + self.side().index()
    }
    fn mirrored(&self) -> Option<Self> {
        let mut mirrored = Placement::from(self);
        for rank in mirrored.pieces.chunks_mut(9) {
            rank.reverse();
        }
        Position::new(&mirrored).ok()
    }
}
