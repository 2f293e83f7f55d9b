//! Our special moves in the positions of a batch: lists them, makes them in lanes and counts the replies.
//!
//! A move that only moves a piece (captures included), or castles, is never made on its own. Such moves of all
//! positions are listed as targets and made in the lanes of vectors, and [`count_lane_moves`] counts the replies. A set
//! of targets determines the origins: in one direction every target of a slider has exactly one origin; knight leaps
//! and pawn steps are undone by a shift. The few other moves are left to `walk`. "We" and "they" as in `walk`.

use crate::base::list::MoveList;
use crate::chess::board::Board;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::{self, ALL, ChecksAndPins, PROMOTIONS};
use crate::chess::perft::batch::{Batch, CastlingLanes, SideSets};
use crate::chess::perft::classify::{CASTLING, KING_STEPS, SETS, SpecialMoves};
use crate::chess::perft::vector::{
    AVOID_WRAP, DELTA, LEAPS, LanePawnTargets, MOST_LANES, Rays, Vector, by_axis, compress_at, for_each_direction,
    king_attacks, knight_attacks, lane_mask, leaps, load_at, pawn_attacks, pawn_axes, pinned_off_axis, slider_attacks,
    store_at, union,
};
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Us, White};
use crate::game::{ListSink, MOST_MOVES, Moves};
use std::hint::black_box;

/// Lists of special moves of the positions of a batch.
pub struct MoveLists {
    /// Moves that only move a piece, captures included, and castling.
    queue: MoveQueue,
    /// En passant captures, promotions, and all check evasions, each with its lane.
    pub scalar: MoveList<(u8, Move), { MOST_LANES * MOST_MOVES }>,
}

impl MoveLists {
    pub const fn new() -> Self {
        MoveLists { queue: MoveQueue::new(), scalar: MoveList::new() }
    }
}

/// Adds to `lanes` the number of replies to the special moves that can be made in lanes: each to the lane of its
/// position if they are wanted `apart`, otherwise to any.
#[inline(always)]
pub fn count<const KINDS: u8, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    lists: &mut MoveLists,
    special: &SpecialMoves<V>,
    apart: bool,
    lanes: &mut [u64; MOST_LANES],
) {
    let mut sum = V::zero(cpu);
    let queue = &mut lists.queue;
    let rooks = load_at::<V>(cpu, &batch.castling, 0);
    let we_castle = (rooks & V::splat(cpu, White::BACK_RANK.0)).nonzero() != 0;
    let they_castle = (rooks & V::splat(cpu, Black::BACK_RANK.0)).nonzero() != 0;
    let mut pending = Pending::of(cpu, &special.sets);
    while pending.any() {
        let len = queue.list(cpu, batch, &mut pending);
        for at in (0..len).step_by(V::LANES) {
            // The compiler would load the whole batch before the loop, only to write it to the stack.
            let batch = black_box(batch);
            let after = queue.make::<V>(cpu, batch, at, we_castle);
            // A captured rook cannot castle. (Not a closure: a closure that is not inlined is not compiled for the
            // CPU's instructions.)
            let castling_moves = if they_castle {
                let rooks = rooks.permute(after.sources).without(after.to);
                batch.castling_table.load::<Black, V>(cpu, rooks)
            } else {
                None
            };
            let (own, foe) = (after.them.only::<KINDS>(cpu), after.us.only::<KINDS>(cpu));
            let counts = count_lane_moves::<Black, V>(cpu, &own, &foe, castling_moves.as_ref());
            let counts = counts.mask_lanes(lane_mask::<V>(len - at));
            if apart {
                add_by_source(counts, after.sources, lanes);
            } else {
                sum = sum + counts;
            }
        }
    }
    (V::load(cpu, lanes) + sum).store(lanes);
}

/// Adds counts to the lanes that are the low three bits of their sources.
#[inline(always)]
fn add_by_source<V: Vector>(counts: V, sources: V, lanes: &mut [u64; MOST_LANES]) {
    let (mut words, mut numbers) = ([0; MOST_LANES], [0; MOST_LANES]);
    counts.store(&mut words);
    sources.store(&mut numbers);
    for lane in 0..MOST_LANES {
        lanes[numbers[lane] as usize % MOST_LANES] += words[lane];
    }
}

/// Lists in `lists.scalar` the moves that cannot be made in lanes, and all moves of lanes in check. Adds the number of
/// their en passant captures after the double steps that `classify` leaves to this function.
#[inline(always)]
pub fn list_scalar<V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &SpecialMoves<V>,
    lists: &mut MoveLists,
    lanes: &mut [u64; MOST_LANES],
) {
    lists.scalar.clear();
    list_promotions::<V>(batch, moves, lists);
    add_unclear_ep_replies::<V>(batch, moves, lanes);
    list_evasions_and_ep::<V>(cpu, batch, moves, lists);
}

