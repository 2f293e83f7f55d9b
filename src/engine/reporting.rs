//! Reports of a search while it runs and at its end: lines, statistics, current moves, refutations.
//!
//! Except for `publish_line`, on the first thread only. It reports only what is proven: a mate score comes with a line
//! that ends in mate, all lines of a MultiPV search are of the same depth, and results of an unfinished iteration are
//! reported as bounds or not at all. It never searches, and prints only through `Report`.

use super::endgame::value_of;
use super::job::Shared;
use super::node::{Node, table_move};
use super::pv::{is_mated, reaches_mate};
use super::report::{Info, Progress};
use super::score::{self, Bound, EVAL_BOUND, INFINITE, Value};
use super::searcher::{RootMove, Searcher, rate};
use super::vote::{Vote, elect};
use crate::base::lock::lock;
use crate::base::patience::patience;
use crate::game::{Position, Searchable, TableResult};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Current moves, and refutations between iterations, are reported only after this search time.
fn report_delay() -> Duration {
    patience(1_000)
}
/// Minimum time between two reports of the current move.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(20);
/// Minimum time between two progress reports.
fn progress_interval() -> Duration {
    patience(1_000)
}

/// A line without statistics, as of a root without legal moves.
fn no_line<M>() -> Info<'static, M> {
    Info {
        depth: 0,
        selective_depth: 0,
        multi_pv: 1,
        score: score::DRAW,
        bound: Bound::Exact,
        nodes: 0,
        nps: 0,
        hash_full: 0,
        table_base_hits: 0,
        time: Duration::ZERO,
        pv: &[],
        repeated: false,
        last: true,
    }
}

/// Reports the score of a root without legal moves.
pub(super) fn report_no_move<B: Searchable>(shared: &Shared<B>) {
    let score = Searcher::<B>::no_move(shared.job.root.in_check(), 0);
    let time = shared.job.started.elapsed();
    shared.job.report.info(&Info { score, time, ..no_line() });
}

