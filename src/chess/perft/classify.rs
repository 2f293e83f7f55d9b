//! Divides our moves in the positions of a batch into ordinary ones, which `sums` counts by formula, and special
//! ones, which `special` makes.
//!
//! Every test is done for whole sets and errs on the safe side: a move that might break the formula is special. The
//! sums work for any subset of the legal moves. To make a move special, remove it from the ordinary ones: the special
//! moves are always the remaining legal moves. [`Criteria`] holds the sets of origins and targets that apply to all
//! pieces; then there is one function for each kind of piece. "We" and "they" as in `walk`.

use crate::chess::perft::stages::Context;
use crate::chess::perft::vector::{
    EAST, LanePawnTargets, Rays, Vector, WEST, by_axis, for_each_direction, king_attacks, knight_attacks, leaps,
    pawn_attacks, pawn_axes, pinned_off_axis, ray_attacks, slider_attacks, step, union,
};
use crate::chess::types::{Black, Us, White};

/// Our moves whose replies are counted by formula, as sets of targets.
pub struct OrdinaryMoves<V> {
    /// Sliders by direction.
    pub sliders: Rays<V>,
    /// Knights by leap.
    pub leaps: [V; 8],
    /// Pawns by step: single, double, capture towards the a-file, capture towards the h-file.
    pub pawns: [V; 4],
    pub king: V,
    /// The rook's square after castling.
    pub castles: [V; 2],
    /// Our sliders that may have ordinary moves, by axis, and the squares they attack. The attacks may include more
    /// than the targets in `sliders`.
    pub ordinary_sliders: [V; 4],
    pub slider_rays: Rays<V>,
    /// Pinners for which a formula counts what the pinned piece gains, by direction from their king.
    pub releasing_pinners: Option<Rays<V>>,
}

/// The number of sets. Their order: sliders by direction (0–7), knights by leap (8–15), king (16), pawns by step
/// (17–20: single, double, capture towards the a-file, capture towards the h-file), castling towards the a-file and
/// towards the h-file (21 and 22, as the king's target square).
pub const SETS: usize = 23;
/// The set of king steps, and the first castling set.
pub const KING_STEPS: usize = 16;
pub const CASTLING: usize = 21;

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

/// Our moves that are made to count their replies, except en passant captures and check evasions, which `special`
/// generates.
pub struct SpecialMoves<V> {
    /// Numbered as [`SETS`] says. Empty in lanes that are unused or in check.
    pub sets: [V; SETS],
    /// Promotions by step (straight ahead, towards the a-file, towards the h-file).
    pub promotions: [V; 3],
    /// Double steps after which the en passant capture may be illegal, so that `ep_replies` does not include it.
    pub ep_unclear: V,
    /// The lanes in which we are in check. Those have no moves in these sets.
    pub in_check: u8,
}

/// All our moves except those that `special` generates: en passant captures and check evasions.
pub struct OurMoves<V> {
    pub ordinary: OrdinaryMoves<V>,
    pub special: SpecialMoves<V>,
    /// The number of their en passant captures after our double steps, ordinary or special. No other count includes
    /// them.
    pub ep_replies: V,
}

impl<V: Vector> OurMoves<V> {
    /// Divides our moves.
    #[inline(always)]
    pub fn of(at: Context<V>) -> Self {
        let us = &at.pieces.us;
        let own = OurKing::of(at);
        let criteria = Criteria::of(at, &own);
        let sliders = sliders(at, &own, &criteria);
        let knights = knights(at, &own, &criteria);
        let (king, special_king) = king_steps(at, &own, &criteria);
        let (castles, special_castles) = castling(at, &own, &criteria);
        let pawns = pawns(at, &own, &criteria);
        let (ep_replies, ep_unclear) = en_passant_replies(at, pawns.double_pushes);
        let sets = MoveSets {
            sliders: sliders.special,
            leaps: knights.special,
            king: special_king,
            pawns: pawns.special,
            castles: special_castles,
        };
        OurMoves {
            ordinary: OrdinaryMoves {
                sliders: sliders.ordinary,
                leaps: knights.ordinary,
                pawns: pawns.ordinary,
                king,
                castles,
                ordinary_sliders: by_axis(us.rooks & criteria.ordinary_from, us.bishops & criteria.ordinary_from),
                slider_rays: sliders.rays,
                releasing_pinners: criteria.releasing_pinners,
            },
            special: SpecialMoves {
                sets: sets.by_number(),
                promotions: pawns.promotions,
                ep_unclear,
                in_check: own.check.nonzero(),
            },
            ep_replies,
        }
    }
}

