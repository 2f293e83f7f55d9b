//! Search tests for xiangqi: mates, repetition rules, move counter, PVs and reproducible node counts. Positions come
//! from `tests/data` and the suites.

use crate::common::watchdog::Watchdog;
use std::sync::{Arc, Mutex};
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Engine, Info, Limits, Report, score};
use tabiya::game::{Notation, Searchable, Verdict};
use tabiya::xiangqi::board::repetition::Step;
use tabiya::xiangqi::{Move, Position, Repetition, Ruleset};

#[derive(Clone, Default)]
struct Outcome {
    best: Option<Move>,
    score: i32,
    depth: u32,
    nodes: u64,
    /// The shortest mate reported for the side to move, in moves.
    shortest_mate: Option<i32>,
    /// The last line, and every line with its score.
    line: Vec<Move>,
    lines: Vec<(Vec<Move>, i32)>,
}

/// Keeps the last report.
#[derive(Default)]
struct Log(Mutex<Outcome>);

impl Report<Position> for Log {
    fn info(&self, info: &Info<'_, Move>) {
        let mut log = self.0.lock().unwrap();
        (log.depth, log.nodes) = (info.depth, info.nodes);
        log.line = info.pv.to_vec();
        log.lines.push((info.pv.to_vec(), info.score));
        if let Some(moves) = score::mate_moves(info.score).filter(|&moves| moves > 0) {
            log.shortest_mate = Some(log.shortest_mate.map_or(moves, |before| before.min(moves)));
        }
    }
    fn best(&self, best: Option<Move>, _ponder: Option<Move>, score: i32) {
        let mut log = self.0.lock().unwrap();
        (log.best, log.score) = (best, score);
    }
}

struct Player {
    engine: Engine<Position>,
    log: Arc<Log>,
    /// `Engine::wait` has no time-out of its own.
    _watchdog: Watchdog,
}

impl Player {
    fn new() -> Player {
        let log = Arc::new(Log::default());
        let engine = Engine::new(Arc::clone(&log) as Arc<dyn Report<Position>>);
        Player { engine, log, _watchdog: Watchdog::default() }
    }

    /// Searches the position after `moves` with a warm hash table.
    fn think(&mut self, start: Position, moves: &[Move], limits: Limits<Move>) -> Outcome {
        *self.log.0.lock().unwrap() = Outcome::default();
        self.engine.set_position(start, moves);
        assert!(self.engine.go(limits));
        self.engine.wait();
        self.log.0.lock().unwrap().clone()
    }

    /// Searches the position after `moves` from scratch.
    fn search(&mut self, start: Position, moves: &[Move], limits: Limits<Move>) -> Outcome {
        self.engine.new_game();
        self.think(start, moves, limits)
    }
}

/// A game in progress.
struct Game {
    start: Position,
    pos: Position,
    moves: Vec<Move>,
    trail: Vec<Step>,
}

impl Game {
    fn new(fen: &str) -> Game {
        let pos = position(fen);
        Game { start: pos, pos, moves: Vec::new(), trail: Vec::new() }
    }

