//! The columns of the moves in several positions at once.
//!
//! Moves and captures are counted for all pieces together, as numbers on squares, with population counts. Moves to
//! squares from which the piece would give check are made in lanes and tested by `checks`. Rare cases are left to
//! `sets`, one position at a time: pieces that may give a discovered check, promotions, castling and double steps that
//! may give check, and en passant.

use super::checks::{CheckQueues, Found};
use super::sets::{self, CheckSets};
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::legal_sets::{KingDanger, LegalSets};
use crate::chess::perft::lanes::moves::{MoveQueue, MoveSets, Pending, SETS};
use crate::chess::perft::lanes::pawns::PawnTargets;
use crate::chess::perft::simd::bit_sliced::{BitSliced, sum_over};
use crate::chess::perft::simd::fills::{by_axis, knight_attacks, leaps, pawn_attacks, slider_attacks};
use crate::chess::perft::simd::{MOST_LANES, Vector, lane_mask, load_at};
use crate::chess::types::{Bitboard, Black, Us, White};
use crate::game::Columns;

/// The counts so far.
pub struct Sums {
    /// Per lane: nodes, captures, castling moves, pawn moves to the last rank, and captures among the latter.
    lanes: [[u64; MOST_LANES]; 5],
    /// Direct checks that were made in lanes.
    found: Found,
    /// The counts of single positions.
    single: Columns,
}

impl Sums {
    pub fn new() -> Self {
        Sums { lanes: [[0; MOST_LANES]; 5], found: Found::default(), single: Columns::default() }
    }

    /// The total.
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

    /// The counts of direct checks that were made in lanes.
    pub fn found_mut(&mut self) -> &mut Found {
        &mut self.found
    }

    #[inline(always)]
    fn add<V: Vector>(&mut self, cpu: V::Cpu, place: usize, numbers: V) {
        let sum = V::load(cpu, &self.lanes[place]) + numbers;
        sum.store(&mut self.lanes[place]);
    }
}

/// Lanes with cases that are counted one position at a time, lane 0 in bit 0.
struct Rare<V> {
    discoverers: u8,
    en_passant: u8,
    /// Castling with each rook, and double steps, if they may give check.
    castling: [u8; 2],
    double: u8,
    /// Promotions: straight ahead, to the west and to the east.
    last: Option<[V; 3]>,
}

