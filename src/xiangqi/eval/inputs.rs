//! The xiangqi network and its inputs: which number a piece has, as either side sees it.
//!
//! The head of `network` explains the factors of an input. Classes are threat inputs: what a piece is worth
//! depends on whether it is attacked and defended; a cannon attacks the second piece on its line.

use super::scale::{FULL_SCALE, scale};
use crate::game::Side;
use crate::network::{self, Network, NetworkInputs, Orientation, Pieces, SETS};
use crate::xiangqi::Position;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::attacks::reach;
use crate::xiangqi::board::placement::Placement;
use crate::xiangqi::types::{Bitboard, Kind, Square};

/// Inputs of a set: 2 owners × 7 kinds × 90 squares.
const INPUTS: usize = 2 * 7 * 90;

/// The network file; `tests/tools/README.md` says how it was made. `build.rs` sets the path and has verified its format
/// and checksum.
const FILE: &[u8] = include_bytes!(env!("TABIYA_XIANGQI_NETWORK"));

const _: () = assert!(
    network::has_shape(FILE, SETS * INPUTS),
    concat!(
        "xiangqi network (EVALFILE): expected the inputs of src/xiangqi/eval/inputs.rs and HIDDEN, NEURONS and BUCKETS of \
         src/network/mod.rs, found ",
        env!("TABIYA_XIANGQI_NETWORK_SHAPE")
    )
);

static ROWS: network::Rows<{ SETS * INPUTS }> = network::Rows::read(FILE);

static NETWORK: Network = Network::read(FILE, &ROWS.0);

/// The number of each square in a view: Red's or Black's, mirrored or not.
static SEEN: [[u8; 128]; 4] = {
    let mut seen = [[0; 128]; 4];
    let mut i = 0;
    while i < 4 * 90 {
        let (turn, file, rank) = (i / 90, i % 9, i / 9 % 10);
        let file = if turn & MIRRORED != 0 { 8 - file } else { file };
        let rank = if turn & BLACK != 0 { 9 - rank } else { rank };
        seen[turn][i % 90] = (9 * rank + file) as u8;
        i += 1;
    }
    seen
};

/// Every ply without a capture reduces the value by one part in this many.
const FADE: i32 = 300;

/// The view is Black's.
const BLACK: usize = 2;
/// The files are mirrored.
const MIRRORED: usize = 1;

impl NetworkInputs for Board {
    const FORMAT: &[u8; 4] = b"TBX5";
    const SQUARES: usize = 90;
    const INPUTS: usize = INPUTS;
    type Squares = Bitboard;
    type Kinds = [Bitboard; 7];

    #[inline(always)]
    fn network() -> &'static Network {
        &NETWORK
    }
    #[inline(always)]
    fn network_pieces(&self) -> Pieces<Self> {
        let attacks = [attacked_pieces(self, Side::First), attacked_pieces(self, Side::Second)];
        Pieces { kinds: self.kinds, sides: self.sides, attacks }
    }
    /// Flips the ranks for Black, mirrors the files if the king is on the f-file. Bucket 0 is a king on the central
    /// file.
    #[inline(always)]
    fn orientation(king: Bitboard, view: Side) -> Orientation {
        let king = Square::wrapping(king.0.trailing_zeros());
        let turn = (BLACK * view.index()) | (MIRRORED * usize::from(king.file() > 4));
        Orientation::new::<Self>(turn, usize::from(king.file() != 4))
    }
    #[inline(always)]
    fn seen(turn: usize, square: Square) -> usize {
        usize::from(SEEN[turn & 3][square.index()])
    }
    /// Advantages shrink where they are hard to convert, and if nothing is captured.
    #[inline(always)]
    fn corrected(position: &Position, value: i32) -> i32 {
        let strong = if value >= 0 { position.side() } else { position.side().flip() };
        let value = value * scale(position, strong) / FULL_SCALE;
        value * (FADE - i32::from(position.halfmove_clock()).min(120)) / FADE
    }
    fn mirrored(position: &Position) -> Option<Position> {
        let mut mirrored = Placement::from(position);
        for rank in mirrored.pieces.chunks_mut(9) {
            rank.reverse();
        }
        Position::new(&mirrored).ok()
    }
}

/// The pieces of either side that a piece of `side` attacks or defends.
#[inline(always)]
fn attacked_pieces(pos: &Board, side: Side) -> Bitboard {
    let occupied = pos.occupied();
    let mut set = Bitboard::EMPTY;
    for kind in Kind::ALL {
        for square in pos.pieces(side, kind) {
            set |= reach(side, kind, square, occupied);
        }
    }
    // Without the empty squares to which pieces move.
    set & occupied
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::game::random_play;

    fn positions() -> impl Iterator<Item = Position> {
        let game = |seed| random_play::positions(Position::default(), 200, &mut SplitMix64::new(seed));
        (0..20).flat_map(game)
    }

    #[test]
    fn classes_follow_from_attackers() {
        // Compared with the attackers of each piece's square.
        for pos in positions() {
            let pieces = pos.network_pieces();
            for square in pos.occupied() {
                let (side, kind) = pos.piece_on(square).unwrap();
                let by = |side: Side| !pos.attackers(side, square).is_empty();
                let class = usize::from(by(side.flip())) + 2 * usize::from(by(side));
                let piece = pieces.piece(square);
                let found = (piece.side, piece.kind, piece.square, piece.class);
                assert_eq!(found, (side, kind.index(), square, class), "{pos:?} {square:?}");
            }
        }
    }

    #[test]
    fn views_are_symmetric() {
        let seen =
            |side, king: Square, square: Square| Board::seen(Board::orientation(Bitboard::of(king), side).turn, square);
        for king in Bitboard::PALACES & Bitboard::RED_HALF {
            for square in Square::all() {
                let upside_down = |at: Square| Square::at(at.file(), 9 - at.rank()).unwrap();
                let mirrored = |at: Square| Square::at(8 - at.file(), at.rank()).unwrap();
                let red = seen(Side::First, king, square);
                assert_eq!(seen(Side::Second, upside_down(king), upside_down(square)), red);
                let other = seen(Side::First, mirrored(king), mirrored(square));
                assert_eq!(other == red, king.file() != 4 || square.file() == 4);
            }
        }
    }
}
