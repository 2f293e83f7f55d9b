//! A small slow chess board for replaying the rows of the opening book.
//!
//! Used by `book`.

use super::chess::{Zobrist, attacked_by};
use super::replay;
use std::rc::Rc;

/// Squares and promotion (1 to 4 for knight to queen) of a move such as `e2e4` or `e7e8q`.
fn read_move(text: &str) -> Option<(usize, usize, u16)> {
    let square = |file: u8, rank: u8| {
        let on_board = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
        on_board.then(|| usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
    };
    match text.as_bytes() {
        [a, b, c, d] => Some((square(*a, *b)?, square(*c, *d)?, 0)),
        [a, b, c, d, p] => {
            let promotion = b"nbrq".iter().position(|letter| letter == p)? as u16 + 1;
            Some((square(*a, *b)?, square(*c, *d)?, promotion))
        }
        _ => None,
    }
}

const PAWN: usize = 0;
const KING: usize = 5;

/// The side (0 White, 1 Black) and piece type (0 pawn … 5 king) on each square.
#[derive(Clone)]
pub(super) struct Board {
    zobrist: Rc<Zobrist>,
    squares: [Option<(usize, usize)>; 64],
    side: usize,
    /// Squares of the rooks that may still castle.
    castling: u64,
    /// The square that a double step has just passed over.
    passed: Option<usize>,
}

impl replay::Board for Board {
    fn start() -> Board {
        let mut squares = [None; 64];
        for (file, kind) in [3, 1, 2, 4, 5, 2, 1, 3].into_iter().enumerate() {
            squares[file] = Some((0, kind));
            squares[8 + file] = Some((0, PAWN));
            squares[48 + file] = Some((1, PAWN));
            squares[56 + file] = Some((1, kind));
        }
        Board {
            zobrist: Rc::new(Zobrist::new()),
            squares,
            side: 0,
            castling: 1 | 1 << 7 | 1 << 56 | 1 << 63,
            passed: None,
        }
    }

    fn play(&mut self, text: &str) -> Result<u16, String> {
        let (from, to, promotion) = read_move(text).ok_or("this is not a move")?;
        self.make(from, to, promotion)?;
        Ok(promotion << 12 | (from as u16) << 6 | to as u16)
    }

    fn key(&self) -> u64 {
        let zobrist = &self.zobrist;
        let mut key = if self.side == 1 { zobrist.side } else { 0 };
        for (square, piece) in self.squares.iter().enumerate() {
            if let Some((side, kind)) = piece {
                key ^= zobrist.pieces[(side * 6 + kind) * 64 + square];
            }
            if self.castling >> square & 1 != 0 {
                key ^= zobrist.castling[square];
            }
        }
        if let Some(passed) = self.passed.filter(|&passed| self.can_take(passed)) {
            key ^= zobrist.en_passant[passed % 8];
        }
        key
    }
}

impl Board {
    /// Makes a move, which is assumed to be legal.
    fn make(&mut self, from: usize, to: usize, promotion: u16) -> Result<(), String> {
        let Some((side, kind)) = self.squares[from].filter(|piece| piece.0 == self.side) else {
            return Err("no piece of the side to move there".to_string());
        };
        self.squares[from] = None;
        self.squares[to] = Some((side, if promotion > 0 { promotion as usize } else { kind }));
        if kind == PAWN && self.passed == Some(to) {
            self.squares[from / 8 * 8 + to % 8] = None;
        }
        if kind == KING && from.abs_diff(to) == 2 {
            let rank = from / 8 * 8;
            let (rook, beside) = if to > from { (rank + 7, rank + 5) } else { (rank, rank + 3) };
            self.squares[beside] = self.squares[rook].take();
        }
        self.passed = (kind == PAWN && from.abs_diff(to) == 16).then_some((from + to) / 2);
        self.castling &= !(1 << from | 1 << to);
        if kind == KING {
            self.castling &= !(0xff << (56 * side));
        }
        self.side = 1 - side;
        Ok(())
    }

    /// Whether a legal en passant capture on `passed` exists.
    fn can_take(&self, passed: usize) -> bool {
        let rank = if self.side == 0 { 32 } else { 24 };
        let file = passed % 8;
        let files_beside = [file.checked_sub(1), (file < 7).then_some(file + 1)];
        files_beside.into_iter().flatten().map(|file| rank + file).any(|from| {
            let mut after = self.clone();
            self.squares[from] == Some((self.side, PAWN))
                && after.make(from, passed, 0).is_ok()
                && !after.can_be_taken(self.side)
        })
    }

    /// Whether `side`'s king is attacked.
    fn can_be_taken(&self, side: usize) -> bool {
        let king = self.squares.iter().position(|&piece| piece == Some((side, KING)));
        king.is_some_and(|king| attacked_by(&self.squares, king, 1 - side))
    }
}
