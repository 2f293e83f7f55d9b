//! `Position` as the contracts of `game` see it: delegating lines only.

use super::count;
use super::make::WideKeys;
use super::movegen::XiangqiList;
use super::moves::Move;
use super::notation;
use super::position::Position;
use crate::game::{
    Census, Kernel, Keyed, MoveFacts, MoveText, Notation, NotationError, Rules, Side, WideKeyed,
};

impl Rules for Position {
    type Move = Move;
    type List = XiangqiList;

    #[inline(always)]
    fn side(&self) -> Side {
        Position::side(self)
    }
    #[inline]
    fn legal_moves(&self, out: &mut XiangqiList) {
        Position::legal_moves(self, out);
    }
    #[inline]
    fn count_legal(&self) -> u64 {
        Position::count_legal(self)
    }
    #[inline]
    fn make(&mut self, m: Move) {
        Position::make(self, m);
    }
    fn perft(&self, depth: u32) -> u64 {
        count::perft(self, depth, Kernel::Portable)
    }
    fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
        count::perft(self, depth, kernel)
    }
    fn kernels() -> Vec<Kernel> {
        vec![Kernel::Portable, Kernel::Scalar]
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
}

impl Census for Position {
    /// `mate` means that the opponent is left without a move, in check or not.
    fn facts(&self, m: Move) -> MoveFacts {
        let mut child = *self;
        child.make(m);
        let checkers = child.checkers();
        MoveFacts {
            capture: self.is_capture(m),
            check: !checkers.is_empty(),
            discovered_check: checkers.count() == 1 && !checkers.contains(m.to()),
            double_check: checkers.several(),
            mate: child.count_legal() == 0,
            ..MoveFacts::default()
        }
    }
}

impl Notation for Position {
    const START_FEN: &'static str =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    fn from_fen(fen: &str) -> Result<Self, NotationError> {
        notation::read_fen(fen)
    }
    fn to_fen(&self) -> String {
        notation::write_fen(self)
    }
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_move(self, text)
    }
    fn move_text(&self, m: Move) -> MoveText {
        notation::write_move(m)
    }
}
