//! Their king in eight positions: who bears on it, and where it may go.
//!
//! [`KingLines`] finds pins and what our sliders would need for a check, [`Court`] the king's own replies to a
//! null move and which of our moves might change them. "We" and "they" as in `pairs`, which calls this.

use crate::chess::perft::lanes::legal_count::pawn_attacks;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    Rays, for_each_direction, leaps, rays, rays_to, ring, slide, union,
};
use crate::chess::perft::two_ply::{Board, Pairs};
use crate::chess::types::piece::Us;

/// What is known about their king, or found while looking along its lines.
pub struct KingLines<V> {
    /// Our pieces whose leaving gives check or makes a pin, and those that pin.
    pub shields: V,
    pub pinners: Rays<V>,
    /// Their pinned pieces by line, and all squares of pins.
    pub pinned: [V; 4],
    pub pins: V,
    /// What a queen in its place would attack.
    pub near: Rays<V>,
    /// Squares from which a bishop or a rook would give check or pin.
    pub bishop_lines: V,
    pub rook_lines: V,
}

impl<V: Vector> KingLines<V> {
    /// Looks along the lines of their king.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, board: &Board<V>) -> Self {
        let none = V::zero(cpu);
        let &Board { us, ours, theirs, occupied, .. } = board;
        let (king, attacks) = (board.them.king, &board.our_attacks);
        let near = rays::<V>(cpu, [king; 4], occupied);
        // On from the first piece; each line in both directions at once, so the way back has to be taken out.
        let mut first = [none; 4];
        for line in 0..4 {
            first[line] = (near[2 * line] | near[2 * line + 1]) & occupied;
        }
        let far = rays::<V>(cpu, first, occupied);
        let mut found = KingLines {
            shields: none,
            pinners: [none; 8],
            pinned: [none; 4],
            pins: none,
            near,
            bishop_lines: none,
            rook_lines: none,
        };
        for_each_direction!(|D| {
            let sliders = if D < 4 { us.rooks } else { us.bishops };
            let beyond = far[D].without(near[D ^ 1] | king);
            let first_ours = near[D] & ours;
            let first_theirs = near[D] & theirs;
            let pinner = (beyond & sliders).where_any(first_theirs);
            let met = beyond & attacks[D ^ 1];
            found.pinners[D] = pinner;
            found.pinned[D / 2] = found.pinned[D / 2] | first_theirs.where_any(pinner);
            found.pins = found.pins | (near[D] | beyond).where_any(pinner);
            found.shields = found.shields
                | first_ours & attacks[D ^ 1]
                | first_ours.where_any(met & theirs)
                | (met & ours).where_any(first_theirs);
            let line = near[D] | beyond.where_any(first_theirs);
            if D < 4 {
                found.rook_lines = found.rook_lines | line;
            } else {
                found.bishop_lines = found.bishop_lines | line;
            }
        });
        found
    }

    /// All their pinned pieces.
    #[inline(always)]
    pub fn all_pinned(&self) -> V {
        let [files, ranks, rising, falling] = self.pinned;
        (files | ranks) | (rising | falling)
    }
}

/// What the king of the side that replies may do, and our moves that change it.
pub struct Court<V> {
    /// The king's replies to a null move.
    pub replies: V,
    /// Targets and origins that make any move special, but for `next`.
    pub to: V,
    pub from: V,
    /// Squares next to the king where a piece of ours would or might be taken by it, and those of them where
    /// a knight would be: nothing else of ours attacks them.
    pub next: V,
    pub prey: V,
    /// Targets that make a move of our king special.
    pub king_to: V,
    /// Squares to which the king may step, and for each castle those that the king passes, if it may castle.
    pub safe: V,
    pub paths: [V; 2],
    /// The squares from which a rook or bishop attacks a safe square, by direction from there; and those from
    /// which it attacks a path.
    pub safe_lines: Rays<V>,
    pub rook_paths: [V; 2],
    pub bishop_paths: [V; 2],
    /// The squares from which a piece attacks any of these.
    pub rook_to: V,
    pub bishop_to: V,
    pub knight_to: V,
    pub pawn_to: V,
    /// Squares to which the king might step if one knight or pawn or slider, which may leave, were not there;
    /// and those sliders by direction from these squares, with those that guard a second and a third square on
    /// the same line.
    pub guarded: V,
    pub guard_lines: Option<[Rays<V>; 3]>,
}

