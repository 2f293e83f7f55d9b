//! A game that is being played: positions and moves with their history, and how it has ended.
//!
//! [`Game`] is for programs that use the crate; the engine keeps a history of its own. The rules that need the history are the
//! game's [`Playable::verdict`].

use super::playable::{Playable, Verdict};
use super::record::GameResult;
use super::rules::Rules;
use super::side::Side;
use std::fmt;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move is in check and has no legal move. It has lost.
    Checkmate,
    /// The side to move is not in check and has no legal move: a draw in chess, a loss in xiangqi.
    Stalemate,
    /// Neither side has the pieces to win. A draw.
    InsufficientMaterial,
    /// Fifty moves (chess) or sixty moves (xiangqi) of both sides without a capture or, in chess, a pawn move. A draw.
    MoveRule,
    /// The position has occurred for the third time in chess; in xiangqi it has recurred and neither side alone is to
    /// blame. A draw.
    Repetition,
    /// Xiangqi: the position has recurred because this side has given check, or chased a piece, with every move. It
    /// has lost.
    Perpetual(Side),
}

impl Outcome {
    /// The result for the first player, if `side` is to move and `stalemate_loses`.
    fn result(self, side: Side, stalemate_loses: bool) -> GameResult {
        let loser = match self {
            Outcome::Checkmate => Some(side),
            Outcome::Stalemate if stalemate_loses => Some(side),
            Outcome::Perpetual(loser) => Some(loser),
            _ => None,
        };
        loser.map_or(GameResult::Draw, |loser| GameResult::won_by(loser.flip()))
    }
}

/// A move that is not legal in the position it was meant for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove<M>(pub M);

impl<M: fmt::Display> fmt::Display for IllegalMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move: {} is not legal in this position", self.0)
    }
}

impl<M: fmt::Display + fmt::Debug> std::error::Error for IllegalMove<M> {}

/// The position after the legal move `m`.
pub(crate) fn play<P: Rules>(position: &P, m: P::Move) -> Result<P, IllegalMove<P::Move>> {
    if !position.is_legal(m) {
        return Err(IllegalMove(m));
    }
    let mut next = *position;
    next.make(m);
    Ok(next)
}

/// How the game has ended in `position`, whatever came before.
pub(crate) fn outcome<P: Playable>(position: &P) -> Option<Outcome> {
    if position.count_legal() == 0 {
        let mated = position.in_check();
        return Some(if mated { Outcome::Checkmate } else { Outcome::Stalemate });
    }
    position.is_material_insufficient().then_some(Outcome::InsufficientMaterial)
}

/// A position with the moves that led to it: the rules about repetition need them.
///
/// `chess::Game` and `xiangqi::Game` are this type.
///
/// ```
/// use tabiya::chess::{Game, Outcome};
///
/// let mut game = Game::default();
/// for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
///     assert_eq!(game.outcome(), None);
///     game.play(game.position().parse_move(text)?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Repetition));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Game<P: Playable> {
    position: P,
    moves: Vec<P::Move>,
    /// The positions in which they were made.
    past: Vec<P>,
    trail: Vec<P::Step>,
}

impl<P: Playable> Game<P> {
    /// A game that begins at `position`.
    pub fn new(position: P) -> Self {
        Game { position, moves: Vec::new(), past: Vec::new(), trail: Vec::new() }
    }

    /// The position in which the game began.
    pub fn start(&self) -> &P {
        self.past.first().unwrap_or(&self.position)
    }

    /// The position on the board.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal; nothing changes then.
    pub fn play(&mut self, m: P::Move) -> Result<(), IllegalMove<P::Move>> {
        let next = play(&self.position, m)?;
        self.trail.push(self.position.step(self.position.key(), m));
        self.past.push(self.position);
        self.moves.push(m);
        self.position = next;
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<P::Move> {
        self.position = self.past.pop()?;
        self.trail.pop();
        self.moves.pop()
    }

    /// How the game has ended, or `None` while it goes on. The rules about repetition and the move counter apply without
    /// a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if let Some(outcome) = outcome(position) {
            return Some(outcome);
        }
        Some(match position.verdict(position.key(), &self.trail, 0)? {
            Verdict::Win => Outcome::Perpetual(position.side().flip()),
            Verdict::Loss => Outcome::Perpetual(position.side()),
            Verdict::Draw if position.plies_to_draw() == 0 => Outcome::MoveRule,
            Verdict::Draw => Outcome::Repetition,
        })
    }

    /// The result for the first player (White, Red), or `None` while the game goes on.
    pub fn result(&self) -> Option<GameResult> {
        Some(self.outcome()?.result(self.position.side(), P::STALEMATE_LOSES))
    }
}

impl<P: Playable> From<P> for Game<P> {
    fn from(position: P) -> Self {
        Game::new(position)
    }
}

impl<P: Playable + Default> Default for Game<P> {
    /// A game from the initial position.
    fn default() -> Self {
        Game::new(P::default())
    }
}
