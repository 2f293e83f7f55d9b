//! Perft and its statistics one position and one move at a time: slow and simple, the reference for all other counts.

use crate::game::count::columns::Columns;
use crate::game::count::counting::Counting;
use crate::game::position::{Position, Rules};

/// [`Position::perft`] one position at a time. It is the kernel `scalar` of xiangqi; that of chess, which does the same
/// on bare boards, is `count_one_by_one` in `chess/perft/walk.rs`. The other kernels are tested against `scalar`, and
/// `scalar` against other programs.
pub fn perft_one_by_one<B: Rules>(pos: &Position<B>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => pos.count_legal(),
        _ => pos.legal_moves().into_iter().map(|m| perft_one_by_one(&pos.play_unchecked(m), depth - 1)).sum(),
    }
}

/// [`Position::statistics`] one move at a time: the slow, simple reference.
pub fn columns_one_by_one<B: Counting>(pos: &Position<B>, depth: u32) -> Columns {
    let mut columns = Columns::default();
    if depth == 0 {
        columns.nodes = 1;
        return columns;
    }
    for m in pos.legal_moves() {
        if depth == 1 {
            B::facts(pos, m).note(&mut columns);
        } else {
            columns += columns_one_by_one(&pos.play_unchecked(m), depth - 1);
        }
    }
    columns
}
