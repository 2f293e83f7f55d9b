//! Builds positions of xiangqi, of a [`Placement`] or a FEN, and rejects impossible ones; and the numbering of ranks.
//!
//! Reads FENs with six fields, four (without counters, or without the dashes before them) or two (board and side to
//! move); in lenient mode with any number. Horses may be `N`, `H` or `M` (`ma`), elephants `B` or `E`, kings `K` or
//! `G`, Red to move `w` or `r`. The empty hands `[]` or `[-]` of Fairy-Stockfish may follow the board. Lenient mode
//! also reads `S`, which is an advisor (`shi`, `sĩ`) or a soldier, and `X`, which is an elephant (`xiang`) or a chariot
//! (`xe`), where the rest of the board shows which. The input is untrusted: nothing here panics or guesses.

use super::movegen::ChecksAndPins;
use super::tables;
use super::{Board, Extra};
use crate::base::text::readable_error;
use crate::game::position::MAX_COUNTER;
use crate::game::text::fault::{Fault, quoted};
use crate::game::text::fen::{Field, Fields, Tolerance};
use crate::game::{NotationError, Side};
use crate::xiangqi::Position;
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

impl From<&Position> for Placement {
    fn from(position: &Position) -> Self {
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

impl Position {
    /// Checks `placement` and converts it to a position.
    ///
    /// # Errors
    /// The first fault found, if the position is impossible.
    pub fn new(placement: &Placement) -> Result<Position, PositionError> {
        let pos = Position::with_soldiers_anywhere(placement)?;
        pos.check_squares(Kind::Soldier).map(|()| pos)
    }

    /// Does the same as [`Position::new`], but allows soldiers on any square: rule books set them up where they never
    /// come to.
    pub(super) fn with_soldiers_anywhere(placement: &Placement) -> Result<Position, PositionError> {
        let mut board = Board { kinds: [Bitboard::EMPTY; 7], sides: [Bitboard::EMPTY; 2], side: placement.side };
        for square in Square::all() {
            if let Some((side, kind)) = placement.pieces[square.index()] {
                board.kinds[kind.index()] |= Bitboard::of(square);
                board.sides[side.index()] |= Bitboard::of(square);
            }
        }
        let pos = Position {
            board,
            key: 0,
            checks_and_pins: ChecksAndPins::NONE,
            halfmove: placement.halfmove,
            fullmove: placement.fullmove,
            extra: Extra { first_rank: 0, ruleset: Ruleset::DEFAULT, check_count: CheckCount::NONE },
        };
        pos.check_material()?;
        if placement.halfmove > MAX_COUNTER {
            return Err(PositionError::HalfmoveClock);
        }
        if !(1..=MAX_COUNTER).contains(&placement.fullmove) {
            return Err(PositionError::FullmoveNumber);
        }
        let [red, black] = Side::BOTH.map(|side| pos.king(side));
        if red.file() == black.file() && !tables::between(red, black).meets(pos.occupied()) {
            return Err(PositionError::KingsFacing);
        }
        let (us, them) = (pos.side, pos.side.flip());
        if pos.attackers(us, pos.king(them)) != Bitboard::EMPTY {
            return Err(PositionError::OpponentInCheck);
        }
        Ok(pos.with_board(board))
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

    fn check_squares(&self, kind: Kind) -> Result<(), PositionError> {
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
    pub const fn with_first_rank(mut self, first_rank: u8) -> Position {
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
    pub fn same_position(&self, other: &Position) -> bool {
        (self.kinds, self.sides, self.side) == (other.kinds, other.sides, other.side)
    }
}

/// Maximum length: 99 characters of board, two dashes, two counters and their blanks.
const MAX_LENGTH: usize = 160;

/// Reads a FEN from which stray characters have been removed.
pub(super) fn parse_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position, NotationError> {
    let mut fields = Fields::split(fen, MAX_LENGTH, "the field is missing; a FEN has six fields, four or two")?;
    // Some programs omit the two dashes, which have no meaning in xiangqi.
    if matches!(fields.count, 3 | 4) && fields.all[2].text.bytes().all(|b| b.is_ascii_digit()) {
        for i in [2, 3] {
            let moved = std::mem::take(&mut fields.all[i].text);
            (fields.all[i + 2].text, fields.all[i + 2].offset) = (moved, fields.all[i].offset);
        }
        fields.count += 2;
    }
    // The board first: a wrong character there says more than a missing field.
    let (pieces, places) = read_board(fields.all[0], tolerance)?;
    fields.check_count(&[2, 4, 6], tolerance)?;
    let [board, side, castling, en_passant, halfmove, fullmove] = fields.all;
    let placement = Placement {
        pieces,
        side: side.side(&["w", "r"], tolerance)?,
        halfmove: halfmove.counter(0, MAX_COUNTER, tolerance)?,
        fullmove: fullmove.counter(1, MAX_COUNTER, tolerance)?,
    };
    for unused in [castling, en_passant] {
        if !matches!(unused.text, "-" | "") {
            return Err(unused.error(0, format!("{} is not -", quoted(unused.text))));
        }
    }
    let error = |fault: PositionError| match fault {
        PositionError::OpponentInCheck => side.error(0, fault.to_string()),
        PositionError::HalfmoveClock => halfmove.error(0, fault.to_string()),
        PositionError::FullmoveNumber => fullmove.error(0, fault.to_string()),
        // The error points at the piece and names its square, unless a piece is missing.
        _ => match culprit(&placement, fault) {
            Some(square) => {
                let at = places[square.index()];
                match fault {
                    PositionError::Misplaced(..) => board.error(at, fault.to_string()),
                    PositionError::KingsFacing => board.error(at, format!("{fault}; Red's is on {square}")),
                    _ => board.error(at, format!("{fault}; the one on {square} is too many")),
                }
            }
            None => board.error(0, fault.to_string()),
        },
    };
    match Position::new(&placement) {
        Err(fault @ PositionError::Misplaced(_, Kind::Soldier, _)) => {
            tolerance.overlook(error(fault), "accepted as a set-up position")?;
            Position::with_soldiers_anywhere(&placement)
        }
        result => result,
    }
    .map_err(|fault| {
        let crowded = matches!(fault, PositionError::TooMany(..));
        error(fault).with_fault(if crowded { Fault::TooManyPieces } else { Fault::Impossible })
    })
}

/// The square of the piece that is wrong or too many; the first one that is written.
fn culprit(placement: &Placement, fault: PositionError) -> Option<Square> {
    let of = |side, kind, most: usize| {
        let written = (0..10).rev().flat_map(|rank| (0..9).map(move |file| (file, rank)));
        let squares = written.filter_map(|(file, rank)| Square::at(file, rank));
        squares.filter(|s| placement.pieces[s.index()] == Some((side, kind))).nth(most)
    };
    match fault {
        PositionError::Misplaced(_, _, square) => Some(square),
        PositionError::Kings(side) => of(side, Kind::King, 1),
        PositionError::TooMany(side, kind) => of(side, kind, kind.most() as usize),
        PositionError::KingsFacing => of(Side::First, Kind::King, 0),
        _ => None,
    }
}

/// Warns of letters with two meanings. Returns whether an `X` is a chariot; else it is an elephant.
fn check_letters(field: Field<'_>, tolerance: &mut Tolerance) -> Result<bool, NotationError> {
    let place = |letter: u8| field.text.bytes().position(|b| b.to_ascii_lowercase() == letter);
    if let Some(at) = place(b's') {
        let error = field.error(at, "\"S\" may be an advisor or a soldier");
        tolerance.overlook(error, "read as an advisor on the three back ranks, else as a soldier")?;
    }
    // Whose letter is on the board besides, the other piece is the X.
    let x_is_chariot = place(b'r').is_none() && place(b'b').or(place(b'e')).is_some();
    if let Some(at) = place(b'x') {
        let error = field.error(at, "\"X\" may be an elephant or a chariot");
        let piece = if x_is_chariot { Kind::Chariot } else { Kind::Elephant };
        tolerance.overlook(error, &format!("read as {piece}"))?;
    }
    Ok(x_is_chariot)
}

/// The piece that a letter means on `rank`.
fn read_piece(letter: u8, rank: i32, x_is_chariot: bool) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let home = if side == Side::First { rank } else { 9 - rank };
    let kind = match letter.to_ascii_lowercase() {
        b'm' => Kind::Horse,
        b'g' => Kind::King,
        b's' if home < 3 => Kind::Advisor,
        b's' => Kind::Soldier,
        b'x' if x_is_chariot => Kind::Chariot,
        b'x' => Kind::Elephant,
        _ => return Kind::from_fen_letter(letter),
    };
    Some((side, kind))
}

/// The piece on each square, and the place in the text of each.
type Pieces = ([Option<(Side, Kind)>; 90], [usize; 90]);

fn read_board(mut field: Field<'_>, tolerance: &mut Tolerance) -> Result<Pieces, NotationError> {
    let hands = ["[]", "[-]"].into_iter().find_map(|hands| field.text.strip_suffix(hands));
    field.text = hands.unwrap_or(field.text);
    let x_is_chariot = check_letters(field, tolerance)?;
    let (mut pieces, mut places) = ([None; 90], [0; 90]);
    field.read_ranks(Position::SIZE, tolerance, |file, rank, at, letter| {
        let piece = read_piece(letter, rank, x_is_chariot)?;
        if let Some(square) = Square::at(file, rank) {
            (pieces[square.index()], places[square.index()]) = (Some(piece), at);
        }
        Some(1)
    })?;
    Ok((pieces, places))
}
