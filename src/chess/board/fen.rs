//! Reads and writes FENs.
//!
//! A FEN has six or four fields; castling rights are `KQkq`, or in Chess960 the files of the rooks. In lenient mode
//! fields may be missing, `KQkq` is read as X-FEN, and castling rights and e.p. squares without effect are dropped, as
//! in Stockfish; `~` behind a promoted piece is ignored. The empty pockets `[]` may follow the board. The input is
//! untrusted: nothing here panics, guesses or ignores a fault silently.

use super::Board;
use super::placement::PositionError;
use crate::chess::types::{Bitboard, Kind, MoveKind, Square};
use crate::game::position::MAX_COUNTER;
use crate::game::text::fault::{Fault, quoted};
use crate::game::text::fen::{Field, Fields, Tolerance};
use crate::game::{NotationError, Position, Rules as _, Side};
use std::fmt::Write as _;

/// The longest possible FEN: 71 characters of board, 4 of castling, two counters, and spaces.
const MAX_LENGTH: usize = 128;

/// Reads a FEN from which stray characters have been removed.
pub(in crate::chess) fn parse_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position<Board>, NotationError> {
    let fields = Fields::split(fen, MAX_LENGTH, "the field is missing; a FEN has six fields, or four")?;
    let [board, side, castling, en_passant, halfmove, fullmove] = fields.all;
    // The board first: a wrong character there says more than a missing field.
    let pieces = read_board(board, tolerance)?;
    // The two counters may be missing together; in lenient mode everything but the board may be missing.
    fields.check_count(&[4, 6], tolerance)?;
    let side_to_move = side.side(&["w"], tolerance)?;
    let passed = match en_passant.text {
        "-" | "" => None,
        text => Some(
            Square::parse(text.as_bytes())
                .ok_or_else(|| en_passant.error(0, format!("{} is neither a square nor -", quoted(text))))?,
        ),
    };
    let counters = (halfmove.counter(0, MAX_COUNTER, tolerance)?, fullmove.counter(1, MAX_COUNTER, tolerance)?);
    let mut position = Position::unchecked(Board { side: side_to_move, ..pieces }, counters);
    // Before the castling rights, which are read with the help of the kings.
    position.check_kings().map_err(|fault| board.error(0, fault.to_string()).with_fault(Fault::Impossible))?;
    read_castling(castling, &mut position, tolerance)?;
    let mut impossible = None;
    let position = position.check(passed, |fault| {
        let (field, kind) = match fault {
            PositionError::TooManyPromotions(_) | PositionError::TooManyPieces(_) | PositionError::TooManyPawns(_) => {
                (board, Fault::TooManyPieces)
            }
            PositionError::Kings(_) | PositionError::PawnOnBackRank(_) | PositionError::TooManyCheckers => {
                (board, Fault::Impossible)
            }
            PositionError::OpponentInCheck => (side, Fault::Impossible),
            PositionError::Castling(_) | PositionError::CastlingTwice(_) => (castling, Fault::Impossible),
            PositionError::EnPassant(_) | PositionError::EnPassantCheck(_) => (en_passant, Fault::Impossible),
            PositionError::HalfmoveClock => (halfmove, Fault::Impossible),
            PositionError::FullmoveNumber => (fullmove, Fault::Impossible),
        };
        let error = field.error(0, fault.to_string()).with_fault(kind);
        match fault {
            PositionError::TooManyPromotions(_) | PositionError::TooManyCheckers => {
                tolerance.overlook(error, "accepted as a set-up position")
            }
            PositionError::EnPassant(_) => tolerance.overlook(error, "dropped"),
            PositionError::EnPassantCheck(square) => {
                impossible = Some((square, error));
                Ok(())
            }
            _ => Err(error),
        }
    })?;
    match impossible {
        Some((square, fault)) => with_impossible(position, square, fault, tolerance),
        None => Ok(position),
    }
}

/// Overlooks the `fault` of an e.p. square whose double step cannot have given the check, in a position that is valid
/// without the square. The square is kept if a capture there ends the check, because other programs count that
/// capture too. Otherwise it has no effect and is dropped.
fn with_impossible(
    position: Position<Board>,
    square: Square,
    fault: NotationError,
    tolerance: &mut Tolerance,
) -> Result<Position<Board>, NotationError> {
    let kept = position.with_board(Board { en_passant: Bitboard::of(square), ..position.board });
    let list = kept.legal_moves();
    let captured = list.iter().any(|m| m.is(MoveKind::EnPassant));
    tolerance.overlook(fault, if captured { "kept" } else { "dropped" })?;
    Ok(if captured { kept } else { position })
}

