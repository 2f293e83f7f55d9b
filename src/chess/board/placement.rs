//! Checks positions of chess that are built from a [`Placement`] or a FEN, and rejects impossible ones; and Chess960.

use super::attacks::attackers;
use super::movegen::ChecksAndPins;
use super::tables;
use super::{Board, Extra};
use crate::base::text::readable_error;
use crate::chess::types::{Bitboard, Black, Kind, Square, Us, White};
use crate::game::position::MAX_COUNTER;
use crate::game::{Position, Side};
use std::fmt;

/// The parts of a position before they are checked by [`Position::new`].
///
/// ```
/// use tabiya::chess::{Kind, Placement, Position, Side, Square};
///
/// let mut placement = Placement::default();
/// placement.pieces[Square::E1.index()] = Some((Side::WHITE, Kind::King));
/// placement.pieces[Square::E8.index()] = Some((Side::BLACK, Kind::King));
/// placement.pieces[Square::H1.index()] = Some((Side::WHITE, Kind::Rook));
/// placement.castling = Square::H1.into();
/// let position = Position::new(&placement)?;
/// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(Placement::from(&position), placement);
/// # Ok::<(), tabiya::chess::PositionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The pieces by square, a1 first.
    pub pieces: [Option<(Side, Kind)>; 64],
    /// The side to move.
    pub side: Side,
    /// The squares of the rooks that may castle.
    pub castling: Bitboard,
    /// The square that a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// The full-move number, from 1.
    pub fullmove: u16,
    /// Write castling as "king takes rook", and castling rights by file.
    pub chess960: bool,
}

impl Default for Placement {
    /// An empty board, the first side to move.
    fn default() -> Self {
        Placement {
            pieces: [None; 64],
            side: Side::First,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
            chess960: false,
        }
    }
}

impl From<&Position<Board>> for Placement {
    fn from(position: &Position<Board>) -> Self {
        let mut pieces = [None; 64];
        for square in position.occupied() {
            pieces[square.index()] = position.piece_on(square);
        }
        Placement {
            pieces,
            side: position.side(),
            castling: position.castling(),
            en_passant: position.en_passant(),
            halfmove: position.halfmove_clock(),
            fullmove: position.fullmove_number(),
            chess960: position.is_chess960(),
        }
    }
}

/// Why a placement is not a legal position.
///
/// ```
/// use tabiya::chess::{Placement, Position, PositionError, Side};
///
/// assert_eq!(Position::new(&Placement::default()), Err(PositionError::Kings(Side::WHITE)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PositionError {
    /// A side has no king, or several.
    Kings(Side),
    /// A pawn is on the first or last rank.
    PawnOnBackRank(Square),
    /// More pawns and promoted pieces than eight.
    TooManyPromotions(Side),
    /// More than sixteen pieces.
    TooManyPieces(Side),
    /// More than eight pawns.
    TooManyPawns(Side),
    /// The side that has just moved is in check.
    OpponentInCheck,
    /// More checkers than one move can create.
    TooManyCheckers,
    /// A castling right whose king or rook is not in place.
    Castling(Square),
    /// Several castling rooks on the same side of the king.
    CastlingTwice(Square),
    /// An en passant square that no double step can just have passed.
    EnPassant(Square),
    /// An en passant square, and a check that the double step cannot have given.
    EnPassantCheck(Square),
    /// The half-move clock is above 9,999.
    HalfmoveClock,
    /// The full-move number is 0 or above 9,999.
    FullmoveNumber,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: Side| if side == Side::First { "White" } else { "Black" };
        match *self {
            Self::Kings(side) => write!(f, "{} must have exactly one king", name(side)),
            Self::PawnOnBackRank(square) => write!(f, "a pawn cannot stand on {square}"),
            Self::TooManyPromotions(side) => {
                write!(f, "{} has more than eight pawns and promoted pieces", name(side))
            }
            Self::TooManyPieces(side) => write!(f, "{} has more than sixteen pieces", name(side)),
            Self::TooManyPawns(side) => write!(f, "{} has more than eight pawns", name(side)),
            Self::OpponentInCheck => f.write_str("the side that is not to move is in check"),
            Self::TooManyCheckers => f.write_str("more than two pieces give check"),
            Self::Castling(square) => {
                write!(f, "no king and rook in place to castle with {square}")
            }
            Self::CastlingTwice(square) => {
                write!(f, "a second rook, on {square}, cannot castle to the same side")
            }
            Self::EnPassant(square) => {
                write!(f, "no pawn can have passed {square} by a double step")
            }
            Self::EnPassantCheck(square) => {
                write!(f, "a double step over {square} cannot have given this check")
            }
            Self::HalfmoveClock => write!(f, "expected a number from 0 to {MAX_COUNTER}"),
            Self::FullmoveNumber => write!(f, "expected a number from 1 to {MAX_COUNTER}"),
        }
    }
}

