//! The engine: a search over any game that implements `game::Playable`.
//!
//! [`Engine`] owns the table, the game's trail and the search thread. Protocols and `bench` call it and get
//! everything it has to say through [`Report`]; the engine itself never prints and never names a game.
//!
//! From below: `score`, `limits`, `time`, `tt`, `line`, `report`, `rate_limit`, `strength` and
//! `mate_facts` know no search; `history` and `ordering` sort moves; `signals`, `job` and `node` are what the search
//! is told, asked and finds out; `searcher` is one thread's state, to which `lookup` (endgame tables), `quiescence`,
//! `pruning`, `search`, `reporting`, `mate_proof` and `deepening` each add their part; `worker` runs the threads, and
//! `vote` tells whose result counts.
//! `selfplay` plays games with the whole.

mod deepening;
mod endgame;
mod history;
mod job;
pub mod limits;
mod line;
mod lookup;
mod mate_facts;
mod mate_proof;
mod node;
mod ordering;
mod pruning;
mod quiescence;
mod rate_limit;
pub mod report;
mod reporting;
pub mod score;
mod search;
mod searcher;
pub mod selfplay;
mod signals;
mod strength;
pub mod time;
pub mod tt;
mod vote;
mod worker;

pub use limits::{Clock, DEFAULT_OVERHEAD, Limits};
pub use report::{Info, Progress, Report};
pub use score::{Bound, Score};
pub use signals::StopHandle;
pub use strength::{MAX_ELO, MIN_ELO};
pub use tt::{Entry, HashError};
pub use worker::STACK_BYTES;

use crate::game::{Playable, SearchParams};
use job::{Job, Settings};
use searcher::Memory;
use signals::Signals;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use tt::Table;

/// Table size of a new engine, in mebibytes.
pub const DEFAULT_HASH: usize = 16;
/// Largest number of threads.
pub const MAX_THREADS: usize = 256;
/// Largest number of lines that can be asked for.
pub const MAX_MULTI_PV: usize = 256;
/// How many positions `set_position_value` can hold.
pub const MAX_POSITION_VALUES: usize = 1024;

/// A memory for each thread.
type Memories<P> = Vec<Box<Memory<P>>>;

/// An engine for the game `P`.
pub struct Engine<P: Playable> {
    report: Arc<dyn Report<P>>,
    table: Arc<Table>,
    tables: Arc<P::Tables>,
    signals: Arc<Signals>,
    settings: Settings,
    root: Option<P>,
    trail: Vec<P::Step>,
    memories: Memories<P>,
    running: Option<JoinHandle<Memories<P>>>,
}

impl<P: Playable> Engine<P> {
    /// An engine with a table of [`DEFAULT_HASH`] mebibytes and one thread. It has no position yet.
    ///
    /// # Panics
    /// If there is no memory for the smallest table.
    pub fn new(report: Arc<dyn Report<P>>) -> Self {
        let table = Table::new(DEFAULT_HASH).or_else(|_| Table::new(1));
        Engine {
            report,
            table: Arc::new(table.expect("memory for one mebibyte")),
            tables: Arc::default(),
            signals: Arc::new(Signals::new()),
            settings: Settings {
                threads: 1,
                multi_pv: 1,
                show_current_line: false,
                show_refutations: false,
                ponder: false,
                strength: None,
                randomness: 0,
                contempt: 0,
                rest: 0,
                params: P::PARAMS,
                table_probe_depth: 1,
                table_probe_limit: u32::MAX,
                fifty_moves: true,
                known_values: Arc::default(),
            },
            root: None,
            trail: Vec::new(),
            memories: Vec::new(),
            running: None,
        }
    }

