//! Zobrist keys (Albert Zobrist, 1970), which a position owns and [`Position::make`] brings up to date. Plain perft
//! never uses keys.
//!
//! [`Position::make`]: crate::game::Position::make

use super::Board;
use super::movegen;
use super::tables;
use crate::chess::types::Kind;
use crate::game::Side;

/// The key, from scratch.
pub(in crate::chess) fn key(board: &Board) -> u64 {
    let mut key = if board.side == Side::Second { tables::side_key() } else { 0 };
    for (side, kind) in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
        for square in board.pieces(side, kind) {
            key ^= tables::piece_key(side, kind, square);
        }
    }
    for rook in board.castling {
        key ^= tables::castling_key(rook);
    }
    key ^ en_passant_key(board)
}

/// What the square of en passant adds to the key. It counts only if a capture there is legal, so that positions with
/// the same legal moves have the same key.
#[inline]
pub(super) fn en_passant_key(board: &Board) -> u64 {
    match board.en_passant() {
        Some(square) if movegen::has_legal_en_passant(board) => tables::en_passant_key(square),
        _ => 0,
    }
}
