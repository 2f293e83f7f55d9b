//! Random openings ([`random_line`]); for the unit tests of both games also random games and mutated texts.

use crate::base::rng::SplitMix64;
use crate::game::position::{Position, Rules};
#[cfg(test)]
pub use tests::positions;

/// `plies` random moves from `pos`, or one more with equal probability; `None` if the game ends on the way.
pub fn random_line<B: Rules>(mut pos: Position<B>, plies: usize, rng: &mut SplitMix64) -> Option<Vec<B::Move>> {
    let mut moves = Vec::new();
    for _ in 0..plies + rng.below(2) {
        let list = pos.legal_moves();
        let all = list.as_slice();
        let m = (!all.is_empty()).then(|| all[rng.below(all.len())])?;
        moves.push(m);
        pos.make(m);
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of a random game: `start`, and those after at most `plies - 1` moves.
    pub fn positions<B: Rules>(start: Position<B>, plies: usize, rng: &mut SplitMix64) -> Vec<Position<B>> {
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
}
