//! The legal moves of several positions at once, as sets and as numbers, without branches over pieces and without
//! table look-ups.
//!
//! En passant captures, which are rare, are not included. Castling is included only in the number.

use crate::chess::perft::batch::{CastlingLanes, SideSets};
use crate::chess::perft::geometry::{
    Rays, by_axis, for_each_direction, forward, king_attacks, knight_attacks, leaps, pawn_attacks, pawn_axes,
    slider_attacks, union,
};
use crate::chess::perft::vector::Vector;
use crate::chess::types::Us;

/// Targets of pawns: single steps, double steps, captures towards the a-file and captures towards the h-file.
#[derive(Clone, Copy)]
pub struct LanePawnTargets<V> {
    pub single: V,
    pub double: V,
    pub west: V,
    pub east: V,
}

impl<V: Vector> LanePawnTargets<V> {
    /// For the pawns of `U` that may step, that may capture towards the a-file, and that may capture towards the
    /// h-file.
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, [stepping, to_west, to_east]: [V; 3], empty: V, victims: V) -> Self {
        let single = forward::<U, V>(stepping) & empty;
        LanePawnTargets {
            single,
            double: forward::<U, V>(single & V::splat(cpu, U::THIRD_RANK.0)) & empty,
            west: pawn_attacks::<U, V>(cpu, to_west).0 & victims,
            east: pawn_attacks::<U, V>(cpu, to_east).1 & victims,
        }
    }

    /// The targets in `allowed`.
    #[inline(always)]
    pub fn within(&self, allowed: V) -> Self {
        LanePawnTargets {
            single: self.single & allowed,
            double: self.double & allowed,
            west: self.west & allowed,
            east: self.east & allowed,
        }
    }

    /// Moves to the last rank: straight ahead, towards the a-file, towards the h-file.
    #[inline(always)]
    pub fn promotions<U: Us>(&self, cpu: V::Cpu) -> [V; 3] {
        let last = V::splat(cpu, U::LAST_RANK.0);
        [self.single & last, self.west & last, self.east & last]
    }

    /// The number of moves in parts. A promotion counts as four moves.
    #[inline(always)]
    pub fn count_parts<U: Us>(&self, cpu: V::Cpu) -> V {
        // Single and double steps end on different squares.
        let steps = (self.single | self.double).count_parts();
        let count = steps + self.west.count_parts() + self.east.count_parts();
        let [ahead, west, east] = self.promotions::<U>(cpu);
        if (ahead | west | east).nonzero() == 0 {
            return count;
        }
        // One move of each promotion is already counted.
        let promotions = ahead.count_parts() + west.count_parts() + east.count_parts();
        count + promotions + promotions.shift(1)
    }
}

/// The number of legal moves of `T` in each lane, without en passant captures.
#[inline(always)]
pub fn count_lane_moves<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: &SideSets<V>,
    foe: &SideSets<V>,
    castles: Option<&[CastlingLanes<V>; 2]>,
) -> V {
    let king = KingDanger::of::<T>(cpu, own, foe);
    let legal = LegalSets::of::<T>(cpu, own, foe, &king);
    // A part covers one rank at most, on which at most 64 slider moves, 64 knight moves, 96 pawn moves and 10 king
    // moves end.
    let mut total = king.steps.count_parts() + legal.pawns.count_parts::<T>(cpu);
    for rays in legal.rays {
        total = total + (rays & legal.targets).count_parts();
    }
    if legal.knights.nonzero() != 0 {
        for set in leaps::<V>(cpu, legal.knights) {
            total = total + (set & legal.targets).count_parts();
        }
    }
    if let Some(castles) = castles {
        let occupied = own.all() | foe.all();
        for castle in castles {
            let available = castle.available(occupied, king.danger, legal.pinned);
            total = total + available.keep_if_zero(legal.checkers).count_parts();
        }
    }
    total.sum_parts()
}

/// What the side not to move attacks, and the legal steps of the king.
pub struct KingDanger<V> {
    /// The attacks of its sliders by direction. They pass through our king.
    pub rays: Rays<V>,
    /// All squares that it attacks.
    pub danger: V,
    /// The king's legal steps.
    pub steps: V,
}

impl<V: Vector> KingDanger<V> {
    /// `T` is to move, with the pieces `own`.
    #[inline(always)]
    pub fn of<T: Us>(cpu: V::Cpu, own: &SideSets<V>, foe: &SideSets<V>) -> Self {
        let own_all = own.all();
        let occupied = own_all | foe.all();
        let rays = slider_attacks::<V>(cpu, by_axis(foe.rooks, foe.bishops), occupied ^ own.king);
        let (west, east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
        let danger = union(&rays) | knight_attacks(cpu, foe.knights) | west | east | king_attacks(cpu, foe.king);
        let steps = king_attacks(cpu, own.king).without(own_all | danger);
        KingDanger { rays, danger, steps }
    }
}

/// The legal moves, without the king's.
pub struct LegalSets<V> {
    /// The pieces that give check.
    pub checkers: V,
    /// Pieces that may move only along one line.
    pub pinned: V,
    /// Allowed target squares: never own pieces, and in check only the squares that end the check.
    pub targets: V,
    /// The attacks of sliders along lines on which they may move, by direction. Not restricted to `targets`.
    pub rays: Rays<V>,
    /// Knights that may move.
    pub knights: V,
    pub pawns: LanePawnTargets<V>,
}

impl<V: Vector> LegalSets<V> {
    /// `T` is to move, with the pieces `own`.
    #[inline(always)]
    pub fn of<T: Us>(cpu: V::Cpu, own: &SideSets<V>, foe: &SideSets<V>, king: &KingDanger<V>) -> Self {
        let (own_all, foe_all) = (own.all(), foe.all());
        let occupied = own_all | foe_all;
        let checks = LaneChecks::of::<T>(cpu, &king.rays, own, foe, occupied);
        let check_mask = checks.check_mask;
        let [files, ranks, rising, falling] = pinned_off_axis(&checks.pins);
        let movers = [
            own.rooks.without(files),
            own.rooks.without(ranks),
            own.bishops.without(rising),
            own.bishops.without(falling),
        ];
        let (west_axis, east_axis) = pawn_axes::<T, V>(rising, falling);
        let pawns = own.pawns;
        let pawns = [pawns.without(files), pawns.without(west_axis), pawns.without(east_axis)];
        LegalSets {
            checkers: checks.checkers,
            pinned: checks.pinned,
            targets: check_mask.without(own_all),
            rays: slider_attacks::<V>(cpu, movers, occupied),
            knights: own.knights.without(checks.pinned),
            pawns: LanePawnTargets::of::<T>(cpu, pawns, !occupied, foe_all).within(check_mask),
        }
    }
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

/// The pieces that may not move along each axis (files, ranks, a1–h8 lines, a8–h1 lines), because they are pinned on
/// another one.
#[inline(always)]
pub fn pinned_off_axis<V: Vector>(pins: &[V; 4]) -> [V; 4] {
    let [files, ranks, rising, falling] = *pins;
    let (straight, diagonal) = (files | ranks, rising | falling);
    [ranks | diagonal, files | diagonal, straight | falling, straight | rising]
}
