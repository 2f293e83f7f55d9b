//! How many king steps and castling moves our ordinary moves take away by attacking squares that their king needs.
//!
//! For each kind of piece this is a dot product: the number of our moves to each square times the number of needed
//! squares attacked from there. "We" and "they" as in `two_ply`.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::BitSliced;
use crate::chess::perft::simd::fills::{
    LEAPS, Rays, for_each_direction, knight_attacks, pawn_attacks, ray_attacks, union,
};
use crate::chess::perft::two_ply::classify::OrdinaryMoves;
use crate::chess::perft::two_ply::context::Context;
use crate::chess::types::Black;

/// The number of king moves taken away by all ordinary moves.
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
            queens[D] = moves.sliders[D] & at.board.queen_attacks[D];
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
/// the same line.
macro_rules! add_further {
    ($at:ident, $views:ident, $($d:literal),*) => {{
        let Context { cpu, board, zone, .. } = $at;
        let none = V::zero(cpu);
        let lines = &zone.denied_from.safe_lines;
        let steps = zone.safe_steps & board.empty;
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
    }};
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
    add_further!(at, views, 0, 1, 2, 3);
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
    add_further!(at, views, 4, 5, 6, 7);
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
