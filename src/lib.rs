//! Tabiya: a table-driven chess and xiangqi engine, built around raw perft speed.
//!
//! | layer | modules | contents |
//! |---|---|---|
//! | 0 | [`base`] | square sets, CPU levels, fixed move lists, large arrays, random numbers |
//! | 1 | [`game`] | the contracts between games and programs |
//! | 2 | [`chess`], [`xiangqi`] | the games: position, moves, keys, notation, leaf counters, evaluation |
//! | 3 | [`perft`] | counts, statistics, suites, work units, comparison with other engines; generic over the game |
//! | 3 | [`engine`] | the search; generic over the game |
//! | 4 | [`protocol`] | UCI and UCCI: parses commands, writes reports |
//! | 5 | [`cli`] | the command line |
//!
//! Only [`cli`], the two protocols ([`protocol::uci`], [`protocol::ucci`]) and `protocol::games` name a game.
//!
//! A module uses only its own layer and those below, which `tests/architecture.rs` enforces. `build.rs` generates the
//! tables from `src/tablegen` into `generated/`, which is committed.
//!
//! ```
//! use tabiya::chess::Position;
//! use tabiya::game::{Notation, Rules};
//!
//! let start = Position::from_fen(Position::START_FEN)?;
//! assert_eq!(start.perft(4), 197_281);
//! # Ok::<(), tabiya::game::NotationError>(())
//! ```

#![deny(missing_docs)]

#[doc(hidden)]
pub mod base;
pub mod chess;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod engine;
pub mod game;
pub mod guide;
pub mod perft;
#[doc(hidden)]
pub mod protocol;
pub mod search;
pub mod xiangqi;

/// The README, so that its example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
