//! Random games and mutated texts, for the unit tests of both games.

use super::rules::Rules;
use crate::base::rng::SplitMix64;

/// The positions of a random game: `start`, and those after at most `plies - 1` moves.
pub fn positions<P: Rules>(start: P, plies: usize, rng: &mut SplitMix64) -> Vec<P> {
    let (mut pos, mut positions) = (start, Vec::with_capacity(plies));
    for _ in 0..plies {
        positions.push(pos);
        let list = pos.legal_moves();
        if list.is_empty() {
            break;
        }
        pos.make(list[rng.below(list.len())]);
    }
    positions
}

/// `text` after one to three of: a letter inserted, replaced or removed.
pub fn mutated(text: &str, letters: &[char], rng: &mut SplitMix64) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let (at, letter) = (rng.below(text.len() + 1), letters[rng.below(letters.len())]);
        match rng.below(3) {
            0 => text.insert(at, letter),
            1 if at < text.len() => text[at] = letter,
            _ if at < text.len() => _ = text.remove(at),
            _ => {}
        }
    }
    text.into_iter().collect()
}
