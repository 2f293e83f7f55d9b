//! The basic types of chess: squares, pieces, sets of squares, moves.
//!
//! Used by all other chess modules. Nothing here depends on a position.

pub mod bitboard;
pub mod moves;
pub mod piece;
pub mod square;
