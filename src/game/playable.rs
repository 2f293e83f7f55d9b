//! What a search asks of a game beyond its rules and keys.

use super::rules::Keyed;

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
pub trait Playable: Keyed {
    /// One entry of the game's trail: what the repetition judge must know of a position that was left.
    type Step: Copy;

    /// The entry for this position, whose key is `key`, when `m` is about to be made.
    fn step(&self, key: u64, m: Self::Move) -> Self::Step;
    /// Whether the rules about repetition, move counters and material end the game here.
    ///
    /// `trail` holds the steps of all positions before this one, oldest first; `key` is this position's
    /// key; the last `ply` entries of the trail were made inside the search.
    fn verdict(&self, key: u64, trail: &[Self::Step], ply: usize) -> Option<Verdict>;
    /// Whether the king of the side to move is attacked.
    fn in_check(&self) -> bool;
    /// Appends the captures and promotions among the legal moves.
    fn noisy_moves(&self, out: &mut Self::List);
    /// Whether the legal move `m` is one that `noisy_moves` lists.
    fn is_noisy(&self, m: Self::Move) -> bool;
    /// Whether any packed move, for instance one from a hash table, is legal here.
    fn is_legal(&self, m: Self::Move) -> bool;
    /// Passes the move to the opponent; the side to move must not be in check.
    fn make_null(&mut self);
    /// The key after `make_null`.
    fn key_after_null(&self, key: u64) -> u64;
}
