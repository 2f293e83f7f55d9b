//! The contracts between the games below and the programs above.
//!
//! A game (`chess`, `xiangqi`) implements them in its `contract.rs`; `perft` is generic over [`Rules`] and
//! [`Notation`], hashed perft adds [`Keyed`], a search adds [`Playable`]. What the games have in common below
//! that has one home here: `zobrist` for keys, `exchange` for exchanges on a square, `taper` for evaluations,
//! `book` for opening books, `record` for training data, `network` for small networks, `endgame_tables` for what a
//! search asks of tables, `search_params` for the constants of the search, `win_model` for what a score is worth in games. Nothing here knows a game.

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
