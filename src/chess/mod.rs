//! Chess, including Chess960: positions, legal moves, FEN, UCI and SAN moves, games, attacks.
//!
//! ```
//! use tabiya::chess::{Bitboard, Game, Kind, Outcome, Position, Side, Square};
//!
//! // A position: pieces by square and as sets.
//! let start = Position::default();
//! assert_eq!(start.piece_on(Square::E1), Some((Side::WHITE, Kind::King)));
//! assert_eq!(start.pieces(Side::BLACK, Kind::Pawn), Bitboard::rank(6));
//!
//! // Its moves, with SAN and the positions after them.
//! for m in start.legal_moves() {
//!     println!("{:6} {:6} {}", m, start.san(m), start.play(m)?);
//! }
//!
//! // A game, which knows repetition and the fifty-move rule.
//! let mut game = Game::default();
//! for text in "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#".split(' ') {
//!     game.play_text(text)?;
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Checkmate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs the feature `chess`.
//!
//! # What to know
//!
//! * A [`Move`] is sixteen bits and contains the kind of the moving piece. Its squares are [`Move::from`] and
//!   [`Move::to`]; castling is stored as "king takes own rook", so `to` is the rook's square (as text it is `e1g1`).
//! * The rights to castle are the set of rooks that may still castle ([`Board::castling`]), for Chess960 too.
//! * The en passant square is kept only if a pawn of the side to move attacks it.
//! * `==` and `Hash` of positions compare everything that a FEN can say: the move counters, an e.p. square whose
//!   capture is not legal, and whether castling is written as in Chess960 (`KQkq` and `HAha` differ).
//!   [`Position::same_position`] is equality in the sense of the repetition rule, and [`Position::key`] is equal then.
//! * A null move is [`Move::NONE`], written `0000` (`--` in SAN): [`Position::play_null`], `Game::play_null`.

// Below, `impl Rules for Board` says which function does what a `Position` is asked. `perft` implements the trait
// `Counting`, `eval` the trait `Searchable`. Nothing here depends on the crate's modules `perft`, `engine` or
// `protocol`.

#[doc(hidden)]
pub mod board;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod book;
#[cfg(feature = "search")]
#[doc(hidden)]
pub mod eval;
#[cfg(feature = "perft")]
pub mod perft;
#[cfg(feature = "tablebases")]
#[doc(hidden)]
pub mod tablebase;
#[doc(hidden)]
pub mod types;

pub use board::Board;
pub use board::attacks::attacks;
pub use board::placement::{Placement, PositionError};
pub use board::tables::{between, line};
pub use types::bitboard::Bitboard;
pub use types::moves::{Move, MoveKind};
pub use types::piece::Kind;
pub use types::square::Square;

#[cfg(feature = "perft")]
pub use crate::game::Columns;
pub use crate::game::{Fault, GameResult, IllegalMove, MoveText, Moves, NotationError, Outcome, Side};

use self::board::movegen::ChecksAndPins;
use self::board::{Extra, fen, make, movegen, notation, repetition, san, zobrist};
use self::types::{Black, White};
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::{Rules, Sink, Verdict};

/// A legal position of chess; see [`game::Position`](crate::game::Position).
pub type Position = crate::game::position::Position<Board>;

const _: () = assert!(size_of::<Position>() == 128);

/// A game of chess: a position with the moves that led to it; see [`game::Game`](crate::game::Game).
///
/// ```
/// let mut game = tabiya::chess::Game::default();
/// let m = game.position().legal_moves()[0];
/// game.play(m)?;
/// assert_eq!(game.moves(), [m]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Game = crate::game::Game<Board>;

/// What positions and games are asked, and which function answers.
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
        make::make(position, m);
    }
    #[inline]
    fn pass(position: &mut Position) {
        make::pass(position);
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
        fen::parse_fen(fen, tolerance)
    }
    fn write_fen(position: &Position) -> String {
        fen::write_fen(position)
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
