//! The tree walk: generate, copy and make. It visits the positions above the last plies, which are counted without
//! listing moves.
//!
//! White is to move in every node: the board is flipped after every move, so the walk is compiled for one colour. No
//! allocation, no keys, no node counters.

use crate::chess::board::Board;
use crate::chess::board::movegen::{ALL, ChecksAndPins, count_legal, generate};
use crate::chess::types::{Bitboard, Move, Us, White};
use crate::game::{ListSink, Moves};

impl Board {
    /// The board flipped vertically with the colours swapped. It has the corresponding moves.
    pub(in crate::chess) fn flipped(&self) -> Board {
        let [white, black] = self.sides.map(Bitboard::flipped);
        Board {
            kinds: self.kinds.map(Bitboard::flipped),
            sides: [black, white],
            castling: self.castling.flipped(),
            en_passant: self.en_passant.flipped(),
            side: self.side.flip(),
        }
    }

    /// The board itself if White is to move, otherwise flipped.
    pub(super) fn with_white_to_move(&self) -> Board {
        if self.side == White::SIDE { *self } else { self.flipped() }
    }
}

/// The position after a legal move of White in `board`, flipped.
#[inline(always)]
pub fn child(board: &Board, m: Move) -> Board {
    let mut child = *board;
    child.make_as::<White>(m);
    child.flipped()
}

/// White's legal moves.
pub fn moves(board: &Board) -> Moves<Move> {
    let mut list = Moves::new();
    generate::<White, ALL, _>(board, &ChecksAndPins::of::<White>(board), Bitboard::ALL, &mut ListSink(&mut list));
    list
}

/// Calls `visit` with every position `plies` plies below `board`, in which White is to move.
pub fn walk(board: &Board, plies: u32, visit: &mut impl FnMut(&Board)) {
    if plies == 0 {
        visit(board);
        return;
    }
    for &m in &moves(board) {
        walk(&child(board, m), plies - 1, visit);
    }
}

/// Counts one position and one ply at a time: the kernel `scalar`, simple and slow, that the others are tested against.
/// `depth` is at least 1.
pub fn count_one_by_one(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    walk(&board.with_white_to_move(), depth - 1, &mut |board| {
        nodes += count_legal::<White>(board, &ChecksAndPins::of::<White>(board))
    });
    nodes
}
