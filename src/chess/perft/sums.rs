//! The number of replies to ordinary moves in the positions of a batch, summed over all moves together: four sums, one
//! for each kind of change that a move makes.
//!
//! Landing and leaving are dot products of boards of bit-sliced numbers: how many of our moves end (or begin) on each
//! square, and how many replies landing there (or leaving it) gains and loses. The squares that their king needs are
//! counted in the same way, by kind of piece. "We" and "they" as in `walk`. Nothing here deals with special moves.

use crate::chess::perft::classify::OrdinaryMoves;
use crate::chess::perft::stages::Context;
use crate::chess::perft::vector::{
    BitSliced, DELTA, LEAPS, LanePawnTargets, NORTH_EAST, NORTH_WEST, Rays, Vector, by_axis, capture_steps,
    count_nested, count7, for_each_direction, forward, knight_attacks, pawn_attacks, ray_attacks, select,
    slider_attacks, step, sum_over, union,
};
use crate::chess::types::{Black, Us, White};

/// The number of ordinary moves times the replies to a null move, and what landing on their targets changes.
///
/// The number of our moves to each square and the change there are boards of bit-sliced numbers. The sum over all
/// moves is their dot product. In the example in the head of `mod.rs`:
///
/// ```text
///       our moves to a square         replies gained − lost by landing there
///   8   .  .  .  .  .  .  .  .         .  .  .  .  .  .  .  .
///   7   .  .  .  .  .  .  .  .         .  .  .  .  .  .  .  .
///   6   1  .  .  .  .  .  .  .        −1  .  .  .  .  .  .  .      Ba6: allows bxa6, prevents a6 and a5
///   5   .  .  .  .  1  .  1  .         .  .  .  . +1  . −2  .      Nxe5: allows dxe5; Ng5: prevents Qh4 and g5
///   4   2  1  2  2  .  .  1  2         .  .  . +1  .  . −1  .      d4, Nd4: allow exd4; g4: prevents Bh3
///   3   2  1  2  2  .  .  1  1         .  .  .  .  .  .  .  .
///   2   .  .  .  .  3  .  .  .         .  .  .  .  .  .  .  .
///   1   .  .  .  .  .  4  2  .         .  .  .  .  .  .  .  .
///       a  b  c  d  e  f  g  h         a  b  c  d  e  f  g  h      product: −1 + 1 − 2 + 2 − 1 = −1
/// ```
#[inline(always)]
pub fn null_and_landing<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, null, zone, .. } = at;
    let landing = moves_to(cpu, moves);
    let mut number = V::zero(cpu);
    for i in 0..5 {
        number = number + landing.0[i].count_parts().shift(i as i32);
    }
    let [a, b, c, d, e] = landing.0;
    let landed = (a | b | c) | (d | e);
    let gained = gained::<V>(at, landed);
    let lost = lost::<V>(at, landed);
    number.sum_parts().times(null.count + zone.null_king_moves) + landing.dot(cpu, &gained.0)
        - landing.dot(cpu, &lost.0)
}

/// The number of our moves to each square.
#[inline(always)]
pub fn moves_to<V: Vector>(cpu: V::Cpu, moves: &OrdinaryMoves<V>) -> BitSliced<V> {
    let mut landing = BitSliced::zero(cpu);
    let [single, double, west, east] = moves.pawns;
    let [a_castle, h_castle] = moves.castles;
    landing.add(0, moves.sliders);
    landing.add(0, moves.leaps);
    // A pawn does not reach the same square by a single and by a double step.
    let (pushes, none) = (single | double, V::zero(cpu));
    landing.add(0, [pushes, west, east, moves.king, a_castle, h_castle, none, none]);
    landing
}