    fn after(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen);
        for text in moves.split_whitespace() {
            game.play(game.pos.parse_move(text).unwrap());
        }
        game
    }

    fn play(&mut self, m: Move) {
        assert!(self.pos.is_legal(m), "{m:?} in {:?}", self.pos);
        self.trail.push(self.pos.step(self.pos.key(), m));
        self.moves.push(m);
        self.pos.make(m);
    }

    fn verdict(&self) -> Option<Verdict> {
        self.pos.verdict(self.pos.key(), &self.trail, 0)
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mates() -> Vec<(Position, u32)> {
    let mates = crate::common::mates("mates_xiangqi.epd");
    assert!(mates.len() >= 70);
    mates
}

#[test]
fn mates_are_found_and_no_reported_mate_is_too_short() {
    let mut player = Player::new();
    let (mut seen, collection) = (0, mates());
    for &(pos, moves) in &collection {
        let limits = Limits { mate: Some(moves), nodes: Some(5_000_000), ..Limits::default() };
        let found = player.search(pos, &[], limits);
        assert_eq!(score::mate_moves(found.score), Some(moves as i32), "{pos:?}");
        assert_eq!(found.shortest_mate, Some(moves as i32), "{pos:?}");
        let mut end = pos;
        assert_eq!(found.line.len(), 2 * moves as usize - 1, "{pos:?}");
        for &m in &found.line {
            assert!(end.is_legal(m), "{pos:?} {m:?}");
            end.make(m);
        }
        assert_eq!(end.count_legal(), 0, "{pos:?}");
        let deep = player.search(pos, &[], Limits::depth(2 * moves + 14));
        assert!(
            deep.shortest_mate.is_none_or(|n| n >= moves as i32),
            "{pos:?}: {:?}",
            deep.shortest_mate
        );
        seen += usize::from(deep.shortest_mate.is_some());
    }
    // Pruning can miss quiet mate threats for a while.
    assert!(seen * 20 >= collection.len() * 19, "{seen} of {}", collection.len());
}

#[test]
fn a_side_without_moves_has_lost() {
    // Black, not in check, has no move after the chariot goes to the d-file.
    let pos = position("4k4/9/9/9/9/9/9/9/5R3/3K1R3 w - - 0 1");
    let found = Player::new().search(pos, &[], Limits::depth(6));
    assert!(score::mate_moves(found.score).is_some_and(|n| n > 0), "{}", found.score);
    let stalemate = position("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1");
    assert!(!stalemate.in_check());
    let found = Player::new().search(stalemate, &[], Limits::depth(6));
    assert_eq!(stalemate.legal_moves().len(), 1, "d9d8 is left");
    assert!(found.best.is_some());
}

/// Red checks with every move, and Black always has a single reply.
const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
const ONCE: &str = "e1d1 d9e9 d1e1 e9d9 ";

#[test]
fn perpetual_check_is_a_loss_in_the_search() {
    let mut player = Player::new();
    // After one more check the forced reply brings the start position for the third time.
    let game = Game::after(CHECKS, &format!("{ONCE}e1d1 d9e9"));
    let check = game.pos.parse_move("d1e1").unwrap();
    let only = Limits { root_moves: Some(vec![check]), ..Limits::depth(6) };
    let found = player.search(game.start, &game.moves, only);
    assert_eq!(found.score, -score::forfeit_in(2));
    // Table entries from this game must not affect other games.
    let fresh = player.think(game.pos, &[], Limits::depth(8));
    assert!(fresh.score > 500, "{}", fresh.score);
    let found = player.think(game.start, &game.moves, Limits::depth(8));
    assert!(found.score > 500 && found.best != Some(check), "{}", found.score);
    // The checked side wins by going on.
    let game = Game::after(CHECKS, &format!("{ONCE}e1d1 d9e9 d1e1"));
    let found = player.search(game.start, &game.moves, Limits::depth(6));
    assert_eq!(found.score, score::forfeit_in(1));
}

#[test]
fn the_search_follows_the_rules_of_the_position() {
    let mut player = Player::new();
    let rules = |repetition| Ruleset { repetition, ..Ruleset::default() };
    // One more check brings the position for the third time.
    let mut game = Game::after(CHECKS, &format!("{ONCE}e1d1 d9e9"));
    let check = game.pos.parse_move("d1e1").unwrap();
    for (repetition, wanted) in [
        (Repetition::Asian, -score::forfeit_in(2)),
        (Repetition::Draw, 0),
        (Repetition::Chinese, -score::forfeit_in(2)),
    ] {
        game.start = game.start.with_ruleset(rules(repetition));
        let only = Limits { root_moves: Some(vec![check]), ..Limits::depth(6) };
        let found = player.think(game.start, &game.moves, only);
        assert_eq!(found.score, wanted, "{repetition:?}");
    }
    // The side to move is saved by checks and threats of mate by turns.
    let turns = position("R8/3k5/5r3/4C4/9/8P/4c4/4B4/4A4/2BAK4 b - - 0 1");
    for (repetition, lost) in
        [(Repetition::Asian, false), (Repetition::Chinese, true), (Repetition::Draw, false)]
    {
        let pos = turns.with_ruleset(rules(repetition));
        let found = player.think(pos, &[], Limits::depth(11));
        assert_eq!(found.score < 0, lost, "{repetition:?}: {}", found.score);
    }
    // Red is two chariots ahead.
    for (clock, move_limit, drawn) in
        [(99, 50, true), (99, 60, false), (119, 60, true), (119, 0, false), (9_000, 0, false)]
    {
        let pos = position(&format!("4k4/4a4/9/9/9/9/9/9/9/R2K4R w - - {clock} 90"));
        let pos = pos.with_ruleset(Ruleset { move_limit, ..Ruleset::default() });
        let found = player.think(pos, &[], Limits::depth(4));
        assert_eq!(found.score == 0, drawn, "{clock}, {move_limit}: {}", found.score);
    }
}

#[test]
fn the_engine_does_not_lose_by_perpetual_check() {
    // Red cannot win and would like to give perpetual check.
    let fen = "2b1k4/4a4/4b4/9/9/9/9/3r1p3/4p4/3R1K3 w - - 0 1";
    for fen in [CHECKS, fen] {
        let mut player = Player::new();
        let mut game = Game::new(fen);
        let red = game.pos.side();
        let mut dice = SplitMix64::new(3);
        for _ in 0..60 {
            if game.pos.count_legal() == 0 {
                break;
            }
            if let Some(verdict) = game.verdict() {
                let own = if game.pos.side() == red { Verdict::Loss } else { Verdict::Win };
                assert_ne!(verdict, own, "{:?}", game.moves);
                break;
            }
            let list = game.pos.legal_moves();
            let m = if game.pos.side() == red {
                player.think(game.start, &game.moves, Limits::depth(6)).best.unwrap()
            } else {
                list[dice.below(list.len())]
            };
            game.play(m);
        }
    }
}

#[test]
fn a_lost_position_is_saved_by_a_permitted_repetition() {
    // Mate threats alternate with checks, which is allowed.
    for fen in [
        "2b1kab2/4a3r/2n1r3n/p1p3p1p/7R1/9/P1P3P1P/2c1C4/5R3/2BAKABN1 w - - 0 1",
        "R8/3k5/5r3/4C4/9/8P/4c4/4B4/4A4/2BAK4 b - - 0 1",
        "9/3R5/3Ck4/9/9/9/9/9/5K3/4r4 b - - 0 1",
    ] {
        let mut player = Player::new();
        let mut game = Game::new(fen);
        let value = game.pos.evaluate(&mut Default::default());
        assert!(value < -100, "{fen}: {value}");
        let found = player.search(game.start, &[], Limits::depth(11));
        assert_eq!(found.score, 0, "{fen}");
        for &m in &found.line {
            assert_eq!(game.verdict(), None);
            game.play(m);
        }
        let verdict = game.pos.verdict(game.pos.key(), &game.trail, found.line.len());
        assert_eq!(verdict, Some(Verdict::Draw), "{fen}: {:?}", game.moves);
    }
}

/// The same board with the colours exchanged.
fn turned(fen: &str) -> String {
    let (board, side) = fen.split_once(' ').unwrap();
    let swap = |c: char| match c {
        'a'..='z' => c.to_ascii_uppercase(),
        _ => c.to_ascii_lowercase(),
    };
    let ranks: Vec<String> =
        board.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    format!("{} {}", ranks.join("/"), if side == "w" { "b" } else { "w" })
}

#[test]
fn a_chase_and_a_check_through_one_position_save_a_lost_side() {
    // All other moves of Black allow a mate. Each cycle alone would lose.
    let mut player = Player::new();
    for black in ["3aka3", "3ak1b2", "2baka3"] {
        for soldiers in ["9", "p8", "P7p"] {
            for red in ["3AK4", "2BAK4", "3AK1B2"] {
                let fen = format!("{black}/4n4/9/{soldiers}/9/9/2C6/9/6r2/{red} b");
                for fen in [turned(&fen), fen] {
                    let found = player.search(position(&fen), &[], Limits::depth(10));
                    assert!(!score::is_decided(found.score), "{fen}: {}", found.score);
                }
            }
        }
    }
}

#[test]
fn a_game_decided_by_repetition_is_decided_in_its_line() {
    let mut player = Player::new();
    let text = include_str!("../data/repetitions_xiangqi.epd");
    let (mut decided, mut positions) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" ;").collect();
        let cycle = fields[1].split(' ').count();
        // Before the cycle, and at some places on the way to the third occurrence.
        for played in [0, 1, cycle, 2 * cycle - 2, 2 * cycle - 1] {
            let moves = format!("{} {}", fields[1], fields[1]);
            let moves: Vec<&str> = moves.split(' ').take(played).collect();
            let game = Game::after(fields[0], &moves.join(" "));
            let found = player.search(game.start, &game.moves, Limits::depth(7));
            positions += 1;
            for (line, value) in found.lines {
                if !score::is_forfeit(value) {
                    continue;
                }
                decided += 1;
                let mut end = Game::after(fields[0], &moves.join(" "));
                for &m in &line {
                    assert_eq!(end.verdict(), None, "{fields:?} {played}: {line:?}");
                    end.play(m);
                }
                let won = (value > 0) == line.len().is_multiple_of(2);
                let wanted = if won { Verdict::Win } else { Verdict::Loss };
                assert_eq!(end.verdict(), Some(wanted), "{fields:?} {played}: {value} {line:?}");
            }
        }
    }
    assert!(positions == 750 && decided > 60, "{decided}");
}

