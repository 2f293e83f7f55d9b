//! The walk down to the positions whose moves are counted: list, copy, make.
//!
//! As the walk of plain counting, each colour is its own function and each ply runs inside a function
//! compiled for the CPU at hand. Called by the room's `columns`. No allocation, no keys.

use super::sets;
use crate::chess::board::movegen::{ALL, ChessList, generate};
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Black, Us, White};
use crate::game::{Columns, ListSink, Side};
use std::marker::PhantomData;

/// How the last ply is counted.
pub trait LastPly: Copy {
    /// What is collected on the way.
    type Memory;
    /// For the tree below `root`.
    fn memory(self, root: &Position) -> Self::Memory;
    /// Counts the moves of `U` in `pos`, now or later.
    fn moves<U: Us, C: Cpu>(self, cpu: C, pos: &Position, memory: &mut Self::Memory);
    /// Counts the moves in the positions after `moves`, which are legal moves of `T` in `pos`.
    #[inline(always)]
    fn moves_of_children<T: Us, C: Cpu>(
        self,
        cpu: C,
        pos: &Position,
        moves: &ChessList,
        memory: &mut Self::Memory,
    ) {
        for &m in moves {
            let mut child = *pos;
            child.make_as::<T>(m);
            self.moves::<T::Them, C>(cpu, &child, memory);
        }
    }
    /// Everything that has been counted; `U` is to move one ply above the leaves.
    fn finish<U: Us, C: Cpu>(self, cpu: C, memory: Self::Memory) -> Columns;
}

/// One position at a time by `sets`, on any CPU.
#[derive(Clone, Copy)]
pub struct OneByOne;

impl LastPly for OneByOne {
    type Memory = Columns;
    fn memory(self, _root: &Position) -> Columns {
        Columns::default()
    }
    #[inline(always)]
    fn moves<U: Us, C: Cpu>(self, cpu: C, pos: &Position, columns: &mut Columns) {
        cpu.run(Parent::<U> { pos, columns, us: PhantomData });
    }
    fn finish<U: Us, C: Cpu>(self, _cpu: C, columns: Columns) -> Columns {
        columns
    }
}

/// A leaf's parent with `U` to move.
struct Parent<'a, U> {
    pos: &'a Position,
    columns: &'a mut Columns,
    us: PhantomData<U>,
}

impl<U: Us> Task for Parent<'_, U> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        sets::count::<U, C>(self.pos, cpu, self.columns);
    }
}

/// The walk from a position of either colour; `depth` is at least 1.
pub struct Start<'a, K> {
    pub pos: &'a Position,
    pub depth: u32,
    pub leaves: K,
}

impl<K: LastPly> Task for Start<'_, K> {
    type Output = Columns;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Columns {
        let Start { pos, depth, leaves } = self;
        let mut memory = leaves.memory(pos);
        match pos.side() {
            Side::First => walk::<White, K, C>(pos, depth, cpu, leaves, &mut memory),
            Side::Second => walk::<Black, K, C>(pos, depth, cpu, leaves, &mut memory),
        }
        // One ply above the leaves the same side is to move as here if the number of plies is odd.
        if (pos.side() == Side::First) == (depth % 2 == 1) {
            leaves.finish::<White, C>(cpu, memory)
        } else {
            leaves.finish::<Black, C>(cpu, memory)
        }
    }
}

/// A node two plies above the leaves or more, with `U` to move.
struct Node<'a, U, K: LastPly> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
    memory: &'a mut K::Memory,
    us: PhantomData<U>,
}

impl<U: Us, K: LastPly> Task for Node<'_, U, K> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut list = ChessList::new();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        if self.depth == 2 {
            self.leaves.moves_of_children::<U, C>(cpu, self.pos, &list, self.memory);
            return;
        }
        for &m in &list {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            walk::<U::Them, K, C>(&child, self.depth - 1, cpu, self.leaves, self.memory);
        }
    }
}

#[inline(always)]
fn walk<U: Us, K: LastPly, C: Cpu>(
    pos: &Position,
    depth: u32,
    cpu: C,
    leaves: K,
    memory: &mut K::Memory,
) {
    if depth == 1 {
        leaves.moves::<U, C>(cpu, pos, memory);
    } else {
        cpu.run(Node::<U, K> { pos, depth, leaves, memory, us: PhantomData });
    }
}
