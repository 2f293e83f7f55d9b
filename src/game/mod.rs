//! What both games share: positions, games with their history, move lists, outcomes, errors, and the traits for code
//! that is generic over the games ([`Board`], [`Searchable`]).
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
// written here, once for all games. The search asks for `Searchable` too.
//
// The rest is code and data types that the games share, such as `notation` and `fen_text` (reading moves and FENs),
// `exchange` (static exchange evaluation), `network` (evaluation), `book` (opening books), `endgame_tables` (the
// interface of tablebases), `search_params` (search constants) and `win_model` (win, draw and loss shares of a score).
// No game's rules are here.

#[doc(hidden)]
pub mod board;
#[doc(hidden)]
#[cfg(feature = "program")]
pub mod book;
#[doc(hidden)]
pub mod columns;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod endgame_tables;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod exchange;
#[doc(hidden)]
pub mod explain;
pub(crate) mod fault;
pub(crate) mod fen_text;
pub(crate) mod movetext;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod network;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod one_by_one;
pub(crate) mod outcome;
#[doc(hidden)]
pub mod packing;
#[doc(hidden)]
pub mod played;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
#[cfg(any(test, feature = "program"))]
pub mod random_play;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod search_params;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod searchable;
#[doc(hidden)]
pub mod side;
pub(crate) mod types;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod win_model;

pub use board::{Board, Counting, Explained, Keyed, Notation, Position, Repetition, Rules};
pub use columns::Columns;
pub use explain::Explanation;
pub use fault::{Fault, NotationError};
pub use notation::MoveText;
pub use outcome::{GameResult, IllegalMove, Outcome};
pub use played::Game;
pub use rules::{GameMove, Kernel, Moves};
#[cfg(feature = "search")]
pub use searchable::Searchable;
pub use side::Side;

// For perft, the search and the tools of the tests.
#[doc(hidden)]
pub use self::{
    board::{BulkPerft2, HalfOf},
    columns::{CheckKind, MoveFacts},
    one_by_one::{columns_one_by_one, perft_one_by_one},
    outcome::Verdict,
    packing::{Child, Children, Half, HashWords, Packing},
    rules::{CountSink, ListSink, MOST_MOVES, Sink},
    side::PerSide,
};
#[cfg(feature = "search")]
#[doc(hidden)]
pub use self::{
    endgame_tables::{EndgameTables, NoTables, RankedMove, Ranking, TableFault, TableResult},
    search_params::{Pruning, SearchParams},
    win_model::WinModel,
};
