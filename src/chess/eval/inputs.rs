//! The inputs of the chess network: which number a piece has, as either side sees it.
//!
//! Called by `network` and, through `game::network`, by the trainer. The head of `network` explains the factors of an
//! input. Classes are threat inputs: what a piece is worth depends on whether it is attacked and defended.

use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::chess::types::square::Square;
use crate::game::Side;

/// Inputs of a set: 2 owners × 6 kinds × 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// Classes of pieces: neither attacked nor defended, attacked, defended, both.
const CLASSES: usize = 4;

/// King buckets: the view's own king on a1, b1 or c1 of the view; on any other square.
const KING_BUCKETS: usize = 2;

/// Sets of inputs: one for each king bucket and class.
pub const SETS: usize = KING_BUCKETS * CLASSES;

/// The class of a piece of `side` on `square`. `attacks` are the squares that White and Black attack.
#[inline(always)]
pub fn class(attacks: [Bitboard; 2], side: Side, square: usize) -> usize {
    let on = |by: Side| (attacks[by.index()].0 >> square & 1) as usize;
    on(side.flip()) + 2 * on(side)
}

/// How a view sees the board. Depends only on the square of the view's own king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// Xored to squares: flips the ranks for Black, mirrors the files if the king is on the files e to h.
    flip: usize,
    /// The first input of the king's bucket.
    first: usize,
}

impl Orientation {
    /// The orientation of `view`, whose king is on `king`.
    #[inline(always)]
    pub fn of(king: Square, view: Side) -> Orientation {
        let files = if king.file() >= 4 { 7 } else { 0 };
        let ranks = if view == Side::Second { 56 } else { 0 };
        let flip = files | ranks;
        let bucket = usize::from(king.index() ^ flip > 2);
        Orientation { flip, first: bucket * CLASSES * INPUTS }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
    /// Its square, 0 to 63.
    pub square: usize,
    /// Its [`class`].
    pub class: usize,
}

/// The input of a piece in `view`, whose orientation is given.
#[inline(always)]
pub fn input(view: Side, orientation: Orientation, piece: Piece) -> usize {
    let other = usize::from(piece.side != view);
    let number = other * 6 + piece.kind.index();
    let in_set = number << 6 | (piece.square ^ orientation.flip);
    orientation.first + piece.class * INPUTS + in_set
}

/// Calls `on` with every input that is on in `view`.
pub fn each(pos: &Position, view: Side, mut on: impl FnMut(usize)) {
    let orientation = Orientation::of(pos.king(view), view);
    let attacks = Side::BOTH.map(|side| pos.attacked_by(side));
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for square in pos.pieces(side, kind) {
                let square = square.index();
                let class = class(attacks, side, square);
                on(input(view, orientation, Piece { side, kind, square, class }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The inputs that are on, in ascending order.
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
    fn every_piece_has_one_input() {
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
    fn classes_follow_from_attackers() {
        // Compared with the attackers of each piece's square.
        for fen in FENS {
            let pos = position(fen);
            let attacks = Side::BOTH.map(|side| pos.attacked_by(side));
            for square in pos.occupied() {
                let side = if pos.side_set(Side::First).contains(square) { 0 } else { 1 };
                let attackers = pos.attackers_through(square, pos.occupied());
                let by = |side: Side| !(attackers & pos.side_set(side)).is_empty();
                let (own, other) = (Side::BOTH[side], Side::BOTH[1 - side]);
                let wanted = usize::from(by(other)) + 2 * usize::from(by(own));
                assert_eq!(class(attacks, own, square.index()), wanted, "{fen} {square:?}");
            }
        }
        // The king defends the pawn; nothing else is attacked or defended.
        let inputs = on(&position(FENS[3]), Side::First);
        let classes: Vec<usize> = inputs.iter().map(|input| input / INPUTS % CLASSES).collect();
        assert_eq!(classes, [0, 0, 2]);
    }

    #[test]
    fn the_corners_are_king_bucket_0() {
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
    fn mirrored_and_flipped_positions_have_the_same_inputs() {
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
