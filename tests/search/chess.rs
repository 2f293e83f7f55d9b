//! Search tests for chess: mates, draws, PVs, reproducibility, limits, and races of `stop` and `ponder_hit`.
//! Positions come from `tests/data` and `protocol::bench`.

use crate::common::watchdog::Watchdog;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Move, Position};
use tabiya::engine::{Bound, Clock, Engine, Info, Limits, Report, score};
use tabiya::game::{Playable, Pruning, SearchParams, Searchable};
use tabiya::protocol::bench;

/// An owned copy of an `Info`.
#[derive(Clone, Debug)]
struct Line {
    depth: u32,
    multi_pv: u32,
    score: i32,
    bound: Bound,
    nodes: u64,
    pv: Vec<Move>,
}

#[derive(Clone, Debug)]
struct Best {
    best: Option<Move>,
    ponder: Option<Move>,
    score: i32,
}

#[derive(Default)]
struct Log {
    lines: Mutex<Vec<Line>>,
    best: Mutex<Vec<Best>>,
    refutations: Mutex<Vec<(Move, Vec<Move>)>>,
    messages: Mutex<Vec<String>>,
    reported: Condvar,
    /// `Engine::wait` has no time-out of its own.
    _watchdog: Watchdog,
}

impl Report<Position> for Log {
    fn info(&self, info: &Info<'_, Move>) {
        self.lines.lock().unwrap().push(Line {
            depth: info.depth,
            multi_pv: info.multi_pv,
            score: info.score,
            bound: info.bound,
            nodes: info.nodes,
            pv: info.pv.to_vec(),
        });
    }
    fn refutation(&self, m: Move, line: &[Move]) {
        self.refutations.lock().unwrap().push((m, line.to_vec()));
    }
    fn message(&self, text: &str) {
        self.messages.lock().unwrap().push(text.to_string());
    }
    fn best(&self, best: Option<Move>, ponder: Option<Move>, score: i32) {
        self.best.lock().unwrap().push(Best { best, ponder, score });
        self.reported.notify_all();
    }
}

impl Log {
    fn clear(&self) {
        self.lines.lock().unwrap().clear();
        self.best.lock().unwrap().clear();
        self.refutations.lock().unwrap().clear();
        self.messages.lock().unwrap().clear();
    }
    fn bests(&self) -> usize {
        self.best.lock().unwrap().len()
    }
    /// Waits up to `limit` for the best move.
    fn wait(&self, limit: Duration) -> bool {
        let guard = self.best.lock().unwrap();
        let (guard, _) = self.reported.wait_timeout_while(guard, limit, |b| b.is_empty()).unwrap();
        !guard.is_empty()
    }
}

