//! The games that the program offers: their names, dispatch by name or by FEN, and what protocols and command line need
//! of a game besides what counting and searching need.
//!
//! To add a game, add it to [`Variant`] and `by_game` and implement [`ProgramGame`].

use super::bench;
use crate::game::book::OpeningBook;
use crate::game::notation::{FenReader, looks_like_xiangqi, quoted};
use crate::game::{Census, Notation, NotationError, Packable, Searchable};
pub use crate::xiangqi::{Repetition, Ruleset};
use crate::{chess, xiangqi};

/// A game, as a value of `--game` and of `UCI_Variant`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// Chess and Chess960.
    #[default]
    Chess,
    /// Xiangqi.
    Xiangqi,
}

/// Evaluates an expression with `$position` as the position type of a [`Variant`].
macro_rules! by_game {
    ($game:expr, $position:ident => $value:expr) => {
        match $game {
            $crate::protocol::games::Variant::Chess => {
                type $position = $crate::chess::Position;
                $value
            }
            $crate::protocol::games::Variant::Xiangqi => {
                type $position = $crate::xiangqi::Position;
                $value
            }
        }
    };
}
pub(crate) use by_game;

/// Other values of `UCI_Variant` for chess, the last two for Chess960. They are not announced.
pub const CHESS_NAMES: [&str; 4] = ["standard", "normal", "chess960", "fischerandom"];

impl Variant {
    /// All games; the first is the default.
    pub const ALL: [Variant; 2] = [Variant::Chess, Variant::Xiangqi];

    /// The name.
    pub fn name(self) -> &'static str {
        by_game!(self, P => P::NAME)
    }

    /// The game called `name`.
    ///
    /// # Errors
    /// One line, if there is none.
    pub fn read(name: &str) -> Result<Variant, String> {
        Variant::ALL.into_iter().find(|game| game.name() == name).ok_or_else(|| {
            let all = Variant::ALL.map(Variant::name).join(" or ");
            format!("unknown game {}; expected {all}", quoted(name))
        })
    }

    /// Detects the game of a FEN.
    ///
    /// # Errors
    /// If the FEN is not a valid position of that game.
    pub fn of_fen(fen: &str) -> Result<Variant, NotationError> {
        let game = if looks_like_xiangqi(fen) { Variant::Xiangqi } else { Variant::Chess };
        by_game!(game, P => P::read_fen(fen, &mut FenReader::lenient()).map(|_| game))
    }
}

/// A game that the program offers.
pub trait ProgramGame: Searchable + Notation + Census + Packable + Sync {
    /// The game.
    const GAME: Variant;
    /// Its name.
    const NAME: &'static str;
    /// Whether the game is also played from shuffled positions, with moves written as `UCI_Chess960` selects.
    const CHESS960: bool = false;
    /// The numbers that programs may give to the rank nearest to the first side; the game's own comes first.
    const FIRST_RANKS: &'static [usize];
    /// The EPD text of the standard suite, whose position names `--fen` accepts.
    const STANDARD: &'static [&'static str];
    /// The positions of `bench`, as FENs.
    const BENCH: &'static [&'static str];
    /// Depth to which `bench` searches each of them.
    const BENCH_DEPTH: u32;
    /// The opening book.
    type Book: OpeningBook<Self>;

    /// The position with moves written as in Chess960 or not, and with ranks counted from `first_rank`, one of
    /// [`FIRST_RANKS`](Self::FIRST_RANKS).
    fn adapt(self, chess960: bool, first_rank: usize) -> Self;
    /// The position under these rules of xiangqi.
    fn with_rules(self, _rules: Ruleset) -> Self {
        self
    }
    /// Whether castling is written as in Chess960.
    fn is_chess960(&self) -> bool {
        false
    }
    /// The number of the rank nearest to the first side in this position's notation.
    fn first_rank(&self) -> usize {
        Self::FIRST_RANKS[0]
    }
    /// The squares of the checking pieces, each after a blank.
    fn checker_names(&self) -> String;
}

impl ProgramGame for chess::Position {
    const GAME: Variant = Variant::Chess;
    const NAME: &'static str = "chess";
    const CHESS960: bool = true;
    const FIRST_RANKS: &'static [usize] = &[1];
    const STANDARD: &'static [&'static str] = &[include_str!("../../perft-suites/chess/standard.epd")];
    const BENCH: &'static [&'static str] = &bench::POSITIONS;
    const BENCH_DEPTH: u32 = 12;
    type Book = chess::book::Book;

    fn adapt(self, chess960: bool, _first_rank: usize) -> Self {
        self.with_chess960(chess960)
    }

    fn is_chess960(&self) -> bool {
        chess::Position::is_chess960(self)
    }

    fn checker_names(&self) -> String {
        self.checkers().into_iter().map(|square| format!(" {square}")).collect()
    }
}

impl ProgramGame for xiangqi::Position {
    const GAME: Variant = Variant::Xiangqi;
    const NAME: &'static str = "xiangqi";
    /// UCCI uses the first only.
    const FIRST_RANKS: &'static [usize] = &[0, 1];
    const STANDARD: &'static [&'static str] = &[include_str!("../../perft-suites/xiangqi/standard.epd")];
    const BENCH: &'static [&'static str] = &bench::XIANGQI_POSITIONS;
    const BENCH_DEPTH: u32 = 11;
    type Book = xiangqi::book::Book;

    fn adapt(self, _chess960: bool, first_rank: usize) -> Self {
        self.with_first_rank(first_rank as u8)
    }

    fn with_rules(self, rules: Ruleset) -> Self {
        self.with_ruleset(rules)
    }

    fn first_rank(&self) -> usize {
        usize::from(xiangqi::Position::first_rank(self))
    }

    fn checker_names(&self) -> String {
        let name = |square| format!(" {}", self.square_name(square));
        self.checkers().into_iter().map(name).collect()
    }
}
