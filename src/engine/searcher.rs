//! The state of one search thread, with what all of the search does with it: it counts nodes and watches limits, asks
//! the rules, evaluates, and reports lines.
//!
//! [`Memory`] is what a thread keeps between searches. A [`Searcher`] lives for one search. All its buffers are
//! allocated at the start; nothing allocates during the search.

use super::history::{Context, CorrectionKeys, History};
use super::job::Shared;
use super::node::{Bounds, NON_PV, Node, Pv, ROOT, RootMove, TtHit, tt_move};
use super::report::{Event, Info, Progress, Reporter};
use super::score::{self, Bound, DRAW, MAX_PLY, NONE, Value};
use crate::base::pages::has_room;
use crate::game::{GameMove, SearchParams, Searchable, Side, Verdict};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Frames before the root, so that the frame four plies back always exists.
const LEAD: usize = 4;
/// Nodes between two checks of the clock.
const TICK: u64 = 256;
/// Least time for the first iteration, which needs no more but in odd positions: without it the move is arbitrary.
const FIRST_ITERATION: Duration = Duration::from_millis(1);

/// What a node keeps for its descendants and siblings (the search stack).
#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    /// Corrected static evaluation; `NONE` in check.
    pub eval: Value,
    /// Code of the move being searched, or "no code" for a null move.
    pub code: usize,
    /// The move being searched.
    pub m: M,
    /// The move excluded by a singular search; the default move for none.
    pub excluded: M,
    pub killers: [M; 2],
    /// Double extensions on the path to this node.
    pub doubles: u32,
    /// Cutoffs at this ply since the node two plies above was entered.
    pub cutoffs: u32,
    /// Whether the current move is quiet.
    pub quiet: bool,
    /// Its move count at the node; 0 if it was not searched in the main move loop (null move, ProbCut, quiescence).
    pub count: usize,
    /// Whether the node is a PV node, or was one according to the table.
    pub was_pv: bool,
    /// Squares that the opponent attacks.
    pub threats: u128,
}

impl<M: GameMove> Frame<M> {
    /// The frame before any move; `code` is the code of "no move".
    fn first(code: usize) -> Self {
        let none = M::default();
        Frame {
            eval: NONE,
            code,
            m: none,
            excluded: none,
            killers: [none; 2],
            doubles: 0,
            cutoffs: 0,
            quiet: false,
            count: 0,
            was_pv: false,
            threats: 0,
        }
    }
}

/// What a thread keeps between searches: what it has learnt, and room for the next search.
pub(super) struct Memory<B: Searchable> {
    history: History,
    memo: B::Memo,
    frames: Vec<Frame<B::Move>>,
    lines: Vec<Pv<B::Move>>,
}

impl<B: Searchable> Memory<B> {
    /// More than one thread takes, in any game.
    const MOST_BYTES: usize = 12 << 20;

    /// `None` if the system has no room for it.
    pub(super) fn new() -> Option<Self> {
        if !has_room(Self::MOST_BYTES) {
            return None;
        }
        let history = History::new(B::CODES);
        let frames = vec![Frame::first(history.no_code()); MAX_PLY + LEAD + 4];
        let lines = vec![Pv::new(); MAX_PLY + 2];
        Some(Memory { history, memo: B::Memo::default(), frames, lines })
    }

    /// Clears everything learnt in earlier searches.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.memo = B::Memo::default();
    }
}

/// The state of one thread in one search.
pub(super) struct Searcher<'a, B: Searchable> {
    pub(super) shared: &'a Shared<B>,
    pub(super) params: &'a SearchParams,
    pub(super) history: &'a mut History,
    memo: &'a mut B::Memo,
    pub(super) index: usize,
    /// Only the first thread reports.
    pub(super) reporter: Option<&'a mut Reporter<B::Move>>,
    pub(super) root_moves: Vec<RootMove<B::Move>>,
    /// First root move of the current line (MultiPV).
    pub(super) first_root: usize,
    pub(super) root_depth: i32,
    /// Null moves are allowed from this ply on (set by null-move verification searches).
    pub(super) null_from: usize,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// The positions before the current one, in the game and in the search.
    pub(super) trail: Vec<B::Past>,
    /// Where in it the positions since the last null move begin. Repetitions are looked for from there only, as no
    /// position can be repeated by passing.
    pub(super) since_null: usize,
    /// Scaled soft limit: enough time for this move, counted from the start of the search, pondering included.
    pub(super) soft_limit: Duration,
    /// The lines of the last completed iteration, best first. Helper threads have one.
    pub(super) completed: Vec<RootMove<B::Move>>,
    /// The depth of that iteration, 0 if none is complete.
    pub(super) completed_depth: u32,
    /// Whether its lines have been reported.
    pub(super) reported: bool,
    /// Time that this thread may still spend waiting for the disk.
    pub(super) disk_time: Duration,
    frames: &'a mut [Frame<B::Move>],
    lines: &'a mut [Pv<B::Move>],
    /// The nodes that this thread may search until it must take more from the limit.
    share_end: u64,
    next_tick: u64,
}

