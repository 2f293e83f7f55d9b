//! The number of legal moves of a side: the last ply of a perft tree.
//!
//! Does not list the moves.

use crate::base::cpu::with_bits;
use crate::game::CountSink;
use crate::game::position::moves::ALL;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::types::{Bitboard, Us};

with_bits! {
    /// The number of legal moves of `U`, the side to move.
    pub(super) fn count_legal<U: Us>(pos: &Board) -> u64 {
        let mut sink = CountSink::default();
        movegen::generate::<U, ALL, _>(pos, &ChecksAndPins::of::<U>(pos), Bitboard::ALL, &mut sink);
        sink.0
    }
}
