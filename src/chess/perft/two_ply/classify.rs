//! Our moves in eight positions, divided into ordinary and special ones.
//!
//! A piece is *ordinary_from* if its moves may be ordinary, by where they go; all moves of the others are special.
//! "We" and "they" as in `batch`, which calls this.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    EAST, LEAPS, Rays, WEST, by_axis, for_each_direction, king_attacks, knight_attacks,
    ray_attacks, slider_attacks, step, union,
};
use crate::chess::perft::simd::fills::{forward, pawn_attacks};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::perft::two_ply::king_zone::KingZone;
use crate::chess::perft::two_ply::move_sets::{CASTLES, KING, KNIGHTS, PAWNS, SETS};
use crate::chess::perft::two_ply::null_replies::NullReplies;
use crate::chess::types::piece::Us;

/// Our moves, as sets of targets.
pub struct OurMoves<V> {
    /// Ordinary moves of sliders by direction, of knights by leap, of pawns by step (single, double, towards
    /// the a-file, towards the h-file), and of the king; and where the rook stands after castling.
    pub sliders: Rays<V>,
    pub leaps: [V; 8],
    pub pawns: [V; 4],
    pub king: V,
    pub castles: [V; 2],
    /// Good sliders by line, and what they attack.
    pub ordinary_sliders: [V; 4],
    pub ordinary_attacks: Rays<V>,
    /// Good sliders that pin a piece which can be set free by a formula, by direction from their king.
    pub releasing_pinners: Option<Rays<V>>,
    /// Promotions by step (ahead, towards the a-file, towards the h-file).
    pub promotions: [V; 3],
    /// The number of their en passant ep_replies after our double steps, but for these steps.
    pub ep_replies: V,
    pub ep_unclear: V,
    /// The lanes in which we are in check and have no moves here at all.
    pub in_check: u8,
}