readable_error!(PositionError);

impl Position<Board> {
    /// Checks `placement` and makes a position of it.
    ///
    /// An en passant square that no pawn of the side to move attacks has no effect and is dropped. Castling rights
    /// that ordinary chess does not have switch `chess960` on.
    ///
    /// # Errors
    /// The first fault found, if the position cannot occur in a game.
    pub fn new(placement: &Placement) -> Result<Self, PositionError> {
        Position::of_placement(placement, Err)
    }

    /// The start position of Chess960 with this number, 0 to 959, by Scharnagl's numbering: 518 is the array of
    /// ordinary chess. `None` for a larger number. Castling is written as Chess960 has it.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let start = Position::chess960_start(518).expect("a number below 960");
    /// assert_eq!(start, Position::default().with_chess960(true));
    /// let last = Position::chess960_start(959).expect("a number below 960");
    /// assert_eq!(last.to_string(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");
    /// assert_eq!(Position::chess960_start(960), None);
    /// ```
    #[doc(alias = "from_chess960_pos")]
    #[doc(alias = "startpos")]
    pub fn chess960_start(number: u32) -> Option<Self> {
        if number >= 960 {
            return None;
        }
        let (number, bishops) = (number as usize / 16, number as usize % 16);
        let (knights, queen) = (number / 6, number % 6);
        // A pawn is a place that is left.
        let mut array = [Kind::Pawn; 8];
        array[2 * (bishops % 4) + 1] = Kind::Bishop;
        array[2 * (bishops / 4)] = Kind::Bishop;
        // The two places of the knights among the five that are left then.
        let mut pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
        let (first, second) = pairs.nth(knights)?;
        // Each to the place of this number among those that are left.
        for (place, kind) in [
            (queen, Kind::Queen),
            (second, Kind::Knight),
            (first, Kind::Knight),
            (0, Kind::Rook),
            (0, Kind::King),
            (0, Kind::Rook),
        ] {
            *array.iter_mut().filter(|kind| **kind == Kind::Pawn).nth(place)? = kind;
        }
        let mut placement = Placement { chess960: true, ..Placement::default() };
        for (file, kind) in array.into_iter().enumerate() {
            let ranks =
                [(Side::First, kind), (Side::First, Kind::Pawn), (Side::Second, Kind::Pawn), (Side::Second, kind)];
            for (rank, piece) in [0, 1, 6, 7].into_iter().zip(ranks) {
                placement.pieces[8 * rank + file] = Some(piece);
                if piece.1 == Kind::Rook {
                    placement.castling |= Bitboard(1 << (8 * rank + file));
                }
            }
        }
        Self::new(&placement).ok()
    }

    /// Checks `placement` like [`Position::new`] and makes a position of it, which was set up by hand: it may have any
    /// pieces instead of the usual ones, and any number of checkers.
    ///
    /// # Errors
    /// The first fault found.
    pub fn set_up(placement: &Placement) -> Result<Self, PositionError> {
        Position::of_placement(placement, |fault| match fault {
            PositionError::TooManyPromotions(_) | PositionError::TooManyCheckers => Ok(()),
            fault => Err(fault),
        })
    }

    /// The position of `placement`; see [`check`](Self::check).
    fn of_placement(
        placement: &Placement,
        judge: impl FnMut(PositionError) -> Result<(), PositionError>,
    ) -> Result<Self, PositionError> {
        let mut board = Board { castling: placement.castling, side: placement.side, ..Board::EMPTY };
        for square in Square::all() {
            if let Some((side, kind)) = placement.pieces[square.index()] {
                board.put(square, side, kind);
            }
        }
        let mut position = Position::unchecked(board, (placement.halfmove, placement.fullmove));
        position.extra.chess960 = placement.chess960;
        position.check_kings()?;
        position.check(placement.en_passant, judge)
    }

