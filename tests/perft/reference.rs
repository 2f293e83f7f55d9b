//! Stockfish, and for xiangqi Fairy-Stockfish, as reference: counts of the suites, divides of random positions, FENs
//! and moves as text.
//!
//! Without the engine each test prints `SKIPPED` to stderr, and fails where `CI` is set. Everything, deep
//! counts included: `cargo test --release --test tabiya perft::reference:: -- --include-ignored`.

use crate::common::engine::Engine;
use crate::common::play;
use crate::common::xiangqi::random_positions;
use crate::common::{by_build, sample, skip_or_fail};
use pretty_assertions::assert_eq;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Move, MoveKind, Position};
use tabiya::xiangqi;

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
fn divide(pos: &Position, depth: u32) -> Vec<(String, u64)> {
    let after = |&m: &Move| {
        let mut child = *pos;
        child.make(m);
        (pos.move_text(m).to_string(), child.perft(depth - 1))
    };
    let mut moves = Vec::from_iter(pos.legal_moves().iter().map(after));
    moves.sort();
    moves
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

fn random_play(test: &str, standard: bool, seed: u64) {
    let Some(mut engine) = stockfish(test) else { return };
    let count = sample(by_build(1_000, 600), 3_000);
    for (i, pos) in play::positions(count, standard, seed).iter().enumerate() {
        let (fen, depth) = (pos.to_fen(), if i % 20 == 0 { 4 } else { 3 });
        assert_eq!(divide(pos, depth), engine.divide(&fen, pos.is_chess960(), depth), "{fen} depth {depth}");
    }
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
