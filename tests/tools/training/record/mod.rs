//! Training data: a position with a search score and the game result, in 32 bytes.
//!
//! Each game packs its own positions (`chess`, `xiangqi`).

mod chess;
mod xiangqi;

use tabiya::game::{GameResult, Position, Searchable, Side};

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

/// Added to the code of the second side's pieces.
const SECOND: u8 = 8;

impl Labels {
    /// Writes score and result, which are in the same place in both games.
    pub fn write(&self, record: &mut Record) {
        record[28..30].copy_from_slice(&self.score.to_le_bytes());
        record[30] = self.result as u8;
    }

    /// Reads them again.
    pub fn read(record: &Record, opens_game: bool) -> Option<Labels> {
        let score = i16::from_le_bytes([record[28], record[29]]);
        Some(Labels { score, result: *GameResult::ALL.get(usize::from(record[30]))?, opens_game })
    }
}

/// The first side, or the second one.
pub fn side(second: bool) -> Side {
    if second { Side::Second } else { Side::First }
}

/// A game whose positions can be stored as records.
pub trait Recorded: Searchable {
    /// Packs the position and its labels.
    fn to_record(position: &Position<Self>, labels: Labels) -> Record;
    /// Unpacks a record; `None` if [`Recorded::to_record`] cannot have written it.
    fn from_record(record: &Record) -> Option<(Position<Self>, Labels)>;
}

/// Packs up to 32 pieces in four bits each, the code of its kind and its side; the first goes into the low half of the
/// first byte.
pub fn pack_pieces(pieces: impl Iterator<Item = (Side, u8)>) -> [u8; 16] {
    let mut packed = [0; 16];
    for (i, (side, code)) in pieces.take(32).enumerate() {
        packed[i / 2] |= (code + SECOND * side as u8) << (4 * (i % 2));
    }
    packed
}

/// The piece at `index`, which is below 32: its side and the code of its kind.
pub fn unpack_piece(packed: &[u8], index: usize) -> (Side, u8) {
    let code = packed[index / 2] >> (4 * (index % 2)) & 15;
    (side(code & SECOND != 0), code & (SECOND - 1))
}
