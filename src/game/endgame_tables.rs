//! Endgame tables as a search sees them: the contract [`EndgameTables`], and [`NoTables`] for games without.
//!
//! Implemented by each game (chess: `tablebase/ranking.rs`), called by `engine` alone. Reading may take as long
//! as a disk likes, so every question comes with leave to stop waiting.

use super::rules::Rules;

/// Asked again and again while a disk is waited for: whether to go on waiting.
pub type Patience<'a> = &'a dyn Fn() -> bool;

/// The result of a position under best play, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableResult {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// A legal move at the root and what tables say of it, seen from the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub m: M,
    /// Its rank: moves of a higher rank are to be preferred whatever a search says; among those of one rank
    /// the search may choose.
    pub rank: i32,
    /// What it leads to, the moves made since the last progress taken into account.
    pub result: TableResult,
}

/// The moves at a root, all of those asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking<M> {
    /// In any order.
    pub moves: Vec<RankedMove<M>>,
    /// The ranks come from distances, so that whoever obeys them makes progress: nothing has to be asked
    /// inside the search.
    pub by_distance: bool,
}

/// A set of endgame tables of the game `P`, whose trail has entries `S`.
pub trait EndgameTables<P: Rules, S>: Default + Send + Sync + 'static {
    /// Whether the game has any; if not, the search is compiled without them.
    const EXIST: bool;

    /// The tables in a list of folders, and what is wrong with the list, a line each.
    fn open(list: &str) -> (Self, Vec<String>);
    /// What there is to say about the tables, in one line; nothing without tables.
    fn summary(&self) -> Option<String>;
    /// The most men of any table; 0 without tables.
    fn most_men(&self) -> u32;
    /// The men on the board.
    fn men(pos: &P) -> u32;
    /// Whether a result holds for `pos` whatever moves led to it: progress has just been made.
    fn is_fresh(pos: &P) -> bool;
    /// The result of a fresh position, if it is known in time.
    fn result(&self, pos: &P, patience: Patience<'_>) -> Option<TableResult>;
    /// Ranks the legal moves `moves`, if all are known in time. `trail` holds the steps of the game up to `pos`;
    /// without `fifty_moves` that rule is ignored.
    fn rank(
        &self,
        pos: &P,
        trail: &[S],
        moves: &[P::Move],
        fifty_moves: bool,
        patience: Patience<'_>,
    ) -> Option<Ranking<P::Move>>;
    /// What was found wrong with tables since the last call, a line each.
    fn take_faults(&self) -> Vec<String>;
}

/// For games without endgame tables.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoTables;

impl<P: Rules, S> EndgameTables<P, S> for NoTables {
    const EXIST: bool = false;

    fn open(_list: &str) -> (Self, Vec<String>) {
        (NoTables, Vec::new())
    }
    fn summary(&self) -> Option<String> {
        None
    }
    fn most_men(&self) -> u32 {
        0
    }
    fn men(_pos: &P) -> u32 {
        u32::MAX
    }
    fn is_fresh(_pos: &P) -> bool {
        false
    }
    fn result(&self, _pos: &P, _patience: Patience<'_>) -> Option<TableResult> {
        None
    }
    fn rank(
        &self,
        _pos: &P,
        _trail: &[S],
        _moves: &[P::Move],
        _fifty_moves: bool,
        _patience: Patience<'_>,
    ) -> Option<Ranking<P::Move>> {
        None
    }
    fn take_faults(&self) -> Vec<String> {
        Vec::new()
    }
}
