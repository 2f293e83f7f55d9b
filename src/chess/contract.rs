//! The traits of `game` for the chess [`Position`]. Every method only delegates.

use crate::chess::board::legality;
use crate::chess::board::movegen::{self, ALL};
use crate::chess::board::notation::{self, FenStyle};
use crate::chess::board::order;
use crate::chess::board::position::Position;
use crate::chess::board::zobrist::{KeyedParent, WideKeys};
use crate::chess::perft;
use crate::chess::types::moves::{Move, MoveKind};
use crate::game::notation::FenReader;
use crate::game::{
    Census, CheckKind, Columns, Kernel, Keyed, KeyedList, KeyedSink, MoveFacts, MoveText, Notation,
    NotationError, Playable, Rules, Side, Sink, Verdict, WideKeyed,
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
    fn kernels() -> &'static [Kernel] {
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
    #[cfg(feature = "vectors")]
    type Bulk = perft::bulk::Bulk;
    #[cfg(not(feature = "vectors"))]
    type Bulk = crate::game::OneByOne;

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

    fn read_fields(fen: &str, reader: &mut FenReader) -> Result<Self, NotationError> {
        notation::read_fen(fen, reader)
    }
    fn to_fen(&self) -> String {
        notation::write_fen(self, FenStyle::default())
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        Position::parse_move(self, text)
    }
    fn parse_coordinates(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(self, text)
    }
    fn move_text(&self, m: Move) -> MoveText {
        notation::write_move(m, self.is_chess960())
    }
}

impl Playable for Position {
    /// The key alone, which is all that repetition needs in chess.
    type Step = u64;

    const STALEMATE_LOSES: bool = false;

    #[inline(always)]
    fn step(&self, key: u64, _m: Move) -> u64 {
        key
    }
    fn plies_to_draw(&self) -> u32 {
        self.plies_to_fifty_move_draw()
    }
    fn verdict(&self, key: u64, trail: &[u64], ply: usize) -> Option<Verdict> {
        self.verdict_of(key, trail, ply)
    }
    fn key_of(step: &u64) -> u64 {
        *step
    }
    fn make_null(&mut self) {
        Position::make_null(self);
    }
    fn is_material_insufficient(&self) -> bool {
        Position::is_material_insufficient(self)
    }
    #[inline]
    fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }
}
