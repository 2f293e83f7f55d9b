//! Their king in eight positions: who bears on it, and where it may go.
//!
//! [`KingLines`] finds pins and what our sliders would need for a check, [`Court`] the king's own replies to a
//! null move and which of our moves might change them. "We" and "they" as in `pairs`, which calls this.

use super::eight::pawn_attacks;
use super::pairs::{Board, Pairs};
use super::rays::{Rays, for_each_direction, leaps, rays, rays_to, ring};
use super::vector::Vector;
use crate::chess::piece::Us;

/// What is known about their king, or found while looking along its lines.
pub(super) struct KingLines<V> {
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
pub(super) struct Court<V> {
    /// The king's replies to a null move.
    pub replies: V,
    /// Targets and origins that make any move special.
    pub to: V,
    pub from: V,
    /// Targets that do so for one kind of piece.
    pub knight_to: V,
    pub bishop_to: V,
    pub rook_to: V,
    pub king_to: V,
    pub pawn_to: V,
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

        // Squares attacked at least once, twice, three times. Two knights count as one, on the safe side.
        let (west, east) = pawn_attacks::<U, V>(cpu, us.pawns);
        let others = [west, east, leaps(cpu, us.knights), ring(cpu, us.king)];
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

        let next = ring(cpu, them.king);
        let steps = next.without(theirs);
        let mut zone = steps;
        let mut replies = steps.without(once).count();
        let (mut to, mut from) = (next, none);
        if let Some(castles) = &castles {
            for castle in castles {
                // One of theirs in the way will stay there, or be replaced by one of ours.
                let rook = castle.rook.where_zero(castle.path & theirs);
                let path = castle.path.where_any(rook);
                to = to | path | rook;
                from = from | path;
                let king_path = castle.king_path.where_zero(path & occupied | rook & straight_pins);
                zone = zone | king_path.where_any(rook);
                replies = replies + castle.ready(occupied, once, straight_pins).count();
            }
        }

        let safe = zone.without(once);
        let weak = zone & once.without(twice);
        let shared = zone & twice.without(thrice);
        let from_safe = rays_to::<V>(cpu, safe, occupied);
        // Lone pieces of ours between a slider and a safe square; only attackers of a weak one.
        for_each_direction!(|D| from = from | from_safe[D ^ 1] & attacks[D] & ours);
        if (weak | shared).nonzero() != 0 {
            let from_weak = rays_to::<V>(cpu, weak, occupied);
            let from_watched = rays_to::<V>(cpu, weak | shared, occupied);
            for_each_direction!(|D| {
                let sliders = if D < 4 { us.rooks } else { us.bishops };
                from = from | from_weak[D] & sliders;
                to = to | from_watched[D ^ 1] & attacks[D] & empty;
            });
        }
        let (watched_west, watched_east) = pawn_attacks::<U::Them, V>(cpu, weak | shared);
        from = from
            | (watched_west | watched_east) & us.pawns
            | leaps(cpu, weak) & us.knights
            | ring(cpu, weak) & us.king;
        let (safe_west, safe_east) = pawn_attacks::<U::Them, V>(cpu, safe);
        Court {
            replies,
            to,
            from,
            knight_to: leaps(cpu, safe),
            bishop_to: from_safe[4] | from_safe[5] | (from_safe[6] | from_safe[7]),
            rook_to: from_safe[0] | from_safe[1] | (from_safe[2] | from_safe[3]),
            king_to: ring(cpu, safe),
            pawn_to: safe_west | safe_east,
        }
    }
}
