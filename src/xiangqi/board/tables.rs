//! Typed access to the generated xiangqi tables, and the lines of chariots and cannons.
//!
//! The only module that indexes `generated/xiangqi_*.rs`.

use crate::game::Side;
use crate::xiangqi::types::{Bitboard, Kind, Square};

mod generated {
    include!("../../../generated/xiangqi_leapers.rs");
    include!("../../../generated/xiangqi_lines.rs");
    include!("../../../generated/xiangqi_zobrist.rs");
}

/// The occupancy of the four orthogonal neighbours as an index: south, west, east, north from bit 0 on. Neighbours
/// off the board give arbitrary bits, which the tables ignore.
#[inline(always)]
fn legs(square: Square, occupied: Bitboard) -> usize {
    let window = (occupied.0 << 9 >> square.index()) as usize;
    window & 1 | window >> 7 & 2 | window >> 8 & 4 | window >> 15 & 8
}

/// The occupancy of the four diagonal neighbours as an index: south-west, south-east, north-west, north-east.
#[inline(always)]
fn eyes(square: Square, occupied: Bitboard) -> usize {
    let window = (occupied.0 << 10 >> square.index()) as usize;
    window & 1 | window >> 1 & 2 | window >> 16 & 4 | window >> 17 & 8
}

/// The squares a horse on `square` attacks.
#[inline(always)]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::HORSE[square.index()][legs(square, occupied)])
}

/// The squares from which a horse attacks `square`.
#[inline(always)]
pub fn horse_back(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::HORSE_BACK[square.index()][eyes(square, occupied)])
}

/// The squares an elephant on `square` attacks.
#[inline(always)]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(generated::ELEPHANT[square.index()][eyes(square, occupied)])
}

/// The legs of a horse on `square`, with the squares it reaches over each.
#[inline(always)]
pub fn horse_by_leg(square: Square) -> [(Square, Bitboard); 4] {
    let open = |i: usize| Bitboard(generated::HORSE[square.index()][15 ^ 1 << i]);
    let at = |offset: i32| Square::wrapping((square.index() as i32 + offset) as u32);
    [(at(-9), open(0)), (at(-1), open(1)), (at(1), open(2)), (at(9), open(3))]
}

/// The eyes of an elephant on `square`, with the square it reaches over each.
#[inline(always)]
pub fn elephant_by_eye(square: Square) -> [(Square, Bitboard); 4] {
    let open = |i: usize| Bitboard(generated::ELEPHANT[square.index()][15 ^ 1 << i]);
    let at = |offset: i32| Square::wrapping((square.index() as i32 + offset) as u32);
    [(at(-10), open(0)), (at(-8), open(1)), (at(8), open(2)), (at(10), open(3))]
}

/// The eye squares of an elephant on `square`.
pub fn eyes_of(square: Square) -> Bitboard {
    elephant_by_eye(square)
        .into_iter()
        .filter(|(_, targets)| !targets.is_empty())
        .fold(Bitboard::EMPTY, |set, (eye, _)| set | Bitboard::of(eye))
}

/// The squares an advisor on `square` attacks.
#[inline(always)]
pub fn advisor(square: Square) -> Bitboard {
    Bitboard(generated::ADVISOR[square.index()])
}

/// The squares a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    Bitboard(generated::KING[square.index()])
}

/// The squares a soldier of `side` on `square` attacks.
#[inline(always)]
pub fn soldier(side: Side, square: Square) -> Bitboard {
    Bitboard(generated::SOLDIER[side.index()][square.index()])
}

/// The squares from which a soldier of `side` attacks `square`.
#[inline(always)]
pub fn soldier_back(side: Side, square: Square) -> Bitboard {
    Bitboard(generated::SOLDIER_BACK[side.index()][square.index()])
}

/// The squares strictly between two squares of a rank or file; empty otherwise.
///
/// ```
/// use tabiya::xiangqi::{Square, between};
///
/// assert_eq!(between(Square::B2, Square::B5), [Square::B3, Square::B4].into_iter().collect());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(generated::BETWEEN[a.index()][b.index()])
}

/// The rank and file of a square, without the square itself.
#[inline(always)]
pub fn cross(square: Square) -> Bitboard {
    Bitboard(generated::CROSS[square.index()])
}

/// What a chariot (low half) and a cannon (high half) on file `file` of a rank see, where `occupied` is the occupancy
/// of the nine points of the rank. The chariot sees the empty points and the first piece each way, the cannon the
/// same empty points and the second piece.
#[inline(always)]
pub fn rank_line(file: usize, occupied: usize) -> u32 {
    generated::RANK[file & 15][occupied & 511]
}

/// [`rank_line`] for a file: a slider on rank `rank`, and the ten points of its file.
#[inline(always)]
pub fn file_line(rank: usize, occupied: usize) -> u32 {
    generated::FILE[rank & 15][occupied & 1023]
}

/// Zobrist key of a piece on a square.
#[inline(always)]
pub fn piece_key(side: Side, kind: Kind, square: Square) -> u64 {
    generated::PIECE_KEYS[side.index()][kind.index()][square.index()]
}

/// Zobrist key of Black to move.
#[inline(always)]
pub fn side_key() -> u64 {
    generated::SIDE_KEY[0]
}

/// The occupancy of the nine points of a rank.
#[inline(always)]
pub fn rank_bits(set: Bitboard, rank: i32) -> usize {
    (set.0 >> ((9 * rank as u32) & 127)) as usize & 511
}

/// The squares a chariot (first) and a cannon (second) on `square` see, own pieces included.
#[inline(always)]
pub fn lines(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (file, rank) = (square.file(), square.rank());
    let along = rank_line(file as usize, rank_bits(occupied, rank));
    let across = file_line(rank as usize, file_bits(occupied, file));
    let place = |bits: u32| Bitboard(u128::from(bits) << ((9 * rank as u32) & 127));
    (place(along & 0xffff) | file_set(across & 0xffff, file), place(along >> 16) | file_set(across >> 16, file))
}

/// The ten points of `file` (0 to 8), rank 0 in bit 0. They are gathered by multiplication: bit `9 i` goes to bit
/// `56 + i`, and no two partial products overlap.
#[inline(always)]
pub fn file_bits(set: Bitboard, file: i32) -> usize {
    /// The lowest seven points of the a-file, and three points of it.
    const LOW: u64 = 0x0040_2010_0804_0201;
    const HIGH: u64 = 0x0004_0201;
    const FACTOR: u64 = 0x0101_0101_0101_0100;
    // Ranks 0 to 6 (63 squares), and ranks 7 to 9.
    let (low, high) = (set.0 as u64, (set.0 >> 63) as u64);
    let low = (low >> file & LOW).wrapping_mul(FACTOR) >> 56;
    let high = (high >> file & HIGH).wrapping_mul(FACTOR) >> 56;
    (low | high << 7) as usize
}

/// The points `bits` of `file` as squares; the inverse of [`file_bits`].
#[inline(always)]
pub fn file_set(bits: u32, file: i32) -> Bitboard {
    let low = generated::SPREAD[bits as usize & 127];
    let high = generated::SPREAD[bits as usize >> 7 & 7];
    Bitboard((u128::from(low) | u128::from(high) << 63) << file)
}
