//! The xiangqi evaluation: symmetric for both colours and both wings, consistent with its trace, with sensible values
//! for endgames that cannot be won. Also checks of the move functions of `Playable`.

use tabiya::engine::score::EVAL_BOUND;
use tabiya::game::{GameMove, Keyed, Notation, Playable, Side};
use tabiya::xiangqi::eval::weights::{DANGER, WEIGHTS};
use tabiya::xiangqi::eval::{
    self, DANGER_LIMIT, DANGER_SQUARE, DANGER_SQUARE_LATE, FADE, FULL_SCALE, PHASE,
};
use tabiya::xiangqi::{Move, Position};

/// Positions of random games in which the side to move is not in check.
fn quiet_positions(wanted: usize) -> Vec<Position> {
    let mut positions = crate::common::xiangqi::random_positions(5, wanted);
    positions.retain(|pos| !pos.in_check());
    positions
}

/// The position with its board changed by `change`, which gets the FEN's ranks from the top.
fn changed(
    pos: &Position,
    swap_sides: bool,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> Position {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks = change(fields[0].split('/').map(String::from).collect());
    let side = match (fields[1] == "w", swap_sides) {
        (true, false) | (false, true) => "w",
        _ => "b",
    };
    let text = format!("{} {side} - - {} {}", ranks.join("/"), fields[4], fields[5]);
    Position::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position with the colours exchanged and the board turned upside down.
fn upside_down(pos: &Position) -> Position {
    changed(pos, true, |ranks| {
        ranks.into_iter().rev().map(|rank| crate::common::swap_case(&rank)).collect()
    })
}

/// The position with left and right exchanged.
fn left_to_right(pos: &Position) -> Position {
    changed(pos, false, |ranks| {
        ranks.into_iter().map(|rank| rank.chars().rev().collect()).collect()
    })
}

fn evaluate(fen: &str) -> i32 {
    eval::evaluate(&Position::from_fen(fen).unwrap())
}

#[test]
fn the_evaluation_is_symmetric_for_colours_and_wings() {
    for pos in quiet_positions(4_000) {
        let value = eval::evaluate(&pos);
        assert!(value.abs() < EVAL_BOUND);
        assert_eq!(eval::evaluate(&upside_down(&pos)), value, "{pos:?} upside down");
        assert_eq!(eval::evaluate(&left_to_right(&pos)), value, "{pos:?} left to right");
    }
}

#[test]
fn the_trace_adds_up_to_the_evaluation() {
    for pos in quiet_positions(1_000) {
        let trace = eval::trace(&pos);
        let (mut mg, mut eg) = (0, 0);
        for (&count, &(a, b)) in trace.counts.iter().zip(&WEIGHTS) {
            mg += i32::from(count) * i32::from(a);
            eg += i32::from(count) * i32::from(b);
        }
        for (parts, sign) in trace.dangers.iter().zip([1, -1]) {
            let sum: i32 =
                parts.iter().zip(&DANGER).map(|(&n, &w)| i32::from(n) * i32::from(w)).sum();
            let danger = sum.clamp(0, DANGER_LIMIT);
            mg += sign * (danger * danger / DANGER_SQUARE);
            eg += sign * (danger * danger / DANGER_SQUARE_LATE);
        }
        let value = (mg * trace.phase + eg * (PHASE - trace.phase)) / PHASE;
        let value = value * trace.scale / FULL_SCALE;
        let value = if pos.side() == Side::First { value } else { -value };
        let value = value * (FADE - i32::from(pos.halfmove_clock()).min(120)) / FADE;
        assert_eq!(eval::evaluate(&pos), value, "{pos:?}");
    }
}

#[test]
fn a_side_without_attackers_is_not_better() {
    // Red has only elephants and advisors, Black only a soldier, which may cross the river.
    let guards = "4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1";
    assert_eq!(evaluate(guards), 0);
    let soldier = "3k5/9/9/9/9/4p4/9/4B4/4A4/2BAK4 w - - 0 1";
    assert!(evaluate(soldier) <= 0, "{}", evaluate(soldier));
    // A chariot against a bare king is nearly won.
    assert!(evaluate("3k5/9/9/9/9/9/9/4B4/4A4/R1BAK4 w - - 0 1") > 400);
}

#[test]
fn advantages_fade_without_captures() {
    let value = |clock: u32| evaluate(&format!("3k5/9/9/9/9/9/9/4B4/4A4/R1BAK4 w - - {clock} 90"));
    assert!(value(0) > value(40) && value(40) > value(110) && value(110) > 0);
}

#[test]
fn the_structure_key_covers_soldiers_elephants_and_advisors() {
    for pos in crate::common::xiangqi::random_positions(8, 500) {
        let all = pos.legal_moves();
        for &m in &all {
            let mut child = pos;
            child.make(m);
            let letter = pos.piece_on(m.from()).unwrap().1.letter();
            let taken = pos.piece_on(m.to()).map_or(b' ', |(_, kind)| kind.letter());
            let slow = b"pba".contains(&letter) || b"pba".contains(&taken);
            let same = eval::structure_key(&pos) == eval::structure_key(&child);
            assert_eq!(same, !slow, "{pos:?} {m:?}");
        }
    }
}

#[test]
fn move_functions_agree() {
    for pos in crate::common::xiangqi::random_positions(6, 2_000) {
        crate::common::check_moves(&pos, |m| pos.is_capture(m));
    }
}

#[test]
fn codes_differ_for_pieces_and_squares() {
    for pos in crate::common::xiangqi::random_positions(7, 500) {
        let all = pos.legal_moves();
        for &a in &all {
            for &b in &all {
                let same = pos.moved_kind(a) == pos.moved_kind(b) && a.to() == b.to();
                assert_eq!(pos.code(a) == pos.code(b), same);
            }
        }
    }
}

/// All 65,536 packed moves, valid or not.
#[test]
fn a_move_is_legal_exactly_if_it_is_listed() {
    for pos in crate::common::xiangqi::random_positions(9, 12) {
        let all = pos.legal_moves();
        for raw in 0..=u16::MAX {
            let m = Move::from_raw(raw);
            assert_eq!(pos.is_legal(m), all.contains(&m), "{pos:?} {m:?}");
        }
    }
}

#[test]
fn keys_after_null_moves() {
    for pos in quiet_positions(2_000) {
        let mut passed = pos;
        passed.make_null();
        assert_eq!(passed.side(), pos.side().flip());
        assert_eq!(Keyed::key(&passed), pos.key_after_null(pos.key()), "{pos:?}");
    }
}
