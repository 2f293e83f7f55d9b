//! Perft, move generation and search for chess and xiangqi, built around raw perft speed.
//!
//! # Counting
//!
//! ```
//! use tabiya::chess::Position;
//! use tabiya::perft::Perft;
//!
//! let start = Position::default();
//! assert_eq!(start.perft(5), 4_865_609);
//! for (m, count) in start.divide(3) {
//!     println!("{m}: {count}");
//! }
//! assert_eq!(Perft::new(start).threads(2).hash(16).count(6)?, 119_060_324);
//! # Ok::<(), tabiya::perft::PerftError>(())
//! ```
//!
//! # Listing and making moves
//!
//! ```
//! use tabiya::chess::{Kind, Outcome, Position, Side};
//!
//! let start = Position::default();
//! let after = start.play(start.parse_move("e2e4")?)?;
//! assert_eq!(after.legal_moves().len(), 20);
//! assert_eq!(after.pieces(Side::WHITE, Kind::Pawn).count(), 8);
//! let mate: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse()?;
//! assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`chess::Game`] keeps the moves, and knows repetition and the fifty-move rule.
//!
//! # Searching
//!
//! ```
//! use tabiya::chess::Position;
//! use tabiya::search::{Engine, Limits};
//!
//! let found = Engine::new().search(&Position::default(), Limits::depth(6));
//! println!("{:?} {} {} nodes", found.best, found.score, found.nodes);
//! ```
//!
//! # Xiangqi
//!
//! [`xiangqi`] has the types of [`chess`] and nearly all of their functions (`wxf` and `iccs` instead of `san`);
//! [`perft`] and [`search`] work with both.
//!
//! # Features
//!
//! All but `c-api` are on by default. A program that needs only some of them builds faster. The crate is not on
//! crates.io: give the path of a clone, or the address of a repository as `git = "…"`:
//!
//! ```toml
//! [dependencies]
//! tabiya = { path = "../tabiya", default-features = false, features = ["chess", "perft"] }
//! ```
//!
//! | feature | what it adds |
//! |---|---|
//! | `chess`, `xiangqi` | the games: [`chess`], [`xiangqi`]: positions, moves and why they are legal, notation, games and PGN; with one of them alone, a move generator |
//! | `perft` | counting by kernels that need no vectors: [`perft`], `game::Counting`, and of positions `perft`, `divide`, `statistics` |
//! | `vectors` | code for AVX2, AVX-512 and NEON: perft of chess several times faster, search faster; includes `perft` |
//! | `search` | [`search`] with its networks, `game::Searchable`; includes `perft` |
//! | `tablebases` | Syzygy tables in the search; includes `chess` and `search` |
//! | `doctor` | [`doctor`]: what is wrong with another move generator; includes both games and `perft` |
//! | `c-api` | functions for C and for web pages, described in `src/c_api/tabiya.h`; includes `doctor` |
//! | `program` | the program `tabiya`: its command line, protocols and books, [`doctor`]; includes all of the above but `vectors` and `c-api` |
//!
//! # How fast
//!
//! [`guide::libraries`] compares features and speed with cozy-chess, shakmaty, chess and python-chess. In short: perft
//! is several times faster than with any of them, listing moves somewhat faster, the rest about the same.
//!
//! # Limits
//!
//! * Positions are legal positions of the game. FENs are read strictly; the program itself is more lenient.
//! * No chess variants except Chess960. A PGN is read as one game (`Game`'s `FromStr`): its movetext, and of its tags
//!   those that say where it begins.
//! * The code is built for speed at `opt-level = 3`. In a debug build of your program, add to its `Cargo.toml`:
//!
//! ```toml
//! [profile.dev.package.tabiya]
//! opt-level = 3
//! ```
//!
//! The first build then takes as long as a release build: 5 s of processor time with the feature `chess` alone (AMD
//! EPYC, Zen 4), a minute or two on two idle cores with all. `cargo check` shows compile errors sooner.
//!
//! # More
//!
//! [`guide`] is the manual of the program. `CONTRIBUTING.md` describes the structure of the source, and
//! `tests/architecture.rs` enforces its layers. `build.rs` generates the tables from `src/tablegen` into `generated/`,
//! which is committed.

#![deny(missing_docs)]
// Each module that may have it allows it.
#![deny(unsafe_code)]
// Without a game, much of what the games share has no user.
#![cfg_attr(not(any(feature = "chess", feature = "xiangqi")), allow(dead_code, unused))]
// The text links to items of all features.
#![cfg_attr(not(feature = "program"), allow(rustdoc::broken_intra_doc_links))]
// On docs.rs, every item says which features it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod base;
#[cfg(feature = "c-api")]
#[doc(hidden)]
pub mod c_api;
#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "doctor")]
pub mod doctor;
#[cfg(feature = "search")]
#[doc(hidden)]
pub mod engine;
#[cfg(any(feature = "chess", feature = "xiangqi"))]
pub mod explain;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod farm;
pub mod game;
pub mod guide;
#[cfg(feature = "search")]
#[doc(hidden)]
pub mod network;
#[cfg(feature = "perft")]
pub mod perft;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod protocol;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "xiangqi")]
pub mod xiangqi;

// For both games. Without them, rustc would answer `tabiya::Engine` with a hidden module.
#[cfg(feature = "perft")]
pub use perft::Perft;
#[cfg(feature = "search")]
pub use search::Engine;

/// The README, so that its example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
