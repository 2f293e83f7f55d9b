//! What the opening books of all games have in common: a sorted table of position keys, and the draw by
//! weight. Called by each game's `book.rs`; it knows no moves and no files.

use crate::base::rng::SplitMix64;

/// One entry of a generated book: position key, packed move, weight.
pub type Row = (u64, u16, u16);

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move, legal in the position asked about.
    pub m: M,
    /// Its weight.
    pub weight: u16,
    /// The weights of all moves of the position together.
    pub total: u32,
}

/// The entries of a sorted book for the position of `key`.
pub fn rows(book: &[Row], key: u64) -> &[Row] {
    let first = book.partition_point(|row| row.0 < key);
    let count = book[first..].iter().take_while(|row| row.0 == key).count();
    &book[first..first + count]
}

/// One of the moves, with a probability proportional to its weight; `None` if all weights are zero.
pub fn draw<M: Copy>(moves: &[(M, u16)], dice: &mut SplitMix64) -> Option<Choice<M>> {
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
    fn rows_are_those_of_the_key() {
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