/// The pieces; White is to move.
fn read_board(mut field: Field<'_>, tolerance: &mut Tolerance) -> Result<Board, NotationError> {
    // The empty pockets of programs for many variants.
    field.text = field.text.strip_suffix("[]").unwrap_or(field.text);
    let (mut board, mut promoted) = (Board::EMPTY, None);
    field.read_ranks(Board::SIZE, tolerance, |file, rank, at, letter| {
        if letter == b'~' && at > 0 && field.text.as_bytes()[at - 1].is_ascii_alphabetic() {
            promoted = promoted.or(Some(at));
            return Some(0);
        }
        let (side, kind) = Kind::from_fen_letter(letter)?;
        if let Some(square) = Square::at(file, rank) {
            board.put(square, side, kind);
        }
        Some(1)
    })?;
    if let Some(at) = promoted {
        tolerance.overlook(field.error(at, "\"~\" marks a promoted piece"), "ignored")?;
    }
    Ok(board)
}

/// Castling letters: `K` and `Q` mean the outermost rook on that side of the king; a file letter means the rook on
/// that file, and that the position is one of Chess960. Without one, `K` and `Q` should be those of ordinary chess.
fn read_castling(
    field: Field<'_>,
    position: &mut Position<Board>,
    tolerance: &mut Tolerance,
) -> Result<(), NotationError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut unusual = None;
    for (at, letter) in field.text.bytes().enumerate() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let rank = if side == Side::First { 0 } else { 7 };
        let pieces = |kind| position.pieces(side, kind);
        let holds = |file, kind| Square::at(file, rank).filter(|&square| pieces(kind).contains(square));
        let shown = quoted(&field.text[at..=at]);
        let king = (0..8).find(|&file| holds(file, Kind::King).is_some());
        let rook = match (letter.to_ascii_lowercase(), king) {
            (b'k', Some(king)) => (king + 1..8).rev().find_map(|file| holds(file, Kind::Rook)),
            (b'q', Some(king)) => (0..king).find_map(|file| holds(file, Kind::Rook)),
            (file @ b'a'..=b'h', Some(_)) => holds(i32::from(file - b'a'), Kind::Rook),
            (b'k' | b'q' | b'a'..=b'h', None) => None,
            _ => {
                return Err(field.error(at, format!("{shown} is not one of K Q k q, A to H, a to h, -")));
            }
        };
        let Some(rook) = rook else {
            let error = field.error(at, format!("{shown}: no king and rook in place to castle"));
            tolerance.overlook(error, "dropped")?;
            continue;
        };
        if position.castling.contains(rook) {
            tolerance.overlook(field.error(at, format!("{shown} repeats a right")), "dropped")?;
            continue;
        }
        position.board.castling |= Bitboard::of(rook);
        position.extra.chess960 |= !matches!(letter.to_ascii_lowercase(), b'k' | b'q');
        if king != Some(4) || !matches!(rook.file(), 0 | 7) {
            unusual = unusual.or(Some((at, rook)));
        }
    }
    if let Some((at, rook)) = unusual
        && !position.is_chess960()
        && !tolerance.is_for_chess960()
    {
        let shown = quoted(&field.text[at..=at]);
        let reason =
            format!("{shown}: only Chess960 has castling with the rook on {rook}, written with the rooks' files");
        tolerance.overlook(field.error(at, reason), "read as Chess960")?;
    }
    Ok(())
}

/// Writes the FEN.
pub(in crate::chess) fn write_fen(pos: &Position<Board>) -> String {
    let mut fen = Board::SIZE.write(|file, rank| pos.letter_at(file, rank));
    fen.push_str(if pos.side() == Side::First { " w " } else { " b " });
    write_castling(pos, &mut fen);
    match pos.en_passant() {
        Some(square) => _ = write!(fen, " {square}"),
        None => fen.push_str(" -"),
    }
    let _ = write!(fen, " {} {}", pos.halfmove_clock(), pos.fullmove_number());
    fen
}

/// Writes the rights to castle: `KQkq`, and in Chess960 the files of the rooks.
fn write_castling(pos: &Position<Board>, fen: &mut String) {
    if pos.castling().is_empty() {
        fen.push('-');
    }
    for side in Side::BOTH {
        let king = pos.king(side);
        let mut rooks: Vec<Square> = (pos.castling() & pos.side_set(side)).into_iter().collect();
        rooks.reverse(); // king side first
        for rook in rooks {
            let letter = if pos.is_chess960() {
                rook.name()[0]
            } else if rook > king {
                b'k'
            } else {
                b'q'
            };
            let upper = side == Side::First;
            fen.push(char::from(if upper { letter.to_ascii_uppercase() } else { letter }));
        }
    }
}
