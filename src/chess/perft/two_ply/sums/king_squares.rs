//! What our ordinary moves take from their king by attacking squares that it needs.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::BitSliced;
use crate::chess::perft::simd::fills::{
    LEAPS, for_each_direction, knight_attacks, pawn_attacks, ray_attacks, union,
};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::king_zone::KingZone;
use crate::chess::types::piece::Us;

/// How many steps and castles our ordinary moves take from their king, by attacking squares that it needs.
#[inline(always)]
pub fn denied_king_moves<U: Us, V: Vector>(
    cpu: V::Cpu,
    board: &Boards<V>,
    moves: &OurMoves<V>,
    zone: &KingZone<V>,
) -> V {
    let none = V::zero(cpu);
    let mut total = none;
    let [a_castle, h_castle] = moves.castles;
    let (mut straight, mut diagonal) = (moves.sliders, moves.sliders);
    let mut queens = [none; 8];
    for_each_direction!(|D| {
        queens[D] = moves.sliders[D] & board.queen_attacks[D];
        if D < 4 {
            diagonal[D] = queens[D];
        } else {
            straight[D] = queens[D];
        }
    });
    let lines = &zone.safe_lines;
    let steps = zone.safe_steps & board.empty;
    // Behind an empty safe square there may be a second one on the same line, and a third one.
    macro_rules! add_further {
        ($views:ident, $($d:literal),*) => {
            let mut nearer = [$(lines[$d] & steps),*];
            for _ in 0..2 {
                let [a, b, c, d] = nearer;
                if ((a | b) | (c | d)).nonzero() == 0 {
                    break;
                }
                let further = [$(ray_attacks::<$d, V>(cpu, nearer[$d % 4], board.empty)),*];
                let [a, b, c, d] = further;
                $views.add(0, [a, b, c, d, none, none, none, none]);
                nearer = [a & steps, b & steps, c & steps, d & steps];
            }
        };
    }
    if ((union(&straight) | a_castle | h_castle) & zone.rook_denies).nonzero() != 0 {
        let [a, h] = zone.rook_denies_castling;
        let mut landing = BitSliced::zero(cpu);
        landing.add(0, straight);
        landing.add(0, [a_castle, h_castle, none, none, none, none, none, none]);
        let mut views = BitSliced::zero(cpu);
        views.add(0, [lines[0], lines[1], lines[2], lines[3], a, h, none, none]);
        add_further!(views, 0, 1, 2, 3);
        total = total + landing.dot(cpu, &views.0);
    }
    if (union(&diagonal) & zone.bishop_denies).nonzero() != 0 {
        let [a, h] = zone.bishop_denies_castling;
        let mut landing = BitSliced::zero(cpu);
        landing.add(0, diagonal);
        let mut views = BitSliced::zero(cpu);
        views.add(0, [lines[4], lines[5], lines[6], lines[7], a, h, none, none]);
        add_further!(views, 4, 5, 6, 7);
        total = total + landing.dot(cpu, &views.0);
    }
    // A queen that attacks a path in both ways hinders the castle once.
    let ([a, h], [a_too, h_too]) = (zone.rook_denies_castling, zone.bishop_denies_castling);
    let both = [a & a_too, h & h_too];
    if (union(&queens) & (both[0] | both[1])).nonzero() != 0 {
        for set in queens {
            total = total - (set & both[0]).popcount() - (set & both[1]).popcount();
        }
    }
    let all_leaps = union(&moves.leaps);
    if (all_leaps & zone.knight_denies).nonzero() != 0 {
        let mut landing = BitSliced::zero(cpu);
        landing.add(0, moves.leaps);
        let mut views = BitSliced::zero(cpu);
        let mut steps = [none; 8];
        for i in 0..8 {
            steps[i] = (zone.safe_steps & V::splat(cpu, LEAPS[i].1)).shift(-LEAPS[i].0);
        }
        views.add(0, steps);
        let [a, h] = [
            knight_attacks(cpu, zone.castling_paths[0]),
            knight_attacks(cpu, zone.castling_paths[1]),
        ];
        views.add(0, [a, h, none, none, none, none, none, none]);
        total = total + landing.dot(cpu, &views.0);
    }
    // A knight that comes next to the king where nothing else of ours attacks it can be taken.
    if (all_leaps & zone.lone_capture).nonzero() != 0 {
        for set in moves.leaps {
            total = total - (set & zone.lone_capture).popcount();
        }
    }
    let [single, double, west, east] = moves.pawns;
    if ((single | double | west | east) & zone.pawn_denies).nonzero() != 0 {
        let mut landing = BitSliced::zero(cpu);
        landing.add(0, [single, double, west, east, none, none, none, none]);
        let (safe_west, safe_east) = pawn_attacks::<U::Them, V>(cpu, zone.safe_steps);
        let (a_west, a_east) = pawn_attacks::<U::Them, V>(cpu, zone.castling_paths[0]);
        let (h_west, h_east) = pawn_attacks::<U::Them, V>(cpu, zone.castling_paths[1]);
        let mut views = BitSliced::zero(cpu);
        let (a, h) = (a_west | a_east, h_west | h_east);
        views.add(0, [safe_west, safe_east, a, h, none, none, none, none]);
        total = total + landing.dot(cpu, &views.0);
    }
    total
}
