//! The interface between the search and endgame tablebases: [`EndgameTables`], and [`NoTables`] for games without.
//!
//! Reading a table can block on the disk, so every probe takes a callback that can abort the wait.

use crate::game::position::{Position, Rules};
use std::fmt;

/// Polled while a probe waits for the disk; `false` aborts the probe.
pub type Patience<'a> = &'a dyn Fn() -> bool;

/// What is wrong with a list of table folders, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFault {
    /// A folder without tables, or one that does not exist.
    Absent(String),
    /// A file that cannot be used.
    Unusable(String),
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Absent(text) | Self::Unusable(text)) = self;
        f.write_str(text)
    }
}

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableResult {
    /// Lost.
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// A legal root move and its tablebase result, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// Its rank. Moves of a higher rank are preferred whatever the search says; among moves of equal rank the search
    /// chooses.
    pub rank: i32,
    /// The result it leads to, with the half-move clock taken into account; `None` if it is unknown.
    pub result: Option<TableResult>,
}

/// The ranking of the requested root moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking<M> {
    /// All requested moves, in any order.
    pub moves: Vec<RankedMove<M>>,
    /// The highest rank is based on distances (DTZ), so playing by rank makes progress and the search need not probe.
    pub by_distance: bool,
}

/// The tablebases of the game `B`. What is said here holds without tables.
pub trait EndgameTables<B: Rules>: Default + Send + Sync + 'static {
    /// Whether the game has tablebases. If not, the search is compiled without probes.
    const EXIST: bool = false;

    /// Opens the tables in a list of folders. Also returns the problems with the list, one a line.
    fn open(_list: &str) -> (Self, Vec<TableFault>) {
        (Self::default(), Vec::new())
    }
    /// A one-line summary of the tables; `None` without tables.
    fn summary(&self) -> Option<String> {
        None
    }
    /// The largest number of pieces of any table; 0 without tables.
    fn most_men(&self) -> u32 {
        0
    }
    /// Whether [`EndgameTables::result`] applies to `pos`: its half-move clock is 0, so that the result does not
    /// depend on earlier moves, and (chess) it has no castling rights.
    fn is_fresh(_pos: &Position<B>) -> bool {
        false
    }
    /// The result of a position for which [`EndgameTables::is_fresh`] holds; `None` if it is unknown or the wait was
    /// aborted.
    fn result(&self, _pos: &Position<B>, _patience: Patience<'_>) -> Option<TableResult> {
        None
    }
    /// Ranks the legal moves `moves`; `None` if none is known or a wait was aborted. `trail` holds the game
    /// history up to `pos`. Without `fifty_moves` the fifty-move rule is ignored.
    fn rank(
        &self,
        _pos: &Position<B>,
        _trail: &[B::Past],
        _moves: &[B::Move],
        _fifty_moves: bool,
        _patience: Patience<'_>,
    ) -> Option<Ranking<B::Move>> {
        None
    }
    /// The problems with tables found since the last call, one a line.
    fn take_faults(&self) -> Vec<String> {
        Vec::new()
    }
}

/// For games without endgame tables.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoTables;

impl<B: Rules> EndgameTables<B> for NoTables {}
