//! The columns of the moves in eight positions at once.
//!
//! Numbers of moves and captures are population counts of all moves together, as numbers on squares. Moves to
//! squares from which the piece would give check are made in lanes and looked at by `checks`. What is rare is
//! left to `sets`, one position at a time: pieces that uncover a slider, promotions, castling and double
//! steps that may give check, en passant. Called by `leaves`.

use super::checks::{CheckQueues, Found};
use super::sets::{self, CheckSets};
use crate::chess::perft::lanes::legal_sets::{KingDanger, LegalSets};
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::bit_sliced::BitSliced;
use crate::chess::perft::simd::fills::{
    LEAPS, by_axis, knight_attacks, pawn_attacks, slider_attacks,
};
use crate::chess::perft::simd::{MOST_LANES, Vector, compress_at, lane_mask, load_at};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::move_sets::{SETS, SOURCES, SpecialMoves, origins};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Us;
use crate::game::Columns;

/// What has been counted so far.
pub struct Sums {
    /// Of each lane: nodes, captures, castles, moves of pawns to the last rank and captures among them.
    lanes: [[u64; MOST_LANES]; 5],
    /// Direct checks that were made in lanes.
    found: Found,
    /// What was counted one position at a time.
    single: Columns,
}

impl Sums {
    pub fn new() -> Self {
        Sums { lanes: [[0; MOST_LANES]; 5], found: Found::default(), single: Columns::default() }
    }

    /// All of it.
    pub fn columns(&self) -> Columns {
        let [nodes, captures, castles, promotions, promoting_captures] =
            self.lanes.map(|numbers| numbers.iter().sum::<u64>());
        let mut columns = self.single;
        // Each promotion is four moves.
        columns.nodes += nodes + castles + 3 * promotions;
        columns.captures += captures + 3 * promoting_captures;
        columns.castles += castles;
        columns.promotions += 4 * promotions;
        columns.checks[0] += self.found.checks - self.found.mates;
        columns.mates[0] += self.found.mates;
        columns
    }

    /// Where direct checks that were made in lanes are counted.
    pub fn found_mut(&mut self) -> &mut Found {
        &mut self.found
    }

    #[inline(always)]
    fn add<V: Vector>(&mut self, cpu: V::Cpu, place: usize, numbers: V) {
        let sum = V::load(cpu, &self.lanes[place]) + numbers;
        sum.store(&mut self.lanes[place]);
    }
}

/// The list of moves that are to be made, some at a time.
pub struct MoveQueue {
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
}

const CAPACITY: usize = 64;

impl MoveQueue {
    pub const EMPTY: MoveQueue = MoveQueue { targets: [0; CAPACITY], sources: [0; CAPACITY] };
}

/// Lanes in which something is left to be counted one position at a time, lane 0 in bit 0.
struct Rare<V> {
    discoverers: u8,
    en_passant: u8,
    /// Castling with each rook and double steps that may give check.
    castling: [u8; 2],
    double: u8,
    /// Promotions: straight ahead, to the west and to the east.
    last: Option<[V; 3]>,
}

