//! The bitbase of king and pawn against king (KPK), by iteration until nothing changes.
//!
//! The pawn moves up the board and is on files a to d; the other half is the mirror image.

use super::emit::Source;

/// Number of pawn squares: ranks two to seven of files a to d.
const PLACES: usize = 24;

/// The state of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Impossible,
    Open,
    Draw,
    Win,
}

/// Name and text of the bitbase file.
pub fn files() -> Vec<(&'static str, String)> {
    let mut source = Source::new("King and pawn against king.");
    source.table_u64(
        "Where the side with the pawn wins: the pawn's side to move first, then the other; the pawn's place \
         (ranks two to seven, files a to d of each), the square of its king, a bit for each square of the other \
         king.",
        "WINS",
        &[2, PLACES, 64],
        &wins(),
    );
    vec![("chess_kpk.rs", source.finish())]
}

fn square_of(place: usize) -> usize {
    (place / 4 + 1) * 8 + place % 4
}

fn distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

/// The squares next to a square; their numbers differ by at most nine.
fn king_moves(from: usize) -> impl Iterator<Item = usize> {
    (from.saturating_sub(9)..(from + 10).min(64)).filter(move |&to| distance(from, to) == 1)
}

fn attacks(pawn: usize, square: usize) -> bool {
    square / 8 == pawn / 8 + 1 && (square % 8).abs_diff(pawn % 8) == 1
}

/// A position: side to move (0: the side with the pawn), pawn, its king, the other king.
type Key = (usize, usize, usize, usize);

fn number((mover, place, king, other): Key) -> usize {
    ((mover * PLACES + place) * 64 + king) * 64 + other
}

fn wins() -> Vec<u64> {
    let mut keys = Vec::new();
    for mover in 0..2 {
        for place in 0..PLACES {
            for king in 0..64 {
                keys.extend((0..64).map(|other| (mover, place, king, other)));
            }
        }
    }
    let mut known: Vec<Known> = keys.iter().map(|&key| first_look(key)).collect();
    loop {
        let mut changed = false;
        for &key in &keys {
            if known[number(key)] == Known::Open {
                let now = if key.0 == 0 { strong(&known, key) } else { weak(&known, key) };
                changed |= now != Known::Open;
                known[number(key)] = now;
            }
        }
        if !changed {
            break;
        }
    }
    known
        .chunks(64)
        .map(|row| row.iter().enumerate().fold(0, |set, (i, &k)| set | u64::from(k == Known::Win) << i))
        .collect()
}

/// The result that is decided without looking at other positions.
fn first_look((mover, place, king, other): Key) -> Known {
    let pawn = square_of(place);
    if distance(king, other) <= 1 || king == pawn || other == pawn || mover == 0 && attacks(pawn, other) {
        return Known::Impossible;
    }
    let ahead = pawn + 8;
    let promotes = mover == 0 && ahead / 8 == 7 && ahead != king && ahead != other;
    // The new queen (or rook, if a queen would stalemate) must not be capturable.
    if promotes && (distance(other, ahead) > 1 || distance(king, ahead) <= 1) {
        return Known::Win;
    }
    Known::Open
}

/// The side with the pawn to move: it wins if any move wins.
fn strong(known: &[Known], (_, place, king, other): Key) -> Known {
    let pawn = square_of(place);
    let mut best = Known::Draw;
    let mut see = |key| match known[number(key)] {
        Known::Win => best = Known::Win,
        Known::Open if best != Known::Win => best = Known::Open,
        _ => {}
    };
    for to in king_moves(king) {
        see((1, place, to, other));
    }
    let free = |square: usize| square != king && square != other;
    if place + 4 < PLACES && free(pawn + 8) {
        see((1, place + 4, king, other));
        if place < 4 && free(pawn + 16) {
            see((1, place + 8, king, other));
        }
    }
    best
}

/// The lone king to move: it draws if any move draws, or by stalemate. A lone pawn cannot mate it.
fn weak(known: &[Known], (_, place, king, other): Key) -> Known {
    let pawn = square_of(place);
    let (mut moves, mut open) = (0, false);
    for to in king_moves(other).filter(|&to| distance(to, king) > 1 && !attacks(pawn, to)) {
        if to == pawn {
            return Known::Draw;
        }
        moves += 1;
        match known[number((0, place, king, to))] {
            Known::Draw => return Known::Draw,
            Known::Open => open = true,
            _ => {}
        }
    }
    match (moves, open) {
        (0, _) => Known::Draw,
        (_, true) => Known::Open,
        (_, false) => Known::Win,
    }
}
