//! The inputs of the chess network: 2 owners × 6 kinds × 64 squares, seen by either side, in several sets.
//!
//! Called through `game::network` by the trainer and by whoever evaluates. Both sides see their own men at the
//! bottom of the board, and their own king on the files a to d: otherwise the board is mirrored. What a man is worth on
//! its square depends on whether it is attacked and whether it is defended (threat inputs), and on where the king is of
//! the side that looks (king buckets), so networks may have a set of inputs for each case; otherwise there is one for
//! all.

use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

/// Inputs of a set.
pub const INPUTS: usize = 2 * 6 * 64;

/// Classes of men: neither attacked nor defended, attacked, defended, both.
const CLASSES: usize = 4;

/// King buckets: the corner of the first rank, a1 to c1 as the king's side sees the board; anywhere else.
const KING_BUCKETS: usize = 2;

/// Sets of inputs: for each king bucket one of every class.
pub const SETS: usize = KING_BUCKETS * CLASSES;

/// The class of a man of `side` on `square`, where White attacks the first of two sets and Black the second.
#[inline(always)]
pub fn class(attacks: [Bitboard; 2], side: Side, square: usize) -> usize {
    let on = |by: Side| (attacks[by.index()].0 >> square & 1) as usize;
    on(side.flip()) + 2 * on(side)
}

/// How a side sees the board; it changes with its king's square only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// What is xored to squares: another rank for Black, another file if its king is on the files e to h.
    turn: usize,
    /// The first input of the king's bucket.
    first: usize,
}

impl Orientation {
    /// That of `view` whose king is on `king`.
    #[inline(always)]
    pub fn of(king: Square, view: Side) -> Orientation {
        let mirror = if king.file() >= 4 { 7 } else { 0 };
        let flip = if view == Side::Second { 56 } else { 0 };
        let turn = mirror | flip;
        let bucket = usize::from(king.index() ^ turn > 2);
        Orientation { turn, first: bucket * CLASSES * INPUTS }
    }
}

/// A man on the board.
#[derive(Clone, Copy, Debug)]
pub struct Man {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// Where it stands, 0 to 63.
    pub square: usize,
    /// What [`class`] says.
    pub class: usize,
}

/// The input of a man for `view`, whose orientation is given.
#[inline(always)]
pub fn input(view: Side, orientation: Orientation, man: Man) -> usize {
    let other = usize::from(man.side != view);
    let piece = other * 6 + man.kind.index();
    orientation.first + man.class * INPUTS + (piece << 6 | (man.square ^ orientation.turn))
}

/// Hands over every input that is on for `view`.
pub fn each(pos: &Position, view: Side, mut on: impl FnMut(usize)) {
    let orientation = Orientation::of(pos.king(view), view);
    let attacks = Side::BOTH.map(|side| pos.attacked_by(side));
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for square in pos.pieces(side, kind) {
                let square = square.index();
                let class = class(attacks, side, square);
                on(input(view, orientation, Man { side, kind, square, class }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The inputs that are on, in order of size.
    fn on(pos: &Position, view: Side) -> Vec<usize> {
        let mut inputs = Vec::new();
        each(pos, view, |input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    const FENS: [&str; 5] = [
        "r1bq1rk1/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPPB1PPP/2KR1B1R w - - 0 1",
        "2kr3r/pp1n1ppp/2p1pn2/q7/2BP4/2N1BQ2/PPP2PPP/2R2RK1 b - - 0 1",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/3PK3/8 b - - 0 1",
        "8/8/1K6/8/8/5n2/1p6/7k w - - 0 1",
    ];

    #[test]
    fn every_man_has_an_input_of_its_class() {
        for fen in FENS {
            let pos = position(fen);
            for view in Side::BOTH {
                let all = on(&pos, view);
                assert_eq!(all.len(), pos.occupied().count() as usize, "{fen}");
                assert!(all.iter().all(|&i| i < SETS * INPUTS), "{fen}");
                let mut without: Vec<usize> = all.iter().map(|i| i % INPUTS).collect();
                without.sort_unstable();
                assert!(without.is_sorted_by(|a, b| a < b), "{fen}");
            }
        }
    }

    #[test]
    fn attacks_and_defence_make_the_class() {
        // One man after the other: attackers of either side, counted from each of them.
        for fen in FENS {
            let pos = position(fen);
            let attacks = Side::BOTH.map(|side| pos.attacked_by(side));
            for square in pos.occupied() {
                let side = if pos.side_set(Side::First).contains(square) { 0 } else { 1 };
                let attackers = pos.attackers(square, pos.occupied());
                let by = |side: Side| !(attackers & pos.side_set(side)).is_empty();
                let (own, other) = (Side::BOTH[side], Side::BOTH[1 - side]);
                let wanted = usize::from(by(other)) + 2 * usize::from(by(own));
                assert_eq!(class(attacks, own, square.index()), wanted, "{fen} {square:?}");
            }
        }
        // The pawn is defended by its king; nothing else attacks or defends anything.
        let inputs = on(&position(FENS[3]), Side::First);
        let classes: Vec<usize> = inputs.iter().map(|input| input / INPUTS % CLASSES).collect();
        assert_eq!(classes, [0, 0, 2]);
    }

    #[test]
    fn kings_in_the_corner_have_a_bucket_of_their_own() {
        for view in Side::BOTH {
            for king in Square::all() {
                let (file, rank) = (king.file(), king.rank());
                let home = if view == Side::First { 0 } else { 7 };
                let corner = rank == home && !(3..=4).contains(&file);
                let bucket = Orientation::of(king, view).first / (CLASSES * INPUTS);
                assert_eq!(bucket, usize::from(!corner), "{king:?} {view:?}");
            }
        }
    }

    #[test]
    fn mirrored_and_flipped_boards_look_the_same() {
        for fen in FENS {
            let (board, rest) = fen.split_once(' ').unwrap();
            let ranks = || board.split('/');
            let mirrored: Vec<String> = ranks().map(|rank| rank.chars().rev().collect()).collect();
            let mirrored = position(&format!("{} {rest}", mirrored.join("/")));
            let swapped = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            let flipped: Vec<String> =
                ranks().rev().map(|rank| rank.chars().map(swapped).collect()).collect();
            let other = if rest.starts_with('w') { 'b' } else { 'w' };
            let flipped = position(&format!("{} {other}{}", flipped.join("/"), &rest[1..]));
            let pos = position(fen);
            for view in Side::BOTH {
                assert_eq!(on(&pos, view), on(&mirrored, view), "{fen}");
                assert_eq!(on(&pos, view), on(&flipped, view.flip()), "{fen}");
            }
        }
    }
}
