//! What a search says while it runs and when it ends: lines, figures, current moves, refutations.
//!
//! Called by `deepening` between iterations and by `searcher` about once a second, on the first thread only.
//! It says nothing that does not hold: a score of mate has a line that ends in mate, lines of several ranks
//! are of one depth, and what was broken off is shown as the bound that it is or not at all. It never
//! searches and never prints by itself.

use super::endgame::value_of;
use super::job::Shared;
use super::line::{is_mated, reaches_mate};
use super::node::{Node, table_move};
use super::report::{Info, Progress};
use super::score::{self, Bound, EVAL_BOUND, INFINITE, Score};
use super::searcher::{RootMove, Searcher, rate};
use super::vote::{Vote, elect};
use crate::base::lock::lock;
use crate::game::{Playable, TableResult};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Time before which nothing is said about the move being searched, nor after each iteration about
/// refutations.
pub(super) const QUIET_START: Duration = Duration::from_secs(1);
/// Time between two moves that are named as being searched.
const MOVE_PACE: Duration = Duration::from_millis(20);
/// Time between two reports of progress.
const PROGRESS_PACE: Duration = Duration::from_secs(1);

/// A line about to be said.
struct Shown<'a, M> {
    depth: u32,
    rank: usize,
    score: Score,
    bound: Bound,
    selective_depth: usize,
    result: Option<TableResult>,
    line: &'a [M],
    repeated: bool,
    last: bool,
}

/// Reports the score of a position without a legal move.
pub(super) fn report_no_move<P: Playable>(shared: &Shared<'_, P>) {
    let in_check = shared.job.root.in_check();
    shared.job.report.info(&Info {
        depth: 0,
        selective_depth: 0,
        multi_pv: 1,
        score: Searcher::<P>::no_move(in_check, 0),
        bound: Bound::Exact,
        nodes: 0,
        nps: 0,
        hash_full: 0,
        table_base_hits: 0,
        time: shared.job.started.elapsed(),
        pv: &[],
        repeated: false,
        last: true,
    });
}

