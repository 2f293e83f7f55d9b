//! The interface between the games (`chess`, `xiangqi`) and the code that is generic over them.
//!
//! A game implements the traits in its `contract.rs`. Perft is generic over [`Rules`] and [`Notation`], hashed perft
//! also needs [`WideKeyed`], statistics [`Census`], the search [`Playable`].
//!
//! The rest is code and data types that the games share: `zobrist` (keys), `exchange` (static exchange evaluation),
//! `taper` (tapered evaluation), `book` (opening books), `record` (training data), `network` (small networks),
//! `endgame_tables` (the interface of tablebases), `search_params` (search constants) and `win_model` (win, draw and
//! loss shares of a score). No game's rules are here; only `notation::looks_like_xiangqi` distinguishes the games,
//! for an error message.

pub mod book;
pub mod columns;
pub mod endgame_tables;
pub mod exchange;
pub mod network;
pub mod notation;
pub mod playable;
pub mod played;
pub mod record;
pub mod rules;
pub mod search_params;
pub mod side;
pub mod taper;
pub mod win_model;
pub mod zobrist;

pub use columns::{CheckKind, Columns, MoveFacts};
pub use endgame_tables::{EndgameTables, NoTables, RankedMove, Ranking, TableResult};
pub use notation::{MoveText, Notation, NotationError};
pub use playable::{Playable, Verdict};
pub use played::{Game, IllegalMove, Outcome};
pub use record::GameResult;
pub use rules::{
    BulkPerft2, Census, CountSink, GameMove, Kernel, Keyed, KeyedList, KeyedSink, KeysAfter,
    ListSink, MOST_MOVES, Moves, OneByOne, Rules, Sink, WideKeyed, columns_one_by_one,
};
pub use search_params::{Pruning, SearchParams};
pub use side::{PerSide, Side};
pub use win_model::WinModel;
