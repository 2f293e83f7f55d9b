//! A small slow xiangqi board for replaying the rows of the opening book.
//!
//! Used by `book`.

use super::replay;
use super::xiangqi::Zobrist;

/// The side (0 Red, 1 Black) and piece type (0 soldier … 6 king, in the order of the keys) on each square.
pub(super) struct Board {
    zobrist: Zobrist,
    squares: [Option<(usize, usize)>; 90],
    side: usize,
}

impl replay::Board for Board {
    fn start() -> Board {
        let mut squares = [None; 90];
        let mut place = |file: usize, rank: usize, kind: usize| {
            squares[rank * 9 + file] = Some((0, kind));
            squares[(9 - rank) * 9 + file] = Some((1, kind));
        };
        for (file, kind) in [4, 1, 2, 3, 6, 3, 2, 1, 4].into_iter().enumerate() {
            place(file, 0, kind);
        }
        for file in [1, 7] {
            place(file, 2, 5);
        }
        for file in [0, 2, 4, 6, 8] {
            place(file, 3, 0);
        }
        Board { zobrist: Zobrist::new(), squares, side: 0 }
    }

    fn key(&self) -> u64 {
        let mut key = if self.side == 1 { self.zobrist.side } else { 0 };
        for (square, piece) in self.squares.iter().enumerate() {
            if let Some((side, kind)) = piece {
                key ^= self.zobrist.pieces[(side * 8 + kind) * 128 + square];
            }
        }
        key
    }

    fn play(&mut self, text: &str) -> Result<u16, String> {
        let (from, to) = read_move(text).ok_or("this is not a move")?;
        if self.squares[from].is_none_or(|(side, _)| side != self.side) {
            return Err("no piece of the side to move there".to_string());
        }
        self.squares[to] = self.squares[from].take();
        self.side = 1 - self.side;
        Ok((to as u16) << 7 | from as u16)
    }
}

/// The squares of a move such as `h2e2`.
fn read_move(text: &str) -> Option<(usize, usize)> {
    let square = |file: u8, rank: u8| {
        let on_board = (b'a'..=b'i').contains(&file) && rank.is_ascii_digit();
        on_board.then(|| usize::from(rank - b'0') * 9 + usize::from(file - b'a'))
    };
    match text.as_bytes() {
        [a, b, c, d] => Some((square(*a, *b)?, square(*c, *d)?)),
        _ => None,
    }
}
