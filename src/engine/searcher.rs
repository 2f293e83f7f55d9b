//! The state of one search thread, and the small questions that `search` and `quiescence` both ask.
//!
//! [`Memory`] is what a thread keeps between searches; a [`Searcher`] lasts for one, with buffers that are set up
//! when it begins: nothing allocates while the search runs.

use super::endgame::longest_wait;
use super::history::{Context, CorrectionKeys, History};
use super::job::{RootTables, Shared};
use super::line::{Line, Settled};
use super::mate_facts::Proof;
use super::node::{NON_PV, Node, ROOT, TableHit};
use super::rate_limit::RateLimit;
use super::score::{self, Bound, MAX_PLY, NONE, Score};
use crate::game::{GameMove, Playable, SearchParams, Side, TableResult, Verdict};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Frames before the root, so that "four plies ago" always exists.
const LEAD: usize = 4;
/// Nodes between two looks at the clock.
const TICK: u64 = 256;
/// A search that leaves time to others works this long at a stretch, and never sleeps much longer.
const STRETCH: Duration = Duration::from_millis(4);

/// What a node leaves for its descendants and sisters.
#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    /// Corrected static evaluation; `NONE` in check.
    pub eval: Score,
    /// Code of the move being searched, or "no code" for a null move.
    pub code: usize,
    /// The move being searched.
    pub m: M,
    /// The move that a singular search leaves out; the default move for none.
    pub excluded: M,
    pub killers: [M; 2],
    /// Double extensions on the way here.
    pub doubles: u32,
    /// Cut-offs among the children.
    pub cutoffs: u32,
    /// Whether the move is quiet.
    pub quiet: bool,
    /// Its number among the moves that are searched one by one; else 0.
    pub count: usize,
    /// Whether the node is, or the table remembers it as, one of a principal variation.
    pub was_pv: bool,
    /// Squares that the opponent attacks.
    pub threats: u128,
}

impl<M: GameMove> Frame<M> {
    /// Before any move; `code` is the one for "no move".
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

/// A move at the root and what is known about it.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub m: M,
    /// Score in the running iteration; `-INFINITE` if the move did not raise alpha.
    pub score: Score,
    /// What `score` says.
    pub bound: Bound,
    /// Score of the last finished iteration.
    pub previous: Score,
    pub line: Line<M>,
    pub selective_depth: usize,
    /// Nodes spent below the move in this search.
    pub nodes: u64,
    /// Moves of a higher rank come first whatever the scores are: endgame tables say so.
    pub rank: i32,
    /// What tables say about the move.
    pub result: Option<TableResult>,
}

impl<M: GameMove> RootMove<M> {
    /// A move that has not been searched; `known` is what tables say.
    fn new(m: M, known: &RootTables<M>) -> Self {
        let (rank, result) = known.of(m);
        RootMove {
            m,
            score: -score::INFINITE,
            bound: Bound::Upper,
            previous: -score::INFINITE,
            line: Line::new(),
            selective_depth: 0,
            nodes: 0,
            rank,
            result,
        }
    }

    /// Sorts the best first.
    pub(super) fn order(&self) -> std::cmp::Reverse<(i32, Score)> {
        std::cmp::Reverse((self.rank, self.score))
    }
}

/// What a thread keeps from one search to the next.
pub(super) struct Memory<P: Playable> {
    history: History,
    memo: P::Memo,
}

impl<P: Playable> Memory<P> {
    pub(super) fn new() -> Self {
        Memory { history: History::new(P::CODES), memo: P::Memo::default() }
    }

    /// Forgets everything learnt in earlier searches.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.memo = P::Memo::default();
    }
}

