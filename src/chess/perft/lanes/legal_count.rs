//! The number of legal moves in eight positions at once, without branches over pieces and without look-ups.
//!
//! En passant captures, which are scalar_lanes, are left to the callers, `leaf_batch` and `two_ply::made_moves`.

use crate::chess::perft::lanes::castling::CastlingLanes;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    LEAPS, Rays, for_each_direction, forward, king_attacks, knight_attacks, pawn_attacks,
    slider_attacks, union,
};
use crate::chess::types::piece::Us;

/// What binds a side: as `movegen::Bonds`, in lanes.
struct ChecksAndPins<V> {
    checkers: V,
    /// Squares between the king and sliders that give check.
    paths: V,
    /// Pinned pieces by line: files, ranks, a1–h8 lines, a8–h1 lines.
    pinned: [V; 4],
}

/// `lines` are the attacks of a queen on the king's square, `attacks` those of the foe's sliders.
#[inline(always)]
fn checks_and_pins<V: Vector>(
    cpu: V::Cpu,
    lines: &Rays<V>,
    attacks: &Rays<V>,
    own: V,
    empty: V,
    foe: &SideSets<V>,
) -> ChecksAndPins<V> {
    let none = V::zero(cpu);
    let mut checks_and_pins = ChecksAndPins { checkers: none, paths: none, pinned: [none; 4] };
    for_each_direction!(|D| {
        // Between king and slider both have passed; at a lone piece between them both have ended.
        let met = lines[D] & attacks[D ^ 1];
        let sliders = if D < 4 { foe.rooks } else { foe.bishops };
        checks_and_pins.checkers = checks_and_pins.checkers | lines[D] & sliders;
        checks_and_pins.paths = checks_and_pins.paths | met & empty;
        checks_and_pins.pinned[D / 2] = checks_and_pins.pinned[D / 2] | met & own;
    });
    checks_and_pins
}

/// The number of legal moves of `T` in each lane, en passant captures aside.
#[inline(always)]
pub fn count_legal<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: SideSets<V>,
    foe: SideSets<V>,
    castles: Option<&[CastlingLanes<V>; 2]>,
) -> V {
    let own_all = own.all();
    let foe_all = foe.all();
    let occupied = own_all | foe_all;
    let empty = !occupied;

    // The king: it does not hide squares behind itself from an attack.
    let foe_lines = [foe.rooks, foe.rooks, foe.bishops, foe.bishops];
    let attacks = slider_attacks::<V>(cpu, foe_lines, occupied ^ own.king);
    let (foe_west, foe_east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
    let danger = union(&attacks)
        | knight_attacks(cpu, foe.knights)
        | foe_west
        | foe_east
        | king_attacks(cpu, foe.king);
    let mut total = king_attacks(cpu, own.king).without(own_all | danger).popcount();

    // Checks and pins.
    let lines = slider_attacks::<V>(cpu, [own.king; 4], occupied);
    let checks_and_pins = checks_and_pins(cpu, &lines, &attacks, own_all, empty, &foe);
    let (king_west, king_east) = pawn_attacks::<T, V>(cpu, own.king);
    let checkers = checks_and_pins.checkers
        | knight_attacks(cpu, own.king) & foe.knights
        | (king_west | king_east) & foe.pawns;
    let several = checkers & (checkers - V::splat(cpu, 1));
    let check_mask = checks_and_pins.paths | checkers | V::splat(cpu, !0).keep_if_zero(checkers);
    let check_mask = check_mask.keep_if_zero(several.keep_if_nonzero(checkers));
    let targets = check_mask.without(own_all);
    let [file_pins, rank_pins, rising_pins, falling_pins] = checks_and_pins.pinned;
    let straight_pins = file_pins | rank_pins;
    let diagonal_pins = rising_pins | falling_pins;
    let pinned = straight_pins | diagonal_pins;

    let movers = [
        own.rooks.without(pinned ^ file_pins),
        own.rooks.without(pinned ^ rank_pins),
        own.bishops.without(pinned ^ rising_pins),
        own.bishops.without(pinned ^ falling_pins),
    ];
    for set in slider_attacks::<V>(cpu, movers, occupied) {
        total = total + (set & targets).popcount();
    }
    let knights = own.knights.without(pinned);
    if knights.nonzero() != 0 {
        for (by, entered) in LEAPS {
            total = total + (knights.shift(by) & V::splat(cpu, entered) & targets).popcount();
        }
    }

    // Pawns: a pinned one may stay on its line.
    let pushers = own.pawns.without(pinned ^ file_pins);
    let single = forward::<T, V>(pushers) & empty;
    let double = forward::<T, V>(single & V::splat(cpu, T::THIRD_RANK.0)) & empty;
    let (west_line, east_line) =
        if T::FORWARD > 0 { (falling_pins, rising_pins) } else { (rising_pins, falling_pins) };
    let prey = foe_all & check_mask;
    let west = pawn_attacks::<T, V>(cpu, own.pawns.without(pinned ^ west_line)).0 & prey;
    let east = pawn_attacks::<T, V>(cpu, own.pawns.without(pinned ^ east_line)).1 & prey;
    let single = single & check_mask;
    // A single push and a double push end on different squares.
    total = total + (single | double & check_mask).popcount() + west.popcount() + east.popcount();
    if (own.pawns & V::splat(cpu, T::SEVENTH_RANK.0)).nonzero() != 0 {
        let last = V::splat(cpu, T::LAST_RANK.0);
        let more = (single & last).popcount() + (west & last).popcount() + (east & last).popcount();
        total = total + more + more.shift(1);
    }

    if let Some(castles) = castles {
        for castle in castles {
            total = total
                + castle.available(occupied, danger, pinned).keep_if_zero(checkers).popcount();
        }
    }
    total
}
