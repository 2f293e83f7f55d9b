//! The walk of the tree: one ply after another down to the last plies, which are counted together.

use crate::game::moves::ALL;
use crate::game::{ListSink, Moves, Rules as _, Side};
use crate::xiangqi::board::Board;
use crate::xiangqi::types::{Black, Red};

/// Calls `last` with each position `plies` plies below `board`, once for each sequence of moves that leads there.
pub(super) fn walk(board: &Board, plies: u32, last: &mut impl FnMut(&Board)) {
    if plies == 0 {
        return last(board);
    }
    let mut list = Moves::new();
    board.generate::<ALL, _>(&board.compute_checks_and_pins(), &mut ListSink(&mut list));
    for &m in &list {
        let mut child = *board;
        match board.side {
            Side::First => child.make_as::<Red>(m),
            Side::Second => child.make_as::<Black>(m),
        };
        walk(&child, plies - 1, last);
    }
}
