//! What a search says: the `Report` trait, for what it finds while it runs, and its [`SearchResult`].
//!
//! The engine never prints. The methods are called from the search thread, so they must not wait for anything that
//! waits for the search.

use super::score::{Bound, Value};
use crate::game::Searchable;
use std::time::Duration;

/// One line (PV) of the search, and its statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Info<'a, M> {
    /// Depth of the iteration in plies; 0 if there is no legal move.
    pub depth: u32,
    /// Deepest ply reached below this root move.
    pub selective_depth: u32,
    /// Rank of this line, from 1; always 1 with MultiPV 1.
    pub multi_pv: u32,
    /// The score, from the point of view of the side to move at the root.
    pub score: Value,
    /// The bound type of the score.
    pub bound: Bound,
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// Endgame table hits of all threads.
    pub table_base_hits: u64,
    /// Time since the search was started.
    pub time: Duration,
    /// The principal variation: a legal line from the root. Empty only if there is no legal move.
    pub pv: &'a [M],
    /// This line has been reported before. It is repeated at the end of the search, with the final node count.
    pub repeated: bool,
    /// This is one of the final lines: only other final lines, refutations, messages and the best move follow. Never
    /// set if the search ends right after the lines of an iteration have been reported, as these are then the final
    /// ones.
    pub last: bool,
}

/// Statistics of a running search.
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

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult<M> {
    /// `None` only if there is no legal move.
    pub best: Option<M>,
    /// The expected reply, if any.
    pub ponder: Option<M>,
    /// The score of the best move; 0 without one.
    pub score: Value,
    /// Depth of the last complete iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// Receives what a search finds while it runs. Every call of `Engine::go` ends in exactly one call of `best`.
pub trait Report<B: Searchable>: Send + Sync {
    /// Most lines of output for one `info`. The engine limits its output rate for slow readers.
    fn lines_per_info(&self) -> usize {
        1
    }
    /// A principal variation and its score.
    fn info(&self, info: &Info<'_, B::Move>) {
        let _ = info;
    }
    /// Statistics of the running search, about once a second.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
    /// The current root move; `number` starts at 1. Only after the first second of a search. Moves that take almost
    /// no time are left out.
    fn current_move(&self, depth: u32, m: B::Move, number: u32) {
        let _ = (depth, m, number);
    }
    /// The line that thread number `cpu` (from 1) is searching; only if `Settings::show_current_line` is on. Called
    /// after `progress`, once for each thread.
    fn current_line(&self, cpu: u32, line: &[B::Move]) {
        let _ = (cpu, line);
    }
    /// The refutation of the root move `m`, empty if none is known; only if `Settings::show_refutations` is on.
    /// Called for all moves but the best, after iterations of a long search and at its end.
    fn refutation(&self, m: B::Move, line: &[B::Move]) {
        let _ = (m, line);
    }
    /// A message for the user.
    fn message(&self, text: &str) {
        let _ = text;
    }
    /// An error that the user should see.
    fn fault(&self, text: &str) {
        let _ = text;
    }
    /// The search is over. `best` is `None` only if there is no legal move, or no search thread could be started;
    /// `ponder` is the expected reply, if any.
    fn best(&self, best: Option<B::Move>, ponder: Option<B::Move>, score: Value) {
        let _ = (best, ponder, score);
    }
}

/// Reports nothing: for callers that need only the result.
impl<B: Searchable> Report<B> for () {}
