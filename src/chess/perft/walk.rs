//! The tree walk: generate, copy and make, down to the last plies, which are counted without listing moves.
//!
//! The side to move is always White: the board is flipped after every move, so all of perft is compiled for one
//! colour. Each node runs in a function compiled for this CPU ([`Cpu::run`]). An implementation of [`Leaves`] counts
//! the last plies: the kernels count moves, `columns` counts statistics. No allocation, no keys, no node counters.

use crate::base::cpu::{Cpu, Task, with_bits};
use crate::chess::board::Board;
use crate::chess::board::movegen::{ALL, ChecksAndPins, generate};
use crate::chess::types::{Bitboard, Move, Us, White};
use crate::game::{CountSink, ListSink, Moves};

/// How the last plies are counted. An implementation may collect positions and count them in groups, so only the
/// result of [`Leaves::finish`] is complete.
pub trait Leaves: Copy {
    /// The number of plies that are counted together.
    const PLIES: u32;
    /// The counts so far, and buffers.
    type Memory;
    /// The result of the walk.
    type Output;
    /// Prepares to count positions of the tree below `root`. `root` is flipped as those positions are, so Black may
    /// be to move in it. Implementations mark it `#[inline(always)]`, so that the buffers are not copied.
    fn start(self, root: &Board) -> Self::Memory;
    /// Counts the sequences of [`Leaves::PLIES`] plies from `pos`, in which White is to move, now or later.
    fn count<C: Cpu>(self, cpu: C, pos: &Board, memory: &mut Self::Memory);
    /// The same for the positions after each of `moves`, which are legal in `pos`. White is to move in `pos`.
    #[inline(always)]
    fn count_children<C: Cpu>(self, cpu: C, pos: &Board, moves: &[Move], memory: &mut Self::Memory) {
        for &m in moves {
            self.count(cpu, &child(pos, m), memory);
        }
    }
    /// The complete count. Implementations mark it `#[inline(always)]`, as it may use vectors.
    fn finish<C: Cpu>(self, cpu: C, memory: &mut Self::Memory) -> Self::Output;
}

/// Counts one position at a time: the simple, slow counter that the others are tested against.
#[derive(Clone, Copy)]
pub struct ScalarLeaves;

impl Leaves for ScalarLeaves {
    const PLIES: u32 = 1;
    type Memory = u64;
    type Output = u64;
    #[inline(always)]
    fn start(self, _root: &Board) -> u64 {
        0
    }
    #[inline(always)]
    fn count<C: Cpu>(self, _cpu: C, pos: &Board, nodes: &mut u64) {
        *nodes += count_moves::<White>(pos);
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, nodes: &mut u64) -> u64 {
        *nodes
    }
}

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
}

/// The position after a legal move of White in `pos`, flipped.
#[inline(always)]
pub fn child(pos: &Board, m: Move) -> Board {
    let mut child = *pos;
    child.make_as::<White>(m);
    child.flipped()
}

with_bits! {
    /// The number of legal moves of `U`, who is to move.
    pub fn count_moves<U: Us>(pos: &Board) -> u64 {
        let mut count = CountSink::default();
        generate::<U, ALL, _>(pos, &ChecksAndPins::of::<U>(pos), Bitboard::ALL, &mut count);
        count.0
    }
}

/// The walk from a position with either side to move. `depth` is at least [`Leaves::PLIES`].
pub struct Start<'a, K> {
    pub pos: &'a Board,
    pub depth: u32,
    pub leaves: K,
}

impl<K: Leaves> Task for Start<'_, K> {
    type Output = K::Output;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> K::Output {
        let Start { pos, depth, leaves } = self;
        debug_assert!(depth >= K::PLIES);
        let pos = &if pos.side() == White::SIDE { *pos } else { pos.flipped() };
        let flips_again = (depth - K::PLIES) % 2 != 0;
        let mut memory = leaves.start(&if flips_again { pos.flipped() } else { *pos });
        walk(pos, depth, cpu, leaves, &mut memory);
        leaves.finish(cpu, &mut memory)
    }
}

#[inline(always)]
fn walk<K: Leaves, C: Cpu>(pos: &Board, depth: u32, cpu: C, leaves: K, memory: &mut K::Memory) {
    if depth == K::PLIES {
        leaves.count(cpu, pos, memory);
    } else {
        cpu.run(Node { pos, depth, leaves, memory });
    }
}

/// A node above the last plies.
struct Node<'a, K: Leaves> {
    pos: &'a Board,
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
        generate::<White, ALL, _>(pos, &ChecksAndPins::of::<White>(pos), Bitboard::ALL, &mut ListSink(&mut list));
        if depth == K::PLIES + 1 {
            leaves.count_children(cpu, pos, &list, memory);
            return;
        }
        for &m in &list {
            walk(&child(pos, m), depth - 1, cpu, leaves, memory);
        }
    }
}
