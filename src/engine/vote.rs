//! Which thread's result is played when several have searched.
//!
//! Asked by `worker` at the end of a search. Threads see different parts of the tree: one may have found what the
//! others have not, and a move that several have come to is better founded than one of a single thread. (As Stockfish
//! and its descendants do.)

use super::line::Settled;
use super::score::{DECIDED_BOUND, Score};

/// What a vote is worth even if its score is the lowest, in centipawns.
const BASE: Score = 20;

/// The result of one thread: its best line and the depth of it.
pub(super) struct Vote<M> {
    pub depth: u32,
    pub best: Settled<M>,
}

impl<M: Copy + Eq> Vote<M> {
    /// Its weight where the lowest score of all is `lowest`.
    fn weight(&self, lowest: Score) -> i64 {
        i64::from(self.best.score - lowest + BASE) * i64::from(self.depth)
    }
}

/// The number of the result to be played: the highest score if one wins for certain, else the best line of the move that
/// gets most votes. The first of equal ones.
pub(super) fn elect<M: Copy + Eq>(votes: &[Vote<M>]) -> usize {
    let lowest = votes.iter().map(|vote| vote.best.score).min().unwrap_or(0);
    let wins = votes.iter().any(|vote| vote.best.score >= DECIDED_BOUND);
    let rank = |vote: &Vote<M>| {
        let of_move = votes.iter().filter(|other| other.best.m == vote.best.m);
        let all = of_move.map(|other| other.weight(lowest)).sum::<i64>();
        if wins { (i64::from(vote.best.score), 0) } else { (all, vote.weight(lowest)) }
    };
    (0..votes.len()).rev().max_by_key(|&i| rank(&votes[i])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::score::mate_in;

    fn elected(results: &[(u16, Score, u32)]) -> usize {
        let votes: Vec<_> = results
            .iter()
            .map(|&(m, score, depth)| {
                let mut best = Settled::new();
                (best.m, best.score) = (m, score);
                Vote { depth, best }
            })
            .collect();
        elect(&votes)
    }

    #[test]
    fn depth_score_and_numbers_count() {
        // All alike: the first thread's.
        assert_eq!(elected(&[(1, 30, 12); 4]), 0);
        assert_eq!(elected(&[(1, 30, 12)]), 0);
        // Two threads against one, a deeper one, a higher score.
        assert_eq!(elected(&[(1, 30, 12), (2, 30, 12), (2, 30, 12)]), 1);
        assert_eq!(elected(&[(1, 30, 12), (2, 30, 13)]), 1);
        assert_eq!(elected(&[(1, 30, 12), (2, 60, 12)]), 1);
        // Of one move the best line.
        assert_eq!(elected(&[(1, 30, 12), (1, 30, 14), (1, 30, 13)]), 1);
    }

    #[test]
    fn what_wins_for_certain_needs_no_votes() {
        let [slow, fast] = [mate_in(9), mate_in(5)];
        assert_eq!(elected(&[(1, 500, 20), (1, 500, 20), (2, slow, 9), (3, fast, 8)]), 3);
        assert_eq!(elected(&[(1, fast, 9), (2, slow, 12), (2, slow, 12)]), 0);
        // Who sees a mate against them all has the lowest score.
        assert_eq!(elected(&[(1, -mate_in(4), 12), (2, -80, 11)]), 1);
    }
}