fn engine() -> (Engine<Position>, Arc<Log>) {
    let log = Arc::new(Log::default());
    (Engine::new(Arc::clone(&log) as Arc<dyn Report<Position>>), log)
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Searches a position from scratch.
fn search(engine: &mut Engine<Position>, log: &Log, pos: Position, limits: Limits<Move>) -> Best {
    engine.new_game();
    search_on(engine, log, pos, limits)
}

/// Searches a position with a warm hash table.
fn search_on(
    engine: &mut Engine<Position>,
    log: &Log,
    pos: Position,
    limits: Limits<Move>,
) -> Best {
    engine.set_position(pos, &[]);
    log.clear();
    assert!(engine.go(limits));
    engine.wait();
    let best = log.best.lock().unwrap();
    assert_eq!(best.len(), 1, "exactly one best move");
    best[0].clone()
}

/// Plays a line of legal moves. Returns the final position and the keys of all positions.
fn play(pos: &Position, line: &[Move]) -> (Position, Vec<u64>) {
    let (mut pos, mut keys) = (*pos, vec![pos.key()]);
    for &m in line {
        assert!(pos.is_legal(m), "{m:?} in {pos:?}");
        pos.make(m);
        keys.push(pos.key());
    }
    (pos, keys)
}

fn mates() -> Vec<(Position, u32)> {
    let mates = crate::common::mates("mates.epd");
    assert!(mates.len() >= 100);
    mates
}

/// Whether the line ends in mate.
fn ends_in_mate(pos: &Position, line: &Line) -> bool {
    let (end, _) = play(pos, &line.pv);
    end.in_check() && end.count_legal() == 0
}

#[test]
fn mates_are_found_by_a_mate_limit() {
    let (mut engine, log) = engine();
    for (pos, moves) in mates() {
        let limits = Limits { mate: Some(moves), nodes: Some(20_000_000), ..Limits::default() };
        let best = search(&mut engine, &log, pos, limits);
        let found = score::mate_moves(best.score);
        assert_eq!(found, Some(moves as i32), "{pos:?}");
        let lines = log.lines.lock().unwrap();
        let last = lines.last().unwrap();
        assert_eq!(last.pv.len(), 2 * moves as usize - 1, "{pos:?}");
        assert!(ends_in_mate(&pos, last), "{pos:?}");
        assert_eq!(Some(last.pv[0]), best.best);
    }
}

#[test]
fn mate_searches_end_by_themselves() {
    let (mut engine, log) = engine();
    let limits = |mate| Limits { mate: Some(mate), ..Limits::default() };
    let mut ruled_out = 0;
    for (pos, moves) in mates() {
        // Found without any other limit, and proven to be the shortest.
        if moves <= 4 {
            let best = search(&mut engine, &log, pos, limits(moves));
            assert_eq!(score::mate_moves(best.score), Some(moves as i32), "{pos:?}");
            assert!(log.messages.lock().unwrap().is_empty());
        }
        if (2..=4).contains(&moves) {
            let best = search(&mut engine, &log, pos, limits(moves - 1));
            let found = score::mate_moves(best.score);
            assert!(found.is_none_or(|n| n >= moves as i32), "{pos:?}: {found:?}");
            let text = format!("there is no mate in {}", moves - 1);
            assert_eq!(*log.messages.lock().unwrap(), [text], "{pos:?}");
            ruled_out += 1;
        }
    }
    assert!(ruled_out > 20);
    // Only allowed root moves count: without its first move there is no mate.
    let pos = position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let banned = vec![pos.parse_move("a1a8").unwrap()];
    search(&mut engine, &log, pos, Limits { banned, ..limits(1) });
    assert_eq!(*log.messages.lock().unwrap(), ["there is no mate in 1"]);
}

#[test]
fn every_mate_score_has_a_line_to_mate() {
    let (mut engine, log) = engine();
    let (mut lines, mut stopped) = (0, 0);
    for (i, (pos, _)) in mates().into_iter().step_by(3).enumerate() {
        let mut roots = vec![pos];
        // For the mated side too.
        let best = search(&mut engine, &log, pos, Limits::depth(7)).best.unwrap();
        let mut after = pos;
        after.make(best);
        roots.push(after);
        for root in roots {
            for step in 0..8 {
                // Stopped at arbitrary points, with one line and with several.
                let nodes = 100 * (1 << step) + 37 * i as u64;
                engine.settings.multi_pv = 1 + 2 * (step & 1);
                search(&mut engine, &log, root, Limits::nodes(nodes));
                let found = log.lines.lock().unwrap();
                for line in found.iter() {
                    let Some(plies) = score::mate_plies(line.score) else { continue };
                    lines += 1;
                    assert_eq!(line.pv.len(), plies.unsigned_abs() as usize, "{root:?} {line:?}");
                    assert!(plies == 0 || ends_in_mate(&root, line), "{root:?}: {line:?}");
                }
                let last = found.last().unwrap();
                stopped += usize::from(last.nodes == nodes && score::is_mate(last.score));
            }
        }
    }
    println!("{lines} lines, {stopped} stopped");
    assert!(lines > 300 && stopped > 15, "{lines} lines, {stopped} stopped");
}

#[test]
fn stopped_searches_report_lines_of_one_depth_and_all_nodes() {
    let (mut engine, log) = engine();
    let (mut unfinished, mut too_few) = (0, 0);
    for lines in [1, 2, 3, 5] {
        engine.settings.multi_pv = lines;
        for (i, fen) in bench::POSITIONS.iter().take(8).enumerate() {
            for nodes in [1_000, 2_500, 5_000, 9_000, 20_000] {
                let nodes = nodes + 100 * i as u64;
                let pos = position(fen);
                let lines = lines.min(pos.legal_moves().len());
                let best = search(&mut engine, &log, pos, Limits::nodes(nodes));
                let found = log.lines.lock().unwrap();
                // Few nodes may not be enough for the first root moves of depth 1.
                let Some(first) = found.len().checked_sub(lines) else {
                    assert!(found.iter().all(|line| line.depth == 1), "{fen}: {found:?}");
                    too_few += 1;
                    continue;
                };
                let last = &found[first..];
                let ranks: Vec<u32> = last.iter().map(|line| line.multi_pv).collect();
                assert_eq!(ranks, Vec::from_iter(1..=lines as u32), "{fen}");
                assert!(last.iter().all(|line| line.depth == last[0].depth), "{fen}: {last:?}");
                assert!(last.iter().all(|line| line.nodes == nodes), "{fen}: {last:?}");
                assert!(last.is_sorted_by(|a, b| a.score >= b.score), "{fen}: {last:?}");
                assert_eq!(best.best, Some(last[0].pv[0]), "{fen}: {last:?}");
                assert!(
                    best.ponder.is_none()
                        || last[0].pv.len() < 2
                        || best.ponder == Some(last[0].pv[1])
                );
                let deepest = found.iter().map(|line| line.depth).max();
                let shown = found.iter().filter(|line| Some(line.depth) == deepest).count();
                unfinished += usize::from(shown > lines);
            }
        }
    }
    assert!(unfinished > 20 && too_few < 8, "{unfinished} {too_few}");
}

#[test]
fn mates_are_found_by_depth() {
    let (mut engine, log) = engine();
    let mut late = 0;
    for (i, (pos, moves)) in mates().into_iter().enumerate() {
        let (by, latest) = (2 * moves + 14, 2 * moves + 20);
        let until_mate = Limits { until_mate: true, ..Limits::depth(latest) };
        let best = search(&mut engine, &log, pos, until_mate);
        let not_shorter = |n: i32| n >= moves as i32;
        assert!(score::mate_moves(best.score).is_some_and(not_shorter), "{pos:?}");
        // Pruning may delay one or two mates.
        late += usize::from(log.lines.lock().unwrap().last().unwrap().depth > by);
        // Search some further: no shorter mate turns up.
        if i % 8 == 0 {
            let best = search(&mut engine, &log, pos, Limits::depth(by));
            assert!(score::mate_moves(best.score).is_none_or(not_shorter), "{pos:?}");
        }
    }
    assert!(late <= 2, "{late}");
}

#[test]
fn no_reported_mate_is_too_short() {
    let (mut engine, log) = engine();
    for (pos, moves) in mates() {
        search(&mut engine, &log, pos, Limits::depth(8));
        for line in log.lines.lock().unwrap().iter() {
            if let Some(n) = score::mate_moves(line.score) {
                assert!(n < 0 || n >= moves as i32, "{pos:?}: {line:?}");
            }
        }
    }
}

#[test]
fn pvs_are_legal_and_end_with_the_game() {
    let (mut engine, log) = engine();
    let mut rng = SplitMix64::new(5);
    let mut lines = 0;
    for round in 0..60 {
        let mut pos = position(Position::START_FEN);
        for _ in 0..rng.below(90) {
            let list = pos.legal_moves();
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
        }
        engine.settings.multi_pv = 1 + round % 3;
        search(&mut engine, &log, pos, Limits::depth(8));
        for line in log.lines.lock().unwrap().iter() {
            if line.depth == 0 {
                assert!(line.pv.is_empty() && pos.legal_moves().is_empty());
                continue;
            }
            assert!(!line.pv.is_empty());
            lines += 1;
            let (end, keys) = play(&pos, &line.pv);
            // The game must not be over before the last position.
            for length in 1..line.pv.len() {
                let (middle, _) = play(&pos, &line.pv[..length]);
                let verdict = middle.verdict(keys[length], &keys[..length], length);
                assert_eq!(verdict, None, "{pos:?}: {line:?} goes on after move {length}");
            }
            if score::mate_plies(line.score) == Some(line.pv.len() as i32) {
                assert!(end.in_check() && end.count_legal() == 0, "{pos:?}: {line:?}");
            }
        }
    }
    assert!(lines > 400);
}

#[test]
fn positions_without_legal_moves_are_answered() {
    let (mut engine, log) = engine();
    let mated = position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    let best = search(&mut engine, &log, mated, Limits::depth(5));
    assert!(best.best.is_none() && best.ponder.is_none());
    let lines = log.lines.lock().unwrap().clone();
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].depth, score::mate_moves(lines[0].score)), (0, Some(0)));

    let stalemated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let best = search(&mut engine, &log, stalemated, Limits::movetime(Duration::from_secs(9)));
    assert!(best.best.is_none());
    let lines = log.lines.lock().unwrap().clone();
    assert_eq!((lines[0].depth, lines[0].score), (0, 0));
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    let (mut engine, log) = engine();
    let pos = position("6k1/n4p1p/n7/4Q3/8/7K/rr6/8 w - - 0 1");
    let best = search(&mut engine, &log, pos, Limits::depth(14));
    assert_eq!(best.score, 0);
}

