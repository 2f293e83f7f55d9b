//! Implements the traits of `game` for `Position`, mostly by delegation.

use crate::game::notation::FenReader;
use crate::game::{
    Census, CheckKind, Columns, Kernel, Keyed, MoveFacts, MoveText, Notation, NotationError,
    OneByOne, Playable, Rules, Side, Sink, Verdict, WideKeyed,
};
use crate::xiangqi::board::movegen::{self};
use crate::xiangqi::board::notation;
use crate::xiangqi::board::order;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::board::repetition::Step;
use crate::xiangqi::board::zobrist::WideKeys;
use crate::xiangqi::perft;
use crate::xiangqi::types::moves::Move;

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

    fn read_fields(fen: &str, reader: &mut FenReader) -> Result<Self, NotationError> {
        notation::read_fen(fen, reader)
    }
    fn to_fen(&self) -> String {
        notation::write_fen(self)
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        Position::parse_move(self, text)
    }
    fn parse_coordinates(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(self, text)
    }
    fn move_text(&self, m: Move) -> MoveText {
        notation::write_move(self, m)
    }
}

impl Playable for Position {
    /// The key and the move: repetition takes back the moves of a cycle to see who checked and chased.
    type Step = Step;

    const STALEMATE_LOSES: bool = true;

    #[inline(always)]
    fn step(&self, key: u64, m: Move) -> Step {
        Position::step(self, key, m)
    }
    fn plies_to_draw(&self) -> u32 {
        self.plies_to_sixty_move_draw()
    }
    #[inline]
    fn verdict(&self, key: u64, trail: &[Step], ply: usize) -> Option<Verdict> {
        Position::verdict(self, key, trail, ply)
    }
    fn key_of(step: &Step) -> u64 {
        step.key()
    }
    fn make_null(&mut self) {
        Position::make_null(self);
    }
    fn is_material_insufficient(&self) -> bool {
        Position::is_material_insufficient(self)
    }
    #[inline]
    fn in_check(&self) -> bool {
        Position::in_check(self)
    }
}
