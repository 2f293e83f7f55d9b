//! Their replies to a null move in the positions of a batch, without the king's, and the sets they are computed from.
//!
//! "We" and "they" as in `two_ply`.

use crate::chess::perft::lanes::legal_sets::pinned_off_axis;
use crate::chess::perft::lanes::pawns::PawnTargets;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    Rays, for_each_direction, forward, leaps, pawn_attacks, pawn_axes, slider_attacks,
};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::types::{Black, Us};

/// Their replies to a null move. Sets of targets include squares occupied by either side.
pub struct NullReplies<V> {
    /// The number of replies, without the king's.
    pub count: V,
    /// Their sliders that may move on an axis (files, ranks, a1–h8 lines, a8–h1 lines), and their attacks.
    pub sliders: [V; 4],
    pub rays: Rays<V>,
    /// The leaps of unpinned knights.
    pub leaps: [V; 8],
    /// Unpinned pawns, their steps, and the squares they attack on each side.
    pub pawns: V,
    pub single_pushes: V,
    pub double_pushes: V,
    pub west_attacks: V,
    pub east_attacks: V,
    /// Last-rank squares that these pawns attack, or that are directly in front of them.
    pub promotion_targets: V,
    /// Our pieces in front of such a pawn, or on the target square of its double step.
    pub push_blockers: V,
    pub double_push_blockers: V,
}

impl<V: Vector> NullReplies<V> {
    /// Computes the replies.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, board: &Boards<V>, king: &KingLines<V>) -> Self {
        let &Boards { them, ours, empty, .. } = board;
        let (slider_count, sliders, rays) = slider_replies(cpu, board, king);
        let pinned = king.all_pinned();
        let (knight_count, leaps) = knight_replies(cpu, board, them.knights.without(pinned));

        let pawns = them.pawns.without(pinned);
        let targets = PawnTargets::of::<Black>(cpu, [pawns; 3], empty, ours);
        let ahead = forward::<Black, V>(pawns);
        let two_ahead = forward::<Black, V>(targets.single & V::splat(cpu, Black::THIRD_RANK.0));
        let (west_attacks, east_attacks) = pawn_attacks::<Black, V>(cpu, pawns);
        let mut pawn_count = targets.count_parts::<Black>(cpu);
        if (pinned & them.pawns).nonzero() != 0 {
            pawn_count = pawn_count + pinned_pawn_replies::<V>(cpu, board, king);
        }
        NullReplies {
            count: (slider_count + knight_count + pawn_count).sum_parts(),
            sliders,
            rays,
            leaps,
            pawns,
            single_pushes: targets.single,
            double_pushes: targets.double,
            west_attacks,
            east_attacks,
            promotion_targets: (ahead | west_attacks | east_attacks) & V::splat(cpu, Black::LAST_RANK.0),
            push_blockers: ahead & ours,
            double_push_blockers: two_ahead & ours,
        }
    }
}

/// The number of slider moves in parts, the sliders by axis, and their attacks. A pinned slider moves along its pin
/// line.
#[inline(always)]
fn slider_replies<V: Vector>(cpu: V::Cpu, board: &Boards<V>, king: &KingLines<V>) -> (V, [V; 4], Rays<V>) {
    let them = &board.them;
    let pinned = king.all_pinned();
    let [files, ranks, rising, falling] = pinned_off_axis(&king.pins);
    let sliders = [
        them.rooks.without(files),
        them.rooks.without(ranks),
        them.bishops.without(rising),
        them.bishops.without(falling),
    ];
    let mut attacks = board.their_attacks;
    if (pinned & (them.rooks | them.bishops)).nonzero() != 0 {
        attacks = slider_attacks::<V>(cpu, sliders, board.occupied);
    }
    let mut count = V::zero(cpu);
    for_each_direction!(|D| count = count + attacks[D].without(board.theirs).count_parts());
    (count, sliders, attacks)
}

/// The number of moves of the unpinned `knights` in parts, and their leaps.
#[inline(always)]
fn knight_replies<V: Vector>(cpu: V::Cpu, board: &Boards<V>, knights: V) -> (V, [V; 8]) {
    let none = V::zero(cpu);
    if knights.nonzero() == 0 {
        return (none, [none; 8]);
    }
    let (mut count, leaps) = (none, leaps::<V>(cpu, knights));
    for set in leaps {
        count = count + set.without(board.theirs).count_parts();
    }
    (count, leaps)
}

/// The number of moves of their pinned pawns, in parts: pushes along a pin on the file, and captures of the pinner.
#[inline(always)]
fn pinned_pawn_replies<V: Vector>(cpu: V::Cpu, board: &Boards<V>, king: &KingLines<V>) -> V {
    let pawns = board.them.pawns;
    let [files, _, rising, falling] = king.pins;
    let (west_axis, east_axis) = pawn_axes::<Black, V>(rising, falling);
    let movers = [pawns & files, pawns & west_axis, pawns & east_axis];
    PawnTargets::of::<Black>(cpu, movers, board.empty, board.ours).count_parts::<Black>(cpu)
}
