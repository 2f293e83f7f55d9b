//! Zobrist keys (Albert Zobrist, 1970), which a position owns and [`Position::make`] brings up to date. Plain perft
//! computes no keys.
//!
//! [`Position::make`]: crate::game::Position::make

use super::Board;
use super::tables;
use crate::game::Side;
use crate::xiangqi::types::Kind;

/// The key, from scratch.
pub(in crate::xiangqi) fn key(board: &Board) -> u64 {
    let mut key = if board.side == Side::Second { tables::side_key() } else { 0 };
    for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
        for square in board.pieces(side, kind) {
            key ^= tables::piece_key(side, kind, square);
        }
    }
    key
}
