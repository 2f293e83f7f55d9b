//! `BOOK.DAT`, the opening book of ElephantEye from version 2.0 on.
//!
//! The format follows its authors' description ("中国象棋程序设计探索 (七)", 2007): entries of eight bytes, sorted by the first
//! four, which are the low half of the position key; then two bytes of move and two of weight. Only one of a position
//! and its mirror image is stored. Numbers are little-endian. Squares are those of a 16 × 16 board on which a9 is 0x33.
//! The keys come from an RC4 stream. The bytes are untrusted.

use crate::game::Side;
use crate::game::book::Entry;
use crate::xiangqi::Position;
use crate::xiangqi::types::{Kind, Square};
use std::sync::OnceLock;

/// The kinds in ElephantEye's order.
const KINDS: [Kind; 7] =
    [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Chariot, Kind::Cannon, Kind::Soldier];

/// The RC4 stream (Rivest 1987) of a key of one zero byte, read as 32-bit numbers.
struct Stream {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Stream {
    fn new() -> Stream {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        Stream { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        self.state.swap(usize::from(self.x), usize::from(self.y));
        let sum = self.state[usize::from(self.x)].wrapping_add(self.state[usize::from(self.y)]);
        self.state[usize::from(sum)]
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Each piece on each square has three numbers; books use the last one.
    fn key(&mut self) -> u32 {
        self.number();
        self.number();
        self.number()
    }
}

/// The random numbers of the keys: Black to move, and each piece on each square of the 16 × 16 board.
struct Keys {
    black: u32,
    pieces: Vec<[u32; 256]>,
}

fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| {
        let mut stream = Stream::new();
        let black = stream.key();
        let pieces = (0..14).map(|_| std::array::from_fn(|_| stream.key())).collect();
        Keys { black, pieces }
    })
}

/// The key of a position, or of its mirror image.
pub(super) fn key(pos: &Position, mirrored: bool) -> u32 {
    let keys = keys();
    let mut key = if pos.side() == Side::Second { keys.black } else { 0 };
    for square in Square::all() {
        let Some((side, kind)) = pos.piece_on(square) else { continue };
        let kind = KINDS.iter().position(|&k| k == kind).unwrap_or_default();
        let row = if side == Side::First { kind } else { kind + 7 };
        key ^= keys.pieces[row][usize::from(number(if mirrored { mirror(square) } else { square }))];
    }
    key
}

/// The mirror image of a square.
pub(super) fn mirror(square: Square) -> Square {
    Square::at(8 - square.file(), square.rank()).unwrap_or(square)
}

/// The number of a square on the 16 × 16 board.
pub(super) fn number(square: Square) -> u8 {
    ((12 - square.rank()) << 4 | (3 + square.file())) as u8
}

fn square(number: u8) -> Option<Square> {
    Square::at(i32::from(number & 15) - 3, 12 - i32::from(number >> 4))
}

/// The squares of a move's code.
pub(super) fn squares(raw: u16) -> Option<(Square, Square)> {
    let [from, to] = raw.to_le_bytes();
    Some((square(from)?, square(to)?))
}

/// Reads an entry; `None` if it has no move.
pub(super) fn entry([k0, k1, k2, k3, from, to, w0, w1]: [u8; 8]) -> Option<Entry> {
    let (key, raw) = (u32::from_le_bytes([k0, k1, k2, k3]), u16::from_le_bytes([from, to]));
    squares(raw)?;
    Some(Entry { key: key.into(), raw, weight: u16::from_le_bytes([w0, w1]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_elephant_eye() {
        // The first is the key of the starting position in the BOOK.DAT that comes with ElephantEye.
        let start = Position::from_fen(Position::START_FEN).unwrap();
        assert_eq!(key(&start, false), 86_398_677);
        assert_eq!(key(&start, true), 86_398_677);
        let mut left = start;
        left.make(start.parse_move("b2e2").unwrap());
        let mut right = start;
        right.make(start.parse_move("h2e2").unwrap());
        assert_ne!(key(&left, false), key(&right, false));
        assert_eq!(key(&left, true), key(&right, false));
        assert_eq!(key(&left, false), key(&right, true));
    }

    #[test]
    fn square_numbers_match_the_description() {
        for (name, n) in [("a9", 0x33), ("i9", 0x3b), ("e5", 0x77), ("a0", 0xc3), ("i0", 0xcb)] {
            assert_eq!(number(Square::parse(name.as_bytes()).unwrap()), n, "{name}");
        }
        let all: Vec<_> = (0..=255).filter_map(square).collect();
        assert_eq!(all.len(), 90);
        assert!(all.iter().all(|&s| square(number(s)) == Some(s) && mirror(mirror(s)) == s));
    }
}
