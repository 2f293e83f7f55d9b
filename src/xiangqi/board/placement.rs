//! Checks positions of xiangqi that are built from a [`Placement`] or a FEN, and rejects impossible ones; and the
//! numbering of ranks.

use super::movegen::ChecksAndPins;
use super::tables;
use super::{Board, Extra};
use crate::base::text::readable_error;
use crate::game::position::MAX_COUNTER;
use crate::game::{Position, Side};
use crate::xiangqi::types::{Bitboard, CheckCount, Kind, Ruleset, Square};
use std::fmt;

/// The parts of a position before they are checked by [`Position::new`].
///
/// ```
/// use tabiya::xiangqi::{Kind, Placement, Position, Side, Square};
///
/// let mut placement = Placement::default();
/// placement.pieces[Square::E0.index()] = Some((Side::RED, Kind::King));
/// placement.pieces[Square::D9.index()] = Some((Side::BLACK, Kind::King));
/// placement.pieces[Square::I5.index()] = Some((Side::RED, Kind::Chariot));
/// let position = Position::new(&placement)?;
/// assert_eq!(position.to_string(), "3k5/9/9/9/8R/9/9/9/9/4K4 w - - 0 1");
/// assert_eq!(Placement::from(&position), placement);
/// # Ok::<(), tabiya::xiangqi::PositionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The piece on each square, a0 first.
    pub pieces: [Option<(Side, Kind)>; 90],
    /// The side to move.
    pub side: Side,
    /// Plies since the last capture.
    pub halfmove: u16,
    /// Full-move number, from 1.
    pub fullmove: u16,
}

impl Default for Placement {
    /// An empty board, the first side to move.
    fn default() -> Self {
        Placement { pieces: [None; 90], side: Side::First, halfmove: 0, fullmove: 1 }
    }
}

impl From<&Position<Board>> for Placement {
    fn from(position: &Position<Board>) -> Self {
        let mut pieces = [None; 90];
        for square in position.occupied() {
            pieces[square.index()] = position.piece_on(square);
        }
        Placement {
            pieces,
            side: position.side(),
            halfmove: position.halfmove_clock(),
            fullmove: position.fullmove_number(),
        }
    }
}

/// Why a placement is not a legal position.
///
/// ```
/// use tabiya::xiangqi::{Placement, Position, PositionError, Side};
///
/// assert_eq!(Position::new(&Placement::default()), Err(PositionError::Kings(Side::RED)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PositionError {
    /// A side does not have exactly one king.
    Kings(Side),
    /// A piece is on a square it can never reach.
    Misplaced(Side, Kind, Square),
    /// A side has more pieces of a type than at the start of the game.
    TooMany(Side, Kind),
    /// The kings face each other on an open file.
    KingsFacing,
    /// The side not to move is in check.
    OpponentInCheck,
    /// The half-move clock is above 9,999.
    HalfmoveClock,
    /// The full-move number is 0 or above 9,999.
    FullmoveNumber,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: Side| if side == Side::First { "Red" } else { "Black" };
        match *self {
            Self::Kings(side) => write!(f, "{} must have exactly one king", name(side)),
            Self::Misplaced(side, kind, square) => {
                write!(f, "{}'s {kind} cannot stand on {square}", name(side))
            }
            Self::TooMany(side, kind) => {
                write!(f, "{} has more than {} {kind}s", name(side), kind.most())
            }
            Self::KingsFacing => f.write_str("the kings face each other"),
            Self::OpponentInCheck => f.write_str("the side that is not to move is in check"),
            Self::HalfmoveClock => write!(f, "expected a number from 0 to {MAX_COUNTER}"),
            Self::FullmoveNumber => write!(f, "expected a number from 1 to {MAX_COUNTER}"),
        }
    }
}

readable_error!(PositionError);

/// The squares on which a piece can ever be.
fn possible_squares(side: Side, kind: Kind) -> Bitboard {
    let half = Bitboard::half_of(side);
    // The target squares of all moves are the squares a piece can be on.
    let reached =
        |reach: fn(Square) -> Bitboard| Square::all().fold(Bitboard::EMPTY, |set, square| set | reach(square)) & half;
    match kind {
        Kind::Chariot | Kind::Cannon | Kind::Horse => Bitboard::ALL,
        Kind::King => half & Bitboard::PALACES,
        Kind::Advisor => reached(tables::advisor),
        Kind::Elephant => reached(|square| tables::elephant(square, Bitboard::EMPTY)),
        Kind::Soldier => {
            let (fourth, fifth) = if side == Side::First { (3, 4) } else { (6, 5) };
            let files = (0..9).step_by(2).fold(Bitboard::EMPTY, |set, f| set | Bitboard::file(f));
            let own_half = (Bitboard::rank(fourth) | Bitboard::rank(fifth)) & files;
            own_half | !half
        }
    }
}

