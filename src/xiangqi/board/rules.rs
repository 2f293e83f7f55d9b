//! The rules of xiangqi for code that both games share: [`Rules`], with the bodies in the files beside this one; and
//! what a move does to a board and to a position.

use super::movegen::{self, ChecksAndPins};
use super::repetition::{self, Past};
use super::{Board, Extra, notation, placement, tables, wxf, zobrist};
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::{MoveText, NotationError, Rules, Side, Sink, Verdict};
use crate::xiangqi::Position;
use crate::xiangqi::types::{Bitboard, Black, Kind, Move, Red, Square, Us};

impl Rules for Board {
    type Move = Move;
    type Bitboard = Bitboard;
    type ChecksAndPins = ChecksAndPins;
    type Extra = Extra;
    type Past = Past;

    const STALEMATE_LOSES: bool = true;
    const START_FEN: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    const SIZE: BoardSize = BoardSize { files: 9, ranks: 10, first_rank: 0 };

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }
    #[inline]
    fn compute_checks_and_pins(&self) -> ChecksAndPins {
        match self.side {
            Side::First => ChecksAndPins::of::<Red>(self),
            Side::Second => ChecksAndPins::of::<Black>(self),
        }
    }
    fn compute_key(&self) -> u64 {
        zobrist::key(self)
    }
    #[inline(always)]
    fn checkers(pins: &ChecksAndPins) -> Bitboard {
        pins.checkers
    }
    fn generate<const SELECT: u8, S: Sink<Move>>(&self, pins: &ChecksAndPins, sink: &mut S) {
        match self.side {
            Side::First => movegen::generate::<Red, SELECT, S>(self, pins, sink),
            Side::Second => movegen::generate::<Black, SELECT, S>(self, pins, sink),
        }
    }
    fn count_legal(&self, pins: &ChecksAndPins) -> u64 {
        match self.side {
            Side::First => movegen::count_legal::<Red>(self, pins),
            Side::Second => movegen::count_legal::<Black>(self, pins),
        }
    }
    #[inline]
    fn is_legal(&self, pins: &ChecksAndPins, m: Move) -> bool {
        match self.side {
            Side::First => movegen::is_legal::<Red>(self, pins, m),
            Side::Second => movegen::is_legal::<Black>(self, pins, m),
        }
    }
    #[inline(always)]
    fn make(position: &mut Position, m: Move) {
        let (capture, in_check) = (position.is_capture(m), position.in_check());
        let board = &mut position.board;
        let (moved, checks_and_pins) = match board.side {
            Side::First => (board.make_as::<Red>(m), ChecksAndPins::of::<Black>(board)),
            Side::Second => (board.make_as::<Black>(m), ChecksAndPins::of::<Red>(board)),
        };
        position.key ^= moved ^ tables::side_key();
        position.checks_and_pins = checks_and_pins;
        if capture {
            position.halfmove = 0;
        }
        if position.ruleset().ten_checks {
            position.count_check(capture, in_check);
        }
    }
    #[inline]
    fn pass(position: &mut Position) {
        let board = &mut position.board;
        position.key ^= tables::side_key();
        board.side = board.side.flip();
        position.checks_and_pins = board.compute_checks_and_pins();
    }

    #[inline(always)]
    fn past(position: &Position, m: Move) -> Past {
        Past { key: position.key(), made: m }
    }
    fn key_of(past: &Past) -> u64 {
        past.key
    }
    fn plies_to_draw(position: &Position) -> u32 {
        position.plies_to_sixty_move_draw()
    }
    fn verdict(position: &Position, trail: &[Past], ply: usize) -> Option<Verdict> {
        repetition::verdict(position, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        let crosses = [Kind::Soldier, Kind::Horse, Kind::Chariot, Kind::Cannon];
        crosses.into_iter().all(|kind| self.kind_set(kind).is_empty())
    }

    fn letter_at(&self, file: i32, rank: i32) -> Option<u8> {
        let (side, kind) = self.piece_on(Square::at(file, rank)?)?;
        Some(kind.fen_letter(side))
    }
    fn parse_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position, NotationError> {
        placement::parse_fen(fen, tolerance)
    }
    fn write_fen(position: &Position) -> String {
        notation::write_fen(position)
    }
    fn read_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        wxf::read(position, text)
    }
    fn read_coordinates(position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::read_coordinates(position, text)
    }
    fn write_move(position: &Position, m: Move) -> MoveText {
        notation::write_move(position, m)
    }
}

impl Board {
    /// Makes the legal move `m` for `U`, the side to move. Returns what that changes in the Zobrist keys of pieces.
    #[inline(always)]
    pub(in crate::xiangqi) fn make_as<U: Us>(&mut self, m: Move) -> u64 {
        debug_assert!(self.side == U::SIDE);
        self.move_piece::<U>(self.moved_kind(m), m.from(), m.to())
    }

    /// Moves `U`'s piece of type `kind`, removes a captured piece and switches the side to move. Returns what that
    /// changes in the keys of pieces. Perft makes no use of it, so the compiler leaves it out there.
    #[inline(always)]
    pub(in crate::xiangqi) fn move_piece<U: Us>(&mut self, kind: Kind, from: Square, to: Square) -> u64 {
        let mut changed = tables::piece_key(U::SIDE, kind, from) ^ tables::piece_key(U::SIDE, kind, to);
        let squares = Bitboard::of(from) | Bitboard::of(to);
        if self.sides[U::Them::SIDE.index()].contains(to) {
            changed ^= tables::piece_key(U::Them::SIDE, self.kind_on(to), to);
            for set in &mut self.kinds {
                *set -= Bitboard::of(to);
            }
            self.sides[U::Them::SIDE.index()] -= Bitboard::of(to);
        }
        self.kinds[kind.index()] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
        self.side = U::Them::SIDE;
        changed
    }

    /// The kind of the piece on `square`, which must not be empty. Branchless, unlike [`Board::piece_on`].
    #[inline(always)]
    fn kind_on(&self, square: Square) -> Kind {
        let index = (1..Kind::ALL.len()).map(|i| i * usize::from(self.kinds[i].contains(square))).sum::<usize>();
        Kind::ALL[index.min(Kind::ALL.len() - 1)]
    }
}
