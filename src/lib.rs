//! Tabiya: a table-driven engine for chess and xiangqi, built around raw perft speed.
//!
//! | floor | modules | what they know |
//! |---|---|---|
//! | 0 | [`base`] | bit sets, fixed move lists, random numbers |
//! | 1 | [`game`] | the contracts between games and programs |
//! | 2 | [`chess`], [`xiangqi`] | the rules: position, generator, make, keys, notation |
//! | 3 | [`perft`] | counting, statistics, suites, comparison with other engines; generic over a game |
//! | 3 | [`engine`] | searching for the best move; generic over a game |
//! | 4 | [`protocol`] | UCI and UCCI: lines to commands, reports to lines |
//! | 5 | [`cli`] | the command line |
//!
//! Only [`cli`] and the two protocols ([`protocol::uci`], [`protocol::ucci`]) pick a game.
//!
//! A module uses its own floor and those below; `tests/architecture.rs` sees to it. Tables are made by
//! `build.rs` from `src/tablegen` and committed in `generated/`.
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

pub mod base;
pub mod chess;
pub mod cli;
pub mod engine;
pub mod game;
pub mod guide;
pub mod perft;
pub mod protocol;
pub mod xiangqi;

/// The README, so that its example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
