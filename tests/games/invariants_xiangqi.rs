//! Invariants of xiangqi positions, on perft trees and on thousands of random positions.

use crate::common::walk;
use crate::common::xiangqi::{random_positions, suite_fens};
use std::collections::BTreeSet;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{
    GameMove as _, Kernel, Notation as _, Rules as _, Searchable as _, Side, WideKeyed as _,
};
use tabiya::xiangqi::{Bitboard, Move, Position, Square, attacks};

fn moves(pos: &Position) -> Vec<Move> {
    pos.legal_moves().to_vec()
}

/// Asserts all invariants of one position with the key `key`.
fn check(pos: &Position, key: u64) {
    assert_eq!(pos.key(), key, "{pos:?}");
    let list = moves(pos);
    assert_eq!(pos.count_legal(), list.len() as u64, "{pos:?}");
    let distinct: BTreeSet<u16> = list.iter().map(|m| m.raw()).collect();
    assert_eq!(distinct.len(), list.len(), "a move twice in {pos:?}");

    let (noisy, quiet) = (pos.noisy_moves(), pos.quiet_moves());
    assert!(noisy.iter().all(|&m| pos.is_noisy(m)) && quiet.iter().all(|&m| !pos.is_noisy(m)));
    let both: BTreeSet<u16> = noisy.iter().chain(&quiet).map(|m| m.raw()).collect();
    assert_eq!((both, noisy.len() + quiet.len()), (distinct, list.len()), "{pos:?}");

    let again = Position::from_fen(&pos.to_fen());
    assert_eq!(again.as_ref(), Ok(pos));
}

fn check_tree(pos: &Position, key: u64, depth: u32) {
    check(pos, key);
    if depth == 0 {
        return;
    }
    for m in moves(pos) {
        let mut child = *pos;
        child.make(m);
        check_tree(&child, pos.key_after(key, m), depth - 1);
    }
}

#[test]
fn trees_of_the_suites() {
    for fen in suite_fens() {
        let pos = Position::from_fen(&fen).unwrap();
        check_tree(&pos, pos.key(), 2);
    }
    let start = Position::from_fen(Position::START_FEN).unwrap();
    check_tree(&start, start.key(), 3);
}

#[test]
fn wide_keys_follow_the_moves_and_differ_by_seed() {
    let (keys, others) = (Position::wide_keys(1), Position::wide_keys(2));
    for pos in random_positions(18, 500) {
        assert_ne!(pos.wide_key(&keys), pos.wide_key(&others));
        for m in moves(&pos) {
            let mut child = pos;
            child.make(m);
            let after = pos.wide_key_after(&keys, pos.wide_key(&keys), m);
            assert_eq!(after, child.wide_key(&keys), "{pos:?} {m:?}");
        }
    }
}

#[test]
fn random_walks() {
    for pos in random_positions(11, 3_000) {
        check_tree(&pos, pos.key(), 1);
    }
}

#[test]
fn legal_moves_are_those_of_an_independent_walk() {
    for pos in random_positions(12, 6_000) {
        let (board, red) = walk::read(&pos.to_fen());
        let walked: BTreeSet<_> = walk::legal(&board, red).into_iter().collect();
        let point = |s: tabiya::xiangqi::Square| (s.file(), s.rank());
        let found: BTreeSet<_> =
            moves(&pos).iter().map(|m| (point(m.from()), point(m.to()))).collect();
        assert_eq!(found, walked, "{pos:?}");
        assert_eq!(pos.in_check(), walk::in_check(&board, red), "{pos:?}");
        assert_eq!(pos.in_check(), !pos.checkers().is_empty(), "{pos:?}");
    }
}

/// The fast count of the last two plies, which makes only some of the moves, against making all of them.
#[test]
fn the_last_two_plies_are_counted_right() {
    for pos in random_positions(13, 40_000) {
        let slow: u64 = moves(&pos)
            .into_iter()
            .map(|m| {
                let mut child = pos;
                child.make(m);
                child.count_legal()
            })
            .sum();
        assert_eq!(pos.perft_by(2, Kernel::Scalar), slow, "{pos:?}");
        assert_eq!(pos.perft(2), slow, "{pos:?}");
    }
}

#[test]
fn every_packed_move_is_legal_exactly_if_it_is_listed() {
    for pos in random_positions(14, 60) {
        let list: BTreeSet<u16> = moves(&pos).iter().map(|m| m.raw()).collect();
        assert!(!pos.is_legal(Move::default()));
        for raw in 0..=u16::MAX {
            assert_eq!(pos.is_legal(Move::from_raw(raw)), list.contains(&raw), "{pos:?} {raw}");
        }
    }
}

#[test]
fn null_moves_pass_the_turn_and_their_key_is_right() {
    for mut pos in random_positions(15, 500) {
        if pos.in_check() {
            continue;
        }
        let (key, side) = (pos.key_after_null(pos.key()), pos.side());
        pos.make_null();
        assert_eq!((pos.key(), pos.side()), (key, side.flip()));
    }
}

#[test]
fn move_text_round_trip() {
    for pos in random_positions(16, 1_000) {
        for m in moves(&pos) {
            assert_eq!(pos.parse_move(pos.move_text(m).as_str()), Ok(m));
        }
        for bad in ["", "h2", "h2e2e", "j0j1", "a0a0", "é2e2", "h2ez", "H2E2"] {
            assert!(tabiya::game::Notation::parse_coordinates(&pos, bad).is_err(), "{bad}");
        }
    }
}