/// Lists every promotion move, four for each target.
#[inline(always)]
fn list_promotions<V: Vector>(batch: &Batch, moves: &SpecialMoves<V>, lists: &mut MoveLists) {
    let mut words = [0; MOST_LANES];
    for (at, step) in [0, -1, 1].iter().enumerate() {
        let set = moves.promotions[at];
        let lanes = set.nonzero() & batch.active::<V>();
        if lanes == 0 {
            continue;
        }
        set.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, White::FORWARD + step, MoveKind::Pawn);
                for kind in PROMOTIONS {
                    lists.scalar.push((lane as u8, Move::new(m.from(), to, kind)));
                }
            }
        }
    }
}

/// Adds the number of their legal en passant captures after the double steps in `ep_unclear`.
#[inline(always)]
fn add_unclear_ep_replies<V: Vector>(batch: &Batch, moves: &SpecialMoves<V>, sums: &mut [u64; MOST_LANES]) {
    let lanes = moves.ep_unclear.nonzero() & batch.active::<V>();
    if lanes != 0 {
        let mut words = [0; MOST_LANES];
        moves.ep_unclear.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, 2 * White::FORWARD, MoveKind::DoublePush);
                let board = &batch.board(lane);
                sums[lane] += ep_captures_after(board, m);
            }
        }
    }
}

/// Lists all check evasions, and our en passant captures.
#[inline(always)]
fn list_evasions_and_ep<V: Vector>(cpu: V::Cpu, batch: &Batch, moves: &SpecialMoves<V>, lists: &mut MoveLists) {
    let extra = load_at::<V>(cpu, &batch.en_passant, 0).nonzero();
    let mut lanes = (extra | moves.in_check) & batch.active::<V>();
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let board = &batch.board(lane);
        let mut list = Moves::new();
        let sink = &mut ListSink(&mut list);
        if moves.in_check >> lane & 1 != 0 {
            movegen::generate::<White, ALL, _>(board, &ChecksAndPins::of::<White>(board), Bitboard::ALL, sink);
        } else {
            let (ours, king) = (board.side_set(White::SIDE), board.king(White::SIDE));
            movegen::en_passant::<White, _>(board, ours, king, sink);
        }
        for &m in &list {
            lists.scalar.push((lane as u8, m));
        }
    }
}

/// The number of legal en passant captures after our double step `m`.
#[inline(always)]
fn ep_captures_after(board: &Board, m: Move) -> u64 {
    let left = Bitboard::of(m.from());
    let passed = White::forward(left);
    let king = board.king(Black::SIDE);
    let mut captures = 0;
    let capturers = board.kind_set(Kind::Pawn) & board.side_set(Black::SIDE);
    for capturer in White::pawn_attacks(passed) & capturers {
        let after = (board.occupied() & !left & !Bitboard::of(capturer)) | passed;
        let foes = board.side_set(White::SIDE) & !left;
        captures += u64::from(!attackers(board, king, after).meets(foes));
    }
    captures
}

