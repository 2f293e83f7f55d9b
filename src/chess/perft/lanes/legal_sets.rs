//! The legal moves in eight positions at once, as sets, for whoever wants more than their number.
//!
//! What `legal_count` does for plain counting, before the population counts. Used by statistics. En passant
//! captures, which are rare, are not among the moves; castling is left to the callers, who know the castles of
//! the tree.

use crate::chess::perft::lanes::legal_count::ChecksAndPins;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    Rays, by_axis, forward, king_attacks, knight_attacks, pawn_attacks, pawn_axes, slider_attacks,
    union,
};
use crate::chess::types::piece::Us;

/// What the side that is not to move attacks, and where the king may step.
pub struct KingDanger<V> {
    /// The attacks of its sliders by direction; the king does not hide what is behind it.
    pub rays: Rays<V>,
    /// Everything that it attacks.
    pub danger: V,
    /// The king's legal steps.
    pub steps: V,
}

impl<V: Vector> KingDanger<V> {
    /// `T` is to move with the pieces `own`.
    #[inline(always)]
    pub fn of<T: Us>(cpu: V::Cpu, own: &SideSets<V>, foe: &SideSets<V>) -> Self {
        let own_all = own.all();
        let occupied = own_all | foe.all();
        let rays = slider_attacks::<V>(cpu, by_axis(foe.rooks, foe.bishops), occupied ^ own.king);
        let (west, east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
        let danger = union(&rays)
            | knight_attacks(cpu, foe.knights)
            | west
            | east
            | king_attacks(cpu, foe.king);
        let steps = king_attacks(cpu, own.king).without(own_all | danger);
        KingDanger { rays, danger, steps }
    }
}

/// The legal moves but for the king's.
pub struct LegalSets<V> {
    /// Pieces that give check.
    pub checkers: V,
    /// Pieces that may move along one line only.
    pub pinned: V,
    /// Squares that a piece may move to: in check those that end it, own pieces never.
    pub targets: V,
    /// The squares attacked by sliders along lines that they may move on, by direction; not only `targets`.
    pub rays: Rays<V>,
    /// Knights that may move.
    pub knights: V,
    /// The legal targets of pawns: steps, double steps, captures towards the a-file and the h-file.
    pub single: V,
    pub double: V,
    pub west: V,
    pub east: V,
}

impl<V: Vector> LegalSets<V> {
    /// `T` is to move with the pieces `own`, in danger of `king`.
    #[inline(always)]
    pub fn of<T: Us>(
        cpu: V::Cpu,
        own: &SideSets<V>,
        foe: &SideSets<V>,
        king: &KingDanger<V>,
    ) -> Self {
        let (own_all, foe_all) = (own.all(), foe.all());
        let occupied = own_all | foe_all;
        let empty = !occupied;

        let bonds = ChecksAndPins::of::<T>(cpu, &king.rays, own, foe, occupied);
        let check_mask = bonds.check_mask;
        let [files, ranks, rising, falling] = bonds.held();
        let movers = [
            own.rooks.without(files),
            own.rooks.without(ranks),
            own.bishops.without(rising),
            own.bishops.without(falling),
        ];
        let (west_axis, east_axis) = pawn_axes::<T, V>(rising, falling);
        let single = forward::<T, V>(own.pawns.without(files)) & empty;
        let double = forward::<T, V>(single & V::splat(cpu, T::THIRD_RANK.0)) & empty;
        let victims = foe_all & check_mask;
        LegalSets {
            checkers: bonds.checkers,
            pinned: bonds.pinned,
            targets: check_mask.without(own_all),
            rays: slider_attacks::<V>(cpu, movers, occupied),
            knights: own.knights.without(bonds.pinned),
            single: single & check_mask,
            double: double & check_mask,
            west: pawn_attacks::<T, V>(cpu, own.pawns.without(west_axis)).0 & victims,
            east: pawn_attacks::<T, V>(cpu, own.pawns.without(east_axis)).1 & victims,
        }
    }
}
