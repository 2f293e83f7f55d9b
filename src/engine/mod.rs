//! The engine: a search over any game that implements `game::Searchable`.
//!
//! [`Engine`] owns the transposition table, the game history and the search threads. A search says what it finds by
//! [`Event`]s, the last of which is its [`SearchResult`]. The engine itself never prints and depends on no particular
//! game.
//!
//! A search, from the top down: [`Engine::go`] gives the first thread of the `pool` a `Job`. `deepening` is what that
//! thread does: it starts the others, and runs the iterations. `alpha_beta` searches one iteration, with `pruning` and
//! `tablebase`; `mate_proof` looks for mates between iterations; `decide` says which move is played. All of these are
//! functions of a `Searcher`, the state of one thread; its methods are in `searcher` and `alpha_beta`. Below it are
//! what all threads share (`job`), what is due to be reported (`report`), and what a node needs (`node`, `history`,
//! `ordering`). `strength`, `limits`, `time`, `score` and `tt` do not depend on the search. `crate::search` adds
//! searches that wait for their result.

mod alpha_beta;
mod decide;
mod deepening;
mod history;
mod job;
pub mod limits;
mod mate_proof;
mod node;
mod ordering;
mod pool;
mod pruning;
mod report;
pub mod score;
mod searcher;
mod strength;
mod tablebase;
#[cfg(test)]
mod tests;
pub mod time;
pub mod tt;

pub use crate::base::pages::HashError;
pub use job::StopHandle;
pub use limits::{Clock, DEFAULT_OVERHEAD, Limits, MAX_MULTI_PV, MAX_THREADS, MOST_MEN, Settings};
pub use pool::STACK_BYTES;
pub use report::{Event, Info, Listener, Progress, SearchResult};
pub use score::{Bound, Value};
pub use strength::{MAX_ELO, MIN_ELO};
pub use tt::Entry;

use crate::base::cpu;
use crate::base::text::readable_error;
use crate::game::{Position, SearchParams, Searchable};
use job::{Job, Signals};
use pool::Pool;
use report::NoListener;
use searcher::Memory;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use tt::Table;

/// Hash table size of a new engine, in mebibytes.
pub const DEFAULT_HASH: usize = 16;

/// There is no memory for so many search threads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ThreadsError {
    /// The requested number.
    pub threads: usize,
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for {} search threads", self.threads)
    }
}

readable_error!(ThreadsError);

/// An engine for one game. It remembers what it has seen from one search to the next.
///
/// ```
/// use tabiya::search::{Engine, Limits};
/// use tabiya::xiangqi::Position;
///
/// let mut engine = Engine::new();
/// engine.set_threads(2)?;
/// let mut depths = Vec::new();
/// let found = engine.search_with(&Position::default().into(), Limits::depth(4), |line| depths.push(line.depth));
/// assert!(found.best.is_some() && depths.contains(&4));
/// # Ok::<(), tabiya::search::ThreadsError>(())
/// ```
pub struct Engine<B: Searchable> {
    tt: Arc<Table>,
    tablebase: Arc<B::Tables>,
    /// The signals of the search that began last, and of the next one.
    signals: Arc<Signals>,
    next_signals: Arc<Signals>,
    /// The options. Changes apply from the next search on.
    #[doc(hidden)]
    pub settings: Settings,
    /// Search threads.
    #[doc(hidden)]
    pub threads: usize,
    /// The search parameters. Tests and tuning replace them.
    #[doc(hidden)]
    pub params: SearchParams,
    root: Position<B>,
    trail: Vec<B::Past>,
    pool: Pool<Memory<B>>,
    /// Receives the answer of the last search, until `wait` has taken it.
    running: Option<Receiver<SearchResult<B::Move>>>,
    answer: Option<SearchResult<B::Move>>,
    /// What the scores in the hash table and in the threads' memories depend on; `None` if there are none.
    standard: Option<Standard>,
}

impl<B: Searchable> fmt::Debug for Engine<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl<B: Searchable> Default for Engine<B> {
    fn default() -> Self {
        Engine::new()
    }
}

impl<B: Searchable> Engine<B> {
    /// An engine with one thread and a hash table of 16 MB.
    ///
    /// # Panics
    /// If there is not even memory for a table of 1 MB.
    pub fn new() -> Self {
        let table = Table::new(DEFAULT_HASH).or_else(|_| Table::new(1));
        Engine {
            tt: Arc::new(table.expect("memory for one mebibyte")),
            tablebase: Arc::default(),
            signals: Arc::default(),
            next_signals: Arc::default(),
            settings: Settings::default(),
            threads: 1,
            params: B::PARAMS,
            root: Position::default(),
            trail: Vec::new(),
            pool: Pool::new(),
            running: None,
            answer: None,
            standard: None,
        }
    }

