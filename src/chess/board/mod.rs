//! The rules of chess: tables and attacks, the board, legal moves, making moves, keys, notation and repetition.
//!
//! The `impl` of [`game::Board`](crate::game::Board) below is the index: it has the body of each operation, or calls
//! it. Nothing here evaluates or searches.

pub mod attacks;
pub mod bare;
pub(super) mod legality;
pub mod movegen;
pub mod notation;
pub mod packed;
pub mod position;
pub mod repetition;
mod san;
pub mod tables;
pub mod zobrist;

use self::bare::Board;
use self::movegen::{ChecksAndPins, generate};
use self::packed::Packed;
use self::position::{Extra, Position};
use self::tables::{Cpu, Task, dispatch};
use self::zobrist::{WideKeys, Zobrist};
use super::explain::{self, Rule};
use super::perft;
use super::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
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
    /// The key alone, which is all that repetition needs in chess.
    type Step = u64;
    type WideKeys = WideKeys;
    type Packed = Packed;
    type Bulk = perft::bulk::Bulk;

    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SIZE: BoardSize = BoardSize { files: 8, ranks: 8, first_rank: 1 };
    const STALEMATE_LOSES: bool = false;

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
                    Side::First => generate::<White, SELECT, C, S>(board, pins, cpu, movers, sink),
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
            Side::First => legality::is_legal::<White>(self, pins, m),
            Side::Second => legality::is_legal::<Black>(self, pins, m),
        }
    }
    #[inline(always)]
    fn make_with(&mut self, key: &mut u64, pins: &mut ChecksAndPins, m: Move) -> bool {
        match self.side {
            Side::First => make_for::<White>(self, key, pins, m),
            Side::Second => make_for::<Black>(self, key, pins, m),
        }
    }
    #[inline]
    fn pass(&mut self) {
        self.en_passant = Bitboard::EMPTY;
        self.side = self.side.flip();
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
        key ^ tables::side_key() ^ self.en_passant_part(&Zobrist)
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
    fn facts(position: &Position, m: Move) -> MoveFacts {
        let child = position.play_unchecked(m);
        let checkers = child.checkers();
        // Castling can give check only with the rook.
        let moved = if m.is(MoveKind::Castle) { checkers } else { Bitboard::of(m.to()) };
        MoveFacts {
            capture: position.is_capture(m),
            en_passant: m.is(MoveKind::EnPassant),
            castle: m.is(MoveKind::Castle),
            promotion: m.promotion().is_some(),
            check: CheckKind::of(checkers.meets(moved), (checkers & !moved).count()),
            wins: !checkers.is_empty() && child.count_legal() == 0,
        }
    }

    fn read_fields(fen: &str, reader: &mut FenReader) -> Result<Position, NotationError> {
        notation::read_fen(fen, reader)
    }
    fn write_fen(position: &Position) -> String {
        notation::write_fen(position, notation::FenStyle::default())
    }
    fn read_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        san::read(position, text)
    }
    fn read_coordinates(position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::read_move(position, text)
    }
    fn write_move(position: &Position, m: Move) -> MoveText {
        notation::write_move(m, position.is_chess960())
    }
    fn explain(
        position: &Position,
        text: &str,
        before: &[(Position, Move)],
    ) -> Result<Explanation<Rule>, NotationError> {
        explain::explain(position, text, before)
    }

    #[inline(always)]
    fn step(position: &Position, _m: Move) -> u64 {
        position.key()
    }
    fn key_of(step: &u64) -> u64 {
        *step
    }
    fn plies_to_draw(position: &Position) -> u32 {
        position.plies_to_fifty_move_draw()
    }
    fn verdict(position: &Position, trail: &[u64], ply: usize) -> Option<Verdict> {
        repetition::verdict(position, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        Board::is_material_insufficient(self)
    }
}

/// Makes a legal move of `U`, who is to move, with key and pins; the answer of `Board::make_with`.
#[inline(always)]
fn make_for<U: Us>(board: &mut Board, key: &mut u64, pins: &mut ChecksAndPins, m: Move) -> bool {
    let resets = m.piece() == Kind::Pawn || board.is_capture(m);
    *key = board.key_of_child(*key, m);
    board.make_as::<U>(m);
    *pins = ChecksAndPins::of::<U::Them>(board);
    resets
}
