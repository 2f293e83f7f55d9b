//! Training data: a position with the score of a search and the result of its game, in thirty-two bytes.
//!
//! `cli::datagen` writes records, whoever fits an evaluation reads them; each game packs its own positions
//! (`board/record.rs`). Nothing here searches.

use super::playable::Playable;
use super::side::Side;

/// Bytes of a record, the same for all games.
pub const RECORD_BYTES: usize = 32;

/// A packed position with its labels.
pub type Record = [u8; RECORD_BYTES];

/// How a game has ended, for the first player (White, Red).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// The first player has lost.
    Loss,
    /// Nobody has won.
    Draw,
    /// The first player has won.
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

    /// 0, 1 and 2 for loss, draw and win.
    pub const fn from_number(number: u8) -> Option<GameResult> {
        match number {
            0 => Some(GameResult::Loss),
            1 => Some(GameResult::Draw),
            2 => Some(GameResult::Win),
            _ => None,
        }
    }
}

/// What is known about a position of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The score of a search in centipawns, for the first player.
    pub score: i16,
    /// How the game has ended.
    pub result: GameResult,
    /// Whether this is the first record of its game.
    pub opens_game: bool,
}

/// A game whose positions can be recorded.
pub trait Recorded: Playable {
    /// Packs the position and its labels.
    fn to_record(&self, labels: Labels) -> Record;
    /// The position and its labels; `None` for bytes that [`Recorded::to_record`] never writes.
    fn from_record(record: &Record) -> Option<(Self, Labels)>;
}

/// Packs four-bit numbers, the first into the low half of the first byte.
pub fn pack_nibbles(nibbles: impl Iterator<Item = u8>) -> [u8; 16] {
    let mut packed = [0; 16];
    for (i, nibble) in nibbles.take(32).enumerate() {
        packed[i / 2] |= (nibble & 15) << (4 * (i % 2));
    }
    packed
}

/// The four-bit number at `index`, below 32.
pub fn nibble(packed: &[u8], index: usize) -> u8 {
    packed[index / 2] >> (4 * (index % 2)) & 15
}
