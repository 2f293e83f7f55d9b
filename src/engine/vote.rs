//! Voting: picks the thread whose result is played.
//!
//! Threads see different parts of the tree: one may have found what the others missed, and a move that several threads
//! prefer is more reliable than that of a single thread. (As in Stockfish and its descendants.)

use super::pv::CompletedPv;
use super::score::{DECIDED_BOUND, Value};

/// Weight, in centipawns, of the vote with the lowest score.
const BASE: Value = 20;

/// The result of one thread: its best line and the depth of it.
pub(super) struct Vote<M> {
    pub depth: u32,
    pub best: CompletedPv<M>,
    /// Whether the thread has found since then that the move loses by force.
    pub refuted: bool,
}

impl<M: Copy + Eq> Vote<M> {
    /// The weight of the vote, given the lowest score of all votes.
    fn weight(&self, lowest: Value) -> i64 {
        i64::from(self.best.score - lowest + BASE) * i64::from(self.depth)
    }
}

/// The index of the result to be played. If any score is a decided win, that is the highest score; otherwise it is
/// the best vote for the move with the most votes. Ties go to the first.
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

    fn elected(results: &[(u16, Value, u32)]) -> usize {
        let votes: Vec<_> = results
            .iter()
            .map(|&(m, score, depth)| {
                let mut best = CompletedPv::new();
                (best.m, best.score) = (m, score);
                Vote { depth, best, refuted: false }
            })
            .collect();
        elect(&votes)
    }

    #[test]
    fn votes_are_weighted_by_score_and_depth() {
        // All equal: the first thread.
        assert_eq!(elected(&[(1, 30, 12); 4]), 0);
        assert_eq!(elected(&[(1, 30, 12)]), 0);
        // Two threads against one; a deeper one; a higher score.
        assert_eq!(elected(&[(1, 30, 12), (2, 30, 12), (2, 30, 12)]), 1);
        assert_eq!(elected(&[(1, 30, 12), (2, 30, 13)]), 1);
        assert_eq!(elected(&[(1, 30, 12), (2, 60, 12)]), 1);
        // The best line of the same move.
        assert_eq!(elected(&[(1, 30, 12), (1, 30, 14), (1, 30, 13)]), 1);
    }

    #[test]
    fn decided_wins_override_the_votes() {
        let [slow, fast] = [mate_in(9), mate_in(5)];
        assert_eq!(elected(&[(1, 500, 20), (1, 500, 20), (2, slow, 9), (3, fast, 8)]), 3);
        assert_eq!(elected(&[(1, fast, 9), (2, slow, 12), (2, slow, 12)]), 0);
        // The thread that sees itself mated has the lowest score.
        assert_eq!(elected(&[(1, -mate_in(4), 12), (2, -80, 11)]), 1);
    }
}
