//! What a search asks of a game beyond its rules and keys.
//!
//! Implemented by each game (`contract.rs`, `repetition.rs`), called by `engine` alone.

use super::endgame_tables::EndgameTables;
use super::rules::{Keyed, WideKeyed};
use super::search_params::SearchParams;
use super::side::Side;

/// How a game that is over by the rules has ended, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nobody wins: repetition, move counter, insufficient material.
    Draw,
    /// The side to move wins: the opponent has repeated what the rules forbid.
    Win,
    /// The side to move loses.
    Loss,
}

/// A game that can be searched.
pub trait Playable: Keyed + WideKeyed + Send + Sync + 'static {
    /// One entry of the game's trail: what the repetition judge must know of a position that was left.
    type Step: Copy + Send + Sync + 'static;
    /// What one search thread remembers between evaluations, such as a table of pawn structures.
    type Memo: Default + Send + 'static;
    /// The endgame tables of this game, if it has any.
    type Tables: EndgameTables<Self, Self::Step>;

    /// Whether a side without a legal move that is not in check has lost; otherwise it is a draw.
    const STALEMATE_LOSES: bool;
    /// Whether an evaluation takes no longer than an entry of the transposition table takes from memory: it is
    /// worked out then while that is on its way, needed or not.
    const EVALUATES_FAST: bool;
    /// The constants of the search for this game.
    const PARAMS: SearchParams;
    /// Bound of [`Playable::code`].
    const CODES: usize;

    /// Piece that moves (with its owner) and target square as one number below `CODES`, for history tables.
    fn code(&self, m: Self::Move) -> usize;
    /// The kind of piece that the legal move `m` takes, from 1 to 7; 0 if it takes nothing.
    fn victim(&self, m: Self::Move) -> usize;
    /// The material the legal move `m` wins at once, promotion included, in centipawns.
    fn gain(&self, m: Self::Move) -> i32;
    /// Whether the exchanges on the target square of the legal move `m` win at least `limit` centipawns for
    /// the side to move, both sides taking with their least valuable piece and stopping when they like.
    fn see_at_least(&self, m: Self::Move, limit: i32) -> bool;
    /// The value of the position for the side to move, in centipawns, below 20,000 in size. The side to move
    /// is not in check.
    fn evaluate(&self, memo: &mut Self::Memo) -> i32;
    /// A key of the slow part of the position (the pawns), equal for positions that differ elsewhere only.
    fn structure_key(&self) -> u64;
    /// A key of the pieces of `side`, pawns and the like left out.
    fn pieces_key(&self, side: Side) -> u64;
    /// The squares that the opponent attacks, by the numbers that moves have for them.
    fn threats(&self) -> u128;
    /// Whether passing could well be the best move here, so that a null move proves nothing.
    fn null_is_risky(&self) -> bool;

    /// The entry for this position, whose key is `key`, when `m` is about to be made.
    fn step(&self, key: u64, m: Self::Move) -> Self::Step;
    /// The entry for this position when the move is passed to the opponent.
    fn null_step(&self, key: u64) -> Self::Step;
    /// The key that `step` holds.
    fn key_of(step: &Self::Step) -> u64;
    /// Moves of both sides until the move counter makes the game a draw, if nothing resets it.
    fn plies_to_draw(&self) -> u32;
    /// Whether the rules about repetition, move counters and material end the game here.
    ///
    /// `trail` holds the steps of all positions before this one, oldest first; `key` is this position's
    /// key; the last `ply` entries of the trail were made inside the search.
    fn verdict(&self, key: u64, trail: &[Self::Step], ply: usize) -> Option<Verdict>;
    /// Whether neither side has the pieces to win.
    fn is_material_insufficient(&self) -> bool;
    /// Whether the king of the side to move is attacked.
    fn in_check(&self) -> bool;
    /// Whether the legal move `m` is one that `noisy_moves` lists.
    fn is_noisy(&self, m: Self::Move) -> bool;
    /// Passes the move to the opponent; the side to move must not be in check.
    fn make_null(&mut self);
    /// The key after `make_null`.
    fn key_after_null(&self, key: u64) -> u64;
}
