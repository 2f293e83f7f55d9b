//! The perft walk: list, copy, make; at the last plies count without listing.
//!
//! Each colour is its own function, each ply runs inside a function compiled for the CPU at hand
//! ([`Cpu::run`]), and the last plies are counted as the kernel `K` says. No allocation, no keys, no
//! counters.

use crate::chess::board::movegen::{ALL, ChessList, generate};
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Black, Us, White};
use crate::game::{CountSink, ListSink, Side};
use std::marker::PhantomData;

/// How the last plies are counted.
pub(super) trait LeafCounter: Copy {
    /// Whether the last two plies are counted together.
    const TWO_PLIES: bool;
    /// What the walk reuses at every node instead of clearing it.
    type Buffers;
    /// For the tree below `root`.
    fn buffers(root: &Position) -> Self::Buffers;
    /// Counts the sequences of two plies from `pos`. A counter that works on several positions together may
    /// keep this one back and return what it has finished now, of whichever positions: only the sum of all
    /// calls and of the last [`LeafCounter::flush`] is the number of sequences from all of them.
    fn perft2<U: Us, C: Cpu>(self, cpu: C, pos: &Position, buffers: &mut Self::Buffers) -> u64;
    /// The same for all positions after `moves`, which are legal moves of `T` in `pos`.
    #[inline(always)]
    fn perft2_of_children<T: Us, C: Cpu>(
        self,
        cpu: C,
        pos: &Position,
        moves: &ChessList,
        buffers: &mut Self::Buffers,
    ) -> u64 {
        let mut nodes = 0;
        for &m in moves {
            let mut child = *pos;
            child.make_as::<T>(m);
            nodes += self.perft2::<T::Them, C>(cpu, &child, buffers);
        }
        nodes
    }
    /// What `perft2` has kept back.
    #[inline(always)]
    fn flush<U: Us, C: Cpu>(self, _cpu: C, _memory: &mut Self::Buffers) -> u64 {
        0
    }
}

/// One position at a time: the slow and obvious counter that the others are compared with.
#[derive(Clone, Copy)]
pub(super) struct ScalarLeaves;

impl LeafCounter for ScalarLeaves {
    const TWO_PLIES: bool = false;
    type Buffers = ();
    fn buffers(_root: &Position) {}
    #[inline(always)]
    fn perft2<U: Us, C: Cpu>(self, cpu: C, pos: &Position, buffers: &mut ()) -> u64 {
        cpu.run(Node::<U, Self> { pos, depth: 2, leaves: self, buffers, us: PhantomData })
    }
}

/// The walk from a position of either colour; `depth` is at least 1.
pub(super) struct Start<'a, K> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
}

impl<'a, K: LeafCounter> Start<'a, K> {
    pub fn new(pos: &'a Position, depth: u32, leaves: K) -> Self {
        Start { pos, depth, leaves }
    }
}

impl<K: LeafCounter> Task for Start<'_, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Start { pos, depth, leaves } = self;
        let buffers = &mut K::buffers(pos);
        let nodes = match pos.side() {
            Side::First => walk::<White, K, C>(pos, depth, cpu, leaves, buffers),
            Side::Second => walk::<Black, K, C>(pos, depth, cpu, leaves, buffers),
        };
        // Two plies above the leaves the same side is to move as here if the number of plies is even.
        let rest = if (pos.side() == Side::First) == (depth % 2 == 0) {
            leaves.flush::<White, C>(cpu, buffers)
        } else {
            leaves.flush::<Black, C>(cpu, buffers)
        };
        nodes + rest
    }
}

/// One node of the walk with `U` to move.
struct Node<'a, U, K: LeafCounter> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
    buffers: &'a mut K::Buffers,
    us: PhantomData<U>,
}

impl<U: Us, K: LeafCounter> Task for Node<'_, U, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut list = ChessList::new();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        if K::TWO_PLIES && self.depth == 3 {
            return self.leaves.perft2_of_children::<U, C>(cpu, self.pos, &list, self.buffers);
        }
        let mut nodes = 0;
        for &m in &list {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            nodes += walk::<U::Them, K, C>(&child, self.depth - 1, cpu, self.leaves, self.buffers);
        }
        nodes
    }
}

/// A leaf's parent with `U` to move: its moves are counted, not made.
pub(super) struct Parent<'a, U> {
    pub pos: &'a Position,
    pub us: PhantomData<U>,
}

impl<U: Us> Task for Parent<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut count = CountSink::default();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut count);
        count.0
    }
}

#[inline(always)]
fn walk<U: Us, K: LeafCounter, C: Cpu>(
    pos: &Position,
    depth: u32,
    cpu: C,
    leaves: K,
    buffers: &mut K::Buffers,
) -> u64 {
    if depth == 1 {
        cpu.run(Parent::<U> { pos, us: PhantomData })
    } else if K::TWO_PLIES && depth == 2 {
        leaves.perft2::<U, C>(cpu, pos, buffers)
    } else {
        cpu.run(Node::<U, K> { pos, depth, leaves, buffers, us: PhantomData })
    }
}
