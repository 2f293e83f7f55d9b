//! The engine: a search over any game that implements `game::Playable`.
//!
//! [`Engine`] owns the table, the game's trail and the search thread. Protocols and `bench` call it and get
//! everything it has to say through [`Report`]; the engine itself never prints and never names a game.
//!
//! From below: `score`, `limits`, `time`, `tt`, `line`, `report`, `rate_limit`, `strength` and `mate_facts` know no
//! search; `history` and `ordering` sort moves; `settings`, `signals`, `job` and `node` are what the search is told,
//! asked and finds out; `searcher` is one thread's state, to which `lookup` (endgame tables), `quiescence`, `pruning`,
//! `search`, `reporting`, `mate_proof` and `deepening` each add their part; `worker` runs the threads, and `vote` tells
//! whose result counts. `selfplay` plays games with the whole.

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
mod settings;
mod signals;
mod strength;
pub mod time;
pub mod tt;
mod vote;
mod worker;

pub use limits::{Clock, DEFAULT_OVERHEAD, Limits};
pub use report::{Info, Progress, Report};
pub use score::{Bound, Score};
pub use settings::{MAX_MULTI_PV, MAX_THREADS, Settings};
pub use signals::StopHandle;
pub use strength::{MAX_ELO, MIN_ELO};
pub use tt::{Entry, HashError};
pub use worker::STACK_BYTES;

use crate::game::Playable;
use job::Job;
use searcher::Memory;
use signals::Signals;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use tt::Table;

/// Table size of a new engine, in mebibytes.
pub const DEFAULT_HASH: usize = 16;
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
    /// What its options ask of every search from the next one on.
    pub settings: Settings,
    known_values: Arc<Vec<(u64, Score)>>,
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
            settings: Settings::of::<P>(),
            known_values: Arc::default(),
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
        self.table.clear(self.settings.in_range().threads);
        if self.is_searching() {
            self.table.note_use();
        }
    }

    /// Uses other endgame tables. A running search keeps the old ones.
    pub fn set_tables(&mut self, tables: P::Tables) {
        self.tables = Arc::new(tables);
    }

    /// What the table knows about the position of `key`, also while a search is running. The score is in
    /// table form: a mate counts from this position.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.table.probe(key)
    }

    /// Fixes the value of the position of `key`, for the side to move there, in centipawns; `None` forgets
    /// it. Returns false if [`MAX_POSITION_VALUES`] positions are fixed already. Empties the table.
    pub fn set_position_value(&mut self, key: u64, value: Option<Score>) -> bool {
        let values = Arc::make_mut(&mut self.known_values);
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
        self.known_values = Arc::default();
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
            settings: self.settings.in_range(),
            known_values: Arc::clone(&self.known_values),
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
