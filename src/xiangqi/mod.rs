//! Xiangqi (Chinese chess): positions, legal moves, FEN, moves as coordinates, ICCS and WXF, games, attacks.
//!
//! ```
//! use tabiya::xiangqi::{Game, Kind, Position, Side, Square};
//!
//! // A position: pieces by square and as sets.
//! let start = Position::default();
//! assert_eq!(start.piece_on(Square::E0), Some((Side::RED, Kind::King)));
//! assert_eq!(start.pieces(Side::BLACK, Kind::Soldier).count(), 5);
//!
//! // Its moves, in three notations, and the positions after them.
//! for m in start.legal_moves() {
//!     println!("{} {} {} {}", m, start.iccs(m), start.wxf(m), start.play(m)?);
//! }
//!
//! // A game, which knows the rules about repetition.
//! let mut game = Game::default();
//! for text in "C2=5 H8+7 H2+3".split(' ') {
//!     game.play_text(text)?;
//! }
//! assert_eq!((game.moves().len(), game.outcome()), (3, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs the feature `xiangqi`.
//!
//! # Differences from chess
//!
//! * The board has ten ranks of nine points, `a0` to `i9`, and sets of squares are `u128`.
//! * Cannons need a screen to capture; horses and elephants can be blocked.
//! * The kings may not face each other on an open file.
//! * A side without a legal move loses, and so does a side that checks or chases perpetually ([`Game::outcome`]).
//! * `==` and `Hash` of positions include the move counters and the numbering of ranks. [`Position::same_position`] is
//!   equality in the sense of the rules on repetition, and [`Position::key`] is equal then.

// Below, `impl Rules for Board` says which function does what a `Position` is asked. `perft` implements the trait
// `Counting`, `eval` the trait `Searchable`. Nothing here depends on the layers above.

#[doc(hidden)]
pub mod board;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod book;
#[cfg(feature = "search")]
#[doc(hidden)]
pub mod eval;
#[cfg(feature = "perft")]
mod perft;
#[doc(hidden)]
pub mod types;

pub use board::Board;
pub use board::attacks::attacks;
pub use board::placement::{Placement, PositionError};
pub use board::tables::between;
pub use types::bitboard::Bitboard;
pub use types::moves::{Move, MoveKind};
pub use types::piece::Kind;
pub use types::ruleset::{Repetition, Ruleset};
pub use types::square::Square;

#[cfg(feature = "perft")]
pub use crate::game::Columns;
pub use crate::game::{Fault, GameResult, IllegalMove, MoveText, Moves, NotationError, Outcome, Side};

use self::board::movegen::ChecksAndPins;
use self::board::repetition::Past;
use self::board::{Extra, fen, make, movegen, notation, repetition, wxf, zobrist};
use self::types::{Black, Red};
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::{Rules, Sink, Verdict};

/// A legal position of xiangqi; see [`game::Position`](crate::game::Position).
pub type Position = crate::game::position::Position<Board>;

/// A game of xiangqi: a position with the moves that led to it; see [`game::Game`](crate::game::Game).
///
/// ```
/// let mut game = tabiya::xiangqi::Game::default();
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
        make::make(position, m);
    }
    #[inline]
    fn pass(position: &mut Position) {
        make::pass(position);
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
        fen::parse_fen(fen, tolerance)
    }
    fn write_fen(position: &Position) -> String {
        fen::write_fen(position)
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
