//! What both games share: positions, games with their history, move lists, outcomes, errors, and the traits for code
//! that is generic over the games ([`Board`], [`Counting`], [`Searchable`]).
//!
//! ```
//! use tabiya::game::{Board, Position};
//! use tabiya::{chess, xiangqi};
//!
//! fn describe<B: Board>(position: &Position<B>) -> String {
//!     format!("{} moves in {}", position.count_legal(), position.to_fen())
//! }
//!
//! println!("{}", describe(&chess::Position::default()));
//! println!("{}", describe(&xiangqi::Position::default()));
//! ```

// `board` has a trait for each question that a game answers, and `Board` for all of them; `Position` and `Game` are
// written here, once for all games. Perft asks for `Counting` too, and the search for `Searchable`. No game's rules are
// here; only `text::fen::looks_like_xiangqi` distinguishes the games, for an error message.

#[doc(hidden)]
pub mod board;
#[doc(hidden)]
#[cfg(feature = "program")]
pub mod book;
#[doc(hidden)]
#[cfg(feature = "perft")]
pub mod count;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod search;
#[doc(hidden)]
pub mod text;

pub use board::{Board, Explained, Keyed, Notation, Position, Repetition, Rules};
#[cfg(feature = "perft")]
pub use count::{columns::Columns, counting::Counting, kernel::Kernel};
pub use play::game::Game;
pub use play::outcome::{GameResult, IllegalMove, Outcome};
pub use position::moves::{GameMove, Moves};
pub use position::side::Side;
#[cfg(feature = "search")]
pub use search::searchable::Searchable;
pub use text::explain::Explanation;
pub use text::fault::{Fault, NotationError};
pub use text::notation::MoveText;

// For perft, the search and the tools of the tests.
#[cfg(feature = "perft")]
#[doc(hidden)]
pub use self::{
    count::columns::{CheckKind, MoveFacts},
    count::counting::PackedOf,
    count::one_by_one::{columns_one_by_one, perft_one_by_one},
    count::packing::{Half, HashWords, Packing, Run},
};
#[doc(hidden)]
pub use self::{
    play::outcome::Verdict,
    position::moves::{CountSink, ListSink, MOST_MOVES, Sink},
    position::side::PerSide,
};
#[cfg(feature = "search")]
#[doc(hidden)]
pub use self::{
    search::endgame_tables::{EndgameTables, NoTables, RankedMove, Ranking, TableFault, TableResult},
    search::params::SearchParams,
    search::win_model::WinModel,
};
