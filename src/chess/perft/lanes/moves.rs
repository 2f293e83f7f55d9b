//! Making moves in lanes: the moves as sets of targets, their list, the origins, and the positions after the moves.
//!
//! A set of targets determines the origins. In one direction every target of a slider has exactly one origin; knight
//! leaps and pawn steps are undone by a shift. Moves of any positions of the batch are made together, one in each
//! lane. Promotions and en passant captures are not included. `two_ply` uses this for special moves.

use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::fills::{AVOID_WRAP, DELTA, LEAPS};
use crate::chess::perft::simd::{MOST_LANES, Vector, compress_at, load_at, store_at};
use crate::chess::types::White;

/// The number of sets. Their order: sliders by direction (0–7), knights by leap (8–15), king (16), pawns by step
/// (17–20: single, double, capture towards the a-file, capture towards the h-file), castling towards the a-file and
/// towards the h-file (21 and 22, as the king's target square).
pub const SETS: usize = 23;
/// The set of king steps, and the first castling set.
pub const KING: usize = 16;
pub const CASTLES: usize = 21;
/// The sets of king moves: bit `i` for set `i`.
const KING_SETS: u64 = 1 << KING | 3 << CASTLES;

/// Moves as sets of targets.
pub struct MoveSets<V> {
    /// Sliders by direction; knights by leap; king steps; pawns by step (single, double, capture towards the a-file,
    /// capture towards the h-file); castling towards the a-file and the h-file, as the king's target square.
    pub sliders: [V; 8],
    pub leaps: [V; 8],
    pub king: V,
    pub pawns: [V; 4],
    pub castles: [V; 2],
}

impl<V: Copy> MoveSets<V> {
    /// All sets in the order of their numbers.
    #[inline(always)]
    pub fn by_number(&self) -> [V; SETS] {
        let [n, s, e, w, ne, sw, nw, se] = self.sliders;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.leaps;
        let [single, double, west, east] = self.pawns;
        let [a_side, h_side] = self.castles;
        [
            n, s, e, w, ne, sw, nw, se, k0, k1, k2, k3, k4, k5, k6, k7, self.king, single, double, west, east, a_side,
            h_side,
        ]
    }
}

/// For every set of moves, the source numbers of all lanes.
static SOURCES: [[u64; MOST_LANES]; SETS + 1] = {
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

/// The origins of the pieces that moved to `to` (single squares), as sets. A source is eight times the number of the
/// move set, plus a number below eight. `pieces` are the occupied squares, or only the king for king moves.
#[inline(always)]
pub fn origins<V: Vector>(cpu: V::Cpu, sources: V, to: V, pieces: V) -> V {
    let set = sources.without(V::splat(cpu, 7)).shift(3);
    let square = (to - V::splat(cpu, 1)).popcount();
    let found = V::gather(cpu, &ORIGINS, set + square) & pieces;
    let lowest = found & (V::zero(cpu) - found);
    // A slider that moved towards higher squares came from the nearest lower square.
    let highest = found.highest();
    lowest ^ (lowest ^ highest).keep_if_less(found, to)
}

/// The possible origins of a move, by set and target.
static ORIGINS: [u64; 2048] = {
    let mut table = [0; 2048];
    let mut set = 0;
    while set < 23 {
        let mut to = 0;
        while to < 64 {
            table[64 * set + to] = match set {
                0..8 => BEHIND[set ^ 1][to],
                8..16 => single_origin(to, LEAPS[set - 8].0),
                16 | 21 | 22 => !0,
                _ => single_origin(to, [8, 16, 7, 9][set - 17]),
            };
            to += 1;
        }
        set += 1;
    }
    table
};

const fn single_origin(to: usize, by: i32) -> u64 {
    let from = to as i32 - by;
    if from >= 0 && from < 64 { 1 << from } else { 0 }
}

/// Moves that have not been listed yet.
pub struct Pending<'a, V> {
    /// All sets by number. Unused lanes are empty.
    sets: &'a [V; SETS],
    /// The non-empty sets: bit `i` for set `i`.
    filled: u32,
    /// The rest of the set that is being listed, the lanes in which it is not empty, and its sources.
    rest: V,
    lanes: u8,
    source: V,
}

impl<'a, V: Vector> Pending<'a, V> {
    #[inline(always)]
    pub fn of(cpu: V::Cpu, sets: &'a [V; SETS]) -> Self {
        // The non-empty sets are found first, because a branch for every set would often be mispredicted.
        let filled = filled_sets(sets);
        let none = V::zero(cpu);
        Pending { sets, filled, rest: none, lanes: 0, source: none }
    }

    #[inline(always)]
    pub fn any(&self) -> bool {
        self.filled | u32::from(self.lanes) != 0
    }
}

/// The sets with a member in some lane: bit `i` for set `i`.
#[inline(always)]
fn filled_sets<V: Vector>(sets: &[V; SETS]) -> u32 {
    let mut filled = 0;
    for (i, sets) in sets.chunks(8).enumerate() {
        // One byte after another is shifted in. Written as a sum, the compiler would collect the bytes in a vector.
        let mut lanes = 0;
        for set in sets.iter().rev() {
            lanes = lanes << 8 | u64::from(set.nonzero());
        }
        filled |= u32::from(nonzero_bytes(lanes)) << (8 * i);
    }
    filled
}