/// One thread of one search.
pub(super) struct Searcher<'a, P: Playable> {
    pub(super) shared: &'a Shared<'a, P>,
    pub(super) history: &'a mut History,
    memo: &'a mut P::Memo,
    pub(super) index: usize,
    pub(super) root_moves: Vec<RootMove<P::Move>>,
    /// First root move of the line that is being searched (MultiPV).
    pub(super) first_root: usize,
    pub(super) root_depth: i32,
    /// Null moves are tried from this ply on (verification searches).
    pub(super) null_from: usize,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    pub(super) trail: Vec<P::Step>,
    /// The time from the start of the search, pondering included, that is enough for this move.
    pub(super) enough: Duration,
    /// The lines of the last finished iteration, best first; a helper has one.
    pub(super) settled: Vec<Settled<P::Move>>,
    /// Its depth, 0 for none.
    pub(super) settled_depth: u32,
    /// Whether they were reported.
    pub(super) said: bool,
    pub(super) rate_limit: RateLimit,
    /// The root move being searched and its number, until it is reported.
    pub(super) current_move: Option<(P::Move, usize)>,
    pub(super) last_move_time: Duration,
    pub(super) last_progress: Duration,
    /// Of the first thread of a search for a mate.
    pub(super) proof: Option<Box<Proof<P>>>,
    /// What is left of the time in which this thread may wait for a disk.
    pub(super) disk_time: Duration,
    frames: Vec<Frame<P::Move>>,
    lines: Vec<Line<P::Move>>,
    next_tick: u64,
    /// When the last rest ended.
    rested: Instant,
}

impl<'a, P: Playable> Searcher<'a, P> {
    /// Ready for a search of `moves`, of which there is one at least, as thread number `index`.
    pub(super) fn new(
        shared: &'a Shared<'a, P>,
        memory: &'a mut Memory<P>,
        moves: &[P::Move],
        index: usize,
    ) -> Self {
        let job = shared.job;
        let Memory { history, memo } = memory;
        let mut root_moves: Vec<_> =
            moves.iter().map(|&m| RootMove::new(m, &shared.known)).collect();
        root_moves.sort_by_key(RootMove::order);
        let lines = if index == 0 { job.settings.multi_pv.min(moves.len()) } else { 1 };
        let proves = index == 0 && job.limits.mate.is_some();
        let mut trail = Vec::with_capacity(job.trail.len() + MAX_PLY + 8);
        trail.extend_from_slice(&job.trail);
        let frame = Frame::first(history.no_code());
        Searcher {
            shared,
            history,
            memo,
            index,
            root_moves,
            first_root: 0,
            root_depth: 0,
            null_from: 0,
            selective_depth: 0,
            nodes: 0,
            stopped: false,
            trail,
            enough: Duration::MAX,
            settled: std::iter::repeat_with(Settled::new).take(lines).collect(),
            settled_depth: 0,
            said: false,
            rate_limit: RateLimit::new(),
            current_move: None,
            last_move_time: Duration::ZERO,
            last_progress: Duration::ZERO,
            proof: proves.then(|| Proof::new(&job.trail)),
            disk_time: longest_wait(&shared.budget, 8),
            frames: vec![frame; MAX_PLY + LEAD + 4],
            lines: vec![Line::new(); MAX_PLY + 2],
            next_tick: TICK.min(shared.node_limit),
            rested: Instant::now(),
        }
    }

    /// Late move reduction of the move number `count`, in 1/1024 plies.
    #[inline(always)]
    pub(super) fn reduction(&self, depth: i32, count: usize) -> i32 {
        self.shared.reductions[(depth.max(0) as usize).min(63)][count.min(63)]
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame<P::Move> {
        &mut self.frames[ply + LEAD]
    }

    /// The frame `back` plies, at most four, before `ply`.
    #[inline(always)]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame<P::Move> {
        &self.frames[ply + LEAD - back]
    }

    /// What the move picker wants to know at `node`; what only quiet moves ask for is found out if `quiet` says so.
    #[inline(always)]
    pub(super) fn context(&self, node: Node<'_, P>, quiet: bool) -> Context<P::Move> {
        let params = self.shared.params;
        let Node { pos, ply, .. } = node;
        Context {
            before: [1, 2, 4].map(|back| self.earlier(ply, back).code),
            killers: self.earlier(ply, 0).killers,
            threats: if quiet && SearchParams::on(params.threats) { pos.threats() } else { 0 },
            structure: if quiet && SearchParams::on(params.structure_history) {
                pos.structure_key()
            } else {
                0
            },
        }
    }

