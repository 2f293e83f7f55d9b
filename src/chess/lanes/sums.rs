//! The replies to ordinary moves in eight positions, summed for all moves together.
//!
//! "We" and "they" as in `pairs`, which calls this. Nothing here looks at special moves.

use super::answers::Answers;
use super::eight::{forward, pawn_attacks};
use super::offers::Offers;
use super::pairs::Board;
use super::planes::{Planes, depth_of, number_of, weigh};
use super::rays::{
    DELTA, LEAPS, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, for_each_direction, leaps,
    on_lines, rays, step,
};
use super::siege::KingLines;
use super::vector::Vector;
use crate::chess::piece::Us;

/// What a capture towards the a-file and towards the h-file adds to the index of a pawn's square.
#[inline(always)]
fn capture_steps<U: Us>() -> [i32; 2] {
    [U::FORWARD - 1, U::FORWARD + 1]
}

/// All ordinary moves times the replies to a null move, and what landing changes. `king` are the king's
/// replies to a null move.
#[inline(always)]
pub(super) fn moves<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    offers: &Offers<V>,
    answers: &Answers<V>,
    king: V,
) -> V {
    let &Board { ours, theirs, empty, .. } = board;
    let none = V::zero(cpu);

    // How many of our moves land on each square.
    let mut landing = Planes::zero(cpu);
    let [single, double, west, east] = offers.pawns;
    landing.add(0, offers.sliders);
    landing.add(0, offers.leaps);
    landing.add(0, [single, double, west, east, offers.king, none, none, none]);
    let mut number = none;
    for i in 0..5 {
        number = number + landing.0[i].count().shift(i as i32);
    }

    // How many replies landing there adds: pawns may take it, or it is recaptured.
    let mut gained = Planes::zero(cpu);
    let mut recaptures = [none; 8];
    let mut leap_recaptures = [none; 8];
    for i in 0..8 {
        recaptures[i] = answers.rays[i] & theirs;
        leap_recaptures[i] = answers.leaps[i] & theirs;
    }
    let (west, east) = (answers.west.without(ours), answers.east.without(ours));
    gained.add(0, recaptures);
    gained.add(0, leap_recaptures);
    gained.add(0, [west, east, none, none, none, none, none, none]);

    // How many it takes away: what sliders reach beyond it, and pushes; from where something of theirs
    // stands, its own moves.
    let mut lost = Planes::zero(cpu);
    let mut bits = [[none; 8]; 3];
    for_each_direction!(|D| {
        let reach = answers.rays[D].without(theirs);
        // Neighbours in the lanes are much alike, so that all may well have nothing here.
        if reach.nonzero() != 0 {
            let way = answers.rays[D] & empty;
            let start = way | answers.sliders[D / 2];
            let next = step::<{ D ^ 1 }, V>(cpu, way) & start;
            let mut run = [step::<{ D ^ 1 }, V>(cpu, reach) & start; 7];
            for k in 1..7 {
                run[k] = run[k - 1].shift(-DELTA[D]) & next;
            }
            [bits[0][D], bits[1][D], bits[2][D]] = depth_of(&run);
        }
    });
    for (i, sets) in bits.into_iter().enumerate() {
        lost.add(i, sets);
    }
    let mut own = [none; 8];
    for i in 0..8 {
        own[i] = answers.leaps[i].without(theirs).shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<U::Them>();
    let (single, double) = (answers.single, answers.double);
    let before_double = forward::<U, V>(double);
    own[0] = own[0] | forward::<U, V>(single) | single | double;
    own[1] = own[1] | forward::<U, V>(before_double) | before_double;
    own[2] = own[2] | (answers.west & ours).shift(-west_step);
    own[3] = own[3] | (answers.east & ours).shift(-east_step);
    lost.add(0, own);

    number.times(answers.number + king) + landing.dot(cpu, &gained.0) - landing.dot(cpu, &lost.0)
}

/// What leaving its square changes, for all ordinary moves.
#[inline(always)]
pub(super) fn leaving<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    offers: &Offers<V>,
    answers: &Answers<V>,
) -> V {
    let &Board { ours, theirs, empty, .. } = board;
    let none = V::zero(cpu);
    let mut total = none;

    // How many replies leaving adds: sliders look on, pawns advance.
    let mut leaving = Planes::zero(cpu);
    let mut gains = [[none; 8]; 3];
    let mut touched = none;
    for_each_direction!(|D| {
        let seen = answers.rays[D] & ours;
        if seen.nonzero() != 0 {
            touched = touched | seen;
            let next = step::<{ D ^ 1 }, V>(cpu, empty);
            let mut run = [step::<{ D ^ 1 }, V>(cpu, !theirs); 7];
            for k in 1..6 {
                run[k] = run[k - 1].shift(-DELTA[D]) & next;
            }
            run[6] = none;
            let [a, b, c] = depth_of(&run);
            [gains[0][D], gains[1][D], gains[2][D]] = [a & seen, b & seen, c & seen];
        }
    });
    for (i, sets) in gains.into_iter().enumerate() {
        leaving.add(i, sets);
    }
    let third = V::splat(cpu, U::Them::THIRD_RANK.0);
    let twice = answers.before & forward::<U, V>(empty) & third;
    let blocking = answers.before | answers.before_two;
    leaving.add(0, [blocking, twice, none, none, none, none, none, none]);

    // How many moves each of our pieces has that makes a difference by leaving.
    let (hunted_west, hunted_east) = (answers.west & ours, answers.east & ours);
    let [a, b, c, d, e] = leaving.0;
    let touched = touched | (a | b | c) | (d | e) | (hunted_west | hunted_east);
    let mut mobility = Planes::zero(cpu);
    let mut lengths = [[none; 8]; 3];
    for_each_direction!(|D| {
        let from = offers.good_lines[D / 2] & touched;
        if from.nonzero() != 0 {
            let way = offers.good_attacks[D] & empty;
            let start = way | from;
            let next = step::<{ D ^ 1 }, V>(cpu, way) & start;
            let mut run = [step::<{ D ^ 1 }, V>(cpu, offers.sliders[D]) & start; 7];
            for k in 1..7 {
                run[k] = run[k - 1].shift(-DELTA[D]) & next;
            }
            let [a, b, c] = number_of(&run);
            [lengths[0][D], lengths[1][D], lengths[2][D]] = [a & from, b & from, c & from];
            // Away from the slider that looks at it, each step gives it one more square, and no other gain.
            let away = answers.rays[D] & from;
            if away.nonzero() != 0 {
                for (k, set) in run.into_iter().enumerate() {
                    total = total + (set & away).count().times(V::splat(cpu, k as u64 + 1));
                }
            }
        }
    });
    for_each_direction!(|D| {
        let along = answers.rays[D] & offers.good_lines[D / 2];
        if along.nonzero() != 0 {
            // The gain will be counted for moves along the line as well.
            let gain = [gains[0][D], gains[1][D], gains[2][D]];
            for (i, sets) in lengths.iter().enumerate() {
                let moves = weigh(cpu, &gain, sets[D]) + weigh(cpu, &gain, sets[D ^ 1]);
                total = total - moves.shift(i as i32);
            }
        }
    });
    for (i, sets) in lengths.into_iter().enumerate() {
        mobility.add(i, sets);
    }
    let mut others = [none; 8];
    for i in 0..8 {
        others[i] = offers.leaps[i].shift(-LEAPS[i].0);
    }
    let [west_step, east_step] = capture_steps::<U>();
    let [single, double, west, east] = offers.pawns;
    others[0] = others[0] | single.shift(-U::FORWARD);
    others[1] = others[1] | double.shift(-2 * U::FORWARD);
    others[2] = others[2] | west.shift(-west_step);
    others[3] = others[3] | east.shift(-east_step);
    mobility.add(0, others);

    // A pawn that could take it cannot; unless it takes that very pawn, whose own moves are gone anyway.
    let hunted = weigh(cpu, &mobility.0, hunted_west) + weigh(cpu, &mobility.0, hunted_east);
    let mut duels = (west & answers.pawns).count() + (east & answers.pawns).count();
    let [rising, falling] = [offers.good_lines[2], offers.good_lines[3]];
    if U::FORWARD > 0 {
        let near = step::<NORTH_EAST, V>(cpu, rising) & offers.sliders[NORTH_EAST];
        duels = duels + (near & answers.pawns).count();
        let near = step::<NORTH_WEST, V>(cpu, falling) & offers.sliders[NORTH_WEST];
        duels = duels + (near & answers.pawns).count();
    } else {
        let near = step::<SOUTH_WEST, V>(cpu, rising) & offers.sliders[SOUTH_WEST];
        duels = duels + (near & answers.pawns).count();
        let near = step::<SOUTH_EAST, V>(cpu, falling) & offers.sliders[SOUTH_EAST];
        duels = duels + (near & answers.pawns).count();
    }
    total + mobility.dot(cpu, &leaving.0) - hunted + duels
}

