//! The basic types of chess: squares, pieces, sets of squares, moves.
//!
//! Nothing here depends on a position.

pub mod bitboard;
pub mod moves;
pub mod piece;
pub mod square;

pub use bitboard::{Bitboard, FILE_A, FILE_H};
pub use moves::{Move, MoveKind};
pub use piece::{Black, Kind, Us, White};
pub use square::Square;