#[test]
fn repeating_a_game_position_is_a_draw() {
    let (mut engine, log) = engine();
    // Black is a queen down and shuffles. Every white move but the repetition keeps the win.
    let start = position("k7/8/8/8/8/8/1Q6/K7 w - - 0 1");
    let mut pos = start;
    let mut moves = Vec::new();
    for text in ["b2b3", "a8a7", "b3b2", "a7a8", "b2b3", "a8a7"] {
        let m = pos.parse_move(text).unwrap();
        moves.push(m);
        pos.make(m);
    }
    let limits =
        Limits { root_moves: Some(vec![pos.parse_move("b3b2").unwrap()]), ..Limits::depth(6) };
    engine.set_position(start, &moves);
    engine.go(limits);
    engine.wait();
    // After b3b2 Black reaches the start position for the third time by a7a8.
    assert_eq!(log.best.lock().unwrap()[0].score, 0);
    log.clear();
    engine.set_position(start, &moves);
    engine.go(Limits::depth(8));
    engine.wait();
    assert!(log.best.lock().unwrap()[0].score > 300);
}

#[test]
fn the_fifty_move_rule_ends_lines() {
    let (mut engine, log) = engine();
    // One ply is left and there is no mate: the position is a draw despite the extra rook.
    let pos = position("7k/8/8/3K4/8/8/R7/8 w - - 99 90");
    let best = search(&mut engine, &log, pos, Limits::depth(6));
    assert_eq!(best.score, 0);
    // A mate on the last move counts.
    let pos = position("7k/8/6K1/8/8/8/R7/8 w - - 99 90");
    let best = search(&mut engine, &log, pos, Limits::depth(6));
    assert_eq!(score::mate_moves(best.score), Some(1));
}

