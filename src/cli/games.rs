//! The games of the command line: their names, standard suites and notation, and dispatch by name.
//!
//! Used by every subcommand. [`by_game`] is the only place that maps a game to its position type.

use crate::chess;
use crate::game::diagnosis::Diagnosis;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Census, WideKeyed};
use crate::perft::suite::Entry;
use crate::perft::suite_reader;
use crate::xiangqi;

/// A value of `--game`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Game {
    #[default]
    Chess,
    Xiangqi,
}

/// Evaluates an expression with `$position` as the position type of a [`Game`].
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
    /// All games.
    pub const ALL: [Game; 2] = [Game::Chess, Game::Xiangqi];

    /// The game called `name`.
    pub fn read(name: &str) -> Result<Game, String> {
        Game::ALL.into_iter().find(|game| game.name() == name).ok_or_else(|| {
            format!(
                "unknown game {}; expected {}",
                quoted(name),
                Game::ALL.map(Game::name).join(" or ")
            )
        })
    }

    /// The name, as a value of `--game`.
    pub fn name(self) -> &'static str {
        by_game!(self, P => P::NAME)
    }
}

/// What the command line needs from a game.
pub(super) trait CliGame: Diagnosis + Census + WideKeyed + Sync {
    /// The name, as a value of `--game`.
    const NAME: &'static str;
    /// The value of `UCI_Variant` to set in another engine. If there is one, that engine's rank numbering is
    /// detected as well.
    const VARIANT: Option<&'static str> = None;
    /// The EPD text of the standard suite, whose position names `--fen` accepts.
    const STANDARD: &'static str;
    /// The EPD texts of the suite of `tabiya check`.
    const DIAGNOSIS: &'static [&'static str];
    /// The engine that others are compared with in speed.
    const RIVAL: &'static str;
    /// Whether the side that stalemates its opponent wins.
    const STALEMATE_WINS: bool = false;
    /// The position with castling written as in Chess960; unchanged in a game without castling.
    fn with_chess960(self) -> Self {
        self
    }
    /// Whether castling is written as in Chess960.
    fn is_chess960(&self) -> bool {
        false
    }
}

impl CliGame for chess::Position {
    const NAME: &'static str = "chess";
    const STANDARD: &'static str = include_str!("../../perft-suites/chess/standard.epd");
    const DIAGNOSIS: &'static [&'static str] = &[
        include_str!("../../perft-suites/chess/diagnosis.epd"),
        include_str!("../../perft-suites/chess/diagnosis960.epd"),
    ];
    const RIVAL: &'static str = "stockfish";
    fn with_chess960(self) -> Self {
        chess::Position::with_chess960(self, true)
    }
    fn is_chess960(&self) -> bool {
        chess::Position::is_chess960(self)
    }
}

impl CliGame for xiangqi::Position {
    const NAME: &'static str = "xiangqi";
    const VARIANT: Option<&'static str> = Some("xiangqi");
    const STANDARD: &'static str = include_str!("../../perft-suites/xiangqi/standard.epd");
    const DIAGNOSIS: &'static [&'static str] =
        &[include_str!("../../perft-suites/xiangqi/diagnosis.epd")];
    const RIVAL: &'static str = "fairy-stockfish";
    const STALEMATE_WINS: bool = true;
}

/// The positions of the standard suite.
pub(super) fn standard<P: CliGame>() -> Result<Vec<Entry<P>>, String> {
    suite_reader::read(P::STANDARD, &FenReader::strict())
        .map_err(|e| format!("the built-in positions: {e}"))
}

/// The positions of the suite of `tabiya check`.
pub(super) fn diagnosis<P: CliGame>() -> Result<Vec<Entry<P>>, String> {
    let mut entries = Vec::new();
    for text in P::DIAGNOSIS {
        let read = suite_reader::read(text, &FenReader::strict());
        entries.extend(read.map_err(|e| format!("the built-in positions: {e}"))?);
    }
    Ok(entries)
}

/// The position given by a FEN or by a name in the standard suite.
pub(super) fn position<P: CliGame>(text: &str, reader: &mut FenReader) -> Result<P, String> {
    if text.contains('/') {
        return P::read_fen(text, reader).map_err(|error| error.to_string());
    }
    let standard = standard::<P>()?;
    let named = |entry: &&Entry<P>| entry.title.eq_ignore_ascii_case(text);
    standard.iter().find(named).map(|entry| entry.position).ok_or_else(|| {
        let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
        format!("{} is neither a FEN nor one of {}", quoted(text), names.join(", "))
    })
}
