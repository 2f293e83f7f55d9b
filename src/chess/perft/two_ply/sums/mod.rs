//! The replies to ordinary moves in the positions of a batch, summed for all moves together: one file for each thing
//! that a move changes.
//!
//! "We" and "they" as in `two_ply`, which adds the four. Nothing here looks at special moves.

pub mod king_squares;
pub mod landing;
pub mod leaving;
pub mod unpinning;