#[test]
fn no_table_cutoffs_near_the_fifty_move_rule() {
    let (mut engine, log) = engine();
    let at = |clock| position(&format!("8/8/8/3k4/8/8/R7/K7 w - - {clock} 90"));
    let mut nodes_after = |clock, table_cut_plies| {
        engine.settings.params = SearchParams { table_cut_plies, ..Position::PARAMS };
        assert!(search(&mut engine, &log, at(0), Limits::depth(16)).score > 300);
        let late = search_on(&mut engine, &log, at(clock), Limits::depth(12));
        // Eight plies are too few to mate.
        assert_eq!(late.score == 0, clock == 92, "{late:?}");
        log.lines.lock().unwrap().last().unwrap().nodes
    };
    assert_eq!(nodes_after(0, 10), nodes_after(0, 0));
    assert!(nodes_after(92, 10) > 2 * nodes_after(92, 0));
}

#[test]
fn one_thread_searches_the_same_nodes_every_time() {
    let (mut engine, log) = engine();
    let count = |engine: &mut Engine<Position>, depth| {
        bench::POSITIONS[..8]
            .iter()
            .map(|fen| {
                let best = search(engine, &log, position(fen), Limits::depth(depth));
                (best.best, best.score, log.lines.lock().unwrap().last().unwrap().nodes)
            })
            .collect::<Vec<_>>()
    };
    let first = count(&mut engine, 9);
    assert_eq!(count(&mut engine, 9), first);
    let count = || bench::count::<Position>(&bench::POSITIONS, 7, |_, _| true).unwrap().nodes;
    let second = count();
    assert_eq!(count(), second);
}

