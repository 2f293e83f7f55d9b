//! The engine's settings. Plain public data: `Engine` holds it, protocols change it, and each search takes a copy.

use super::score::Value;
use super::strength::{MAX_ELO, MIN_ELO};
use crate::game::{Position, SearchParams, Searchable, Side};
use std::sync::Arc;

/// Largest number of search threads.
pub const MAX_THREADS: usize = 256;
/// The most pieces of the positions in any tablebase.
pub const MOST_MEN: u32 = 7;
/// Largest number of lines of a MultiPV search.
pub const MAX_MULTI_PV: usize = 256;

/// The engine's settings. Changes apply from the next search on. Numbers of threads and lines, strength, randomness,
/// contempt and rest are clamped to their ranges.
#[derive(Clone)]
pub struct Settings {
    /// Search threads, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// MultiPV: number of lines searched and reported, from 1 to [`MAX_MULTI_PV`].
    pub multi_pv: usize,
    /// Whether the lines of the threads are reported (`Event::CurrentLine`), about once a second.
    pub show_current_line: bool,
    /// Whether refutations are reported (`Event::Refutation`) after each iteration.
    pub show_refutations: bool,
    /// Lines of output for each reported line. The engine limits its output rate for slow readers.
    pub lines_per_info: usize,
    /// Whether the engine may ponder. If so, it spends a little more time on each move.
    pub ponder: bool,
    /// Limits the playing strength to about this Elo ([`MIN_ELO`] to [`MAX_ELO`]); `None` for full strength.
    pub strength: Option<u32>,
    /// What only options of UCCI set.
    pub levels: Levels,
    /// The search parameters. Tests and tuning replace them.
    pub params: SearchParams,
    /// Positions with the most pieces that are still probed (those of the largest table, or `tablebase_probe_limit` if
    /// that is lower) are probed only from this depth on.
    pub tablebase_probe_depth: i32,
    /// Positions with more pieces than this are not probed; 0 turns probing off.
    pub tablebase_probe_limit: u32,
    /// Whether tablebase results take the fifty-move rule into account.
    pub fifty_moves: bool,
}

/// How much the search prunes without proof. Less pruning solves more composed positions but takes longer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Pruning {
    /// No pruning and no reductions: every move is searched to full depth.
    None,
    /// Late move reductions and null-move pruning only.
    Small,
    /// Also razoring and reverse futility pruning.
    Medium,
    /// Everything. What prunes single moves, and ProbCut, is the first to miss a sacrifice.
    Large,
}

/// What only options of UCCI set: `pruning`, `randomness`, `style` and `idle`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels {
    /// How much the search prunes without proof.
    pub pruning: Pruning,
    /// Largest random error added to evaluations, in centipawns from 0 (none) to 1000. It differs from search to
    /// search, so that the engine varies between moves of about equal value.
    pub randomness: Value,
    /// Contempt of the side to move at the root, in centipawns from -1000 to 1000. A positive value makes it avoid
    /// draws, a negative one makes it seek them.
    pub contempt: Value,
    /// Share of the time that every search thread sleeps, to leave the processor to other programs, in percent from 0
    /// to 90.
    pub rest: u32,
}

impl Levels {
    /// Those of a new engine: everything is pruned, nothing is random, draws are even, and no thread rests.
    pub const DEFAULT: Levels = Levels { pruning: Pruning::Large, randomness: 0, contempt: 0, rest: 0 };
}

/// What the scores of a search depend on besides the position and the depth.
#[derive(Clone, PartialEq)]
pub(super) struct Standard {
    strength: Option<u32>,
    /// As set, but the contempt is that of the first side, and it doesn't matter how long threads sleep.
    levels: Levels,
    fifty_moves: bool,
    /// The rules of the game, as `Searchable::rules_code` has them.
    rules: u32,
    params: SearchParams,
    known_values: Arc<Vec<(u64, Value)>>,
}

impl Settings {
    /// The settings of a new engine for the game of `B`: one thread, one line, full strength.
    pub const fn of<B: Searchable>() -> Settings {
        Settings {
            threads: 1,
            multi_pv: 1,
            show_current_line: false,
            show_refutations: false,
            lines_per_info: 1,
            ponder: false,
            strength: None,
            levels: Levels::DEFAULT,
            params: B::PARAMS,
            tablebase_probe_depth: 1,
            tablebase_probe_limit: MOST_MEN,
            fifty_moves: true,
        }
    }

    /// All that the scores of a search of `root` depend on: these settings, the rules, and the values fixed from
    /// outside.
    pub(super) fn standard<B: Searchable>(
        &self,
        root: &Position<B>,
        known_values: &Arc<Vec<(u64, Value)>>,
    ) -> Standard {
        let Levels { contempt, .. } = self.levels;
        let contempt = if root.side() == Side::First { contempt } else { -contempt };
        Standard {
            strength: self.strength,
            levels: Levels { contempt, rest: 0, ..self.levels },
            fifty_moves: self.fifty_moves,
            rules: B::rules_code(root),
            params: self.params,
            known_values: Arc::clone(known_values),
        }
    }

    /// A copy with the numbers that have a range clamped to it.
    pub(super) fn in_range(&self) -> Settings {
        Settings {
            threads: self.threads.clamp(1, MAX_THREADS),
            multi_pv: self.multi_pv.clamp(1, MAX_MULTI_PV),
            strength: self.strength.map(|elo| elo.clamp(MIN_ELO, MAX_ELO)),
            levels: Levels {
                randomness: self.levels.randomness.clamp(0, 1000),
                contempt: self.levels.contempt.clamp(-1000, 1000),
                rest: self.levels.rest.min(90),
                ..self.levels
            },
            ..self.clone()
        }
    }
}
