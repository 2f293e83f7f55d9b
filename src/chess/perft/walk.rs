//! The walk down the tree: list, copy, make; at the last plies count without listing.
//!
//! The side to move is always White: after every move the board is turned, so that all of perft is compiled for one
//! colour. Each ply runs inside a function compiled for the CPU at hand ([`Cpu::run`]), and the last plies are counted
//! as [`Leaves`] say: moves by the kernels, columns by `columns`. No allocation, no keys, no counters.

use crate::chess::board::movegen::{ALL, generate};
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::{Us, White};
use crate::game::{CountSink, ListSink, Moves};
use std::marker::PhantomData;

/// How the last plies are counted. Whoever counts several positions together may keep some back: only what
/// [`Leaves::finish`] returns is complete.
pub trait Leaves: Copy {
    /// The number of plies that are counted together.
    const PLIES: u32;
    /// What is counted so far, and buffers.
    type Memory;
    /// What the walk returns.
    type Output;
    /// For the tree below `root`, turned as the positions that are counted; there Black may be to move.
    fn start(self, root: &Position) -> Self::Memory;
    /// Counts the sequences of [`Leaves::PLIES`] plies from `pos`, where White is to move, now or later.
    fn count<C: Cpu>(self, cpu: C, pos: &Position, memory: &mut Self::Memory);
    /// The same for all positions after `moves`, which are legal in `pos`, where White is to move.
    #[inline(always)]
    fn count_children<C: Cpu>(
        self,
        cpu: C,
        pos: &Position,
        moves: &[Move],
        memory: &mut Self::Memory,
    ) {
        for &m in moves {
            self.count(cpu, &child(pos, m), memory);
        }
    }
    /// Everything that has been counted. Implementations mark it `#[inline(always)]`, as it may use vectors.
    fn finish<C: Cpu>(self, cpu: C, memory: Self::Memory) -> Self::Output;
}

/// One position at a time: the slow and obvious counter that the others are compared with.
#[derive(Clone, Copy)]
pub struct ScalarLeaves;

impl Leaves for ScalarLeaves {
    const PLIES: u32 = 1;
    type Memory = u64;
    type Output = u64;
    fn start(self, _root: &Position) -> u64 {
        0
    }
    #[inline(always)]
    fn count<C: Cpu>(self, cpu: C, pos: &Position, nodes: &mut u64) {
        *nodes += cpu.run(CountMoves::<White> { pos, us: PhantomData });
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, nodes: u64) -> u64 {
        nodes
    }
}

/// The position after a legal move of White in `pos`, turned.
#[inline(always)]
pub fn child(pos: &Position, m: Move) -> Position {
    let mut child = *pos;
    child.make_as::<White>(m);
    child.turned()
}

/// Counting the legal moves of `U` without making them.
pub struct CountMoves<'a, U> {
    pub pos: &'a Position,
    pub us: PhantomData<U>,
}

impl<U: Us> Task for CountMoves<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut count = CountSink::default();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut count);
        count.0
    }
}

/// The walk from a position of either colour; `depth` is at least [`Leaves::PLIES`].
pub struct Start<'a, K> {
    pub pos: &'a Position,
    pub depth: u32,
    pub leaves: K,
}

impl<K: Leaves> Task for Start<'_, K> {
    type Output = K::Output;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> K::Output {
        let Start { pos, depth, leaves } = self;
        debug_assert!(depth >= K::PLIES);
        let pos = &if pos.side() == White::SIDE { *pos } else { pos.turned() };
        let turns_again = (depth - K::PLIES) % 2 != 0;
        let mut memory = leaves.start(&if turns_again { pos.turned() } else { *pos });
        walk(pos, depth, cpu, leaves, &mut memory);
        leaves.finish(cpu, memory)
    }
}

#[inline(always)]
fn walk<K: Leaves, C: Cpu>(pos: &Position, depth: u32, cpu: C, leaves: K, memory: &mut K::Memory) {
    if depth == K::PLIES {
        leaves.count(cpu, pos, memory);
    } else {
        cpu.run(Node { pos, depth, leaves, memory });
    }
}

/// A node above the last plies.
struct Node<'a, K: Leaves> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
    memory: &'a mut K::Memory,
}

impl<K: Leaves> Task for Node<'_, K> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Node { pos, depth, leaves, memory } = self;
        let mut list = Moves::new();
        generate::<White, ALL, C, _>(pos, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        if depth == K::PLIES + 1 {
            leaves.count_children(cpu, pos, &list, memory);
            return;
        }
        for &m in &list {
            walk(&child(pos, m), depth - 1, cpu, leaves, memory);
        }
    }
}
