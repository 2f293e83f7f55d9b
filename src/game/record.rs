//! Training data: a position with a search score and the game result, in 32 bytes.
//!
//! Written by `cli::datagen`, read by the trainer and the other tools in `tests/tools`. Each game packs its own
//! positions (`board/record.rs`).

use super::played::GameResult;
use super::searchable::Searchable;

/// Bytes per record, in every game.
pub const RECORD_BYTES: usize = 32;

/// A packed position with its labels.
pub type Record = [u8; RECORD_BYTES];

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
pub trait Recorded: Searchable {
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
