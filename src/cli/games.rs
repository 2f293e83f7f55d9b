//! The games that the command line offers, what each offers, and the choice between them by name.
//!
//! Used by every subcommand: [`by_game`] is the only place that leads from a game to its code. Names, suites and
//! notation only; nothing here counts or searches.

use crate::chess;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Census, Notation, WideKeyed};
use crate::perft::suite::{self, Entry};
use crate::xiangqi;

/// What `--game` can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Game {
    #[default]
    Chess,
    Xiangqi,
}

/// The value of an expression in which `$position` is the position of a [`Game`].
macro_rules! by_game {
    ($game:expr, $position:ident => $value:expr) => {
        match $game {
            $crate::cli::games::Game::Chess => {
                type $position = $crate::chess::Position;
                $value
            }
            $crate::cli::games::Game::Xiangqi => {
                type $position = $crate::xiangqi::Position;
                $value
            }
        }
    };
}
pub(super) use by_game;

impl Game {
    const ALL: [Game; 2] = [Game::Chess, Game::Xiangqi];

    /// The game of that name.
    pub fn read(name: &str) -> Result<Game, String> {
        Game::ALL.into_iter().find(|game| game.name() == name).ok_or_else(|| {
            format!(
                "{} is no game; expected {}",
                quoted(name),
                Game::ALL.map(Game::name).join(" or ")
            )
        })
    }

    /// The word for `--game`.
    pub fn name(self) -> &'static str {
        by_game!(self, P => P::NAME)
    }
}

/// A game that the command line offers.
pub(super) trait Offered: Notation + Census + WideKeyed + Sync {
    /// The word for `--game`.
    const NAME: &'static str;
    /// The value of `UCI_Variant` that other engines must be told, whose numbers of ranks are then found out.
    const VARIANT: Option<&'static str> = None;
    /// The suite whose names `--fen` knows.
    const STANDARD: &'static str;
    /// Whether it wins to leave the opponent without a move though not in check.
    const STALEMATE_WINS: bool = false;
    /// The position with moves written as in Chess960, where that means something.
    fn with_chess960(self) -> Self {
        self
    }
    /// Whether moves are written as in Chess960.
    fn is_chess960(&self) -> bool {
        false
    }
}

impl Offered for chess::Position {
    const NAME: &'static str = "chess";
    const STANDARD: &'static str = include_str!("../../perft-suites/chess/standard.epd");
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
}

/// The positions of the standard suite.
pub(super) fn standard<P: Offered>() -> Result<Vec<Entry<P>>, String> {
    suite::read(P::STANDARD, &FenReader::strict())
        .map_err(|e| format!("the built-in positions: {e}"))
}

/// The position of a FEN, or that of a name in the standard suite.
pub(super) fn position<P: Offered>(text: &str, reader: &mut FenReader) -> Result<P, String> {
    if text.contains('/') {
        return P::read_fen(text, reader).map_err(|error| error.to_string());
    }
    let standard = standard::<P>()?;
    let named = |entry: &&Entry<P>| entry.title.eq_ignore_ascii_case(text);
    standard.iter().find(named).map(|entry| entry.position).ok_or_else(|| {
        let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
        format!("{} is no FEN and none of the names {}", quoted(text), names.join(", "))
    })
}
