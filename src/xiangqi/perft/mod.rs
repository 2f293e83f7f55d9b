//! Counting the leaves of a perft tree of xiangqi.
//!
//! Called by `xiangqi::contract` as the xiangqi form of `Rules::perft`.

pub(in crate::xiangqi) mod two_ply;
