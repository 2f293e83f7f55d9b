//! Stockfish, and for xiangqi Fairy-Stockfish, as reference: counts of the suites, divides of random positions, FENs
//! and moves as text.
//!
//! Without the engine each test prints `SKIPPED` to stderr, and fails where `CI` is set. Everything, deep
//! counts included: `cargo test --release --test tabiya perft::reference:: -- --include-ignored`.

use crate::common::engine::Engine;
use crate::common::play;
use crate::common::xiangqi::random_positions;
use crate::common::{Entry, by_build, chess_suites, sample, skip_or_fail, xiangqi_suites};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{MoveKind, Position};
use tabiya::game::{self, Counting};
use tabiya::xiangqi;

/// Nodes for one suite count in the normal run.
fn limit() -> u64 {
    sample(300_000, 5_000_000)
}

fn stockfish(test: &str) -> Option<Engine> {
    let engine = Engine::stockfish();
    if engine.is_none() {
        skip_or_fail("Stockfish", test);
    }
    engine
}

fn fairy(test: &str) -> Option<Engine> {
    let engine = Engine::fairy_stockfish();
    if engine.is_none() {
        skip_or_fail("Fairy-Stockfish", test);
    }
    engine
}

/// Our divide in Stockfish's form, sorted by move.
fn divide<B: Counting>(pos: &game::Position<B>, depth: u32) -> Vec<(String, u64)> {
    let after = |&m: &B::Move| {
        let mut child = *pos;
        child.make(m);
        (pos.move_text(m).to_string(), child.perft(depth - 1))
    };
    let mut moves = Vec::from_iter(pos.legal_moves().iter().map(after));
    moves.sort();
    moves
}

/// The differences between two divides, move by move; empty if there are none.
fn differences(ours: &[(String, u64)], theirs: &[(String, u64)]) -> String {
    let only = |a: &[(String, u64)], b: &[(String, u64)]| -> Vec<String> {
        a.iter().filter(|x| !b.contains(x)).map(|(m, nodes)| format!("{m}: {nodes}")).collect()
    };
    let (here, there) = (only(ours, theirs), only(theirs, ours));
    if here.is_empty() && there.is_empty() && ours.len() == theirs.len() {
        return String::new();
    }
    format!("tabiya alone: [{}]\nStockfish alone: [{}]", here.join(", "), there.join(", "))
}

fn same_divide(engine: &mut Engine, pos: &Position, depth: u32) {
    let fen = pos.to_fen();
    let theirs = engine.divide(&fen, pos.is_chess960(), depth);
    let differ = differences(&divide(pos, depth), &theirs);
    assert!(differ.is_empty(), "{fen} depth {depth}\n{differ}");
}

/// Compares the counts that are `wanted` with the engine's; returns their number.
fn confirm(engine: &mut Engine, entries: &[Entry], wanted: impl Fn(u64) -> bool) -> usize {
    let mut confirmed = 0;
    for entry in entries {
        // Only positions of chess have castling in the third field.
        let chess960 = Position::from_fen(&entry.fen).is_ok_and(|pos| pos.is_chess960());
        for &(depth, nodes) in entry.counts.iter().filter(|&&(_, nodes)| wanted(nodes)) {
            let theirs = engine.perft(&entry.fen, chess960, depth);
            let place = entry.place();
            assert_eq!(theirs, nodes, "{place} D{depth}: the engine's count and the suite's");
            confirmed += 1;
        }
    }
    confirmed
}

#[test]
fn suite_counts_match_stockfish() {
    let Some(mut engine) = stockfish("suite_counts_match_stockfish") else { return };
    let confirmed = confirm(&mut engine, &chess_suites(), |nodes| nodes <= limit());
    assert!(confirmed >= chess_suites().len(), "only {confirmed} counts confirmed");
}

#[test]
#[ignore = "long: every count of the suites that the normal run leaves out"]
fn deep_suite_counts_match_stockfish() {
    let Some(mut engine) = stockfish("deep_suite_counts_match_stockfish") else { return };
    confirm(&mut engine, &chess_suites(), |nodes| nodes > limit());
}

#[test]
fn suite_counts_match_fairy_stockfish() {
    let Some(mut engine) = fairy("suite_counts_match_fairy_stockfish") else { return };
    let confirmed = confirm(&mut engine, &xiangqi_suites(), |nodes| nodes <= sample(200_000, 5_000_000));
    assert!(confirmed >= xiangqi_suites().len(), "only {confirmed} counts confirmed");
}

