//! The number of legal moves in eight positions at once, without branches over pieces and without look-ups.
//!
//! En passant captures, which are rare, are left to the callers, `leaf_batch` and `two_ply::made_moves`.

use crate::chess::perft::lanes::castling::CastlingLanes;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    LEAPS, Rays, by_axis, for_each_direction, forward, king_attacks, knight_attacks, pawn_attacks,
    pawn_axes, slider_attacks, union,
};
use crate::chess::types::piece::Us;

/// The number of legal moves of `T` in each lane, en passant captures aside.
#[inline(always)]
pub fn count_legal<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: SideSets<V>,
    foe: SideSets<V>,
    castles: Option<&[CastlingLanes<V>; 2]>,
) -> V {
    let (own_all, foe_all) = (own.all(), foe.all());
    let occupied = own_all | foe_all;
    // The king does not hide squares behind itself from an attack.
    let attacks = slider_attacks::<V>(cpu, by_axis(foe.rooks, foe.bishops), occupied ^ own.king);
    let (foe_west, foe_east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
    let danger = union(&attacks)
        | knight_attacks(cpu, foe.knights)
        | foe_west
        | foe_east
        | king_attacks(cpu, foe.king);
    let king_moves = king_attacks(cpu, own.king).without(own_all | danger).popcount();

    let bonds = ChecksAndPins::of::<T>(cpu, &attacks, &own, &foe, occupied);
    let targets = bonds.check_mask.without(own_all);
    let mut total = king_moves
        + slider_moves(cpu, &own, occupied, targets, &bonds)
        + knight_moves(cpu, own.knights.without(bonds.pinned), targets)
        + pawn_moves::<T, V>(cpu, &own, foe_all, occupied, &bonds);
    if let Some(castles) = castles {
        for castle in castles {
            let available = castle.available(occupied, danger, bonds.pinned);
            total = total + available.keep_if_zero(bonds.checkers).popcount();
        }
    }
    total
}

/// Moves of rooks, bishops and queens: what is pinned has its axis.
#[inline(always)]
fn slider_moves<V: Vector>(
    cpu: V::Cpu,
    own: &SideSets<V>,
    occupied: V,
    targets: V,
    bonds: &ChecksAndPins<V>,
) -> V {
    let [files, ranks, rising, falling] = bonds.held();
    let sliders = [
        own.rooks.without(files),
        own.rooks.without(ranks),
        own.bishops.without(rising),
        own.bishops.without(falling),
    ];
    let mut total = V::zero(cpu);
    for set in slider_attacks::<V>(cpu, sliders, occupied) {
        total = total + (set & targets).popcount();
    }
    total
}

/// Moves of knights that are not pinned.
#[inline(always)]
fn knight_moves<V: Vector>(cpu: V::Cpu, knights: V, targets: V) -> V {
    let mut total = V::zero(cpu);
    if knights.nonzero() != 0 {
        for (by, entered) in LEAPS {
            total = total + (knights.shift(by) & V::splat(cpu, entered) & targets).popcount();
        }
    }
    total
}

/// Moves of pawns, each promotion as four: a pinned one may stay on its line.
#[inline(always)]
fn pawn_moves<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: &SideSets<V>,
    foe_all: V,
    occupied: V,
    bonds: &ChecksAndPins<V>,
) -> V {
    let empty = !occupied;
    let check_mask = bonds.check_mask;
    let [files, _, rising, falling] = bonds.held();
    let (west_axis, east_axis) = pawn_axes::<T, V>(rising, falling);
    let single = forward::<T, V>(own.pawns.without(files)) & empty;
    let double = forward::<T, V>(single & V::splat(cpu, T::THIRD_RANK.0)) & empty & check_mask;
    let single = single & check_mask;
    let victims = foe_all & check_mask;
    let west = pawn_attacks::<T, V>(cpu, own.pawns.without(west_axis)).0 & victims;
    let east = pawn_attacks::<T, V>(cpu, own.pawns.without(east_axis)).1 & victims;
    // A single push and a double push end on different squares.
    let mut total = (single | double).popcount() + west.popcount() + east.popcount();
    if (own.pawns & V::splat(cpu, T::SEVENTH_RANK.0)).nonzero() != 0 {
        let last = V::splat(cpu, T::LAST_RANK.0);
        let more = (single & last).popcount() + (west & last).popcount() + (east & last).popcount();
        total = total + more + more.shift(1);
    }
    total
}

/// What binds a side: as `movegen::Bonds`, in lanes.
pub struct ChecksAndPins<V> {
    pub checkers: V,
    /// Where a piece other than the king may go: everywhere without a check; with one check onto the checker
    /// or between; nowhere with two.
    pub check_mask: V,
    /// Pinned pieces by axis: files, ranks, a1–h8 lines, a8–h1 lines; and all of them.
    pub pins: [V; 4],
    pub pinned: V,
}

impl<V: Vector> ChecksAndPins<V> {
    /// `attacks` are those of the foe's sliders, through our king.
    #[inline(always)]
    pub fn of<T: Us>(
        cpu: V::Cpu,
        attacks: &Rays<V>,
        own: &SideSets<V>,
        foe: &SideSets<V>,
        occupied: V,
    ) -> Self {
        let none = V::zero(cpu);
        let (own_all, empty) = (own.all(), !occupied);
        let rays = slider_attacks::<V>(cpu, [own.king; 4], occupied);
        let (mut checkers, mut between, mut pins) = (none, none, [none; 4]);
        for_each_direction!(|D| {
            // Between king and slider both have passed; at a lone piece between them both have ended.
            let met = rays[D] & attacks[D ^ 1];
            let sliders = if D < 4 { foe.rooks } else { foe.bishops };
            checkers = checkers | rays[D] & sliders;
            between = between | met & empty;
            pins[D / 2] = pins[D / 2] | met & own_all;
        });
        let (west, east) = pawn_attacks::<T, V>(cpu, own.king);
        let checkers =
            checkers | knight_attacks(cpu, own.king) & foe.knights | (west | east) & foe.pawns;
        let several = checkers & (checkers - V::splat(cpu, 1));
        let check_mask = between | checkers | V::splat(cpu, !0).keep_if_zero(checkers);
        let check_mask = check_mask.keep_if_zero(several.keep_if_nonzero(checkers));
        let [files, ranks, rising, falling] = pins;
        let pinned = (files | ranks) | (rising | falling);
        ChecksAndPins { checkers, check_mask, pins, pinned }
    }

    /// What may not move along each axis, being pinned on another one.
    #[inline(always)]
    pub fn held(&self) -> [V; 4] {
        let [files, ranks, rising, falling] = self.pins;
        let pinned = self.pinned;
        [pinned ^ files, pinned ^ ranks, pinned ^ rising, pinned ^ falling]
    }
}
