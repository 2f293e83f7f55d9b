//! Games that are played: positions with their history, and how they end.

pub mod game;
pub(crate) mod outcome;
