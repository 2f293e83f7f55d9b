//! The engine's only way out: the `Report` trait, implemented by protocols and tests.
//!
//! The engine never prints. Methods are called from the search thread, so they must not wait for anything
//! that waits for the search.

use super::score::{Bound, Score};
use crate::game::Playable;
use std::time::Duration;

/// What is known after an iteration, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Info<'a, M> {
    /// Depth of the iteration in plies; 0 if there is no legal move.
    pub depth: u32,
    /// Deepest ply reached below this root move.
    pub selective_depth: u32,
    /// Rank of this line, from 1; always 1 with MultiPV 1.
    pub multi_pv: u32,
    /// The score, seen from the side to move at the root.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// Positions found in endgame tables, all threads together.
    pub table_base_hits: u64,
    /// Time since the search was started.
    pub time: Duration,
    /// The line from the root position; every move is legal after those before it. Empty only if there is
    /// no legal move.
    pub pv: &'a [M],
    /// The line was reported before, with fewer nodes: the search ends, and it is still the best.
    pub repeated: bool,
    /// Nothing but lines of other ranks and refutations comes after this one, the best move aside. Unless the
    /// search ended with the iteration whose lines were reported last.
    pub last: bool,
}

/// How far a search has come, whatever it has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// Time since the search was started.
    pub time: Duration,
}

/// Receives what a search finds. Every call of `Engine::go` ends in exactly one call of `best`.
pub trait Report<P: Playable>: Send + Sync {
    /// How many lines of output an `info` becomes at most: the engine goes easy on slow readers.
    fn lines_per_info(&self) -> usize {
        1
    }
    /// A line and its score.
    fn info(&self, info: &Info<'_, P::Move>);
    /// How far the search has come; about once a second.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
    /// The root move that is being searched, `number` from 1; only after the first second, and moves that take
    /// no time are left out.
    fn current_move(&self, depth: u32, m: P::Move, number: u32) {
        let _ = (depth, m, number);
    }
    /// The line that thread number `cpu`, from 1, is looking at; only if `set_show_current_line` is on. After
    /// `progress`, for all threads one after the other.
    fn current_line(&self, cpu: u32, line: &[P::Move]) {
        let _ = (cpu, line);
    }
    /// The line that refutes the root move `m`, empty if none is known; only if `set_show_refutations` is on.
    /// For all moves but the best, after an iteration of a long search and at its end.
    fn refutation(&self, m: P::Move, line: &[P::Move]) {
        let _ = (m, line);
    }
    /// A remark for a human.
    fn message(&self, text: &str) {
        let _ = text;
    }
    /// Something is wrong that a human should see.
    fn fault(&self, text: &str) {
        let _ = text;
    }
    /// The search is over. `best` is `None` only if there is no legal move; `ponder` is the expected
    /// reply, if any.
    fn best(&self, best: Option<P::Move>, ponder: Option<P::Move>, score: Score);
}
