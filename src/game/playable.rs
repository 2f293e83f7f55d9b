//! What a game that is played needs in addition to rules and keys: how it ends.
//!
//! Implemented by each game in `board/repetition.rs`.

use super::packing::Packable;
use super::rules::{Keyed, WideKeyed};

/// What the rules on repetition, move counter and material say, for the side to move: the result if they end the game,
/// or what is known before they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A draw by repetition, move counter or insufficient material.
    Draw,
    /// The side to move wins, because the opponent repeated moves that the rules forbid to repeat.
    Win,
    /// The side to move loses.
    Loss,
    /// Only inside a search: the game goes on after a repetition for which the side to move alone is to blame. It loses
    /// if it repeats the same moves, but may draw by others.
    AtMostDraw,
    /// Only inside a search: the same, and the opponent is to blame.
    AtLeastDraw,
}

/// A position that can be kept in a [`Game`](super::Game): the bound for code that is generic over both games. It
/// includes [`Rules`](super::Rules), and with [`Notation`](super::Notation) it is all that `Perft` needs. What is to be
/// searched too is `Searchable`.
///
/// ```
/// use tabiya::game::{Game, Notation, Playable, Rules};
/// use tabiya::perft::Perft;
/// use tabiya::{chess, xiangqi};
///
/// fn try_all<P: Playable + Notation + Default>() -> Result<(), tabiya::perft::PerftError> {
///     let mut game = Game::new(P::default());
///     let first = game.position().legal_moves()[0];
///     println!("{} {}", game.position().move_text(first), Perft::new(P::default()).count(3)?);
///     game.play(first).expect("a legal move");
///     assert!(!game.position().in_check() && game.outcome().is_none());
///     Ok(())
/// }
///
/// try_all::<chess::Position>()?;
/// try_all::<xiangqi::Position>()?;
/// # Ok::<(), tabiya::perft::PerftError>(())
/// ```
pub trait Playable: Keyed + WideKeyed + Packable + Send + Sync + 'static {
    #[doc(hidden)]
    /// One entry of the game history (the trail): what repetition detection needs from an earlier position.
    type Step: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    /// Whether stalemate loses; otherwise it is a draw.
    const STALEMATE_LOSES: bool;
    #[doc(hidden)]
    /// The history entry of this position, before `m` (the default move for a null move) is made.
    fn step(&self, m: Self::Move) -> Self::Step;
    #[doc(hidden)]
    /// Plies until the move counter makes the game a draw, if nothing resets it.
    fn plies_to_draw(&self) -> u32;
    #[doc(hidden)]
    /// Whether the rules on repetition, move counters and material end the game here, or bound its result.
    ///
    /// `trail` holds the entries of the earlier positions since the last null move, oldest first. Of these, the last
    /// `ply`, or all if there are fewer, were added by the search.
    fn verdict(&self, trail: &[Self::Step], ply: usize) -> Option<Verdict>;
    #[doc(hidden)]
    /// The key in `step`.
    fn key_of(step: &Self::Step) -> u64;
    #[doc(hidden)]
    /// Makes a null move; the side to move must not be in check.
    fn make_null(&mut self);
    /// Whether neither side has the pieces to win.
    fn is_material_insufficient(&self) -> bool;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
}
