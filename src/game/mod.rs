//! What both games share: sides, move lists, games with their history, outcomes, errors, and the traits for code that
//! is generic over the games ([`Rules`], [`Notation`], [`Keyed`], [`Playable`], [`Searchable`]).
//!
//! ```
//! use tabiya::game::{Notation, Rules};
//! use tabiya::{chess, xiangqi};
//!
//! fn describe<P: Notation>(position: &P) -> String {
//!     format!("{} moves in {}", position.count_legal(), position.to_fen())
//! }
//!
//! println!("{}", describe(&chess::Position::default()));
//! println!("{}", describe(&xiangqi::Position::default()));
//! ```

// A game implements most traits in its `contract.rs` by the macro of `contract`. Perft is generic over `Rules` and
// `Notation`, deep perft also needs `Packable`, statistics `Census`, a `Game` with its history `Playable`, the search
// `Searchable`.
//
// The rest is code and data types that the games share: `zobrist` (keys), `exchange` (static exchange evaluation),
// `network` (evaluation), `book` (opening books), `endgame_tables` (the interface of
// tablebases), `search_params` (search constants) and `win_model` (win, draw and loss shares of a score). No game's
// rules are here; only `notation::looks_like_xiangqi` distinguishes the games, for an error message.

#[doc(hidden)]
#[cfg(feature = "program")]
pub mod book;
#[doc(hidden)]
pub mod columns;
pub(crate) mod contract;
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
pub mod packing;
#[doc(hidden)]
pub mod playable;
#[doc(hidden)]
pub mod played;
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
#[doc(hidden)]
pub mod zobrist;

pub use columns::Columns;
pub use explain::Explanation;
pub use fault::{Fault, NotationError};
pub use notation::{MoveText, Notation};
pub use playable::Playable;
pub use played::{Game, GameResult, IllegalMove, Outcome};
pub use rules::{GameMove, Kernel, Keyed, Moves, Rules};
#[cfg(feature = "search")]
pub use searchable::Searchable;
pub use side::Side;

// For perft, the search and the tools of the tests.
#[doc(hidden)]
pub use self::{
    columns::{CheckKind, MoveFacts},
    explain::Explain,
    packing::{BulkPerft2, Child, Children, HashWords, Packable},
    playable::Verdict,
    rules::{Census, CountSink, ListSink, MOST_MOVES, Sink, WideKeyed, columns_one_by_one, perft_one_by_one},
    side::PerSide,
};
#[cfg(feature = "search")]
#[doc(hidden)]
pub use self::{
    endgame_tables::{EndgameTables, NoTables, RankedMove, Ranking, TableFault, TableResult},
    search_params::{Pruning, SearchParams},
    win_model::WinModel,
};