    /// Replaces the hash table with an empty one of `megabytes` megabytes, and forgets everything about earlier
    /// positions. This is fast for any size. Waits for the end of a search that is running.
    ///
    /// # Errors
    /// If there is no memory for it. The table then has its old size, or the largest half, quarter and so on of it for
    /// which there is memory; it is empty too.
    ///
    /// # Panics
    /// If there is not even memory for a table of 1 MB.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        // A search that has answered may still hold the old table.
        self.wait();
        self.pool.run_all(Memory::clear);
        self.standard = None;
        let mut smaller = self.tt.megabytes();
        // The old table is freed first, to make room for the new one.
        self.tt = Arc::new(Table::none());
        match Table::new(megabytes) {
            Ok(table) => {
                self.tt = Arc::new(table);
                Ok(())
            }
            Err(error) => {
                let table = loop {
                    match Table::new(smaller) {
                        Ok(table) => break table,
                        Err(_) if smaller > 1 => smaller /= 2,
                        Err(_) => panic!("no memory for a hash table of one mebibyte"),
                    }
                };
                self.tt = Arc::new(table);
                Err(error)
            }
        }
    }

    /// Sets the number of search threads, at most 256; 0 means all that the system can run at once. Starts them, after
    /// the end of a search that is running.
    ///
    /// # Errors
    /// If there is no memory for so many. Their number then stays as it was.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.wait();
        let threads = cpu::threads(threads).min(MAX_THREADS);
        // One after the other, so that the memory of those to come does not take the room for stacks.
        for count in self.threads.min(threads)..=threads {
            self.pool.resize(count, Memory::new);
            if self.pool.start(0, Memory::clear).is_err() || self.pool.running() < count {
                break;
            }
        }
        if self.pool.running() < threads {
            self.pool.resize(self.threads, Memory::new);
            return Err(ThreadsError { threads });
        }
        self.threads = threads;
        Ok(())
    }

    /// Forgets everything about earlier positions. Waits for the end of a search that is running.
    pub fn clear(&mut self) {
        // Should the memory be gone meanwhile, a smaller table will do.
        let _ = self.set_hash(self.hash_size());
    }

    /// A handle that stops the next search. Each search needs a handle of its own.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.next_signals))
    }
}

/// What the scores of a search depend on besides the position and the depth.
#[derive(PartialEq)]
struct Standard {
    strength: Option<u32>,
    ignores_fifty_moves: bool,
    /// The rules of the game, as `Searchable::rules_code` has them.
    rules: u32,
    params: SearchParams,
}

/// What only the protocols, the tools and the tests need.
#[doc(hidden)]
impl<B: Searchable> Engine<B> {
    /// Size of the hash table, in mebibytes.
    pub fn hash_size(&self) -> usize {
        self.tt.megabytes()
    }

    /// Replaces the tablebase. A running search keeps the old one.
    pub fn set_tablebase(&mut self, tablebase: B::Tables) {
        self.tablebase = Arc::new(tablebase);
    }