/// What a pinned piece gains when its pinner goes elsewhere, for all ordinary moves off the line.
#[inline(always)]
pub(super) fn freeing<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    king: &KingLines<V>,
    offers: &Offers<V>,
) -> V {
    let &Board { us, them, ours, theirs, occupied, empty, .. } = board;
    let mut total = V::zero(cpu);
    for_each_direction!(|D| {
        let pinner = offers.freeing[D];
        if pinner.nonzero() != 0 {
            let reach = rays::<V>(cpu, on_lines(pinner & us.rooks, pinner & us.bishops), occupied);
            let mut targets = V::zero(cpu);
            for (d, set) in reach.into_iter().enumerate() {
                if d != D && d != D ^ 1 {
                    targets = targets | set & offers.sliders[d];
                }
            }
            let freed = (king.pinned[D / 2] & king.near[D]).where_any(pinner);
            let leaps = leaps(cpu, freed & them.knights);
            let pawn = freed & them.pawns;
            let third = V::splat(cpu, U::Them::THIRD_RANK.0);
            let single = forward::<U::Them, V>(pawn) & empty;
            let double = forward::<U::Them, V>(single & third) & empty;
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, pawn);
            let prey = west | east;
            // What it can do wherever the pinner goes; it could take the pinner before.
            let more = leaps.without(theirs).count()
                + (single | double | prey & ours.without(pinner)).count();
            // The pinner's new square may be taken, or be in the way.
            let taken = (targets & (leaps & theirs | prey.without(ours))).count();
            let blocked = (targets & (single | double)).count()
                + (targets & single & forward::<U, V>(double)).count();
            let number = targets.count();
            total = total + number.times(more) + taken - blocked - number.where_any(prey & pinner);
        }
    });
    total
}