/// Data about our own king.
struct OurKing<V> {
    /// The squares that they attack.
    attacked: V,
    /// The king, if it is in check.
    check: V,
    /// Our pinned pieces by axis, and all of them.
    pins: [V; 4],
    pinned: V,
}

impl<V: Vector> OurKing<V> {
    #[inline(always)]
    fn of(at: Context<V>) -> Self {
        let Context { cpu, pieces, .. } = at;
        let (us, them) = (&pieces.us, &pieces.them);
        let (west, east) = pawn_attacks::<Black, V>(cpu, them.pawns);
        let attacked = union(&pieces.their_attacks)
            | knight_attacks(cpu, them.knights)
            | west
            | east
            | king_attacks(cpu, them.king);
        let rays = slider_attacks::<V>(cpu, [us.king; 4], pieces.occupied);
        let mut pins = [V::zero(cpu); 4];
        for_each_direction!(|D| {
            pins[D / 2] = pins[D / 2] | rays[D] & pieces.their_attacks[D ^ 1] & pieces.ours;
        });
        let [files, ranks, rising, falling] = pins;
        let pinned = (files | ranks) | (rising | falling);
        OurKing { attacked, check: us.king & attacked, pins, pinned }
    }
}

/// Origins and targets that apply to all kinds of pieces.
struct Criteria<V> {
    /// Origins whose moves are all special, and our other pieces.
    special_from: V,
    ordinary_from: V,
    /// Targets that are special for every piece; for bishops and rooks also the squares from which they would give
    /// check or pin.
    special_to: V,
    special_to_for_bishops: V,
    special_to_for_rooks: V,
    /// Squares not occupied by us, in lanes that are in use and not in check.
    not_ours: V,
    /// Our pieces in front of one of their unpinned pawns, or on the target square of its double step.
    pawn_blockers: V,
    /// All our pinners; and those for which a formula counts what the pinned piece gains, by direction from their
    /// king.
    all_pinners: V,
    releasing_pinners: Option<Rays<V>>,
}

impl<V: Vector> Criteria<V> {
    #[inline(always)]
    fn of(at: Context<V>, own: &OurKing<V>) -> Self {
        let Context { cpu, batch, pieces, king, zone, null } = at;
        let (us, them) = (&pieces.us, &pieces.them);
        let seventh = them.pawns & V::splat(cpu, Black::SEVENTH_RANK.0);
        let pawn_blockers = null.push_blockers | null.double_push_blockers;
        let all_pinners = union(&king.pinners);
        let mut releasing = releasing_pinners::<V>(at, all_pinners, pawn_blockers);
        let mut special_pinners = all_pinners;
        if let Some(releasing) = &releasing {
            special_pinners = special_pinners ^ union(releasing);
        }
        let special_from = own.pinned
            | king.discoverers
            | special_pinners
            | zone.special_from
            | null.promotion_targets
            | pawn_blockers & us.king
            | us.pawns & V::splat(cpu, White::SEVENTH_RANK.0);
        let ordinary_from = pieces.ours.without(special_from).keep_if_zero(own.check);
        if let Some(sets) = &mut releasing {
            for_each_direction!(|D| sets[D] = sets[D] & ordinary_from);
        }
        let special_to = king.pin_rays | null.promotion_targets | zone.special_to | seventh | zone.contact;
        Criteria {
            special_from,
            ordinary_from,
            special_to,
            special_to_for_bishops: special_to | king.bishop_check_or_pin,
            special_to_for_rooks: special_to | king.rook_check_or_pin,
            not_ours: (!pieces.ours).keep_if_zero(own.check).mask_lanes(batch.active::<V>()),
            pawn_blockers,
            all_pinners,
            releasing_pinners: releasing,
        }
    }
}

