//! The tree of first arrivals: from the base down, only moves that are the first to reach their position.
//!
//! Used by `pass` and `distinct`. A part of the tree is everything below one position of the base.

use super::marks::{Marks, Ranked};
use crate::game::WideKeyed;
use crate::perft::MAX_DEPTH;

/// The moves from one ply to the next: which of them are first arrivals.
pub struct Level {
    /// A bit for each move. The number of bits before one that is set is that of the position it leads to.
    pub marks: Ranked,
    /// For each part the number of moves before it, and at last the number of all.
    starts: Vec<u64>,
    /// For each part the number of positions before it, and at last the number of all.
    nodes: Vec<u64>,
}

impl Level {
    /// A level whose `marks` are complete; `starts` are the numbers of moves before each part.
    pub fn new(marks: Marks, starts: Vec<u64>) -> Level {
        let marks = Ranked::new(marks);
        let nodes = starts.iter().map(|&bit| marks.before(bit)).collect();
        Level { marks, starts, nodes }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.marks.bytes() + (self.starts.len() + self.nodes.len()) * 8
    }

    /// The number of moves.
    pub fn moves(&self) -> u64 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The number of positions they lead to.
    pub fn len(&self) -> u64 {
        self.nodes.last().copied().unwrap_or_default()
    }
}

/// The tree.
pub struct Tree<'a, P: WideKeyed> {
    /// The positions at the top, in order.
    pub base: Vec<P>,
    /// The plies below them.
    pub levels: Vec<Level>,
    /// The keys in use.
    pub keys: &'a P::Keys,
}

impl<P: WideKeyed> Tree<'_, P> {
    /// The number of positions of the lowest ply.
    pub fn nodes(&self) -> u64 {
        self.first_node(self.base.len())
    }

    /// The number of the first of them that belongs to `part`.
    pub fn first_node(&self, part: usize) -> u64 {
        self.levels.last().map_or(part as u64, |level| level.nodes[part])
    }

    /// Visits the positions of the lowest ply that belong to `part`, in order, with their keys.
    #[inline]
    pub fn walk(&self, part: usize, mut visit: impl FnMut(&P, u128)) {
        let mut moves = [0; MAX_DEPTH as usize];
        for (next, level) in moves.iter_mut().zip(&self.levels) {
            *next = level.starts[part];
        }
        let pos = &self.base[part];
        self.descend(pos, pos.wide_key(self.keys), &self.levels, &mut moves, &mut visit);
    }

    /// Visits what lies `levels` below `pos`; `moves` are the numbers of the next move of each level.
    fn descend(
        &self,
        pos: &P,
        key: u128,
        levels: &[Level],
        moves: &mut [u64],
        visit: &mut impl FnMut(&P, u128),
    ) {
        let (Some((level, below)), Some((next, moves))) =
            (levels.split_first(), moves.split_first_mut())
        else {
            return visit(pos, key);
        };
        let list = pos.legal_moves();
        for &m in list.as_slice() {
            let first = level.marks.marks.get(*next);
            *next += 1;
            if first {
                let key = pos.wide_key_after(self.keys, key, m);
                let mut child = *pos;
                child.make(m);
                self.descend(&child, key, below, moves, visit);
            }
        }
    }
}
