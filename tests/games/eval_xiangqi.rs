//! The xiangqi evaluation: symmetric for both colours, with sensible values for endgames that cannot be won. Also
//! checks of the move functions of `Searchable`.

use tabiya::engine::score::EVAL_BOUND;
use tabiya::game::network::NetworkInputs;
use tabiya::game::{GameMove, Keyed, Notation, Searchable, Side};
use tabiya::xiangqi::eval;
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

fn value_of(pos: &Position) -> i32 {
    eval::evaluate(pos, &mut eval::Memo::default())
}

fn evaluate(fen: &str) -> i32 {
    value_of(&Position::from_fen(fen).unwrap())
}

#[test]
fn the_evaluation_is_symmetric_for_colours() {
    for pos in quiet_positions(4_000) {
        let value = value_of(&pos);
        assert!(value.abs() < EVAL_BOUND);
        assert_eq!(value_of(&upside_down(&pos)), value, "{pos:?} upside down");
    }
}

/// The network is exactly symmetric only if both kings have left the central file, and otherwise learns to be.
#[test]
fn the_evaluation_hardly_differs_between_the_wings() {
    let (mut central, mut difference) = (0, 0);
    for pos in quiet_positions(4_000) {
        let [value, mirrored] = [pos, pos.mirrored().unwrap()].map(|pos| value_of(&pos));
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
