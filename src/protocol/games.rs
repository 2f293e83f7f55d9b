//! The games that the protocols offer: the list, the choice by name or by FEN, and what each has of its own.
//!
//! Called by the dialects and the option table. A new game is a line of [`NAMES`], an arm of `with_game` and its
//! [`Variant`].

use super::variant::Variant;
use crate::game::notation::{FenReader, looks_like_xiangqi};
use crate::game::{Notation, NotationError};
use crate::{chess, xiangqi};

/// The games, as values of `UCI_Variant`; the first is the one played at the start.
pub const NAMES: &[&str] = &[chess::Position::NAME, xiangqi::Position::NAME];

/// Does `$work`, in which `$Position` is that of the game called `$name`.
macro_rules! with_game {
    ($name:expr, $Position:ident => $work:expr) => {
        if $name == <$crate::xiangqi::Position as $crate::protocol::variant::Variant>::NAME {
            type $Position = $crate::xiangqi::Position;
            $work
        } else {
            type $Position = $crate::chess::Position;
            $work
        }
    };
}
pub(super) use with_game;

/// The game that a FEN looks to be of.
///
/// # Errors
/// If it is no position of that game.
pub fn game_of(fen: &str) -> Result<&'static str, NotationError> {
    let xiangqi = looks_like_xiangqi(fen);
    let name = if xiangqi { xiangqi::Position::NAME } else { chess::Position::NAME };
    with_game!(name, P => P::read_fen(fen, &mut FenReader::lenient()).map(|_| P::NAME))
}

impl Variant for chess::Position {
    const NAME: &'static str = "chess";
    const CHESS960: bool = true;
    const FIRST_RANKS: &'static [usize] = &[1];
    type Book = chess::book::Book;

    fn adapt(self, chess960: bool, _first_rank: usize) -> Self {
        self.with_chess960(chess960)
    }

    fn checker_names(&self) -> String {
        self.checkers().into_iter().map(|square| format!(" {square}")).collect()
    }
}

impl Variant for xiangqi::Position {
    const NAME: &'static str = "xiangqi";
    const CHESS960: bool = false;
    /// Over UCCI there is the first only.
    const FIRST_RANKS: &'static [usize] = &[0, 1];
    type Book = xiangqi::book::Book;

    fn adapt(self, _chess960: bool, first_rank: usize) -> Self {
        self.with_first_rank(first_rank as u8)
    }

    fn first_rank(&self) -> usize {
        usize::from(xiangqi::Position::first_rank(self))
    }

    fn checker_names(&self) -> String {
        let name = |square| format!(" {}", self.square_name(square));
        self.checkers().into_iter().map(name).collect()
    }
}
