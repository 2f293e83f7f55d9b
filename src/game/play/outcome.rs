//! How games end: [`Outcome`], [`GameResult`], what the rules on repetition say ([`Verdict`]), and moves that are not
//! legal.

use crate::game::side::Side;
use crate::game::text::fault::{NotationError, named};
use std::fmt;
use std::str::FromStr;

/// How a game has ended. `Game::result` says who has won; after checkmate it is the side that is
/// not to move.
///
/// ```
/// use tabiya::chess::{Outcome, Position};
///
/// let position: Position = "8/8/8/4k3/8/8/8/4K1N1 w - - 0 1".parse()?;
/// assert_eq!(position.outcome(), Some(Outcome::InsufficientMaterial));
/// assert_eq!(Outcome::InsufficientMaterial.to_string(), "insufficient material");
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
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
    /// The position has occurred for the third time, and in xiangqi neither side alone is to blame. A draw.
    Repetition,
    /// Xiangqi: the position has occurred for the third time because this side has given check, or chased a piece, with
    /// every move. It has lost.
    Perpetual(Side),
}

impl Outcome {
    /// The result for the first player; `side` is the side to move.
    pub(in crate::game) fn result(self, side: Side, stalemate_loses: bool) -> GameResult {
        let loser = match self {
            Outcome::Checkmate => Some(side),
            Outcome::Stalemate if stalemate_loses => Some(side),
            Outcome::Perpetual(loser) => Some(loser),
            _ => None,
        };
        loser.map_or(GameResult::Draw, |loser| GameResult::won_by(loser.flip()))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient material",
            Outcome::MoveRule => "move rule",
            Outcome::Repetition => "repetition",
            Outcome::Perpetual(Side::First) => "perpetual check or chase by w",
            Outcome::Perpetual(Side::Second) => "perpetual check or chase by b",
        })
    }
}

impl FromStr for Outcome {
    type Err = NotationError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        use Outcome::{Checkmate, InsufficientMaterial, MoveRule, Perpetual, Repetition, Stalemate};
        let perpetual = Side::BOTH.map(Perpetual);
        let others = [Checkmate, Stalemate, InsufficientMaterial, MoveRule, Repetition];
        named(text, "outcome", &[&others[..], &perpetual].concat())
    }
}

/// The result of a game from the first side's (White's, Red's) point of view.
///
/// ```
/// use tabiya::game::{GameResult, Side};
///
/// assert_eq!(GameResult::won_by(Side::BLACK), GameResult::Loss);
/// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
/// ```
/// It is written as in PGN: `1-0`, `0-1`, `1/2-1/2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// The first side lost.
    Loss,
    /// A draw.
    Draw,
    /// The first side won.
    Win,
}

impl GameResult {
    /// All values, in order.
    pub const ALL: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::Loss => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Win => "1-0",
        }
    }

    /// The result of a game that `side` has won.
    pub const fn won_by(side: Side) -> GameResult {
        match side {
            Side::First => GameResult::Win,
            Side::Second => GameResult::Loss,
        }
    }
}

impl fmt::Display for GameResult {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for GameResult {
    type Err = NotationError;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        named(text, "result", &GameResult::ALL)
    }
}

/// A move that is not legal in the position it was meant for.
///
/// ```
/// use tabiya::chess::Position;
///
/// let start = Position::default();
/// let after = start.play(start.parse_move("e2e4")?)?;
/// let error = start.play(after.parse_move("e7e5")?).unwrap_err();
/// assert_eq!(error.to_string(), "move: e7e5 is not legal in this position");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct IllegalMove<M>(pub M);

impl<M: fmt::Display> fmt::Display for IllegalMove<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move: {} is not legal in this position", self.0)
    }
}

impl<M: fmt::Display> fmt::Debug for IllegalMove<M> {
    /// Writes the message, as `Display` does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<M: fmt::Display> std::error::Error for IllegalMove<M> {}

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
