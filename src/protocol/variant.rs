//! What a protocol needs from a game besides what the engine needs: its name, notation and opening book.
//!
//! [`Variant`] is implemented in `games` and used by the dialects, `session` and `ranks`. [`Library`] is a game's book
//! with the random numbers to choose from it.

use crate::base::rng::SplitMix64;
use crate::game::book::{Choice, OpeningBook};
use crate::game::{Notation, Searchable};
use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that sets the seed of the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// A game that the protocols offer.
pub trait Variant: Searchable + Notation + Sync {
    /// Its name as a value of `UCI_Variant`.
    const NAME: &'static str;
    /// Whether the game is also played from shuffled positions, with moves written as `UCI_Chess960` selects.
    const CHESS960: bool;
    /// The numbers that programs may give to the rank nearest to the first side; the game's own comes first.
    const FIRST_RANKS: &'static [usize];
    /// The opening book.
    type Book: OpeningBook<Self>;

    /// The position with moves written as in Chess960 or not, and with ranks counted from `first_rank`, one of
    /// [`FIRST_RANKS`](Self::FIRST_RANKS).
    fn adapt(self, chess960: bool, first_rank: usize) -> Self;
    /// The number of the rank nearest to the first side in this position's notation.
    fn first_rank(&self) -> usize {
        Self::FIRST_RANKS[0]
    }
    /// The squares of the checking pieces, each after a blank.
    fn checker_names(&self) -> String;
}

/// A game's book, with random numbers to choose its moves.
pub struct Library<P: Variant> {
    /// `None` if no book is used.
    book: Option<P::Book>,
    rng: SplitMix64,
}

impl<P: Variant> Default for Library<P> {
    fn default() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed = fixed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64)
        });
        Library { book: Some(P::Book::embedded()), rng: SplitMix64::new(seed) }
    }
}

impl<P: Variant> Library<P> {
    /// Opens a book file, or the embedded book if `files` is empty, and returns a message about it. On error the
    /// earlier book is kept.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book.
    pub fn open(&mut self, files: &str) -> Result<String, String> {
        let (name, book) = if files.is_empty() {
            ("embedded book", P::Book::embedded())
        } else {
            ("book file", P::Book::open(files)?)
        };
        let message = format!("the {name} has {} entries", book.entries());
        self.book = Some(book);
        Ok(message)
    }

    /// Stops using a book; returns a message about it.
    pub fn close(&mut self) -> String {
        self.book = None;
        "no opening book is used".to_string()
    }

    /// A move from the book, with a message about it.
    pub fn choose(&mut self, pos: &P) -> Option<(P::Move, String)> {
        let Choice { m, weight, total } = self.book.as_mut()?.choose(pos, &mut self.rng)?;
        Some((m, format!("book move {}, weight {weight} of {total}", pos.move_text(m))))
    }
}
