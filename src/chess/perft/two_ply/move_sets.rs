//! Sets of moves: which set of targets belongs to which piece and step, and where the piece that moved came
//! from.
//!
//! A set of targets alone tells the origins: in one direction every target of a slider has one origin, a
//! knight's leap and a pawn's step are undone by a shift. Used by `classify` and `made_moves`.

use crate::chess::perft::simd::fills::{AVOID_WRAP, DELTA, LEAPS};
use crate::chess::perft::simd::{MOST_LANES, Vector};
use crate::chess::types::piece::Us;

/// The number of sets. Their order: sliders by direction (0–7), knights by leap (8–15), king, pawns by step
/// (17–20: single, double, towards the a-file, towards the h-file), castling towards the a-file and towards the
/// h-file (the king's target).
pub const SETS: usize = 23;
/// The king's steps, and the first set of castling.
pub const KING: usize = 16;
pub const CASTLES: usize = 21;
/// The sets of the king's moves: bit `i` for set `i`.
pub const KING_SETS: u64 = 1 << KING | 3 << CASTLES;

/// Special moves, as sets of targets.
pub struct SpecialMoves<V> {
    /// By direction, by leap; the king's steps; pawns by step (single, double, towards the a-file, towards
    /// the h-file); castling towards the a-file and the h-file, as the king's target.
    pub sliders: [V; 8],
    pub leaps: [V; 8],
    pub king: V,
    pub pawns: [V; 4],
    pub castles: [V; 2],
}

impl<V: Copy> SpecialMoves<V> {
    /// All sets by number.
    #[inline(always)]
    pub fn by_number(&self) -> [V; SETS] {
        let [n, s, e, w, ne, sw, nw, se] = self.sliders;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.leaps;
        let [single, double, west, east] = self.pawns;
        let [a_side, h_side] = self.castles;
        [
            n, s, e, w, ne, sw, nw, se, k0, k1, k2, k3, k4, k5, k6, k7, self.king, single, double,
            west, east, a_side, h_side,
        ]
    }
}

/// The sources of every set of moves, for each lane.
pub static SOURCES: [[u64; MOST_LANES]; SETS + 1] = {
    let mut sources = [[0; MOST_LANES]; SETS + 1];
    let mut i = 0;
    while i < MOST_LANES * (SETS + 1) {
        sources[i / MOST_LANES][i % MOST_LANES] = i as u64;
        i += 1;
    }
    sources
};

/// The squares in each direction from each square.
const BEHIND: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let mut square = 0;
        while square < 64 {
            let mut set = 1u64 << square;
            let mut ray = 0;
            while set != 0 {
                let by = DELTA[d];
                let moved = if by > 0 { set << by } else { set >> -by };
                set = moved & AVOID_WRAP[d];
                ray |= set;
            }
            table[d][square] = ray;
            square += 1;
        }
        d += 1;
    }
    table
};

/// Where the pieces that came to `to` (single squares) stand, as sets. `sources` are eight times the number of
/// a set of moves, plus anything below eight. `pieces` are the occupied squares, or the king where it moved.
#[inline(always)]
pub fn origins<U: Us, V: Vector>(cpu: V::Cpu, sources: V, to: V, pieces: V) -> V {
    let table = if U::FORWARD > 0 { &WHITE_ORIGINS } else { &BLACK_ORIGINS };
    let set = sources.without(V::splat(cpu, 7)).shift(3);
    let square = (to - V::splat(cpu, 1)).popcount();
    let found = V::gather(cpu, table, set + square) & pieces;
    let lowest = found & (V::zero(cpu) - found);
    // What moved towards higher squares came from the nearest lower one.
    let highest = found.highest();
    lowest ^ (lowest ^ highest).keep_if_less(found, to)
}

/// The squares that a move may have come from, by set and target.
static WHITE_ORIGINS: [u64; 2048] = origin_table([8, 16, 7, 9]);
static BLACK_ORIGINS: [u64; 2048] = origin_table([-8, -16, -9, -7]);

const fn origin_table(pawn_steps: [i32; 4]) -> [u64; 2048] {
    let mut table = [0; 2048];
    let mut set = 0;
    while set < 23 {
        let mut to = 0;
        while to < 64 {
            table[64 * set + to] = match set {
                0..8 => BEHIND[set ^ 1][to],
                8..16 => single_origin(to, LEAPS[set - 8].0),
                16 | 21 | 22 => !0,
                _ => single_origin(to, pawn_steps[set - 17]),
            };
            to += 1;
        }
        set += 1;
    }
    table
}

const fn single_origin(to: usize, by: i32) -> u64 {
    let from = to as i32 - by;
    if from >= 0 && from < 64 { 1 << from } else { 0 }
}
