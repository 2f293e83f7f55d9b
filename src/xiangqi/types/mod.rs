//! The basic types of xiangqi: squares, pieces, square sets, moves.
//!
//! Used everywhere in `xiangqi`; independent of positions.

pub mod bitboard;
pub mod moves;
pub mod piece;
pub mod ruleset;
pub mod square;

pub use bitboard::Bitboard;
pub use moves::{Move, MoveKind};
pub use piece::{Black, Kind, Red, Us};
pub(in crate::xiangqi) use ruleset::CheckCount;
pub use ruleset::{Repetition, Ruleset};
pub use square::Square;
