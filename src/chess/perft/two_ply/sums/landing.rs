//! All ordinary moves times the replies to a null move, and what landing on their targets changes.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::{BitSliced, count_nested};
use crate::chess::perft::simd::fills::{DELTA, LEAPS, capture_steps, for_each_axis, forward, step};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::null_replies::NullReplies;
use crate::chess::types::piece::Us;

/// All ordinary moves times the replies to a null move, and what landing changes. `king` are the king's
/// replies to a null move.
#[inline(always)]
pub fn null_and_landing<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Boards<V>,
    moves: &OurMoves<V>,
    null: &NullReplies<V>,
    king: V,
) -> V {
    let &Boards { ours, theirs, empty, .. } = board;
    let none = V::zero(cpu);

    // How many of our moves land on each square.
    let mut landing = BitSliced::zero(cpu);
    let [single, double, west, east] = moves.pawns;
    let [a_castle, h_castle] = moves.castles;
    landing.add(0, moves.sliders);
    landing.add(0, moves.leaps);
    landing.add(0, [single, double, west, east, moves.king, a_castle, h_castle, none]);
    let mut number = none;
    for i in 0..5 {
        number = number + landing.0[i].popcount().shift(i as i32);
    }

    let [a, b, c, d, e] = landing.0;
    let landed = (a | b | c) | (d | e);

    // How many replies landing there adds: pawns may take it, or it is recaptured.
    let mut gained = BitSliced::zero(cpu);
    let taken = landed & theirs;
    if taken.nonzero() != 0 {
        let mut recaptures = [none; 8];
        let mut leap_recaptures = [none; 8];
        for i in 0..8 {
            recaptures[i] = null.rays[i] & taken;
            leap_recaptures[i] = null.leaps[i] & taken;
        }
        gained.add(0, recaptures);
        gained.add(0, leap_recaptures);
    }
    let (west, east) = (null.west_attacks.without(ours), null.east_attacks.without(ours));
    gained.add(0, [west, east, none, none, none, none, none, none]);

    // How many it takes away: what sliders reach beyond it, and pushes; from where something of theirs
    // stands, its own moves.
    let mut lost = BitSliced::zero(cpu);
    for_each_axis!(|AXIS, THERE, BACK| {
        let reach = [null.rays[THERE], null.rays[BACK]];
        // Neighbours in the lanes are much alike, so that all may well have nothing here.
        let sliders = null.sliders[AXIS];
        if (((reach[0] | reach[1]).without(theirs) | sliders) & landed).nonzero() != 0 {
            let there = squares_behind::<THERE, BACK, V>(cpu, reach[0], sliders, theirs, empty);
            lost.add_numbers(
                there,
                squares_behind::<BACK, THERE, V>(cpu, reach[1], sliders, theirs, empty),
            );
        }
    });
    let mut own = [none; 8];
    for i in 0..8 {
        own[i] = null.leaps[i].without(theirs).shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<U::Them>();
    let (single, double) = (null.single_pushes, null.double_pushes);
    let before_double = forward::<U, V>(double);
    own[0] = own[0] | forward::<U, V>(single) | single | double;
    own[1] = own[1] | forward::<U, V>(before_double) | before_double;
    own[2] = own[2] | (null.west_attacks & ours).shift(-west_step);
    own[3] = own[3] | (null.east_attacks & ours).shift(-east_step);
    lost.add(0, own);

    number.times(null.count + king) + landing.dot(cpu, &gained.0) - landing.dot(cpu, &lost.0)
}

/// How many squares `sliders`, which attack `attacked` in direction `D`, can reach behind each square that
/// they attack, itself included.
#[inline(always)]
fn squares_behind<const D: usize, const BACK: usize, V: Vector>(
    cpu: V::Cpu,
    attacked: V,
    sliders: V,
    own: V,
    empty: V,
) -> [V; 3] {
    let way = attacked & empty;
    let start = way | sliders;
    let next = step::<BACK, V>(cpu, way) & start;
    let mut run = [step::<BACK, V>(cpu, attacked.without(own)) & start; 7];
    for k in 1..7 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    count_nested(&run)
}
