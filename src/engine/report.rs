//! What a search reports: [`Event`]s while it runs, the last of which is its [`SearchResult`]; and when it does.
//!
//! The engine never prints. The first thread's [`Reporter`] passes events to the [`Listener`] of the search. All lines
//! of a MultiPV search are of the same depth, results of an unfinished iteration are reported as bounds or not at all,
//! and a mate score comes with a line that ends in mate.

use super::job::{Job, Shared};
use super::node::{RootMove, reaches_mate};
use super::score::{self, Bound, EVAL_BOUND, Value};
use crate::base::speed::per_second;
use crate::base::time_limit::time_limit;
use crate::game::Searchable;
use std::time::Duration;

/// One line (PV) of the search, and its statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Info<'a, M> {
    /// Depth of the iteration in plies; 0 if there is no legal move.
    pub depth: u32,
    /// Deepest ply reached below this root move.
    pub selective_depth: u32,
    /// Rank of this line, from 1; always 1 with MultiPV 1.
    pub multi_pv: u32,
    /// The score, from the point of view of the side to move at the root.
    pub score: Value,
    /// The bound type of the score.
    pub bound: Bound,
    /// Nodes, speed, time.
    pub progress: Progress,
    /// Endgame tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The principal variation: a legal line from the root. Empty only if there is no legal move.
    pub pv: &'a [M],
    /// This line has been reported before. It is repeated at the end of the search, with the final node count.
    pub repeated: bool,
    /// This is one of the final lines: only other final lines, messages and the best move follow. Never set if the
    /// search ends right after the lines of an iteration have been reported, as these are then the final ones.
    pub last: bool,
}

impl<M> Info<'_, M> {
    /// A line of no moves at depth 0, as of a root without legal moves.
    pub fn empty(progress: Progress) -> Self {
        Info {
            depth: 0,
            selective_depth: 0,
            multi_pv: 1,
            score: score::DRAW,
            bound: Bound::Exact,
            progress,
            tablebase_hits: 0,
            pv: &[],
            repeated: false,
            last: true,
        }
    }
}

/// Statistics of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Nodes searched so far, all threads together.
    pub nodes: u64,
    /// How full the hash table is, in thousandths.
    pub hash_full: u32,
    /// Time since the search was started.
    pub time: Duration,
}

