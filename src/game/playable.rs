//! What the search needs from a game in addition to rules and keys.
//!
//! Implemented by each game (`contract.rs`, `repetition.rs`), called by `engine`.

use super::endgame_tables::EndgameTables;
use super::rules::{Keyed, WideKeyed};
use super::search_params::SearchParams;
use super::side::Side;
use super::win_model::{FittedModel, WinModel};

/// The result of a game that ended by the rules on repetition, move counter or material, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A draw by repetition, move counter or insufficient material.
    Draw,
    /// The side to move wins, because the opponent repeated moves that the rules forbid to repeat.
    Win,
    /// The side to move loses.
    Loss,
}

/// A position that can be searched and kept in a [`Game`](super::Game): the bound for code that is generic over both
/// games. It includes [`Rules`](super::Rules), and with [`Notation`](super::Notation) it is all that `Perft` needs.
///
/// ```
/// use tabiya::game::{Game, Notation, Playable, Rules};
/// use tabiya::perft::Perft;
/// use tabiya::search::{Engine, Limits};
/// use tabiya::{chess, xiangqi};
///
/// fn try_all<P: Playable + Notation + Default>() -> Result<(), tabiya::perft::HashError> {
///     let mut game = Game::new(P::default());
///     let found = Engine::new().search(game.position(), Limits::depth(2));
///     let best = found.best.expect("a legal move");
///     println!("{} {}", game.position().move_text(best), Perft::new(P::default()).count(3)?);
///     game.play(best).expect("a legal move");
///     assert!(!game.position().in_check() && game.outcome().is_none());
///     Ok(())
/// }
///
/// try_all::<chess::Position>()?;
/// try_all::<xiangqi::Position>()?;
/// # Ok::<(), tabiya::perft::HashError>(())
/// ```
pub trait Playable: Keyed + WideKeyed + Send + Sync + 'static {
    #[doc(hidden)]
    /// One entry of the game history (the trail): what repetition detection needs from an earlier position.
    type Step: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    /// What a search thread keeps between evaluations, such as the sums of a network.
    type Memo: Default + Send + 'static;
    #[doc(hidden)]
    /// The endgame tablebases of this game; `NoTables` if it has none.
    type Tables: EndgameTables<Self, Self::Step>;

    #[doc(hidden)]
    /// Whether stalemate loses; otherwise it is a draw.
    const STALEMATE_LOSES: bool;
    #[doc(hidden)]
    /// The search constants of this game.
    const PARAMS: SearchParams;
    #[doc(hidden)]
    /// The win models of this game.
    const WIN_MODEL: FittedModel;
    #[doc(hidden)]
    /// The number of values of [`Playable::code`].
    const CODES: usize;

    #[doc(hidden)]
    /// The moving piece (with its side) and the target square as one number below `CODES`, to index history tables.
    fn code(&self, m: Self::Move) -> usize;
    #[doc(hidden)]
    /// The type of the piece that the legal move `m` captures, 1 to 7; 0 for no capture.
    fn victim(&self, m: Self::Move) -> usize;
    #[doc(hidden)]
    /// The material that the legal move `m` gains immediately, promotion included, in centipawns.
    fn gain(&self, m: Self::Move) -> i32;
    #[doc(hidden)]
    /// Whether the static exchange evaluation (SEE) of the legal move `m` is at least `limit` centipawns. Both sides
    /// capture with their least valuable piece and may stop at any time.
    fn see_at_least(&self, m: Self::Move, limit: i32) -> bool;
    #[doc(hidden)]
    /// The static evaluation for the side to move, in centipawns; its absolute value is below 20,000. The side to
    /// move must not be in check.
    fn evaluate(&self, memo: &mut Self::Memo) -> i32;
    #[doc(hidden)]
    /// Number of pieces on the board.
    fn piece_count(&self) -> u32;
    #[doc(hidden)]
    /// The expected results at a score in this position. It must not affect the search.
    fn win_model(&self) -> WinModel {
        Self::WIN_MODEL.with_pieces(self.piece_count())
    }
    #[doc(hidden)]
    /// A key of the slow part of the position (chess: pawns; xiangqi: soldiers, elephants, advisors); equal for
    /// positions that differ only elsewhere.
    fn structure_key(&self) -> u64;
    #[doc(hidden)]
    /// A key of `side`'s other pieces.
    fn pieces_key(&self, side: Side) -> u64;
    #[doc(hidden)]
    /// The squares that the opponent attacks, as a bit set indexed like [`super::GameMove::from`] and `to`; 0 in a
    /// game that does not supply them (xiangqi).
    fn threats(&self) -> u128;
    #[doc(hidden)]
    /// Whether zugzwang is likely, so that null-move pruning is unsafe.
    fn null_is_risky(&self) -> bool;

    #[doc(hidden)]
    /// The history entry of this position, whose key is `key`, before `m` is made.
    fn step(&self, key: u64, m: Self::Move) -> Self::Step;
    #[doc(hidden)]
    /// The history entry of this position before a null move.
    fn null_step(&self, key: u64) -> Self::Step;
    #[doc(hidden)]
    /// The key in `step`.
    fn key_of(step: &Self::Step) -> u64;
    #[doc(hidden)]
    /// Plies until the move counter makes the game a draw, if nothing resets it.
    fn plies_to_draw(&self) -> u32;
    #[doc(hidden)]
    /// Whether the rules on repetition, move counters and material end the game here.
    ///
    /// `trail` holds the entries of all earlier positions, oldest first, the last `ply` of which were added by the
    /// search. `key` is the key of this position.
    fn verdict(&self, key: u64, trail: &[Self::Step], ply: usize) -> Option<Verdict>;
    /// Whether neither side has the pieces to win.
    fn is_material_insufficient(&self) -> bool;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    #[doc(hidden)]
    /// Whether the legal move `m` is one of `noisy_moves`.
    fn is_noisy(&self, m: Self::Move) -> bool;
    #[doc(hidden)]
    /// Makes a null move; the side to move must not be in check.
    fn make_null(&mut self);
    #[doc(hidden)]
    /// The key after `make_null`.
    fn key_after_null(&self, key: u64) -> u64;
}
