//! The games that the protocols offer: their names, dispatch by name or by FEN, and their [`Variant`]s.
//!
//! Called by the dialects and the option table. To add a game, add its name to [`NAMES`], an arm to `with_game` and an
//! implementation of [`Variant`].

use super::variant::Variant;
use crate::game::notation::{FenReader, looks_like_xiangqi};
use crate::game::{Notation, NotationError};
use crate::{chess, xiangqi};

/// The names of the games, as values of `UCI_Variant`; the first is the default.
pub const NAMES: &[&str] = &[chess::Position::NAME, xiangqi::Position::NAME];

/// Other values of `UCI_Variant` for chess, the last two for Chess960. They are not announced.
pub const CHESS_NAMES: &[&str] = &["standard", "normal", "chess960", "fischerandom"];

/// Whether a value of `UCI_Variant` means Chess960.
pub fn is_chess960(value: &str) -> bool {
    CHESS_NAMES[2..].contains(&value)
}

/// The game of a value of `UCI_Variant`.
pub fn named(value: &str) -> &'static str {
    NAMES.iter().find(|name| **name == value).unwrap_or(&NAMES[0])
}

/// Evaluates `$work` with `$Position` as the position type of the game `$name`.
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

/// Detects the game of a FEN and returns its name.
///
/// # Errors
/// If the FEN is not a valid position of that game.
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
    /// UCCI uses the first only.
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
