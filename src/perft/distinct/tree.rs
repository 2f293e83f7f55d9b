//! The tree of first arrivals: from the base down, it contains only moves that are the first to reach their position.
//!
//! Used by `pass` and `distinct`. A part of the tree is everything below one base position.

use super::marks::{Marks, Ranked};
use crate::game::WideKeyed;
use crate::game::played::after;
use crate::perft::MAX_DEPTH;

/// The moves from one ply to the next, marking the first arrivals.
pub struct Level {
    /// One bit per move. The number of set bits before a set bit is the number of the position it leads to.
    pub marks: Ranked,
    /// The number of moves before each part, then the total.
    starts: Vec<u64>,
    /// The number of positions before each part, then the total.
    nodes: Vec<u64>,
}

impl Level {
    /// A level with complete `marks`; `starts` are the numbers of moves before each part.
    pub fn new(marks: Marks, starts: Vec<u64>) -> Level {
        let marks = Ranked::new(marks);
        let nodes = starts.iter().map(|&bit| marks.before(bit)).collect();
        Level { marks, starts, nodes }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.marks.bytes() + (self.starts.len() + self.nodes.len()) * 8
    }

    /// Number of moves.
    pub fn moves(&self) -> u64 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// Number of positions they lead to.
    pub fn len(&self) -> u64 {
        self.nodes.last().copied().unwrap_or_default()
    }
}

/// The tree.
pub struct Tree<'a, P: WideKeyed> {
    /// The base positions, in order.
    pub base: Vec<P>,
    /// The plies below the base.
    pub levels: Vec<Level>,
    /// The random numbers of the keys.
    pub keys: &'a P::Keys,
}

impl<P: WideKeyed> Tree<'_, P> {
    /// Number of positions of the lowest ply.
    pub fn nodes(&self) -> u64 {
        self.first_node(self.base.len())
    }

    /// The number of the first lowest-ply position of `part`.
    pub fn first_node(&self, part: usize) -> u64 {
        self.levels.last().map_or(part as u64, |level| level.nodes[part])
    }

    /// Visits the lowest-ply positions of `part`, in order, with their keys.
    #[inline]
    pub fn walk(&self, part: usize, mut visit: impl FnMut(&P, u128)) {
        let mut moves = [0; MAX_DEPTH as usize];
        for (next, level) in moves.iter_mut().zip(&self.levels) {
            *next = level.starts[part];
        }
        let pos = &self.base[part];
        self.descend(pos, pos.wide_key(self.keys), &self.levels, &mut moves, &mut visit);
    }

    /// Visits the positions `levels` below `pos`; `moves` are the numbers of the next move on each level.
    fn descend(&self, pos: &P, key: u128, levels: &[Level], moves: &mut [u64], visit: &mut impl FnMut(&P, u128)) {
        let (Some((level, below)), Some((next, moves))) = (levels.split_first(), moves.split_first_mut()) else {
            return visit(pos, key);
        };
        let list = pos.legal_moves();
        for &m in list.as_slice() {
            let first = level.marks.marks.get(*next);
            *next += 1;
            if first {
                let key = pos.wide_key_after(self.keys, key, m);
                self.descend(&after(pos, m), key, below, moves, visit);
            }
        }
    }
}
