//! Implements the traits of `game` for `Position`, mostly by delegation.

use crate::base::cpu::Cpu;
use crate::game::network::{Network, NetworkInputs, Piece, Pieces};
use crate::game::notation::FenReader;
use crate::game::record::{Labels, Record, Recorded};
use crate::game::win_model::FittedModel;
use crate::game::{
    Census, CheckKind, Columns, Kernel, Keyed, MoveFacts, MoveText, NoTables, Notation,
    NotationError, OneByOne, Playable, Rules, SearchParams, Side, Sink, Verdict, WideKeyed,
};
use crate::xiangqi::board::movegen::{self};
use crate::xiangqi::board::notation;
use crate::xiangqi::board::order;
use crate::xiangqi::board::position::{Placement, Position};
use crate::xiangqi::board::record;
use crate::xiangqi::board::repetition::Step;
use crate::xiangqi::board::zobrist::WideKeys;
use crate::xiangqi::eval;
use crate::xiangqi::eval::inputs::{self, Orientation};
use crate::xiangqi::perft;
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::Move;
use crate::xiangqi::types::piece::Kind;
use crate::xiangqi::types::square::Square;

impl Rules for Position {
    type Move = Move;

    #[inline(always)]
    fn side(&self) -> Side {
        Position::side(self)
    }
    #[inline]
    fn make(&mut self, m: Move) {
        Position::make(self, m);
    }
    #[inline(always)]
    fn generate<const SELECT: u8, S: Sink<Move>>(&self, from: Option<usize>, sink: &mut S) {
        movegen::run::<SELECT, S>(self, from, sink);
    }
    #[inline]
    fn has_mover(&self, m: Move) -> bool {
        self.side_set(self.side()).contains(m.from())
    }
    fn perft(&self, depth: u32) -> u64 {
        perft::perft(self, depth, perft::fastest())
    }
    fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
        perft::perft(self, depth, kernel)
    }
    fn kernels() -> Vec<Kernel> {
        perft::kernels()
    }
}

impl Keyed for Position {
    #[inline]
    fn key(&self) -> u64 {
        Position::key(self)
    }
    #[inline]
    fn key_after(&self, key: u64, m: Move) -> u64 {
        Position::key_after(self, key, m)
    }
}

impl WideKeyed for Position {
    type Keys = WideKeys;
    type Bulk = OneByOne;

    fn wide_keys(seed: u64) -> WideKeys {
        WideKeys::new(seed)
    }
    fn wide_key(&self, keys: &WideKeys) -> u128 {
        self.key_by(keys)
    }
    #[inline]
    fn wide_key_after(&self, keys: &WideKeys, key: u128, m: Move) -> u128 {
        self.key_after_by(keys, key, m)
    }
    fn transposition_order(&self) -> [u128; 4] {
        order::transposition_order(self)
    }
}

impl Census for Position {
    /// A move wins if it leaves the opponent without a legal move, in check or not.
    fn facts(&self, m: Move) -> MoveFacts {
        let mut child = *self;
        child.make(m);
        let checkers = child.checkers();
        let direct = checkers.contains(m.to());
        MoveFacts {
            capture: self.is_capture(m),
            check: CheckKind::of(direct, checkers.count() - u32::from(direct)),
            wins: child.count_legal() == 0,
            ..MoveFacts::default()
        }
    }
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        perft::columns::columns(self, depth, kernel)
    }
}

impl Notation for Position {
    const START_FEN: &'static str =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    fn read_fen(fen: &str, reader: &mut FenReader) -> Result<Self, NotationError> {
        notation::read_fen(fen, reader)
    }
    fn to_fen(&self) -> String {
        notation::write_fen(self)
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(self, text)
    }
    fn move_text(&self, m: Move) -> MoveText {
        notation::write_move(self, m)
    }
}

impl Playable for Position {
    /// The key and the move: repetition takes back the moves of a cycle to see who checked and chased.
    type Step = Step;
    type Memo = eval::Memo;
    type Tables = NoTables;

    const STALEMATE_LOSES: bool = true;
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

    #[inline(always)]
    fn step(&self, key: u64, m: Move) -> Step {
        Position::step(self, key, m)
    }
    #[inline(always)]
    fn null_step(&self, key: u64) -> Step {
        Position::step(self, key, Move::NONE)
    }
    fn key_of(step: &Step) -> u64 {
        step.key()
    }
    fn plies_to_draw(&self) -> u32 {
        self.plies_to_sixty_move_draw()
    }
    #[inline]
    fn verdict(&self, key: u64, trail: &[Step], ply: usize) -> Option<Verdict> {
        Position::verdict(self, key, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        Position::is_material_insufficient(self)
    }
    #[inline]
    fn in_check(&self) -> bool {
        Position::in_check(self)
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
    fn make_null(&mut self) {
        Position::make_null(self);
    }
    #[inline]
    fn key_after_null(&self, key: u64) -> u64 {
        Position::key_after_null(self, key)
    }
}

impl Recorded for Position {
    fn to_record(&self, labels: Labels) -> Record {
        record::write(self, labels)
    }
    fn from_record(bytes: &Record) -> Option<(Self, Labels)> {
        record::read(bytes)
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
