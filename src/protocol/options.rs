//! The values of those options that the engine does not keep in its own settings.
//!
//! Plain data, which a session keeps when the game changes. `option_table` has the options and sets these.

use super::games::{CHESS_NAMES, Ruleset, Variant};
use std::time::Duration;

/// The values of those options that the engine does not keep in its own settings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProtocolOptions {
    /// The game that is played next.
    pub game: Variant,
    /// The variant selected with the game is Chess960.
    pub is_shuffled: bool,
    /// Write castling moves as in Chess960.
    pub chess960: bool,
    /// The moves of a game must be in coordinates; otherwise in any notation.
    pub only_coordinates: bool,
    /// The number of the first rank; `None` if it is detected.
    pub first_rank: Option<usize>,
    /// The rules of xiangqi.
    pub rules: Ruleset,
    /// Play from the opening book.
    pub own_book: bool,
    /// Analysis instead of a game.
    pub analyses: bool,
    /// Report win, draw and loss probabilities.
    pub show_wdl: bool,
    /// Read no commands during a search.
    pub batch: bool,
    /// UCCI's times are in milliseconds instead of seconds.
    pub milliseconds: bool,
    /// Time lost between the engine's answer and the stop of its clock.
    pub overhead: Duration,
    /// Play at the strength `elo`.
    pub is_limited: bool,
    /// The Elo rating for a limited strength.
    pub elo: u32,
    /// The folders of the tablebases, which are opened again when a game that has them returns.
    pub tablebase_path: String,
}

impl ProtocolOptions {
    /// Selects the game that the value `name` of `UCI_Variant` stands for.
    pub fn select(&mut self, name: &str) {
        self.game = Variant::read(name).unwrap_or(Variant::Chess);
        self.is_shuffled = CHESS_NAMES[2..].contains(&name);
    }

    /// Whether castling moves are written as in Chess960.
    pub fn is_chess960(&self) -> bool {
        self.chess960 || self.is_shuffled
    }
}
