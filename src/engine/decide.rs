//! What decides the move that is played: the lines of the completed iterations, what has been refuted since, the votes
//! of the helper threads, and what is left of an unfinished iteration.
//!
//! Threads see different parts of the tree: one may have found what the others missed, and a move that several threads
//! prefer is more reliable than that of a single thread (as in Stockfish and its descendants). Nothing here searches or
//! prints; `deepening` reports what is decided here.

use super::job::Shared;
use super::node::{Node, RootMove, is_mated, tt_move};
use super::report::SearchResult;
use super::score::{self, Bound, DECIDED_BOUND, EVAL_BOUND, INFINITE, Value};
use super::searcher::Searcher;
use crate::game::{Position, Searchable};

/// Weight, in centipawns, of the vote with the lowest score.
const BASE: Value = 20;

/// The result of one thread: its best line and the depth of it.
pub(super) struct Vote<M> {
    /// The number of the thread.
    pub thread: usize,
    pub depth: u32,
    pub best: RootMove<M>,
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
fn elect<M: Copy + Eq>(votes: &[Vote<M>]) -> usize {
    let lowest = votes.iter().map(|vote| vote.best.score).min().unwrap_or(0);
    let wins = votes.iter().any(|vote| vote.best.score >= DECIDED_BOUND);
    let rank = |vote: &Vote<M>| {
        let of_move = votes.iter().filter(|other| other.best.m == vote.best.m);
        let all = of_move.map(|other| other.weight(lowest)).sum::<i64>();
        if wins { (i64::from(vote.best.score), 0) } else { (all, vote.weight(lowest)) }
    };
    (0..votes.len()).rev().max_by_key(|&i| rank(&votes[i])).unwrap_or(0)
}

/// Which lines are the final ones of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Final {
    /// Those of the last completed iteration.
    Completed,
    /// The best root move's of an unfinished iteration.
    BestRootMove,
    /// Those of the first iteration, which was not completed.
    FirstDepth,
}

/// The result of this thread, if it has completed an iteration.
pub(super) fn vote<B: Searchable>(searcher: Searcher<'_, B>) -> Option<Vote<B::Move>> {
    searcher.publish_nodes();
    if searcher.completed_depth == 0 {
        return None;
    }
    let refuted = holds_refuted(&searcher);
    Some(Vote {
        thread: searcher.index,
        depth: searcher.completed_depth,
        best: searcher.completed.into_iter().next()?,
        refuted,
    })
}

/// Whether the current iteration has found that the move `m` loses by force.
fn is_refuted<B: Searchable>(searcher: &Searcher<'_, B>, m: B::Move) -> bool {
    searcher.root_moves.iter().any(|r| r.m == m && r.refuted)
}

/// Whether the best move of the last completed iteration has been refuted since. If all moves were lost then, it is
/// still the best known.
fn holds_refuted<B: Searchable>(searcher: &Searcher<'_, B>) -> bool {
    let best = &searcher.completed[0];
    searcher.completed_depth > 0 && !score::is_lost(best.score) && is_refuted(searcher, best.m)
}

/// Replaces a best move that this thread, or a helper according to its result, has found to lose by force since the
/// last completed iteration, unless no other move is left. Such a loss is one of the move only, as long as there
/// are others: it is neither played nor reported as the score of the position.
pub(super) fn withdraw_refuted<B: Searchable>(searcher: &mut Searcher<'_, B>, results: &[Vote<B::Move>]) {
    for root_move in &mut searcher.root_moves {
        root_move.refuted |= results.iter().any(|vote| vote.refuted && vote.best.m == root_move.m);
    }
    let rank = searcher.root_moves[0].rank;
    let other = searcher.root_moves.iter().position(|r| r.rank == rank && !r.refuted);
    if holds_refuted(searcher)
        && let Some(other) = other
    {
        // The lines that hold come first. Without any, another move: its score was not above the best one.
        let (m, before) = (searcher.root_moves[other].m, searcher.completed[0].score);
        for at in (0..searcher.completed.len()).rev() {
            if is_refuted(searcher, searcher.completed[at].m) {
                let line = &mut searcher.completed[at];
                (line.score, line.bound) = (-score::MATE_BOUND, Bound::Upper);
                searcher.completed[at..].rotate_left(1);
            }
        }
        let best = &mut searcher.completed[0];
        if best.bound == Bound::Upper {
            (best.m, best.score, best.selective_depth) = (m, before.min(EVAL_BOUND - 1), 1);
            best.result = searcher.root_moves[other].result;
            best.line.set(m, &[]);
        }
        // Continue as if these were the results of that iteration.
        (searcher.reported, searcher.stopped) = (false, false);
        restore_completed(searcher);
    } else if searcher.stopped
        && searcher.root_moves[0].refuted
        && let Some(first) = other.or((searcher.completed_depth > 0).then_some(0))
    {
        // The unfinished iteration has found nothing but this loss.
        searcher.root_moves[..=first].rotate_right(1);
        searcher.root_moves[0].score = -INFINITE;
    }
}

/// Replaces this thread's result with a helper's, if the vote over all `results` picks that.
pub(super) fn apply_vote<B: Searchable>(searcher: &mut Searcher<'_, B>, mut results: Vec<Vote<B::Move>>) {
    if searcher.completed_depth == 0 {
        return;
    }
    let RootMove { m, rank, .. } = searcher.root_moves[0];
    let ranks = &searcher.root_moves;
    results.retain(|vote| ranks.iter().any(|r| r.m == vote.best.m && r.rank == rank && !r.refuted));
    let mut own =
        Vote { thread: 0, depth: searcher.completed_depth, best: searcher.completed[0].clone(), refuted: false };
    if searcher.root_moves[0].score != -INFINITE {
        (own.best.m, own.best.score) = (m, searcher.root_moves[0].score);
    }
    results.insert(0, own);
    let elected = elect(&results);
    if elected > 0 {
        let Vote { depth, best, .. } = results.swap_remove(elected);
        searcher.completed[0] = best;
        // Continue as if this thread had just completed that iteration.
        (searcher.completed_depth, searcher.reported, searcher.stopped) = (depth, false, false);
        restore_completed(searcher);
    }
}

