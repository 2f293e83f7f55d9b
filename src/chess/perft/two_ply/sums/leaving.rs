//! What leaving its square changes, for all ordinary moves.
//!
//! The number of moves of each of our pieces and the change when it leaves are boards of bit-sliced numbers. The sum
//! is their dot product. Moves along a line on which one of their sliders attacks the piece, or on which the piece
//! guards a square, are corrected one axis at a time. "We" and "they" as in `two_ply`.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::{BitSliced, count_nested, count7, sum_over};
use crate::chess::perft::simd::fills::{
    DELTA, LEAPS, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, capture_steps, for_each_axis, forward, pawn_attacks,
    step, union,
};
use crate::chess::perft::two_ply::classify::OrdinaryMoves;
use crate::chess::perft::two_ply::context::Context;
use crate::chess::types::{Black, Us, White};

/// The sum of the changes by leaving, for all ordinary moves.
#[inline(always)]
pub fn leaving<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, board, null, .. } = at;
    let gains = gains::<V>(at);
    let others = moves_from::<V>(cpu, moves);
    let mut mobility = BitSliced::zero(cpu);
    mobility.add(0, others);
    let [a, b, c, d, e] = gains.0;
    let (captured_west, captured_east) = (null.west_attacks & board.ours, null.east_attacks & board.ours);
    // Only pieces that move need a number of moves, and of the sliders only those whose leaving changes something.
    let mobile = union(&others) | moves.ordinary_sliders[0] | moves.ordinary_sliders[2];
    let relevant = union(&null.rays) & mobile;
    let relevant = relevant | (a | b | c) | (d | e) | (captured_west | captured_east);
    let mut sum = Leaving { gains, mobility, along: V::zero(cpu) };
    for_each_axis!(|AXIS, THERE, BACK| {
        sum.add_axis::<AXIS, THERE, BACK>(at, moves, mobile, relevant);
    });
    // A pawn of theirs that could have captured the piece no longer can.
    let taken = sum_over(cpu, &sum.mobility.0, captured_west) + sum_over(cpu, &sum.mobility.0, captured_east);
    sum.along + sum.mobility.dot(cpu, &sum.gains.0) - taken + captured_pawns::<V>(at, moves)
}

/// The replies gained when each of our pieces leaves, whatever its target and without slider lines: pawns advance,
/// and the king steps onto a square that the piece guarded.
#[inline(always)]
fn gains<V: Vector>(at: Context<V>) -> BitSliced<V> {
    let Context { cpu, board, zone, null, .. } = at;
    let (us, none) = (&board.us, V::zero(cpu));
    let mut gains = BitSliced::zero(cpu);
    let third = V::splat(cpu, Black::THIRD_RANK.0);
    let two_steps = null.push_blockers & forward::<White, V>(board.empty) & third;
    let one_step = null.push_blockers | null.double_push_blockers;
    gains.add(0, [one_step, two_steps, none, none, none, none, none, none]);
    let guarded = zone.singly_guarded;
    if guarded.nonzero() != 0 {
        let (west, east) = pawn_attacks::<Black, V>(cpu, guarded);
        gains.add(0, [west & us.pawns, east & us.pawns, none, none, none, none, none, none]);
        let mut guards = [none; 8];
        for i in 0..8 {
            let guard = (guarded & V::splat(cpu, LEAPS[i].1)).shift(-LEAPS[i].0);
            guards[i] = guard & us.knights;
        }
        gains.add(0, guards);
    }
    if let Some(guards) = &zone.slider_guards {
        for lines in guards {
            if union(lines).nonzero() != 0 {
                gains.add(0, *lines);
            }
        }
    }
    gains
}

/// The origins of ordinary knight and pawn moves. A square is in as many sets as its piece has moves.
#[inline(always)]
fn moves_from<V: Vector>(cpu: V::Cpu, moves: &OrdinaryMoves<V>) -> [V; 8] {
    let mut from = [V::zero(cpu); 8];
    for i in 0..8 {
        from[i] = moves.leaps[i].shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<White>();
    let [single, double, west, east] = moves.pawns;
    from[0] = from[0] | single.shift(-White::FORWARD);
    from[1] = from[1] | double.shift(-2 * White::FORWARD);
    from[2] = from[2] | west.shift(-west_step);
    from[3] = from[3] | east.shift(-east_step);
    from
}

/// Captures of a pawn that attacked the capturing piece. The sums subtract that pawn's capture twice: as lost by
/// leaving, and with the other moves of the captured pawn. This is the number of such captures.
#[inline(always)]
fn captured_pawns<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, null, .. } = at;
    let [_, _, west, east] = moves.pawns;
    let [_, _, rising, falling] = moves.ordinary_sliders;
    let captures = (west & null.pawns).count_parts() + (east & null.pawns).count_parts();
    let [rising, falling] = if White::FORWARD > 0 {
        [
            step::<NORTH_EAST, V>(cpu, rising) & moves.sliders[NORTH_EAST],
            step::<NORTH_WEST, V>(cpu, falling) & moves.sliders[NORTH_WEST],
        ]
    } else {
        [
            step::<SOUTH_WEST, V>(cpu, rising) & moves.sliders[SOUTH_WEST],
            step::<SOUTH_EAST, V>(cpu, falling) & moves.sliders[SOUTH_EAST],
        ]
    };
    let captures = captures + (rising & null.pawns).count_parts();
    (captures + (falling & null.pawns).count_parts()).sum_parts()
}