/// The replies gained by landing on each square: a pawn may capture the piece, or another piece may recapture.
#[inline(always)]
fn gained<V: Vector>(at: Context<V>, landed: V) -> BitSliced<V> {
    let Context { cpu, pieces, null, .. } = at;
    let none = V::zero(cpu);
    let mut gained = BitSliced::zero(cpu);
    let captured = landed & pieces.theirs;
    if captured.nonzero() != 0 {
        gained.add(0, null.rays);
        gained.add(0, null.leaps);
        for plane in &mut gained.0 {
            *plane = *plane & captured;
        }
    }
    // On our own pieces, where nothing lands, the number does not matter.
    gained.add(0, [null.west_attacks, null.east_attacks, none, none, none, none, none, none]);
    gained
}

/// The replies lost by landing on each square: slider moves to the squares behind it and pawn pushes across it. On a
/// square of their pieces, also the moves of that piece.
#[inline(always)]
fn lost<V: Vector>(at: Context<V>, landed: V) -> BitSliced<V> {
    let Context { cpu, pieces, null, .. } = at;
    let theirs = pieces.theirs;
    let mut lost = BitSliced::zero(cpu);
    add_lost_on_axis::<0, 1, V>(at, landed, &mut lost);
    add_lost_on_axis::<2, 3, V>(at, landed, &mut lost);
    add_lost_on_axis::<4, 5, V>(at, landed, &mut lost);
    add_lost_on_axis::<6, 7, V>(at, landed, &mut lost);
    let mut own = [V::zero(cpu); 8];
    for i in 0..8 {
        own[i] = null.leaps[i].without(theirs).shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<Black>();
    let (single, double) = (null.single_pushes, null.double_pushes);
    let before_double = forward::<White, V>(double);
    own[0] = own[0] | forward::<White, V>(single) | single | double;
    own[1] = own[1] | forward::<White, V>(before_double) | before_double;
    own[2] = own[2] | (null.west_attacks & pieces.ours).shift(-west_step);
    own[3] = own[3] | (null.east_attacks & pieces.ours).shift(-east_step);
    lost.add(0, own);
    lost
}

/// Adds the slider moves lost on one axis, which has the directions `THERE` and `BACK`.
#[inline(always)]
fn add_lost_on_axis<const THERE: usize, const BACK: usize, V: Vector>(
    at: Context<V>,
    landed: V,
    lost: &mut BitSliced<V>,
) {
    let Context { cpu, pieces, null, .. } = at;
    let theirs = pieces.theirs;
    let reach = [null.rays[THERE], null.rays[BACK]];
    // Positions in neighbouring lanes are similar, so there may well be nothing here in any of them.
    if (((reach[0] | reach[1]).without(theirs) | null.sliders[THERE / 2]) & landed).nonzero() != 0 {
        lost.add_numbers(
            squares_behind::<THERE, BACK, V>(cpu, reach[0], theirs),
            squares_behind::<BACK, THERE, V>(cpu, reach[1], theirs),
        );
    }
}

/// For each square, the number of squares attacked one after the other behind it in direction `D`, without those of
/// `own` pieces. `attacked` are the attacks in this direction. On a slider's own square this is the number of its
/// moves in that direction.
///
/// ```text
///   rook  .  .  .  our piece       on a rank, to the right: it has four moves there
///    4    3  2  1      0           landing here takes this many away
/// ```
#[inline(always)]
fn squares_behind<const D: usize, const BACK: usize, V: Vector>(cpu: V::Cpu, attacked: V, own: V) -> [V; 3] {
    // Squares with at least one, two and four behind them.
    let one = step::<BACK, V>(cpu, attacked.without(own));
    let two = one & one.shift(-DELTA[D]);
    let four = two & two.shift(-2 * DELTA[D]);
    // From the highest binary digit down: the squares that a digit counts are passed before the next one is found.
    let twos = select(four, two.shift(-4 * DELTA[D]), two);
    let ones = select(four, one.shift(-4 * DELTA[D]), one);
    [select(twos, ones.shift(-2 * DELTA[D]), ones), twos, four]
}

/// What leaving its square changes, for all ordinary moves: the dot product of the number of moves of each of our
/// pieces and the change when it leaves. Moves along a line on which one of their sliders attacks the piece, or on
/// which the piece guards a square, are corrected one axis at a time.
#[inline(always)]
pub fn leaving<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, pieces, null, .. } = at;
    let gains = gains::<V>(at);
    let others = moves_from::<V>(cpu, moves);
    let mut mobility = BitSliced::zero(cpu);
    mobility.add(0, others);
    let [a, b, c, d, e] = gains.0;
    let (captured_west, captured_east) = (null.west_attacks & pieces.ours, null.east_attacks & pieces.ours);
    // Only pieces that move need a number of moves, and of the sliders only those whose leaving changes something.
    let mobile = union(&others) | moves.ordinary_sliders[0] | moves.ordinary_sliders[2];
    let relevant = union(&null.rays) & mobile;
    let relevant = relevant | (a | b | c) | (d | e) | (captured_west | captured_east);
    let mut sum = Leaving { gains, mobility, along: V::zero(cpu) };
    sum.add_axis::<0, 1>(at, moves, mobile, relevant);
    sum.add_axis::<2, 3>(at, moves, mobile, relevant);
    sum.add_axis::<4, 5>(at, moves, mobile, relevant);
    sum.add_axis::<6, 7>(at, moves, mobile, relevant);
    // A pawn of theirs that could have captured the piece no longer can.
    let taken = sum_over(cpu, &sum.mobility.0, captured_west) + sum_over(cpu, &sum.mobility.0, captured_east);
    sum.along + sum.mobility.dot(cpu, &sum.gains.0) - taken + captured_pawns::<V>(at, moves)
}

