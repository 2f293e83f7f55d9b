//! A game's opening book, with the random numbers to choose from it.

use super::games::ProgramGame;
use crate::base::rng::SplitMix64;
use crate::game::Position;
use crate::game::book::{Book, Choice};
use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that sets the seed of the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// A game's book, with random numbers to choose its moves.
pub struct OwnBook<B: ProgramGame> {
    /// `None` if no book is used.
    book: Option<Book<B>>,
    rng: SplitMix64,
}

impl<B: ProgramGame> Default for OwnBook<B> {
    fn default() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed =
            fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64));
        OwnBook { book: Some(Book::embedded()), rng: SplitMix64::new(seed) }
    }
}

impl<B: ProgramGame> OwnBook<B> {
    /// Opens book files, or the embedded book if `files` is empty, or none; returns a message about it. On error the
    /// earlier book is kept.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book.
    pub fn open(&mut self, files: Option<&str>) -> Result<String, String> {
        let (name, book) = match files {
            None => {
                self.book = None;
                return Ok("no opening book is used".to_string());
            }
            Some("") => ("embedded book", Book::embedded()),
            Some(files) => ("book file", Book::open(files)?),
        };
        let message = format!("the {name} has {} entries", book.entries());
        self.book = Some(book);
        Ok(message)
    }

    /// Reads the embedded book if it has not been read, which takes some milliseconds, so that `go` need not.
    pub fn load(&self) {
        self.book.iter().for_each(|book| _ = book.entries());
    }

    /// A move from the book, with a message about it.
    pub fn choose(&mut self, pos: &Position<B>) -> Option<(B::Move, String)> {
        let Choice { m, weight, total } = self.book.as_ref()?.choose(pos, &mut self.rng)?;
        Some((m, format!("book move {}, weight {weight} of {total}", pos.move_text(m))))
    }
}
