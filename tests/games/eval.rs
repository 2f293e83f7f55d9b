//! The evaluation of both games: symmetric for both colours, with sensible values for material and for endings that
//! cannot be won. Also checks of the move functions of `Searchable`.

use crate::common::mirrored;
use crate::games::invariants::{Tested, for_both_games};
use tabiya::chess;
use tabiya::engine::score::EVAL_BOUND;
use tabiya::game;
use tabiya::game::{GameMove, Searchable, Side};
use tabiya::xiangqi;

for_both_games! {
    the_evaluation_is_symmetric
    move_functions_agree
    codes_differ_for_pieces_and_squares
}

/// Positions of random games in which the side to move is not in check.
fn quiet_positions<B: Tested>(wanted: usize) -> Vec<game::Position<B>> {
    let mut positions = B::random(wanted, 5);
    positions.retain(|pos| !pos.in_check());
    positions
}

fn value_of<B: Tested>(pos: &game::Position<B>) -> i32 {
    B::evaluate(pos, &mut B::Memo::default())
}

fn value<B: Tested>(fen: &str) -> i32 {
    value_of(&game::Position::<B>::from_fen(fen).unwrap())
}

fn the_evaluation_is_symmetric<B: Tested>() {
    let mut memo = B::Memo::default();
    for pos in quiet_positions::<B>(4_000) {
        let value = B::evaluate(&pos, &mut memo);
        assert_eq!(B::evaluate(&mirrored(&pos), &mut memo), value, "{pos:?}");
        assert!(value.abs() < EVAL_BOUND);
        assert_eq!(value_of(&pos), value, "{pos:?} with an empty memo");
    }
}

#[test]
fn advantages_fade_without_progress() {
    for (value, most) in [(value::<chess::Board> as fn(&str) -> i32, 90), (value::<xiangqi::Board>, 110)] {
        let board = match most {
            90 => "8/5kp1/8/8/8/3R4/4KP2/8",
            _ => "3k5/9/9/9/9/9/9/4B4/4A4/R1BAK4",
        };
        let [fresh, middle, last] = [0, 40, most].map(|clock| value(&format!("{board} w - - {clock} 90")));
        assert!(fresh > middle && middle > last && last > 0, "{board}: {fresh} {middle} {last}");
    }
}

/// The functions of a move agree with each other.
fn move_functions_agree<B: Tested>() {
    for pos in B::random(2_000, 6) {
        for m in pos.legal_moves() {
            assert!(pos.code(m) < B::CODES && pos.victim(m) < 8);
            let mut child = pos;
            child.make(m);
            let takes = child.piece_count() < pos.piece_count();
            assert_eq!(pos.victim(m) != 0, takes, "{pos:?} {m:?}");
            assert_eq!(pos.gain(m) > 0, pos.is_noisy(m), "{pos:?} {m:?}");
            assert!(pos.see_at_least(m, -2_000) && !pos.see_at_least(m, 2_000));
        }
    }
}

/// Equal codes have equal pieces and targets.
fn codes_differ_for_pieces_and_squares<B: Tested>() {
    for pos in B::random(500, 7) {
        let all = pos.legal_moves();
        for &a in &all {
            for &b in &all {
                let same = pos.moves_the_same_kind(a, b) && GameMove::to(a) == GameMove::to(b);
                assert_eq!(pos.code(a) == pos.code(b), same, "{pos:?} {a:?} {b:?}");
            }
        }
    }
}

/// The network knows the usual endings, although nobody told it the rules for them.
#[test]
fn drawn_endings_are_near_zero_and_won_ones_are_not() {
    for fen in [
        "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1",  // two knights
        "8/8/4k3/8/8/3B4/4K3/8 b - - 0 1",   // a bishop
        "8/8/4k3/3n4/8/3B4/4K3/8 w - - 0 1", // minor pieces
        "1k6/8/8/P7/8/4BK2/8/8 w - - 0 1",   // a dark bishop, and a8 is light
        "7k/8/8/7P/7P/4K3/8/8 w - - 0 1",    // pawns on an edge
        "8/8/4k3/3n4/8/3R4/4K3/8 w - - 0 1", // a rook against a knight
    ] {
        let value = value::<chess::Board>(fen);
        assert!(value.abs() < 150, "{fen}: {value}");
    }
    for fen in [
        "8/8/4k3/8/8/3Q4/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/3R4/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/3BB3/4K3/8 w - - 0 1",
        "1k6/8/8/P7/8/3B1K2/8/8 w - - 0 1", // the bishop guards a8
    ] {
        let value = value::<chess::Board>(fen);
        assert!(value > 300, "{fen}: {value}");
    }
}

/// The network is exactly symmetric only if both kings have left the central file, and otherwise learns to be.
#[test]
fn the_evaluation_hardly_differs_between_the_wings() {
    let (mut central, mut difference) = (0, 0);
    for pos in quiet_positions::<xiangqi::Board>(4_000) {
        let [value, mirrored] =
            [pos, tabiya::network::NetworkInputs::mirrored(&pos).unwrap()].map(|pos| value_of(&pos));
        if Side::BOTH.iter().all(|&side| pos.king(side).file() != 4) {
            assert_eq!(mirrored, value, "{pos:?}");
        } else {
            central += 1;
            difference += (mirrored - value).abs().min(500);
        }
    }
    assert!(difference / central < 40, "{}", difference / central);
}

#[test]
fn a_side_without_attackers_is_not_better() {
    // Red has only elephants and advisors, Black only a soldier, which may cross the river.
    let guards = "4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1";
    assert_eq!(value::<xiangqi::Board>(guards), 0);
    let soldier = "3k5/9/9/9/9/4p4/9/4B4/4A4/2BAK4 w - - 0 1";
    assert!(value::<xiangqi::Board>(soldier) <= 0, "{}", value::<xiangqi::Board>(soldier));
    // A chariot against a bare king is nearly won.
    assert!(value::<xiangqi::Board>("3k5/9/9/9/9/9/9/4B4/4A4/R1BAK4 w - - 0 1") > 400);
}

#[test]
fn the_structure_key_covers_soldiers_elephants_and_advisors() {
    for pos in xiangqi::Board::random(500, 8) {
        for m in pos.legal_moves() {
            let child = pos.play_unchecked(m);
            let letter = pos.piece_on(m.from()).unwrap().1.letter();
            let taken = pos.piece_on(m.to()).map_or(b' ', |(_, kind)| kind.letter());
            let slow = b"pba".contains(&letter) || b"pba".contains(&taken);
            let same = pos.structure_key() == child.structure_key();
            assert_eq!(same, !slow, "{pos:?} {m:?}");
        }
    }
}
