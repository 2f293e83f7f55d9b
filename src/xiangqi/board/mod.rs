//! The rules of xiangqi: tables and attacks, the board, legal moves, making moves, keys, notation and repetition.
//!
//! The `impl` of [`game::Board`](crate::game::Board) below is the index: it has the body of each operation, or calls
//! it. Nothing here evaluates or searches.

pub mod attacks;
pub mod bare;
pub(super) mod chinese;
pub(super) mod legality;
pub(super) mod move_limit;
pub mod movegen;
pub mod notation;
pub mod packed;
pub mod position;
pub mod repetition;
mod standing;
pub mod tables;
mod wxf;
pub mod zobrist;

use self::bare::Board;
use self::movegen::{ChecksAndPins, generate};
use self::packed::Packed;
use self::position::{Extra, Position};
use self::repetition::Step;
use self::tables::{Cpu, Task, dispatch};
use self::zobrist::{WideKeys, Zobrist};
use super::explain::{self, Rule};
use super::perft;
use super::types::{Bitboard, Black, Move, Red, Square, Us};
use crate::game::notation::{BoardSize, FenReader};
use crate::game::{
    self, CheckKind, Columns, Explanation, Kernel, MoveFacts, MoveText, NotationError, Side, Sink, Verdict,
};

impl game::Board for Board {
    type Move = Move;
    type Rule = Rule;
    type Bitboard = Bitboard;
    type ChecksAndPins = ChecksAndPins;
    type Extra = Extra;
    /// The key and the move: repetition takes back the moves of a cycle to see who checked and chased.
    type Step = Step;
    type WideKeys = WideKeys;
    type Packed = Packed;
    type Bulk = perft::bulk::Bulk;

    const START_FEN: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    const SIZE: BoardSize = BoardSize { files: 9, ranks: 10, first_rank: 0 };
    const STALEMATE_LOSES: bool = true;

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }
    fn letter_at(&self, file: i32, rank: i32) -> Option<u8> {
        let (side, kind) = self.piece_on(Square::at(file, rank)?)?;
        Some(kind.fen_letter(side))
    }

    #[inline]
    fn compute_pins(&self) -> ChecksAndPins {
        ChecksAndPins::of_mover(self)
    }
    #[inline(always)]
    fn checkers(pins: &ChecksAndPins) -> Bitboard {
        pins.checkers
    }
    fn generate<const SELECT: u8, S: Sink<Move>>(&self, pins: &ChecksAndPins, from: Option<usize>, sink: &mut S) {
        struct Generate<'a, const SELECT: u8, S>(&'a Board, &'a ChecksAndPins, Bitboard, &'a mut S);
        impl<const SELECT: u8, S: Sink<Move>> Task for Generate<'_, SELECT, S> {
            type Output = ();
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) {
                let Generate(board, pins, movers, sink) = self;
                match board.side {
                    Side::First => generate::<Red, SELECT, C, S>(board, pins, cpu, movers, sink),
                    Side::Second => generate::<Black, SELECT, C, S>(board, pins, cpu, movers, sink),
                }
            }
        }
        let square = |index: usize| Bitboard::of(Square::wrapping(index as u32));
        dispatch(Generate::<SELECT, S>(self, pins, from.map_or(Bitboard::ALL, square), sink));
    }
    #[inline]
    fn is_legal(&self, pins: &ChecksAndPins, m: Move) -> bool {
        match self.side {
            Side::First => legality::is_legal::<Red>(self, pins, m),
            Side::Second => legality::is_legal::<Black>(self, pins, m),
        }
    }
    #[inline(always)]
    fn make_with(&mut self, key: &mut u64, pins: &mut ChecksAndPins, m: Move) -> bool {
        match self.side {
            Side::First => make_for::<Red>(self, key, pins, m),
            Side::Second => make_for::<Black>(self, key, pins, m),
        }
    }
    #[inline]
    fn pass(&mut self) {
        self.side = self.side.flip();
    }
    #[inline(always)]
    fn after_move(position: &mut Position, reset: bool, in_check: bool) {
        if position.ruleset().ten_checks {
            position.count_check(reset, in_check);
        }
    }

    fn compute_key(&self) -> u64 {
        self.key_by(&Zobrist)
    }
    #[inline]
    fn key_after(&self, key: u64, m: Move) -> u64 {
        self.key_of_child(key, m)
    }
    #[inline]
    fn key_after_null(&self, key: u64) -> u64 {
        key ^ tables::side_key()
    }
    fn wide_keys(seed: u64) -> WideKeys {
        WideKeys::new(seed)
    }
    fn compute_wide_key(&self, keys: &WideKeys) -> u128 {
        self.key_by(keys)
    }

    fn kernels() -> &'static [Kernel] {
        perft::kernels()
    }
    fn fastest(depth: u32) -> Kernel {
        perft::fastest(depth)
    }
    fn perft(position: &Position, depth: u32, kernel: Kernel) -> u64 {
        perft::perft(position, depth, kernel)
    }
    fn columns(position: &Position, depth: u32, kernel: Kernel) -> Columns {
        perft::columns::columns(position, depth, kernel)
    }
    /// A move wins if it leaves the opponent without a legal move, in check or not.
    fn facts(position: &Position, m: Move) -> MoveFacts {
        let child = position.play_unchecked(m);
        let checkers = child.checkers();
        let direct = checkers.contains(m.to());
        MoveFacts {
            capture: position.is_capture(m),
            check: CheckKind::of(direct, checkers.count() - u32::from(direct)),
            wins: child.count_legal() == 0,
            ..MoveFacts::default()
        }
    }

    fn read_fields(fen: &str, reader: &mut FenReader) -> Result<Position, NotationError> {
        notation::read_fen(fen, reader)
    }
    fn write_fen(position: &Position) -> String {
        notation::write_fen(position)
    }
    fn read_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        wxf::read(position, text)
    }
    fn read_coordinates(position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::read_move(position, text)
    }
    fn write_move(position: &Position, m: Move) -> MoveText {
        notation::write_move(position, m)
    }
    fn explain(
        position: &Position,
        text: &str,
        _before: &[(Position, Move)],
    ) -> Result<Explanation<Rule>, NotationError> {
        explain::explain(position, text)
    }

    #[inline(always)]
    fn step(position: &Position, m: Move) -> Step {
        Step { key: position.key(), made: m }
    }
    fn key_of(step: &Step) -> u64 {
        step.key
    }
    fn plies_to_draw(position: &Position) -> u32 {
        position.plies_to_sixty_move_draw()
    }
    fn verdict(position: &Position, trail: &[Step], ply: usize) -> Option<Verdict> {
        repetition::verdict(position, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        Board::is_material_insufficient(self)
    }
}

/// Makes a legal move of `U`, who is to move, with key and pins; the answer of `Board::make_with`.
#[inline(always)]
fn make_for<U: Us>(board: &mut Board, key: &mut u64, pins: &mut ChecksAndPins, m: Move) -> bool {
    let resets = board.is_capture(m);
    *key = board.key_of_child(*key, m);
    board.make_as::<U>(m);
    *pins = ChecksAndPins::of::<U::Them>(board);
    resets
}
