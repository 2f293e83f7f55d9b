//! The engine's settings. Plain public data: `Engine` holds it, the options of the protocols set it, and each search
//! takes a copy.

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
