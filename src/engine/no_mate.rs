//! Whether there is a mate in a given number of moves at all: for a search that has nothing else to end it.
//!
//! Called by `deepening` after each iteration of a search whose only limit is a mate. Every move of both sides
//! is tried, nothing is pruned, so "none" is certain; rules that end a game early could only save the defender.
//! It gives up after a number of nodes, and when the search has to end.

use super::job::Shared;
use super::line::is_mated;
use super::searcher::Searcher;
use crate::game::{MoveBuffer, Playable};

/// Nodes of one proof.
const PROOF_NODES: u64 = 20_000_000;
/// Nodes between two looks whether the search has to end.
const LOOK: u64 = 4_096;
/// Mates of more moves are not tried: the nodes would not do, and the stack is not endless.
const MOST_MOVES: u32 = 10;
/// Nodes of a search for a mate, for each move of it …
const MOVE_NODES: u64 = 20_000_000;
/// … and in all.
const MOST_NODES: u64 = 200_000_000;

/// After so many nodes a search for a mate in so many moves, and for nothing else, is given up.
pub(super) fn node_limit(moves: u32) -> u64 {
    MOST_NODES.min(u64::from(moves) * MOVE_NODES)
}

/// The iteration after which such a search is given up: four plies a move and twenty more, for the search
/// prunes, and may see a mate some iterations late.
fn depth_limit(moves: u32) -> u32 {
    moves.saturating_mul(4).saturating_add(20)
}

impl<P: Playable> Searcher<P> {
    /// Whether there is no mate to be looked for any more, after an iteration of `depth` that has found none.
    pub(super) fn gives_up_mate(&mut self, shared: &Shared<'_, P>, depth: u32) -> bool {
        let limits = &shared.job.limits;
        let Some(moves) = limits.mate.filter(|_| limits.is_for_mate_only()) else { return false };
        if moves <= MOST_MOVES && depth == 2 * moves - 1 {
            let root_moves: Vec<_> = self.root_moves.iter().map(|root_move| root_move.m).collect();
            let over = || self.is_over(shared);
            let mut proof = Proof { nodes: 0, over: &over, replies: [P::Move::default(); 32] };
            let found = proof.can_mate(&shared.job.root, &root_moves, depth);
            let nodes = proof.nodes;
            self.nodes += nodes;
            self.mate_refuted = found == Some(false);
            if self.mate_refuted {
                return true;
            }
        }
        depth >= depth_limit(moves)
    }
}

/// A proof in progress. Answers are `None` if it has to be given up.
struct Proof<'a, M> {
    nodes: u64,
    over: &'a dyn Fn() -> bool,
    /// By plies that are left, the reply that saved the defender last: it often does so again.
    replies: [M; 32],
}

impl<M: Copy + Eq> Proof<'_, M> {
    /// Whether one of `moves` leads to a mate within `plies`, an odd number.
    fn can_mate<P: Playable<Move = M>>(
        &mut self,
        pos: &P,
        moves: &[M],
        plies: u32,
    ) -> Option<bool> {
        // Checks first: where there is a mate, they find it.
        for checks in [true, false] {
            if !checks && plies == 1 && !P::STALEMATE_LOSES {
                break;
            }
            for &m in moves {
                let mut child = *pos;
                child.make(m);
                if child.in_check() == checks && self.is_lost(&child, plies - 1)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Whether the side to move is mated within `plies`, an even number, whatever it does.
    fn is_lost<P: Playable<Move = M>>(&mut self, pos: &P, plies: u32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes >= PROOF_NODES || self.nodes.is_multiple_of(LOOK) && (self.over)() {
            return None;
        }
        if plies == 0 {
            return Some(is_mated(pos));
        }
        let mut list = P::List::default();
        pos.legal_moves(&mut list);
        let replies = list.as_slice();
        if replies.is_empty() {
            return Some(is_mated(pos));
        }
        let saved = self.replies[plies as usize];
        let first = replies.iter().filter(|&&reply| reply == saved);
        for &reply in first.chain(replies.iter().filter(|&&reply| reply != saved)) {
            let mut child = *pos;
            child.make(reply);
            let mut moves = P::List::default();
            child.legal_moves(&mut moves);
            if !self.can_mate(&child, moves.as_slice(), plies - 1)? {
                self.replies[plies as usize] = reply;
                return Some(false);
            }
        }
        Some(true)
    }
}
