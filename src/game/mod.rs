//! The contracts between the games below and the programs above.
//!
//! A game (`chess`, `xiangqi`) implements them in its `contract.rs`; `perft` is generic over [`Rules`] and
//! [`Notation`], hashed perft adds [`Keyed`], a search adds [`Playable`]; `book` is what opening books have in
//! common, `taper` what their evaluations have. Nothing here knows a game.

pub mod book;
pub mod notation;
pub mod playable;
pub mod rules;
pub mod side;
pub mod taper;

pub use notation::{MoveText, Notation, NotationError};
pub use playable::{Playable, Verdict};
pub use rules::{
    Census, CountSink, GameMove, Kernel, Keyed, ListSink, MoveBuffer, MoveFacts, Rules, Sink,
    WideKeyed,
};
pub use side::{PerSide, Side};
