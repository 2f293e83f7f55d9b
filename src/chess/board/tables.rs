//! Typed access to the generated chess tables, and the attacks of sliders.
//!
//! Only this file indexes `generated/chess_*.rs`. Nothing here looks at a position.

#![allow(unsafe_code, reason = "indices that the tables' sizes bound")]

use crate::chess::types::{Bitboard, Kind, Square};
use crate::game::Side;

mod generated {
    include!("../../../generated/chess_leapers.rs");
    include!("../../../generated/chess_rays.rs");
    include!("../../../generated/chess_sliders.rs");
    include!("../../../generated/chess_zobrist.rs");
}

/// Knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    reach(Kind::Knight, square)
}

/// King attacks, without castling.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    reach(Kind::King, square)
}

/// Squares attacked by a pawn of `side`.
#[inline(always)]
pub fn pawn(side: Side, square: Square) -> Bitboard {
    Bitboard(at(&generated::PAWN[side.index()], square))
}

/// The squares strictly between two squares of one rank, file or diagonal; otherwise none.
///
/// ```
/// use tabiya::chess::{Square, between};
///
/// assert_eq!(between(Square::B2, Square::F6).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . x . . .
/// . . . x . . . .
/// . . x . . . . .
/// . . . . . . . .
/// . . . . . . . .");
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(at(at_ref(&generated::BETWEEN, a), b))
}

/// The whole rank, file or diagonal through two squares. Empty if they share no line or `a == b`.
///
/// ```
/// use tabiya::chess::{Square, line};
///
/// assert_eq!(line(Square::B2, Square::D4).to_string(), "\
/// . . . . . . . x
/// . . . . . . x .
/// . . . . . x . .
/// . . . . x . . .
/// . . . x . . . .
/// . . x . . . . .
/// . x . . . . . .
/// x . . . . . . .");
/// ```
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(at(at_ref(&generated::LINE, a), b))
}

/// For a king and a rook on its rank: the squares that must be empty for castling (apart from king and rook), and the
/// squares that must not be attacked.
#[inline(always)]
pub fn castling_paths(king: Square, rook: Square) -> (Bitboard, Bitboard) {
    let (path, king_path) = generated::CASTLING[king.index() & 7][rook.index() & 7];
    let rank = king.index() & 56;
    (Bitboard(u64::from(path) << rank), Bitboard(u64::from(king_path) << rank))
}

/// Zobrist key of a piece on a square.
#[inline(always)]
pub fn piece_key(side: Side, kind: Kind, square: Square) -> u64 {
    at(&generated::PIECE_KEYS[side.index()][kind.index()], square)
}

/// Zobrist key of the castling right of the rook on `square`.
#[inline(always)]
pub fn castling_key(square: Square) -> u64 {
    at(&generated::CASTLING_KEYS, square)
}

/// Zobrist key of a legal en passant capture on the file of `square`.
#[inline(always)]
pub fn en_passant_key(square: Square) -> u64 {
    generated::EN_PASSANT_KEYS[square.index() & 7]
}

/// Zobrist key of Black to move.
#[inline(always)]
pub fn side_key() -> u64 {
    generated::SIDE_KEY[0]
}

/// The attacks of a piece on the empty board; none of a pawn, which depend on its side.
#[inline(always)]
pub fn reach(kind: Kind, square: Square) -> Bitboard {
    Bitboard(at(&generated::REACH[kind.index()], square))
}

/// Bishop attacks on the empty board.
#[inline(always)]
pub fn bishop_lines(square: Square) -> Bitboard {
    reach(Kind::Bishop, square)
}

/// Rook attacks on the empty board.
#[inline(always)]
pub fn rook_lines(square: Square) -> Bitboard {
    reach(Kind::Rook, square)
}

#[inline(always)]
fn at_ref<T>(table: &[T; 64], square: Square) -> &T {
    debug_assert!(square.index() < 64);
    // SAFETY: every constructor of `Square` keeps its index below 64.
    unsafe { table.get_unchecked(square.index()) }
}

#[inline(always)]
fn at<T: Copy>(table: &[T; 64], square: Square) -> T {
    *at_ref(table, square)
}

/// Squares that a bishop on `square` attacks, given the occupied squares. Own pieces are included.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [_, diagonal, anti] = at(&generated::LINES, square);
    Bitboard(hyperbola(square, occupied, diagonal) | hyperbola(square, occupied, anti))
}

/// Squares that a rook on `square` attacks, given the occupied squares. Own pieces are included.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let [file, _, _] = at(&generated::LINES, square);
    let base = square.index() & 56;
    let inner = (occupied.0 >> base >> 1 & 63) as usize;
    let rank = u64::from(generated::RANK[square.index() & 7][inner]) << base;
    Bitboard(hyperbola(square, occupied, file) | rank)
}

/// Attacks along one line by subtraction from both ends (hyperbola quintessence, Gerd Isenberg and Aleks Peshkov).
/// The byte swap mirrors files and diagonals; ranks need the table of `rook`.
#[inline(always)]
fn hyperbola(square: Square, occupied: Bitboard, line: u64) -> u64 {
    let slider = Bitboard::of(square).0;
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider << 1);
    let mirrored = slider.swap_bytes();
    let down = blockers.swap_bytes().wrapping_sub(mirrored << 1).swap_bytes();
    (up ^ down) & line
}
