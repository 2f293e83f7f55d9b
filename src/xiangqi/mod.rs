//! Xiangqi: position, legal move generation, make, keys, notation, repetition.
//!
//! Peculiar to this game: the board has ten ranks of nine points, so sets of squares are `u128`;
//! cannons need a screen, horses and elephants can be blocked, kings may not face each other on an open
//! file; whoever cannot move has lost, and whoever checks or chases for ever loses too (`repetition`).
//!
//! `contract.rs` implements the contracts of `game`; nothing here knows `perft`, `engine` or a protocol.

pub mod attacks;
pub mod bitboard;
pub mod book;
mod contract;
mod count;
pub mod eval;
pub mod eval_features;
pub mod eval_weights;
mod make;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod position;
pub mod repetition;
pub mod see;
pub mod square;
pub mod tables;

pub use bitboard::Bitboard;
pub use movegen::XiangqiList;
pub use moves::{Move, MoveKind};
pub use piece::Kind;
pub use position::{Placement, Position, PositionError};
pub use square::Square;
