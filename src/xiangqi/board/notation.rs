//! Reading and writing FEN and coordinate moves, with all their errors.
//!
//! Reads FEN with six fields, four (without counters, or without the dashes before them) or two (board and side to
//! move); in lenient mode with any number. Horses may be `N`, `H` or `M` (`ma`), elephants `B` or `E`, kings `K` or
//! `G`, Red to move `w` or `r`. The empty hands `[]` or `[-]` of Fairy-Stockfish may follow the board. Lenient mode
//! also reads `S`, which is an advisor (`shi`, `sĩ`) or a soldier, and `X`, which is an elephant (`xiang`) or a chariot
//! (`xe`), where the rest of the board shows which. Writes six fields with `N`, `B` and `w`. Input is untrusted:
//! nothing here panics or guesses.

use super::Board;
use super::Position;
use super::placement::{Placement, PositionError};
use super::wxf;
use crate::game::position::MAX_COUNTER;
use crate::game::text::fault::{Fault, only_one, quoted};
use crate::game::text::fen::{BoardSize, Field, Fields, Tolerance};
use crate::game::{MoveText, Notation, NotationError, Side};
use crate::xiangqi::types::{Kind, Move, Square};
use std::fmt;

/// Maximum length: 99 characters of board, two dashes, two counters and their blanks.
const MAX_LENGTH: usize = 160;

impl Notation for Board {
    const START_FEN: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    const SIZE: BoardSize = BoardSize { files: 9, ranks: 10, first_rank: 0 };

    fn letter_at(&self, file: i32, rank: i32) -> Option<u8> {
        let (side, kind) = self.piece_on(Square::at(file, rank)?)?;
        Some(kind.fen_letter(side))
    }

    fn read_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position, NotationError> {
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

    fn write_fen(pos: &Position) -> String {
        let board = Position::SIZE.write(|file, rank| pos.letter_at(file, rank));
        format!("{board} {} - - {} {}", pos.side(), pos.halfmove_clock(), pos.fullmove_number())
    }

    fn read_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        wxf::read(position, text)
    }

    /// Reads a legal move such as `h2e2`, or `h3e3` if ranks are numbered from 1.
    fn read_coordinates(pos: &Position, text: &str) -> Result<Move, NotationError> {
        let (from, to) = read_squares(pos, text)?;
        let meant = |m: &Move| (m.from(), m.to()) == (from, to);
        let found = pos.legal_moves().into_iter().find(meant);
        only_one(text, found.as_slice(), |m| pos.move_text(m))
    }

    /// With the ranks as the position numbers them.
    fn write_move(pos: &Position, m: Move) -> MoveText {
        if m == Move::NONE {
            return MoveText::new(b"0000");
        }
        let (mut text, mut length) = ([0; 6], 0);
        for letter in [m.from(), m.to()].into_iter().flat_map(|square| letters(pos, square)) {
            text[length] = letter;
            length += 1;
        }
        MoveText::new(&text[..length])
    }
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
    field.read_board(Position::SIZE, tolerance, |file, rank, at, letter| {
        let piece = read_piece(letter, rank, x_is_chariot)?;
        if let Some(square) = Square::at(file, rank) {
            (pieces[square.index()], places[square.index()]) = (Some(piece), at);
        }
        Some(1)
    })?;
    Ok((pieces, places))
}

/// Reads the two squares of a move, legal or not.
pub(in crate::xiangqi) fn read_squares(pos: &Position, text: &str) -> Result<(Square, Square), NotationError> {
    let first = pos.first_rank();
    let form = |offset| {
        let example = if first == 0 { "h2e2" } else { "h3e3" };
        let ranks = format!("ranks {first} to {}", first + 9);
        let form = format!("is no move; expected two points such as {example}, files a to i and {ranks}");
        NotationError::new("move", offset, format!("{} {form}", quoted(text)))
    };
    let (from, rest) = Square::read(text.as_bytes(), first).ok_or_else(|| form(0))?;
    let (to, end) = Square::read(rest, first).ok_or_else(|| form(text.len() - rest.len()))?;
    if !end.is_empty() {
        return Err(form(0));
    }
    Ok((from, to))
}

/// The characters of a square name.
fn letters(pos: &Position, square: Square) -> impl Iterator<Item = u8> + use<> {
    let rank = square.rank() as u8 + pos.first_rank();
    let ten = (rank == 10).then_some(b'1');
    [b'a' + square.file() as u8].into_iter().chain(ten).chain([b'0' + rank % 10])
}

impl Position {
    /// The name of a square as used in moves from this position.
    pub fn square_name(&self, square: Square) -> String {
        letters(self, square).map(char::from).collect()
    }
}

impl fmt::Display for Move {
    /// Writes the move as coordinates with ranks 0 to 9: `h2e2`. For ranks 1 to 10 use the position's `move_text`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Move::NONE {
            return f.pad("0000");
        }
        f.pad(&format!("{}{}", self.from(), self.to()))
    }
}
