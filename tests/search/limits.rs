//! Limits and signals: the clock, nodes and depth, `stop` and `ponder_hit` in any order, and searches that
//! withhold their answer.

use super::player::{Player, position};
use std::time::Duration;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Position};
use tabiya::engine::{Clock, Limits, score};
use tabiya::game::text::fen::Tolerance;
use tabiya::game::{self, Searchable};
use tabiya::protocol::games::bench_positions;
use tabiya::xiangqi;

/// At once, on a busy machine. A search without a limit does not end.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Captures without end: the first iteration takes tens of milliseconds.
const QUEENS: &str = "8/8/kbrbqqbq/rqqnnqqq/8/NQQBQRNN/NQQQKQNQ/8 w - - 0 1";

fn clock(remaining: u64) -> Limits {
    let remaining = Duration::from_millis(remaining);
    Limits { clock: Some(Clock { remaining, ..Clock::default() }), ..Limits::default() }
}

#[test]
fn the_clock_counts_before_the_first_iteration_is_complete() {
    let pos = Position::read_fen(QUEENS, &mut Tolerance::lenient()).unwrap();
    let mut player = Player::new();
    let whole = player.think(pos, &[], Limits::depth(1)).nodes();
    assert!(whole > 10_000, "{whole}");
    let movetime = Limits::movetime(Duration::from_millis(1));
    for limits in [movetime, clock(0), clock(1), clock(11)] {
        let found = player.search(pos, limits);
        assert!(found.nodes() < whole / 2, "{limits:?}: {found:?} of {whole}");
        assert!(found.best.is_some_and(|m| pos.is_legal(m)), "{limits:?}: {found:?}");
        assert!(!score::is_decided(found.score) && found.last().depth == 1, "{limits:?}: {found:?}");
    }
}

/// With time for nothing, the move is the one that an earlier search has found.
#[test]
fn the_move_in_hand_is_that_of_the_hash_table() {
    let mut player = Player::new();
    let mut others = 0;
    for fen in &bench_positions::<chess::Board>()[..12] {
        let pos = Position::from_fen(fen).unwrap();
        let before = player.think(pos, &[], Limits::depth(6));
        let found = player.think(pos, &[], Limits::nodes(1));
        assert_eq!(found.best, before.best, "{fen}");
        others += u32::from(before.best != pos.legal_moves().first().copied());
    }
    assert!(others > 6);
}

/// The limit is never exceeded. The bound below it is that of `Limits::nodes`.
fn check_nodes<B: Searchable>() {
    let start = game::Position::<B>::from_fen(B::START_FEN).unwrap();
    for threads in [1, 2, 3, 8] {
        let mut player = Player::<B>::new();
        player.engine.threads = threads;
        for wanted in [1, 2, 100, 3_000, 4_096, 5_000, 30_000] {
            let found = player.think(start, &[], Limits::nodes(wanted));
            let unused = wanted - found.nodes();
            // A few nodes are all for the first thread.
            let most = if wanted <= 4_096 { 0 } else { 4_096 * (threads as u64 - 1) };
            assert!(unused <= most, "{threads} threads, {wanted}: {found:?}");
            assert!(found.best.is_some_and(|m| start.is_legal(m)), "{found:?}");
        }
    }
}

#[test]
fn node_limits_hold_with_any_number_of_threads() {
    check_nodes::<chess::Board>();
    check_nodes::<xiangqi::Board>();
}

/// Threads that stay from search to search, fewer and more of them.
#[test]
fn the_number_of_threads_can_change_between_searches() {
    let pos = Position::default();
    let mut player = Player::new();
    for threads in [4, 1, 3, 64, 2] {
        player.engine.threads = threads;
        player.engine.prepare();
        for nodes in [500, 20_000] {
            let found = player.think(pos, &[], Limits::nodes(nodes));
            assert!(found.best.is_some() && found.nodes() <= nodes, "{threads}: {found:?}");
        }
    }
    // With one thread again, a search is as reproducible as before.
    player.engine.threads = 1;
    let [first, second] = [(); 2].map(|()| player.search(pos, Limits::depth(8)).nodes());
    assert_eq!(first, second);
    assert_eq!(first, Player::new().search(pos, Limits::depth(8)).nodes());
}

#[test]
fn infinite_and_ponder_withhold_the_best_move() {
    let mut player = Player::<chess::Board>::new();
    // Mated, and mate in one: searches that are over at once.
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/8/6K1/8/8/8/R7/8 w - - 0 1"] {
        for ponder in [false, true] {
            let limits = Limits { infinite: !ponder, ponder, depth: Some(3), ..Limits::default() };
            for hit in [false, true] {
                if hit && !ponder {
                    continue;
                }
                player.begin(position(fen), &[], limits);
                assert!(!player.answers_within(Duration::from_millis(60)), "{fen} {limits:?}");
                assert!(player.engine.is_searching());
                if hit {
                    player.stop.ponder_hit()
                } else {
                    player.stop.stop()
                }
                assert!(player.answers_within(AT_ONCE), "{fen} {limits:?}");
                player.end();
            }
        }
    }
}

#[test]
fn stops_and_ponder_hits_in_any_order_give_one_best_move() {
    let mut player = Player::<chess::Board>::new();
    let mut rng = SplitMix64::new(77);
    let clock = Clock { remaining: Duration::from_millis(40), ..Clock::default() };
    for round in 0..1_500 {
        let ponder = rng.below(2) == 0;
        let limits = Limits { infinite: !ponder, ponder, clock: Some(clock), ..Limits::default() };
        player.begin(position(bench_positions::<chess::Board>()[round % 30]), &[], limits);
        let pause = Duration::from_micros(rng.below(400) as u64);
        let handle = player.stop.clone();
        let hits = rng.below(3);
        let other = std::thread::spawn(move || {
            if pause > Duration::from_micros(100) {
                std::thread::sleep(pause);
            }
            for _ in 0..hits {
                handle.ponder_hit();
            }
            handle.stop();
            handle.stop();
        });
        assert!(player.answers_within(AT_ONCE), "round {round}");
        other.join().unwrap();
        assert!(!player.end().lines.is_empty(), "round {round}");
    }
    // A late `stop` has no effect.
    player.stop.stop();
    let best = player.search(position(bench_positions::<chess::Board>()[0]), Limits::depth(8));
    assert_eq!(best.last().depth, 8);
    assert!(best.ponder.is_some());
}

/// Callers who have no limit say so by the longest time that there is.
#[test]
fn the_longest_times_are_no_limit() {
    let mut player = Player::<chess::Board>::new();
    for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
        for [remaining, increment, overhead] in [[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0]] {
            let [remaining, increment, overhead] = [remaining, increment, overhead].map(|times| Duration::MAX * times);
            for movetime in [None, Some(Duration::MAX)] {
                for ponder in [false, true] {
                    player.engine.settings.ponder = ponder;
                    let clock = Some(Clock { remaining, increment, moves_to_go });
                    let limits = Limits { clock, overhead, movetime, ..Limits::depth(6) };
                    let found = player.search(position(bench_positions::<chess::Board>()[0]), limits);
                    let depth = if remaining > overhead { 6 } else { 1 };
                    assert!(found.best.is_some() && found.last().depth >= depth, "{limits:?}: {found:?}");
                }
            }
        }
    }
}
