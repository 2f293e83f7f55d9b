//! What a protocol asks of a game beyond what the engine asks: its name, its notation, its book.
//!
//! [`Variant`] is implemented in `games`, where games may be named, and called by the dialects, `session` and
//! `ranks`. [`Library`] is a game's book with dice to choose from it.

use crate::base::rng::SplitMix64;
use crate::game::book::{Choice, OpeningBook};
use crate::game::{Notation, Playable};
use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that fixes the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// A game that can be played through a protocol.
pub trait Variant: Playable + Notation + Sync {
    /// Its name as a value of `UCI_Variant`.
    const NAME: &'static str;
    /// Whether it is played from shuffled positions as well, with moves written as `UCI_Chess960` tells.
    const CHESS960: bool;
    /// The numbers that programs give to the rank that lies nearest to the first side, beginning with the game's own.
    const FIRST_RANKS: &'static [usize];
    /// The opening book.
    type Book: OpeningBook<Self>;

    /// The position in the notation that is asked for: moves as in Chess960 or not, and one of
    /// [`FIRST_RANKS`](Self::FIRST_RANKS).
    fn adapt(self, chess960: bool, first_rank: usize) -> Self;
    /// The number that it gives to the rank nearest to the first side.
    fn first_rank(&self) -> usize {
        Self::FIRST_RANKS[0]
    }
    /// The squares of the pieces that give check, each behind a blank.
    fn checker_names(&self) -> String;
}

/// A game's book, and dice to choose from it.
pub struct Library<P: Variant> {
    /// Without a book there are no moves from it.
    book: Option<P::Book>,
    dice: SplitMix64,
}

impl<P: Variant> Default for Library<P> {
    fn default() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed = fixed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64)
        });
        Library { book: Some(P::Book::embedded()), dice: SplitMix64::new(seed) }
    }
}

impl<P: Variant> Library<P> {
    /// Uses the book of a file, or the one inside the program if no file is named; says in one line what has
    /// become of it. If that fails, the earlier book stays.
    ///
    /// # Errors
    /// If the file is no book.
    pub fn open(&mut self, files: &str) -> Result<String, String> {
        let (name, book) = if files.is_empty() {
            ("embedded book", P::Book::embedded())
        } else {
            ("book file", P::Book::open(files)?)
        };
        let remark = format!("the {name} has {} entries", book.entries());
        self.book = Some(book);
        Ok(remark)
    }

    /// Uses no book any more, and says so in one line.
    pub fn close(&mut self) -> String {
        self.book = None;
        "there is no book".to_string()
    }

    /// A move from the book, with a remark about it.
    pub fn choose(&mut self, pos: &P) -> Option<(P::Move, String)> {
        let Choice { m, weight, total } = self.book.as_mut()?.choose(pos, &mut self.dice)?;
        Some((m, format!("book move {}, weight {weight} of {total}", pos.move_text(m))))
    }
}
