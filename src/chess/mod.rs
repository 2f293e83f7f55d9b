//! Chess, Chess960 included: position, legal move generation, make, keys, notation.
//!
//! Peculiar to this game: moves carry the kind of piece that moves, so that `make` needs no board
//! look-up; castling is held as the set of rooks that may still castle and written as "king takes own
//! rook", so that Chess960 needs no code of its own; the en passant square is kept only when a pawn of
//! the side to move stands ready to capture on it.
//!
//! `contract.rs` implements the contracts of `game`; nothing here knows `perft`, `engine` or a protocol.

pub mod attacks;
pub mod bitboard;
pub mod book;
mod contract;
pub mod eval;
pub mod eval_weights;
pub mod lanes;
mod make;
pub mod movegen;
pub mod moves;
pub mod notation;
mod pawns;
pub mod piece;
mod polyglot_keys;
pub mod position;
pub mod repetition;
pub mod see;
pub mod square;
pub mod tables;

pub use bitboard::Bitboard;
pub use movegen::ChessList;
pub use moves::{Move, MoveKind};
pub use piece::Kind;
pub use position::{Placement, Position, PositionError};
pub use square::Square;
