//! What a pinned piece of theirs gains when its pinner moves off the pin line.
//!
//! Only for knights, and for pawns on ranks and diagonals. `classify` decides which moves of pinners are ordinary.
//! "We" and "they" as in `two_ply`.

use crate::chess::perft::lanes::pawns::PawnTargets;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    by_axis, for_each_direction, forward, knight_attacks, pawn_attacks, ray_attacks, slider_attacks,
};
use crate::chess::perft::two_ply::classify::OrdinaryMoves;
use crate::chess::perft::two_ply::context::Context;
use crate::chess::types::{Black, White};

/// The moves that pinned pieces gain, summed over all ordinary moves of their pinners.
#[inline(always)]
pub fn unpinned_moves<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let mut total = V::zero(at.cpu);
    if let Some(pinners) = &moves.releasing_pinners {
        for_each_direction!(|D| {
            if pinners[D].nonzero() != 0 {
                total = total + unpinned_by::<D, { D ^ 1 }, V>(at, moves, pinners[D]);
            }
        });
    }
    total
}

/// The same for pinners in direction `D` from their king. `BACK` is the opposite direction.
#[inline(always)]
fn unpinned_by<const D: usize, const BACK: usize, V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>, pinner: V) -> V {
    let Context { cpu, board, king, .. } = at;
    let (us, them) = (&board.us, &board.them);
    let sliders = by_axis(pinner & us.rooks, pinner & us.bishops);
    let reach = slider_attacks::<V>(cpu, sliders, board.occupied);
    let mut targets = V::zero(cpu);
    for (d, set) in reach.into_iter().enumerate() {
        if d != D && d != BACK {
            targets = targets | set & moves.sliders[d];
        }
    }
    let freed = (king.pins[D / 2] & king.king_rays[D]).keep_if_nonzero(pinner);
    let leaps = knight_attacks(cpu, freed & them.knights);
    let pawn = freed & them.pawns;
    let none = V::zero(cpu);
    let PawnTargets { single, double, .. } = PawnTargets::of::<Black>(cpu, [pawn, none, none], board.empty, none);
    let (west, east) = pawn_attacks::<Black, V>(cpu, pawn);
    let pawn_captures = west | east;
    // The moves it gains wherever the pinner goes. The capture of the pinner was possible before.
    let more = leaps.without(board.theirs).count_parts()
        + (single | double | pawn_captures & board.ours.without(pinner)).count_parts();
    let more = more.sum_parts();
    // The pinner may be captured on its new square, or block the pawn there.
    let taken = (targets & (leaps & board.theirs | pawn_captures.without(board.ours))).popcount();
    let blocked =
        (targets & (single | double)).count_parts() + (targets & single & forward::<White, V>(double)).count_parts();
    let number = targets.popcount();
    // A move along the line may bring the pinner next to the pawn, which can then capture it.
    let near = ray_attacks::<BACK, V>(cpu, pinner, board.empty) & moves.sliders[BACK];
    (near & pawn_captures).popcount() + number.times(more) + taken
        - blocked.sum_parts()
        - number.keep_if_nonzero(pawn_captures & pinner)
}
