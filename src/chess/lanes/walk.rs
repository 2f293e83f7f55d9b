//! The perft walk: list, copy, make; at the last plies count without listing.
//!
//! Each colour is its own function, each ply runs inside a function compiled for the CPU at hand
//! ([`Cpu::run`]), and the last plies are counted as the kernel `K` says. No allocation, no keys, no
//! counters.

use super::changes::Scratch;
use super::replies;
use crate::chess::bitboard::Bitboard;
use crate::chess::movegen::{ALL, ChessList, generate};
use crate::chess::piece::{Black, Us, White};
use crate::chess::position::Position;
use crate::chess::tables::{Cpu, Task};
use crate::game::{CountSink, ListSink, Side};
use std::marker::PhantomData;

/// How the last plies are counted.
pub(super) trait Leaves: Copy {
    /// Whether the last two plies are counted together.
    const TOGETHER: bool;
}

/// One position at a time: the slow and obvious counter that the others are compared with.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

impl Leaves for Scalar {
    const TOGETHER: bool = false;
}

/// Two plies at once by `replies`, on any CPU.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Leaves for Portable {
    const TOGETHER: bool = true;
}

/// The walk from a position of either colour; `depth` is at least 1.
pub(super) struct Start<'a, K> {
    pos: &'a Position,
    depth: u32,
    leaves: PhantomData<K>,
}

impl<'a, K: Leaves> Start<'a, K> {
    pub fn new(pos: &'a Position, depth: u32, _leaves: K) -> Self {
        Start { pos, depth, leaves: PhantomData }
    }
}

impl<K: Leaves> Task for Start<'_, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let scratch = &mut Scratch::new();
        match self.pos.side() {
            Side::First => walk::<White, K, C>(self.pos, self.depth, cpu, scratch),
            Side::Second => walk::<Black, K, C>(self.pos, self.depth, cpu, scratch),
        }
    }
}

/// One node of the walk with `U` to move.
struct Node<'a, U, K> {
    pos: &'a Position,
    depth: u32,
    scratch: &'a mut Scratch,
    specialised: PhantomData<(U, K)>,
}

impl<U: Us, K: Leaves> Task for Node<'_, U, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut list = ChessList::new();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        let mut nodes = 0;
        for &m in &list {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            nodes += walk::<U::Them, K, C>(&child, self.depth - 1, cpu, self.scratch);
        }
        nodes
    }
}

/// A leaf's parent with `U` to move: its moves are counted, not made.
struct Parent<'a, U> {
    pos: &'a Position,
    us: PhantomData<U>,
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

/// Two plies above the leaves: most moves are counted together, the special ones are made.
struct Grandparent<'a, U> {
    pos: &'a Position,
    scratch: &'a mut Scratch,
    us: PhantomData<U>,
}

impl<U: Us> Task for Grandparent<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut nodes = replies::count::<U, C>(self.pos, cpu, self.scratch);
        for &m in &self.scratch.special {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            nodes += cpu.run(Parent::<U::Them> { pos: &child, us: PhantomData });
        }
        nodes
    }
}

#[inline(always)]
fn walk<U: Us, K: Leaves, C: Cpu>(
    pos: &Position,
    depth: u32,
    cpu: C,
    scratch: &mut Scratch,
) -> u64 {
    if depth == 1 {
        cpu.run(Parent::<U> { pos, us: PhantomData })
    } else if K::TOGETHER && depth == 2 {
        cpu.run(Grandparent::<U> { pos, scratch, us: PhantomData })
    } else {
        cpu.run(Node::<U, K> { pos, depth, scratch, specialised: PhantomData })
    }
}