#[test]
fn the_move_counter_ends_lines() {
    let mut player = Player::new();
    // One ply is left and there is no mate: the position is a draw despite two extra chariots.
    let pos = position("4k4/4a4/9/9/9/9/9/9/9/R2K4R w - - 119 90");
    assert_eq!(player.search(pos, &[], Limits::depth(6)).score, 0);
    // A mate on the last ply counts.
    let pos = position("4k4/R8/9/9/9/9/9/9/9/3K4R w - - 119 90");
    let found = player.search(pos, &[], Limits::depth(6));
    assert_eq!(score::mate_moves(found.score), Some(1));
}

#[test]
fn pvs_are_legal_and_end_with_the_game() {
    let mut player = Player::new();
    let mut lines = 0;
    for (round, pos) in crate::common::xiangqi::random_positions(14, 60).into_iter().enumerate() {
        player.engine.settings.multi_pv = 1 + round % 3;
        let found = player.search(pos, &[], Limits::depth(8));
        for (line, score) in &found.lines {
            if line.is_empty() {
                assert_eq!(pos.count_legal(), 0, "{pos:?}");
                continue;
            }
            lines += 1;
            let mut game = Game::new(&pos.to_fen());
            for (played, &m) in line.iter().enumerate() {
                if played > 0 {
                    let verdict = game.pos.verdict(game.pos.key(), &game.trail, played);
                    let ended =
                        matches!(verdict, Some(Verdict::Draw | Verdict::Win | Verdict::Loss));
                    assert!(!ended, "{pos:?}: {line:?} goes on after move {played}");
                }
                game.play(m);
            }
            if score::mate_plies(*score) == Some(line.len() as i32) {
                assert_eq!(game.pos.count_legal(), 0, "{pos:?}: {line:?}");
            }
        }
    }
    assert!(lines > 400);
}

#[test]
fn one_thread_searches_the_same_nodes_every_time() {
    let mut player = Player::new();
    let mut count = |depth| {
        crate::common::xiangqi::suite_fens()
            .iter()
            .step_by(7)
            .take(12)
            .map(|fen| {
                let found = player.search(position(fen), &[], Limits::depth(depth));
                (found.best, found.score, found.nodes)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(count(8), count(8));
}

#[test]
fn every_position_is_answered() {
    let mut player = Player::new();
    for pos in crate::common::xiangqi::random_positions(12, 150) {
        let found = player.think(pos, &[], Limits::depth(4));
        match found.best {
            Some(m) => assert!(pos.is_legal(m), "{pos:?} {m:?}"),
            None => assert_eq!(pos.count_legal(), 0, "{pos:?}"),
        }
    }
}
