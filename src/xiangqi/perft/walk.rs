//! The walk of the tree: one ply after another down to the last plies, which are counted together.

use super::portable;
use crate::base::cpu::{Cpu, Task, dispatch_wide};
use crate::game::position::moves::ALL;
use crate::game::{ListSink, Moves, Side};
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::types::{Bitboard, Black, Red, Us};
use std::marker::PhantomData;

/// What is added up at the end of the walk: a total or columns.
pub(super) trait LastPlies {
    /// The plies that it counts.
    const PLIES: u32;
    /// Adds the sequences of so many plies that begin in `pos`, `U` to move.
    fn add<U: Us, C: Cpu>(&mut self, pos: &Board, cpu: C);
}

/// The number of sequences, the last two plies together.
#[derive(Default)]
pub(super) struct LastTwo(pub u64);

impl LastPlies for LastTwo {
    const PLIES: u32 = 2;
    #[inline(always)]
    fn add<U: Us, C: Cpu>(&mut self, pos: &Board, cpu: C) {
        self.0 += portable::perft2::<U, C>(pos, cpu);
    }
}

/// Adds all sequences of exactly `depth` plies, at least `L::PLIES`.
pub(super) fn walk<L: LastPlies>(pos: &Board, depth: u32, last: &mut L) {
    let us = pos.side();
    match (us, depth == L::PLIES) {
        (Side::First, true) => dispatch_wide(Last::<Red, L> { pos, last, us: PhantomData }),
        (Side::Second, true) => dispatch_wide(Last::<Black, L> { pos, last, us: PhantomData }),
        (Side::First, false) => dispatch_wide(Walk::<Red, L> { pos, depth, last, us: PhantomData }),
        (Side::Second, false) => dispatch_wide(Walk::<Black, L> { pos, depth, last, us: PhantomData }),
    }
}

/// The last plies from a position, `U` to move.
pub(super) struct Last<'a, U, L> {
    pub pos: &'a Board,
    pub last: &'a mut L,
    pub us: PhantomData<U>,
}

impl<U: Us, L: LastPlies> Task for Last<'_, U, L> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.last.add::<U, C>(self.pos, cpu);
    }
}

/// One node of the walk above the last plies, `U` to move.
struct Walk<'a, U, L> {
    pos: &'a Board,
    depth: u32,
    last: &'a mut L,
    us: PhantomData<U>,
}

impl<U: Us, L: LastPlies> Task for Walk<'_, U, L> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Walk { pos, depth, last, .. } = self;
        let mut list = Moves::new();
        let pins = ChecksAndPins::of::<U>(pos);
        movegen::generate::<U, ALL, C, _>(pos, &pins, cpu, Bitboard::ALL, &mut ListSink(&mut list));
        for &m in &list {
            let mut child = *pos;
            child.make_as::<U>(m);
            let (pos, depth, last, us) = (&child, depth - 1, &mut *last, PhantomData);
            match depth == L::PLIES {
                true => cpu.run(Last::<U::Them, L> { pos, last, us }),
                false => cpu.run(Walk::<U::Them, L> { pos, depth, last, us }),
            }
        }
    }
}
