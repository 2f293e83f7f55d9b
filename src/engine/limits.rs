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
    /// What is left on the opponent's clock, if known; a hint only.
    pub opponent: Option<Duration>,
}

/// Limits of one search. The search ends at whichever is reached first; with none it is endless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes of the first thread after which no further iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Look for a mate in this many moves of the side to move, and stop when it is found. Without any other
    /// limit the search also ends when it is certain that there is none, and at the latest after 20 million
    /// nodes for each of the moves, 200 million in all, or the iteration of depth 20 and four plies a move.
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
