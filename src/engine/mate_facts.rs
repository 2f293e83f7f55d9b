//! What the proofs of a search for a mate have found out, and what they need to know of the game before it.
//!
//! Kept by `searcher`, filled by `mate_proof`. Memory is taken when a search begins; nothing here searches.

use super::score::MAX_PLY;
use crate::game::Playable;

/// Mates of more moves are not tried: no line is longer.
pub(super) const LONGEST_MATE: u32 = MAX_PLY as u32 / 2;
/// Positions that are remembered, a power of two; 16 MiB.
const REMEMBERED: usize = 1 << 20;
/// Seed of the keys they are remembered by.
const SEED: u64 = 0x6d61_7465;
/// Mixes the state of the move counter into a key.
const COUNTER_KEY: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// What the proofs of one search have found out.
pub(super) struct Proof<P: Playable> {
    /// There is no mate in so many moves or fewer.
    pub excluded: u32,
    /// Nodes of all proofs.
    pub nodes: u64,
    /// Nodes of the last attempt at the next number of moves, which was broken off.
    pub broken_off: u64,
    /// A proof ends when the search has so many nodes.
    pub until: u64,
    /// Whether the move counter may run out before the mate.
    pub counter_matters: bool,
    /// Keys of the positions that have occurred twice in the game.
    repeated: Vec<u64>,
    keys: P::Keys,
    pub known: Known,
    /// By moves that are left, the last move that mated, and the last two replies that saved the defender: they
    /// often do so again.
    pub attacks: [P::Move; LONGEST_MATE as usize + 1],
    pub replies: [[P::Move; 2]; LONGEST_MATE as usize + 1],
    /// How often a reply saved the defender, by its code.
    pub saved: Vec<u32>,
}

impl<P: Playable> Proof<P> {
    /// Ready for a search that has asked nothing yet; `trail` is the game up to its root.
    pub(super) fn new(trail: &[P::Step]) -> Box<Self> {
        let mut keys: Vec<u64> = trail.iter().map(P::key_of).collect();
        keys.sort_unstable();
        let mut repeated: Vec<u64> =
            keys.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        repeated.dedup();
        Box::new(Proof {
            excluded: 0,
            nodes: 0,
            broken_off: 0,
            until: 0,
            counter_matters: false,
            repeated,
            keys: P::wide_keys(SEED),
            known: Known(vec![0; REMEMBERED]),
            attacks: [P::Move::default(); LONGEST_MATE as usize + 1],
            replies: [[P::Move::default(); 2]; LONGEST_MATE as usize + 1],
            saved: vec![0; P::CODES],
        })
    }

    /// Whether the rules end the game at `pos` without mate.
    #[inline(always)]
    pub(super) fn is_ended(&self, pos: &P) -> bool {
        self.counter_matters && pos.verdict(0, &[], 0).is_some()
            || !self.repeated.is_empty() && self.repeated.binary_search(&pos.key()).is_ok()
    }

    /// The key of `pos`, equal for positions with the same answers.
    pub(super) fn key(&self, pos: &P) -> u128 {
        let key = pos.wide_key(&self.keys);
        if !self.counter_matters {
            return key;
        }
        key ^ u128::from(pos.plies_to_draw() + 1).wrapping_mul(COUNTER_KEY)
    }
}

/// What is known about positions in which the attacker is to move: 112 bits of a key, the most moves in which
/// there is no mate, and the fewest in which there is one, 0 if that is not known. Pairs of entries: the first is
/// replaced by what took more moves, the second always.
pub(super) struct Known(Vec<u128>);

impl Known {
    fn at(&self, key: u128) -> [usize; 2] {
        let first = (key >> 64) as usize & (self.0.len() - 1) & !1;
        [first, first | 1]
    }

    /// The most moves without a mate, and the fewest with one.
    fn read(entry: u128) -> (u32, u32) {
        (entry as u32 & 255, entry as u32 >> 8 & 255)
    }

    /// Whether there is a mate in `moves` or fewer.
    pub(super) fn recall(&self, key: u128, moves: u32) -> Option<bool> {
        let at = self.at(key).into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0)?;
        let (none, some) = Self::read(self.0[at]);
        match moves {
            _ if moves <= none => Some(false),
            _ if some > 0 && moves >= some => Some(true),
            _ => None,
        }
    }

    pub(super) fn remember(&mut self, key: u128, moves: u32, mates: bool) {
        let [first, second] = self.at(key);
        let known = [first, second].into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0);
        let at = known.unwrap_or_else(|| {
            let (none, some) = Self::read(self.0[first]);
            if none.max(some) <= moves { first } else { second }
        });
        let (mut none, mut some) = known.map_or((0, 0), |at| Self::read(self.0[at]));
        if mates {
            some = if some == 0 { moves } else { some.min(moves) };
        } else {
            none = none.max(moves);
        }
        self.0[at] = key >> 16 << 16 | u128::from(some << 8 | none);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use std::collections::HashMap;

    /// What is recalled follows from what was said of the same position, whatever has been forgotten.
    #[test]
    fn nothing_is_recalled_that_was_not_remembered() {
        let mut rng = SplitMix64::new(3);
        let mut known = Known(vec![0; 64]);
        // Many more positions than entries; each has its shortest mate.
        let positions: Vec<(u128, u32)> = (0..200)
            .map(|_| {
                let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                (key, 1 + rng.below(LONGEST_MATE as usize) as u32)
            })
            .collect();
        let (mut said, mut recalled) = (HashMap::<u128, Vec<u32>>::new(), [0; 2]);
        for _ in 0..50_000 {
            let (key, shortest) = positions[rng.below(positions.len())];
            let moves = 1 + rng.below(LONGEST_MATE as usize) as u32;
            if let Some(mates) = known.recall(key, moves) {
                assert_eq!(mates, moves >= shortest);
                recalled[usize::from(mates)] += 1;
                let said = &said[&key];
                assert!(said.iter().any(|&m| if mates { m <= moves } else { m >= moves }));
            }
            known.remember(key, moves, moves >= shortest);
            said.entry(key).or_default().push(moves);
        }
        assert!(recalled.into_iter().all(|times| times > 1_000), "{recalled:?}");
    }
}
