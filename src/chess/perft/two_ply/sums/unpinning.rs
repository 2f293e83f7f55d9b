//! What a pinned piece of theirs gains when its pinner goes elsewhere.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    by_axis, for_each_direction, forward, knight_attacks, pawn_attacks, ray_attacks, slider_attacks,
};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::types::piece::Us;

/// What a pinned piece gains when its pinner goes elsewhere, for all ordinary moves off the line.
#[inline(always)]
pub fn unpinned_moves<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Boards<V>,
    king: &KingLines<V>,
    moves: &OurMoves<V>,
) -> V {
    let &Boards { us, them, ours, theirs, occupied, empty, .. } = board;
    let mut total = V::zero(cpu);
    let Some(releasing_pinners) = &moves.releasing_pinners else { return total };
    for_each_direction!(|D| {
        let pinner = releasing_pinners[D];
        if pinner.nonzero() != 0 {
            let reach =
                slider_attacks::<V>(cpu, by_axis(pinner & us.rooks, pinner & us.bishops), occupied);
            let mut targets = V::zero(cpu);
            for (d, set) in reach.into_iter().enumerate() {
                if d != D && d != D ^ 1 {
                    targets = targets | set & moves.sliders[d];
                }
            }
            let freed = (king.pinned[D / 2] & king.king_rays[D]).keep_if_nonzero(pinner);
            let leaps = knight_attacks(cpu, freed & them.knights);
            let pawn = freed & them.pawns;
            let third = V::splat(cpu, U::Them::THIRD_RANK.0);
            let single = forward::<U::Them, V>(pawn) & empty;
            let double = forward::<U::Them, V>(single & third) & empty;
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, pawn);
            let prey = west | east;
            // What it can do wherever the pinner goes; it could take the pinner before.
            let more = leaps.without(theirs).popcount()
                + (single | double | prey & ours.without(pinner)).popcount();
            // The pinner's new square may be taken, or be in the way.
            let taken = (targets & (leaps & theirs | prey.without(ours))).popcount();
            let blocked = (targets & (single | double)).popcount()
                + (targets & single & forward::<U, V>(double)).popcount();
            let number = targets.popcount();
            // Along the line it may come next to a pawn, which can take it then.
            let near = ray_attacks::<{ D ^ 1 }, V>(cpu, pinner, empty) & moves.sliders[D ^ 1];
            total = total + (near & prey).popcount();
            total = total + number.times(more) + taken
                - blocked
                - number.keep_if_nonzero(prey & pinner);
        }
    });
    total
}
