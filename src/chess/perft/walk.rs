//! The perft walk: list, copy, make; at the last plies count without listing.
//!
//! Each colour is its own function, each ply runs inside a function compiled for the CPU at hand
//! ([`Cpu::run`]), and the last plies are counted as the kernel `K` says. No allocation, no keys, no
//! counters.

use crate::chess::board::movegen::{ALL, ChessList, generate};
use crate::chess::board::position::Position;
use crate::chess::board::tables::{Cpu, Task};
use crate::chess::perft::lanes::children::Brood;
use crate::chess::perft::lanes::legal_count::Eight;
use crate::chess::perft::portable;
use crate::chess::perft::portable::deltas::Scratch;
use crate::chess::perft::simd::{LANES, Vector};
use crate::chess::perft::two_ply::made_moves::Specials;
use crate::chess::perft::two_ply::{self, Pairs};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::{Black, Us, White};
use crate::game::{CountSink, ListSink, Side};
use std::marker::PhantomData;

/// How the last plies are counted.
pub(super) trait Leaves: Copy {
    /// Whether the last two plies are counted together.
    const TOGETHER: bool;
    /// What the walk reuses at every node instead of clearing it.
    type Memory;
    /// For the tree below `root`.
    fn memory(root: &Position) -> Self::Memory;
    /// The number of sequences of two plies from `pos`. Some of it may be given back by a later call.
    fn twice<U: Us, C: Cpu>(self, cpu: C, pos: &Position, memory: &mut Self::Memory) -> u64;
    /// The sum of these numbers for the positions after `moves`, which are legal moves of `T` in `pos`.
    #[inline(always)]
    fn twice_after_each<T: Us, C: Cpu>(
        self,
        cpu: C,
        pos: &Position,
        moves: &ChessList,
        memory: &mut Self::Memory,
    ) -> u64 {
        let mut nodes = 0;
        for &m in moves {
            let mut child = *pos;
            child.make_as::<T>(m);
            nodes += self.twice::<T::Them, C>(cpu, &child, memory);
        }
        nodes
    }
    /// What `twice` has kept back.
    #[inline(always)]
    fn rest<U: Us, C: Cpu>(self, _cpu: C, _memory: &mut Self::Memory) -> u64 {
        0
    }
}

/// One position at a time: the slow and obvious counter that the others are compared with.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

impl Leaves for Scalar {
    const TOGETHER: bool = false;
    type Memory = ();
    fn memory(_root: &Position) {}
    #[inline(always)]
    fn twice<U: Us, C: Cpu>(self, cpu: C, pos: &Position, memory: &mut ()) -> u64 {
        cpu.run(Node::<U, Self> { pos, depth: 2, leaves: self, memory, us: PhantomData })
    }
}

/// Two plies at once by `replies`, on any CPU.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Leaves for Portable {
    const TOGETHER: bool = true;
    type Memory = Scratch;
    fn memory(_root: &Position) -> Scratch {
        Scratch::new()
    }
    #[inline(always)]
    fn twice<U: Us, C: Cpu>(self, cpu: C, pos: &Position, scratch: &mut Scratch) -> u64 {
        cpu.run(Grandparent::<U> { pos, scratch, us: PhantomData })
    }
}

/// Two plies at once in eight positions at once.
#[derive(Clone, Copy)]
pub(super) struct Vectors<V: Vector>(pub V::Cpu);

/// What [`Vectors`] collects.
pub(super) struct Collected {
    pairs: Pairs,
    specials: Specials,
    eight: Eight,
}

impl<V: Vector> Leaves for Vectors<V> {
    const TOGETHER: bool = true;
    type Memory = Collected;
    fn memory(root: &Position) -> Collected {
        Collected { pairs: Pairs::new(root), specials: Specials::new(), eight: Eight::new() }
    }
    #[inline(always)]
    fn twice<U: Us, C: Cpu>(self, _cpu: C, pos: &Position, collected: &mut Collected) -> u64 {
        collected.pairs.push::<U>(pos);
        if collected.pairs.is_full() { self.drain::<U>(collected) } else { 0 }
    }
    #[inline(always)]
    fn twice_after_each<T: Us, C: Cpu>(
        self,
        _cpu: C,
        pos: &Position,
        moves: &ChessList,
        collected: &mut Collected,
    ) -> u64 {
        let cpu = self.0;
        let brood = Brood::<V>::new::<T>(cpu, pos);
        let mut nodes = 0;
        for group in moves.chunks(LANES) {
            let mut eight = [Move::NONE; LANES];
            for (slot, &m) in eight.iter_mut().zip(group) {
                *slot = m;
            }
            collected.pairs.push_children::<T, V>(cpu, &brood, &eight, group.len());
            if collected.pairs.is_full() {
                nodes += self.drain::<T::Them>(collected);
            }
        }
        nodes
    }
    #[inline(always)]
    fn rest<U: Us, C: Cpu>(self, _cpu: C, collected: &mut Collected) -> u64 {
        let nodes = self.drain::<U>(collected);
        nodes + self.0.run(DrainEight::<U::Them, V> { vectors: self, collected, us: PhantomData })
    }
}

