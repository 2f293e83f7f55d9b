//! The number of legal moves of a side, as a [`Task`]: the last ply of a perft tree.
//!
//! Does not list the moves.

use crate::base::cpu::{Cpu, Task};
use crate::game::CountSink;
use crate::game::position::moves::ALL;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::types::{Bitboard, Us};
use std::marker::PhantomData;

/// The number of legal moves of `U`, the side to move.
pub(super) struct CountLegal<'a, U>(&'a Board, PhantomData<U>);

impl<'a, U: Us> CountLegal<'a, U> {
    #[inline(always)]
    pub(super) fn of(pos: &'a Board) -> Self {
        CountLegal(pos, PhantomData)
    }
}

impl<U: Us> Task for CountLegal<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut sink = CountSink::default();
        movegen::generate::<U, ALL, C, _>(self.0, &ChecksAndPins::of::<U>(self.0), cpu, Bitboard::ALL, &mut sink);
        sink.0
    }
}