    /// What corrections of the evaluation are looked up by at `node`.
    #[inline(always)]
    pub(super) fn correction_keys(&self, node: Node<'_, P>) -> CorrectionKeys {
        let params = self.shared.params;
        let Node { pos, ply, .. } = node;
        let pieces = if SearchParams::on(params.correction_pieces) {
            Side::BOTH.map(|side| pos.pieces_key(side))
        } else {
            [0; 2]
        };
        CorrectionKeys {
            side: pos.side(),
            structure: pos.structure_key(),
            pieces,
            before: [1, 2].map(|back| self.earlier(ply, back).code),
        }
    }

    /// The line at `ply` becomes `m` and the line of the next ply.
    pub(super) fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].set(m, tail[0].as_slice());
    }

    /// Notes the result of a root move; `known` is what its score says, if score and line are known.
    pub(super) fn record_root(
        &mut self,
        index: usize,
        value: Score,
        known: Option<Bound>,
        nodes: u64,
    ) {
        let root_move = &mut self.root_moves[index];
        root_move.nodes += nodes;
        if let Some(bound) = known {
            (root_move.score, root_move.bound) = (value, bound);
            root_move.selective_depth = self.selective_depth;
            root_move.line.set(root_move.m, self.lines[1].as_slice());
        } else {
            root_move.score = -score::INFINITE;
        }
    }

    /// Counts a node, and looks now and then whether the search must end.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_tick {
            self.tick();
        }
        self.stopped
    }

    /// Whether the search must end, asked by whoever has been waiting for something else than nodes.
    pub(super) fn is_over(&self) -> bool {
        self.shared.abort.load(Relaxed) || self.shared.job.signals.is_stopped() || self.is_late()
    }

    /// Whether the thread that minds the clock must break off. The first iteration is always finished: it takes
    /// hardly any time, and without it the move would be any move.
    fn is_late(&self) -> bool {
        let shared = self.shared;
        if self.index != 0 || self.settled_depth == 0 {
            return false;
        }
        let Some(pondered) = shared.pondered() else { return false };
        let is_hard = |hard| shared.job.started.elapsed().saturating_sub(pondered) >= hard;
        pondered >= self.enough || shared.budget.hard.is_some_and(is_hard)
    }

    /// Looks at the clock before the next node, and not some hundred nodes later.
    pub(super) fn look_at_clock(&mut self) {
        self.next_tick = self.nodes;
    }

    #[cold]
    fn tick(&mut self) {
        let shared = self.shared;
        shared.nodes[self.index].store(self.nodes, Relaxed);
        self.next_tick = (self.nodes + TICK).min(shared.node_limit.max(self.nodes + 1));
        let over = if shared.nodes.len() == 1 { self.nodes } else { shared.total_nodes() };
        self.stopped |= over >= shared.node_limit
            || shared.abort.load(Relaxed)
            || shared.job.signals.is_stopped();
        if shared.job.settings.rest > 0 && !self.stopped {
            self.rest(shared.job.settings.rest);
        }
        if !shared.current_lines.is_empty() {
            self.publish_line();
        }
        self.stopped |= self.is_late();
        if self.index == 0 {
            self.report_in_time(shared.job.started.elapsed());
        }
    }

    /// Sleeps so long that `percent` of the time is left to other programs, once some work is done.
    #[inline(never)]
    fn rest(&mut self, percent: u32) {
        let worked = self.rested.elapsed();
        if worked >= STRETCH {
            let percent = percent.min(90);
            // Worked longer than planned on a busy machine: the others have had their share already.
            std::thread::sleep(worked.min(2 * STRETCH) * percent / (100 - percent));
            self.rested = Instant::now();
        }
    }

    /// The moves from the root to the node being searched.
    pub(super) fn moves_on_the_way(&self) -> impl Iterator<Item = P::Move> + '_ {
        let ply = self.trail.len().saturating_sub(self.shared.job.trail.len());
        self.frames.iter().skip(LEAD).take(ply).map(|frame| frame.m)
    }

    /// Counts a node and clears its line. The value, if nothing is to be searched here: because the search
    /// has to stop, the rules end the game, or the line is too long to go on.
    #[inline(always)]
    pub(super) fn begin_node<const NODE: u8>(&mut self, node: Node<'_, P>) -> Option<Score> {
        if NODE != NON_PV {
            self.lines[node.ply].clear();
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        if self.must_stop() {
            return Some(score::DRAW);
        }
        if NODE == ROOT {
            return None;
        }
        if !self.shared.job.known_values.is_empty()
            && let Some(value) = self.known_value(node.key)
        {
            return Some(value);
        }
        if let Some(score) = self.ended(node) {
            return Some(score);
        }
        (node.ply >= MAX_PLY - 1).then(|| self.too_deep(node))
    }

    /// Notes that `m`, whose code is `code`, is searched at `node`; whoever calls this takes the step off the
    /// trail again.
    #[inline(always)]
    pub(super) fn enter(&mut self, node: Node<'_, P>, m: P::Move, code: usize) {
        let frame = self.frame(node.ply);
        (frame.m, frame.code, frame.quiet, frame.count) = (m, code, false, 0);
        self.trail.push(node.pos.step(node.key, m));
    }

    /// The score if the rules end the game here, before any move.
    #[inline(always)]
    fn ended(&self, node: Node<'_, P>) -> Option<Score> {
        let Node { pos, key, ply, .. } = node;
        let contempt = self.shared.job.settings.contempt;
        Some(match pos.verdict(key, &self.trail, ply)? {
            // Even plies are those of the side to move at the root.
            Verdict::Draw if ply.is_multiple_of(2) => score::DRAW - contempt,
            Verdict::Draw => score::DRAW + contempt,
            Verdict::Win => score::forfeit_in(ply),
            Verdict::Loss => -score::forfeit_in(ply),
        })
    }

    /// The score of a side without a legal move.
    #[inline(always)]
    pub(super) fn no_move(in_check: bool, ply: usize) -> Score {
        if in_check || P::STALEMATE_LOSES { score::mated_in(ply) } else { score::DRAW }
    }

    /// The value of the position of `key`, if it was fixed from outside.
    #[inline(never)]
    pub(super) fn known_value(&self, key: u64) -> Option<Score> {
        let known = &self.shared.job.known_values;
        known.binary_search_by_key(&key, |&(k, _)| k).ok().map(|at| known[at].1)
    }

    /// The evaluation. The side to move is not in check.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: Node<'_, P>) -> Score {
        let value = node.pos.evaluate(self.memo);
        match &self.shared.handicap {
            None => value,
            Some(handicap) => handicap.distort(value, node.key),
        }
    }

    /// The evaluation, if it costs no time because the table's entry is still on its way from memory; otherwise,
    /// and in check, `NONE`.
    #[inline(always)]
    pub(super) fn evaluate_ahead(&mut self, node: Node<'_, P>) -> Score {
        if P::EVALUATES_FAST && !node.in_check { self.evaluate(node) } else { NONE }
    }

    /// The static evaluation by the table, `ahead` of it, or from scratch; and the same corrected by experience.
    #[inline(always)]
    pub(super) fn static_eval(
        &mut self,
        node: Node<'_, P>,
        hit: Option<TableHit>,
        ahead: Score,
    ) -> (Score, Score) {
        let params = self.shared.params;
        let raw = match hit {
            Some(hit) if hit.entry.eval != NONE => hit.entry.eval,
            _ if ahead != NONE => ahead,
            _ => self.evaluate(node),
        };
        if !SearchParams::on(params.correction) {
            return (raw, raw);
        }
        let weights = [params.correction_pawns, params.correction_pieces, params.correction_moves];
        let keys = self.correction_keys(node);
        let value = raw + self.history.correction(&keys, weights);
        (raw, value.clamp(1 - score::EVAL_BOUND, score::EVAL_BOUND - 1))
    }

    /// The score where the line is too long to go on.
    #[cold]
    fn too_deep(&mut self, node: Node<'_, P>) -> Score {
        if node.in_check { score::DRAW } else { self.evaluate(node) }
    }
}

/// Nodes a second.
pub(super) fn rate(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}