impl<P: Playable> Searcher<'_, P> {
    // --- lines --------------------------------------------------------------------------------------

    /// Keeps the lines of an iteration that was finished, and says them unless too much was said just now.
    pub(super) fn settle(&mut self, depth: u32) {
        self.keep(depth);
        let lines = self.settled.len() * self.shared.job.report.lines_per_info();
        self.said = self.rate_limit.allows(lines, self.shared.job.started.elapsed());
        if self.said {
            self.say_settled(false, false);
        }
    }

    /// Keeps the lines of an iteration as the best ones known.
    pub(super) fn keep(&mut self, depth: u32) {
        self.settled_depth = depth;
        for (settled, root_move) in self.settled.iter_mut().zip(&self.root_moves) {
            let &RootMove { m, score, selective_depth, result, .. } = root_move;
            (settled.m, settled.score) = (m, score);
            (settled.selective_depth, settled.result) = (selective_depth, result);
            settled.line.copy(root_move.line.as_slice());
        }
    }

    pub(super) fn say_settled(&self, repeated: bool, last: bool) {
        for (rank, settled) in self.settled.iter().enumerate() {
            self.say(&Shown {
                depth: self.settled_depth,
                rank,
                score: settled.score,
                bound: Bound::Exact,
                selective_depth: settled.selective_depth,
                result: settled.result,
                line: settled.line.as_slice(),
                repeated,
                last,
            });
        }
    }

    /// Says the root move of rank `rank` with its score of the running iteration.
    fn say_fresh(&self, rank: usize, last: bool) {
        let root_move = &self.root_moves[rank];
        self.say(&Shown {
            depth: self.root_depth as u32,
            rank,
            score: root_move.score,
            bound: root_move.bound,
            selective_depth: root_move.selective_depth,
            result: root_move.result,
            line: root_move.line.as_slice(),
            repeated: false,
            last,
        });
    }

    /// Says that the best root move has left the window, where its iteration takes long.
    pub(super) fn report_bound(&mut self) {
        let time = self.shared.job.started.elapsed();
        // A mate that is not known exactly has no line; it soon will be.
        if !score::is_mate(self.root_moves[0].score)
            && self.rate_limit.allows(self.shared.job.report.lines_per_info(), time)
        {
            self.say_fresh(0, false);
        }
    }

    /// What this thread has found, if it has finished an iteration.
    pub(super) fn result(self) -> Option<Vote<P::Move>> {
        let depth = self.settled_depth;
        let best = self.settled.into_iter().next().filter(|_| depth > 0)?;
        Some(Vote { depth, best })
    }

    /// Makes the result of a helper the own one, if `results` of all helpers say so.
    pub(super) fn listen_to(&mut self, mut results: Vec<Vote<P::Move>>) {
        if self.settled_depth == 0 {
            return;
        }
        let RootMove { m, rank, .. } = self.root_moves[0];
        let ranks = &self.root_moves;
        results.retain(|vote| ranks.iter().any(|r| r.m == vote.best.m && r.rank == rank));
        let mut own = Vote { depth: self.settled_depth, best: self.settled[0].clone() };
        if self.root_moves[0].score != -INFINITE {
            (own.best.m, own.best.score) = (m, self.root_moves[0].score);
        }
        results.insert(0, own);
        let elected = elect(&results);
        if elected > 0 {
            let Vote { depth, best } = results.swap_remove(elected);
            self.settled[0] = best;
            // As if that iteration had been the last one of this thread.
            (self.settled_depth, self.said, self.stopped) = (depth, false, false);
            self.take_back();
        }
    }

    /// Says what is known at the end of a search, and puts the move to be played first, with its line.
    pub(super) fn conclude(&mut self) {
        if !self.stopped {
            if !self.said {
                self.say_settled(false, true);
            }
        } else if self.settled_depth == 0 {
            self.conclude_first_depth();
        } else if self.settled.len() == 1 {
            self.conclude_broken_off();
        } else {
            // The lines of an unfinished iteration are of different depths: the result is that of the last
            // one that was finished.
            self.take_back();
            self.say_settled(self.said, true);
        }
        if self.shared.job.settings.show_refutations {
            self.report_refutations();
        }
    }

    /// Ends a search for one line in the middle of an iteration.
    fn conclude_broken_off(&mut self) {
        let best = &mut self.root_moves[0];
        let known = best.score != -INFINITE;
        if known && score::is_mate(best.score) && best.bound == Bound::Lower {
            // The table may know the way to a mate that has only just been seen.
            let line = to_mate(self.shared, best.line.as_slice(), best.score);
            if let Some(line) = line {
                best.line.copy(&line);
                best.bound = Bound::Exact;
            }
        }
        if known && best.bound == Bound::Exact {
            self.say_fresh(0, true);
        } else if best.m == self.settled[0].m || !known {
            self.take_back();
            self.say_settled(self.said, true);
        } else {
            self.say_fresh(0, true);
        }
    }

    /// Ends a search whose first iteration was not finished.
    fn conclude_first_depth(&mut self) {
        if self.root_moves[0].score == -INFINITE {
            // Not one move was searched: the position's value has to do for the move that will be played.
            let root = self.shared.job.root;
            let score = if root.in_check() { 0 } else { self.evaluate(Node::root(&root)) };
            let best = &mut self.root_moves[0];
            (best.score, best.bound, best.selective_depth) = (score, Bound::Exact, 1);
            best.line.set(best.m, &[]);
        }
        for rank in 0..self.settled.len() {
            if self.root_moves[rank].score != -INFINITE {
                self.say_fresh(rank, true);
            }
        }
    }

    /// Makes the best move of the last finished iteration the best one again.
    fn take_back(&mut self) {
        let settled = &self.settled[0];
        let Some(at) = self.root_moves.iter().position(|r| r.m == settled.m) else { return };
        self.root_moves[..=at].rotate_right(1);
        let best = &mut self.root_moves[0];
        (best.score, best.bound) = (settled.score, Bound::Exact);
        best.line.copy(settled.line.as_slice());
    }

    fn say(&self, shown: &Shown<'_, P::Move>) {
        let shared = self.shared;
        let &Shown { depth, rank, line, repeated, last, .. } = shown;
        let (score, bound) = self.claim(shown);
        let time = shared.job.started.elapsed();
        let nodes = self.all_nodes();
        shared.job.report.info(&Info {
            depth,
            selective_depth: shown.selective_depth.max(1) as u32,
            multi_pv: rank as u32 + 1,
            score,
            bound,
            nodes,
            nps: rate(nodes, time),
            hash_full: shared.table.permille(),
            table_base_hits: shared.table_hits.load(Relaxed),
            time,
            pv: line,
            repeated,
            last,
        });
    }

    /// The score of a line as it may be said: a value fixed from outside holds for the whole position, and no
    /// other line is better than the best one.
    fn claim(&self, shown: &Shown<'_, P::Move>) -> (Score, Bound) {
        let (score, bound) = proved(self.shared, shown);
        match self.known_value(self.shared.job.root.key()) {
            Some(value) if shown.rank == 0 => (value, Bound::Exact),
            Some(value) => (value.min(score), bound),
            None => (score, bound),
        }
    }

    /// Nodes of all threads, own ones exactly.
    fn all_nodes(&self) -> u64 {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
        self.shared.total_nodes()
    }

    // --- replies ------------------------------------------------------------------------------------

    /// The reply that the table knows to the best move, when the line does not tell.
    pub(super) fn guess_reply(&self) -> Option<P::Move> {
        let best = self.root_moves[0].m;
        self.reply_to(best)
    }

    fn reply_to(&self, m: P::Move) -> Option<P::Move> {
        let root = &self.shared.job.root;
        let mut child = *root;
        child.make(m);
        let entry = self.shared.table.probe(root.key_after(root.key(), m))?;
        table_move(&child, &entry)
    }

    /// Reports what refutes the root moves that are not played, after an iteration of a long search.
    pub(super) fn report_refutations_in_time(&mut self) {
        let time = self.shared.job.started.elapsed();
        if time >= QUIET_START && self.rate_limit.allows(self.root_moves.len(), time) {
            self.report_refutations();
        }
    }

    fn report_refutations(&self) {
        for root_move in &self.root_moves[1..] {
            let reply = self.reply_to(root_move.m);
            self.shared.job.report.refutation(root_move.m, reply.as_slice());
        }
    }

    // --- while an iteration runs --------------------------------------------------------------------

    /// Reports what is due at `time`: the root move being searched, and once a second the figures.
    pub(super) fn report_in_time(&mut self, time: Duration) {
        if time >= QUIET_START
            && time >= self.last_move_time + MOVE_PACE
            && let Some((m, number)) = self.current_move.take()
        {
            self.last_move_time = time;
            self.rate_limit.spend(1, time);
            self.shared.job.report.current_move(self.root_depth as u32, m, number as u32);
        }
        if time >= self.last_progress + PROGRESS_PACE {
            self.last_progress = time;
            self.report_progress(time);
        }
    }

    #[inline(never)]
    fn report_progress(&mut self, time: Duration) {
        let shared = self.shared;
        self.rate_limit.spend(1 + shared.current_lines.len(), time);
        let nodes = shared.total_nodes();
        shared.job.report.progress(&Progress {
            nodes,
            nps: rate(nodes, time),
            hash_full: shared.table.permille(),
            time,
        });
        for (cpu, line) in shared.current_lines.iter().enumerate() {
            let line = lock(line).clone();
            shared.job.report.current_line(cpu as u32 + 1, line.as_slice());
        }
    }

    /// Shows the others the line that this thread is looking at.
    #[inline(never)]
    pub(super) fn publish_line(&self) {
        let shared = self.shared;
        let Some(shown) = shared.current_lines.get(self.index) else { return };
        let mut shown = lock(shown);
        let mut pos = shared.job.root;
        shown.clear();
        for m in self.moves_on_the_way() {
            // Passing, for one, is no move.
            if !pos.is_legal(m) {
                break;
            }
            shown.push(m);
            pos.make(m);
        }
        if shown.as_slice().is_empty() {
            shown.push(self.root_moves[self.first_root].m);
        }
    }
}