#[test]
fn node_and_depth_limits_are_kept() {
    let (mut engine, log) = engine();
    for nodes in [1, 2, 10, 777, 5_000] {
        let pos = position(bench::POSITIONS[1]);
        let best = search(&mut engine, &log, pos, Limits::nodes(nodes));
        assert!(best.best.is_some_and(|m| pos.is_legal(m)));
        let lines = log.lines.lock().unwrap();
        assert!(lines.last().unwrap().nodes <= nodes, "{nodes}: {lines:?}");
        assert_eq!(Some(lines.last().unwrap().pv[0]), best.best);
    }
    search(&mut engine, &log, position(bench::POSITIONS[1]), Limits::depth(4));
    assert_eq!(log.lines.lock().unwrap().iter().map(|l| l.depth).max(), Some(4));
}

#[test]
fn root_moves_can_be_restricted_and_excluded() {
    let (mut engine, log) = engine();
    let pos = position(Position::START_FEN);
    let moves = ["a2a3", "h2h4"].map(|text| pos.parse_move(text).unwrap());
    let limits = Limits { root_moves: Some(moves.to_vec()), ..Limits::depth(6) };
    let best = search(&mut engine, &log, pos, limits).best.unwrap();
    assert!(moves.contains(&best));
    let free = search(&mut engine, &log, pos, Limits::depth(6)).best.unwrap();
    let limits = Limits { banned: vec![free], ..Limits::depth(6) };
    assert_ne!(search(&mut engine, &log, pos, limits).best, Some(free));
}

#[test]
fn several_lines_are_ranked() {
    let (mut engine, log) = engine();
    engine.settings.multi_pv = 4;
    engine.settings.show_refutations = true;
    let pos = position(bench::POSITIONS[5]);
    search(&mut engine, &log, pos, Limits::depth(7));
    let lines = log.lines.lock().unwrap();
    let last = &lines[lines.len() - 4..];
    for (i, line) in last.iter().enumerate() {
        assert_eq!((line.multi_pv, line.depth, line.bound), (i as u32 + 1, 7, Bound::Exact));
        assert!(i == 0 || last[i - 1].score >= line.score);
    }
    let mut first: Vec<Move> = last.iter().map(|l| l.pv[0]).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4);
    for (m, line) in log.refutations.lock().unwrap().iter() {
        let whole: Vec<Move> = std::iter::once(*m).chain(line.iter().copied()).collect();
        play(&pos, &whole);
    }
}

#[test]
fn works_with_the_smallest_table_and_many_threads() {
    let (mut engine, log) = engine();
    engine.resize_hash(1).unwrap();
    assert!(engine.resize_hash(usize::MAX).is_err());
    for threads in [1, 2, 5] {
        engine.settings.threads = threads;
        for fen in &bench::POSITIONS[..6] {
            let pos = position(fen);
            let found = search(&mut engine, &log, pos, Limits::nodes(60_000));
            let lines = log.lines.lock().unwrap();
            let last = lines.last().unwrap();
            play(&pos, &last.pv);
            // The move played must match the last report, whichever thread found it.
            assert_eq!(found.best, last.pv.first().copied());
            assert!(last.bound != Bound::Exact || found.score == last.score);
        }
    }
}

