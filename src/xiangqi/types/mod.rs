//! The basic types of xiangqi: squares, pieces, square sets, moves.
//!
//! Used everywhere in `xiangqi`; independent of positions.

pub mod bitboard;
pub mod moves;
pub mod piece;
pub mod ruleset;
pub mod square;
