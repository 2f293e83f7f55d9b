//! Chess, Chess960 included: position, legal move generation, make, keys, notation.
//!
//! Peculiar to this game: moves carry the kind of piece that moves, so that `make` needs no board
//! look-up; castling is held as the set of rooks that may still castle and written as "king takes own
//! rook", so that Chess960 needs no code of its own; the en passant square is kept only when a pawn of
//! the side to move stands ready to capture on it.
//!
//! `contract.rs` implements the contracts of `game`; nothing here knows `perft`, `engine` or a protocol.

pub mod board;
pub mod book;
mod contract;
pub mod eval;
mod front;
pub mod perft;
pub mod tablebase;
pub mod types;

pub use board::position::{Placement, Position, PositionError};
pub use types::bitboard::Bitboard;
pub use types::moves::{Move, MoveKind};
pub use types::piece::Kind;
pub use types::square::Square;

pub use crate::game::{IllegalMove, Outcome, Side};

/// A game of chess: a position with the moves that led to it.
pub type Game = crate::game::Game<Position>;