/// The score of a line as far as it is known: endgame tables know better, but for mates that the search has
/// seen; and a mate to which the line does not lead is only a bound.
fn proved<P: Playable>(shared: &Shared<'_, P>, shown: &Shown<'_, P::Move>) -> (Score, Bound) {
    let &Shown { score, bound, result, line, .. } = shown;
    if score::is_mate(score) {
        if bound == Bound::Exact && reaches_mate(&shared.job.root, line, score) {
            return (score, bound);
        }
        let bound = if score > 0 { Bound::Lower } else { Bound::Upper };
        return (score.signum() * (EVAL_BOUND - 1), bound);
    }
    match result {
        Some(result) => (value_of(result, 1, shared.job.settings.fifty_moves).0, bound),
        None => (score, bound),
    }
}

/// The moves of `line` and those by which the table goes on to the mate that `score` promises; `None` if it does
/// not know them all.
fn to_mate<P: Playable>(
    shared: &Shared<'_, P>,
    line: &[P::Move],
    score: Score,
) -> Option<Vec<P::Move>> {
    let plies = score::mate_plies(score)?.unsigned_abs() as usize;
    let (mut pos, mut key) = (shared.job.root, shared.job.root.key());
    let mut moves = Vec::new();
    while moves.len() < plies {
        let ply = moves.len();
        let value = if ply % 2 == 0 { score } else { -score };
        let m = match line.get(ply) {
            Some(&m) => pos.is_legal(m).then_some(m)?,
            None => step_to_mate(shared, &pos, key, ply, value)?,
        };
        moves.push(m);
        key = pos.key_after(key, m);
        pos.make(m);
    }
    is_mated(&pos).then_some(moves)
}

/// A move of `pos`, `ply` plies from the root, that keeps its `value`, which is a mate.
fn step_to_mate<P: Playable>(
    shared: &Shared<'_, P>,
    pos: &P,
    key: u64,
    ply: usize,
    value: Score,
) -> Option<P::Move> {
    let list = pos.legal_moves();
    list.as_slice().iter().copied().find(|&m| {
        let mut child = *pos;
        child.make(m);
        if value == score::mate_in(ply + 1) {
            return is_mated(&child);
        }
        // Whoever mates needs a child that is no better for the other side, and the other way round.
        let other = if value > 0 { Bound::Lower } else { Bound::Upper };
        let entry = shared.table.probe(pos.key_after(key, m));
        entry.is_some_and(|entry| {
            entry.bound != other && score::from_table(entry.score, ply + 1) == -value
        })
    })
}