impl Position<Board> {
    /// Checks `placement` and converts it to a position.
    ///
    /// # Errors
    /// The first fault found, if the position is impossible.
    pub fn new(placement: &Placement) -> Result<Self, PositionError> {
        let mut board = Board { side: placement.side, ..Board::EMPTY };
        for square in Square::all() {
            if let Some((side, kind)) = placement.pieces[square.index()] {
                board.put(square, side, kind);
            }
        }
        let position = Position::unchecked(board, (placement.halfmove, placement.fullmove)).check()?;
        position.check_squares(Kind::Soldier)?;
        Ok(position)
    }

    /// A position for [`check`](Self::check) with these counters, of half-moves and of full moves.
    pub(super) fn unchecked(board: Board, (halfmove, fullmove): (u16, u16)) -> Self {
        let extra = Extra { first_rank: 0, ruleset: Ruleset::DEFAULT, check_count: CheckCount::NONE };
        Position { board, key: 0, checks_and_pins: ChecksAndPins::NONE, halfmove, fullmove, extra }
    }

    /// The position, if it is possible but for the squares of its soldiers.
    pub(super) fn check(self) -> Result<Self, PositionError> {
        self.check_material()?;
        if self.halfmove > MAX_COUNTER {
            return Err(PositionError::HalfmoveClock);
        }
        if !(1..=MAX_COUNTER).contains(&self.fullmove) {
            return Err(PositionError::FullmoveNumber);
        }
        let [red, black] = Side::BOTH.map(|side| self.king(side));
        if red.file() == black.file() && !tables::between(red, black).meets(self.occupied()) {
            return Err(PositionError::KingsFacing);
        }
        let (us, them) = (self.side, self.side.flip());
        if !self.attackers(us, self.king(them)).is_empty() {
            return Err(PositionError::OpponentInCheck);
        }
        Ok(self.with_board(self.board))
    }

    fn check_material(&self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            if self.pieces(side, Kind::King).count() != 1 {
                return Err(PositionError::Kings(side));
            }
            for kind in Kind::ALL {
                if kind != Kind::Soldier {
                    self.check_squares(kind)?;
                }
                if self.pieces(side, kind).count() > kind.most() {
                    return Err(PositionError::TooMany(side, kind));
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_squares(&self, kind: Kind) -> Result<(), PositionError> {
        for side in Side::BOTH {
            let set = self.pieces(side, kind);
            if let Some(square) = (set - possible_squares(side, kind)).lowest() {
                return Err(PositionError::Misplaced(side, kind, square));
            }
        }
        Ok(())
    }

    /// The number of Red's back rank in square names: 0, or 1 if set by [`Position::with_first_rank`].
    pub const fn first_rank(&self) -> u8 {
        self.extra.first_rank
    }

    /// The same position, with moves read and written with ranks numbered from `first_rank`, 0 or 1.
    #[must_use]
    pub const fn with_first_rank(mut self, first_rank: u8) -> Self {
        debug_assert!(first_rank <= 1);
        self.extra.first_rank = first_rank;
        self
    }

    /// Whether `side` has no piece that can cross the river, and so nothing to win with.
    /// [`is_material_insufficient`](Self::is_material_insufficient) is true if neither side has one.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Side};
    ///
    /// let position: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1".parse()?;
    /// assert!(position.has_insufficient_material(Side::BLACK));
    /// assert!(!position.has_insufficient_material(Side::RED));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn has_insufficient_material(&self, side: Side) -> bool {
        let crosses = [Kind::Soldier, Kind::Horse, Kind::Chariot, Kind::Cannon];
        crosses.into_iter().all(|kind| self.pieces(side, kind).is_empty())
    }

    /// Whether both positions have the same pieces and side to move, and so are the same for the rules on repetition.
    /// Then their [`key`](Self::key) is equal too. `==` also compares the move counters, the rules and
    /// the numbering of ranks.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// assert!(start != start.with_first_rank(1) && start.same_position(&start.with_first_rank(1)));
    /// ```
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        (self.kinds, self.sides, self.side) == (other.kinds, other.sides, other.side)
    }
}
