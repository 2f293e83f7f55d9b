//! An engine and what it reports, for the tests of both games.

pub use crate::common::game::{Game, position};
use crate::common::watchdog::Watchdog;
use std::fmt::Debug;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tabiya::engine::{Bound, Engine, Event, Limits, Listener, SearchResult, StopHandle, score};
use tabiya::game::{Position, Searchable};

/// An owned copy of a line.
#[derive(Clone, Debug)]
pub struct Line<M> {
    pub depth: u32,
    pub rank: u32,
    pub score: i32,
    pub bound: Bound,
    pub nodes: u64,
    pub tablebase_hits: u64,
    pub moves: Vec<M>,
}

/// All that a search has reported, in order, and its answer.
#[derive(Clone, Debug)]
pub struct Found<M> {
    pub best: Option<M>,
    pub ponder: Option<M>,
    pub score: i32,
    pub lines: Vec<Line<M>>,
    pub messages: Vec<String>,
    /// Whether a message says that the line ends in stalemate.
    pub stalemate: bool,
    pub faults: Vec<String>,
    /// The number of answers.
    pub answers: usize,
}

impl<M> Default for Found<M> {
    fn default() -> Self {
        let (lines, messages, faults) = (Vec::new(), Vec::new(), Vec::new());
        let (best, ponder, score, answers) = (None, None, 0, 0);
        Found { best, ponder, score, lines, messages, stalemate: false, faults, answers }
    }
}

impl<M: Copy + PartialEq + Debug> Found<M> {
    /// The last line.
    pub fn last(&self) -> &Line<M> {
        self.lines.last().expect("a line")
    }

    /// The nodes of the search.
    pub fn nodes(&self) -> u64 {
        self.last().nodes
    }

    /// The last exact line of rank 1. The best move, ponder move and final score must match it.
    pub fn line(&self) -> &Line<M> {
        let exact = |line: &&Line<M>| line.rank == 1 && line.bound == Bound::Exact;
        let line = self.lines.iter().rfind(exact).expect("a line");
        assert_eq!(self.best, line.moves.first().copied());
        assert_eq!(self.score, line.score);
        assert!(line.moves.len() < 2 || self.ponder == Some(line.moves[1]));
        line
    }

    /// The shortest mate reported for the side to move, in moves.
    pub fn shortest_mate(&self) -> Option<i32> {
        let moves = self.lines.iter().filter_map(|line| score::mate_moves(line.score));
        moves.filter(|&moves| moves > 0).min()
    }
}

struct Log<M> {
    found: Mutex<Found<M>>,
    answered: Condvar,
}

/// Writes what a search reports into the log.
struct Writer<M>(Arc<Log<M>>);

impl<M: Copy + Send> Listener<M> for Writer<M> {
    fn hear(&mut self, event: &Event<'_, M>) {
        let mut found = self.0.found.lock().unwrap();
        match *event {
            Event::Line(info) => found.lines.push(Line {
                depth: info.depth,
                rank: info.multi_pv,
                score: info.score,
                bound: info.bound,
                nodes: info.progress.nodes,
                tablebase_hits: info.tablebase_hits,
                moves: info.pv.to_vec(),
            }),
            Event::Message("the line ends in stalemate, which loses") => found.stalemate = true,
            Event::Message(text) => found.messages.push(text.into()),
            Event::Error(text) => found.faults.push(text.into()),
            Event::Best(SearchResult { best, ponder, score, .. }) => {
                (found.best, found.ponder, found.score) = (best, ponder, score);
                found.answers += 1;
                self.0.answered.notify_all();
            }
            _ => {}
        }
    }
}

pub struct Player<B: Searchable> {
    pub engine: Engine<B>,
    /// The only root moves of the next search.
    pub only: Option<Vec<B::Move>>,
    /// Stops the last search.
    pub stop: StopHandle,
    log: Arc<Log<B::Move>>,
    /// `Engine::wait` has no time-out of its own.
    _watchdog: Watchdog,
}

impl<B: Searchable> Player<B> {
    pub fn new() -> Self {
        let log = Arc::new(Log { found: Mutex::default(), answered: Condvar::new() });
        let engine = Engine::new();
        Player { only: None, stop: engine.stop_handle(), engine, log, _watchdog: Watchdog::default() }
    }

    /// Starts a search of the position after `moves`, with what the engine remembers.
    pub fn begin(&mut self, start: Position<B>, moves: &[B::Move], limits: Limits) {
        self.engine.set_position(start, moves);
        *self.log.found.lock().unwrap() = Found::default();
        self.stop = self.engine.stop_handle();
        let only = self.only.take();
        self.engine.go(limits, only.as_deref(), Box::new(Writer(Arc::clone(&self.log))));
    }

    /// Waits up to `limit` for the answer.
    pub fn answers_within(&self, limit: Duration) -> bool {
        let found = self.log.found.lock().unwrap();
        let waited = self.log.answered.wait_timeout_while(found, limit, |found| found.answers == 0);
        waited.unwrap().0.answers > 0
    }

    /// Waits for the end of the search.
    pub fn end(&mut self) -> Found<B::Move> {
        let answer = self.engine.wait().expect("a thread");
        let found = self.found();
        assert_eq!(found.answers, 1, "exactly one best move");
        assert_eq!(found.best, answer.best);
        assert_eq!((found.ponder, found.score), (answer.ponder, answer.score));
        found
    }

    /// Searches the position after `moves`, with what the engine remembers.
    pub fn think(&mut self, start: Position<B>, moves: &[B::Move], limits: Limits) -> Found<B::Move> {
        self.begin(start, moves, limits);
        self.end()
    }

    /// What the last search has reported so far.
    pub fn found(&self) -> Found<B::Move> {
        self.log.found.lock().unwrap().clone()
    }

    /// Searches the position of a game from scratch.
    pub fn after(&mut self, game: &Game<B>, limits: Limits) -> Found<B::Move> {
        self.engine.clear();
        self.think(game.start, &game.moves, limits)
    }

    /// Searches a position from scratch.
    pub fn search(&mut self, pos: Position<B>, limits: Limits) -> Found<B::Move> {
        self.engine.clear();
        self.think(pos, &[], limits)
    }
}

/// Whether the side to move is mated (or stalemated where that loses).
pub fn is_mated<B: Searchable>(pos: &Position<B>) -> bool {
    (B::STALEMATE_LOSES || pos.in_check()) && pos.count_legal() == 0
}

/// Whether the line is legal and ends in mate.
pub fn ends_in_mate<B: Searchable>(pos: &Position<B>, line: &Line<B::Move>) -> bool {
    let mut game = Game::new(*pos);
    game.play_all(&line.moves);
    is_mated(&game.pos)
}