    /// A position for [`check`](Self::check) with these counters, of half-moves and of full moves.
    pub(super) fn unchecked(board: Board, (halfmove, fullmove): (u16, u16)) -> Self {
        let (checks_and_pins, extra) = (ChecksAndPins::NONE, Extra { chess960: false });
        Position { board, key: 0, checks_and_pins, halfmove, fullmove, extra }
    }

    /// The position, in which each side has one king, with the square that a pawn has `passed`; `judge` is asked about
    /// every fault. If it accepts the material or the checkers, the position is one that was set up; if it accepts a
    /// fault of the en passant square, there is none.
    pub(super) fn check<E>(
        mut self,
        passed: Option<Square>,
        mut judge: impl FnMut(PositionError) -> Result<(), E>,
    ) -> Result<Self, E> {
        self.check_pawns().or_else(&mut judge)?;
        let material = self.check_material();
        material.or_else(&mut judge)?;
        if material.is_err() {
            self.check_piece_counts().or_else(&mut judge)?;
        }
        self.check_castling().or_else(&mut judge)?;
        self.extra.chess960 |= self.has_chess960_castling();
        if let Some(square) = passed {
            self.set_en_passant(square).or_else(&mut judge)?;
        }
        if self.halfmove > MAX_COUNTER {
            judge(PositionError::HalfmoveClock)?;
        }
        if !(1..=MAX_COUNTER).contains(&self.fullmove) {
            judge(PositionError::FullmoveNumber)?;
        }
        let (us, them) = (self.side, self.side.flip());
        if !self.attackers(us, self.king(them)).is_empty() {
            judge(PositionError::OpponentInCheck)?;
        }
        if material.is_ok() && self.attackers(them, self.king(us)).count() > 2 {
            judge(PositionError::TooManyCheckers)?;
        }
        Ok(self.with_board(self.board))
    }

