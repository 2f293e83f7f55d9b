//! Chess, including Chess960: position, legal move generation, making moves, Zobrist keys and notation.
//!
//! Three things are specific to this game. A move contains the kind of the moving piece, so `make` needs no board
//! look-up. Castling rights are stored as the set of rooks that may still castle, and castling is encoded as "king
//! takes own rook", so Chess960 needs no code of its own. The en passant square is kept only if a pawn of the side to
//! move attacks it.
//!
//! `contract.rs` implements the traits of `game`. Nothing here depends on the crate's modules `perft`, `engine` or
//! `protocol`.

#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod book;
mod contract;
#[doc(hidden)]
pub mod eval;
mod front;
pub mod perft;
#[doc(hidden)]
pub mod tablebase;
#[doc(hidden)]
pub mod types;

pub use board::position::{Placement, Position, PositionError};
pub use types::bitboard::Bitboard;
pub use types::moves::{Move, MoveKind};
pub use types::piece::Kind;
pub use types::square::Square;

pub use crate::game::{
    Columns, GameResult, IllegalMove, MoveText, Moves, NotationError, Outcome, Side,
};

/// A game of chess: a position with the moves that led to it.
pub type Game = crate::game::Game<Position>;
