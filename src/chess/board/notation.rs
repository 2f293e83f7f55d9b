//! Reads and writes FEN and coordinate moves, with all their errors.
//!
//! A FEN has six or four fields; castling rights are `KQkq`, or in Chess960 the files of the rooks. In lenient mode
//! fields may be missing, `KQkq` is read as X-FEN, and castling rights and e.p. squares without effect are dropped, as
//! in Stockfish; `~` behind a promoted piece is ignored. The empty pockets `[]` may follow the board. The input is
//! untrusted: nothing here panics, guesses or ignores a fault silently.

use super::Position;
use super::placement::{Placement, PositionError};
use super::san;
use super::{Board, castled};
use crate::chess::types::{Bitboard, Kind, Move, MoveKind, Square};
use crate::game::position::MAX_COUNTER;
use crate::game::text::fault::{Fault, quoted};
use crate::game::text::fen::{BoardSize, Field, Fields, Tolerance};
use crate::game::{MoveText, Notation, NotationError, Side};
use std::fmt::{self, Write as _};

/// The longest possible FEN: 71 characters of board, 4 of castling, two counters, and spaces.
const MAX_LENGTH: usize = 128;

impl Notation for Board {
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SIZE: BoardSize = BoardSize { files: 8, ranks: 8, first_rank: 1 };

    fn letter_at(&self, file: i32, rank: i32) -> Option<u8> {
        let (side, kind) = self.piece_on(Square::at(file, rank)?)?;
        Some(kind.fen_letter(side))
    }

