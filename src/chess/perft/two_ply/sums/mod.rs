//! The number of replies to ordinary moves in the positions of a batch, summed over all moves together. There is one
//! file for each kind of change that a move makes.
//!
//! "We" and "they" as in `two_ply`, which adds the four sums. Nothing here deals with special moves.

pub mod king_squares;
pub mod landing;
pub mod leaving;
pub mod unpinning;