#[test]
fn infinite_and_ponder_withhold_the_best_move() {
    let (mut engine, log) = engine();
    let stop = engine.stop_handle();
    // Mated, and mate in one: searches that are over at once.
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/8/6K1/8/8/8/R7/8 w - - 0 1"] {
        for ponder in [false, true] {
            let limits = Limits { infinite: !ponder, ponder, depth: Some(3), ..Limits::default() };
            for hit in [false, true] {
                if hit && !ponder {
                    continue;
                }
                log.clear();
                engine.set_position(position(fen), &[]);
                engine.go(limits.clone());
                assert!(!log.wait(Duration::from_millis(60)), "{fen} {limits:?}");
                assert!(engine.is_searching());
                if hit {
                    stop.ponder_hit()
                } else {
                    stop.stop()
                }
                assert!(log.wait(Duration::from_secs(5)), "{fen} {limits:?}");
                engine.wait();
                assert_eq!(log.bests(), 1);
            }
        }
    }
}

#[test]
fn the_clock_starts_at_the_ponder_hit() {
    let (mut engine, log) = engine();
    let stop = engine.stop_handle();
    let clock = Clock { remaining: Duration::from_secs(4), ..Clock::default() };
    engine.set_position(position(bench::POSITIONS[5]), &[]);
    engine.go(Limits { clock: Some(clock), ponder: true, ..Limits::default() });
    assert!(!log.wait(Duration::from_millis(400)));
    stop.ponder_hit();
    assert!(log.wait(Duration::from_secs(4)));
    engine.wait();
    assert_eq!(log.bests(), 1);
}

#[test]
fn stops_and_ponder_hits_in_any_order_give_one_best_move() {
    let (mut engine, log) = engine();
    let handle = engine.stop_handle();
    let mut rng = SplitMix64::new(77);
    let clock = Clock { remaining: Duration::from_millis(40), ..Clock::default() };
    for round in 0..1_500 {
        log.clear();
        engine.set_position(position(bench::POSITIONS[round % 30]), &[]);
        let ponder = rng.below(2) == 0;
        let limits = Limits { infinite: !ponder, ponder, clock: Some(clock), ..Limits::default() };
        engine.go(limits);
        let pause = Duration::from_micros(rng.below(400) as u64);
        let handle = handle.clone();
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
        assert!(log.wait(Duration::from_secs(10)), "round {round}");
        other.join().unwrap();
        engine.wait();
        assert_eq!(log.bests(), 1, "round {round}");
        assert!(!log.lines.lock().unwrap().is_empty(), "round {round}");
    }
    // A late `stop` has no effect.
    handle.stop();
    let best = search(&mut engine, &log, position(bench::POSITIONS[0]), Limits::depth(8));
    assert_eq!(log.lines.lock().unwrap().last().unwrap().depth, 8);
    assert!(best.ponder.is_some());
}

#[test]
fn very_short_times_still_give_a_line() {
    let (mut engine, log) = engine();
    for remaining in [0, 1, 2, 5, 20] {
        for moves_to_go in [None, Some(1), Some(40)] {
            let remaining = Duration::from_millis(remaining);
            let clock = Clock { remaining, moves_to_go, ..Clock::default() };
            for fen in &bench::POSITIONS[..5] {
                let pos = position(fen);
                let begin = Instant::now();
                let limits = Limits { clock: Some(clock), ..Limits::default() };
                let best = search(&mut engine, &log, pos, limits).best.unwrap();
                assert!(begin.elapsed() < Duration::from_secs(1));
                let lines = log.lines.lock().unwrap();
                let last = lines.last().unwrap();
                assert!(last.depth >= 1 && last.pv[0] == best);
            }
        }
    }
}

#[test]
fn a_forced_move_is_played_at_once_with_a_score() {
    let (mut engine, log) = engine();
    let pos = position("k7/8/8/8/8/8/1q6/K7 w - - 0 1");
    assert_eq!(pos.count_legal(), 1);
    let clock = Clock { remaining: Duration::from_secs(600), ..Clock::default() };
    let begin = Instant::now();
    search(&mut engine, &log, pos, Limits { clock: Some(clock), ..Limits::default() });
    assert!(begin.elapsed() < Duration::from_secs(3));
    assert!(!log.lines.lock().unwrap().is_empty());
}

