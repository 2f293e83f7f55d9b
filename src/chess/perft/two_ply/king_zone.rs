//! Where their king may go in eight positions, and which of our moves might change that.
//!
//! "We" and "they" as in `two_ply`, which calls this.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{
    Rays, for_each_direction, king_attacks, knight_attacks, lines_of_sight, pawn_attacks,
    ray_attacks, union,
};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::types::piece::Us;

/// What the king of the side that replies may do, and our moves that change it.
pub struct KingZone<V> {
    /// The king's replies to a null move.
    pub null_king_moves: V,
    /// Targets and origins that make any move special, but for `contact`.
    pub special_to: V,
    pub special_from: V,
    /// Squares next to the king where a piece of ours would or might be taken by it, and those of them where
    /// a knight would be: nothing else of ours attacks them.
    pub contact: V,
    pub lone_capture: V,
    /// Targets that make a move of our king special.
    pub king_special_to: V,
    /// Squares to which the king may step, and for each castle those that the king passes, if it may castle.
    pub safe_steps: V,
    pub castling_paths: [V; 2],
    /// The squares from which a rook or bishop attacks a safe square, by direction from there; and those from
    /// which it attacks a path.
    pub safe_lines: Rays<V>,
    pub rook_denies_castling: [V; 2],
    pub bishop_denies_castling: [V; 2],
    /// The squares from which a piece attacks any of these.
    pub rook_denies: V,
    pub bishop_denies: V,
    pub knight_denies: V,
    pub pawn_denies: V,
    /// Squares to which the king might step if one knight or pawn or slider, which may leave, were not there;
    /// and those sliders by direction from these squares, with those that guard a second and a third square on
    /// the same line.
    pub singly_guarded: V,
    pub slider_guards: Option<[Rays<V>; 3]>,
}