/// The replies gained when each of our pieces leaves, whatever its target and without slider lines: pawns advance,
/// and the king steps onto a square that the piece guarded.
#[inline(always)]
fn gains<V: Vector>(at: Context<V>) -> BitSliced<V> {
    let Context { cpu, pieces, zone, null, .. } = at;
    let (us, none) = (&pieces.us, V::zero(cpu));
    let mut gains = BitSliced::zero(cpu);
    let third = V::splat(cpu, Black::THIRD_RANK.0);
    let two_steps = null.push_blockers & forward::<White, V>(pieces.empty) & third;
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
    let rising = step::<NORTH_EAST, V>(cpu, rising) & moves.sliders[NORTH_EAST];
    let falling = step::<NORTH_WEST, V>(cpu, falling) & moves.sliders[NORTH_WEST];
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
    fn add_axis<const THERE: usize, const BACK: usize>(
        &mut self,
        at: Context<V>,
        moves: &OrdinaryMoves<V>,
        mobile: V,
        relevant: V,
    ) {
        let Context { cpu, pieces, null, .. } = at;
        let (theirs, empty, none) = (pieces.theirs, pieces.empty, V::zero(cpu));
        let seen = [null.rays[THERE] & mobile, null.rays[BACK] & mobile];
        let mut opened = [[none; 3]; 2];
        if (seen[0] | seen[1]).nonzero() != 0 {
            opened = [
                squares_opened::<THERE, BACK, V>(cpu, seen[0], theirs, empty),
                squares_opened::<BACK, THERE, V>(cpu, seen[1], theirs, empty),
            ];
            self.gains.add_numbers(opened[0], opened[1]);
        }
        let from = moves.ordinary_sliders[THERE / 2] & relevant;
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
    for bit in 0..3 {
        let moves = sum_over(cpu, opened, lengths[0][bit]) + sum_over(cpu, opened, lengths[1][bit]);
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

/// The number of king steps and castling moves that our ordinary moves take away by attacking squares that their king
/// needs. For each kind of piece this is a dot product: the number of our moves to each square times the number of
/// needed squares attacked from there.
#[inline(always)]
pub fn denied_king_moves<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let slides = SlidesByKind::of(at, moves);
    by_rooks(at, moves, &slides.rooks) + by_bishops(at, &slides.bishops) - castles_denied_twice(at, &slides.queens)
        + by_knights(at, moves)
        + by_pawns::<V>(at, moves)
}

/// Ordinary slider moves after which the piece attacks like a rook, like a bishop, and like both (queens).
struct SlidesByKind<V> {
    rooks: Rays<V>,
    bishops: Rays<V>,
    queens: Rays<V>,
}

impl<V: Vector> SlidesByKind<V> {
    #[inline(always)]
    fn of(at: Context<V>, moves: &OrdinaryMoves<V>) -> Self {
        let (mut rooks, mut bishops) = (moves.sliders, moves.sliders);
        let mut queens = [V::zero(at.cpu); 8];
        for_each_direction!(|D| {
            queens[D] = moves.sliders[D] & at.pieces.queen_attacks[D];
            if D < 4 {
                bishops[D] = queens[D];
            } else {
                rooks[D] = queens[D];
            }
        });
        SlidesByKind { rooks, bishops, queens }
    }
}

/// Adds to `views` the squares from which a slider attacks a second and a third safe square behind an empty one on
/// the same line, in the four directions.
#[inline(always)]
fn add_further<const A: usize, const B: usize, const C: usize, const D: usize, V: Vector>(
    at: Context<V>,
    views: &mut BitSliced<V>,
) {
    let Context { cpu, pieces, zone, .. } = at;
    let none = V::zero(cpu);
    let lines = &zone.denied_from.safe_lines;
    let steps = zone.safe_steps & pieces.empty;
    let [mut a, mut b, mut c, mut d] = [lines[A] & steps, lines[B] & steps, lines[C] & steps, lines[D] & steps];
    for _ in 0..2 {
        if ((a | b) | (c | d)).nonzero() == 0 {
            break;
        }
        a = ray_attacks::<A, V>(cpu, a, pieces.empty);
        b = ray_attacks::<B, V>(cpu, b, pieces.empty);
        c = ray_attacks::<C, V>(cpu, c, pieces.empty);
        d = ray_attacks::<D, V>(cpu, d, pieces.empty);
        views.add(0, [a, b, c, d, none, none, none, none]);
        (a, b, c, d) = (a & steps, b & steps, c & steps, d & steps);
    }
}

/// By rooks and queens on ranks and files. Castling moves a rook too.
#[inline(always)]
fn by_rooks<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>, slides: &Rays<V>) -> V {
    let (cpu, denied) = (at.cpu, &at.zone.denied_from);
    let none = V::zero(cpu);
    let [a_castle, h_castle] = moves.castles;
    if ((union(slides) | a_castle | h_castle) & denied.rook).nonzero() == 0 {
        return none;
    }
    let mut landing = BitSliced::zero(cpu);
    landing.add(0, *slides);
    landing.add(0, [a_castle, h_castle, none, none, none, none, none, none]);
    let (lines, [a, h]) = (&denied.safe_lines, denied.rook_to_path);
    let mut views = BitSliced::zero(cpu);
    views.add(0, [lines[0], lines[1], lines[2], lines[3], a, h, none, none]);
    add_further::<0, 1, 2, 3, V>(at, &mut views);
    landing.dot(cpu, &views.0)
}

/// By bishops and queens on diagonals.
#[inline(always)]
fn by_bishops<V: Vector>(at: Context<V>, slides: &Rays<V>) -> V {
    let (cpu, denied) = (at.cpu, &at.zone.denied_from);
    let none = V::zero(cpu);
    if (union(slides) & denied.bishop).nonzero() == 0 {
        return none;
    }
    let mut landing = BitSliced::zero(cpu);
    landing.add(0, *slides);
    let (lines, [a, h]) = (&denied.safe_lines, denied.bishop_to_path);
    let mut views = BitSliced::zero(cpu);
    views.add(0, [lines[4], lines[5], lines[6], lines[7], a, h, none, none]);
    add_further::<4, 5, 6, 7, V>(at, &mut views);
    landing.dot(cpu, &views.0)
}

/// A queen that attacks a castling path both ways prevents castling only once. This is the surplus in the other
/// counts.
#[inline(always)]
fn castles_denied_twice<V: Vector>(at: Context<V>, queens: &Rays<V>) -> V {
    let denied = &at.zone.denied_from;
    let ([a, h], [a_too, h_too]) = (denied.rook_to_path, denied.bishop_to_path);
    let both = [a & a_too, h & h_too];
    let mut sum = V::zero(at.cpu);
    if (union(queens) & (both[0] | both[1])).nonzero() != 0 {
        for &set in queens {
            sum = sum + (set & both[0]).count_parts() + (set & both[1]).count_parts();
        }
    }
    sum.sum_parts()
}

/// By knights.
#[inline(always)]
fn by_knights<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, zone, .. } = at;
    let none = V::zero(cpu);
    let mut sum = none;
    let leaps = union(&moves.leaps);
    if (leaps & zone.denied_from.knight).nonzero() != 0 {
        let mut landing = BitSliced::zero(cpu);
        landing.add(0, moves.leaps);
        let mut steps = [none; 8];
        for i in 0..8 {
            steps[i] = (zone.safe_steps & V::splat(cpu, LEAPS[i].1)).shift(-LEAPS[i].0);
        }
        let mut views = BitSliced::zero(cpu);
        views.add(0, steps);
        let [a_path, h_path] = zone.castling_paths;
        let [a, h] = [knight_attacks(cpu, a_path), knight_attacks(cpu, h_path)];
        views.add(0, [a, h, none, none, none, none, none, none]);
        sum = sum + landing.dot(cpu, &views.0);
    }
    sum
}