#[test]
fn fixed_position_values_are_used_and_removed() {
    let (mut engine, log) = engine();
    let pos = position(Position::START_FEN);
    let m = pos.parse_move("a2a4").unwrap();
    let mut child = pos;
    child.make(m);
    assert!(engine.set_position_value(child.key(), Some(-900)));
    let best = search(&mut engine, &log, pos, Limits::depth(1));
    assert_eq!(best.best, Some(m), "{best:?}");
    assert!(engine.set_position_value(child.key(), None));
    let best = search(&mut engine, &log, pos, Limits::depth(1));
    assert!(best.score < 300);
}

#[test]
fn fixed_position_values_hold_at_any_depth_and_at_the_root() {
    let (mut engine, log) = engine();
    let pos = position(Position::START_FEN);
    let m = pos.parse_move("a2a4").unwrap();
    let mut child = pos;
    child.make(m);
    assert!(engine.set_position_value(child.key(), Some(-900)));
    for depth in [2, 5, 9] {
        let best = search(&mut engine, &log, pos, Limits::depth(depth));
        assert_eq!((best.best, best.score), (Some(m), 900), "depth {depth}");
        let lines = log.lines.lock().unwrap();
        let last = lines.last().unwrap();
        assert_eq!((last.score, &last.pv[..]), (900, &[m][..]), "depth {depth}");
    }
    // Deeper in the tree: root moves that lead to the position, also by transposition, are avoided.
    engine.clear_position_values();
    let mut two = pos;
    for text in ["g1f3", "g8f6"] {
        two.make(two.parse_move(text).unwrap());
    }
    let without = search(&mut engine, &log, pos, Limits::depth(6));
    assert!(engine.set_position_value(two.key(), Some(-900)));
    engine.settings.multi_pv = 20;
    let with = search(&mut engine, &log, pos, Limits::depth(6));
    assert!((with.score - without.score).abs() < 100, "{with:?} {without:?}");
    let knight = pos.parse_move("g1f3").unwrap();
    let lines = log.lines.lock().unwrap();
    let avoided = lines.iter().rfind(|line| line.pv[0] == knight).unwrap();
    assert_eq!((avoided.score, avoided.pv.len()), (-900, 2), "{avoided:?}");
    drop(lines);
    // At the root it is the score of the best line, and no other line scores higher.
    engine.clear_position_values();
    engine.settings.multi_pv = 3;
    assert!(engine.set_position_value(pos.key(), Some(-321)));
    let best = search(&mut engine, &log, pos, Limits::depth(6)).best;
    let lines = log.lines.lock().unwrap();
    assert!(lines.iter().all(|line| line.score <= -321));
    assert!(lines.iter().filter(|line| line.multi_pv == 1).all(|line| line.score == -321));
    assert!(best.is_some_and(|m| pos.is_legal(m)));
}

#[test]
fn limited_strength_limits_nodes() {
    let (mut engine, log) = engine();
    engine.settings.strength = Some(tabiya::engine::MIN_ELO);
    let best = search(&mut engine, &log, position(bench::POSITIONS[5]), Limits::depth(30));
    assert!(best.best.is_some());
    assert!(log.lines.lock().unwrap().last().unwrap().nodes < 1_000);
}

#[test]
fn until_mate_ends_an_infinite_search() {
    let (mut engine, log) = engine();
    let limits = Limits { infinite: true, until_mate: true, ..Limits::default() };
    // Mating, being mated, and mated already.
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Some(1)),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", Some(-2)),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", None),
    ] {
        let best = search(&mut engine, &log, position(fen), limits.clone());
        assert_eq!(best.best.is_some(), plies.is_some(), "{fen}");
        assert_eq!(plies.and(score::mate_plies(best.score)), plies, "{fen}");
    }
    // Without a mate it never ends, even at maximum depth; nor does it end while pondering.
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for (fen, ponder) in [("8/8/8/3k4/8/8/8/4K3 w - - 0 1", false), (mate, true)] {
        engine.set_position(position(fen), &[]);
        log.clear();
        engine.go(Limits { ponder, ..limits.clone() });
        assert!(!log.wait(Duration::from_millis(300)), "{fen}");
        let stop = engine.stop_handle();
        if ponder {
            stop.ponder_hit()
        } else {
            stop.stop()
        }
        assert!(log.wait(Duration::from_secs(10)), "{fen}");
        engine.wait();
    }
}

