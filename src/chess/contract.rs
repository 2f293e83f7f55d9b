//! The traits of `game` for the chess [`Position`]. Every method only delegates.

use crate::base::cpu::Cpu;
use crate::chess::board::legality;
use crate::chess::board::movegen::{self, ALL};
use crate::chess::board::notation;
use crate::chess::board::order;
use crate::chess::board::position::Position;
use crate::chess::board::record;
use crate::chess::board::zobrist::{KeyedParent, WideKeys};
use crate::chess::eval::inputs::{self, Orientation};
use crate::chess::eval::{self, Memo};
use crate::chess::perft;
use crate::chess::tablebase::Tablebases;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::network::{Network, NetworkInputs, Piece, Pieces};
use crate::game::notation::FenReader;
use crate::game::record::{Labels, Record, Recorded};
use crate::game::win_model::FittedModel;
use crate::game::{
    Census, CheckKind, Columns, Kernel, Keyed, KeyedList, KeyedSink, MoveFacts, MoveText, Notation,
    NotationError, Playable, Rules, SearchParams, Side, Sink, Verdict, WideKeyed,
};

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
        self.pieces(self.side(), m.piece()).contains(m.from())
    }
    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        legality::is_legal(self, m)
    }
    fn perft(&self, depth: u32) -> u64 {
        perft::perft(self, depth, perft::fastest(depth))
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
    type Bulk = perft::bulk::Bulk;

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
    #[inline(always)]
    fn keyed_moves<L: KeyedList<Move>>(&self, keys: &WideKeys, key: u128, list: &mut L) {
        let parent = &KeyedParent::new(self, keys, key);
        movegen::run::<ALL, _>(self, None, &mut KeyedSink { parent, list });
    }
    fn transposition_order(&self) -> [u128; 4] {
        order::transposition_order(self)
    }
}

impl Census for Position {
    fn facts(&self, m: Move) -> MoveFacts {
        let mut child = *self;
        child.make(m);
        let checkers = child.checkers();
        // Castling can give check only with the rook.
        let moved = if m.is(MoveKind::Castle) { checkers } else { super::Bitboard::of(m.to()) };
        MoveFacts {
            capture: self.is_capture(m),
            en_passant: m.is(MoveKind::EnPassant),
            castle: m.is(MoveKind::Castle),
            promotion: m.promotion().is_some(),
            check: CheckKind::of(checkers.meets(moved), (checkers & !moved).count()),
            wins: !checkers.is_empty() && child.count_legal() == 0,
        }
    }
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        perft::columns::columns(self, depth, kernel)
    }
}

impl Notation for Position {
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

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
        notation::write_move(m, self.is_chess960())
    }
}

impl Playable for Position {
    /// The key alone, which is all that repetition needs in chess.
    type Step = u64;
    type Memo = Memo;
    type Tables = Tablebases;

    const STALEMATE_LOSES: bool = false;
    const PARAMS: SearchParams = SearchParams::COMMON;
    const WIN_MODEL: FittedModel = eval::win_model::WIN_MODEL;
    const CODES: usize = 2 * 6 * 64;

    #[inline(always)]
    fn step(&self, key: u64, _m: Move) -> u64 {
        key
    }
    #[inline(always)]
    fn null_step(&self, key: u64) -> u64 {
        key
    }
    fn key_of(step: &u64) -> u64 {
        *step
    }
    fn plies_to_draw(&self) -> u32 {
        self.plies_to_fifty_move_draw()
    }
    fn verdict(&self, key: u64, trail: &[u64], ply: usize) -> Option<Verdict> {
        self.verdict_of(key, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        Position::is_material_insufficient(self)
    }
    #[inline]
    fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }
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
        Position::see_at_least(self, m, limit)
    }
    #[inline]
    fn evaluate(&self, memo: &mut Memo) -> i32 {
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
        u128::from(self.attacked_by(self.side().flip()).0)
    }
    #[inline]
    fn null_is_risky(&self) -> bool {
        // Zugzwang is likely only when a side has nothing but king and pawns.
        let pieces = self.side_set(self.side());
        (pieces & !(self.kind_set(Kind::Pawn) | self.kind_set(Kind::King))).is_empty()
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
    const FORMAT: &[u8; 4] = b"TBN5";
    const INPUTS: usize = inputs::INPUTS;
    const SETS: usize = inputs::SETS;
    type Squares = Bitboard;
    type Kinds = [Bitboard; 6];
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
}