/// By pawns.
#[inline(always)]
fn by_pawns<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    let Context { cpu, zone, .. } = at;
    let none = V::zero(cpu);
    let [single, double, west, east] = moves.pawns;
    if ((single | double | west | east) & zone.denied_from.pawn).nonzero() == 0 {
        return none;
    }
    let mut landing = BitSliced::zero(cpu);
    landing.add(0, [single, double, west, east, none, none, none, none]);
    let (safe_west, safe_east) = pawn_attacks::<Black, V>(cpu, zone.safe_steps);
    let (a_west, a_east) = pawn_attacks::<Black, V>(cpu, zone.castling_paths[0]);
    let (h_west, h_east) = pawn_attacks::<Black, V>(cpu, zone.castling_paths[1]);
    let (a, h) = (a_west | a_east, h_west | h_east);
    let mut views = BitSliced::zero(cpu);
    views.add(0, [safe_west, safe_east, a, h, none, none, none, none]);
    landing.dot(cpu, &views.0)
}

/// What pinned pieces of theirs gain when their pinners move off the pin line, summed over all ordinary moves. Only for
/// knights, and for pawns on ranks and diagonals; `classify` decides which moves of pinners are ordinary.
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
    let Context { cpu, pieces, king, .. } = at;
    let (us, them) = (&pieces.us, &pieces.them);
    let sliders = by_axis(pinner & us.rooks, pinner & us.bishops);
    let reach = slider_attacks::<V>(cpu, sliders, pieces.occupied);
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
    let LanePawnTargets { single, double, .. } =
        LanePawnTargets::of::<Black>(cpu, [pawn, none, none], pieces.empty, none);
    let (west, east) = pawn_attacks::<Black, V>(cpu, pawn);
    let pawn_captures = west | east;
    // The moves it gains wherever the pinner goes. The capture of the pinner was possible before.
    let more = leaps.without(pieces.theirs).count_parts()
        + (single | double | pawn_captures & pieces.ours.without(pinner)).count_parts();
    let more = more.sum_parts();
    // The pinner may be captured on its new square, or block the pawn there.
    let taken = (targets & (leaps & pieces.theirs | pawn_captures.without(pieces.ours))).popcount();
    let blocked =
        (targets & (single | double)).count_parts() + (targets & single & forward::<White, V>(double)).count_parts();
    let number = targets.popcount();
    // A move along the line may bring the pinner next to the pawn, which can then capture it.
    let near = ray_attacks::<BACK, V>(cpu, pinner, pieces.empty) & moves.sliders[BACK];
    (near & pawn_captures).popcount() + number.times(more) + taken
        - blocked.sum_parts()
        - number.keep_if_nonzero(pawn_captures & pinner)
}
