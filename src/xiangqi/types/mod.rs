//! The small types of xiangqi: squares, pieces, sets of squares, moves.
//!
//! Used by every other room of the game; nothing here knows a position.

pub mod bitboard;
pub mod moves;
pub mod piece;
pub mod square;
