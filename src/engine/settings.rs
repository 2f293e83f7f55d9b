//! What the engine's options ask of every search. Plain data, which `Engine` holds and anybody may change.

use super::score::Score;
use super::strength::{MAX_ELO, MIN_ELO};
use crate::game::{Playable, SearchParams};

/// Largest number of threads.
pub const MAX_THREADS: usize = 256;
/// Largest number of lines that can be asked for.
pub const MAX_MULTI_PV: usize = 256;

/// What the engine's options ask of every search. It counts from the next search on; numbers out of range are moved into
/// it.
#[derive(Clone)]
pub struct Settings {
    /// Search threads, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// How many best lines are searched and reported, from 1 to [`MAX_MULTI_PV`].
    pub multi_pv: usize,
    /// Whether `Report::current_line` is called, about once a second.
    pub show_current_line: bool,
    /// Whether `Report::refutation` is called after each iteration.
    pub show_refutations: bool,
    /// The engine may think in the opponent's time, so that its own time can be spent faster.
    pub ponder: bool,
    /// Plays weaker, at about this Elo ([`MIN_ELO`] to [`MAX_ELO`]), or with `None` as well as it can.
    pub strength: Option<u32>,
    /// Evaluations err by up to this many centipawns, differently in every search, so that moves of about the same
    /// value take turns: 0 to 1000, 0 for none.
    pub randomness: Score,
    /// How much the side to move at the root dislikes a draw, in centipawns from -1000 to 1000: below 0 it likes one.
    pub contempt: Score,
    /// The share of its time that every search thread sleeps for the benefit of other programs, in percent from 0 to 90.
    pub rest: u32,
    /// The search's switches and constants, to be replaced for measurements.
    pub params: SearchParams,
    /// Positions with as many men as the largest endgame table are looked up from this depth on.
    pub table_probe_depth: i32,
    /// Positions with more men are not looked up; 0 for none.
    pub table_probe_limit: u32,
    /// Whether tables' results are those of the fifty-move rule.
    pub fifty_moves: bool,
}

impl Settings {
    /// Those of a new engine for the game `P`: one thread, one line, full strength.
    pub(super) fn of<P: Playable>() -> Settings {
        Settings {
            threads: 1,
            multi_pv: 1,
            show_current_line: false,
            show_refutations: false,
            ponder: false,
            strength: None,
            randomness: 0,
            contempt: 0,
            rest: 0,
            params: P::PARAMS,
            table_probe_depth: 1,
            table_probe_limit: u32::MAX,
            fifty_moves: true,
        }
    }

    /// The same with every number within its range.
    pub(super) fn in_range(&self) -> Settings {
        Settings {
            threads: self.threads.clamp(1, MAX_THREADS),
            multi_pv: self.multi_pv.clamp(1, MAX_MULTI_PV),
            strength: self.strength.map(|elo| elo.clamp(MIN_ELO, MAX_ELO)),
            randomness: self.randomness.clamp(0, 1000),
            contempt: self.contempt.clamp(-1000, 1000),
            rest: self.rest.min(90),
            ..self.clone()
        }
    }
}
