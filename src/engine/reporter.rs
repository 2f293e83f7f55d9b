//! Where the reports of a search go, and which are due. Only the first thread has a [`Reporter`].
//!
//! It reports only what is proven: a mate score comes with a line that ends in mate.

use super::event::{Event, Info, Report};
use super::job::Shared;
use super::pv::reaches_mate;
use super::rate_limit::RateLimit;
use super::score::{self, Bound, EVAL_BOUND, Value};
use crate::base::lock::lock;
use crate::base::patience::patience;
use crate::game::{Searchable, TableResult};
use std::time::Duration;

/// Current moves, and refutations between iterations, are reported only after this search time.
pub(super) fn report_delay() -> Duration {
    patience(1_000)
}
/// Minimum time between two reports of the current move.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(20);
/// Minimum time between two progress reports.
fn progress_interval() -> Duration {
    patience(1_000)
}

/// Where the reports of a search go, and which are due.
pub(super) struct Reporter<B: Searchable> {
    report: Report<B::Move>,
    /// Lines of output for each reported line.
    lines_per_info: usize,
    pub(super) rate_limit: RateLimit,
    /// The current root move and its number; `None` once reported.
    pub(super) current_move: Option<(B::Move, usize)>,
    last_move_time: Duration,
    last_progress: Duration,
}

impl<B: Searchable> Reporter<B> {
    pub(super) fn new(report: Report<B::Move>, lines_per_info: usize) -> Self {
        Reporter {
            report,
            lines_per_info,
            rate_limit: RateLimit::new(),
            current_move: None,
            last_move_time: Duration::ZERO,
            last_progress: Duration::ZERO,
        }
    }

    pub(super) fn say(&mut self, event: Event<'_, B::Move>) {
        (self.report)(&event);
    }

    /// Whether so many lines of the search may be reported at `time`; counts them if so.
    pub(super) fn allows(&mut self, lines: usize, time: Duration) -> bool {
        self.rate_limit.allows(lines * self.lines_per_info, time)
    }

    /// Reports the score of a root without moves to search.
    pub(super) fn report_no_move(&mut self, shared: &Shared<B>, score: Value) {
        self.say(Event::Line(Info { score, ..Info::empty(shared.progress()) }));
    }

    /// Reports a line, with the score as far as it is proven; `result` is that of its first move in the tablebase.
    pub(super) fn report_line(&mut self, shared: &Shared<B>, line: Info<'_, B::Move>, result: Option<TableResult>) {
        let (score, bound) = proven_score(shared, &line, result);
        // A value fixed from outside holds for the whole position; no other line is reported with a higher one.
        let (score, bound) = match shared.job.known_value(shared.job.root.key()) {
            Some(value) if line.multi_pv == 1 => (value, Bound::Exact),
            Some(value) => (value.min(score), bound),
            None => (score, bound),
        };
        self.say(Event::Line(Info { score, bound, ..line }));
    }

    /// Reports what is due at `time` in an iteration of `depth`: the current root move, and the statistics once a
    /// second.
    pub(super) fn report_if_due(&mut self, shared: &Shared<B>, depth: i32, time: Duration) {
        if time >= report_delay()
            && time >= self.last_move_time + CURRENT_MOVE_INTERVAL
            && let Some((m, number)) = self.current_move.take()
        {
            self.last_move_time = time;
            self.rate_limit.spend(1, time);
            self.say(Event::Move { depth: depth as u32, m, number: number as u32 });
        }
        if time >= self.last_progress + progress_interval() {
            self.last_progress = time;
            self.report_progress(shared, time);
        }
    }

    #[inline(never)]
    fn report_progress(&mut self, shared: &Shared<B>, time: Duration) {
        self.rate_limit.spend(1 + shared.current_lines.len(), time);
        self.say(Event::Progress(shared.progress()));
        for (cpu, line) in (1..).zip(&shared.current_lines) {
            let line = lock(line).clone();
            self.say(Event::CurrentLine { cpu, line: line.as_slice() });
        }
    }
}

/// The score of a line as far as it is proven. Tablebase results replace all scores but mates. A mate whose line does
/// not reach mate is reported only as a bound.
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
        Some(result) => (score::of_result(result, 1, shared.job.settings.fifty_moves).0, bound),
        None => (score, bound),
    }
}
