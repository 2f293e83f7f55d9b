//! Pawn structure: the features that depend on pawns alone, and the table that remembers their sum.
//!
//! Called by `eval`, once an evaluation. It never looks at other pieces.

use super::features::feature;
use super::trace::Sum;
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::chess::types::piece::{Black, Kind, Us, White};
use crate::chess::types::square::Square;
use crate::game::Side;
use crate::game::taper::{Packed, Tracer};

/// What is known about a pawn structure.
#[derive(Clone, Copy, Default)]
pub(super) struct PawnEntry {
    key: u64,
    /// Passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// Squares that pawns of a side attack or could attack by advancing.
    pub(super) reach: [Bitboard; 2],
    sum: Packed,
}

/// Entries of the table; a power of two.
const ENTRIES: usize = 1 << 13;

/// What a search thread remembers between evaluations: pawn structures.
pub struct Memo {
    entries: Box<[PawnEntry]>,
}

impl Default for Memo {
    fn default() -> Self {
        Memo { entries: vec![PawnEntry::default(); ENTRIES].into_boxed_slice() }
    }
}

/// A key of the pawn structure alone. Two multiplications mix both sets of pawns into all bits.
#[inline]
pub fn pawn_key(pos: &Position) -> u64 {
    let pawns = pos.kind_set(Kind::Pawn);
    let [white, black] = Side::BOTH.map(|side| (pawns & pos.side_set(side)).0);
    let mixed = white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.rotate_left(29);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}

/// The structure of `pos`, whose features go to `t`.
#[inline(always)]
pub(super) fn entry<T: Tracer>(pos: &Position, memo: &mut Memo, t: &mut T) -> PawnEntry {
    let key = pawn_key(pos);
    let slot = &mut memo.entries[key as usize % ENTRIES];
    if !T::CACHES {
        let mut entry = PawnEntry::default();
        structure::<White, T>(pos, &mut entry, t);
        structure::<Black, T>(pos, &mut entry, t);
        return entry;
    }
    if slot.key != key || key == 0 {
        *slot = compute(pos, key);
    }
    t.add_sum(slot.sum);
    *slot
}

#[cold]
#[inline(never)]
fn compute(pos: &Position, key: u64) -> PawnEntry {
    let mut entry = PawnEntry { key, ..PawnEntry::default() };
    let mut sum = Sum::default();
    structure::<White, Sum>(pos, &mut entry, &mut sum);
    structure::<Black, Sum>(pos, &mut entry, &mut sum);
    entry.sum = sum.total;
    entry
}

/// Every square from which a member of `set` is reached by steps forward, and the set itself.
#[inline(always)]
fn fill<U: Us>(set: Bitboard) -> Bitboard {
    let mut filled = set.0;
    if matches!(U::SIDE, Side::First) {
        filled |= filled << 8;
        filled |= filled << 16;
        filled |= filled << 32;
    } else {
        filled |= filled >> 8;
        filled |= filled >> 16;
        filled |= filled >> 32;
    }
    Bitboard(filled)
}

#[inline(always)]
fn sideways(set: Bitboard) -> Bitboard {
    Bitboard((set & !FILE_A).0 >> 1 | (set & !FILE_H).0 << 1)
}

/// Squares on the rank of `square` and all ranks before it, as `U` looks at the board.
#[inline(always)]
pub(super) fn at_or_ahead<U: Us>(square: Square) -> Bitboard {
    fill::<U>(Bitboard::rank(square.rank() as u32))
}

/// Squares of the file behind `square`, as `U` looks at the board.
#[inline(always)]
pub(super) fn behind<U: Us>(square: Square) -> Bitboard {
    fill::<U::Them>(U::Them::forward(Bitboard::of(square)))
}

/// The rank, as `U` counts them, of the member nearest to `U`'s side; 0 if there is none.
#[inline(always)]
pub(super) fn first_rank<U: Us>(set: Bitboard) -> usize {
    if set.is_empty() {
        0
    } else if matches!(U::SIDE, Side::First) {
        set.0.trailing_zeros() as usize >> 3
    } else {
        set.0.leading_zeros() as usize >> 3
    }
}

fn structure<U: Us, T: Tracer>(pos: &Position, entry: &mut PawnEntry, t: &mut T) {
    let own = pos.pieces(U::SIDE, Kind::Pawn);
    let enemy = pos.pieces(U::Them::SIDE, Kind::Pawn);
    let attacks = U::pawn_attacks(own);
    let enemy_attacks = U::Them::pawn_attacks(enemy);
    entry.reach[U::SIDE.index()] = U::pawn_attacks(fill::<U>(own));
    // In the way of an enemy pawn: its file and those beside it, down to this side's first rank.
    let enemy_front = U::Them::forward(fill::<U::Them>(enemy));
    let barred = enemy_front | sideways(enemy_front);
    // Own pawns beside or behind: from where a pawn can be guarded by a step or as it stands.
    let supportable = sideways(fill::<U>(own));

    for square in own {
        let here = Bitboard::of(square);
        let rank = square.seen_by(U::SIDE).rank() as usize;
        t.add(U::SIDE, feature::MATERIAL, 1);
        t.add(U::SIDE, feature::SQUARE + square.seen_by(U::SIDE).index(), 1);
        let open = usize::from(!here.meets(enemy_front));
        let file = Bitboard::file(square.file() as u32);
        let neighbours = sideways(file) & own;
        let guarded = here.meets(attacks);
        let phalanx = sideways(here).meets(own);
        if guarded {
            t.add(U::SIDE, feature::GUARDED + rank, 1);
        }
        if phalanx {
            t.add(U::SIDE, feature::PHALANX + rank, 1);
        }
        if neighbours.is_empty() {
            t.add(U::SIDE, feature::ISOLATED + open, 1);
        } else if !here.meets(supportable)
            && !phalanx
            && U::forward(here).meets(enemy_attacks | enemy)
        {
            t.add(U::SIDE, feature::BACKWARD + open, 1);
        }
        let doubled = fill::<U>(U::forward(here)).meets(own);
        if doubled {
            t.add(U::SIDE, feature::DOUBLED, 1);
        } else if !here.meets(barred) {
            entry.passed |= here;
            t.add(U::SIDE, feature::PASSED + rank, 1);
        }
    }
}