/// Counts the moves in the positions of `batch`.
#[inline(always)]
pub fn count<V: Vector>(cpu: V::Cpu, batch: &Batch, moves: &mut MoveQueue, queues: &mut CheckQueues, sums: &mut Sums) {
    let own = batch.ours.load::<V>(cpu);
    let foe = batch.theirs.load::<V>(cpu);
    let active = batch.active::<V>();
    let (own_all, foe_all) = (own.all(), foe.all());
    let occupied = own_all | foe_all;
    let king = KingDanger::of::<White>(cpu, &own, &foe);
    let legal = LegalSets::of::<White>(cpu, &own, &foe, &king);
    let none = V::zero(cpu);
    let targets = legal.targets;
    let PawnTargets { single, double, west, east } = legal.pawns;

    // The number of our pieces that attack each square.
    let mut numbers = BitSliced::zero(cpu);
    numbers.add(0, legal.rays);
    let mut leaping = [none; 8];
    if legal.knights.nonzero() != 0 {
        leaping = leaps::<V>(cpu, legal.knights);
        numbers.add(0, leaping);
    }
    let mut nodes = king.steps.popcount() + (single | double).popcount();
    let mut captures = (king.steps & foe_all).popcount() + west.popcount() + east.popcount();
    nodes = nodes + west.popcount() + east.popcount() + sum_over(cpu, &numbers.0, targets);
    captures = captures + sum_over(cpu, &numbers.0, targets & foe_all);
    sums.add(cpu, 0, nodes.mask_lanes(active));
    sums.add(cpu, 1, captures.mask_lanes(active));

    // Squares from which each kind of piece gives check.
    let sight = slider_attacks::<V>(cpu, [foe.king; 4], occupied);
    let straight = (sight[0] | sight[1]) | (sight[2] | sight[3]);
    let diagonal = (sight[4] | sight[5]) | (sight[6] | sight[7]);
    // A queen gives check from both. Whether the piece is a queen is tested after the move is made.
    let queens = own.rooks & own.bishops;
    let targets = targets.mask_lanes(active);
    let by_rook = (straight | diagonal.keep_if_nonzero(queens)) & targets;
    let by_bishop = (diagonal | straight.keep_if_nonzero(queens)) & targets;
    let (pawn_west, pawn_east) = pawn_attacks::<Black, V>(cpu, foe.king);
    let last = V::splat(cpu, White::LAST_RANK.0);
    let by_pawn = (pawn_west | pawn_east).without(last).mask_lanes(active);

    // If one of our sliders and their king both see the same piece of ours, that piece can give a discovered check.
    let pinned_sliders = (own.rooks | own.bishops) & legal.pinned;
    let rays = if pinned_sliders.nonzero() == 0 {
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
    for set in &mut leaping {
        *set = *set & by_knight;
    }
    let mut sliders = legal.rays;
    for (d, set) in sliders.iter_mut().enumerate() {
        *set = *set & if d < 4 { by_rook } else { by_bishop };
    }
    let pawns = [single & by_pawn, none, west & by_pawn, east & by_pawn];
    let checks = MoveSets { sliders, leaps: leaping, king: none, pawns, castles: [none; 2] };

    let mut rare = Rare {
        discoverers: discoverers.nonzero() & active,
        en_passant: load_at::<V>(cpu, &batch.en_passant, 0).nonzero() & active,
        castling: [0; 2],
        double: (double & by_pawn).nonzero(),
        last: None,
    };
    if (own.pawns & V::splat(cpu, White::SEVENTH_RANK.0)).nonzero() != 0 {
        let mut last = legal.pawns.promotions::<White>(cpu);
        for set in &mut last {
            *set = set.mask_lanes(active);
        }
        let taking = last[1].popcount() + last[2].popcount();
        sums.add(cpu, 3, last[0].popcount() + taking);
        sums.add(cpu, 4, taking);
        rare.last = Some(last);
    }
    let castling = load_at::<V>(cpu, &batch.castling, 0);
    if let Some(castles) = batch.castling_table.load::<White, V>(cpu, castling) {
        let along_rank = foe.king & V::splat(cpu, White::BACK_RANK.0);
        let geometries = batch.castling_table.of_side::<White>();
        for ((castle, geometry), lanes) in castles.iter().zip(geometries).zip(&mut rare.castling) {
            let available = castle.available(occupied, king.danger, legal.pinned);
            let available = available.keep_if_zero(legal.checkers).mask_lanes(active);
            sums.add(cpu, 2, available.popcount());
            let arrives = straight & V::splat(cpu, geometry.rook_to) | along_rank;
            *lanes = available.keep_if_nonzero(arrives).nonzero();
        }
    }
    let sets = &checks.by_number();
    make_checks(cpu, batch, discoverers, sets, moves, queues, &mut sums.found);
    count_rare(cpu, batch, &rare, sums);
}

/// Makes the moves in `sets`, except those of `discoverers`, and queues them for `checks`.
#[inline(always)]
fn make_checks<V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    discoverers: V,
    sets: &[V; SETS],
    moves: &mut MoveQueue,
    queues: &mut CheckQueues,
    found: &mut Found,
) {
    let mut pending = Pending::of(cpu, sets);
    while pending.any() {
        let len = moves.list(cpu, batch, &mut pending);
        for at in (0..len).step_by(V::LANES) {
            let after = moves.make::<V>(cpu, batch, at, false);
            let uncovers = (after.from & discoverers.permute(after.sources)).nonzero();
            let lanes = lane_mask::<V>(len - at) & !uncovers;
            queues.push::<V>(cpu, &after.them, &after.us, lanes, found);
        }
    }
}

/// Counts the remaining cases one position at a time.
#[inline(always)]
fn count_rare<V: Vector>(cpu: V::Cpu, batch: &Batch, rare: &Rare<V>, sums: &mut Sums) {
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
        let pos = &batch.position(lane);
        let columns = &mut sums.single;
        if is_in(rare.en_passant) {
            sets::en_passant(pos, cpu, columns);
        }
        for rook in pos.castling() & White::BACK_RANK {
            let towards_h = rook > pos.king(White::SIDE);
            if is_in(rare.castling[usize::from(towards_h)]) {
                sets::castling_check(pos, cpu, rook, columns);
            }
        }
        if is_in(rare.discoverers | rare.double | promoting) {
            let check_sets = CheckSets::of(pos, cpu);
            if is_in(rare.discoverers) {
                sets::discoverer_checks(pos, cpu, &check_sets, columns);
            }
            if is_in(rare.double) {
                sets::double_step_checks(pos, cpu, &check_sets, columns);
            }
            if is_in(promoting) {
                let last = last.map(|words| Bitboard(words[lane]));
                sets::promotion_checks(pos, cpu, &check_sets, last, columns);
            }
        }
    }
}