    fn read_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position, NotationError> {
        let fields = Fields::split(fen, MAX_LENGTH, "the field is missing; a FEN has six fields, or four")?;
        let [board, side, castling, en_passant, halfmove, fullmove] = fields.all;
        // The board first: a wrong character there says more than a missing field.
        let pieces = read_board(board, tolerance)?;
        // The two counters may be missing together; in lenient mode everything but the board may be missing.
        fields.check_count(&[4, 6], tolerance)?;
        let mut placement = Placement {
            pieces,
            side: side.side(&["w"], tolerance)?,
            castling: Bitboard::EMPTY,
            en_passant: match en_passant.text {
                "-" | "" => None,
                text => Some(
                    Square::parse(text.as_bytes())
                        .ok_or_else(|| en_passant.error(0, format!("{} is neither a square nor -", quoted(text))))?,
                ),
            },
            halfmove: halfmove.counter(0, MAX_COUNTER, tolerance)?,
            fullmove: fullmove.counter(1, MAX_COUNTER, tolerance)?,
            chess960: false,
        };
        // Before the castling rights, which are read with the help of the kings.
        placement.check_kings().map_err(|fault| board.error(0, fault.to_string()).with_fault(Fault::Impossible))?;
        read_castling(castling, &mut placement, tolerance)?;
        let mut impossible = None;
        let position = Position::build(&placement, |fault| {
            let (field, kind) = match fault {
                PositionError::TooManyPromotions(_)
                | PositionError::TooManyPieces(_)
                | PositionError::TooManyPawns(_) => (board, Fault::TooManyPieces),
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

    fn write_fen(pos: &Position) -> String {
        let mut fen = Position::SIZE.write(|file, rank| pos.letter_at(file, rank));
        fen.push_str(if pos.side() == Side::First { " w " } else { " b " });
        write_castling(pos, &mut fen);
        match pos.en_passant() {
            Some(square) => _ = write!(fen, " {square}"),
            None => fen.push_str(" -"),
        }
        let _ = write!(fen, " {} {}", pos.halfmove_clock(), pos.fullmove_number());
        fen
    }

    fn read_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        san::read(position, text)
    }

    /// Castling may be written with the king's target square or, also in ordinary chess, as the king capturing its
    /// rook.
    fn read_coordinates(pos: &Position, text: &str) -> Result<Move, NotationError> {
        let error = |offset, reason: &str| NotationError::new("move", offset, format!("{} {reason}", quoted(text)));
        let bytes = text.as_bytes();
        let form = "is not a move; expected two squares such as e2e4, plus a promotion letter as in e7e8q";
        let (from, to) = match bytes {
            [a, b, c, d] | [a, b, c, d, _] => (Square::parse(&[*a, *b]), Square::parse(&[*c, *d])),
            _ => return Err(error(0, form)),
        };
        let from = from.ok_or_else(|| error(0, form))?;
        let to = to.ok_or_else(|| error(2, form))?;
        let promotion = match bytes.get(4).map(u8::to_ascii_lowercase) {
            None => None,
            Some(b'n') => Some(Kind::Knight),
            Some(b'b') => Some(Kind::Bishop),
            Some(b'r') => Some(Kind::Rook),
            Some(b'q') => Some(Kind::Queen),
            Some(_) => return Err(error(4, "must promote to n, b, r or q")),
        };
        let list = pos.legal_moves();
        let of_piece = || list.iter().filter(|m| m.from() == from && m.promotion() == promotion);
        of_piece()
            .find(|m| m.to() == to)
            .or_else(|| of_piece().find(|m| m.is(MoveKind::Castle) && castled(from, m.to()).0 == to))
            .copied()
            .ok_or_else(|| {
                let letter = list.iter().any(|m| (m.from(), m.to()) == (from, to) && m.promotion().is_some());
                match promotion {
                    None if letter => {
                        let reason = format!("lacks the letter of the promotion; expected one such as {from}{to}q");
                        error(4, &reason).with_fault(Fault::Ambiguous)
                    }
                    _ => error(0, "is not legal in this position").with_fault(Fault::Illegal),
                }
            })
    }

    fn write_move(position: &Position, m: Move) -> MoveText {
        write_move(m, position.is_chess960())
    }
}

/// Overlooks the `fault` of an e.p. square whose double step cannot have given the check, in a position that is valid
/// without the square. The square is kept if a capture there ends the check, because other programs count that
/// capture too. Otherwise it has no effect and is dropped.
fn with_impossible(
    position: Position,
    square: Square,
    fault: NotationError,
    tolerance: &mut Tolerance,
) -> Result<Position, NotationError> {
    let kept = position.with_board(Board { en_passant: Bitboard::of(square), ..position.board });
    let list = kept.legal_moves();
    let captured = list.iter().any(|m| m.is(MoveKind::EnPassant));
    tolerance.overlook(fault, if captured { "kept" } else { "dropped" })?;
    Ok(if captured { kept } else { position })
}

fn read_board(mut field: Field<'_>, tolerance: &mut Tolerance) -> Result<[Option<(Side, Kind)>; 64], NotationError> {
    // The empty pockets of programs for many variants.
    field.text = field.text.strip_suffix("[]").unwrap_or(field.text);
    let (mut pieces, mut promoted) = ([None; 64], None);
    field.read_board(Position::SIZE, tolerance, |file, rank, at, letter| {
        if letter == b'~' && at > 0 && field.text.as_bytes()[at - 1].is_ascii_alphabetic() {
            promoted = promoted.or(Some(at));
            return Some(0);
        }
        let piece = Kind::from_fen_letter(letter)?;
        if let Some(square) = Square::at(file, rank) {
            pieces[square.index()] = Some(piece);
        }
        Some(1)
    })?;
    if let Some(at) = promoted {
        tolerance.overlook(field.error(at, "\"~\" marks a promoted piece"), "ignored")?;
    }
    Ok(pieces)
}

/// Castling letters: `K` and `Q` mean the outermost rook on that side of the king; a file letter means the rook on
/// that file, and that the position is one of Chess960. Without one, `K` and `Q` should be those of ordinary chess.
fn read_castling(field: Field<'_>, placement: &mut Placement, tolerance: &mut Tolerance) -> Result<(), NotationError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut unusual = None;
    for (at, letter) in field.text.bytes().enumerate() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let rank = if side == Side::First { 0 } else { 7 };
        let holds = |file: i32, kind: Kind| {
            Square::at(file, rank).filter(|s| placement.pieces[s.index()] == Some((side, kind)))
        };
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
        if placement.castling.contains(rook) {
            tolerance.overlook(field.error(at, format!("{shown} repeats a right")), "dropped")?;
            continue;
        }
        placement.castling |= Bitboard::of(rook);
        placement.chess960 |= !matches!(letter.to_ascii_lowercase(), b'k' | b'q');
        if king != Some(4) || rook.file() % 7 != 0 {
            unusual = unusual.or(Some((at, rook)));
        }
    }
    if let Some((at, rook)) = unusual
        && !placement.chess960
        && !tolerance.is_for_chess960()
    {
        let shown = quoted(&field.text[at..=at]);
        let reason =
            format!("{shown}: only Chess960 has castling with the rook on {rook}, written with the rooks' files");
        tolerance.overlook(field.error(at, reason), "read as Chess960")?;
    }
    Ok(())
}

/// Writes the rights to castle: `KQkq`, and in Chess960 the files of the rooks.
fn write_castling(pos: &Position, fen: &mut String) {
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

/// Writes a legal move, castling by the king's target square or, with `chess960`, by the rook's square; no move, and a
/// null move, as `0000`.
fn write_move(m: Move, chess960: bool) -> MoveText {
    if m == Move::NONE {
        return MoveText::new(b"0000");
    }
    let to = if m.is(MoveKind::Castle) && !chess960 { castled(m.from(), m.to()).0 } else { m.to() };
    let ([a, b], [c, d]) = (m.from().name(), to.name());
    match m.promotion() {
        Some(kind) => MoveText::new(&[a, b, c, d, kind.letter()]),
        None => MoveText::new(&[a, b, c, d]),
    }
}

impl fmt::Display for Move {
    /// Writes the move in UCI's notation for ordinary chess: `e2e4`, `e7e8q`, `e1g1`. Castling that only Chess960 has
    /// is written as king takes rook, so that it differs from a step of the king. The position's `move_text` writes all
    /// castling of Chess960 like that.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
    /// assert_eq!(position.parse_move("O-O-O")?.to_string(), "e1c1");
    /// let chess960: Position = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1".parse()?;
    /// assert_eq!(chess960.parse_move("O-O-O")?.to_string(), "b1a1");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = self.from().file() == 4 && matches!(self.to().file(), 0 | 7);
        f.pad(write_move(*self, !usual).as_str())
    }
}
