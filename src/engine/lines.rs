//! Reports of a search between its iterations and at its end: lines, statistics, refutations.
//!
//! All lines of a MultiPV search are of the same depth, and results of an unfinished iteration are reported as bounds
//! or not at all. It never searches, and prints only through the `Reporter`.

use super::event::{Event, Info};
use super::reporter::report_delay;
use super::score::{self, INFINITE};
use super::searcher::{RootMove, Searcher};
use super::verdict::Final;
use crate::base::lock::lock;
use crate::game::Searchable;
use std::sync::atomic::Ordering::Relaxed;

impl<B: Searchable> Searcher<'_, B> {
    /// Reports `event`, if this is the first thread.
    pub(super) fn say(&mut self, event: Event<'_, B::Move>) {
        self.reporter.iter_mut().for_each(|reporter| reporter.say(event));
    }

    /// The statistics of the search, for a line.
    fn statistics<'a>(&self) -> Info<'a, B::Move> {
        self.publish_nodes();
        let shared = self.shared;
        Info { tablebase_hits: shared.tablebase_hits.load(Relaxed), ..Info::empty(shared.progress()) }
    }

    /// Nodes of all threads; this thread's count is exact, and all are once they are done.
    pub(super) fn all_nodes(&self) -> u64 {
        self.publish_nodes();
        self.shared.total_nodes()
    }

    /// Saves the lines of a completed iteration, and reports them unless the rate limit is reached.
    pub(super) fn finish_iteration(&mut self, depth: u32) {
        self.save_lines(depth);
        let (lines, time) = (self.completed.len(), self.shared.job.started.elapsed());
        self.reported = self.reporter.as_mut().is_some_and(|reporter| reporter.allows(lines, time));
        if self.reported {
            self.report_completed_lines(false, false);
        }
    }

    pub(super) fn report_completed_lines(&mut self, repeated: bool, last: bool) {
        let statistics = self.statistics();
        let Some(reporter) = &mut self.reporter else { return };
        for (multi_pv, completed) in (1..).zip(&self.completed) {
            let line = Info {
                depth: self.completed_depth,
                multi_pv,
                score: completed.score,
                bound: completed.bound,
                selective_depth: completed.selective_depth.max(1) as u32,
                pv: completed.line.as_slice(),
                repeated,
                last,
                ..statistics
            };
            reporter.report_line(self.shared, line, completed.result);
        }
    }

    /// Reports the root move of rank `rank` with its score in the current iteration.
    fn report_root_move(&mut self, rank: usize, last: bool) {
        let statistics = self.statistics();
        let Some(reporter) = &mut self.reporter else { return };
        let root_move = &self.root_moves[rank];
        let line = Info {
            depth: self.root_depth as u32,
            multi_pv: rank as u32 + 1,
            score: root_move.score,
            bound: root_move.bound,
            selective_depth: root_move.selective_depth.max(1) as u32,
            pv: root_move.line.as_slice(),
            last,
            ..statistics
        };
        reporter.report_line(self.shared, line, root_move.result);
    }

    /// Reports an aspiration window failure of the best root move.
    pub(super) fn report_bound(&mut self) {
        let time = self.shared.job.started.elapsed();
        // A mate bound has no complete line yet.
        if !score::is_mate(self.root_moves[0].score)
            && self.reporter.as_mut().is_some_and(|reporter| reporter.allows(1, time))
        {
            self.report_root_move(0, false);
        }
    }

    /// Reports the refutations of the other root moves after an iteration of a long search.
    pub(super) fn report_refutations_if_due(&mut self) {
        let (lines, time) = (self.root_moves.len(), self.shared.job.started.elapsed());
        if time >= report_delay()
            && self.reporter.as_mut().is_some_and(|reporter| reporter.rate_limit.allows(lines, time))
        {
            self.report_refutations();
        }
    }

    fn report_refutations(&mut self) {
        for index in 1..self.root_moves.len() {
            let m = self.root_moves[index].m;
            self.say(Event::Refutation { m, reply: self.reply_to(m) });
        }
    }

    /// Decides which move is played, and reports its line unless that has been done.
    pub(super) fn report_final(&mut self) {
        let stopped = self.stopped;
        match self.choose_final() {
            Final::Completed if !stopped && self.reported => {}
            // After an unfinished iteration the lines are repeated, with the final number of nodes.
            Final::Completed => self.report_completed_lines(stopped && self.reported, true),
            Final::BestRootMove => self.report_root_move(0, true),
            Final::FirstDepth => {
                for rank in 0..self.completed.len() {
                    let RootMove { score, refuted, .. } = self.root_moves[rank];
                    let unfinished = rank > 0 && rank >= self.first_root;
                    if score != -INFINITE && !(unfinished && refuted) {
                        self.report_root_move(rank, true);
                    }
                }
            }
        }
        if self.shared.job.settings.show_refutations {
            self.report_refutations();
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
