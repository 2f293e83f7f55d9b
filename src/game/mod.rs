//! What both games share: positions, games with their history, move lists, outcomes, errors, and the traits for code
//! that is generic over the games ([`Rules`], [`Counting`], [`Searchable`]).
//!
//! ```
//! use tabiya::game::{Rules, Position};
//! use tabiya::{chess, xiangqi};
//!
//! fn describe<B: Rules>(position: &Position<B>) -> String {
//!     format!("{} moves in {}", position.count_legal(), position.to_fen())
//! }
//!
//! println!("{}", describe(&chess::Position::default()));
//! println!("{}", describe(&xiangqi::Position::default()));
//! ```

// `position` has the trait that each game implements, `Rules`; `Position` and `Game` are written here, once for all
// games. Perft asks for `Counting` too, and the search for `Searchable`. No game's rules are here.

#[doc(hidden)]
#[cfg(feature = "program")]
pub mod book;
#[doc(hidden)]
#[cfg(feature = "perft")]
pub mod count;
#[doc(hidden)]
pub mod moves;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
#[cfg(any(test, feature = "program"))]
pub mod random_play;
#[doc(hidden)]
#[cfg(feature = "search")]
pub mod search;
#[doc(hidden)]
pub mod side;
#[doc(hidden)]
pub mod text;

#[cfg(feature = "perft")]
pub use count::{columns::Columns, counting::Counting, kernel::Kernel};
pub use moves::{GameMove, Moves};
pub use play::game::Game;
pub use play::outcome::{GameResult, IllegalMove, Outcome};
pub use position::{Position, Rules};
#[cfg(feature = "search")]
pub use search::searchable::Searchable;
pub use side::Side;
pub use text::fault::{Fault, NotationError};
pub use text::notation::MoveText;

// For perft, the search and the tools of the tests.
#[cfg(feature = "perft")]
#[doc(hidden)]
pub use self::{
    count::columns::{CheckKind, MoveFacts},
    count::counting::PackedOf,
    count::one_by_one::{columns_one_by_one, perft_one_by_one},
    count::packing::{Half, HashWords, Packing, SharedHalf},
};
#[doc(hidden)]
pub use self::{
    moves::{CountSink, ListSink, MOST_MOVES, Sink},
    play::outcome::Verdict,
};
#[cfg(feature = "search")]
#[doc(hidden)]
pub use self::{
    search::endgame_tables::{EndgameTables, NoTables, RankedMove, Ranking, TableFault, TableResult},
    search::params::SearchParams,
    search::win_model::WinModel,
};
