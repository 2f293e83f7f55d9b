//! The chess network and its inputs: which number a piece has, as either side sees it.
//!
//! The head of `network` explains the factors of an input. Classes are threat inputs: what a piece is worth
//! depends on whether it is attacked and defended.

use super::mop_up::mop_up;
use crate::chess::Position;
use crate::chess::board::Board;
use crate::chess::board::attacks::attacked_by;
use crate::chess::types::{Bitboard, Black, Square, White};
use crate::game::Side;
use crate::network::{self, Network, NetworkInputs, Orientation, Pieces, SETS};

/// Inputs of a set: 2 owners × 6 kinds × 64 squares.
const INPUTS: usize = 2 * 6 * 64;

/// The network file; `tests/tools/README.md` says how it was made. `build.rs` sets the path and has verified its format
/// and checksum.
const FILE: &[u8] = include_bytes!(env!("TABIYA_CHESS_NETWORK"));

const _: () = assert!(
    network::has_shape(FILE, SETS * INPUTS),
    concat!(
        "chess network (EVALFILE): expected the inputs of src/chess/eval/inputs.rs and HIDDEN, NEURONS and BUCKETS of \
         src/network/mod.rs, found ",
        env!("TABIYA_CHESS_NETWORK_SHAPE")
    )
);

static ROWS: network::Rows<{ SETS * INPUTS }> = network::Rows::read(FILE);

static NETWORK: Network = Network::read(FILE, &ROWS.0);

impl NetworkInputs for Board {
    const FORMAT: &[u8; 4] = b"TBN5";
    const SQUARES: usize = 64;
    const INPUTS: usize = INPUTS;
    type Squares = Bitboard;
    type Kinds = [Bitboard; 6];

    #[inline(always)]
    fn network() -> &'static Network {
        &NETWORK
    }
    #[inline(always)]
    fn network_pieces(&self) -> Pieces<Self> {
        let occupied = self.occupied();
        let attacks = [attacked_by::<White>(self, occupied), attacked_by::<Black>(self, occupied)];
        Pieces { kinds: self.kinds, sides: self.sides, attacks }
    }
    /// Flips the ranks for Black, mirrors the files if the king is on the files e to h. Bucket 0 is a king on a1, b1 or
    /// c1 of the view.
    #[inline(always)]
    fn orientation(king: Bitboard, view: Side) -> Orientation {
        let king = Square::wrapping(king.0.trailing_zeros());
        let files = if king.file() >= 4 { 7 } else { 0 };
        let ranks = if view == Side::Second { 56 } else { 0 };
        Orientation::new::<Self>(files | ranks, usize::from(Self::seen(files | ranks, king) > 2))
    }
    #[inline(always)]
    fn seen(turn: usize, square: Square) -> usize {
        square.index() ^ turn
    }
    /// Advantages that make no progress shrink: each ply of the half-move clock takes 1 / 220.
    #[inline(always)]
    fn corrected(position: &Position, value: i32) -> i32 {
        if let Some(value) = mop_up(position) {
            return value;
        }
        value * (220 - i32::from(position.halfmove_clock()).min(100)) / 220
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::CLASSES;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The inputs that are on, in ascending order.
    fn on(pos: &Position, view: Side) -> Vec<usize> {
        let mut inputs = Vec::new();
        pos.inputs(view, |input| inputs.push(input));
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
    fn classes_follow_from_attackers() {
        // Compared with the attackers of each piece's square.
        for fen in FENS {
            let pos = position(fen);
            let pieces = pos.network_pieces();
            for square in pos.occupied() {
                let (side, kind) = pos.piece_on(square).unwrap();
                let by = |side: Side| !pos.attackers(side, square).is_empty();
                let class = usize::from(by(side.flip())) + 2 * usize::from(by(side));
                let piece = pieces.piece(square);
                let found = (piece.side, piece.kind, piece.square, piece.class);
                assert_eq!(found, (side, kind.index(), square, class), "{fen} {square:?}");
            }
        }
        // The king defends the pawn; nothing else is attacked or defended.
        let inputs = on(&position(FENS[3]), Side::First);
        let classes: Vec<usize> = inputs.iter().map(|input| input / INPUTS % CLASSES).collect();
        assert_eq!(classes, [0, 0, 2]);
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
            let flipped: Vec<String> = ranks().rev().map(|rank| rank.chars().map(swapped).collect()).collect();
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
