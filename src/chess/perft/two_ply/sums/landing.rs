//! The number of ordinary moves times the replies to a null move, and what landing on their targets changes.
//!
//! The number of our moves to each square and the change there are boards of bit-sliced numbers. The sum over all
//! moves is their dot product. In the example of the head of `perft`:
//!
//! ```text
//!       our moves to a square         replies gained − lost by landing there
//!   8   .  .  .  .  .  .  .  .         .  .  .  .  .  .  .  .
//!   7   .  .  .  .  .  .  .  .         .  .  .  .  .  .  .  .
//!   6   1  .  .  .  .  .  .  .        −1  .  .  .  .  .  .  .      Ba6: allows bxa6, prevents a6 and a5
//!   5   .  .  .  .  1  .  1  .         .  .  .  . +1  . −2  .      Nxe5: allows dxe5; Ng5: prevents Qh4 and g5
//!   4   2  1  2  2  .  .  1  2         .  .  . +1  .  . −1  .      d4, Nd4: allow exd4; g4: prevents Bh3
//!   3   2  1  2  2  .  .  1  1         .  .  .  .  .  .  .  .
//!   2   .  .  .  .  3  .  .  .         .  .  .  .  .  .  .  .
//!   1   .  .  .  .  .  4  2  .         .  .  .  .  .  .  .  .
//!       a  b  c  d  e  f  g  h         a  b  c  d  e  f  g  h      product: −1 + 1 − 2 + 2 − 1 = −1
//! ```
//!
//! "We" and "they" as in `two_ply`.

use crate::chess::perft::simd::bit_sliced::BitSliced;
use crate::chess::perft::simd::fills::{DELTA, LEAPS, capture_steps, for_each_axis, forward, step};
use crate::chess::perft::simd::{Vector, select};
use crate::chess::perft::two_ply::classify::OrdinaryMoves;
use crate::chess::perft::two_ply::context::Context;
use crate::chess::types::{Black, White};

/// The number of ordinary moves times the replies to a null move, plus the changes by landing.
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
    let Context { cpu, board, null, .. } = at;
    let none = V::zero(cpu);
    let mut gained = BitSliced::zero(cpu);
    let captured = landed & board.theirs;
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
    let Context { cpu, board, null, .. } = at;
    let theirs = board.theirs;
    let mut lost = BitSliced::zero(cpu);
    for_each_axis!(|AXIS, THERE, BACK| {
        let reach = [null.rays[THERE], null.rays[BACK]];
        // Positions in neighbouring lanes are similar, so there may well be nothing here in any of them.
        let sliders = null.sliders[AXIS];
        if (((reach[0] | reach[1]).without(theirs) | sliders) & landed).nonzero() != 0 {
            lost.add_numbers(
                squares_behind::<THERE, BACK, V>(cpu, reach[0], theirs),
                squares_behind::<BACK, THERE, V>(cpu, reach[1], theirs),
            );
        }
    });
    let mut own = [V::zero(cpu); 8];
    for i in 0..8 {
        own[i] = null.leaps[i].without(theirs).shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<Black>();
    let (single, double) = (null.single_pushes, null.double_pushes);
    let before_double = forward::<White, V>(double);
    own[0] = own[0] | forward::<White, V>(single) | single | double;
    own[1] = own[1] | forward::<White, V>(before_double) | before_double;
    own[2] = own[2] | (null.west_attacks & board.ours).shift(-west_step);
    own[3] = own[3] | (null.east_attacks & board.ours).shift(-east_step);
    lost.add(0, own);
    lost
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
    // Squares with at least so many behind them.
    let one = step::<BACK, V>(cpu, attacked.without(own));
    let two = one & one.shift(-DELTA[D]);
    let four = two & two.shift(-2 * DELTA[D]);
    // From the highest binary digit down: the squares that a digit counts are passed before the next one is found.
    let twos = select(four, two.shift(-4 * DELTA[D]), two);
    let ones = select(four, one.shift(-4 * DELTA[D]), one);
    [select(twos, ones.shift(-2 * DELTA[D]), ones), twos, four]
}
