//! The chess evaluation: symmetric for both colours, with sensible values for material and for endgames that cannot be
//! won. Also checks of the move functions of `Searchable`.

use crate::common::swap_case;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::eval::{self, Memo};
use tabiya::chess::{Bitboard, Kind, Placement, Position, Square};
use tabiya::engine::score::EVAL_BOUND;
use tabiya::game::Notation;

/// Positions of random games in which the side to move is not in check.
fn quiet_positions(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = SplitMix64::new(seed);
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for _ in 0..120 {
            let list = pos.legal_moves();
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
fn the_evaluation_is_symmetric() {
    let mut memo = Memo::default();
    for pos in quiet_positions(40) {
        let value = eval::evaluate(&pos, &mut memo);
        assert_eq!(eval::evaluate(&mirrored(&pos), &mut memo), value, "{pos:?}");
        assert!(value.abs() < EVAL_BOUND);
        assert_eq!(eval::evaluate(&pos, &mut Memo::default()), value, "{pos:?} with an empty memo");
    }
}

/// Removing a piece changes the evaluation by a usual piece value.
#[test]
fn piece_values_are_usual() {
    let (mut memo, mut seen) = (Memo::default(), 0);
    let worth = [(Kind::Pawn, 40..250), (Kind::Knight, 150..700), (Kind::Bishop, 150..700)];
    let worth = worth.into_iter().chain([(Kind::Rook, 250..1_000), (Kind::Queen, 500..2_500)]);
    let mut sums = [(0, 0); 6];
    for pos in quiet_positions(60).iter().filter(|pos| pos.occupied().count() >= 24) {
        let with = eval::evaluate(pos, &mut memo);
        for square in pos.side_set(pos.side()) {
            let Some((_, kind)) = pos.piece_on(square) else { continue };
            let Some(rest) = without(pos, square) else { continue };
            let sum = &mut sums[kind.index()];
            *sum = (sum.0 + with - eval::evaluate(&rest, &mut memo), sum.1 + 1);
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen}");
    for (kind, range) in worth {
        let (sum, count) = sums[kind.index()];
        assert!(count > 100 && range.contains(&(sum / count)), "{kind:?}: {sum} / {count}");
    }
}

/// The position without the piece on a square; `None` for a king, or if the side not to move would be in check.
fn without(pos: &Position, square: Square) -> Option<Position> {
    let mut pieces = std::array::from_fn(|i| pos.piece_on(Square::wrapping(i as u32)));
    pieces[square.index()] = None;
    let placement = Placement {
        pieces,
        side: pos.side(),
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmove: 0,
        fullmove: 1,
        chess960: false,
    };
    Position::new(&placement).ok()
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
fn known_draws_evaluate_to_zero() {
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

/// The value rises as the bare king is driven to an edge or the right corner.
#[test]
fn a_bare_king_is_driven_to_the_edge_or_corner() {
    let grows = |fens: &[&str]| {
        let values: Vec<i32> = fens.iter().map(|fen| evaluate(fen)).collect();
        assert!(values.is_sorted() && values[0] > 300, "{fens:?}: {values:?}");
    };
    // To an edge, with the attacking king near.
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
    // To a corner of the bishop's colour.
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
fn move_functions_agree() {
    for pos in quiet_positions(20) {
        crate::common::check_moves(&pos, |m| pos.is_capture(m));
    }
}