    /// Replaces the table by an empty one of `megabytes` (at least 1), in a moment whatever the size. A running
    /// search keeps the old one.
    ///
    /// # Errors
    /// If there is not so much memory; the old table stays.
    pub fn resize_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        self.table = Arc::new(Table::new(megabytes)?);
        Ok(())
    }

    /// Empties the table.
    pub fn empty_table(&mut self) {
        if let Some(table) = self.table.replacement() {
            self.table = Arc::new(table);
            return;
        }
        self.table.clear(self.settings.threads);
        if self.is_searching() {
            self.table.note_use();
        }
    }

    /// Uses other endgame tables. A running search keeps the old ones.
    pub fn set_tables(&mut self, tables: P::Tables) {
        self.tables = Arc::new(tables);
    }

    /// Sets how endgame tables are used: positions with as many men as the largest table only from `depth` plies
    /// on, positions with more than `limit` men never, and with or without the fifty-move rule.
    pub fn set_table_use(&mut self, depth: i32, limit: u32, fifty_moves: bool) {
        self.settings.table_probe_depth = depth;
        self.settings.table_probe_limit = limit;
        self.settings.fifty_moves = fifty_moves;
    }

    /// Sets the number of search threads, from 1 to [`MAX_THREADS`]; other values are moved into range.
    pub fn set_threads(&mut self, threads: usize) {
        self.settings.threads = threads.clamp(1, MAX_THREADS);
    }

    /// Sets how many best lines are searched and reported, from 1 to [`MAX_MULTI_PV`].
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.settings.multi_pv = lines.clamp(1, MAX_MULTI_PV);
    }

    /// Whether `Report::current_line` is called, about once a second.
    pub fn set_show_current_line(&mut self, show: bool) {
        self.settings.show_current_line = show;
    }

    /// Whether `Report::refutation` is called after each iteration.
    pub fn set_show_refutations(&mut self, show: bool) {
        self.settings.show_refutations = show;
    }

    /// Plays weaker, at about this Elo ([`MIN_ELO`] to [`MAX_ELO`]), or with `None` as well as it can.
    pub fn set_strength(&mut self, elo: Option<u32>) {
        self.settings.strength = elo.map(|elo| elo.clamp(MIN_ELO, MAX_ELO));
    }

    /// Lets evaluations err by up to this many centipawns, differently in every search, so that moves of about
    /// the same value take turns; 0 to 1000, 0 for none.
    pub fn set_randomness(&mut self, centipawns: Score) {
        self.settings.randomness = centipawns.clamp(0, 1000);
    }

    /// Sets how much the side to move at the root dislikes a draw, in centipawns from -1000 to 1000: below 0 it
    /// likes one.
    pub fn set_contempt(&mut self, centipawns: Score) {
        self.settings.contempt = centipawns.clamp(-1000, 1000);
    }

    /// Sets the share of its time that every search thread sleeps for the benefit of other programs, in percent
    /// from 0 to 90.
    pub fn set_rest(&mut self, percent: u32) {
        self.settings.rest = percent.min(90);
    }

    /// What the table knows about the position of `key`, also while a search is running. The score is in
    /// table form: a mate counts from this position.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.table.probe(key)
    }

    /// Notes that the engine may think in the opponent's time, so that its own time can be spent faster.
    pub fn set_ponder(&mut self, ponder: bool) {
        self.settings.ponder = ponder;
    }

    /// Replaces the search's switches and constants, for measurements.
    pub fn set_params(&mut self, params: SearchParams) {
        self.settings.params = params;
    }

    /// Fixes the value of the position of `key`, for the side to move there, in centipawns; `None` forgets
    /// it. Returns false if [`MAX_POSITION_VALUES`] positions are fixed already. Empties the table.
    pub fn set_position_value(&mut self, key: u64, value: Option<Score>) -> bool {
        let values = Arc::make_mut(&mut self.settings.known_values);
        values.retain(|&(k, _)| k != key);
        if let Some(value) = value {
            if values.len() >= MAX_POSITION_VALUES {
                return false;
            }
            let bound = score::EVAL_BOUND - 1;
            let at = values.partition_point(|&(k, _)| k < key);
            values.insert(at, (key, value.clamp(-bound, bound)));
        }
        self.empty_table();
        true
    }

    /// Forgets all values set by [`Engine::set_position_value`].
    pub fn clear_position_values(&mut self) {
        self.settings.known_values = Arc::default();
        self.empty_table();
    }

    /// A new game begins: forgets everything learnt about earlier positions, with all threads. Waits for a
    /// running search.
    pub fn new_game(&mut self) {
        self.wait();
        self.empty_table();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Sets the position by the start of the game and the moves played since, so that repetitions are
    /// known. Every move must be legal after those before it.
    pub fn set_position(&mut self, start: P, moves: &[P::Move]) {
        let (mut pos, mut key) = (start, start.key());
        self.trail.clear();
        for &m in moves {
            debug_assert!(pos.is_legal(m));
            self.trail.push(pos.step(key, m));
            key = pos.key_after(key, m);
            pos.make(m);
        }
        self.root = Some(pos);
    }

    /// Starts a search and returns at once. Without a position nothing happens and false is returned. A
    /// search that is still running is stopped and reports first.
    pub fn go(&mut self, limits: Limits<P::Move>) -> bool {
        let Some(job) = self.begin(limits) else { return false };
        match worker::spawn(job, std::mem::take(&mut self.memories)) {
            Ok(handle) => self.running = Some(handle),
            Err(error) => {
                self.signals.end();
                self.report.fault(&format!("no search thread: {error}"));
                self.report.best(None, None, 0);
            }
        }
        true
    }

    /// Searches on the calling thread, whose stack must have [`STACK_BYTES`], and returns when the best move is
    /// reported: for many short searches, of which each would wait for a thread to start. Otherwise as
    /// [`Engine::go`].
    pub fn search(&mut self, limits: Limits<P::Move>) -> bool {
        let Some(job) = self.begin(limits) else { return false };
        worker::run(&job, &mut self.memories);
        true
    }

    /// A search that is about to start, after the end of the one before.
    fn begin(&mut self, limits: Limits<P::Move>) -> Option<Job<P>> {
        let started = Instant::now();
        let root = self.root?;
        if self.is_searching() {
            self.stop_handle().stop();
        }
        self.wait();
        self.signals.begin(limits.ponder);
        let mut limits = limits;
        limits.infinite |= limits.is_endless() && !limits.ponder;
        let mut trail = Vec::with_capacity(self.trail.len() + 2 * score::MAX_PLY);
        trail.extend_from_slice(&self.trail);
        Some(Job {
            root,
            trail,
            limits,
            settings: self.settings.clone(),
            started,
            table: Arc::clone(&self.table),
            tables: Arc::clone(&self.tables),
            signals: Arc::clone(&self.signals),
            report: Arc::clone(&self.report),
        })
    }

    /// A handle that stops this engine's searches, for another thread.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.signals))
    }

    /// Whether a search has been started and has not yet begun to report its best move.
    pub fn is_searching(&self) -> bool {
        self.signals.is_searching()
    }

    /// Waits until the running search, if any, has reported its best move.
    pub fn wait(&mut self) {
        if let Some(handle) = self.running.take() {
            // The release build aborts on panic; a debug build starts again with fresh memories.
            self.memories = handle.join().unwrap_or_default();
        }
    }
}

impl<P: Playable> Drop for Engine<P> {
    fn drop(&mut self) {
        self.stop_handle().stop();
        self.wait();
    }
}
