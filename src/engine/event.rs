//! What a search says: [`Event`]s while it runs, the last of which is its [`SearchResult`].
//!
//! The engine never prints. A [`Report`] is called from the search thread, so it must not wait for anything that waits
//! for the search.

use super::score::{Bound, Value};
use crate::base::speed::per_second;
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
    /// Nodes, speed, time.
    pub progress: Progress,
    /// Endgame tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The principal variation: a legal line from the root. Empty only if there is no legal move.
    pub pv: &'a [M],
    /// This line has been reported before. It is repeated at the end of the search, with the final node count.
    pub repeated: bool,
    /// This is one of the final lines: only other final lines, refutations, messages and the best move follow. Never
    /// set if the search ends right after the lines of an iteration have been reported, as these are then the final
    /// ones.
    pub last: bool,
}

impl<M> Info<'_, M> {
    /// A line of no moves at depth 0, as of a root without legal moves.
    pub(super) fn empty(progress: Progress) -> Self {
        Info {
            depth: 0,
            selective_depth: 0,
            multi_pv: 1,
            score: super::score::DRAW,
            bound: Bound::Exact,
            progress,
            tablebase_hits: 0,
            pv: &[],
            repeated: false,
            last: true,
        }
    }
}

/// Statistics of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// How full the hash table is, in thousandths.
    pub hash_full: u32,
    /// Time since the search was started.
    pub time: Duration,
}

impl Progress {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes.into(), self.time) as u64
    }
}

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult<M> {
    /// `None` only if there is no move to search, or no search thread could be started.
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

impl<M> SearchResult<M> {
    /// The end of a search without a move.
    pub const NONE: Self = SearchResult { best: None, ponder: None, score: 0, depth: 0, nodes: 0 };
}

/// What a search finds while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a, M> {
    /// A principal variation and its score.
    Line(Info<'a, M>),
    /// Statistics of the running search, about once a second.
    Progress(Progress),
    /// The current root move. Only after the first second of a search; moves that take almost no time are left out.
    Move {
        /// Depth of the iteration.
        depth: u32,
        /// The move.
        m: M,
        /// Its number, from 1.
        number: u32,
    },
    /// The line that a thread is searching; only if `Settings::show_current_line` is on. After [`Event::Progress`],
    /// once for each thread.
    CurrentLine {
        /// Number of the thread, from 1.
        cpu: u32,
        /// The line.
        line: &'a [M],
    },
    /// A root move and its refutation, if one is known; only if `Settings::show_refutations` is on. For all moves but
    /// the best, after iterations of a long search and at its end.
    Refutation {
        /// The move.
        m: M,
        /// The reply that refutes it.
        reply: Option<M>,
    },
    /// A message for the user.
    Message(&'a str),
    /// An error that the user should see.
    Fault(&'a str),
    /// The search is over: the last event, exactly one for each search.
    Best(SearchResult<M>),
}

/// Receives the events of one search.
pub type Report<M> = Box<dyn FnMut(&Event<'_, M>) + Send>;