/// Counts the moves of `T` in the positions of `batch`.
#[inline(always)]
pub fn count<T: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &mut MoveQueue,
    queues: &mut CheckQueues,
    sums: &mut Sums,
) {
    let own = batch.ours.load::<V>(cpu);
    let foe = batch.theirs.load::<V>(cpu);
    let active = batch.active::<V>();
    let (own_all, foe_all) = (own.all(), foe.all());
    let occupied = own_all | foe_all;
    let king = KingDanger::of::<T>(cpu, &own, &foe);
    let legal = LegalSets::of::<T>(cpu, &own, &foe, &king);
    let none = V::zero(cpu);
    let LegalSets { targets, single, double, west, east, .. } = legal;

    // How many of our pieces reach each square.
    let mut numbers = BitSliced::zero(cpu);
    numbers.add(0, legal.rays);
    let mut leaps = [none; 8];
    if legal.knights.nonzero() != 0 {
        for (set, (by, entered)) in leaps.iter_mut().zip(LEAPS) {
            *set = legal.knights.shift(by) & V::splat(cpu, entered);
        }
        numbers.add(0, leaps);
    }
    let mut nodes = king.steps.popcount() + (single | double).popcount();
    let mut captures = (king.steps & foe_all).popcount() + west.popcount() + east.popcount();
    nodes = nodes + west.popcount() + east.popcount();
    for (i, &plane) in numbers.0.iter().enumerate() {
        if i < 3 || plane.nonzero() != 0 {
            nodes = nodes + (plane & targets).popcount().shift(i as i32);
            captures = captures + (plane & targets & foe_all).popcount().shift(i as i32);
        }
    }
    sums.add(cpu, 0, nodes.mask_lanes(active));
    sums.add(cpu, 1, captures.mask_lanes(active));

    // Squares from which each kind of piece gives check.
    let sight = slider_attacks::<V>(cpu, [foe.king; 4], occupied);
    let straight = (sight[0] | sight[1]) | (sight[2] | sight[3]);
    let diagonal = (sight[4] | sight[5]) | (sight[6] | sight[7]);
    // A queen gives check from both; what is no queen is found out when the move is made.
    let queens = own.rooks & own.bishops;
    let by_rook = (straight | diagonal.keep_if_nonzero(queens)) & targets;
    let by_bishop = (diagonal | straight.keep_if_nonzero(queens)) & targets;
    let (pawn_west, pawn_east) = pawn_attacks::<T::Them, V>(cpu, foe.king);
    let last = V::splat(cpu, T::LAST_RANK.0);
    let by_pawn = (pawn_west | pawn_east).without(last);

    // Where one of our sliders and their king see the same piece of ours, it uncovers the slider.
    let bound = (own.rooks | own.bishops) & legal.pinned;
    let rays = if bound.nonzero() == 0 {
        legal.rays
    } else {
        slider_attacks::<V>(cpu, by_axis(own.rooks, own.bishops), occupied)
    };
    let mut met = none;
    for d in 0..8 {
        met = met | sight[d] & rays[d ^ 1];
    }
    let discoverers = met & own_all;

    let by_knight = knight_attacks(cpu, foe.king) & targets;
    for set in &mut leaps {
        *set = *set & by_knight;
    }
    let mut sliders = legal.rays;
    for (d, set) in sliders.iter_mut().enumerate() {
        *set = *set & if d < 4 { by_rook } else { by_bishop };
    }
    let pawns = [single & by_pawn, none, west & by_pawn, east & by_pawn];
    let checks = SpecialMoves { sliders, leaps, king: none, pawns, castles: [none; 2] };

    let mut rare = Rare {
        discoverers: discoverers.nonzero() & active,
        en_passant: load_at::<V>(cpu, &batch.en_passant, 0).nonzero() & active,
        castling: [0; 2],
        double: (double & by_pawn).nonzero() & active,
        last: None,
    };
    if (own.pawns & V::splat(cpu, T::SEVENTH_RANK.0)).nonzero() != 0 {
        let mut last = [single & last, west & last, east & last];
        for set in &mut last {
            *set = set.mask_lanes(active);
        }
        let taking = last[1].popcount() + last[2].popcount();
        sums.add(cpu, 3, last[0].popcount() + taking);
        sums.add(cpu, 4, taking);
        rare.last = Some(last);
    }
    let castling = load_at::<V>(cpu, &batch.castling, 0);
    if let Some(castles) = batch.castling_table.load::<T, V>(cpu, castling) {
        let along_rank = foe.king & V::splat(cpu, T::BACK_RANK.0);
        let geometries = batch.castling_table.of_side::<T>();
        for ((castle, geometry), lanes) in castles.iter().zip(geometries).zip(&mut rare.castling) {
            let available = castle.available(occupied, king.danger, legal.pinned);
            let available = available.keep_if_zero(legal.checkers).mask_lanes(active);
            sums.add(cpu, 2, available.popcount());
            let arrives = straight & V::splat(cpu, geometry.rook_to) | along_rank;
            *lanes = available.keep_if_nonzero(arrives).nonzero();
        }
    }
    let position = Sides { batch, us: &own, them: &foe, discoverers };
    make_checks::<T, V>(cpu, position, &checks.by_number(), moves, queues, sums);
    count_rare::<T, V>(cpu, batch, &rare, sums);
}

/// The positions of a batch in registers, and our pieces whose moves uncover a slider.
struct Sides<'a, V> {
    batch: &'a Batch,
    us: &'a SideSets<V>,
    them: &'a SideSets<V>,
    discoverers: V,
}

