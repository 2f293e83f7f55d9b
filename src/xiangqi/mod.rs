//! Xiangqi: position, legal move generation, make, keys, notation, repetition, evaluation, opening books, perft.
//!
//! Differences from chess: the board has ten ranks of nine points, so square sets are `u128`. Cannons need a screen,
//! and horses and elephants can be blocked. The kings may not face each other on an open file. A side without a legal
//! move loses, and so does a side that checks or chases perpetually (`repetition`).
//!
//! `contract.rs` implements the traits of `game`. Nothing here depends on the layers above.

#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod book;
mod contract;
#[doc(hidden)]
pub mod eval;
mod front;
mod perft;
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

/// A game of xiangqi: a position with the moves that led to it.
pub type Game = crate::game::Game<Position>;
