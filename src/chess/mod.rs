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

// `board` implements the trait `Rules` of `game`, `perft` the trait `Counting`, `eval` the trait `Searchable`. Nothing
// here depends on the crate's modules `perft`, `engine` or `protocol`.

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

/// A legal position of chess; see [`game::Position`](crate::game::Position).
pub type Position = crate::game::Position<Board>;

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