/// The bytes that are not zero, byte 0 in bit 0.
#[inline(always)]
fn nonzero_bytes(bytes: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let tops = (((bytes & LOW) + LOW) | bytes) & !LOW;
    // The multiplication moves bit 8k to bit 56 + k.
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A list of moves of a batch.
#[repr(C, align(64))]
pub struct MoveQueue {
    /// The target, the source (eight times the number of the move set, plus the lane), and the origin.
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
    origins: [u64; CAPACITY],
}

/// How many moves are listed before they are made.
const CAPACITY: usize = 256;

/// A listed move in each lane, and the position after it.
pub struct Made<V> {
    /// The sources of the moves and their targets.
    pub sources: V,
    pub to: V,
    pub us: SideSets<V>,
    pub them: SideSets<V>,
}

impl MoveQueue {
    pub const fn new() -> Self {
        MoveQueue { targets: [0; CAPACITY], sources: [0; CAPACITY], origins: [0; CAPACITY] }
    }

    /// Lists pending moves of `batch` while there is room, and returns their number.
    #[inline(always)]
    pub fn list<V: Vector>(&mut self, cpu: V::Cpu, batch: &Batch, pending: &mut Pending<V>) -> usize {
        let len = self.list_targets(cpu, pending);
        self.find_origins::<V>(cpu, batch, len);
        len
    }

    /// Lists the lowest target of every lane, then the next lowest, set by set.
    #[inline(always)]
    fn list_targets<V: Vector>(&mut self, cpu: V::Cpu, pending: &mut Pending<V>) -> usize {
        let mut len = 0;
        while len <= CAPACITY - MOST_LANES {
            if pending.lanes == 0 {
                if pending.filled == 0 {
                    break;
                }
                let set = pending.filled.trailing_zeros() as usize % (SETS + 1);
                pending.filled &= pending.filled - 1;
                pending.rest = pending.sets[set.min(SETS - 1)];
                pending.source = V::load(cpu, &SOURCES[set]);
                pending.lanes = pending.rest.nonzero();
            }
            let lowest = pending.rest & (V::zero(cpu) - pending.rest);
            compress_at(lowest, pending.lanes, &mut self.targets, len);
            compress_at(pending.source, pending.lanes, &mut self.sources, len);
            len += pending.lanes.count_ones() as usize;
            pending.rest = pending.rest ^ lowest;
            pending.lanes = pending.rest.nonzero();
        }
        len
    }

    /// Writes the origins of all listed moves before any is made. Finding an origin has a long latency, but many can
    /// be found in parallel.
    #[inline(always)]
    fn find_origins<V: Vector>(&mut self, cpu: V::Cpu, batch: &Batch, len: usize) {
        let us = batch.ours.load::<V>(cpu);
        let occupied = us.all() | batch.theirs.load::<V>(cpu).all();
        for at in (0..len).step_by(V::LANES) {
            let to = load_at::<V>(cpu, &self.targets, at);
            let sources = load_at::<V>(cpu, &self.sources, at);
            let by_king = V::bit(cpu, sources.shift(-3)) & V::splat(cpu, KING_SETS);
            let kings = us.king.permute(sources).keep_if_nonzero(by_king);
            let pieces = occupied.permute(sources).keep_if_zero(by_king) | kings;
            store_at(origins::<V>(cpu, sources, to, pieces), &mut self.origins, at);
        }
    }

    /// Makes the listed moves from number `at` on, one in each lane. `castles`: some of them may be castling.
    #[inline(always)]
    pub fn make<V: Vector>(&self, cpu: V::Cpu, batch: &Batch, at: usize, castles: bool) -> Made<V> {
        let from = load_at::<V>(cpu, &self.origins, at);
        let to = load_at::<V>(cpu, &self.targets, at);
        let sources = load_at::<V>(cpu, &self.sources, at);
        let mut us = batch.ours.load::<V>(cpu).permute(sources).moved(from, to);
        if castles {
            let set = V::bit(cpu, sources.shift(-3));
            for (i, castle) in batch.castling_table.of_side::<White>().iter().enumerate() {
                let trip = V::splat(cpu, castle.rook_from_to());
                us.rooks = us.rooks ^ trip.keep_if_nonzero(set & V::splat(cpu, 1 << (CASTLES + i)));
            }
        }
        let them = batch.theirs.load::<V>(cpu).permute(sources).without(to);
        Made { sources, to, us, them }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    #[test]
    fn nonzero_bytes_are_found() {
        let mut rng = SplitMix64::new(0x5eed_0106);
        for _ in 0..10_000 {
            let bytes: [u8; 8] = std::array::from_fn(|_| match rng.below(4) {
                0 => rng.below(256) as u8,
                1 => 0x80,
                _ => 0,
            });
            let expected = (0..8).fold(0, |set, i| set | u8::from(bytes[i] != 0) << i);
            assert_eq!(nonzero_bytes(u64::from_le_bytes(bytes)), expected);
        }
    }
}