impl<B: Searchable> Searcher<'_, B> {
    // --- lines --------------------------------------------------------------------------------------

    /// Saves the lines of a completed iteration, and reports them unless the rate limit is reached.
    pub(super) fn finish_iteration(&mut self, depth: u32) {
        self.save_lines(depth);
        let lines = self.completed.len() * self.shared.job.report.lines_per_info();
        self.reported = self.rate_limit.allows(lines, self.shared.job.started.elapsed());
        if self.reported {
            self.report_completed_lines(false, false);
        }
    }

    /// Saves the lines of a completed iteration.
    pub(super) fn save_lines(&mut self, depth: u32) {
        self.completed_depth = depth;
        for (completed, root_move) in self.completed.iter_mut().zip(&self.root_moves) {
            let &RootMove { m, score, selective_depth, result, .. } = root_move;
            (completed.m, completed.score, completed.bound) = (m, score, Bound::Exact);
            (completed.selective_depth, completed.result) = (selective_depth, result);
            completed.line.copy(root_move.line.as_slice());
        }
    }

    pub(super) fn report_completed_lines(&self, repeated: bool, last: bool) {
        for (rank, completed) in self.completed.iter().enumerate() {
            let line = Info {
                depth: self.completed_depth,
                multi_pv: rank as u32 + 1,
                score: completed.score,
                bound: completed.bound,
                selective_depth: completed.selective_depth.max(1) as u32,
                pv: completed.line.as_slice(),
                repeated,
                last,
                ..self.statistics()
            };
            self.report_line(line, completed.result);
        }
    }

    /// Reports the root move of rank `rank` with its score in the current iteration.
    fn report_root_move(&self, rank: usize, last: bool) {
        let root_move = &self.root_moves[rank];
        let line = Info {
            depth: self.root_depth as u32,
            multi_pv: rank as u32 + 1,
            score: root_move.score,
            bound: root_move.bound,
            selective_depth: root_move.selective_depth.max(1) as u32,
            pv: root_move.line.as_slice(),
            last,
            ..self.statistics()
        };
        self.report_line(line, root_move.result);
    }

    /// Reports an aspiration window failure of the best root move.
    pub(super) fn report_bound(&mut self) {
        let time = self.shared.job.started.elapsed();
        // A mate bound has no complete line yet.
        if !score::is_mate(self.root_moves[0].score)
            && self.rate_limit.allows(self.shared.job.report.lines_per_info(), time)
        {
            self.report_root_move(0, false);
        }
    }

    /// The result of this thread, if it has completed an iteration.
    pub(super) fn result(self) -> Option<Vote<B::Move>> {
        self.publish_nodes();
        let depth = self.completed_depth;
        let refuted = self.holds_refuted();
        let best = self.completed.into_iter().next().filter(|_| depth > 0)?;
        Some(Vote { depth, best, refuted })
    }

    /// Whether the current iteration has found that the move `m` loses by force.
    fn is_refuted(&self, m: B::Move) -> bool {
        self.root_moves.iter().any(|r| r.m == m && r.refuted)
    }

    /// Whether the best move of the last completed iteration has been refuted since. If all moves were lost then, it is
    /// still the best known.
    fn holds_refuted(&self) -> bool {
        let Some(best) = self.completed.first().filter(|_| self.completed_depth > 0) else { return false };
        !score::is_lost(best.score) && self.is_refuted(best.m)
    }

    /// Replaces a best move that this thread, or a helper according to its result, has found to lose by force since the
    /// last completed iteration, unless no other move is left. Such a loss is one of the move only, as long as there
    /// are others: it is neither played nor reported as the score of the position.
    pub(super) fn withdraw_refuted(&mut self, results: &[Vote<B::Move>]) {
        for root_move in &mut self.root_moves {
            root_move.refuted |= results.iter().any(|vote| vote.refuted && vote.best.m == root_move.m);
        }
        let rank = self.root_moves[0].rank;
        let other = self.root_moves.iter().position(|r| r.rank == rank && !r.refuted);
        if self.holds_refuted()
            && let Some(other) = other
        {
            // The lines that hold come first. Without any, another move: its score was not above the best one.
            let (m, before) = (self.root_moves[other].m, self.completed[0].score);
            for at in (0..self.completed.len()).rev() {
                if self.is_refuted(self.completed[at].m) {
                    let line = &mut self.completed[at];
                    (line.score, line.bound) = (-score::MATE_BOUND, Bound::Upper);
                    self.completed[at..].rotate_left(1);
                }
            }
            let best = &mut self.completed[0];
            if best.bound == Bound::Upper {
                (best.m, best.score, best.selective_depth) = (m, before.min(EVAL_BOUND - 1), 1);
                best.result = self.root_moves[other].result;
                best.line.set(m, &[]);
            }
            // Continue as if these were the results of that iteration.
            (self.reported, self.stopped) = (false, false);
            self.restore_completed();
        } else if self.stopped
            && self.root_moves[0].refuted
            && let Some(first) = other.or((self.completed_depth > 0).then_some(0))
        {
            // The unfinished iteration has found nothing but this loss.
            self.root_moves[..=first].rotate_right(1);
            self.root_moves[0].score = -INFINITE;
        }
    }

    /// Replaces this thread's result with a helper's, if the vote over all `results` picks that.
    pub(super) fn apply_vote(&mut self, mut results: Vec<Vote<B::Move>>) {
        if self.completed_depth == 0 {
            return;
        }
        let RootMove { m, rank, .. } = self.root_moves[0];
        let ranks = &self.root_moves;
        results.retain(|vote| ranks.iter().any(|r| r.m == vote.best.m && r.rank == rank && !r.refuted));
        let mut own = Vote { depth: self.completed_depth, best: self.completed[0].clone(), refuted: false };
        if self.root_moves[0].score != -INFINITE {
            (own.best.m, own.best.score) = (m, self.root_moves[0].score);
        }
        results.insert(0, own);
        let elected = elect(&results);
        if elected > 0 {
            let Vote { depth, best, .. } = results.swap_remove(elected);
            self.completed[0] = best;
            // Continue as if this thread had just completed that iteration.
            (self.completed_depth, self.reported, self.stopped) = (depth, false, false);
            self.restore_completed();
        }
    }

    /// Reports the final result of a search, and puts the move to be played first among the root moves, with its
    /// line.
    pub(super) fn report_final(&mut self) {
        if !self.stopped {
            if !self.reported {
                self.report_completed_lines(false, true);
            }
        } else if self.completed_depth == 0 {
            self.report_final_first_depth();
        } else if self.completed.len() == 1 {
            self.report_final_aborted();
        } else {
            // The lines of an unfinished iteration have different depths, so report those of the last completed one.
            self.restore_completed();
            self.report_completed_lines(self.reported, true);
        }
        if self.shared.job.settings.show_refutations {
            self.report_refutations();
        }
    }

    /// Final report of a single-PV search that was stopped during an iteration.
    fn report_final_aborted(&mut self) {
        let best = &mut self.root_moves[0];
        let known = best.score != -INFINITE;
        if known && score::is_mate(best.score) && best.bound == Bound::Lower {
            // The mate has just been found; the transposition table may complete its line.
            let line = to_mate(self.shared, best.line.as_slice(), best.score);
            if let Some(line) = line {
                best.line.copy(&line);
                best.bound = Bound::Exact;
            }
        }
        if known && best.bound == Bound::Exact {
            self.report_root_move(0, true);
        } else if best.m == self.completed[0].m || !known {
            self.restore_completed();
            self.report_completed_lines(self.reported, true);
        } else {
            self.report_root_move(0, true);
        }
    }

    /// Final report of a search whose first iteration was not completed.
    fn report_final_first_depth(&mut self) {
        if self.root_moves[0].score == -INFINITE {
            // No move was searched: use the static evaluation as the score.
            let root = self.shared.job.root;
            let score = if root.in_check() { 0 } else { self.evaluate(Node::root(&root)) };
            let best = &mut self.root_moves[0];
            (best.score, best.bound, best.selective_depth) = (score, Bound::Exact, 1);
            best.line.set(best.m, &[]);
        }
        for rank in 0..self.completed.len() {
            let RootMove { score, refuted, .. } = self.root_moves[rank];
            let unfinished = rank > 0 && rank >= self.first_root;
            if score != -INFINITE && !(unfinished && refuted) {
                self.report_root_move(rank, true);
            }
        }
    }

    /// Moves the best move of the last completed iteration to the front again.
    fn restore_completed(&mut self) {
        let completed = &self.completed[0];
        let Some(at) = self.root_moves.iter().position(|r| r.m == completed.m) else { return };
        self.root_moves[..=at].rotate_right(1);
        let best = &mut self.root_moves[0];
        (best.score, best.bound) = (completed.score, completed.bound);
        best.line.copy(completed.line.as_slice());
    }

    /// Reports a line, with the score as far as it is proven; `result` is that of its first move in endgame tables.
    fn report_line(&self, line: Info<'_, B::Move>, result: Option<TableResult>) {
        let (score, bound) = proven_score(self.shared, &line, result);
        // A value fixed from outside holds for the whole position; no other line is reported with a higher one.
        let (score, bound) = match self.known_value(self.shared.job.root.key()) {
            Some(value) if line.multi_pv == 1 => (value, Bound::Exact),
            Some(value) => (value.min(score), bound),
            None => (score, bound),
        };
        self.shared.job.report.info(&Info { score, bound, ..line });
    }

    /// The statistics of the search, for a line.
    fn statistics<'a>(&self) -> Info<'a, B::Move> {
        let shared = self.shared;
        let (time, nodes) = (shared.job.started.elapsed(), self.all_nodes());
        Info {
            nodes,
            nps: rate(nodes, time),
            hash_full: shared.job.table.permille(),
            table_base_hits: shared.table_hits.load(Relaxed),
            time,
            ..no_line()
        }
    }

    /// Nodes of all threads; this thread's count is exact, and all are once they are done.
    pub(super) fn all_nodes(&self) -> u64 {
        self.publish_nodes();
        self.shared.total_nodes()
    }

    // --- replies ------------------------------------------------------------------------------------

    /// The table's reply to the best move, for when the PV has only one move.
    pub(super) fn guess_reply(&self) -> Option<B::Move> {
        let best = self.root_moves[0].m;
        self.reply_to(best)
    }

    fn reply_to(&self, m: B::Move) -> Option<B::Move> {
        let root = &self.shared.job.root;
        let mut child = *root;
        child.make(m);
        let entry = self.shared.job.table.probe(child.key())?;
        table_move(&child, &entry)
    }

    /// Reports the refutations of the other root moves after an iteration of a long search.
    pub(super) fn report_refutations_if_due(&mut self) {
        let time = self.shared.job.started.elapsed();
        if time >= report_delay() && self.rate_limit.allows(self.root_moves.len(), time) {
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

    /// Reports what is due at `time`: the current root move, and the statistics once a second.
    pub(super) fn report_if_due(&mut self, time: Duration) {
        if time >= report_delay()
            && time >= self.last_move_time + CURRENT_MOVE_INTERVAL
            && let Some((m, number)) = self.current_move.take()
        {
            self.last_move_time = time;
            self.rate_limit.spend(1, time);
            self.shared.job.report.current_move(self.root_depth as u32, m, number as u32);
        }
        if time >= self.last_progress + progress_interval() {
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
            hash_full: shared.job.table.permille(),
            time,
        });
        for (cpu, line) in shared.current_lines.iter().enumerate() {
            let line = lock(line).clone();
            shared.job.report.current_line(cpu as u32 + 1, line.as_slice());
        }
    }

    /// Publishes the line that this thread is searching.
    #[inline(never)]
    pub(super) fn publish_line(&self) {
        let shared = self.shared;
        let Some(shown) = shared.current_lines.get(self.index) else { return };
        let mut shown = lock(shown);
        let mut pos = shared.job.root;
        shown.clear();
        for m in self.current_path() {
            // Stop at a null move, for example.
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

/// The score of a line as far as it is proven. Endgame table results replace all scores but mates. A mate whose line
/// does not reach mate is reported only as a bound.
fn proven_score<B: Searchable>(
    shared: &Shared<B>,
    line: &Info<'_, B::Move>,
    result: Option<TableResult>,
) -> (Value, Bound) {
    let &Info { score, bound, pv, .. } = line;
    if score::is_mate(score) {
        if bound == Bound::Exact && reaches_mate(&shared.job.root, pv, score) {
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
        let entry = shared.job.table.probe(child.key());
        entry.is_some_and(|entry| entry.bound != other && score::from_table(entry.score, ply + 1) == -value)
    })
}