impl<V: Vector> OurMoves<V> {
    #[inline(always)]
    pub fn of<U: Us>(
        cpu: V::Cpu,
        batch: &Batch,
        board: &Boards<V>,
        king: &KingLines<V>,
        zone: &KingZone<V>,
        null: &NullReplies<V>,
        special: &mut [V; SETS],
    ) -> Self {
        let &Boards { us, them, ours, theirs, occupied, empty, queens, .. } = board;
        let none = V::zero(cpu);

        // Our king.
        let (their_west, their_east) = pawn_attacks::<U::Them, V>(cpu, them.pawns);
        let attacked = union(&board.their_attacks)
            | knight_attacks(cpu, them.knights)
            | their_west
            | their_east
            | king_attacks(cpu, them.king);
        let check = us.king & attacked;
        let lines = slider_attacks::<V>(cpu, [us.king; 4], occupied);
        let mut pins = [none; 4];
        for_each_direction!(
            |D| pins[D / 2] = pins[D / 2] | lines[D] & board.their_attacks[D ^ 1] & ours
        );
        let [file_pins, rank_pins, rising_pins, falling_pins] = pins;
        let pinned = (file_pins | rank_pins) | (rising_pins | falling_pins);

        // Who pins a knight, or a pawn that it does not stand before, sets it free by going elsewhere, and
        // `sums` can tell what that gives. Who pins anything else is special.
        let blocking = null.push_blockers | null.double_push_blockers;
        let simple = them.knights | them.pawns.without(V::splat(cpu, U::Them::SEVENTH_RANK.0));
        let all_pinners = union(&king.pinners);
        let mut pinners = all_pinners;
        let mut releasing_pinners = None;
        if pinners.nonzero() != 0 {
            let mut simple_pinners = [none; 8];
            for_each_direction!(|D| {
                let freed = king.pinned[D / 2] & king.king_rays[D];
                simple_pinners[D] = if D < 2 {
                    king.pinners[D].without(blocking).keep_if_nonzero(freed & them.knights)
                } else {
                    king.pinners[D].keep_if_nonzero(freed & simple)
                };
            });
            pinners = pinners ^ union(&simple_pinners);
            releasing_pinners = Some(simple_pinners);
        }

        // Origins and targets that make a move special.
        let special_from = pinned
            | king.discoverers
            | pinners
            | zone.special_from
            | null.promotion_targets
            | blocking & us.king
            | us.pawns & V::splat(cpu, U::SEVENTH_RANK.0);
        let ordinary_from = ours.without(special_from).keep_if_zero(check);
        if let Some(releasing_pinners) = &mut releasing_pinners {
            for_each_direction!(|D| releasing_pinners[D] = releasing_pinners[D] & ordinary_from);
        }
        let seventh = them.pawns & V::splat(cpu, U::Them::SEVENTH_RANK.0);
        let apart = king.pin_rays | null.promotion_targets | zone.special_to | seventh;
        let to = apart | zone.contact;
        let bishop_special = to | king.bishop_check_or_pin;
        let rook_special = to | king.rook_check_or_pin;
        let queen_special = bishop_special | rook_special;
        let active = batch.active();
        let legal_to = (!ours).keep_if_zero(check).mask_lanes(active);

        // Sliders. If one stands before a pawn, its moves along the file are special.
        let mut other = [none; 8];
        if (us.rooks | us.bishops).without(ordinary_from.without(blocking)).nonzero() != 0 {
            let (rooks, bishops) =
                (us.rooks.without(ordinary_from), us.bishops.without(ordinary_from));
            let lines = [rooks | us.rooks & blocking, rooks, bishops, bishops];
            other = slider_attacks::<V>(cpu, lines, occupied);
        }
        let mut sliders = [none; 8];
        let mut ordinary_attacks = [none; 8];
        for_each_direction!(|D| {
            let plain_special = if D < 4 { rook_special } else { bishop_special };
            let queens = board.queen_attacks[D] & queen_special;
            ordinary_attacks[D] = board.our_attacks[D].without(other[D]);
            sliders[D] = ordinary_attacks[D].without(ours | plain_special | queens);
        });
        if let Some(releasing_pinners) = &releasing_pinners {
            for_each_direction!(|D| {
                let pinner = releasing_pinners[D];
                if pinner.nonzero() != 0 {
                    // Along its line the pin stays; but a pawn beside its pinner could take it before.
                    let pawn = king.pinned[D / 2] & king.king_rays[D] & them.pawns;
                    let (west, east) = pawn_attacks::<U::Them, V>(cpu, pawn);
                    let prey = west | east;
                    let cross =
                        if D < 4 { king.bishop_check_or_pin } else { king.rook_check_or_pin };
                    let stop = null.promotion_targets | zone.special_to | zone.contact;
                    let stop = stop | cross.keep_if_nonzero(pinner & queens);
                    let allowed = empty.without(stop).keep_if_zero(prey & pinner);
                    let away = ray_attacks::<D, V>(cpu, pinner, empty);
                    let towards = ray_attacks::<{ D ^ 1 }, V>(cpu, pinner, empty);
                    sliders[D] = sliders[D].without(away) | away & allowed;
                    sliders[D ^ 1] = sliders[D ^ 1] | towards & allowed;
                }
            });
        }
        let mut held = [none; 8];
        if (pinned & (us.rooks | us.bishops)).nonzero() != 0 {
            // What is pinned has its line.
            let [files, ranks] = [pinned ^ file_pins, pinned ^ rank_pins];
            let [rising, falling] = [pinned ^ rising_pins, pinned ^ falling_pins];
            let [files, ranks] = [us.rooks & files, us.rooks & ranks];
            let lines = [files, ranks, us.bishops & rising, us.bishops & falling];
            held = slider_attacks::<V>(cpu, lines, occupied);
        }
        for_each_direction!(|D| {
            special[D] = (board.our_attacks[D] & legal_to).without(sliders[D] | held[D]);
        });

        // Knights.
        let knight_special =
            apart | zone.contact.without(zone.lone_capture) | knight_attacks(cpu, them.king);
        let knights = us.knights.without(pinned);
        let mut our_leaps = [none; 8];
        for i in 0..8 {
            let entered = V::splat(cpu, LEAPS[i].1);
            let leap = (knights & ordinary_from).shift(LEAPS[i].0) & entered;
            our_leaps[i] = leap.without(ours | knight_special);
            let all = knights.shift(LEAPS[i].0) & entered;
            special[KNIGHTS + i] = all & legal_to & !our_leaps[i];
        }

        // King.
        let steps = king_attacks(cpu, us.king) & legal_to & !attacked;
        let our_king =
            (king_attacks(cpu, us.king & ordinary_from) & steps).without(to | zone.king_special_to);
        special[KING] = steps.without(our_king);
        let mut castles = [none; 2];
        if let Some(castling_table) = &batch.castling_table.load::<U, V>(cpu, board.castling) {
            let guards = match &zone.slider_guards {
                Some([lines, ..]) => union(lines),
                None => none,
            };
            for (i, (castle, geometry)) in
                castling_table.iter().zip(batch.castling_table.of_side::<U>()).enumerate()
            {
                let ready = castle
                    .available(occupied, attacked, pinned)
                    .keep_if_zero(check)
                    .mask_lanes(active);
                // Where nothing of theirs looks at, it is as if a rook had come from nowhere.
                let king_to = V::splat(cpu, geometry.king_to);
                let rook_to = V::splat(cpu, geometry.rook_to);
                let squares = us.king | king_to | castle.rook | rook_to;
                let changing = squares & (special_from | all_pinners | guards)
                    | (castle.rook | rook_to) & attacked
                    | (king_to | rook_to) & to
                    | king_to & zone.king_special_to
                    | rook_to & king.rook_check_or_pin;
                castles[i] = rook_to.keep_if_nonzero(ready).keep_if_zero(changing);
                special[CASTLES + i] = king_to.keep_if_nonzero(ready).keep_if_nonzero(changing);
            }
        }

        // Pawns. Those that would move along the line on which a slider looks at them are special, and a step
        // that takes away from theirs the double step that leaving would give it.
        let seen = &null.rays;
        let push_line = seen[0] | seen[1];
        let (west_line, east_line) = if U::FORWARD > 0 {
            (seen[6] | seen[7], seen[4] | seen[5])
        } else {
            (seen[4] | seen[5], seen[6] | seen[7])
        };
        let (check_west, check_east) = pawn_attacks::<U::Them, V>(cpu, them.king);
        let pawn_special = to | check_west | check_east;
        let good_pawns = us.pawns & ordinary_from;
        let pushers = good_pawns.without(push_line | null.double_push_blockers);
        let (single, double) = pushes::<U, V>(cpu, pushers, empty);
        let west = pawn_attacks::<U, V>(cpu, good_pawns.without(west_line)).0 & theirs;
        let east = pawn_attacks::<U, V>(cpu, good_pawns.without(east_line)).1 & theirs;
        let pawns = [
            single.without(pawn_special),
            double.without(pawn_special),
            west.without(pawn_special),
            east.without(pawn_special),
        ];
        let (west_pins, east_pins) =
            if U::FORWARD > 0 { (falling_pins, rising_pins) } else { (rising_pins, falling_pins) };
        let (single, double) = pushes::<U, V>(cpu, us.pawns.without(pinned ^ file_pins), empty);
        let west = pawn_attacks::<U, V>(cpu, us.pawns.without(pinned ^ west_pins)).0;
        let east = pawn_attacks::<U, V>(cpu, us.pawns.without(pinned ^ east_pins)).1;
        let steps = [single, double, west & theirs, east & theirs];
        let last = V::splat(cpu, U::LAST_RANK.0);
        for i in 0..4 {
            special[PAWNS + i] = (steps[i] & legal_to).without(pawns[i] | last);
        }
        let promoted = last & legal_to;

        // En passant ep_replies are all legal unless the capturing pawn is pinned or the step opens a line.
        let passing = steps[1] & legal_to;
        let held = king.all_pinned() & them.pawns;
        let beside_held = step::<EAST, V>(cpu, held) | step::<WEST, V>(cpu, held);
        let opens_line = king.discoverers.shift(2 * U::FORWARD);
        let doubtful = passing & (beside_held | opens_line);
        let simple = passing ^ doubtful;
        let ep_replies = (step::<EAST, V>(cpu, simple) & them.pawns).popcount()
            + (step::<WEST, V>(cpu, simple) & them.pawns).popcount();
        let beside = step::<EAST, V>(cpu, them.pawns) | step::<WEST, V>(cpu, them.pawns);
        OurMoves {
            sliders,
            leaps: our_leaps,
            pawns,
            king: our_king,
            castles,
            ordinary_sliders: by_axis(us.rooks & ordinary_from, us.bishops & ordinary_from),
            ordinary_attacks,
            releasing_pinners,
            promotions: [steps[0] & promoted, steps[2] & promoted, steps[3] & promoted],
            ep_replies,
            ep_unclear: doubtful & beside,
            in_check: check.nonzero(),
        }
    }
}

/// Single and double steps of our pawns.
#[inline(always)]
fn pushes<U: Us, V: Vector>(cpu: V::Cpu, pawns: V, empty: V) -> (V, V) {
    let single = forward::<U, V>(pawns) & empty;
    let third = V::splat(cpu, U::THIRD_RANK.0);
    (single, forward::<U, V>(single & third) & empty)
}