    /// Checks that each side has one king.
    pub(super) fn check_kings(&self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            if self.pieces(side, Kind::King).count() != 1 {
                return Err(PositionError::Kings(side));
            }
        }
        Ok(())
    }

    fn check_pawns(&self) -> Result<(), PositionError> {
        let ends = Bitboard::rank(0) | Bitboard::rank(7);
        if let Some(square) = (self.kind_set(Kind::Pawn) & ends).lowest() {
            return Err(PositionError::PawnOnBackRank(square));
        }
        Ok(())
    }

    /// Checks that the missing pawns can have become the additional pieces.
    fn check_material(&self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            let bishops = self.pieces(side, Kind::Bishop);
            let extra = |n: u32, usual: u32| n.saturating_sub(usual);
            let promoted = extra(self.pieces(side, Kind::Queen).count(), 1)
                + extra(self.pieces(side, Kind::Rook).count(), 2)
                + extra(self.pieces(side, Kind::Knight).count(), 2)
                + extra((bishops & Bitboard::LIGHT).count(), 1)
                + extra((bishops & !Bitboard::LIGHT).count(), 1);
            if self.pieces(side, Kind::Pawn).count() + promoted > 8 {
                return Err(PositionError::TooManyPromotions(side));
            }
        }
        Ok(())
    }

    /// Checks that there are not more pieces and pawns than in a game. Move lists have room for that many
    /// ([`crate::game::MOST_MOVES`]).
    fn check_piece_counts(&self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            if self.side_set(side).count() > 16 {
                return Err(PositionError::TooManyPieces(side));
            }
            if self.pieces(side, Kind::Pawn).count() > 8 {
                return Err(PositionError::TooManyPawns(side));
            }
        }
        Ok(())
    }

    fn check_castling(&self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            let back = if side == Side::First { White::BACK_RANK } else { Black::BACK_RANK };
            let king = self.king(side);
            let home = Bitboard::of(king).meets(back);
            let rooks = self.castling & back;
            for rook in rooks {
                if !home || !self.pieces(side, Kind::Rook).contains(rook) {
                    return Err(PositionError::Castling(rook));
                }
                let same_wing = rooks.into_iter().filter(|r| (r.file() > king.file()) == (rook.file() > king.file()));
                if let Some(other) = same_wing.filter(|&r| r != rook).last() {
                    return Err(PositionError::CastlingTwice(other));
                }
            }
        }
        match (self.castling & !(White::BACK_RANK | Black::BACK_RANK)).lowest() {
            Some(stray) => Err(PositionError::Castling(stray)),
            None => Ok(()),
        }
    }

    /// Whether a right to castle exists only in Chess960.
    fn has_chess960_castling(&self) -> bool {
        let unusual = |rook: Square| {
            let side = if self.side_set(Side::First).contains(rook) { Side::First } else { Side::Second };
            self.king(side).file() != 4 || !matches!(rook.file(), 0 | 7)
        };
        self.castling.into_iter().any(unusual)
    }

    fn set_en_passant(&mut self, square: Square) -> Result<(), PositionError> {
        let them = self.side.flip();
        let (rank, forward) = if them == Side::First { (2, 1) } else { (5, -1) };
        let pawn = square.step(0, forward);
        let origin = square.step(0, -forward);
        let vacated = |s: Option<Square>| s.is_some_and(|s| !self.occupied().contains(s));
        let passed = square.rank() == rank
            && pawn.is_some_and(|p| self.pieces(them, Kind::Pawn).contains(p))
            && vacated(Some(square))
            && vacated(origin);
        let (true, Some(pawn), Some(origin)) = (passed, pawn, origin) else {
            return Err(PositionError::EnPassant(square));
        };
        // A check must be given or discovered by the pawn. Any other piece that gives check now and already gave
        // check before the double step cannot occur in a game, because then it was not this side's turn. (Lines that
        // the double step closed are not tested. Other programs accept such positions too.)
        let king = self.king(self.side);
        let before = self.occupied() ^ Bitboard::of(pawn) ^ Bitboard::of(origin);
        let now = self.attackers(them, king) & !Bitboard::of(pawn);
        if now.meets(attackers(self, king, before)) {
            return Err(PositionError::EnPassantCheck(square));
        }
        if tables::pawn(them, square).meets(self.pieces(self.side, Kind::Pawn)) {
            self.board.en_passant = Bitboard::of(square);
        }
        Ok(())
    }

    /// Whether castling is written as "king takes rook".
    pub const fn is_chess960(&self) -> bool {
        self.extra.chess960
    }

    /// The same position with castling written as "king takes rook", or not. Positions with castling rights that
    /// exist only in Chess960 always use that form.
    #[must_use]
    pub fn with_chess960(mut self, chess960: bool) -> Self {
        self.extra.chess960 = chess960 || self.has_chess960_castling();
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::Position;
    use std::collections::HashSet;

    #[test]
    fn start_positions_of_chess960_have_scharnagl_numbers() {
        let arrays: Vec<String> = (0..960)
            .map(|number| Position::chess960_start(number).expect("a number below 960").to_string()[..8].to_string())
            .collect();
        assert_eq!(arrays.iter().collect::<HashSet<_>>().len(), 960);
        for array in &arrays {
            let places = |letter| array.match_indices(letter).map(|(at, _)| at).collect::<Vec<usize>>();
            let (bishops, rooks) = (places('b'), places('r'));
            assert!((bishops[0] + bishops[1]) % 2 == 1, "{array}");
            assert!((rooks[0]..rooks[1]).contains(&places('k')[0]), "{array}");
        }
        for (number, array) in [
            (0, "bbqnnrkr"),
            (1, "bqnbnrkr"),
            (15, "qnnrkrbb"),
            (16, "bbnqnrkr"),
            (95, "nnrkrqbb"),
            (96, "bbqnrnkr"),
            (518, "rnbqkbnr"),
            (534, "rnbkqbnr"),
            (959, "rkrnnqbb"),
        ] {
            assert_eq!(arrays[number], array, "{number}");
        }
        assert!([960, 961, u32::MAX].iter().all(|&number| Position::chess960_start(number).is_none()));
    }
}