impl Progress {
    /// What the threads have done so far.
    pub(super) fn of<B: Searchable>(shared: &Shared<B>) -> Self {
        let Job { tt, started, .. } = &shared.job;
        Progress { nodes: shared.total_nodes(), hash_full: tt.permille(), time: started.elapsed() }
    }

    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes.into(), self.time) as u64
    }
}

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult<M> {
    /// `None` only if there is no move to search, or no search thread could be started.
    pub best: Option<M>,
    /// The expected reply, if any.
    pub ponder: Option<M>,
    /// The score of the best move; 0 without one.
    pub score: Value,
    /// Depth of the last complete iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

impl<M> SearchResult<M> {
    /// The end of a search without a move.
    pub const NONE: Self = SearchResult { best: None, ponder: None, score: 0, depth: 0, nodes: 0 };
}

/// What a search finds while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a, M> {
    /// A principal variation and its score.
    Line(Info<'a, M>),
    /// Statistics of the running search, about once a second.
    Progress(Progress),
    /// The current root move. Only after the first second of a search; moves that take almost no time are left out.
    Move {
        /// Depth of the iteration.
        depth: u32,
        /// The move.
        m: M,
        /// Its number, from 1.
        number: u32,
    },
    /// A message for the user.
    Message(&'a str),
    /// An error that the user should see.
    Error(&'a str),
    /// The search is over: the last event, exactly one for each search.
    Best(SearchResult<M>),
}

/// Receives the events of one search.
pub trait Listener<M>: Send {
    /// Called from the search thread for each event, so it must not wait for anything that waits for the search.
    fn hear(&mut self, event: &Event<'_, M>);
}

/// For searches whose answer is enough.
pub(super) struct NoListener;

impl<M> Listener<M> for NoListener {
    fn hear(&mut self, _event: &Event<'_, M>) {}
}

/// Current moves are reported only after this search time.
fn report_delay() -> Duration {
    time_limit(1_000)
}
/// Minimum time between two reports of the current move.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(20);
/// Minimum time between two progress reports.
fn progress_interval() -> Duration {
    time_limit(1_000)
}

/// Where the reports of a search go, and which are due. Only the first thread has one.
pub(super) struct Reporter<M> {
    listener: Box<dyn Listener<M>>,
    /// Lines of this search so far.
    lines: u128,
    /// The current root move and its number; `None` once reported.
    pub(super) current_move: Option<(M, usize)>,
    last_move_time: Duration,
    last_progress: Duration,
}

impl<M: Copy + Default> Reporter<M> {
    pub(super) fn new(listener: Box<dyn Listener<M>>) -> Self {
        Reporter {
            listener,
            lines: 0,
            current_move: None,
            last_move_time: Duration::ZERO,
            last_progress: Duration::ZERO,
        }
    }

    pub(super) fn say(&mut self, event: Event<'_, M>) {
        self.listener.hear(&event);
    }

    /// Whether this number of lines of the search may be reported at `time`; counts them if so. A group larger than the
    /// burst is allowed when as many lines as the burst are.
    pub(super) fn allows(&mut self, lines: usize, time: Duration) -> bool {
        let lines = lines as u128;
        let allowed = self.lines + lines.min(BURST) <= BURST + time.as_millis();
        if allowed {
            self.lines += lines;
        }
        allowed
    }

    /// Reports the score of a root without moves to search.
    pub(super) fn report_no_move(&mut self, progress: Progress, score: Value) {
        self.say(Event::Line(Info { score, ..Info::empty(progress) }));
    }

    /// Reports the line of a root move, with the score as far as it is proven; `info` has what else is known.
    pub(super) fn report_line<B: Searchable<Move = M>>(
        &mut self,
        shared: &Shared<B>,
        info: Info<'_, M>,
        rank: usize,
        root_move: &RootMove<M>,
    ) {
        let (score, bound) = proven_score(shared, root_move);
        let pv = root_move.line.as_slice();
        let (multi_pv, selective_depth) = (rank as u32 + 1, root_move.selective_depth.max(1) as u32);
        self.say(Event::Line(Info { multi_pv, selective_depth, score, bound, pv, ..info }));
    }

    /// Reports what is due at `time` in an iteration of `depth`: the current root move, and the statistics once a
    /// second.
    pub(super) fn report_if_due<B: Searchable<Move = M>>(&mut self, shared: &Shared<B>, depth: i32, time: Duration) {
        if time >= report_delay()
            && time >= self.last_move_time + CURRENT_MOVE_INTERVAL
            && let Some((m, number)) = self.current_move.take()
        {
            self.last_move_time = time;
            self.lines += 1;
            self.say(Event::Move { depth: depth as u32, m, number: number as u32 });
        }
        if time >= self.last_progress + progress_interval() {
            self.last_progress = time;
            self.lines += 1;
            self.say(Event::Progress(Progress::of(shared)));
        }
    }
}

/// The score of a root move as far as it is proven. Tablebase results replace all scores but mates. A mate whose line
/// does not reach mate is reported only as a bound.
fn proven_score<B: Searchable>(shared: &Shared<B>, root_move: &RootMove<B::Move>) -> (Value, Bound) {
    let &RootMove { score, bound, result, ref line, .. } = root_move;
    if score::is_mate(score) {
        if bound == Bound::Exact && reaches_mate(&shared.job.root, line.as_slice(), score) {
            return (score, bound);
        }
        let bound = if score > 0 { Bound::Lower } else { Bound::Upper };
        return (score.signum() * (EVAL_BOUND - 1), bound);
    }
    match result {
        Some(result) => (score::of_result(result, 1, shared.job.settings.ignores_fifty_moves).0, bound),
        None => (score, bound),
    }
}

/// Lines of output allowed at the start of a search; one more is allowed for each millisecond. In decided positions
/// hundreds of iterations can finish within a millisecond, and some GUIs read slowly.
const BURST: u128 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn reporter() -> Reporter<u16> {
        Reporter::new(Box::new(NoListener))
    }

    /// Number of lines allowed, in groups of `lines`, with `tries` attempts in each of `milliseconds`.
    fn allowed_lines(lines: usize, tries: usize, milliseconds: u64) -> usize {
        let mut reporter = reporter();
        (0..milliseconds)
            .flat_map(|ms| std::iter::repeat_n(Duration::from_millis(ms), tries))
            .filter(|&time| reporter.allows(lines, time))
            .count()
            * lines
    }

    #[test]
    fn burst_then_one_line_per_millisecond() {
        assert_eq!(allowed_lines(1, 500, 1), 100);
        assert_eq!(allowed_lines(1, 500, 51), 150);
        assert_eq!(allowed_lines(5, 500, 101), 200);
        assert_eq!(allowed_lines(1, 1, 5_000), 5_000);
    }

    #[test]
    fn large_groups_are_allowed_and_charged() {
        let mut reporter = reporter();
        let ms = Duration::from_millis;
        assert!(reporter.allows(218, ms(0)));
        assert!(!reporter.allows(1, ms(118)) && reporter.allows(1, ms(119)));
        assert!(!reporter.allows(218, ms(218)) && reporter.allows(218, ms(219)));
    }
}