impl<'a, B: Searchable> Searcher<'a, B> {
    /// Prepares thread number `index` for a search with at least one root move. The first thread has a `reporter`.
    pub(super) fn new(
        shared: &'a Shared<B>,
        memory: &'a mut Memory<B>,
        index: usize,
        reporter: Option<&'a mut Reporter<B::Move>>,
    ) -> Self {
        let (job, moves) = (&shared.job, &shared.job.moves);
        let Memory { history, memo, frames, lines } = memory;
        let mut root_moves: Vec<_> = moves.iter().map(|&m| RootMove::new(m, &shared.root_ranks)).collect();
        // The table's move comes first: it is the one to be played if there is time for nothing else.
        let entry = shared.job.tt.probe(job.root.key());
        let known = entry.and_then(|entry| tt_move(&job.root, &entry));
        root_moves.sort_by_key(|root_move| (root_move.order(), Some(root_move.m) != known));
        let lines_wanted = if index == 0 { job.settings.multi_pv.clamp(1, moves.len()) } else { 1 };
        let completed = root_moves[..lines_wanted].to_vec();
        let mut trail = Vec::with_capacity(job.trail.len() + MAX_PLY + 8);
        trail.extend_from_slice(&job.trail);
        frames.fill(Frame::first(history.no_code()));
        let share = shared.take_nodes(index == 0);
        Searcher {
            shared,
            params: &job.params,
            history,
            memo,
            index,
            reporter,
            root_moves,
            first_root: 0,
            root_depth: 0,
            null_from: 0,
            selective_depth: 0,
            nodes: 0,
            stopped: share == 0,
            trail,
            since_null: 0,
            soft_limit: Duration::MAX,
            completed,
            completed_depth: 0,
            reported: false,
            disk_time: shared.budget.longest_wait(8),
            frames,
            lines,
            share_end: share,
            next_tick: TICK.min(share),
        }
    }

    /// Base reduction of move number `count`, in 1/1024 plies.
    #[inline(always)]
    pub(super) fn reduction(&self, depth: i32, count: usize) -> i32 {
        self.shared.reductions[(depth.max(0) as usize).min(63)][count.min(63)]
    }

    #[inline(always)]
    pub(super) fn frame(&self, ply: usize) -> &Frame<B::Move> {
        &self.frames[ply + LEAD]
    }

