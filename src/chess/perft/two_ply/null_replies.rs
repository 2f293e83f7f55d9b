//! Their replies to a null move in eight positions, the king's apart, and the sets they are made of.
//!
//! "We" and "they" as in `pairs`, which calls this.

use crate::chess::perft::lanes::legal_count::{forward, pawn_attacks};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{LEAPS, Rays, for_each_direction, rays};
use crate::chess::perft::two_ply::Board;
use crate::chess::perft::two_ply::king_zone::KingLines;
use crate::chess::types::piece::Us;

/// What they could play if we passed. Sets of targets include what stands there, of either side.
pub struct Answers<V> {
    /// How many replies there are, the king's apart.
    pub number: V,
    /// Their sliders that may move on a line: files, ranks, a1–h8 lines, a8–h1 lines; and what they attack.
    pub sliders: [V; 4],
    pub rays: Rays<V>,
    /// The leaps of knights that are not pinned.
    pub leaps: Rays<V>,
    /// Pawns that are not pinned, with their steps and the squares they attack on each side.
    pub pawns: V,
    pub single: V,
    pub double: V,
    pub west: V,
    pub east: V,
    /// Squares next to which a pawn would promote.
    pub promoting: V,
    /// Our pieces that stand before such a pawn, or where its double step would end.
    pub before: V,
    pub before_two: V,
}

impl<V: Vector> Answers<V> {
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, board: &Board<V>, king: &KingLines<V>) -> Self {
        let &Board { them, ours, theirs, occupied, empty, .. } = board;
        let none = V::zero(cpu);
        let [file_pins, rank_pins, rising_pins, falling_pins] = king.pinned;
        let pinned = king.all_pinned();
        // What is pinned has its line.
        let sliders = [
            them.rooks.without(pinned ^ file_pins),
            them.rooks.without(pinned ^ rank_pins),
            them.bishops.without(pinned ^ rising_pins),
            them.bishops.without(pinned ^ falling_pins),
        ];
        let mut attacks = board.their_attacks;
        if (pinned & (them.rooks | them.bishops)).nonzero() != 0 {
            attacks = rays::<V>(cpu, sliders, occupied);
        }
        let mut number = none;
        for_each_direction!(|D| number = number + attacks[D].without(theirs).count());
        let knights = them.knights.without(pinned);
        let mut leaps = [none; 8];
        if knights.nonzero() != 0 {
            for i in 0..8 {
                leaps[i] = knights.shift(LEAPS[i].0) & V::splat(cpu, LEAPS[i].1);
                number = number + leaps[i].without(theirs).count();
            }
        }

        let pawns = them.pawns.without(pinned);
        let third = V::splat(cpu, U::Them::THIRD_RANK.0);
        let last = V::splat(cpu, U::Them::LAST_RANK.0);
        let ahead = forward::<U::Them, V>(pawns);
        let single = ahead & empty;
        let two_ahead = forward::<U::Them, V>(single & third);
        let double = two_ahead & empty;
        let (west, east) = pawn_attacks::<U::Them, V>(cpu, pawns);
        number = number + (single | double).count() + (west & ours).count() + (east & ours).count();
        let promoting = (ahead | west | east) & last;
        if promoting.nonzero() != 0 {
            let more = (single & last).count()
                + (west & ours & last).count()
                + (east & ours & last).count();
            number = number + more + more.shift(1);
        }
        if (pinned & them.pawns).nonzero() != 0 {
            // A pinned pawn may advance on its file, or take what pins it.
            let steps = forward::<U::Them, V>(them.pawns & file_pins) & empty;
            let jumps = forward::<U::Them, V>(steps & third) & empty;
            let (west_line, east_line) = if U::Them::FORWARD > 0 {
                (falling_pins, rising_pins)
            } else {
                (rising_pins, falling_pins)
            };
            let west = pawn_attacks::<U::Them, V>(cpu, them.pawns & west_line).0 & ours;
            let east = pawn_attacks::<U::Them, V>(cpu, them.pawns & east_line).1 & ours;
            let more = ((west | east) & last).count();
            number = number + (steps | jumps).count() + west.count() + east.count();
            number = number + more + more.shift(1);
        }
        Answers {
            number,
            sliders,
            rays: attacks,
            leaps,
            pawns,
            single,
            double,
            west,
            east,
            promoting,
            before: ahead & ours,
            before_two: two_ahead & ours,
        }
    }
}
