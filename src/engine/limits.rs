//! What the engine is told: the limits of one search, as the protocols give them, and the settings, which hold until
//! they are changed. Plain data; nothing here searches.

use std::time::Duration;

/// Move overhead if none is set.
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// The time control of the side to move.
///
/// ```
/// use std::time::Duration;
/// use tabiya::chess::Position;
/// use tabiya::search::{Clock, Engine, Limits};
///
/// let clock = Clock { remaining: Duration::from_secs(1), increment: Duration::from_millis(10), moves_to_go: None };
/// let limits = Limits { clock: Some(clock), ..Limits::default() };
/// assert!(Engine::new().search(&Position::default(), limits).time < clock.remaining);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left on the clock.
    pub remaining: Duration,
    /// Increment per move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// A search that looks only for a mate gives up after this many nodes for each thread and each move of the requested
/// mate length. Also how far the proof that there is no shorter mate may run ahead of the search once the search has
/// seen a mate (see [`PROOF_AHEAD`]).
pub const MATE_NODES: u64 = 20_000_000;
/// Upper limit of that product for one thread.
pub const MAX_MATE_NODES: u64 = 200_000_000;
/// Mate proofs use as many nodes as the search, plus this head start. The head start is at most a quarter of the node
/// limit, and no proof runs once half of the time for the move has passed.
pub const PROOF_AHEAD: u64 = 1_000_000;

/// Limits of one search. The search ends when the first of them is reached; without any it is infinite.
///
/// ```
/// use std::time::Duration;
/// use tabiya::chess::Position;
/// use tabiya::search::{Clock, Engine, Limits};
///
/// let start = Position::default();
/// let clock = Clock { remaining: Duration::from_secs(1), increment: Duration::ZERO, moves_to_go: None };
/// let limits = Limits { clock: Some(clock), depth: Some(8), ..Limits::default() };
/// assert!(Engine::new().search(&start, limits).best.is_some());
///
/// let mate: Position = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1".parse()?;
/// let found = Engine::new().search(&mate, Limits { mate: Some(2), ..Limits::default() });
/// assert_eq!(found.score.to_string(), "#1");
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Node limit for all threads together. It is never exceeded. One thread uses it in full; of several, each may
    /// leave some nodes that it has been given, at most 4,096 and as a rule a few.
    pub nodes: Option<u64>,
    /// No new iteration starts once the first thread has searched this many nodes.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in at most this many moves of the side to move. Proofs run alongside the search, within the
    /// same limits. A proven mate is the shortest one and ends the search. A mate that the search has seen ends it once
    /// all shorter mates are ruled out, or the proof of that takes too long. Without any other limit the search also
    /// ends when it is certain that there is no such mate, or after 20 million nodes for each move and each thread (at
    /// most 200 million for each thread). If the side to move is itself mated within so many moves, that is proven in
    /// the same way.
    pub mate: Option<u32>,
    /// Exact time for this move. The overhead is not deducted, but the time left on `clock`, less the overhead, is
    /// never exceeded.
    pub movetime: Option<Duration>,
    /// The clock, from which the engine works out the time for this move.
    pub clock: Option<Clock>,
    /// Report the best move only after `stop`.
    pub infinite: bool,
    /// A mate found for either side ends the search, even an infinite one.
    pub until_mate: bool,
    /// Ponder: report the best move only after `ponder_hit` or `stop`. The clock and `movetime` start at
    /// `ponder_hit`. If the search has used enough time by then, the move is reported at once.
    #[doc(hidden)]
    pub ponder: bool,
    /// Move overhead: time lost between the engine's answer and the stop of its clock. 10 ms by default.
    pub overhead: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            infinite: false,
            until_mate: false,
            ponder: false,
            overhead: DEFAULT_OVERHEAD,
        }
    }
}

impl Limits {
    /// A search of `depth` iterations.
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of `nodes` nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search without a limit: only a stop ends it.
    pub fn infinite() -> Self {
        Limits { infinite: true, ..Limits::default() }
    }

    /// A search for exactly this time.
    pub fn movetime(time: Duration) -> Self {
        Limits { movetime: Some(time), ..Limits::default() }
    }

    /// Whether the search has a mate limit and no other.
    #[doc(hidden)]
    pub fn is_for_mate_only(&self) -> bool {
        let Limits { depth, nodes, mate, movetime, clock, infinite, .. } = self;
        let limited = depth.is_some() || nodes.is_some() || movetime.is_some() || clock.is_some();
        mate.is_some() && !limited && !infinite
    }

    /// Node limit, for all `threads` together, of a search that looks only for a mate.
    pub(super) fn mate_node_limit(&self, threads: usize) -> u64 {
        let Some(moves) = self.mate.filter(|_| self.is_for_mate_only()) else { return u64::MAX };
        (u64::from(moves) * MATE_NODES).min(MAX_MATE_NODES) * threads as u64
    }

    /// Whether only `stop` (or a mate, with `until_mate`) ends the search.
    #[doc(hidden)]
    pub fn is_endless(&self) -> bool {
        self.infinite
            || self.depth.is_none()
                && self.nodes.is_none()
                && self.soft_nodes.is_none()
                && self.mate.is_none()
                && self.movetime.is_none()
                && self.clock.is_none()
    }
}

// --- settings ---------------------------------------------------------------------------------------

/// Largest number of search threads.
pub const MAX_THREADS: usize = 256;
/// The most pieces of the positions in any tablebase.
pub const MOST_MEN: u32 = 7;
/// Largest number of lines of a MultiPV search.
pub const MAX_MULTI_PV: usize = 256;

/// The engine's settings. Changes apply from the next search on. Those of a new engine are zero, false and `None`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Settings {
    /// MultiPV: number of lines searched and reported; 0 counts as 1.
    pub multi_pv: usize,
    /// Whether the engine may ponder. If so, it spends a little more time on each move.
    pub ponder: bool,
    /// Limits the playing strength to about this Elo, `MIN_ELO` to `MAX_ELO`; `None` for full strength.
    pub strength: Option<u32>,
    /// Positions with the most pieces that are still probed (those of the largest table, or `tablebase_probe_limit` if
    /// that is lower) are probed only from this depth on.
    pub tablebase_probe_depth: i32,
    /// Positions with more pieces than this are not probed; 0 turns probing off.
    pub tablebase_probe_limit: Option<u32>,
    /// Whether tablebase results ignore the fifty-move rule.
    pub ignores_fifty_moves: bool,
}
