//! Their replies to a null move in eight positions, the king's apart, and the sets they are made of.
//!
//! "We" and "they" as in `batch`, which calls this.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{LEAPS, Rays, for_each_direction, slider_attacks};
use crate::chess::perft::simd::fills::{forward, pawn_attacks};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::types::piece::Us;

/// What they could play if we passed. Sets of targets include what stands there, of either side.
pub struct NullReplies<V> {
    /// How many replies there are, the king's apart.
    pub count: V,
    /// Their sliders that may move on a line: files, ranks, a1–h8 lines, a8–h1 lines; and what they attack.
    pub sliders: [V; 4],
    pub rays: Rays<V>,
    /// The leaps of knights that are not pinned.
    pub leaps: Rays<V>,
    /// Pawns that are not pinned, with their steps and the squares they attack on each side.
    pub pawns: V,
    pub single_pushes: V,
    pub double_pushes: V,
    pub west_attacks: V,
    pub east_attacks: V,
    /// Last-rank squares that their unpinned pawns attack or stand before.
    pub promotion_targets: V,
    /// Our pieces that stand push_blockers such a pawn, or where its double_pushes step would end.
    pub push_blockers: V,
    pub double_push_blockers: V,
}

impl<V: Vector> NullReplies<V> {
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, board: &Boards<V>, king: &KingLines<V>) -> Self {
        let &Boards { them, ours, theirs, occupied, empty, .. } = board;
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
            attacks = slider_attacks::<V>(cpu, sliders, occupied);
        }
        let mut count = none;
        for_each_direction!(|D| count = count + attacks[D].without(theirs).popcount());
        let knights = them.knights.without(pinned);
        let mut leaps = [none; 8];
        if knights.nonzero() != 0 {
            for i in 0..8 {
                leaps[i] = knights.shift(LEAPS[i].0) & V::splat(cpu, LEAPS[i].1);
                count = count + leaps[i].without(theirs).popcount();
            }
        }

        let pawns = them.pawns.without(pinned);
        let third = V::splat(cpu, U::Them::THIRD_RANK.0);
        let last = V::splat(cpu, U::Them::LAST_RANK.0);
        let ahead = forward::<U::Them, V>(pawns);
        let single_pushes = ahead & empty;
        let two_ahead = forward::<U::Them, V>(single_pushes & third);
        let double_pushes = two_ahead & empty;
        let (west_attacks, east_attacks) = pawn_attacks::<U::Them, V>(cpu, pawns);
        count = count
            + (single_pushes | double_pushes).popcount()
            + (west_attacks & ours).popcount()
            + (east_attacks & ours).popcount();
        let promotion_targets = (ahead | west_attacks | east_attacks) & last;
        if promotion_targets.nonzero() != 0 {
            let more = (single_pushes & last).popcount()
                + (west_attacks & ours & last).popcount()
                + (east_attacks & ours & last).popcount();
            count = count + more + more.shift(1);
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
            let west_attacks = pawn_attacks::<U::Them, V>(cpu, them.pawns & west_line).0 & ours;
            let east_attacks = pawn_attacks::<U::Them, V>(cpu, them.pawns & east_line).1 & ours;
            let more = ((west_attacks | east_attacks) & last).popcount();
            count = count
                + (steps | jumps).popcount()
                + west_attacks.popcount()
                + east_attacks.popcount();
            count = count + more + more.shift(1);
        }
        NullReplies {
            count,
            sliders,
            rays: attacks,
            leaps,
            pawns,
            single_pushes,
            double_pushes,
            west_attacks,
            east_attacks,
            promotion_targets,
            push_blockers: ahead & ours,
            double_push_blockers: two_ahead & ours,
        }
    }
}