/// Makes the moves in `sets`, other than of discoverers, and lines them up for `checks`.
#[inline(always)]
fn make_checks<T: Us, V: Vector>(
    cpu: V::Cpu,
    sides: Sides<'_, V>,
    sets: &[V; SETS],
    moves: &mut MoveQueue,
    queues: &mut CheckQueues,
    sums: &mut Sums,
) {
    let Sides { batch, us, them, discoverers } = sides;
    let active = batch.active::<V>();
    let mut filled = 0u32;
    for (i, set) in sets.iter().enumerate() {
        filled |= u32::from(set.nonzero() & active != 0) << i;
    }
    let occupied = us.all() | them.all();
    let mut rest = V::zero(cpu);
    let mut source = rest;
    let mut lanes = 0u8;
    while filled | u32::from(lanes) != 0 {
        // List the lowest target of every lane, then the next ones.
        let mut len = 0;
        while len <= CAPACITY - MOST_LANES {
            if lanes == 0 {
                if filled == 0 {
                    break;
                }
                let set = filled.trailing_zeros() as usize % (SETS + 1);
                filled &= filled - 1;
                rest = sets[set.min(SETS - 1)].mask_lanes(active);
                source = V::load(cpu, &SOURCES[set]);
                lanes = rest.nonzero();
            }
            let lowest = rest & (V::zero(cpu) - rest);
            compress_at(lowest, lanes, &mut moves.targets, len);
            compress_at(source, lanes, &mut moves.sources, len);
            len += lanes.count_ones() as usize;
            rest = rest ^ lowest;
            lanes = rest.nonzero();
        }
        for at in (0..len).step_by(V::LANES) {
            let to = load_at::<V>(cpu, &moves.targets, at);
            let sources = load_at::<V>(cpu, &moves.sources, at);
            let from = origins::<T, V>(cpu, sources, to, occupied.permute(sources));
            let listed = lane_mask::<V>(len - at);
            let lanes = listed & !(from & discoverers.permute(sources)).nonzero();
            macro_rules! moved {
                ($set:expr) => {{
                    let set = $set.permute(sources);
                    set.without(from) | to.keep_if_nonzero(set & from)
                }};
            }
            let foe = SideSets {
                pawns: moved!(us.pawns),
                knights: moved!(us.knights),
                bishops: moved!(us.bishops),
                rooks: moved!(us.rooks),
                king: us.king.permute(sources),
            };
            let own = SideSets {
                pawns: them.pawns.permute(sources).without(to),
                knights: them.knights.permute(sources).without(to),
                bishops: them.bishops.permute(sources).without(to),
                rooks: them.rooks.permute(sources).without(to),
                king: them.king.permute(sources),
            };
            queues.push::<T::Them, V>(cpu, &own, &foe, lanes, &mut sums.found);
        }
    }
}

/// Counts what is left, one position at a time.
#[inline(always)]
fn count_rare<T: Us, V: Vector>(cpu: V::Cpu, batch: &Batch, rare: &Rare<V>, sums: &mut Sums) {
    let promoting = match rare.last {
        Some([ahead, west, east]) => (ahead | west | east).nonzero(),
        None => 0,
    };
    let [west, east] = rare.castling;
    let mut lanes = rare.discoverers | rare.en_passant | rare.double | promoting | west | east;
    if lanes == 0 {
        return;
    }
    let mut last = [[0; MOST_LANES]; 3];
    if let Some(sets) = rare.last {
        for (words, set) in last.iter_mut().zip(sets) {
            set.store(words);
        }
    }
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize & (MOST_LANES - 1);
        lanes &= lanes - 1;
        let is_in = |lanes: u8| lanes >> lane & 1 != 0;
        let pos = &batch.position::<T>(lane);
        let columns = &mut sums.single;
        if is_in(rare.en_passant) {
            sets::en_passant::<T, V::Cpu>(pos, cpu, columns);
        }
        for rook in pos.castling() & T::BACK_RANK {
            let towards_h = rook > pos.king(T::SIDE);
            if is_in(rare.castling[usize::from(towards_h)]) {
                sets::castling_check::<T, V::Cpu>(pos, cpu, rook, columns);
            }
        }
        if is_in(rare.discoverers | rare.double | promoting) {
            let check_sets = CheckSets::of::<T, V::Cpu>(pos, cpu);
            if is_in(rare.discoverers) {
                sets::discoverer_checks::<T, V::Cpu>(pos, cpu, &check_sets, columns);
            }
            if is_in(rare.double) {
                sets::double_step_checks::<T, V::Cpu>(pos, cpu, &check_sets, columns);
            }
            if is_in(promoting) {
                let last = last.map(|words| Bitboard(words[lane]));
                sets::promotion_checks::<T, V::Cpu>(pos, cpu, &check_sets, last, columns);
            }
        }
    }
}