/// The sets of king moves: bit `i` for set `i`.
const KING_SETS: u64 = 1 << KING_STEPS | 3 << CASTLING;

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
    while set < SETS {
        let mut to = 0;
        while to < 64 {
            table[64 * set + to] = match set {
                0..8 => BEHIND[set ^ 1][to],
                8..16 => single_origin(to, LEAPS[set - 8].0),
                KING_STEPS | CASTLING.. => !0,
                // Pawns: single step, double step, capture towards the a-file, capture towards the h-file.
                _ => single_origin(to, [8, 16, 7, 9][set - KING_STEPS - 1]),
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
struct Pending<'a, V> {
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
    fn of(cpu: V::Cpu, sets: &'a [V; SETS]) -> Self {
        // The non-empty sets are found first, because a branch for every set would often be mispredicted.
        let filled = filled_sets(sets);
        let none = V::zero(cpu);
        Pending { sets, filled, rest: none, lanes: 0, source: none }
    }

    #[inline(always)]
    fn any(&self) -> bool {
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
struct MoveQueue {
    /// The target, the source (eight times the number of the move set, plus the lane), and the origin.
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
    origins: [u64; CAPACITY],
}

/// How many moves are listed before they are made.
const CAPACITY: usize = 256;

/// A listed move in each lane, and the position after it.
struct Made<V> {
    /// The sources of the moves and their targets.
    sources: V,
    to: V,
    us: SideSets<V>,
    them: SideSets<V>,
}

impl MoveQueue {
    const fn new() -> Self {
        MoveQueue { targets: [0; CAPACITY], sources: [0; CAPACITY], origins: [0; CAPACITY] }
    }

    /// Lists pending moves of `batch` while there is room, and returns their number.
    #[inline(always)]
    fn list<V: Vector>(&mut self, cpu: V::Cpu, batch: &Batch, pending: &mut Pending<V>) -> usize {
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

    /// Makes the listed moves from number `at` on, one in each lane. `may_castle`: some of them may be castling.
    #[inline(always)]
    fn make<V: Vector>(&self, cpu: V::Cpu, batch: &Batch, at: usize, may_castle: bool) -> Made<V> {
        let from = load_at::<V>(cpu, &self.origins, at);
        let to = load_at::<V>(cpu, &self.targets, at);
        let sources = load_at::<V>(cpu, &self.sources, at);
        let mut us = batch.ours.load::<V>(cpu).permute(sources).moved(from, to);
        if may_castle {
            let set = V::bit(cpu, sources.shift(-3));
            for (i, castling) in batch.castling_table.of_side::<White>().iter().enumerate() {
                let trip = V::splat(cpu, castling.rook_from_to());
                us.rooks = us.rooks ^ trip.keep_if_nonzero(set & V::splat(cpu, 1 << (CASTLING + i)));
            }
        }
        let them = batch.theirs.load::<V>(cpu).permute(sources).without(to);
        Made { sources, to, us, them }
    }
}

/// The number of legal moves of `T` in each lane, without en passant captures. No branches over pieces, no table
/// look-ups.
#[inline(always)]
pub fn count_lane_moves<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: &SideSets<V>,
    foe: &SideSets<V>,
    castling_moves: Option<&[CastlingLanes<V>; 2]>,
) -> V {
    let (own_all, foe_all) = (own.all(), foe.all());
    let occupied = own_all | foe_all;
    // The attacks of their sliders pass through our king, which cannot step back on the same line.
    let attacks = slider_attacks::<V>(cpu, by_axis(foe.rooks, foe.bishops), occupied ^ own.king);
    let (west, east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
    let danger = union(&attacks) | knight_attacks(cpu, foe.knights) | west | east | king_attacks(cpu, foe.king);
    let steps = king_attacks(cpu, own.king).without(own_all | danger);

    let LaneChecks { checkers, check_mask, pins, pinned } = LaneChecks::of::<T>(cpu, &attacks, own, foe, occupied);
    let targets = check_mask.without(own_all);
    let [files, ranks, rising, falling] = pinned_off_axis(&pins);
    let (west_axis, east_axis) = pawn_axes::<T, V>(rising, falling);
    let pawns = [own.pawns.without(files), own.pawns.without(west_axis), own.pawns.without(east_axis)];
    let pawns = LanePawnTargets::of::<T>(cpu, pawns, !occupied, foe_all).within(check_mask);
    let sliders =
        [own.rooks.without(files), own.rooks.without(ranks), own.bishops.without(rising), own.bishops.without(falling)];

    // A part covers one rank at most, on which at most 64 slider moves, 64 knight moves, 96 pawn moves and 10 king
    // moves end.
    let mut total = steps.count_parts() + pawns.count_parts::<T>(cpu);
    for rays in slider_attacks::<V>(cpu, sliders, occupied) {
        total = total + (rays & targets).count_parts();
    }
    let knights = own.knights.without(pinned);
    if knights.nonzero() != 0 {
        for set in leaps::<V>(cpu, knights) {
            total = total + (set & targets).count_parts();
        }
    }
    if let Some(castling_moves) = castling_moves {
        for castling in castling_moves {
            let available = castling.available(occupied, danger, pinned);
            total = total + available.keep_if_zero(checkers).count_parts();
        }
    }
    total.sum_parts()
}

/// The pieces that give check, and the pinned pieces.
struct LaneChecks<V> {
    checkers: V,
    /// Squares to which pieces other than the king may move: all squares without a check; the checker and the squares
    /// between with one check; none with two.
    check_mask: V,
    /// Pinned pieces by axis (files, ranks, a1–h8 lines, a8–h1 lines), and all of them.
    pins: [V; 4],
    pinned: V,
}

impl<V: Vector> LaneChecks<V> {
    /// `attacks` are those of the opponent's sliders, passing through our king.
    #[inline(always)]
    fn of<T: Us>(cpu: V::Cpu, attacks: &Rays<V>, own: &SideSets<V>, foe: &SideSets<V>, occupied: V) -> Self {
        let none = V::zero(cpu);
        let (own_all, empty) = (own.all(), !occupied);
        let rays = slider_attacks::<V>(cpu, [own.king; 4], occupied);
        let (mut checkers, mut between, mut pins) = (none, none, [none; 4]);
        for_each_direction!(|D| {
            // Rays from the king and from a slider both cover the empty squares between them. Both end at a lone
            // piece between them.
            let met = rays[D] & attacks[D ^ 1];
            let sliders = if D < 4 { foe.rooks } else { foe.bishops };
            checkers = checkers | rays[D] & sliders;
            between = between | met & empty;
            pins[D / 2] = pins[D / 2] | met & own_all;
        });
        let (west, east) = pawn_attacks::<T, V>(cpu, own.king);
        let checkers = checkers | knight_attacks(cpu, own.king) & foe.knights | (west | east) & foe.pawns;
        let several = checkers & (checkers - V::splat(cpu, 1));
        let check_mask = between | checkers | V::splat(cpu, !0).keep_if_zero(checkers);
        let check_mask = check_mask.keep_if_zero(several.keep_if_nonzero(checkers));
        let [files, ranks, rising, falling] = pins;
        let pinned = (files | ranks) | (rising | falling);
        LaneChecks { checkers, check_mask, pins, pinned }
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
