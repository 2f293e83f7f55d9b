//! What leaving its square changes, for all ordinary moves.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::{BitSliced, count_nested, count7, sum_over};
use crate::chess::perft::simd::fills::{
    DELTA, LEAPS, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, capture_steps, for_each_axis,
    forward, pawn_attacks, step, union,
};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::king_zone::KingZone;
use crate::chess::perft::two_ply::null_replies::NullReplies;
use crate::chess::types::piece::Us;

/// What leaving its square changes, for all ordinary moves.
#[inline(always)]
pub fn leaving<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Boards<V>,
    moves: &OurMoves<V>,
    null: &NullReplies<V>,
    zone: &KingZone<V>,
) -> V {
    let &Boards { us, ours, theirs, empty, .. } = board;
    let none = V::zero(cpu);
    let mut total = none;

    // How many replies leaving adds: pawns advance, and the king steps where a piece guarded a square.
    let mut leaving = BitSliced::zero(cpu);
    let third = V::splat(cpu, U::Them::THIRD_RANK.0);
    let twice = null.push_blockers & forward::<U, V>(empty) & third;
    let blocking = null.push_blockers | null.double_push_blockers;
    leaving.add(0, [blocking, twice, none, none, none, none, none, none]);
    let guarded = zone.singly_guarded;
    if guarded.nonzero() != 0 {
        let (west, east) = pawn_attacks::<U::Them, V>(cpu, guarded);
        leaving.add(0, [west & us.pawns, east & us.pawns, none, none, none, none, none, none]);
        let mut guards = [none; 8];
        for i in 0..8 {
            let guard = (guarded & V::splat(cpu, LEAPS[i].1)).shift(-LEAPS[i].0);
            guards[i] = guard & us.knights;
        }
        leaving.add(0, guards);
    }
    if let Some(guards) = &zone.slider_guards {
        for lines in guards {
            if union(lines).nonzero() != 0 {
                leaving.add(0, *lines);
            }
        }
    }

    // How many moves each of our pieces has that makes a difference by leaving.
    let (hunted_west, hunted_east) = (null.west_attacks & ours, null.east_attacks & ours);
    let [a, b, c, d, e] = leaving.0;
    let mut others = [none; 8];
    for i in 0..8 {
        others[i] = moves.leaps[i].shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<U>();
    let [single, double, west, east] = moves.pawns;
    others[0] = others[0] | single.shift(-U::FORWARD);
    others[1] = others[1] | double.shift(-2 * U::FORWARD);
    others[2] = others[2] | west.shift(-west_step);
    others[3] = others[3] | east.shift(-east_step);
    let mobile = union(&others) | moves.ordinary_sliders[0] | moves.ordinary_sliders[2];
    let touched = union(&null.rays) & mobile;
    let touched = touched | (a | b | c) | (d | e) | (hunted_west | hunted_east);
    let mut mobility = BitSliced::zero(cpu);
    mobility.add(0, others);
    for_each_axis!(|AXIS, THERE, BACK| {
        // Sliders look on from where a piece leaves.
        let seen = [null.rays[THERE] & mobile, null.rays[BACK] & mobile];
        let mut gains = [[none; 3]; 2];
        if (seen[0] | seen[1]).nonzero() != 0 {
            gains = [
                squares_opened::<THERE, BACK, V>(cpu, seen[0], theirs, empty),
                squares_opened::<BACK, THERE, V>(cpu, seen[1], theirs, empty),
            ];
            leaving.add_numbers(gains[0], gains[1]);
        }
        let from = moves.ordinary_sliders[AXIS] & touched;
        if from.nonzero() != 0 {
            let runs = [
                move_runs::<THERE, BACK, V>(cpu, moves, from, empty),
                move_runs::<BACK, THERE, V>(cpu, moves, from, empty),
            ];
            let mut lengths = [[none; 3]; 2];
            for i in 0..2 {
                let [a, b, c] = count7(&runs[i]);
                lengths[i] = [a & from, b & from, c & from];
            }
            mobility.add_numbers(lengths[0], lengths[1]);
            // A slider guards a square from elsewhere on the line as well.
            if let Some(guards) = &zone.slider_guards {
                for lines in guards {
                    for set in [lines[THERE] & from, lines[BACK] & from] {
                        if set.nonzero() != 0 {
                            total = total - sum_over(cpu, &lengths[0], set);
                            total = total - sum_over(cpu, &lengths[1], set);
                        }
                    }
                }
            }
            for i in 0..2 {
                let along = seen[i] & from;
                if along.nonzero() != 0 {
                    // Away from the slider that looks at it, each step gives it one more square, and no other
                    // gain; but the gain will be counted for moves along the line as well.
                    let mut longer = none;
                    for &set in runs[i].iter().rev() {
                        longer = longer + (set & along).popcount();
                        total = total + longer;
                    }
                    for (bit, (&a, &b)) in lengths[0].iter().zip(&lengths[1]).enumerate() {
                        let moves = sum_over(cpu, &gains[i], a) + sum_over(cpu, &gains[i], b);
                        total = total - moves.shift(bit as i32);
                    }
                }
            }
        }
    });
    // A pawn that could take it cannot; unless it takes that very pawn, whose own moves are gone anyway.
    let hunted = sum_over(cpu, &mobility.0, hunted_west) + sum_over(cpu, &mobility.0, hunted_east);
    let mut duels = (west & null.pawns).popcount() + (east & null.pawns).popcount();
    let [rising, falling] = [moves.ordinary_sliders[2], moves.ordinary_sliders[3]];
    if U::FORWARD > 0 {
        let near = step::<NORTH_EAST, V>(cpu, rising) & moves.sliders[NORTH_EAST];
        duels = duels + (near & null.pawns).popcount();
        let near = step::<NORTH_WEST, V>(cpu, falling) & moves.sliders[NORTH_WEST];
        duels = duels + (near & null.pawns).popcount();
    } else {
        let near = step::<SOUTH_WEST, V>(cpu, rising) & moves.sliders[SOUTH_WEST];
        duels = duels + (near & null.pawns).popcount();
        let near = step::<SOUTH_EAST, V>(cpu, falling) & moves.sliders[SOUTH_EAST];
        duels = duels + (near & null.pawns).popcount();
    }
    total + mobility.dot(cpu, &leaving.0) - hunted + duels
}

/// How many squares a slider that sees the squares `seen` in direction `D` could reach behind each of them
/// if it were empty.
#[inline(always)]
fn squares_opened<const D: usize, const BACK: usize, V: Vector>(
    cpu: V::Cpu,
    seen: V,
    own: V,
    empty: V,
) -> [V; 3] {
    let next = step::<BACK, V>(cpu, empty);
    let mut run = [step::<BACK, V>(cpu, !own); 7];
    for k in 1..6 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    run[6] = V::zero(cpu);
    let [a, b, c] = count_nested(&run);
    [a & seen, b & seen, c & seen]
}

/// For each of our good sliders on `from` the ordinary moves in direction `D`: set `k` is not empty on its
/// square if the square `k + 1` steps away is a target.
#[inline(always)]
fn move_runs<const D: usize, const BACK: usize, V: Vector>(
    cpu: V::Cpu,
    moves: &OurMoves<V>,
    from: V,
    empty: V,
) -> [V; 7] {
    let way = moves.ordinary_attacks[D] & empty;
    let start = way | from;
    let next = step::<BACK, V>(cpu, way) & start;
    let mut run = [step::<BACK, V>(cpu, moves.sliders[D]) & start; 7];
    for k in 1..7 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    run
}
