//! Which pieces attack a square, found by looking from the square: slow and obvious.

use super::mailbox::Squares;
use crate::chess::types::{Kind, Square};
use crate::game::Side;

/// The four straight directions, then the four diagonal ones, in files and ranks.
pub const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1)];

pub const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

pub fn slides(kind: Kind, (files, ranks): (i32, i32)) -> bool {
    let diagonal = files != 0 && ranks != 0;
    kind == Kind::Queen || kind == if diagonal { Kind::Bishop } else { Kind::Rook }
}

/// Calls `found` with the square and kind of every piece of `side` that attacks `target`.
pub fn each_attacker(squares: &Squares, target: Square, side: Side, mut found: impl FnMut(Square, Kind)) {
    let at = |square: Square| squares[square.index()];
    for (files, ranks) in JUMPS {
        match target.step(files, ranks) {
            Some(square) if at(square) == Some((side, Kind::Knight)) => found(square, Kind::Knight),
            _ => {}
        }
    }
    for direction @ (files, ranks) in DIRECTIONS {
        let mut distance = 1;
        while let Some(square) = target.step(files * distance, ranks * distance) {
            if let Some((owner, kind)) = at(square) {
                // A pawn captures towards the opponent: it stands below its target if it is White's.
                let below = -side.forward();
                let attacks = match kind {
                    Kind::King => distance == 1,
                    Kind::Pawn => distance == 1 && files != 0 && ranks == below,
                    _ => slides(kind, direction),
                };
                if owner == side && attacks {
                    found(square, kind);
                }
                break;
            }
            distance += 1;
        }
    }
}

/// The pieces of `side` that attack `target`, with their squares.
pub fn attackers(squares: &Squares, target: Square, side: Side) -> Vec<(Square, Kind)> {
    let mut list = Vec::new();
    each_attacker(squares, target, side, |square, kind| list.push((square, kind)));
    list
}

/// The direction from `a` to `b`, if a queen on an empty board could go there.
pub fn direction(a: Square, b: Square) -> Option<(i32, i32)> {
    let (files, ranks) = (b.file() - a.file(), b.rank() - a.rank());
    let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    (straight && a != b).then(|| (files.signum(), ranks.signum()))
}

/// The squares strictly between `a` and `b` on a line of a queen.
pub fn between(a: Square, b: Square) -> impl Iterator<Item = Square> {
    let (files, ranks) = direction(a, b).unwrap_or_default();
    let steps = (1..8).map_while(move |n| a.step(files * n, ranks * n));
    steps.take_while(move |&square| square != b && square != a)
}
