//! What one search may use, as the protocols hand it over. Plain data; nothing here searches.

use std::time::Duration;

/// The overhead of a move where nobody says otherwise.
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// The time control of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left on the own clock.
    pub remaining: Duration,
    /// What every move adds to the own clock.
    pub increment: Duration,
    /// Moves to the next time control; `None` means that the whole game must be played with this.
    pub moves_to_go: Option<u32>,
}

/// After so many nodes of a thread, for each of the moves, a search for a mate and for nothing else is given up. A mate
/// that was seen is not kept back for a proof that there is no shorter one of more nodes than this.
pub const MATE_NODES: u64 = 20_000_000;
/// What [`MATE_NODES`] come to at most.
pub const MOST_MATE_NODES: u64 = 200_000_000;
/// The proofs of a search for a mate use as many nodes as the search, and so many more, but no more than a quarter
/// of the nodes and half of the time that it has.
pub const PROOF_AHEAD: u64 = 1_000_000;

/// Limits of one search. The search ends at whichever is reached first; with none it is endless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes of the first thread after which no further iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in this many moves of the side to move or fewer. Proofs go along with the search, within
    /// the same limits: see [`PROOF_AHEAD`]. A mate that is proven ends the search, and is the shortest; one that
    /// the search has seen ends it when all shorter ones are excluded, or that takes too long. Without any other
    /// limit the search also ends when it is certain that there is none, and at the latest after
    /// [`MATE_NODES`] for each of the moves and thread.
    pub mate: Option<u32>,
    /// Exact time for this move, `overhead` not deducted; but never more than is left on `clock`.
    pub movetime: Option<Duration>,
    /// The clock to be shared out by the engine.
    pub clock: Option<Clock>,
    /// Report the best move only after `stop`.
    pub infinite: bool,
    /// A mate found for either side ends the search, an infinite one as well.
    pub until_mate: bool,
    /// Think in the opponent's time: report the best move only after `ponder_hit` or `stop`. The clock runs, and
    /// `movetime` counts, from `ponder_hit` on; a move that has been thought about for long enough by then is
    /// reported at once.
    pub ponder: bool,
    /// Search these root moves only. Moves that are not legal are left out; if none remains, all are
    /// searched.
    pub root_moves: Option<Vec<M>>,
    /// Root moves that must not be played.
    pub banned: Vec<M>,
    /// Time that passes between the engine's answer and the clock's stop.
    pub overhead: Duration,
}

impl<M> Default for Limits<M> {
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
            root_moves: None,
            banned: Vec::new(),
            overhead: DEFAULT_OVERHEAD,
        }
    }
}

impl<M> Limits<M> {
    /// A search of `depth` iterations.
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of `nodes` nodes.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search for exactly this time.
    pub fn movetime(time: Duration) -> Self {
        Limits { movetime: Some(time), ..Limits::default() }
    }

    /// Whether a mate is all that the search is about.
    pub fn is_for_mate_only(&self) -> bool {
        let Limits { depth, nodes, mate, movetime, clock, infinite, .. } = self;
        let limited = depth.is_some() || nodes.is_some() || movetime.is_some() || clock.is_some();
        mate.is_some() && !limited && !infinite
    }

    /// After so many nodes of all `threads` the search is given up because it is for a mate only.
    pub(super) fn mate_node_limit(&self, threads: usize) -> u64 {
        let Some(moves) = self.mate.filter(|_| self.is_for_mate_only()) else { return u64::MAX };
        (u64::from(moves) * MATE_NODES).min(MOST_MATE_NODES) * threads as u64
    }

    /// Whether nothing but `stop` ends the search.
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
