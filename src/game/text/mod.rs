//! FEN and moves as text: what both games share of reading and writing, errors, and explanations in words.

pub(crate) mod fault;
pub mod fen;
pub(crate) mod movetext;
pub mod notation;