/// Pinners for which `sums::unpinned_moves` counts what the pinned piece gains. They pin a knight, or a pawn on a rank
/// or a diagonal that would not promote; a pinner on a file must not block another pawn. All moves of other pinners are
/// special. By direction from their king; `None` if nothing is pinned.
#[inline(always)]
fn releasing_pinners<V: Vector>(at: Context<V>, all_pinners: V, pawn_blockers: V) -> Option<Rays<V>> {
    let Context { cpu, pieces, king, .. } = at;
    if all_pinners.nonzero() == 0 {
        return None;
    }
    let them = &pieces.them;
    let simple = them.knights | them.pawns.without(V::splat(cpu, Black::SEVENTH_RANK.0));
    let mut releasing = [V::zero(cpu); 8];
    for_each_direction!(|D| {
        let freed = king.pins[D / 2] & king.king_rays[D];
        releasing[D] = if D < 2 {
            king.pinners[D].without(pawn_blockers).keep_if_nonzero(freed & them.knights)
        } else {
            king.pinners[D].keep_if_nonzero(freed & simple)
        };
    });
    Some(releasing)
}

/// Moves of sliders by direction.
struct SliderMoves<V> {
    ordinary: Rays<V>,
    special: Rays<V>,
    /// The attacks of the sliders that may have ordinary moves.
    rays: Rays<V>,
}

#[inline(always)]
fn sliders<V: Vector>(at: Context<V>, own: &OurKing<V>, criteria: &Criteria<V>) -> SliderMoves<V> {
    let Context { cpu, pieces, .. } = at;
    let none = V::zero(cpu);
    let excluded = excluded_rays(at, criteria);
    let for_queens = criteria.special_to_for_bishops | criteria.special_to_for_rooks;
    let mut ordinary = [none; 8];
    let mut rays = [none; 8];
    for_each_direction!(|D| {
        let special_to = if D < 4 { criteria.special_to_for_rooks } else { criteria.special_to_for_bishops };
        let queens = pieces.queen_attacks[D] & for_queens;
        rays[D] = pieces.our_attacks[D].without(excluded[D]);
        ordinary[D] = rays[D].without(pieces.ours | special_to | queens);
    });
    if let Some(releasing) = &criteria.releasing_pinners {
        along_pins::<V>(at, releasing, &mut ordinary);
    }
    let illegal = pinned_rays(at, own);
    let mut special = [none; 8];
    for_each_direction!(|D| {
        special[D] = (pieces.our_attacks[D] & criteria.not_ours).without(ordinary[D] | illegal[D]);
    });
    SliderMoves { ordinary, special, rays }
}

/// Attacks of our sliders that have no ordinary moves on an axis: the sliders outside `ordinary_from`, and on files
/// also the rooks and queens that block a pawn, because they would go on blocking it.
#[inline(always)]
fn excluded_rays<V: Vector>(at: Context<V>, criteria: &Criteria<V>) -> Rays<V> {
    let Context { cpu, pieces, .. } = at;
    let us = &pieces.us;
    let &Criteria { ordinary_from, pawn_blockers, .. } = criteria;
    if (us.rooks | us.bishops).without(ordinary_from.without(pawn_blockers)).nonzero() == 0 {
        return [V::zero(cpu); 8];
    }
    let (rooks, bishops) = (us.rooks.without(ordinary_from), us.bishops.without(ordinary_from));
    let sliders = [rooks | us.rooks & pawn_blockers, rooks, bishops, bishops];
    slider_attacks::<V>(cpu, sliders, pieces.occupied)
}

/// Attacks of our pinned sliders off their pin line. Moves there are illegal.
#[inline(always)]
fn pinned_rays<V: Vector>(at: Context<V>, own: &OurKing<V>) -> Rays<V> {
    let Context { cpu, pieces, .. } = at;
    let us = &pieces.us;
    if (own.pinned & (us.rooks | us.bishops)).nonzero() == 0 {
        return [V::zero(cpu); 8];
    }
    let [files, ranks, rising, falling] = pinned_off_axis(&own.pins);
    let sliders = [us.rooks & files, us.rooks & ranks, us.bishops & rising, us.bishops & falling];
    slider_attacks::<V>(cpu, sliders, pieces.occupied)
}