#[test]
fn counters() {
    let mut pos = Position::from_fen(Position::START_FEN).unwrap();
    for (text, halfmove, fullmove) in
        [("h2e2", 1, 1), ("h7e7", 2, 2), ("e2e6", 0, 2), ("d9e8", 1, 3)]
    {
        let m = pos.parse_move(text).unwrap();
        pos.make(m);
        assert_eq!((pos.halfmove_clock(), pos.fullmove_number()), (halfmove, fullmove));
    }
    let fourth = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    let mut pos = Position::from_fen(fourth).unwrap();
    assert!(pos.in_check() && pos.side() == Side::Second);
    pos.make(pos.parse_move("d9e8").unwrap());
}

#[test]
fn both_letter_sets_and_shorter_fens_are_read() {
    let start = Position::from_fen(Position::START_FEN).unwrap();
    let board = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
    for rest in ["w - - 0 1", "r - - 0 1", "w - -", "r"] {
        assert_eq!(Position::from_fen(&format!("{board} {rest}")), Ok(start), "{rest}");
    }
    assert_eq!(start.to_fen(), Position::START_FEN);
}

#[test]
fn impossible_positions_are_refused_with_field_and_offset() {
    let cases = [
        ("", "FEN board", 0),
        ("9/9 w - - 0 1", "FEN board", 3),
        ("4k4/9/9/9/9/9/9/9/9/4K4/9 w - - 0 1", "FEN board", 23),
        ("4k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "FEN board", 2),
        ("4k31/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 3),
        ("4k3/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 3),
        ("4q4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 1),
        ("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "FEN board", 0),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w - - 0 1", "FEN board", 22),
        ("4k4/9/9/9/9/9/3K5/9/9/9 w - - 0 1", "FEN board", 15),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w - - 0 1", "FEN board", 21),
        ("4k4/9/9/9/9/9/9/9/3A5/3K5 w - - 0 1", "FEN board", 19),
        ("4k4/9/9/9/9/9/9/9/1B7/3K5 w - - 0 1", "FEN board", 19),
        ("4k4/9/2B6/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 7),
        ("4k4/9/9/9/9/9/1P7/9/9/3K5 w - - 0 1", "FEN board", 15),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w - - 0 1", "FEN board", 16),
        ("4k4/9/9/9/9/PPP6/9/9/9/3K5 w - - 0 1", "FEN board", 13),
        ("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 13),
        ("4k4/9/9/9/RRR6/9/9/9/9/3K5 w - - 0 1", "FEN board", 12),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "FEN board", 21),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w - - 0 1", "FEN side to move", 26),
        ("4k4/9/9/9/9/9/9/9/9/3K5", "FEN side to move", 23),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "FEN side to move", 24),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", "FEN castling", 26),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - e3 0 1", "FEN en passant", 28),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - +1 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 10000 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 99999", "FEN full-move number", 32),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0", "FEN full-move number", 31),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves", "FEN", 34),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 é", "FEN", 34),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w\n", "FEN", 25),
    ];
    for (fen, field, offset) in cases {
        let error = Position::from_fen(fen).expect_err(fen);
        assert_eq!((error.field, error.offset), (field, offset), "{fen}: {error}");
    }
    assert_eq!(Position::from_fen(&"9".repeat(1_000_000)).unwrap_err().field, "FEN");
}

/// Mutated FENs give an error or a consistent position.
#[test]
fn mutated_fens_never_panic() {
    let mut rng = SplitMix64::new(17);
    let fens = suite_fens();
    let alphabet = b"rnbakcpheRNBAKCPHE0123456789/ -wbrx\0\t\x7f";
    let (mut read, mut refused) = (0, 0);
    for i in 0..60_000 {
        let mut text = fens[i % fens.len()].clone().into_bytes();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len());
            let letter = alphabet[rng.below(alphabet.len())];
            match rng.below(4) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                2 => _ = text.remove(at),
                _ => {
                    let other = rng.below(text.len());
                    text.swap(at, other);
                }
            }
        }
        let text = String::from_utf8_lossy(&text);
        match Position::from_fen(&text) {
            Ok(pos) => {
                read += 1;
                check(&pos, pos.key());
                let _ = pos.perft(2);
            }
            Err(error) => {
                refused += 1;
                assert!(error.offset <= text.len(), "{text}: {error}");
                assert!(!error.to_string().contains('\n'));
            }
        }
    }
    assert!(read > 1_000 && refused > 20_000, "{read} read, {refused} refused");
}

#[test]
fn attackers_are_the_pieces_that_attack_the_square() {
    for pos in random_positions(19, 300) {
        for side in Side::BOTH {
            let attacked: Bitboard =
                Square::all().filter(|&to| !pos.attackers(side, to).is_empty()).collect();
            assert_eq!(pos.attacked_by(side), attacked, "{side:?} {pos:?}");
            for to in Square::all() {
                let attackers = pos.side_set(side).into_iter().filter(|&from| {
                    let (_, kind) = pos.piece_on(from).expect("a piece");
                    attacks(side, kind, from, pos.occupied()).contains(to)
                });
                assert_eq!(pos.attackers(side, to), attackers.collect(), "{side:?} {to} {pos:?}");
            }
        }
    }
}
