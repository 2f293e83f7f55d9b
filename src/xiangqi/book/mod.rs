//! The opening book inside the program.
//!
//! A protocol asks [`choose`] once before a search. A move that is not legal is passed over.

use crate::base::rng::SplitMix64;
use crate::game::Notation;
use crate::game::book::{self, Choice};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::moves::Move;
use crate::xiangqi::types::square::Square;

mod generated {
    include!("../../../generated/xiangqi_book.rs");
}

/// The number of entries.
pub const fn len() -> usize {
    generated::BOOK.len()
}

/// The legal book moves of a position with their weights.
pub fn candidates(pos: &Position) -> Vec<(Move, u16)> {
    let found = book::rows(&generated::BOOK, pos.key()).iter();
    found.filter_map(|&(_, raw, weight)| Some((unpack_move(pos, raw)?, weight))).collect()
}

/// One of the book's moves, chosen with a probability proportional to its weight.
pub fn choose(pos: &Position, dice: &mut SplitMix64) -> Option<Choice<Move>> {
    book::draw(&candidates(pos), dice)
}

/// The legal move of a packed one: bits 0–6 from, 7–13 to.
fn unpack_move(pos: &Position, raw: u16) -> Option<Move> {
    let square = |bits: u16| Square::wrapping(u32::from(bits & 127));
    pos.parse_move(&format!("{}{}", square(raw), square(raw >> 7))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    /// The rows of the book's source: weight and moves.
    fn rows() -> Vec<(u32, Vec<&'static str>)> {
        include_str!("../../tablegen/xiangqi_openings.txt")
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| {
                let parts: Vec<_> = line.split('|').map(str::trim).collect();
                (parts[0].parse().unwrap(), parts[2].split_whitespace().collect())
            })
            .collect()
    }

    fn after(moves: &str) -> Position {
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for text in moves.split_whitespace() {
            let m = pos.parse_move(text).unwrap();
            pos.make(m);
        }
        pos
    }

    #[test]
    fn every_row_is_legal_and_found_under_the_key_of_its_positions() {
        let (mut positions, mut pairs) = (HashSet::new(), HashSet::new());
        for (weight, moves) in rows() {
            let mut pos = after("");
            for text in moves {
                let m = pos.parse_move(text).unwrap();
                let found = candidates(&pos);
                let entry = found.iter().find(|entry| entry.0 == m);
                assert!(entry.is_some_and(|e| u32::from(e.1) >= weight), "{pos:?} {text}");
                positions.insert(pos.key());
                pairs.insert((pos.key(), m));
                pos.make(m);
            }
        }
        assert!(positions.len() >= 300, "{} positions", positions.len());
        // Nothing else is in the book: each pair of position and move exactly once.
        assert_eq!(len(), pairs.len());
    }

    #[test]
    fn weights_add_up_over_the_rows() {
        let mut sums = HashMap::new();
        for (weight, moves) in rows() {
            *sums.entry(moves[0]).or_insert(0) += weight;
        }
        let start = after("");
        let found = candidates(&start);
        assert_eq!(found.len(), sums.len());
        for (m, weight) in found {
            assert_eq!(sums.get(start.move_text(m).as_str()), Some(&u32::from(weight)));
        }
    }

    #[test]
    fn choice_follows_the_weights_and_the_seed() {
        let start = after("");
        let draw = |seed| {
            let mut dice = SplitMix64::new(seed);
            (0..2_000).map(|_| choose(&start, &mut dice).unwrap().m).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
        let total: u32 = candidates(&start).iter().map(|&(_, weight)| u32::from(weight)).sum();
        for (m, weight) in candidates(&start) {
            let expected = 2_000.0 * f64::from(weight) / f64::from(total);
            let count = drawn.iter().filter(|&&other| other == m).count() as f64;
            // Five standard deviations.
            assert!((count - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{m:?} {count}");
        }
        assert!(choose(&after("a3a4 i6i5 a4a5"), &mut SplitMix64::new(3)).is_none());
    }
}
