//! Reads and writes moves as coordinates.

use super::Board;
use crate::game::text::fault::{only_one, quoted};
use crate::game::{MoveText, NotationError, Position};
use crate::xiangqi::types::{Move, Square};
use std::fmt;

/// Reads a legal move such as `h2e2`, or `h3e3` if ranks are numbered from 1.
pub(in crate::xiangqi) fn read_coordinates(pos: &Position<Board>, text: &str) -> Result<Move, NotationError> {
    let (from, to) = read_squares(pos, text)?;
    let meant = |m: &Move| (m.from(), m.to()) == (from, to);
    let found = pos.legal_moves().into_iter().find(meant);
    only_one(text, found.as_slice(), |m| pos.move_text(m))
}

/// Writes a legal move with the ranks as the position numbers them.
pub(in crate::xiangqi) fn write_move(pos: &Position<Board>, m: Move) -> MoveText {
    if m == Move::NONE {
        return MoveText::new(b"0000");
    }
    let (mut text, mut length) = ([0; 6], 0);
    for letter in [m.from(), m.to()].into_iter().flat_map(|square| letters(pos, square)) {
        text[length] = letter;
        length += 1;
    }
    MoveText::new(&text[..length])
}

/// Reads the two squares of a move, legal or not.
pub(crate) fn read_squares(pos: &Position<Board>, text: &str) -> Result<(Square, Square), NotationError> {
    let first = pos.first_rank();
    let form = |offset| {
        let example = if first == 0 { "h2e2" } else { "h3e3" };
        let ranks = format!("ranks {first} to {}", first + 9);
        let form = format!("is not a move; expected two points such as {example}, files a to i and {ranks}");
        NotationError::new("move", offset, format!("{} {form}", quoted(text)))
    };
    let (from, rest) = Square::read(text.as_bytes(), first).ok_or_else(|| form(0))?;
    let (to, end) = Square::read(rest, first).ok_or_else(|| form(text.len() - rest.len()))?;
    if !end.is_empty() {
        return Err(form(0));
    }
    Ok((from, to))
}

/// The characters of a square name.
fn letters(pos: &Position<Board>, square: Square) -> impl Iterator<Item = u8> + use<> {
    let rank = square.rank() as u8 + pos.first_rank();
    let ten = (rank == 10).then_some(b'1');
    [b'a' + square.file() as u8].into_iter().chain(ten).chain([b'0' + rank % 10])
}

impl Position<Board> {
    /// The name of a square as used in moves from this position.
    pub fn square_name(&self, square: Square) -> String {
        letters(self, square).map(char::from).collect()
    }
}

impl fmt::Display for Move {
    /// Writes the move as coordinates with ranks 0 to 9: `h2e2`. For ranks 1 to 10 use the position's `move_text`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Move::NONE {
            return f.pad("0000");
        }
        f.pad(&format!("{}{}", self.from(), self.to()))
    }
}