impl<V: Vector> Vectors<V> {
    #[inline(always)]
    fn drain<U: Us>(self, collected: &mut Collected) -> u64 {
        self.0.run(DrainPairs::<U, V> { vectors: self, collected, us: PhantomData })
    }
}

/// Counting the positions two plies above the leaves that [`Vectors`] has collected.
struct DrainPairs<'a, U, V: Vector> {
    vectors: Vectors<V>,
    collected: &'a mut Collected,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for DrainPairs<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Collected { pairs, specials, eight } = &mut *self.collected;
        if pairs.is_empty() {
            return 0;
        }
        let mut nodes = two_ply::count::<U, V>(self.vectors.0, pairs, specials);
        for &(lane, m) in &specials.others {
            let mut child = pairs.position::<U>(usize::from(lane));
            child.make_as::<U>(m);
            nodes += eight.push::<U::Them, C>(cpu, &child);
            if eight.is_full() {
                nodes += eight.drain::<U::Them, V>(self.vectors.0, &pairs.wings);
            }
        }
        pairs.advance();
        nodes
    }
}

/// Counting the positions one ply above the leaves that are left, `U` to move.
struct DrainEight<'a, U, V: Vector> {
    vectors: Vectors<V>,
    collected: &'a mut Collected,
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for DrainEight<'_, U, V> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> u64 {
        let Collected { pairs, eight, .. } = self.collected;
        eight.drain::<U, V>(self.vectors.0, &pairs.wings)
    }
}

/// The walk from a position of either colour; `depth` is at least 1.
pub(super) struct Start<'a, K> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
}

impl<'a, K: Leaves> Start<'a, K> {
    pub fn new(pos: &'a Position, depth: u32, leaves: K) -> Self {
        Start { pos, depth, leaves }
    }
}

impl<K: Leaves> Task for Start<'_, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Start { pos, depth, leaves } = self;
        let memory = &mut K::memory(pos);
        let nodes = match pos.side() {
            Side::First => walk::<White, K, C>(pos, depth, cpu, leaves, memory),
            Side::Second => walk::<Black, K, C>(pos, depth, cpu, leaves, memory),
        };
        // Two plies above the leaves the same side is to move as here if the number of plies is even.
        let rest = if (pos.side() == Side::First) == (depth % 2 == 0) {
            leaves.rest::<White, C>(cpu, memory)
        } else {
            leaves.rest::<Black, C>(cpu, memory)
        };
        nodes + rest
    }
}

/// One node of the walk with `U` to move.
struct Node<'a, U, K: Leaves> {
    pos: &'a Position,
    depth: u32,
    leaves: K,
    memory: &'a mut K::Memory,
    us: PhantomData<U>,
}

impl<U: Us, K: Leaves> Task for Node<'_, U, K> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut list = ChessList::new();
        generate::<U, ALL, C, _>(self.pos, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        if K::TOGETHER && self.depth == 3 {
            return self.leaves.twice_after_each::<U, C>(cpu, self.pos, &list, self.memory);
        }
        let mut nodes = 0;
        for &m in &list {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            nodes += walk::<U::Them, K, C>(&child, self.depth - 1, cpu, self.leaves, self.memory);
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
        let mut nodes = portable::count::<U, C>(self.pos, cpu, self.scratch);
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
    leaves: K,
    memory: &mut K::Memory,
) -> u64 {
    if depth == 1 {
        cpu.run(Parent::<U> { pos, us: PhantomData })
    } else if K::TOGETHER && depth == 2 {
        leaves.twice::<U, C>(cpu, pos, memory)
    } else {
        cpu.run(Node::<U, K> { pos, depth, leaves, memory, us: PhantomData })
    }
}