#[test]
fn draws_score_minus_contempt_at_the_root() {
    let (mut engine, log) = engine();
    for fen in ["8/8/8/3k4/8/8/8/4K3 w - - 0 1", "8/8/8/3k4/8/8/8/4K3 b - - 0 1"] {
        for contempt in [0, 25, -40] {
            engine.settings.contempt = contempt;
            for depth in [1, 2, 5] {
                let best = search(&mut engine, &log, position(fen), Limits::depth(depth));
                assert_eq!(best.score, -contempt, "{fen}, depth {depth}");
            }
        }
    }
    engine.settings.contempt = 1_000_000;
    let bare = "8/8/8/3k4/8/8/8/4K3 w - - 0 1";
    assert_eq!(search(&mut engine, &log, position(bare), Limits::depth(2)).score, -1000);
}

#[test]
fn only_randomness_varies_the_best_move() {
    let (mut engine, log) = engine();
    let mut openings = |randomness| {
        engine.settings.randomness = randomness;
        let moves: Vec<_> = (0..12)
            .map(|_| {
                search(&mut engine, &log, position(Position::START_FEN), Limits::depth(4)).best
            })
            .collect();
        moves.iter().collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(openings(0), 1);
    assert!(openings(80) > 1);
    assert_eq!(openings(0), 1);
}

#[test]
fn less_pruning_searches_more_nodes() {
    let (mut engine, log) = engine();
    let params = Position::PARAMS;
    let mut nodes = |pruning| {
        engine.settings.params = params.with_pruning(pruning);
        bench::POSITIONS[..8]
            .iter()
            .map(|fen| {
                search(&mut engine, &log, position(fen), Limits::depth(5));
                log.lines.lock().unwrap().last().unwrap().nodes
            })
            .sum::<u64>()
    };
    let levels = [Pruning::Large, Pruning::Medium, Pruning::Small, Pruning::None].map(&mut nodes);
    assert!(levels.is_sorted() && levels[0] * 2 < levels[3], "{levels:?}");
    assert_eq!(params.with_pruning(Pruning::Large), params);
}

#[test]
fn a_resting_search_finds_the_same_and_stops_at_once() {
    let (mut engine, log) = engine();
    let pos = position(bench::POSITIONS[1]);
    let whole = search(&mut engine, &log, pos, Limits::depth(7));
    let nodes = log.lines.lock().unwrap().last().unwrap().nodes;
    engine.settings.rest = 50;
    let rested = search(&mut engine, &log, pos, Limits::depth(7));
    assert_eq!((whole.best, whole.score), (rested.best, rested.score));
    assert_eq!(log.lines.lock().unwrap().last().unwrap().nodes, nodes);
    engine.settings.rest = 1_000;
    engine.go(Limits { infinite: true, ..Limits::default() });
    std::thread::sleep(Duration::from_millis(100));
    let stopped = Instant::now();
    engine.stop_handle().stop();
    engine.wait();
    assert!(stopped.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_hash_table_can_be_probed() {
    let (mut engine, log) = engine();
    let pos = position(bench::POSITIONS[1]);
    engine.new_game();
    assert_eq!(engine.probe(pos.key()), None);
    // No deeper: a fail high would reduce the root depth, depending on the network.
    let best = search(&mut engine, &log, pos, Limits::depth(4));
    let entry = engine.probe(pos.key()).expect("the root is in the table");
    assert_eq!((entry.depth, entry.bound, entry.score), (4, Bound::Exact, best.score));
    assert_eq!(best.best.map(tabiya::game::GameMove::raw), Some(entry.m));
    // Also during a search.
    engine.go(Limits { infinite: true, ..Limits::default() });
    assert!(engine.probe(pos.key()).is_some());
    engine.stop_handle().stop();
    engine.wait();
}
