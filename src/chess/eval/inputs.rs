//! The inputs of the chess network: 2 owners × 6 kinds × 64 squares, seen by either side, once for each bucket of
//! squares of its king.
//!
//! Called through `game::network` by the trainer and by whoever evaluates. Both sides see their own men at the
//! bottom of the board, and their own king on the files a to d: otherwise the board is mirrored. What a man is worth on
//! its square depends on where the own king is, so networks may have a set of inputs for each bucket of [`BUCKETS`];
//! with a single bucket there is one set for all squares.

use crate::chess::board::position::Position;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

/// Inputs of one half with one bucket.
pub const INPUTS: usize = 2 * 6 * 64;

/// Buckets of the own king's squares, if a network has more than one.
pub const KING_BUCKETS: usize = 4;

/// The bucket of the own king's square, from the first rank upwards, files a to d: castled in the corner, still in the
/// middle or castled long, a step in front of it, and at large. Each has a tenth of the positions of games at least,
/// the first two a third.
const BUCKETS: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [0, 0, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// How a side sees the board; it changes with its king's square only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// What is xored to squares: another rank for Black, another file if its king is on the files e to h.
    turn: usize,
    /// The first input of its king's bucket.
    first: usize,
}

impl Orientation {
    /// That of `view` whose king is on `king`, in a network of 1 or `KING_BUCKETS` buckets.
    #[inline(always)]
    pub fn of(king: Square, view: Side, buckets: usize) -> Orientation {
        let mirror = if king.file() >= 4 { 7 } else { 0 };
        let flip = if view == Side::Second { 56 } else { 0 };
        let turn = mirror | flip;
        let seen = king.index() ^ turn;
        let bucket = if buckets == 1 { 0 } else { usize::from(BUCKETS[seen >> 3][seen & 3]) };
        Orientation { turn, first: bucket * INPUTS }
    }
}

/// The input of a piece for `view`, whose orientation is given.
#[inline(always)]
pub fn input(view: Side, orientation: Orientation, side: Side, kind: Kind, square: usize) -> usize {
    let other = usize::from(side != view);
    orientation.first + ((other * 6 + kind.index()) << 6 | (square ^ orientation.turn))
}

/// Hands over every input that is on for `view`, in a network of 1 or `KING_BUCKETS` buckets.
pub fn each(pos: &Position, view: Side, buckets: usize, mut on: impl FnMut(usize)) {
    let orientation = Orientation::of(pos.king(view), view, buckets);
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for square in pos.pieces(side, kind) {
                on(input(view, orientation, side, kind, square.index()));
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
    fn every_man_has_an_input_of_the_kings_bucket() {
        for fen in FENS {
            let pos = position(fen);
            for view in Side::BOTH {
                let one = on(&pos, view, 1);
                assert_eq!(one.len(), pos.occupied().count() as usize);
                assert!(one.is_sorted_by(|a, b| a < b) && one.iter().all(|&i| i < INPUTS));
                let bucket = Orientation::of(pos.king(view), view, KING_BUCKETS).first / INPUTS;
                assert!(bucket < KING_BUCKETS);
                let moved: Vec<usize> = one.iter().map(|i| bucket * INPUTS + i).collect();
                assert_eq!(on(&pos, view, KING_BUCKETS), moved, "{fen}");
            }
        }
    }

    #[test]
    fn the_kings_square_chooses_the_bucket() {
        let bucket = |name: &str, view| {
            let king = Square::parse(name.as_bytes()).unwrap();
            assert_eq!(Orientation::of(king, view, 1).first, 0);
            Orientation::of(king, view, KING_BUCKETS).first / INPUTS
        };
        let wanted: [&[&str]; KING_BUCKETS] = [
            &["a1", "b1", "a2", "b2", "g1", "h1", "g2", "h2"],
            &["c1", "d1", "e1", "f1"],
            &["c2", "d2", "e2", "f2"],
            &["a3", "d3", "e3", "h3", "b5", "g6", "a8", "e8", "h8"],
        ];
        for (number, names) in wanted.into_iter().enumerate() {
            for name in names {
                assert_eq!(bucket(name, Side::First), number, "{name}");
                let (file, rank) = name.split_at(1);
                let flipped = format!("{file}{}", 9 - rank.parse::<u32>().unwrap());
                assert_eq!(bucket(&flipped, Side::Second), number, "{flipped}");
            }
        }
        for view in Side::BOTH {
            for square in Square::all() {
                let orientation = Orientation::of(square, view, KING_BUCKETS);
                assert!((square.index() ^ orientation.turn) & 7 < 4, "{square:?}");
                assert!(orientation.first < KING_BUCKETS * INPUTS);
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
            for buckets in [1, KING_BUCKETS] {
                for view in Side::BOTH {
                    assert_eq!(on(&pos, view, buckets), on(&mirrored, view, buckets), "{fen}");
                    assert_eq!(
                        on(&pos, view, buckets),
                        on(&flipped, view.flip(), buckets),
                        "{fen}"
                    );
                }
            }
        }
    }
}
