//! The replies to ordinary moves in eight positions, summed for all moves together.
//!
//! "We" and "they" as in `pairs`, which calls this. Nothing here looks at special moves.

use crate::chess::perft::lanes::legal_count::{forward, pawn_attacks};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::{Planes, depth_of, number_of, weigh};
use crate::chess::perft::simd::fills::{
    DELTA, LEAPS, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, for_each_direction,
    for_each_line, leaps, on_lines, rays, slide, step, union,
};
use crate::chess::perft::two_ply::Board;
use crate::chess::perft::two_ply::classify::Offers;
use crate::chess::perft::two_ply::king_zone::{Court, KingLines};
use crate::chess::perft::two_ply::null_replies::Answers;
use crate::chess::types::piece::Us;

/// What a capture towards the a-file and towards the h-file adds to the index of a pawn's square.
#[inline(always)]
fn capture_steps<U: Us>() -> [i32; 2] {
    [U::FORWARD - 1, U::FORWARD + 1]
}

/// All ordinary moves times the replies to a null move, and what landing changes. `king` are the king's
/// replies to a null move.
#[inline(always)]
pub fn moves<U: Us, V: Vector>(
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
    let [a_castle, h_castle] = offers.castles;
    landing.add(0, offers.sliders);
    landing.add(0, offers.leaps);
    landing.add(0, [single, double, west, east, offers.king, a_castle, h_castle, none]);
    let mut number = none;
    for i in 0..5 {
        number = number + landing.0[i].count().shift(i as i32);
    }

    let [a, b, c, d, e] = landing.0;
    let landed = (a | b | c) | (d | e);

    // How many replies landing there adds: pawns may take it, or it is recaptured.
    let mut gained = Planes::zero(cpu);
    let taken = landed & theirs;
    if taken.nonzero() != 0 {
        let mut recaptures = [none; 8];
        let mut leap_recaptures = [none; 8];
        for i in 0..8 {
            recaptures[i] = answers.rays[i] & taken;
            leap_recaptures[i] = answers.leaps[i] & taken;
        }
        gained.add(0, recaptures);
        gained.add(0, leap_recaptures);
    }
    let (west, east) = (answers.west.without(ours), answers.east.without(ours));
    gained.add(0, [west, east, none, none, none, none, none, none]);

    // How many it takes away: what sliders reach beyond it, and pushes; from where something of theirs
    // stands, its own moves.
    let mut lost = Planes::zero(cpu);
    for_each_line!(|LINE, THERE, BACK| {
        let reach = [answers.rays[THERE], answers.rays[BACK]];
        // Neighbours in the lanes are much alike, so that all may well have nothing here.
        let sliders = answers.sliders[LINE];
        if (((reach[0] | reach[1]).without(theirs) | sliders) & landed).nonzero() != 0 {
            let there = beyond::<THERE, BACK, V>(cpu, reach[0], sliders, theirs, empty);
            lost.add_numbers(
                there,
                beyond::<BACK, THERE, V>(cpu, reach[1], sliders, theirs, empty),
            );
        }
    });
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

/// How many squares `sliders`, which attack `attacked` in direction `D`, can reach behind each square that
/// they attack, itself included.
#[inline(always)]
fn beyond<const D: usize, const BACK: usize, V: Vector>(
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
    depth_of(&run)
}

/// How many squares a slider that sees the squares `seen` in direction `D` could reach behind each of them
/// if it were empty.
#[inline(always)]
fn further<const D: usize, const BACK: usize, V: Vector>(
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
    let [a, b, c] = depth_of(&run);
    [a & seen, b & seen, c & seen]
}

/// For each of our good sliders on `from` the ordinary moves in direction `D`: set `k` is not empty on its
/// square if the square `k + 1` steps away is a target.
#[inline(always)]
fn moves_away<const D: usize, const BACK: usize, V: Vector>(
    cpu: V::Cpu,
    offers: &Offers<V>,
    from: V,
    empty: V,
) -> [V; 7] {
    let way = offers.good_attacks[D] & empty;
    let start = way | from;
    let next = step::<BACK, V>(cpu, way) & start;
    let mut run = [step::<BACK, V>(cpu, offers.sliders[D]) & start; 7];
    for k in 1..7 {
        run[k] = run[k - 1].shift(-DELTA[D]) & next;
    }
    run
}

/// What leaving its square changes, for all ordinary moves.
#[inline(always)]
pub fn leaving<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    offers: &Offers<V>,
    answers: &Answers<V>,
    court: &Court<V>,
) -> V {
    let &Board { us, ours, theirs, empty, .. } = board;
    let none = V::zero(cpu);
    let mut total = none;

    // How many replies leaving adds: pawns advance, and the king steps where a piece guarded a square.
    let mut leaving = Planes::zero(cpu);
    let third = V::splat(cpu, U::Them::THIRD_RANK.0);
    let twice = answers.before & forward::<U, V>(empty) & third;
    let blocking = answers.before | answers.before_two;
    leaving.add(0, [blocking, twice, none, none, none, none, none, none]);
    let guarded = court.guarded;
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
    if let Some(guards) = &court.guard_lines {
        for lines in guards {
            if union(lines).nonzero() != 0 {
                leaving.add(0, *lines);
            }
        }
    }

    // How many moves each of our pieces has that makes a difference by leaving.
    let (hunted_west, hunted_east) = (answers.west & ours, answers.east & ours);
    let [a, b, c, d, e] = leaving.0;
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
    let mobile = union(&others) | offers.good_lines[0] | offers.good_lines[2];
    let touched = union(&answers.rays) & mobile;
    let touched = touched | (a | b | c) | (d | e) | (hunted_west | hunted_east);
    let mut mobility = Planes::zero(cpu);
    mobility.add(0, others);
    for_each_line!(|LINE, THERE, BACK| {
        // Sliders look on from where a piece leaves.
        let seen = [answers.rays[THERE] & mobile, answers.rays[BACK] & mobile];
        let mut gains = [[none; 3]; 2];
        if (seen[0] | seen[1]).nonzero() != 0 {
            gains = [
                further::<THERE, BACK, V>(cpu, seen[0], theirs, empty),
                further::<BACK, THERE, V>(cpu, seen[1], theirs, empty),
            ];
            leaving.add_numbers(gains[0], gains[1]);
        }
        let from = offers.good_lines[LINE] & touched;
        if from.nonzero() != 0 {
            let runs = [
                moves_away::<THERE, BACK, V>(cpu, offers, from, empty),
                moves_away::<BACK, THERE, V>(cpu, offers, from, empty),
            ];
            let mut lengths = [[none; 3]; 2];
            for i in 0..2 {
                let [a, b, c] = number_of(&runs[i]);
                lengths[i] = [a & from, b & from, c & from];
            }
            mobility.add_numbers(lengths[0], lengths[1]);
            // A slider guards a square from elsewhere on the line as well.
            if let Some(guards) = &court.guard_lines {
                for lines in guards {
                    for set in [lines[THERE] & from, lines[BACK] & from] {
                        if set.nonzero() != 0 {
                            total = total - weigh(cpu, &lengths[0], set);
                            total = total - weigh(cpu, &lengths[1], set);
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
                        longer = longer + (set & along).count();
                        total = total + longer;
                    }
                    for (bit, (&a, &b)) in lengths[0].iter().zip(&lengths[1]).enumerate() {
                        let moves = weigh(cpu, &gains[i], a) + weigh(cpu, &gains[i], b);
                        total = total - moves.shift(bit as i32);
                    }
                }
            }
        }
    });
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

/// How many steps and castles our ordinary moves take from their king, by attacking squares that it needs.
#[inline(always)]
pub fn hindering<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    offers: &Offers<V>,
    court: &Court<V>,
) -> V {
    let none = V::zero(cpu);
    let mut total = none;
    let [a_castle, h_castle] = offers.castles;
    let (mut straight, mut diagonal) = (offers.sliders, offers.sliders);
    let mut queens = [none; 8];
    for_each_direction!(|D| {
        queens[D] = offers.sliders[D] & board.queen_attacks[D];
        if D < 4 {
            diagonal[D] = queens[D];
        } else {
            straight[D] = queens[D];
        }
    });
    let lines = &court.safe_lines;
    let steps = court.safe & board.empty;
    // Behind an empty safe square there may be a second one on the same line, and a third one.
    macro_rules! add_further {
        ($views:ident, $($d:literal),*) => {
            let mut nearer = [$(lines[$d] & steps),*];
            for _ in 0..2 {
                let [a, b, c, d] = nearer;
                if ((a | b) | (c | d)).nonzero() == 0 {
                    break;
                }
                let further = [$(slide::<$d, V>(cpu, nearer[$d % 4], board.empty)),*];
                let [a, b, c, d] = further;
                $views.add(0, [a, b, c, d, none, none, none, none]);
                nearer = [a & steps, b & steps, c & steps, d & steps];
            }
        };
    }
    if ((union(&straight) | a_castle | h_castle) & court.rook_to).nonzero() != 0 {
        let [a, h] = court.rook_paths;
        let mut landing = Planes::zero(cpu);
        landing.add(0, straight);
        landing.add(0, [a_castle, h_castle, none, none, none, none, none, none]);
        let mut views = Planes::zero(cpu);
        views.add(0, [lines[0], lines[1], lines[2], lines[3], a, h, none, none]);
        add_further!(views, 0, 1, 2, 3);
        total = total + landing.dot(cpu, &views.0);
    }
    if (union(&diagonal) & court.bishop_to).nonzero() != 0 {
        let [a, h] = court.bishop_paths;
        let mut landing = Planes::zero(cpu);
        landing.add(0, diagonal);
        let mut views = Planes::zero(cpu);
        views.add(0, [lines[4], lines[5], lines[6], lines[7], a, h, none, none]);
        add_further!(views, 4, 5, 6, 7);
        total = total + landing.dot(cpu, &views.0);
    }
    // A queen that attacks a path in both ways hinders the castle once.
    let ([a, h], [a_too, h_too]) = (court.rook_paths, court.bishop_paths);
    let both = [a & a_too, h & h_too];
    if (union(&queens) & (both[0] | both[1])).nonzero() != 0 {
        for set in queens {
            total = total - (set & both[0]).count() - (set & both[1]).count();
        }
    }
    let all_leaps = union(&offers.leaps);
    if (all_leaps & court.knight_to).nonzero() != 0 {
        let mut landing = Planes::zero(cpu);
        landing.add(0, offers.leaps);
        let mut views = Planes::zero(cpu);
        let mut steps = [none; 8];
        for i in 0..8 {
            steps[i] = (court.safe & V::splat(cpu, LEAPS[i].1)).shift(-LEAPS[i].0);
        }
        views.add(0, steps);
        let [a, h] = [leaps(cpu, court.paths[0]), leaps(cpu, court.paths[1])];
        views.add(0, [a, h, none, none, none, none, none, none]);
        total = total + landing.dot(cpu, &views.0);
    }
    // A knight that comes next to the king where nothing else of ours attacks it can be taken.
    if (all_leaps & court.prey).nonzero() != 0 {
        for set in offers.leaps {
            total = total - (set & court.prey).count();
        }
    }
    let [single, double, west, east] = offers.pawns;
    if ((single | double | west | east) & court.pawn_to).nonzero() != 0 {
        let mut landing = Planes::zero(cpu);
        landing.add(0, [single, double, west, east, none, none, none, none]);
        let (safe_west, safe_east) = pawn_attacks::<U::Them, V>(cpu, court.safe);
        let (a_west, a_east) = pawn_attacks::<U::Them, V>(cpu, court.paths[0]);
        let (h_west, h_east) = pawn_attacks::<U::Them, V>(cpu, court.paths[1]);
        let mut views = Planes::zero(cpu);
        let (a, h) = (a_west | a_east, h_west | h_east);
        views.add(0, [safe_west, safe_east, a, h, none, none, none, none]);
        total = total + landing.dot(cpu, &views.0);
    }
    total
}

/// What a pinned piece gains when its pinner goes elsewhere, for all ordinary moves off the line.
#[inline(always)]
pub fn freeing<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Board<V>,
    king: &KingLines<V>,
    offers: &Offers<V>,
) -> V {
    let &Board { us, them, ours, theirs, occupied, empty, .. } = board;
    let mut total = V::zero(cpu);
    let Some(freeing) = &offers.freeing else { return total };
    for_each_direction!(|D| {
        let pinner = freeing[D];
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
            // Along the line it may come next to a pawn, which can take it then.
            let near = slide::<{ D ^ 1 }, V>(cpu, pinner, empty) & offers.sliders[D ^ 1];
            total = total + (near & prey).count();
            total = total + number.times(more) + taken - blocked - number.where_any(prey & pinner);
        }
    });
    total
}
