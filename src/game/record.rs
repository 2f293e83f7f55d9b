//! Training data: a position with a search score and the game result, in 32 bytes.
//!
//! Written by `cli::datagen`, read by the trainer and the other tools in `tests/tools`. Each game packs its own
//! positions (`board/record.rs`).

use super::playable::Playable;
use super::side::Side;
use std::fmt;

/// Bytes per record, in every game.
pub const RECORD_BYTES: usize = 32;

/// A packed position with its labels.
pub type Record = [u8; RECORD_BYTES];

/// The result of a game from the first side's (White's, Red's) point of view.
///
/// ```
/// use tabiya::game::{GameResult, Side};
///
/// assert_eq!(GameResult::won_by(Side::BLACK), GameResult::Loss);
/// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// The first side lost.
    Loss,
    /// A draw.
    Draw,
    /// The first side won.
    Win,
}

impl GameResult {
    /// The result of a game that `side` has won.
    pub const fn won_by(side: Side) -> GameResult {
        match side {
            Side::First => GameResult::Win,
            Side::Second => GameResult::Loss,
        }
    }

    /// From 0, 1 or 2: loss, draw, win.
    pub const fn from_number(number: u8) -> Option<GameResult> {
        match number {
            0 => Some(GameResult::Loss),
            1 => Some(GameResult::Draw),
            2 => Some(GameResult::Win),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// PGN's form: `1-0`, `0-1`, `1/2-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GameResult::Loss => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Win => "1-0",
        })
    }
}

/// The labels of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The search score in centipawns, from the first side's point of view.
    pub score: i16,
    /// The result of the game.
    pub result: GameResult,
    /// Whether this is the first record of its game.
    pub opens_game: bool,
}

/// A game whose positions can be stored as records.
pub trait Recorded: Playable {
    /// Packs the position and its labels.
    fn to_record(&self, labels: Labels) -> Record;
    /// Unpacks a record; `None` if [`Recorded::to_record`] cannot have written it.
    fn from_record(record: &Record) -> Option<(Self, Labels)>;
}

/// Packs up to 32 four-bit numbers; the first goes into the low half of the first byte.
pub fn pack_nibbles(nibbles: impl Iterator<Item = u8>) -> [u8; 16] {
    let mut packed = [0; 16];
    for (i, nibble) in nibbles.take(32).enumerate() {
        packed[i / 2] |= (nibble & 15) << (4 * (i % 2));
    }
    packed
}

/// The four-bit number at `index`, which is below 32.
pub fn nibble(packed: &[u8], index: usize) -> u8 {
    packed[index / 2] >> (4 * (index % 2)) & 15
}