/// The sum, built up one axis at a time.
struct Leaving<V> {
    /// The replies gained by leaving each square.
    gains: BitSliced<V>,
    /// The number of ordinary moves of the piece on each square, where it is needed.
    mobility: BitSliced<V>,
    /// Corrections for moves along a line.
    along: V,
}

impl<V: Vector> Leaving<V> {
    /// Adds the squares that their sliders reach behind our pieces on an axis, and the moves of our sliders on it.
    #[inline(always)]
    fn add_axis<const AXIS: usize, const THERE: usize, const BACK: usize>(
        &mut self,
        at: Context<V>,
        moves: &OrdinaryMoves<V>,
        mobile: V,
        relevant: V,
    ) {
        let Context { cpu, board, null, .. } = at;
        let (theirs, empty, none) = (board.theirs, board.empty, V::zero(cpu));
        let seen = [null.rays[THERE] & mobile, null.rays[BACK] & mobile];
        let mut opened = [[none; 3]; 2];
        if (seen[0] | seen[1]).nonzero() != 0 {
            opened = [
                squares_opened::<THERE, BACK, V>(cpu, seen[0], theirs, empty),
                squares_opened::<BACK, THERE, V>(cpu, seen[1], theirs, empty),
            ];
            self.gains.add_numbers(opened[0], opened[1]);
        }
        let from = moves.ordinary_sliders[AXIS] & relevant;
        if from.nonzero() == 0 {
            return;
        }
        let runs = [move_runs::<THERE, BACK, V>(cpu, moves, empty), move_runs::<BACK, THERE, V>(cpu, moves, empty)];
        let mut lengths = [[none; 3]; 2];
        for i in 0..2 {
            let [a, b, c] = count7(&runs[i]);
            lengths[i] = [a & from, b & from, c & from];
        }
        self.mobility.add_numbers(lengths[0], lengths[1]);
        self.along = self.along - still_guarding::<THERE, BACK, V>(at, &lengths, from);
        for i in 0..2 {
            let along = seen[i] & from;
            if along.nonzero() != 0 {
                self.along = self.along + uncovered_along(cpu, &runs[i], along);
                self.along = self.along - counted_along(cpu, &opened[i], &lengths);
            }
        }
    }
}

/// A slider still guards a square after a move along the line to that square, but `gains` counts the square as no
/// longer guarded. This is the number of such moves.
#[inline(always)]
fn still_guarding<const THERE: usize, const BACK: usize, V: Vector>(
    at: Context<V>,
    lengths: &[[V; 3]; 2],
    from: V,
) -> V {
    let Context { cpu, zone, .. } = at;
    let mut sum = V::zero(cpu);
    if let Some(guards) = &zone.slider_guards {
        for lines in guards {
            for set in [lines[THERE] & from, lines[BACK] & from] {
                if set.nonzero() != 0 {
                    sum = sum + sum_over(cpu, &lengths[0], set);
                    sum = sum + sum_over(cpu, &lengths[1], set);
                }
            }
        }
    }
    sum
}

/// Moving away from the slider that attacks it, a piece in `along` gives that slider one more square per step, and
/// nothing else. This is the sum over all such moves.
#[inline(always)]
fn uncovered_along<V: Vector>(cpu: V::Cpu, runs: &[V; 7], along: V) -> V {
    let (mut sum, mut longer) = (V::zero(cpu), V::zero(cpu));
    for &set in runs.iter().rev() {
        longer = longer + (set & along).count_parts();
        sum = sum + longer;
    }
    sum.sum_parts()
}

/// What `gains` counts for moves along the line, where it does not apply.
#[inline(always)]
fn counted_along<V: Vector>(cpu: V::Cpu, opened: &[V; 3], lengths: &[[V; 3]; 2]) -> V {
    let mut sum = V::zero(cpu);
    for (bit, (&a, &b)) in lengths[0].iter().zip(&lengths[1]).enumerate() {
        let moves = sum_over(cpu, opened, a) + sum_over(cpu, opened, b);
        sum = sum + moves.shift(bit as i32);
    }
    sum
}

/// For each square in `seen`, which a slider attacks in direction `D`, the number of squares that the slider could
/// reach behind it if it were empty.
///
/// ```text
///   rook  .  our piece  .  .  their pawn      on a rank, to the right
///                2                            leaving this square gives so many
/// ```
#[inline(always)]
fn squares_opened<const D: usize, const BACK: usize, V: Vector>(cpu: V::Cpu, seen: V, own: V, empty: V) -> [V; 3] {
    let next = step::<BACK, V>(cpu, empty);
    let mut run = [step::<BACK, V>(cpu, !own); 7];
    for k in 1..6 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    run[6] = V::zero(cpu);
    let [a, b, c] = count_nested(&run);
    [a & seen, b & seen, c & seen]
}

/// The ordinary moves of our sliders in direction `D`: set `k` contains a slider's square if the square `k + 1` steps
/// away is a target. Other squares have arbitrary values.
#[inline(always)]
fn move_runs<const D: usize, const BACK: usize, V: Vector>(cpu: V::Cpu, moves: &OrdinaryMoves<V>, empty: V) -> [V; 7] {
    let next = step::<BACK, V>(cpu, moves.slider_rays[D] & empty);
    let mut run = [step::<BACK, V>(cpu, moves.sliders[D]); 7];
    for k in 1..7 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    run
}
