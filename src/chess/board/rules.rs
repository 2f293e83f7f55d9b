//! The rules of chess for code that both games share: [`Rules`], with the bodies in the files beside this one; and
//! what a move does to a board and to a position.

use super::movegen::{self, ChecksAndPins};
use super::{Board, Extra, castled, notation, placement, repetition, san, tables, zobrist};
use crate::chess::Position;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::{MoveText, NotationError, Rules, Side, Sink, Verdict};

impl Rules for Board {
    type Move = Move;
    type Bitboard = Bitboard;
    type ChecksAndPins = ChecksAndPins;
    type Extra = Extra;
    /// The key alone is all that repetition needs in chess.
    type Past = u64;

    const STALEMATE_LOSES: bool = false;
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SIZE: BoardSize = BoardSize { files: 8, ranks: 8, first_rank: 1 };

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }
    #[inline]
    fn compute_checks_and_pins(&self) -> ChecksAndPins {
        match self.side {
            Side::First => ChecksAndPins::of::<White>(self),
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
            Side::First => movegen::generate::<White, SELECT, S>(self, pins, Bitboard::ALL, sink),
            Side::Second => movegen::generate::<Black, SELECT, S>(self, pins, Bitboard::ALL, sink),
        }
    }
    fn count_legal(&self, pins: &ChecksAndPins) -> u64 {
        match self.side {
            Side::First => movegen::count_legal::<White>(self, pins),
            Side::Second => movegen::count_legal::<Black>(self, pins),
        }
    }
    #[inline]
    fn is_legal(&self, pins: &ChecksAndPins, m: Move) -> bool {
        match self.side {
            Side::First => movegen::is_legal::<White>(self, pins, m),
            Side::Second => movegen::is_legal::<Black>(self, pins, m),
        }
    }
    #[inline(always)]
    fn make(position: &mut Position, m: Move) {
        if m.piece() == Kind::Pawn || position.is_capture(m) {
            position.halfmove = 0;
        }
        let board = &mut position.board;
        let (rights, passed) = (board.castling, zobrist::en_passant_key(board));
        let (moved, checks_and_pins) = match board.side {
            Side::First => (board.make_as::<White>(m), ChecksAndPins::of::<Black>(board)),
            Side::Second => (board.make_as::<Black>(m), ChecksAndPins::of::<White>(board)),
        };
        position.key ^= moved ^ tables::side_key() ^ passed ^ zobrist::en_passant_key(board);
        for rook in rights ^ board.castling {
            position.key ^= tables::castling_key(rook);
        }
        position.checks_and_pins = checks_and_pins;
    }
    #[inline]
    fn pass(position: &mut Position) {
        let board = &mut position.board;
        position.key ^= tables::side_key() ^ zobrist::en_passant_key(board);
        board.en_passant = Bitboard::EMPTY;
        board.side = board.side.flip();
        position.checks_and_pins = board.compute_checks_and_pins();
    }

    #[inline(always)]
    fn past(position: &Position, _m: Move) -> u64 {
        position.key()
    }
    fn key_of(past: &u64) -> u64 {
        *past
    }
    fn plies_to_draw(position: &Position) -> u32 {
        position.plies_to_fifty_move_draw()
    }
    fn verdict(position: &Position, trail: &[u64], ply: usize) -> Option<Verdict> {
        repetition::verdict(position, trail, ply)
    }
    fn is_material_insufficient(&self) -> bool {
        repetition::is_material_insufficient(self)
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
        san::read(position, text)
    }
    fn read_coordinates(position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::read_coordinates(position, text)
    }
    fn write_move(position: &Position, m: Move) -> MoveText {
        notation::write_move(m, position.is_chess960())
    }
}

impl Board {
    /// Makes the legal move `m` of `U`, who is to move. Returns what that changes in the Zobrist keys of pieces. Perft
    /// makes no use of it, so the compiler leaves it out there.
    #[inline(always)]
    pub(in crate::chess) fn make_as<U: Us>(&mut self, m: Move) -> u64 {
        debug_assert!(self.side == U::SIDE);
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        self.en_passant = Bitboard::EMPTY;
        self.side = U::Them::SIDE;
        let code = m.code();
        if code <= MoveKind::King as u16 {
            let captured = self.capture::<U>(m.to());
            let moved = self.relocate::<U>(m.piece(), m.from(), m.to());
            self.castling &= !(from | to);
            if code == MoveKind::King as u16 {
                self.castling &= !U::BACK_RANK;
            }
            return captured ^ moved;
        }
        if code >= Move::FIRST_PROMOTION {
            let captured = self.capture::<U>(m.to());
            self.castling &= !to;
            let moved = self.relocate::<U>(Kind::Pawn, m.from(), m.to());
            let promoted = 1 + usize::from(code & 3);
            self.kinds[Kind::Pawn.index()] ^= to;
            self.kinds[promoted] |= to;
            let key = |kind| tables::piece_key(U::SIDE, kind, m.to());
            captured ^ moved ^ key(Kind::Pawn) ^ key(Kind::ALL[promoted])
        } else if m.is(MoveKind::DoublePush) {
            let passed = U::forward(from);
            let capturers = self.kinds[Kind::Pawn.index()] & self.sides[U::Them::SIDE.index()];
            if U::pawn_attacks(passed).meets(capturers) {
                self.en_passant = passed;
            }
            self.relocate::<U>(Kind::Pawn, m.from(), m.to())
        } else if m.is(MoveKind::EnPassant) {
            let captured = self.capture::<U>(m.to().with_rank_of(m.from()));
            captured ^ self.relocate::<U>(Kind::Pawn, m.from(), m.to())
        } else {
            let (king_to, rook_to) = castled(m.from(), m.to());
            // The new squares may overlap the old ones, so both pieces are removed before they are placed.
            let (king, rook) = (from ^ Bitboard::of(king_to), to ^ Bitboard::of(rook_to));
            self.kinds[Kind::King.index()] ^= king;
            self.kinds[Kind::Rook.index()] ^= rook;
            self.sides[U::SIDE.index()] ^= king ^ rook;
            self.castling &= !U::BACK_RANK;
            let king_key = |square| tables::piece_key(U::SIDE, Kind::King, square);
            let rook_key = |square| tables::piece_key(U::SIDE, Kind::Rook, square);
            king_key(m.from()) ^ king_key(king_to) ^ rook_key(m.to()) ^ rook_key(rook_to)
        }
    }

    /// Removes the enemy piece on `square`, if there is one. Returns its key.
    #[inline(always)]
    fn capture<U: Us>(&mut self, square: Square) -> u64 {
        let (side, set) = (U::Them::SIDE, Bitboard::of(square));
        if !self.sides[side.index()].meets(set) {
            return 0;
        }
        let key = tables::piece_key(side, self.kind_on(square), square);
        self.sides[side.index()] ^= set;
        for kind in &mut self.kinds {
            *kind &= !set;
        }
        key
    }

    /// Moves a piece of `U`. Returns the keys of both squares.
    #[inline(always)]
    fn relocate<U: Us>(&mut self, kind: Kind, from: Square, to: Square) -> u64 {
        let squares = Bitboard::of(from) | Bitboard::of(to);
        self.kinds[kind.index()] ^= squares;
        self.sides[U::SIDE.index()] ^= squares;
        tables::piece_key(U::SIDE, kind, from) ^ tables::piece_key(U::SIDE, kind, to)
    }
}
