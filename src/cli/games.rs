//! The games that the command line offers, and the choice between them by `--game`.
//!
//! Used by every subcommand. Names, suites and notation only; nothing here counts or searches.

use crate::chess;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Census, Notation, WideKeyed};
use crate::perft::suite::{self, Entry};
use crate::xiangqi;

/// A game that the command line offers.
pub(super) trait Offered: Notation + Census + WideKeyed + Sync {
    /// The word for `--game`.
    const NAME: &'static str;
    /// The value of `UCI_Variant` that other engines must be told, whose numbers of ranks are then found out.
    const VARIANT: Option<&'static str>;
    /// The suite whose names `--fen` knows.
    const STANDARD: &'static str;
    /// Whether it wins to leave the opponent without a move though not in check.
    const STALEMATE_WINS: bool;
    /// The position with moves written as in Chess960, where that means something.
    fn with_chess960(self) -> Self;
    /// Whether moves are written as in Chess960.
    fn is_chess960(&self) -> bool;
}

impl Offered for chess::Position {
    const NAME: &'static str = "chess";
    const VARIANT: Option<&'static str> = None;
    const STANDARD: &'static str = include_str!("../../perft-suites/chess/standard.epd");
    const STALEMATE_WINS: bool = false;
    fn with_chess960(self) -> Self {
        chess::Position::with_chess960(self, true)
    }
    fn is_chess960(&self) -> bool {
        chess::Position::is_chess960(self)
    }
}

impl Offered for xiangqi::Position {
    const NAME: &'static str = "xiangqi";
    const VARIANT: Option<&'static str> = Some("xiangqi");
    const STANDARD: &'static str = include_str!("../../perft-suites/xiangqi/standard.epd");
    const STALEMATE_WINS: bool = true;
    fn with_chess960(self) -> Self {
        self
    }
    fn is_chess960(&self) -> bool {
        false
    }
}

/// What `--game` can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Game {
    #[default]
    Chess,
    Xiangqi,
}

impl Game {
    /// Reads the value of `--game`.
    pub fn read(text: &str) -> Result<Game, String> {
        let both = [Game::Chess, Game::Xiangqi];
        let found = both.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| format!("{} is no game; expected chess or xiangqi", quoted(text)))
    }

    /// The word for `--game`.
    pub fn name(self) -> &'static str {
        match self {
            Game::Chess => chess::Position::NAME,
            Game::Xiangqi => xiangqi::Position::NAME,
        }
    }
}

/// The positions of the standard suite.
pub(super) fn standard<P: Offered>() -> Result<Vec<Entry<P>>, String> {
    suite::read(P::STANDARD, &FenReader::strict())
        .map_err(|e| format!("the built-in positions: {e}"))
}

/// The position of that name in the standard suite.
pub(super) fn named<P: Offered>(name: &str) -> Result<P, String> {
    let standard = standard::<P>()?;
    match standard.iter().find(|entry| entry.title.eq_ignore_ascii_case(name)) {
        Some(entry) => Ok(entry.position),
        None => {
            let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
            let (shown, names) = (quoted(name), names.join(", "));
            Err(format!("{shown} is no FEN and none of the names {names}"))
        }
    }
}