/// Puts the move to be played first among the root moves, with its line; returns which lines show it.
pub(super) fn choose_final<B: Searchable>(searcher: &mut Searcher<'_, B>) -> Final {
    if !searcher.stopped {
        return Final::Completed;
    }
    if searcher.completed_depth == 0 {
        choose_first_depth(searcher);
        return Final::FirstDepth;
    }
    if searcher.completed.len() == 1 && improves_unfinished(searcher) {
        return Final::BestRootMove;
    }
    // The lines of an unfinished iteration have different depths.
    restore_completed(searcher);
    Final::Completed
}

/// Whether an unfinished iteration of one line has found something that replaces the last completed one.
fn improves_unfinished<B: Searchable>(searcher: &mut Searcher<'_, B>) -> bool {
    let best = &mut searcher.root_moves[0];
    if best.score == -INFINITE {
        return false;
    }
    if score::is_mate(best.score) && best.bound == Bound::Lower {
        // The mate has just been found; the transposition table may complete its line.
        let line = to_mate(searcher.shared, best.line.as_slice(), best.score);
        if let Some(line) = line {
            best.line.copy(&line);
            best.bound = Bound::Exact;
        }
    }
    best.bound == Bound::Exact || best.m != searcher.completed[0].m
}

/// Gives the first move its static evaluation as a score if not even one move was searched.
fn choose_first_depth<B: Searchable>(searcher: &mut Searcher<'_, B>) {
    if searcher.root_moves[0].score == -INFINITE {
        let root = searcher.shared.job.root;
        let score = if root.in_check() { 0 } else { searcher.evaluate(Node::root(&root)) };
        let best = &mut searcher.root_moves[0];
        (best.score, best.bound, best.selective_depth) = (score, Bound::Exact, 1);
        best.line.set(best.m, &[]);
    }
}

/// Moves the best move of the last completed iteration to the front again.
fn restore_completed<B: Searchable>(searcher: &mut Searcher<'_, B>) {
    let RootMove { m, score, bound, line, .. } = &searcher.completed[0];
    let Some(at) = searcher.root_moves.iter().position(|r| r.m == *m) else { return };
    searcher.root_moves[..=at].rotate_right(1);
    let best = &mut searcher.root_moves[0];
    (best.score, best.bound) = (*score, *bound);
    best.line.copy(line.as_slice());
}

/// The move to be played, the expected reply and the score.
pub(super) fn answer<B: Searchable>(searcher: &Searcher<'_, B>) -> SearchResult<B::Move> {
    let best = &searcher.root_moves[0];
    let score = if best.score == -INFINITE { best.previous } else { best.score };
    // The table's reply where the line has only one move.
    let ponder = best.line.as_slice().get(1).copied().or_else(|| reply_to(searcher, best.m));
    searcher.publish_nodes();
    SearchResult {
        best: Some(best.m),
        ponder,
        score,
        depth: searcher.completed_depth,
        nodes: searcher.shared.total_nodes(),
    }
}

/// The transposition table's reply to the root move `m`.
pub(super) fn reply_to<B: Searchable>(searcher: &Searcher<'_, B>, m: B::Move) -> Option<B::Move> {
    let mut child = searcher.shared.job.root;
    child.make(m);
    let entry = searcher.shared.job.tt.probe(child.key())?;
    tt_move(&child, &entry)
}

/// `line` extended by table moves to the mate that `score` promises; `None` if the table does not have them all.
fn to_mate<B: Searchable>(shared: &Shared<B>, line: &[B::Move], score: Value) -> Option<Vec<B::Move>> {
    let plies = score::mate_plies(score)?.unsigned_abs() as usize;
    let mut pos = shared.job.root;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let ply = moves.len();
        let value = if ply % 2 == 0 { score } else { -score };
        let m = match line.get(ply) {
            Some(&m) => pos.is_legal(m).then_some(m)?,
            None => step_to_mate(shared, &pos, ply, value)?,
        };
        moves.push(m);
        pos.make(m);
    }
    is_mated(&pos).then_some(moves)
}

/// A move of `pos`, `ply` plies from the root, that keeps the mate score `value`.
fn step_to_mate<B: Searchable>(shared: &Shared<B>, pos: &Position<B>, ply: usize, value: Value) -> Option<B::Move> {
    let list = pos.legal_moves();
    list.as_slice().iter().copied().find(|&m| {
        let mut child = *pos;
        child.make(m);
        if value == score::mate_in(ply + 1) {
            return is_mated(&child);
        }
        // The mating side needs an upper bound for the child (or an exact score), the other side a lower bound.
        let other = if value > 0 { Bound::Lower } else { Bound::Upper };
        let entry = shared.job.tt.probe(child.key());
        entry.is_some_and(|entry| entry.bound != other && score::from_tt(entry.score, ply + 1) == -value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::node::RootRanks;
    use crate::engine::score::mate_in;

    fn elected(results: &[(u16, Value, u32)]) -> usize {
        let votes: Vec<_> = results
            .iter()
            .map(|&(m, score, depth)| {
                let mut best = RootMove::new(m, &RootRanks { ranked: Vec::new(), max_pieces: 0 });
                best.score = score;
                Vote { thread: 0, depth, best, refuted: false }
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
