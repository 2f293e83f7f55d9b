//! Xiangqi: position, legal move generation, make, keys, notation, repetition.
//!
//! Peculiar to this game: the board has ten ranks of nine points, so sets of squares are `u128`;
//! cannons need a screen, horses and elephants can be blocked, kings may not face each other on an open
//! file; whoever cannot move has lost, and whoever checks or chases for ever loses too (`repetition`).
//!
//! `contract.rs` implements the contracts of `game`; nothing here knows `perft`, `engine` or a protocol.

pub mod board;
pub mod book;
mod contract;
pub mod eval;
mod front;
mod perft;
pub mod types;

pub use board::position::{Placement, Position, PositionError};
pub use types::bitboard::Bitboard;
pub use types::moves::{Move, MoveKind};
pub use types::piece::Kind;
pub use types::square::Square;

pub use crate::game::{IllegalMove, Outcome, Side};

/// A game of xiangqi: a position with the moves that led to it.
pub type Game = crate::game::Game<Position>;