/// Corrects the ordinary moves of pinners along their pin line. Such a move keeps the pin, so it is ordinary although
/// its target is on a pin line. It stays special if the pinned pawn could capture the pinner, because no sum counts
/// the loss of that capture.
#[inline(always)]
fn along_pins<V: Vector>(at: Context<V>, releasing: &Rays<V>, ordinary: &mut Rays<V>) {
    let Context { cpu, pieces, king, zone, null, .. } = at;
    for_each_direction!(|D| {
        let pinner = releasing[D];
        if pinner.nonzero() != 0 {
            let pawn = king.pins[D / 2] & king.king_rays[D] & pieces.them.pawns;
            let (west, east) = pawn_attacks::<Black, V>(cpu, pawn);
            let pawn_captures = west | east;
            let across = if D < 4 { king.bishop_check_or_pin } else { king.rook_check_or_pin };
            let special_to = null.promotion_targets | zone.special_to | zone.contact;
            let special_to = special_to | across.keep_if_nonzero(pinner & pieces.queens);
            let allowed = pieces.empty.without(special_to).keep_if_zero(pawn_captures & pinner);
            let away = ray_attacks::<D, V>(cpu, pinner, pieces.empty);
            let towards = ray_attacks::<{ D ^ 1 }, V>(cpu, pinner, pieces.empty);
            ordinary[D] = ordinary[D].without(away) | away & allowed;
            ordinary[D ^ 1] = ordinary[D ^ 1] | towards & allowed;
        }
    });
}

/// Moves of knights by leap.
struct KnightMoves<V> {
    ordinary: [V; 8],
    special: [V; 8],
}

#[inline(always)]
fn knights<V: Vector>(at: Context<V>, own: &OurKing<V>, criteria: &Criteria<V>) -> KnightMoves<V> {
    let Context { cpu, pieces, .. } = at;
    let special_to = criteria.special_to | knight_attacks(cpu, pieces.them.king);
    let knights = pieces.us.knights.without(own.pinned);
    let mut ordinary = leaps::<V>(cpu, knights & criteria.ordinary_from);
    let mut special = leaps::<V>(cpu, knights);
    for i in 0..8 {
        ordinary[i] = ordinary[i].without(pieces.ours | special_to);
        special[i] = special[i] & criteria.not_ours & !ordinary[i];
    }
    KnightMoves { ordinary, special }
}

/// Ordinary and special steps of our king.
#[inline(always)]
fn king_steps<V: Vector>(at: Context<V>, own: &OurKing<V>, criteria: &Criteria<V>) -> (V, V) {
    let Context { cpu, pieces, zone, .. } = at;
    let us = &pieces.us;
    let steps = king_attacks(cpu, us.king) & criteria.not_ours & !own.attacked;
    let ordinary = (king_attacks(cpu, us.king & criteria.ordinary_from) & steps)
        .without(criteria.special_to | zone.king_special_to);
    (ordinary, steps.without(ordinary))
}

/// Our castling moves. An ordinary one is stored as the rook's target square, a special one as the king's. Castling
/// is ordinary if no rule about origins or targets applies to any of its four squares; then only the rook's landing
/// changes the replies.
#[inline(always)]
fn castling<V: Vector>(at: Context<V>, own: &OurKing<V>, criteria: &Criteria<V>) -> ([V; 2], [V; 2]) {
    let Context { cpu, batch, pieces, king, zone, .. } = at;
    let none = V::zero(cpu);
    let (mut ordinary, mut special) = ([none; 2], [none; 2]);
    let Some(castling_moves) = &batch.castling_table.load::<White, V>(cpu, pieces.castling) else {
        return (ordinary, special);
    };
    let guards = match &zone.slider_guards {
        Some([nearest, ..]) => union(nearest),
        None => none,
    };
    let special_from = criteria.special_from | criteria.all_pinners | guards;
    let geometries = batch.castling_table.of_side::<White>();
    for i in 0..2 {
        let (castle, geometry) = (&castling_moves[i], &geometries[i]);
        let available = castle
            .available(pieces.occupied, own.attacked, own.pinned)
            .keep_if_zero(own.check)
            .mask_lanes(batch.active::<V>());
        let king_to = V::splat(cpu, geometry.king_to);
        let rook_to = V::splat(cpu, geometry.rook_to);
        let squares = pieces.us.king | king_to | castle.rook | rook_to;
        let changing = squares & special_from
            | (king_to | rook_to) & criteria.special_to
            | king_to & zone.king_special_to
            | rook_to & king.rook_check_or_pin;
        ordinary[i] = rook_to.keep_if_nonzero(available).keep_if_zero(changing);
        special[i] = king_to.keep_if_nonzero(available).keep_if_nonzero(changing);
    }
    (ordinary, special)
}

