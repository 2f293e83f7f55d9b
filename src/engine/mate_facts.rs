//! The state of the mate proofs: hash table, killers, and the repetitions in the game history.
//!
//! Memory is allocated when a search starts; nothing here searches.

use super::score::MAX_PLY;
use crate::base::pages::has_room;
use crate::game::count::packing::fold;
use crate::game::{Half as _, Position, Searchable};
use std::hash::{Hash as _, Hasher};

/// Longest mate that is tried, in moves; no line is longer.
pub(super) const LONGEST_MATE: u32 = MAX_PLY as u32 / 2;
/// Entries of the proof's hash table, a power of two; 16 MiB.
const TABLE_ENTRIES: usize = 1 << 20;

/// The state of the proofs of one search.
pub(super) struct Proof<B: Searchable> {
    /// Proven: in this many moves or fewer the side to move does not mate; and it is not mated.
    pub excluded: [u32; 2],
    /// Nodes of all proofs so far.
    pub nodes: u64,
    /// Nodes of the last attempt for the next number of moves of either kind, if it was aborted; else 0.
    pub aborted_nodes: [u64; 2],
    /// The proof is aborted when the thread has searched this many nodes.
    pub node_limit: u64,
    /// Whether the half-move clock may end the game before the mate.
    pub counter_matters: bool,
    /// Keys of the positions that have occurred at least twice in the game.
    repeated: Vec<u64>,
    pub table: ProofTable,
    /// By moves left: the last mating move, and the last two replies that avoided mate (killers).
    pub mating_moves: [B::Move; LONGEST_MATE as usize + 1],
    pub killers: [[B::Move; 2]; LONGEST_MATE as usize + 1],
    /// How often a reply avoided mate, by its code (history).
    pub reply_history: Vec<u32>,
}

impl<B: Searchable> Proof<B> {
    /// The state before the first proof; `trail` is the game history up to the root. `None` if there is no memory for
    /// its table.
    pub(super) fn new(trail: &[B::Step]) -> Option<Box<Self>> {
        if !has_room(2 * TABLE_ENTRIES * size_of::<u128>()) {
            return None;
        }
        let mut keys: Vec<u64> = trail.iter().map(B::key_of).collect();
        keys.sort_unstable();
        let mut repeated: Vec<u64> = keys.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        repeated.dedup();
        Some(Box::new(Proof {
            excluded: [0; 2],
            nodes: 0,
            aborted_nodes: [0; 2],
            node_limit: 0,
            counter_matters: false,
            repeated,
            table: ProofTable(vec![0; TABLE_ENTRIES]),
            mating_moves: [B::Move::default(); LONGEST_MATE as usize + 1],
            killers: [[B::Move::default(); 2]; LONGEST_MATE as usize + 1],
            reply_history: vec![0; B::CODES],
        }))
    }

    /// Whether the rules end the game at `pos` without mate.
    #[inline(always)]
    pub(super) fn is_ended(&self, pos: &Position<B>) -> bool {
        self.counter_matters && B::verdict(pos, &[], 0).is_some()
            || !self.repeated.is_empty() && self.repeated.binary_search(&pos.key()).is_ok()
    }

    /// The hash key of `pos`. Positions with the same key have the same proof results.
    pub(super) fn key(&self, pos: &Position<B>) -> u128 {
        let counter = if self.counter_matters { 1 + B::counter_state(pos) } else { 0 };
        let mut hasher = KeyHasher([1, 2]);
        (B::Half::pack(pos), counter).hash(&mut hasher);
        let [low, high] = hasher.0;
        u128::from(high) << 64 | u128::from(low)
    }
}

/// Two hashes of 64 bits: a wrong proof caused by two positions with the same key is an error that nobody would notice.
struct KeyHasher([u64; 2]);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        // Odd numbers without a pattern: 2⁶⁴ times the fractional parts of the golden ratio and of √2.
        const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909];
        for (hash, factor) in self.0.iter_mut().zip(FACTORS) {
            *hash = fold(*hash ^ word, factor);
        }
    }
    fn finish(&self) -> u64 {
        self.0[0]
    }
}

/// The proof's hash table, for positions with the attacker to move. An entry has 112 bits of the key, the largest
/// number of moves proven to have no mate, and the smallest proven to have one (0 if unknown). Buckets have two
/// entries: the first is replaced by results for at least as many moves, the second always.
pub(super) struct ProofTable(Vec<u128>);

impl ProofTable {
    fn at(&self, key: u128) -> [usize; 2] {
        let first = (key >> 64) as usize & (self.0.len() - 1) & !1;
        [first, first | 1]
    }

    /// The largest number of moves without a mate, and the smallest with one.
    fn read(entry: u128) -> (u32, u32) {
        (entry as u32 & 255, entry as u32 >> 8 & 255)
    }

    /// Whether there is a mate in `moves` or fewer, if known.
    pub(super) fn probe(&self, key: u128, moves: u32) -> Option<bool> {
        let at = self.at(key).into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0)?;
        let (no_mate, mate) = Self::read(self.0[at]);
        match moves {
            _ if moves <= no_mate => Some(false),
            _ if mate > 0 && moves >= mate => Some(true),
            _ => None,
        }
    }

    pub(super) fn store(&mut self, key: u128, moves: u32, mates: bool) {
        let [first, second] = self.at(key);
        let known = [first, second].into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0);
        let at = known.unwrap_or_else(|| {
            let (no_mate, mate) = Self::read(self.0[first]);
            if no_mate.max(mate) <= moves { first } else { second }
        });
        let (mut no_mate, mut mate) = known.map_or((0, 0), |at| Self::read(self.0[at]));
        if mates {
            mate = if mate == 0 { moves } else { mate.min(moves) };
        } else {
            no_mate = no_mate.max(moves);
        }
        self.0[at] = key >> 16 << 16 | u128::from(mate << 8 | no_mate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use std::collections::HashMap;

    /// Every probe result follows from stored results for the same position, even after replacements.
    #[test]
    fn probe_results_follow_from_stored_ones() {
        let mut rng = SplitMix64::new(3);
        let mut known = ProofTable(vec![0; 64]);
        // Many more positions than entries; each has a shortest mate.
        let positions: Vec<(u128, u32)> = (0..200)
            .map(|_| {
                let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                (key, 1 + rng.below(LONGEST_MATE as usize) as u32)
            })
            .collect();
        let (mut stored, mut recalled) = (HashMap::<u128, Vec<u32>>::new(), [0; 2]);
        for _ in 0..50_000 {
            let (key, shortest) = positions[rng.below(positions.len())];
            let moves = 1 + rng.below(LONGEST_MATE as usize) as u32;
            if let Some(mates) = known.probe(key, moves) {
                assert_eq!(mates, moves >= shortest);
                recalled[usize::from(mates)] += 1;
                let stored = &stored[&key];
                assert!(stored.iter().any(|&m| if mates { m <= moves } else { m >= moves }));
            }
            known.store(key, moves, moves >= shortest);
            stored.entry(key).or_default().push(moves);
        }
        assert!(recalled.into_iter().all(|times| times > 1_000), "{recalled:?}");
    }
}
