//! Opening books: the trait that each game's book implements, look-ups in a generated table, and the draw by weight.
//!
//! Implemented in each game's `book`, called by the protocols.

use super::Rules;
use crate::base::rng::SplitMix64;

/// An opening book of the game `P`.
pub trait OpeningBook<P: Rules>: Sized + 'static {
    /// The book inside the program.
    fn embedded() -> Self;

    /// Opens a book file, or several where the game allows it.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book, in one line.
    fn open(files: &str) -> Result<Self, String>;

    /// The number of entries.
    fn entries(&self) -> u64;

    /// The legal book moves of a position with their weights, each move once. Moves of weight 0 are not played.
    fn candidates(&mut self, pos: &P) -> Vec<(P::Move, u16)>;

    /// Draws one of the book's moves, with a probability proportional to its weight.
    fn choose(&mut self, pos: &P, dice: &mut SplitMix64) -> Option<Choice<P::Move>> {
        draw(&self.candidates(pos), dice)
    }
}

/// One entry of a generated book: position key, packed move, weight.
pub type Row = (u64, u16, u16);

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move, legal in the position.
    pub m: M,
    /// Its weight.
    pub weight: u16,
    /// The sum of the weights of all moves of the position.
    pub total: u32,
}

/// The entries of the position with key `key` in a sorted book.
pub fn rows(book: &[Row], key: u64) -> &[Row] {
    let first = book.partition_point(|row| row.0 < key);
    let count = book[first..].iter().take_while(|row| row.0 == key).count();
    &book[first..first + count]
}

/// Draws one of the moves with a probability proportional to its weight; `None` if all weights are zero.
fn draw<M: Copy>(moves: &[(M, u16)], dice: &mut SplitMix64) -> Option<Choice<M>> {
    let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
    if total == 0 {
        return None;
    }
    let mut left = dice.below(total as usize) as u32;
    moves.iter().find_map(|&(m, weight)| {
        let chosen = left < u32::from(weight);
        left = left.wrapping_sub(u32::from(weight));
        chosen.then_some(Choice { m, weight, total })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_key() {
        let book = [(2, 1, 1), (5, 1, 1), (5, 2, 1), (9, 1, 1)];
        assert_eq!(rows(&book, 5), &book[1..3]);
        assert_eq!(rows(&book, 9), &book[3..]);
        for key in [0, 3, 10] {
            assert!(rows(&book, key).is_empty());
        }
        assert!(rows(&[], 1).is_empty());
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut dice = SplitMix64::new(4);
        for _ in 0..200 {
            let choice = draw(&[('a', 0), ('b', 3), ('c', 0)], &mut dice);
            assert_eq!(choice, Some(Choice { m: 'b', weight: 3, total: 3 }));
        }
        assert_eq!(draw(&[('a', 0)], &mut dice), None);
        assert_eq!(draw::<char>(&[], &mut dice), None);
    }
}
