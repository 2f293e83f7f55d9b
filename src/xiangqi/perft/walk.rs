//! The walk of the tree: one ply after another down to the last plies, which are counted together.

use crate::game::moves::ALL;
use crate::game::{ListSink, Moves, Rules as _, Side};
use crate::xiangqi::board::Board;
use crate::xiangqi::types::{Black, Red};

/// Calls `last` with each position `plies` plies below `pos`, once for each sequence of moves that leads there.
pub(super) fn walk(pos: &Board, plies: u32, last: &mut impl FnMut(&Board)) {
    if plies == 0 {
        return last(pos);
    }
    let mut list = Moves::new();
    pos.generate::<ALL, _>(&pos.compute_checks_and_pins(), &mut ListSink(&mut list));
    for &m in &list {
        let mut child = *pos;
        match pos.side {
            Side::First => child.make_as::<Red>(m),
            Side::Second => child.make_as::<Black>(m),
        };
        walk(&child, plies - 1, last);
    }
}
