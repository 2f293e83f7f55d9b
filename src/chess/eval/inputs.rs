//! The inputs of the chess network: 2 owners × 6 kinds × 64 squares, seen by either side, once for each class of men.
//!
//! Called through `game::network` by the trainer and by whoever evaluates. Both sides see their own men at the
//! bottom of the board, and their own king on the files a to d: otherwise the board is mirrored. What a man is worth on
//! its square depends on whether it is attacked and whether it is defended (threat inputs), so networks may have a set
//! of inputs for each of the four cases; with a single class there is one set for all.

use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

/// Inputs of one half with one class.
pub const INPUTS: usize = 2 * 6 * 64;

/// Classes of men, if a network has more than one: neither attacked nor defended, attacked, defended, both.
pub const CLASSES: usize = 4;

/// The class of a man of `side` on `square`, where White attacks the first of two sets and Black the second. With empty
/// sets, as in a network of one class, it is 0.
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
}

impl Orientation {
    /// That of `view` whose king is on `king`.
    #[inline(always)]
    pub fn of(king: Square, view: Side) -> Orientation {
        let mirror = if king.file() >= 4 { 7 } else { 0 };
        let flip = if view == Side::Second { 56 } else { 0 };
        Orientation { turn: mirror | flip }
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
    man.class * INPUTS + (piece << 6 | (man.square ^ orientation.turn))
}

/// Hands over every input that is on for `view`, in a network of 1 or `CLASSES` classes.
pub fn each(pos: &Position, view: Side, classes: usize, mut on: impl FnMut(usize)) {
    let orientation = Orientation::of(pos.king(view), view);
    let attacks = match classes {
        1 => [Bitboard::EMPTY; 2],
        _ => Side::BOTH.map(|side| pos.attacked_by(side)),
    };
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
    fn on(pos: &Position, view: Side, buckets: usize) -> Vec<usize> {
        let mut inputs = Vec::new();
        each(pos, view, buckets, |input| inputs.push(input));
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
                let one = on(&pos, view, 1);
                assert_eq!(one.len(), pos.occupied().count() as usize);
                assert!(one.is_sorted_by(|a, b| a < b) && one.iter().all(|&i| i < INPUTS));
                let classes = on(&pos, view, CLASSES);
                assert!(classes.iter().all(|&i| i < CLASSES * INPUTS));
                let mut without: Vec<usize> = classes.iter().map(|i| i % INPUTS).collect();
                without.sort_unstable();
                assert_eq!(without, one, "{fen}");
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
                assert_eq!(class([Bitboard::EMPTY; 2], own, square.index()), 0);
            }
        }
        // The pawn is defended by its king; nothing else attacks or defends anything.
        let inputs = on(&position(FENS[3]), Side::First, CLASSES);
        let classes: Vec<usize> = inputs.iter().map(|input| input / INPUTS).collect();
        assert_eq!(classes, [0, 0, 2]);
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
            for classes in [1, CLASSES] {
                for view in Side::BOTH {
                    assert_eq!(on(&pos, view, classes), on(&mirrored, view, classes), "{fen}");
                    assert_eq!(
                        on(&pos, view, classes),
                        on(&flipped, view.flip(), classes),
                        "{fen}"
                    );
                }
            }
        }
    }
}