    #[inline(always)]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame<B::Move> {
        &mut self.frames[ply + LEAD]
    }

    /// The frame `back` plies before `ply`; `back` is at most 4.
    #[inline(always)]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame<B::Move> {
        &self.frames[ply + LEAD - back]
    }

    /// The move ordering context of `node`. Threats and structure key are computed only if `quiet` is set, as only
    /// quiet moves need them.
    #[inline(always)]
    pub(super) fn context(&self, node: Node<'_, B>, quiet: bool) -> Context<B::Move> {
        let Node { pos, ply, .. } = node;
        Context {
            before: [self.earlier(ply, 1).code, self.earlier(ply, 2).code, self.earlier(ply, 4).code],
            killers: self.frame(ply).killers,
            threats: if quiet { B::threats(pos, self.memo) } else { 0 },
            structure: if quiet { pos.structure_key() } else { 0 },
        }
    }

    /// The correction history keys of `node`.
    #[inline(always)]
    pub(super) fn correction_keys(&self, node: Node<'_, B>) -> CorrectionKeys {
        let Node { pos, ply, .. } = node;
        CorrectionKeys {
            side: pos.side(),
            structure: pos.structure_key(),
            pieces: [pos.pieces_key(Side::First), pos.pieces_key(Side::Second)],
            before: [self.earlier(ply, 1).code, self.earlier(ply, 2).code],
        }
    }

    /// Sets the line at `ply` to `m` followed by the line of the next ply.
    pub(super) fn extend_line(&mut self, ply: usize, m: B::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].set(m, tail[0].as_slice());
    }

    /// Records the result of a root move. `known` is the bound type of the score, or `None` if a later move did not
    /// raise alpha.
    pub(super) fn record_root(&mut self, index: usize, value: Value, known: Option<Bound>, nodes: u64) {
        let root_move = &mut self.root_moves[index];
        root_move.nodes += nodes;
        root_move.refuted = score::is_lost(value) && known != Some(Bound::Lower);
        if let Some(bound) = known {
            (root_move.score, root_move.bound) = (value, bound);
            root_move.selective_depth = self.selective_depth;
            root_move.line.set(root_move.m, self.lines[1].as_slice());
        } else {
            root_move.score = -score::INFINITE;
        }
    }

    /// Counts a node, checks limits at regular intervals, and returns whether the search must stop.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_tick {
            self.tick();
        }
        self.stopped
    }

    /// Checks the stop signals and the clock at once. For code that waits for something other than nodes, such as the
    /// disk.
    pub(super) fn is_over(&self) -> bool {
        self.shared.abort.load(Relaxed) || self.shared.job.signals.is_stopped() || self.is_late()
    }

    /// The time left until the hard limit; `None` without one, or while pondering.
    fn time_left(&self) -> Option<Duration> {
        let (hard, pondered) = self.shared.budget.hard.zip(self.shared.pondered())?;
        let first = self.completed_depth == 0;
        let limit = if first { hard.max(FIRST_ITERATION) } else { hard };
        Some(limit.saturating_add(pondered).saturating_sub(self.shared.job.started.elapsed()))
    }

    /// Whether the main thread is out of time.
    fn is_late(&self) -> bool {
        self.index == 0
            && (self.time_left().is_some_and(|left| left.is_zero())
                || self.shared.pondered().is_some_and(|pondered| pondered >= self.soft_limit))
    }

    /// Makes the next node check the clock.
    pub(super) fn check_clock_next(&mut self) {
        self.next_tick = self.nodes;
    }

    /// Tells the others how many nodes this thread has searched.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.index].0.store(self.nodes, Relaxed);
    }

    #[cold]
    fn tick(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        if self.nodes >= self.share_end {
            self.share_end = self.nodes.saturating_add(shared.take_nodes(false));
            self.stopped |= self.nodes >= self.share_end;
        }
        self.next_tick = (self.nodes + TICK).min(self.share_end);
        self.stopped |= shared.abort.load(Relaxed) || shared.job.signals.is_stopped();
        self.stopped |= self.is_late();
        if let Some(reporter) = &mut self.reporter {
            reporter.report_if_due(shared, self.root_depth, shared.job.started.elapsed());
        }
    }

    /// Counts a node and clears its line. Breaks with a value if the node is not searched further: the search stops,
    /// the rules end the game or leave nothing between `alpha` and `beta`, or the maximum ply is reached. Otherwise
    /// continues with the bounds that the rules on repetition set.
    #[inline(always)]
    pub(super) fn begin_node<const NODE: u8>(
        &mut self,
        node: Node<'_, B>,
        alpha: Value,
        beta: Value,
    ) -> ControlFlow<Value, Bounds> {
        if NODE != NON_PV {
            self.lines[node.ply].clear();
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        if self.must_stop() {
            return ControlFlow::Break(DRAW);
        }
        if NODE == ROOT {
            return ControlFlow::Continue(Bounds::NONE);
        }
        let bounds = self.judged(node, alpha, beta)?;
        if node.ply >= MAX_PLY - 1 {
            return ControlFlow::Break(self.too_deep(node));
        }
        ControlFlow::Continue(bounds)
    }

    /// Sets the current move of `node` to `m`, with the code `code`, and pushes its step to the trail. The caller
    /// pops the step.
    #[inline(always)]
    pub(super) fn enter(&mut self, node: Node<'_, B>, m: B::Move, code: usize) {
        let frame = self.frame_mut(node.ply);
        (frame.m, frame.code, frame.quiet, frame.count) = (m, code, false, 0);
        self.trail.push(B::past(node.pos, m));
    }

    /// The same for a null move. Returns what `since_null` was, which the caller restores.
    pub(super) fn enter_null(&mut self, node: Node<'_, B>) -> usize {
        self.enter(node, B::Move::default(), self.history.no_code());
        std::mem::replace(&mut self.since_null, self.trail.len())
    }

    /// What the rules say here, other than on mate and stalemate. Breaks with the score if they end the game, or if
    /// their bound causes a cutoff; otherwise continues with the bounds.
    #[inline(always)]
    pub(super) fn judged(&self, node: Node<'_, B>, alpha: Value, beta: Value) -> ControlFlow<Value, Bounds> {
        let Node { pos, ply, .. } = node;
        let Some(verdict) = B::verdict(pos, &self.trail[self.since_null..], ply) else {
            return ControlFlow::Continue(Bounds::NONE);
        };
        match verdict {
            Verdict::Draw => ControlFlow::Break(DRAW),
            Verdict::Win => ControlFlow::Break(score::forfeit_in(ply)),
            Verdict::Loss => ControlFlow::Break(-score::forfeit_in(ply)),
            Verdict::AtMostDraw if alpha >= DRAW => ControlFlow::Break(DRAW),
            Verdict::AtMostDraw => ControlFlow::Continue(Bounds { ceiling: DRAW, ..Bounds::NONE }),
            Verdict::AtLeastDraw if beta <= DRAW => ControlFlow::Break(DRAW),
            Verdict::AtLeastDraw => ControlFlow::Continue(Bounds { floor: DRAW, ..Bounds::NONE }),
        }
    }

    /// The score of a side that has no legal move.
    #[inline(always)]
    pub(super) fn no_move(in_check: bool, ply: usize) -> Value {
        if in_check || B::STALEMATE_LOSES { score::mated_in(ply) } else { DRAW }
    }

    /// The game's evaluation, with the handicap's error if there is one. The side to move must not be in check.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: Node<'_, B>) -> Value {
        let value = B::evaluate(node.pos, self.memo);
        match &self.shared.handicap {
            None => value,
            Some(handicap) => handicap.distort(value, node.pos),
        }
    }

    /// The evaluation, computed while the table entry is still being fetched from memory: it takes no longer than that,
    /// even if the value turns out not to be needed. `NONE` in check.
    #[inline(always)]
    pub(super) fn evaluate_early(&mut self, node: Node<'_, B>) -> Value {
        if node.pos.in_check() { NONE } else { self.evaluate(node) }
    }

    /// The raw static evaluation (from the table, the given early one, or computed now), and the same with the
    /// correction history applied.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, node: Node<'_, B>, hit: Option<TtHit>, early_eval: Value) -> (Value, Value) {
        let params = self.params;
        let raw = match hit {
            Some(hit) if hit.entry.eval != NONE => hit.entry.eval,
            _ if early_eval != NONE => early_eval,
            _ => self.evaluate(node),
        };
        let weights = [params.correction_pawns, params.correction_pieces, params.correction_moves];
        let keys = self.correction_keys(node);
        let value = raw + self.history.correction(&keys, weights);
        (raw, value.clamp(1 - score::EVAL_BOUND, score::EVAL_BOUND - 1))
    }

    /// The score at the maximum ply.
    #[cold]
    fn too_deep(&mut self, node: Node<'_, B>) -> Value {
        if node.pos.in_check() { DRAW } else { self.evaluate(node) }
    }

    // --- reports ------------------------------------------------------------------------------------

    /// Saves the lines of a completed iteration.
    pub(super) fn save_lines(&mut self, depth: u32) {
        self.completed_depth = depth;
        for (completed, root_move) in self.completed.iter_mut().zip(&self.root_moves) {
            completed.copy(root_move);
            completed.bound = Bound::Exact;
        }
    }

    /// Reports `event`, if this is the first thread.
    pub(super) fn say(&mut self, event: Event<'_, B::Move>) {
        if let Some(reporter) = &mut self.reporter {
            reporter.say(event);
        }
    }

    /// Whether this is the first thread and may report this number of lines now.
    fn may_report(&mut self, lines: usize) -> bool {
        let time = self.shared.job.started.elapsed();
        self.reporter.as_mut().is_some_and(|reporter| reporter.allows(lines, time))
    }

    /// What is reported of every line now.
    fn statistics(&self, depth: u32) -> Info<'static, B::Move> {
        self.publish_nodes();
        let shared = self.shared;
        Info { depth, tablebase_hits: shared.tablebase_hits.load(Relaxed), ..Info::empty(Progress::of(shared)) }
    }

    /// Saves the lines of a completed iteration, and reports them unless the rate limit is reached.
    pub(super) fn finish_iteration(&mut self, depth: u32) {
        self.save_lines(depth);
        self.reported = self.may_report(self.completed.len());
        if self.reported {
            self.report_completed_lines(false, false);
        }
    }

    pub(super) fn report_completed_lines(&mut self, repeated: bool, last: bool) {
        let info = Info { repeated, last, ..self.statistics(self.completed_depth) };
        let Some(reporter) = &mut self.reporter else { return };
        for (rank, line) in self.completed.iter().enumerate() {
            reporter.report_line(self.shared, info, rank, line);
        }
    }

    /// Reports the root move of rank `rank` with its score in the current iteration.
    pub(super) fn report_root_move(&mut self, rank: usize, last: bool) {
        let info = Info { last, ..self.statistics(self.root_depth as u32) };
        if let Some(reporter) = &mut self.reporter {
            reporter.report_line(self.shared, info, rank, &self.root_moves[rank]);
        }
    }

    /// Reports an aspiration window failure of the best root move.
    pub(super) fn report_bound(&mut self) {
        // A mate bound has no complete line yet.
        if !score::is_mate(self.root_moves[0].score) && self.may_report(1) {
            self.report_root_move(0, false);
        }
    }
}
