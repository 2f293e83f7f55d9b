//! Reads and writes FENs.
//!
//! Reads FENs with six fields, four (without counters, or without the dashes before them) or two (board and side to
//! move); in lenient mode with any number. Horses may be `N`, `H` or `M` (`ma`), elephants `B` or `E`, kings `K` or
//! `G`, Red to move `w` or `r`. The empty hands `[]` or `[-]` of Fairy-Stockfish may follow the board. Lenient mode
//! also reads `S`, which is an advisor (`shi`, `sĩ`) or a soldier, and `X`, which is an elephant (`xiang`) or a chariot
//! (`xe`), where the rest of the board shows which. The input is untrusted: nothing here panics or guesses.

use super::Board;
use super::placement::PositionError;
use crate::game::position::MAX_COUNTER;
use crate::game::text::fault::{Fault, quoted};
use crate::game::text::fen::{Field, Fields, Tolerance};
use crate::game::{NotationError, Position, Rules as _, Side};
use crate::xiangqi::types::{Kind, Square};

/// Maximum length: 99 characters of board, two dashes, two counters and their blanks.
const MAX_LENGTH: usize = 160;

/// Reads a FEN from which stray characters have been removed.
pub(in crate::xiangqi) fn parse_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position<Board>, NotationError> {
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
    let side_to_move = side.side(&["w", "r"], tolerance)?;
    let counters = (halfmove.counter(0, MAX_COUNTER, tolerance)?, fullmove.counter(1, MAX_COUNTER, tolerance)?);
    let position = Position::unchecked(Board { side: side_to_move, ..pieces }, counters);
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
        _ => match culprit(&pieces, fault) {
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
    let impossible = |fault| {
        let crowded = matches!(fault, PositionError::TooMany(..));
        error(fault).with_fault(if crowded { Fault::TooManyPieces } else { Fault::Impossible })
    };
    let position = position.check().map_err(impossible)?;
    // Rule books set up soldiers where they never come to.
    if let Err(fault) = position.check_squares(Kind::Soldier) {
        tolerance.overlook(impossible(fault), "accepted as a set-up position")?;
    }
    Ok(position)
}

/// The square of the piece that is wrong or too many; the first one that is written.
fn culprit(board: &Board, fault: PositionError) -> Option<Square> {
    let of = |side, kind, most: usize| {
        let written = (0..10).rev().flat_map(|rank| (0..9).map(move |file| (file, rank)));
        let squares = written.filter_map(|(file, rank)| Square::at(file, rank));
        squares.filter(|&square| board.pieces(side, kind).contains(square)).nth(most)
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

/// The pieces, with Red to move, and by square the place of each in the text.
fn read_board(mut field: Field<'_>, tolerance: &mut Tolerance) -> Result<(Board, [usize; 90]), NotationError> {
    let hands = ["[]", "[-]"].into_iter().find_map(|hands| field.text.strip_suffix(hands));
    field.text = hands.unwrap_or(field.text);
    let x_is_chariot = check_letters(field, tolerance)?;
    let (mut board, mut places) = (Board::EMPTY, [0; 90]);
    field.read_ranks(Board::SIZE, tolerance, |file, rank, at, letter| {
        let (side, kind) = read_piece(letter, rank, x_is_chariot)?;
        if let Some(square) = Square::at(file, rank) {
            board.put(square, side, kind);
            places[square.index()] = at;
        }
        Some(1)
    })?;
    Ok((board, places))
}

/// Writes six fields.
pub(in crate::xiangqi) fn write_fen(pos: &Position<Board>) -> String {
    let board = Board::SIZE.write(|file, rank| pos.letter_at(file, rank));
    format!("{board} {} - - {} {}", pos.side(), pos.halfmove_clock(), pos.fullmove_number())
}
