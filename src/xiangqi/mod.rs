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

// `board` implements the trait `Rules` of `game`, `perft` the trait `Counting`, `eval` the trait `Searchable`. Nothing
// here depends on the layers above.

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

/// A legal position of xiangqi; see [`game::Position`](crate::game::Position).
pub type Position = crate::game::Position<Board>;

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