    /// The hash table entry for the position with this `key`. May be called during a search. The score is in table
    /// form: a mate counts from this position.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.tt.probe(key)
    }

    /// Does what takes time before a search, so that `go` does not have to: starts the threads, allocates their memory,
    /// and forgets the scores of searches by other settings. Does nothing during a search.
    pub fn prepare(&mut self) {
        if !self.is_searching() {
            self.wait();
            self.apply_settings();
            // If there is no thread, `go` reports it.
            let _ = self.pool.start(0, Memory::clear);
        }
    }

    /// Adapts pool, hash table and memories to the settings. Scores of searches by other settings are discarded: they
    /// are distorted, or would make a limited engine stronger.
    fn apply_settings(&mut self) {
        self.pool.resize(self.threads, Memory::new);
        let Settings { strength, ignores_fifty_moves, .. } = self.settings;
        let rules = B::rules_code(&self.root);
        let standard = Standard { strength, ignores_fifty_moves, rules, params: self.params };
        if self.standard.as_ref().is_some_and(|old| *old != standard) {
            self.clear();
        }
        self.standard = Some(standard);
    }

    /// Sets the position: the start of the game and the moves played since, so that repetitions are detected. Every
    /// move must be legal in its position.
    pub fn set_position(&mut self, start: Position<B>, moves: &[B::Move]) {
        let mut pos = start;
        self.trail.clear();
        for &m in moves {
            debug_assert!(pos.is_legal(m));
            self.trail.push(B::past(&pos, m));
            pos.make(m);
        }
        self.root = pos;
    }

    /// The position that is searched next.
    pub fn position(&self) -> &Position<B> {
        &self.root
    }

    /// Changes the rules or the notation of the position. The game so far is kept.
    pub fn adapt_position(&mut self, adapt: impl FnOnce(Position<B>) -> Position<B>) {
        self.root = adapt(self.root);
    }

    /// Starts a search of these root moves, or of all, which reports to `listener`, and returns at once. A search
    /// that is still running is stopped and reports its best move first. Illegal moves are ignored.
    pub fn go(&mut self, limits: Limits, moves: Option<&[B::Move]>, mut listener: Box<dyn Listener<B::Move>>) {
        let job = self.begin(limits, moves);
        if let Err(error) = self.pool.start(0, Memory::clear) {
            self.signals.end();
            listener.hear(&Event::Error(&format!("no search thread: {error}")));
            listener.hear(&Event::Best(SearchResult::NONE));
            return;
        }
        let helpers = self.pool.others();
        let (sender, answer) = channel();
        self.running = Some(answer);
        self.pool.give(move |memory| {
            let answer = deepening::run_search(job, listener, helpers, memory);
            // Nobody receives it if the engine has been dropped.
            let _ = sender.send(answer);
        });
    }

    /// Searches without a report, and returns the answer.
    ///
    /// # Errors
    /// If the system has no thread for the search.
    pub fn answer(&mut self, limits: Limits) -> Result<SearchResult<B::Move>, String> {
        self.go(limits, None, Box::new(NoListener));
        self.wait().ok_or_else(|| "no search thread could be started".into())
    }

    /// Searches on the calling thread, whose stack must have [`STACK_BYTES`]. Saves the change of threads when there
    /// are many short searches. `None` if there is no memory.
    pub fn search_here(&mut self, limits: Limits) -> Option<SearchResult<B::Move>> {
        let job = self.begin(limits, None);
        if self.pool.is_empty() {
            self.signals.end();
            return None;
        }
        let _ = self.pool.start(1, Memory::clear);
        let helpers = self.pool.others();
        self.answer =
            Some(self.pool.run_here(|memory| deepening::run_search(job, Box::new(NoListener), helpers, memory)));
        self.answer
    }

    /// The inputs of the next search. Stops the running search and waits for it.
    fn begin(&mut self, mut limits: Limits, moves: Option<&[B::Move]>) -> Job<B> {
        let started = Instant::now();
        self.end();
        self.answer = None;
        self.apply_settings();
        self.signals = std::mem::take(&mut self.next_signals);
        self.signals.begin(limits.ponder);
        limits.infinite |= limits.is_endless() && !limits.ponder;
        let mut trail = Vec::with_capacity(self.trail.len() + 2 * score::MAX_PLY);
        trail.extend_from_slice(&self.trail);
        let legal = self.root.legal_moves();
        Job {
            root: self.root,
            trail,
            moves: legal.into_iter().filter(|m| moves.is_none_or(|moves| moves.contains(m))).collect(),
            limits,
            settings: self.settings,
            params: self.params,
            started,
            tt: Arc::clone(&self.tt),
            tablebase: Arc::clone(&self.tablebase),
            signals: Arc::clone(&self.signals),
        }
    }

    /// Stops the search that is running, if any, and waits for it.
    fn end(&mut self) {
        StopHandle(Arc::clone(&self.signals)).stop();
        self.wait();
    }

    /// Whether a search is running, that is, started and not yet about to report its best move.
    pub fn is_searching(&self) -> bool {
        self.signals.is_searching()
    }

    /// Waits until the running search, if any, has reported its best move. Returns the answer of the last search;
    /// `None` if there was none, it panicked, or the system had no thread for it.
    pub fn wait(&mut self) -> Option<SearchResult<B::Move>> {
        if let Some(search) = self.running.take() {
            // No answer comes from a search that panicked.
            self.answer = search.recv().ok();
        }
        self.answer
    }
}

impl<B: Searchable> Drop for Engine<B> {
    fn drop(&mut self) {
        self.end();
    }
}