/// Moves of pawns by step: single, double, capture towards the a-file, capture towards the h-file.
struct PawnMoves<V> {
    ordinary: [V; 4],
    special: [V; 4],
    /// By step: straight ahead, towards the a-file, towards the h-file.
    promotions: [V; 3],
    /// All double steps.
    double_pushes: V,
}

#[inline(always)]
fn pawns<V: Vector>(at: Context<V>, own: &OurKing<V>, criteria: &Criteria<V>) -> PawnMoves<V> {
    let &Criteria { not_ours, .. } = criteria;
    let ordinary = ordinary_pawn_steps::<V>(at, criteria);
    let Context { cpu, pieces, .. } = at;
    let pawns = pieces.us.pawns;
    let [files, _, rising, falling] = pinned_off_axis(&own.pins);
    let (west_axis, east_axis) = pawn_axes::<White, V>(rising, falling);
    let pawns = [pawns.without(files), pawns.without(west_axis), pawns.without(east_axis)];
    let all = LanePawnTargets::of::<White>(cpu, pawns, pieces.empty, pieces.theirs).within(not_ours);
    let last = V::splat(cpu, White::LAST_RANK.0);
    let mut special = [all.single, all.double, all.west, all.east];
    for i in 0..4 {
        special[i] = special[i].without(ordinary[i] | last);
    }
    PawnMoves { ordinary, special, promotions: all.promotions::<White>(cpu), double_pushes: all.double }
}

/// The ordinary pawn moves. The following are excluded: moves along a line on which one of their sliders attacks the
/// pawn; steps of a pawn on the target square of one of their double steps (leaving allows the double step, the step
/// blocks it again); and checks by pawns.
#[inline(always)]
fn ordinary_pawn_steps<V: Vector>(at: Context<V>, criteria: &Criteria<V>) -> [V; 4] {
    let Context { cpu, pieces, null, .. } = at;
    let seen = &null.rays;
    let (west_axis, east_axis) = pawn_axes::<White, V>(seen[4] | seen[5], seen[6] | seen[7]);
    let pawns = pieces.us.pawns & criteria.ordinary_from;
    let pushers = pawns.without(seen[0] | seen[1] | null.double_push_blockers);
    let pawns = [pushers, pawns.without(west_axis), pawns.without(east_axis)];
    let targets = LanePawnTargets::of::<White>(cpu, pawns, pieces.empty, pieces.theirs);
    let (check_west, check_east) = pawn_attacks::<Black, V>(cpu, pieces.them.king);
    let LanePawnTargets { single, double, west, east } =
        targets.within(!(criteria.special_to | check_west | check_east));
    [single, double, west, east]
}

/// The number of en passant captures after our double steps. They are legal unless the capturing pawn is pinned or
/// the double step opens a line to their king. Such unclear double steps are not counted; they are returned as the
/// second value.
#[inline(always)]
fn en_passant_replies<V: Vector>(at: Context<V>, double_pushes: V) -> (V, V) {
    let Context { cpu, pieces, king, .. } = at;
    let pawns = pieces.them.pawns;
    let pinned = king.all_pinned() & pawns;
    let beside_pinned = step::<EAST, V>(cpu, pinned) | step::<WEST, V>(cpu, pinned);
    let opening = king.discoverers.shift(2 * White::FORWARD);
    let unclear = double_pushes & (beside_pinned | opening);
    let clear = double_pushes ^ unclear;
    let captures =
        (step::<EAST, V>(cpu, clear) & pawns).count_parts() + (step::<WEST, V>(cpu, clear) & pawns).count_parts();
    let beside = step::<EAST, V>(cpu, pawns) | step::<WEST, V>(cpu, pawns);
    (captures.sum_parts(), unclear & beside)
}