impl<V: Vector> KingZone<V> {
    /// Where their king may go, and what of ours bears on that.
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, batch: &Batch, board: &Boards<V>, king: &KingLines<V>) -> Self {
        let none = V::zero(cpu);
        let castles = batch.castling_table.load::<U::Them, V>(cpu, board.castling);
        let &Boards { us, them, ours, theirs, occupied, empty, .. } = board;
        let attacks = &board.our_attacks;
        let straight_pins = king.pinned[0] | king.pinned[1];

        // Squares attacked at least once, twice, three times; a third knight does not count.
        let (west, east) = pawn_attacks::<U, V>(cpu, us.pawns);
        let knight = us.knights & (none - us.knights);
        let knights = us.knights ^ knight;
        let third_knight = knights & (knights - V::splat(cpu, 1)).keep_if_nonzero(knights);
        let leaps_of = [knight_attacks(cpu, knight), knight_attacks(cpu, knights)];
        let others = [west, east, leaps_of[0], leaps_of[1], king_attacks(cpu, us.king)];
        let (mut once, mut twice, mut thrice) = (none, none, none);
        for_each_direction!(|D| {
            thrice = thrice | twice & attacks[D];
            twice = twice | once & attacks[D];
            once = once | attacks[D];
        });
        for set in others {
            thrice = thrice | twice & set;
            twice = twice | once & set;
            once = once | set;
        }

        let around = king_attacks(cpu, them.king);
        let contact = around.without(theirs & twice);
        let lone_capture = (contact & theirs & once).keep_if_zero(third_knight);
        let steps = around.without(theirs);
        let mut reachable = steps;
        let mut null_king_moves = steps.without(once).popcount();
        let (mut special_to, mut special_from) = (none, none);
        let mut passed = none;
        let mut castling_paths = [none; 2];
        if let Some(castles) = &castles {
            for (i, castle) in castles.iter().enumerate() {
                // One of theirs in the way will stay there, or be replaced by one of ours.
                let rook = castle.rook.keep_if_zero(castle.must_be_empty & theirs);
                let path = castle.must_be_empty.keep_if_nonzero(rook);
                special_to = special_to | path | rook;
                special_from = special_from | path;
                let must_be_safe =
                    castle.must_be_safe.keep_if_zero(path & occupied | rook & straight_pins);
                passed = passed | must_be_safe.keep_if_nonzero(rook);
                let ready = castle.available(occupied, once, straight_pins);
                null_king_moves = null_king_moves + ready.popcount();
                castling_paths[i] = castle.must_be_safe.keep_if_nonzero(ready);
            }
            reachable = reachable | passed;
        }

        let safe_steps = steps.without(once);
        let weak = reachable & once.without(twice);
        let shared = reachable & twice.without(thrice);
        let safe_lines = lines_of_sight::<V>(cpu, safe_steps, occupied);
        // Lone pieces of ours between a slider and a safe_steps square; only attackers of a weak one.
        for_each_direction!(|D| special_from = special_from | safe_lines[D ^ 1] & attacks[D] & ours);
        let mut rook_denies = safe_lines[0] | safe_lines[1] | (safe_lines[2] | safe_lines[3]);
        let mut bishop_denies = safe_lines[4] | safe_lines[5] | (safe_lines[6] | safe_lines[7]);
        let mut knight_denies = knight_attacks(cpu, safe_steps);
        let (safe_west, safe_east) = pawn_attacks::<U::Them, V>(cpu, safe_steps);
        let mut pawn_denies = safe_west | safe_east;
        let (mut rook_denies_castling, mut bishop_denies_castling) = ([none; 2], [none; 2]);
        if (castling_paths[0] | castling_paths[1]).nonzero() != 0 {
            for i in 0..2 {
                let lines = lines_of_sight::<V>(cpu, castling_paths[i], occupied);
                for_each_direction!(
                    |D| special_from = special_from | lines[D ^ 1] & attacks[D] & ours
                );
                rook_denies_castling[i] = lines[0] | lines[1] | (lines[2] | lines[3]);
                bishop_denies_castling[i] = lines[4] | lines[5] | (lines[6] | lines[7]);
                rook_denies = rook_denies | rook_denies_castling[i];
                bishop_denies = bishop_denies | bishop_denies_castling[i];
            }
            let both = castling_paths[0] | castling_paths[1];
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, both);
            knight_denies = knight_denies | knight_attacks(cpu, both);
            pawn_denies = pawn_denies | west | east;
        }
        let mut singly_guarded = none;
        let mut slider_guards = None;
        if (weak | shared).nonzero() != 0 {
            let from_weak = lines_of_sight::<V>(cpu, weak, occupied);
            let from_watched = lines_of_sight::<V>(cpu, weak | shared, occupied);
            // Off its line no piece but a queen attacks special_from its target what it attacked before. But the castle
            // may need more than one square, and there may be a slider behind it.
            singly_guarded = weak.without(passed).keep_if_zero(third_knight);
            let open = weak.without(singly_guarded);
            let mut covered = none;
            let mut lines = [none; 8];
            for_each_direction!(|D| {
                special_to = special_to | from_watched[D ^ 1] & attacks[D] & empty;
                covered = covered | from_weak[D] & attacks[D ^ 1];
                let guards = from_weak[D] & if D < 4 { us.rooks } else { us.bishops };
                let bound = guards & (board.queens | attacks[D ^ 1]) | guards.keep_if_nonzero(open);
                special_from = special_from | bound;
                lines[D] = guards ^ bound;
            });
            if union(&lines).nonzero() != 0 {
                let mut guards = [lines, [none; 8], [none; 8]];
                let mut rays = from_weak;
                for further in &mut guards[1..] {
                    for_each_direction!(|D| rays[D] = rays[D] & singly_guarded & empty);
                    if union(&rays).nonzero() == 0 {
                        break;
                    }
                    for_each_direction!(|D| {
                        rays[D] = ray_attacks::<D, V>(cpu, rays[D], empty);
                        further[D] = lines[D] & rays[D];
                    });
                }
                slider_guards = Some(guards);
            }
            let (west, east) = pawn_attacks::<U::Them, V>(cpu, weak);
            let (open_west, open_east) = pawn_attacks::<U::Them, V>(cpu, open);
            let pawns = (west | east) & covered | open_west | open_east;
            let knights = knight_attacks(cpu, weak) & covered | knight_attacks(cpu, open);
            // When it castles, its rook may leave a square as well.
            let kings = king_attacks(cpu, weak | shared);
            special_from = special_from | pawns & us.pawns | knights & us.knights | kings & us.king;
        }
        KingZone {
            null_king_moves,
            special_to,
            special_from,
            contact,
            lone_capture,
            king_special_to: king_attacks(cpu, safe_steps | castling_paths[0] | castling_paths[1]),
            safe_steps,
            castling_paths,
            safe_lines,
            rook_denies_castling,
            bishop_denies_castling,
            rook_denies,
            bishop_denies,
            knight_denies,
            pawn_denies,
            singly_guarded,
            slider_guards,
        }
    }
}
