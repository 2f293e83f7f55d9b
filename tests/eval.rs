//! The evaluation: the same from both sides of the board, consistent with its trace, and sensible about
//! endgames that cannot be won. Also what the contract promises about moves.

mod common;

use common::{legal_moves, swap_case};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::Position;
use tabiya::chess::eval::weights::{DANGER, WEIGHTS};
use tabiya::chess::eval::{self, DANGER_LINEAR, DANGER_SQUARE, FADE, FULL_SCALE, Memo, PHASE};
use tabiya::engine::score::EVAL_BOUND;
use tabiya::game::{Notation, Playable, Side};

/// Positions of random games, in which nobody is in check.
fn quiet_positions(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = SplitMix64::new(seed);
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for _ in 0..120 {
            let list = legal_moves(&pos);
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
            if !pos.in_check() {
                positions.push(pos);
            }
        }
    }
    positions
}

/// The position with the colours exchanged and the board turned upside down.
fn mirrored(pos: &Position) -> Position {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let passed = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let text = format!(
        "{} {side} {} {passed} {} {}",
        board.join("/"),
        swap_case(fields[2]),
        fields[4],
        fields[5]
    );
    Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn evaluate(fen: &str) -> i32 {
    eval::evaluate(&Position::from_fen(fen).unwrap(), &mut Memo::default())
}

#[test]
fn both_sides_see_the_same() {
    let mut memo = Memo::default();
    for pos in quiet_positions(40) {
        let value = eval::evaluate(&pos, &mut memo);
        assert_eq!(eval::evaluate(&mirrored(&pos), &mut memo), value, "{pos:?}");
        assert!(value.abs() < EVAL_BOUND);
        assert_eq!(eval::evaluate(&pos, &mut Memo::default()), value, "{pos:?} without memory");
    }
}

#[test]
fn the_trace_adds_up_to_the_evaluation() {
    let mut memo = Memo::default();
    for pos in quiet_positions(10) {
        let trace = eval::trace(&pos);
        let (mut mg, mut eg) = (0, 0);
        for (&count, &(a, b)) in trace.counts.iter().zip(&WEIGHTS) {
            mg += i32::from(count) * i32::from(a);
            eg += i32::from(count) * i32::from(b);
        }
        for (parts, sign) in trace.dangers.iter().zip([1, -1]) {
            let sum: i32 =
                parts.iter().zip(&DANGER).map(|(&n, &w)| i32::from(n) * i32::from(w)).sum();
            let danger = sum.clamp(0, 1_200);
            mg += sign * (danger * danger / DANGER_SQUARE);
            eg += sign * (danger / DANGER_LINEAR);
        }
        let value =
            (mg * trace.phase + eg * (PHASE - trace.phase) * trace.scale / FULL_SCALE) / PHASE;
        let value = if pos.side() == Side::First { value } else { -value };
        let value = value * (FADE - i32::from(pos.halfmove_clock()).min(100)) / FADE;
        assert_eq!(eval::evaluate(&pos, &mut memo), value, "{pos:?}");
    }
}

#[test]
fn endgames_that_cannot_be_won_are_near_a_draw() {
    for fen in [
        "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/3B4/4K3/8 w - - 0 1",
        "7k/8/8/8/7P/3B4/4K3/8 w - - 0 1",
        "8/8/4k3/3n4/8/3R4/4K3/8 w - - 0 1",
    ] {
        assert!(evaluate(fen).abs() < 90, "{fen}: {}", evaluate(fen));
    }
    for fen in ["8/8/4k3/8/8/3Q4/4K3/8 w - - 0 1", "8/8/4k3/8/8/3R4/4K3/8 w - - 0 1"] {
        assert!(evaluate(fen) > 250, "{fen}: {}", evaluate(fen));
    }
}

#[test]
fn draws_are_draws_whoever_has_more() {
    for fen in [
        "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1",   // two knights
        "8/8/4k3/8/8/3B4/4K3/8 b - - 0 1",    // a bishop
        "8/8/4k3/8/8/3B1B2/4K3/8 b - - 0 1",  // bishops on squares of one colour
        "8/8/4k3/3n4/8/3B4/4K3/8 w - - 0 1",  // minor pieces
        "8/8/4k3/3n4/8/3NN3/4K3/8 w - - 0 1", // two knights against one
        "1k6/8/8/P7/8/4BK2/8/8 w - - 0 1",    // a dark bishop, and a8 is light
        "7k/8/8/7P/7P/4K3/8/8 w - - 0 1",     // pawns on an edge
    ] {
        assert_eq!(evaluate(fen), 0, "{fen}");
    }
    assert!(evaluate("8/8/4k3/8/8/3BB3/4K3/8 w - - 0 1") > 300);
    assert!(evaluate("1k6/8/8/P7/8/3B1K2/8/8 w - - 0 1") > 50, "the bishop guards a8");
}

/// The nearer the mate the higher the value, all over the board.
#[test]
fn a_bare_king_is_driven_to_where_it_can_be_mated() {
    let grows = |fens: &[&str]| {
        let values: Vec<i32> = fens.iter().map(|fen| evaluate(fen)).collect();
        assert!(values.is_sorted() && values[0] > 300, "{fens:?}: {values:?}");
    };
    // To an edge, with the own king near.
    grows(&[
        "8/8/8/4k3/8/8/8/K6Q w - - 0 1",
        "8/4k3/8/8/8/8/8/K6Q w - - 0 1",
        "4k3/8/8/8/8/8/8/K6Q w - - 0 1",
    ]);
    grows(&[
        "4k3/8/8/8/8/8/8/K6R w - - 0 1",
        "4k3/8/8/8/4K3/8/8/7R w - - 0 1",
        "4k3/8/4K3/8/8/8/8/7R w - - 0 1",
    ]);
    // To a corner of the bishop's colour, be it h1 or h8.
    for (light, corners) in [(true, ["k7", "7k"]), (false, ["7k", "k7"])] {
        let minors = if light { "3BNK2" } else { "4BK1N" };
        let fens = corners.map(|corner| format!("{corner}/8/8/8/8/8/8/{minors} b - - 0 1"));
        let [good, bad] = fens.map(|fen| -evaluate(&fen));
        assert!(good > bad + 50, "{minors}: {good} {bad}");
    }
}

#[test]
fn advantages_fade_without_progress() {
    let value = |clock: u32| evaluate(&format!("8/5kp1/8/8/8/3R4/4KP2/8 w - - {clock} 90"));
    assert!(value(0) > value(40) && value(40) > value(90) && value(90) > 0);
}

#[test]
fn the_contract_about_moves_holds() {
    for pos in quiet_positions(20) {
        common::check_moves(&pos, |m| pos.is_capture(m));
    }
}
