//! Limits of a search that hold from its first node to its last: the clock, and nodes with several threads.

use crate::common::watchdog::Watchdog;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tabiya::chess::{Move, Position};
use tabiya::engine::{Clock, Engine, Info, Limits, Report, score};
use tabiya::game::notation::FenReader;
use tabiya::game::{Notation, Searchable};
use tabiya::protocol::bench;
use tabiya::xiangqi;

/// Captures without end: the first iteration takes tens of milliseconds.
const QUEENS: &str = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";

/// The last line and the answer of a search.
#[derive(Clone, Debug)]
struct Found<M> {
    best: Option<M>,
    score: i32,
    depth: u32,
    nodes: u64,
}

struct Log<M> {
    found: Mutex<Found<M>>,
    /// `Engine::wait` has no time-out of its own.
    _watchdog: Watchdog,
}

impl<P: Searchable> Report<P> for Log<P::Move> {
    fn info(&self, info: &Info<'_, P::Move>) {
        let mut found = self.found.lock().unwrap();
        (found.depth, found.nodes) = (info.depth, info.nodes);
    }
    fn best(&self, best: Option<P::Move>, _ponder: Option<P::Move>, score: i32) {
        let mut found = self.found.lock().unwrap();
        (found.best, found.score) = (best, score);
    }
}

struct Player<P: Searchable> {
    engine: Engine<P>,
    log: Arc<Log<P::Move>>,
}

impl<P: Searchable> Player<P> {
    fn new(threads: usize) -> Self {
        let found = Mutex::new(Found { best: None, score: 0, depth: 0, nodes: 0 });
        let log = Arc::new(Log { found, _watchdog: Watchdog::default() });
        let mut engine = Engine::new(Arc::clone(&log) as Arc<dyn Report<P>>);
        engine.settings.threads = threads;
        Player { engine, log }
    }

    fn go(&mut self, pos: P, limits: Limits<P::Move>) -> Found<P::Move> {
        self.engine.set_position(pos, &[]);
        assert!(self.engine.go(limits));
        self.engine.wait();
        self.log.found.lock().unwrap().clone()
    }
}

fn clock(remaining: u64) -> Limits<Move> {
    let remaining = Duration::from_millis(remaining);
    Limits { clock: Some(Clock { remaining, ..Clock::default() }), ..Limits::default() }
}

#[test]
fn the_clock_counts_before_the_first_iteration_is_complete() {
    let pos = Position::read_fen(QUEENS, &mut FenReader::lenient()).unwrap();
    let mut player = Player::new(1);
    let whole = player.go(pos, Limits::depth(1)).nodes;
    assert!(whole > 10_000, "{whole}");
    let movetime = Limits::movetime(Duration::from_millis(1));
    for limits in [movetime, clock(0), clock(1), clock(11)] {
        player.engine.new_game();
        let found = player.go(pos, limits.clone());
        assert!(found.nodes < whole / 2, "{limits:?}: {found:?} of {whole}");
        assert!(found.best.is_some_and(|m| pos.is_legal(m)), "{limits:?}: {found:?}");
        assert!(!score::is_decided(found.score) && found.depth == 1, "{limits:?}: {found:?}");
    }
}

/// With time for nothing, the move is the one that an earlier search has found.
#[test]
fn the_move_in_hand_is_that_of_the_hash_table() {
    let mut player = Player::new(1);
    let mut others = 0;
    for fen in &bench::POSITIONS[..12] {
        let pos = Position::from_fen(fen).unwrap();
        let before = player.go(pos, Limits::depth(6));
        let found = player.go(pos, Limits::nodes(1));
        assert_eq!(found.best, before.best, "{fen}");
        others += u32::from(before.best != pos.legal_moves().first().copied());
    }
    assert!(others > 6);
}

/// The limit is never exceeded. The bound below it is that of `Limits::nodes`.
fn check_nodes<P: Searchable + Notation>() {
    let start = P::from_fen(P::START_FEN).unwrap();
    for threads in [1, 2, 3, 8] {
        let mut player = Player::<P>::new(threads);
        for wanted in [1, 2, 100, 3_000, 4_096, 5_000, 30_000] {
            let found = player.go(start, Limits::nodes(wanted));
            let unused = wanted - found.nodes;
            // A few nodes are all for the first thread.
            let most = if wanted <= 4_096 { 0 } else { 4_096 * (threads as u64 - 1) };
            assert!(unused <= most, "{threads} threads, {wanted}: {found:?}");
            assert!(found.best.is_some_and(|m| start.is_legal(m)), "{found:?}");
        }
    }
}

#[test]
fn node_limits_hold_with_any_number_of_threads() {
    check_nodes::<Position>();
    check_nodes::<xiangqi::Position>();
}

/// Threads that stay from search to search, fewer and more of them.
#[test]
fn the_number_of_threads_can_change_between_searches() {
    let pos = Position::default();
    let mut player = Player::new(1);
    for threads in [4, 1, 3, 64, 2] {
        player.engine.settings.threads = threads;
        player.engine.prepare();
        for nodes in [500, 20_000] {
            let found = player.go(pos, Limits::nodes(nodes));
            assert!(found.best.is_some() && found.nodes <= nodes, "{threads}: {found:?}");
        }
    }
    // With one thread again, a search is as reproducible as before.
    player.engine.settings.threads = 1;
    let [first, second] = [(); 2].map(|()| {
        player.engine.new_game();
        player.go(pos, Limits::depth(8)).nodes
    });
    assert_eq!(first, second);
    assert_eq!(first, Player::new(1).go(pos, Limits::depth(8)).nodes);
}