#[test]
fn random_positions_of_xiangqi() {
    let Some(mut engine) = fairy("random_positions_of_xiangqi") else { return };
    for pos in random_positions(2_024, sample(250, 2_400)) {
        let fen = pos.to_fen();
        assert_eq!(pos.perft(3), engine.perft(&fen, false, 3), "{fen}");
        // The FEN round trip gives the same position, so both programs counted the same one.
        assert_eq!(xiangqi::Position::from_fen(&fen), Ok(pos));
    }
}

/// How many positions contain the generator's hard cases. Asserted, so that a change of the random play cannot
/// silently weaken the comparison.
#[derive(Default, Debug)]
struct Coverage {
    checks: usize,
    double_checks: usize,
    en_passant: usize,
    castles: usize,
    promotions: usize,
}

impl Coverage {
    fn note(&mut self, pos: &Position) {
        let moves = pos.legal_moves();
        let any = |wanted: fn(&tabiya::chess::Move) -> bool| usize::from(moves.iter().any(wanted));
        self.checks += usize::from(pos.in_check());
        self.double_checks += usize::from(pos.checkers().several());
        self.en_passant += any(|m| m.is(MoveKind::EnPassant));
        self.castles += any(|m| m.is(MoveKind::Castle));
        self.promotions += any(|m| m.promotion().is_some());
    }
}

fn random_play(test: &str, standard: bool, seed: u64) {
    let Some(mut engine) = stockfish(test) else { return };
    let count = sample(by_build(1_000, 600), 3_000);
    let mut covered = Coverage::default();
    for (i, pos) in play::positions(count, standard, seed).iter().enumerate() {
        covered.note(pos);
        same_divide(&mut engine, pos, if i % 20 == 0 { 4 } else { 3 });
    }
    for (what, times, share) in [
        ("checks", covered.checks, 25),
        ("en passant", covered.en_passant, 100),
        ("castling", covered.castles, 40),
        ("promotion", covered.promotions, 200),
    ] {
        assert!(times * share >= count, "{what} is rare in {count} positions: {covered:?}");
    }
    // They are rarer in Chess960.
    assert!(covered.double_checks > 0 || !standard || cfg!(debug_assertions), "{covered:?}");
}

#[test]
fn random_play_from_the_initial_position() {
    random_play("random_play_from_the_initial_position", true, 0x7ab1_0001);
}

#[test]
fn random_play_from_chess960_positions() {
    random_play("random_play_from_chess960_positions", false, 0x7ab1_0960);
}

/// Stockfish accepts our move texts, and its FEN after them is the same as ours, counters included.
#[test]
fn fens_and_moves_through_whole_games() {
    let Some(mut engine) = stockfish("fens_and_moves_through_whole_games") else { return };
    let mut rng = SplitMix64::new(0x7ab1_fe11);
    let initial = Position::from_fen(Position::START_FEN).unwrap();
    for i in 0..sample(by_build(20, 10), 60) {
        let start = if i % 2 == 0 { initial } else { play::chess960_start(&mut rng) };
        let game = play::game(start, 150, &mut rng);
        let fen = start.to_fen();
        let (mut pos, mut texts) = (start, Vec::new());
        assert_eq!(engine.fen_after(&fen, start.is_chess960(), &[]), fen);
        for (ply, &(m, after)) in game.moves.iter().enumerate() {
            texts.push(pos.move_text(m).to_string());
            pos = after;
            if ply % 4 == 0 || m.is(MoveKind::Castle) || pos.en_passant().is_some() {
                let theirs = engine.fen_after(&fen, start.is_chess960(), &texts);
                assert_eq!(pos.to_fen(), theirs, "from {fen} by {}", texts.join(" "));
            }
        }
    }
}

/// The comparison itself works: differences between divides are found, move by move.
#[test]
fn differences_are_named() {
    let list = |moves: &[(&str, u64)]| -> Vec<(String, u64)> {
        moves.iter().map(|&(m, nodes)| (m.to_string(), nodes)).collect()
    };
    let ours = list(&[("a2a3", 19), ("e1g1", 20), ("e2e4", 20)]);
    assert_eq!(differences(&ours, &ours), "");
    let theirs = list(&[("a2a3", 19), ("e2e4", 21), ("h2h3", 5)]);
    assert_eq!(differences(&ours, &theirs), "tabiya alone: [e1g1: 20, e2e4: 20]\nStockfish alone: [e2e4: 21, h2h3: 5]");
}