impl<V: Vector> Court<V> {
    /// Where their king may go, and what of ours bears on that.
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, pairs: &Pairs, board: &Board<V>, king: &KingLines<V>) -> Self {
        let none = V::zero(cpu);
        let castles = pairs.wings.load::<U::Them, V>(cpu, board.castling);
        let &Board { us, them, ours, theirs, occupied, empty, .. } = board;
        let attacks = &board.our_attacks;
        let straight_pins = king.pinned[0] | king.pinned[1];

        // Squares attacked at least once, twice, three times; a third knight does not count.
        let (west, east) = pawn_attacks::<U, V>(cpu, us.pawns);
        let knight = us.knights & (none - us.knights);
        let knights = us.knights ^ knight;
        let third_knight = knights & (knights - V::splat(cpu, 1)).where_any(knights);
        let leaps_of = [leaps(cpu, knight), leaps(cpu, knights)];
        let others = [west, east, leaps_of[0], leaps_of[1], ring(cpu, us.king)];
        let (mut once, mut twice, mut thrice) = (none, none, none);
        for_each_direction!(|D| {
            thrice = thrice | twice & attacks[D];
            twice = twice | once & attacks[D];
            once = once | attacks[D];
        });
        for set in others {
            thrice = thrice | twice & set;
            twice = twice | once & set;
            once = once | set;
        }

        let around = ring(cpu, them.king);
        let next = around.without(theirs & twice);
        let prey = (next & theirs & once).where_zero(third_knight);
        let steps = around.without(theirs);
        let mut zone = steps;
        let mut replies = steps.without(once).count();
        let (mut to, mut from) = (none, none);
        let mut passed = none;
        let mut paths = [none; 2];
        if let Some(castles) = &castles {
            for (i, castle) in castles.iter().enumerate() {
                // One of theirs in the way will stay there, or be replaced by one of ours.
                let rook = castle.rook.where_zero(castle.path & theirs);
                let path = castle.path.where_any(rook);
                to = to | path | rook;
                from = from | path;
                let king_path = castle.king_path.where_zero(path & occupied | rook & straight_pins);
                passed = passed | king_path.where_any(rook);
                let ready = castle.ready(occupied, once, straight_pins);
                replies = replies + ready.count();
                paths[i] = castle.king_path.where_any(ready);
            }
            zone = zone | passed;
        }

        let safe = steps.without(once);
        let weak = zone & once.without(twice);
        let shared = zone & twice.without(thrice);
        let safe_lines = rays_to::<V>(cpu, safe, occupied);
        // Lone pieces of ours between a slider and a safe square; only attackers of a weak one.
        for_each_direction!(|D| from = from | safe_lines[D ^ 1] & attacks[D] & ours);
        let mut rook_to = safe_lines[0] | safe_lines[1] | (safe_lines[2] | safe_lines[3]);
        let mut bishop_to = safe_lines[4] | safe_lines[5] | (safe_lines[6] | safe_lines[7]);
        let mut knight_to = leaps(cpu, safe);
        let (safe_west, safe_east) = pawn_attacks::<U::Them, V>(cpu, safe);
        let mut pawn_to = safe_west | safe_east;
        let (mut rook_paths, mut bishop_paths) = ([none; 2], [none; 2]);
        if (paths[0] | paths[1]).nonzero() != 0 {
            for i in 0..2 {
                let lines = rays_to::<V>(cpu, paths[i], occupied);
                for_each_direction!(|D| from = from | lines[D ^ 1] & attacks[D] & ours);
                rook_paths[i] = lines[0] | lines[1] | (lines[2] | lines[3]);
                bishop_paths[i] = lines[4] | lines[5] | (lines[6] | lines[7]);
                rook_to = rook_to | rook_paths[i];
                bishop_to = bishop_to | bishop_paths[i];
            }
            let both = paths[0] | paths[1];
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, both);
            knight_to = knight_to | leaps(cpu, both);
            pawn_to = pawn_to | west | east;
        }
        let mut guarded = none;
        let mut guard_lines = None;
        if (weak | shared).nonzero() != 0 {
            let from_weak = rays_to::<V>(cpu, weak, occupied);
            let from_watched = rays_to::<V>(cpu, weak | shared, occupied);
            // Off its line no piece but a queen attacks from its target what it attacked before. But the castle
            // may need more than one square, and there may be a slider behind it.
            guarded = weak.without(passed).where_zero(third_knight);
            let open = weak.without(guarded);
            let mut covered = none;
            let mut lines = [none; 8];
            for_each_direction!(|D| {
                to = to | from_watched[D ^ 1] & attacks[D] & empty;
                covered = covered | from_weak[D] & attacks[D ^ 1];
                let guards = from_weak[D] & if D < 4 { us.rooks } else { us.bishops };
                let bound = guards & (board.queens | attacks[D ^ 1]) | guards.where_any(open);
                from = from | bound;
                lines[D] = guards ^ bound;
            });
            if union(&lines).nonzero() != 0 {
                let mut guards = [lines, [none; 8], [none; 8]];
                let mut rays = from_weak;
                for further in &mut guards[1..] {
                    for_each_direction!(|D| rays[D] = rays[D] & guarded & empty);
                    if union(&rays).nonzero() == 0 {
                        break;
                    }
                    for_each_direction!(|D| {
                        rays[D] = slide::<D, V>(cpu, rays[D], empty);
                        further[D] = lines[D] & rays[D];
                    });
                }
                guard_lines = Some(guards);
            }
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, weak);
            let (open_west, open_east) = pawn_attacks::<U::Them, V>(cpu, open);
            let pawns = (west | east) & covered | open_west | open_east;
            let knights = leaps(cpu, weak) & covered | leaps(cpu, open);
            // When it castles, its rook may leave a square as well.
            let kings = ring(cpu, weak | shared);
            from = from | pawns & us.pawns | knights & us.knights | kings & us.king;
        }
        Court {
            replies,
            to,
            from,
            next,
            prey,
            king_to: ring(cpu, safe | paths[0] | paths[1]),
            safe,
            paths,
            safe_lines,
            rook_paths,
            bishop_paths,
            rook_to,
            bishop_to,
            knight_to,
            pawn_to,
            guarded,
            guard_lines,
        }
    }
}
