//! The engine: a search over any game that implements `game::Searchable`.
//!
//! [`Engine`] owns the transposition table, the game history and the search thread. The protocols and `bench` call it
//! and receive all results through [`Report`]. The engine itself never prints and depends on no particular game.
//!
//! The files, from the bottom up: `score`, `limits`, `time`, `tt`, `line`, `report`, `rate_limit`, `strength` and
//! `mate_facts` do not depend on the search. `history` and `ordering` sort moves. `settings`, `signals`, `job` and
//! `node` hold the options, stop signals, inputs and per-node data of a search. `searcher` is the state of one search
//! thread; `endgame` and `lookup` (endgame tables), `quiescence`, `pruning`, `search`, `reporting`, `mate_proof` and
//! `deepening` each add their part to it. `worker` runs the threads, and `vote` picks the thread whose result is
//! played. `selfplay` plays games with the engine.

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
#[cfg(feature = "program")]
pub mod selfplay;
mod settings;
mod signals;
mod strength;
pub mod time;
pub mod tt;
mod vote;
mod worker;

pub use crate::base::pages::HashError;
pub use limits::{Clock, DEFAULT_OVERHEAD, Limits};
pub use report::{Info, Progress, Report};
pub use score::{Bound, Score};
pub use settings::{MAX_MULTI_PV, MAX_THREADS, Settings};
pub use signals::StopHandle;
pub use strength::{MAX_ELO, MIN_ELO};
pub use tt::Entry;
pub use worker::STACK_BYTES;

use crate::game::Searchable;
use job::Job;
use searcher::Memory;
use signals::Signals;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use tt::Table;

/// Hash table size of a new engine, in mebibytes.
pub const DEFAULT_HASH: usize = 16;
/// Most positions that `set_position_value` can hold.
pub const MAX_POSITION_VALUES: usize = 1024;

/// The memory of each search thread.
type Memories<P> = Vec<Box<Memory<P>>>;

/// An engine for the game `P`.
pub struct Engine<P: Searchable> {
    report: Arc<dyn Report<P>>,
    table: Arc<Table>,
    tables: Arc<P::Tables>,
    signals: Arc<Signals>,
    /// The options. Changes apply from the next search on.
    pub settings: Settings,
    known_values: Arc<Vec<(u64, Score)>>,
    root: Option<P>,
    trail: Vec<P::Step>,
    memories: Memories<P>,
    running: Option<JoinHandle<Memories<P>>>,
}

impl<P: Searchable> Engine<P> {
    /// An engine with a hash table of [`DEFAULT_HASH`] mebibytes and one thread. It has no position yet.
    ///
    /// # Panics
    /// If not even a table of one mebibyte can be allocated.
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

    /// Replaces the hash table with an empty one of `megabytes` mebibytes (at least 1). This is fast for any size. A
    /// running search keeps the old table.
    ///
    /// # Errors
    /// If the memory cannot be allocated. The old table is kept.
    pub fn resize_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        self.table = Arc::new(Table::new(megabytes)?);
        Ok(())
    }

    /// Empties the hash table. A running search may keep the old one.
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

    /// Replaces the endgame tables. A running search keeps the old ones.
    pub fn set_tables(&mut self, tables: P::Tables) {
        self.tables = Arc::new(tables);
    }

    /// The hash table entry for the position with this `key`. May be called during a search. The score is in table
    /// form: a mate counts from this position.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.table.probe(key)
    }

    /// Fixes the value of the position with this `key`, in centipawns for the side to move; `None` removes the fixed
    /// value. Returns false if [`MAX_POSITION_VALUES`] positions are fixed already. Otherwise empties the hash table.
    /// A running search keeps the old values.
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

    /// Removes all values set by [`Engine::set_position_value`] and empties the hash table.
    pub fn clear_position_values(&mut self) {
        self.known_values = Arc::default();
        self.empty_table();
    }

    /// Prepares for a new game: empties the hash table and clears what every thread has learnt. Waits for a running
    /// search.
    pub fn new_game(&mut self) {
        self.wait();
        self.empty_table();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Sets the position: the start of the game and the moves played since, so that repetitions are detected. Every
    /// move must be legal in its position.
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

    /// Starts a search and returns at once. Returns false, and does nothing, if no position is set. A search that is
    /// still running is stopped and reports its best move first.
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

    /// Searches on the calling thread, whose stack must have [`STACK_BYTES`], and returns when the best move has been
    /// reported. Saves the start of a thread when there are many short searches. Otherwise the same as
    /// [`Engine::go`].
    pub fn search(&mut self, limits: Limits<P::Move>) -> bool {
        let Some(job) = self.begin(limits) else { return false };
        worker::run(&job, &mut self.memories);
        true
    }

    /// The inputs of the next search. Stops the running search and waits for it.
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

    /// A handle with which another thread can stop this engine's searches.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.signals))
    }

    /// Whether a search is running, that is, started and not yet about to report its best move.
    pub fn is_searching(&self) -> bool {
        self.signals.is_searching()
    }

    /// Waits until the running search, if any, has reported its best move.
    pub fn wait(&mut self) {
        if let Some(handle) = self.running.take() {
            // The release build aborts on panic; a debug build continues with fresh memories.
            self.memories = handle.join().unwrap_or_default();
        }
    }
}

impl<P: Searchable> Drop for Engine<P> {
    fn drop(&mut self) {
        self.stop_handle().stop();
        self.wait();
    }
}
