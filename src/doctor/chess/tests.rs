//! The generator with faults against the real one, and the explanations against the faults.

use super::*;
use crate::base::sample;
use crate::doctor::expect::divides_of;
use crate::doctor::faults::{Fault, Faults, FaultyBoard};
use crate::doctor::tests::{explained, legal_of, list_of};
use crate::explain::chess::Rule;

/// Positions made for faults that are rare or need a history: how many plies to walk, and the position.
const MADE: [(u32, &str); 32] = [
    (4, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    (4, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1"),
    (4, "4k3/8/8/8/8/p7/P7/R2K3R w HA - 0 1"),
    (3, "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1"),
    (3, "4k3/6b1/8/R7/8/8/8/R3K3 b Q - 0 1"),
    (3, "4k2r/8/8/7r/8/8/1B6/4K3 w k - 0 1"),
    (3, "r3k3/8/8/r7/8/8/6B1/4K3 w q - 0 1"),
    (3, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"),
    (3, "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1"),
    (3, "4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1"),
    (3, "4k3/8/8/8/6p1/8/7P/4K3 w - - 0 1"),
    (0, "8/8/8/8/8/8/1k6/R3K3 w Q - 0 1"),
    (0, "r3k3/1K6/8/8/8/8/8/8 b q - 0 1"),
    (1, "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"),
    (1, "4k3/8/8/8/8/8/4p3/K7 b - - 0 1"),
    (0, "1b6/8/8/3Pp3/8/6K1/8/k7 w - e6 0 1"),
    (0, "8/5b2/8/3pP3/8/1K6/8/7k w - d6 0 1"),
    (0, "6b1/8/8/3pP3/8/8/K7/7k w - d6 0 1"),
    (0, "8/2q5/8/3Pp3/8/6K1/8/k7 w - e6 0 1"),
    (0, "1q6/8/8/3Pp3/8/8/7K/k7 w - e6 0 1"),
    (0, "7K/8/1k6/8/3Pp3/8/8/6B1 b - d3 0 1"),
    (0, "7K/8/1k6/8/3Pp3/8/5Q2/8 b - d3 0 1"),
    (0, "7K/8/6k1/8/3pP3/8/8/1B6 b - e3 0 1"),
    (0, "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1"),
    (1, "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1"),
    (1, "7k/8/8/8/3Pp3/8/8/K7 b - d3 0 1"),
    (1, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    (1, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1"),
    (0, "4k3/8/8/p7/6pP/8/8/4K3 b - h3 0 1"),
    (0, "4k3/8/8/pP6/7P/8/8/4K3 w - a6 0 1"),
    (2, "k7/8/8/8/5K2/8/7R/6r1 w - - 0 1"),
    (2, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
];

/// The suites' positions.
fn positions() -> Vec<Position> {
    let suites = [
        include_str!("../../../perft-suites/chess/standard.epd"),
        include_str!("../../../perft-suites/chess/tricky.epd"),
        include_str!("../../../perft-suites/chess/chess960.epd"),
    ];
    let lines = suites.iter().flat_map(|text| text.lines());
    let fens = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    fens.map(|line| position(line.split(" ;").next().unwrap())).collect()
}

fn position(fen: &str) -> Position {
    Position::from_fen_lenient(fen).unwrap().0
}

/// Without a fault the generator lists the legal moves, to the second ply of every position, and makes them.
#[test]
fn without_faults_it_is_an_oracle() {
    let none = Faults::default();
    let mut checked = 0;
    for pos in positions() {
        let board = Mailbox::new(&pos);
        assert_eq!(list_of(&board, &none), legal_of(&pos), "{pos}");
        for step in board.moves(&none) {
            let child = pos.play_unchecked(pos.parse_move(board.move_text(step).as_str()).unwrap());
            let expected = Mailbox { homes: board.homes, ..Mailbox::new(&child) };
            assert!(board.make(step, &none) == expected, "{pos}: {step:?}");
            assert_eq!(list_of(&expected, &none), legal_of(&child), "{pos}: {step:?}");
            checked += 1;
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// A setup has the board of its position.
#[test]
fn setups_are_boards() {
    for pos in positions() {
        let setup = Setup::of(&pos);
        assert_eq!(setup.position::<crate::chess::Board>().map(|other| other.to_fen()), Some(setup.fen()), "{pos}");
        let board = kinds::board_of(&setup);
        assert!(board == Mailbox { chess960: board.chess960, homes: board.homes, ..Mailbox::new(&pos) }, "{pos}");
        assert_eq!(list_of(&board, &Faults::default()), legal_of(&pos), "{pos}");
        assert_eq!(setup.exchanged().exchanged(), setup);
    }
}

/// What engines with a fault count is what their generators list, move by move.
#[test]
fn remembered_counts_are_plain_counts() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let rook_taken = "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1";
    for (fen, depth) in [(kiwipete, 2), (rook_taken, 3), ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 4)] {
        let (pos, all) = (position(fen), Fault::all());
        for (fault, divide) in all.iter().zip(divides_of(&pos, depth, &all)) {
            let faults = Faults::of(&[*fault]);
            let plain = Mailbox::new(&pos).read(&faults).count(depth, &faults);
            assert_eq!(divide.values().sum::<u128>(), u128::from(plain), "{fault:?}: {fen}");
        }
    }
}

/// Every fault, for both sides and for each alone, shows in the suites, and every move that it changes is explained by
/// one of its rules. Every rule is the explanation in five positions at least.
#[test]
fn faults_are_explained_by_their_rules() {
    let (step, least) = sample((32, 5), (1, 10));
    let suites = positions().into_iter().enumerate();
    let suites = suites.map(|(i, pos)| (u32::from(i.is_multiple_of(step)), pos));
    let all = Vec::from_iter(suites.chain(MADE.map(|(depth, fen)| (depth, position(fen)))));
    let by_rule = explained::<crate::chess::Board>(&all, 1);
    let few: Vec<_> = by_rule.iter().filter(|(_, positions)| positions.len() < least).collect();
    assert!(few.is_empty(), "{few:?}");
    assert!(by_rule.len() >= 36, "{}: {:?}", by_rule.len(), by_rule.keys());
}

/// The sentences, rule by rule.
#[test]
fn sentences() {
    for (fen, text, rule, sentence) in [
        ("8/8/8/8/8/8/8/K6k w - - 0 1", "b1b2", Rule::NoPiece, "there is no piece on b1"),
        ("8/8/8/8/8/8/8/K6k w - - 0 1", "h1h2", Rule::NotYours, "the king on h1 is Black's, and White is to move"),
        (
            "8/8/8/8/8/8/P7/K6k w - - 0 1",
            "a1a2",
            Rule::OwnPiece,
            "the king on a1 captures the pawn on a2 of its own side",
        ),
        (
            "8/8/8/8/4r3/8/4N3/k3K3 w - - 0 1",
            "e2c3",
            Rule::Pinned,
            "the knight on e2 is pinned to its king on e1 by the rook on e4",
        ),
        (
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "e5d6",
            Rule::EnPassantRank,
            "en passant, the pawn on e5 and the pawn on d5 both leave the rank, and the rook on h5 attacks the king on a5",
        ),
        (
            "6b1/8/8/3pP3/8/1K6/8/7k w - d6 0 1",
            "e5d6",
            Rule::EnPassantLine,
            "the pawn on d5 shields the king on b3 from the bishop on g8, so it cannot be captured en passant",
        ),
        (
            "4r3/8/8/3pP3/8/8/8/4K2k w - d6 0 1",
            "e5d6",
            Rule::EnPassantPinned,
            "the pawn on e5 is pinned to its king on e1 by the rook on e8 and cannot capture en passant",
        ),
        (
            "4k3/8/b7/8/8/8/8/4K2R w K - 0 1",
            "O-O",
            Rule::CastlesThroughAttack,
            "castling, the king passes f1, which the bishop on a6 attacks",
        ),
        (
            "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "e1c1",
            Rule::Castling,
            "White may castle queen side: it has the right, the way is free, and no square on the king's way is attacked; \
             that the rook on b8 attacks b1 does not matter, since only the rook passes it",
        ),
        (
            "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
            "d1b1",
            Rule::RookShields,
            "the rook on b1 shields c1, where the king arrives, from the rook on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "e1g1",
            Rule::CastlingRightLost,
            "White has no right to castle king side: the king on e1 or the rook on h1 has moved, or a rook was captured there",
        ),
        ("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", Rule::PawnBlocked, "the pawn on e7 is blocked by the king on e8"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8k", Rule::WrongPromotion, "a pawn does not promote to a king"),
        (
            "7k/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "e7e8",
            Rule::NoPromotion,
            "the pawn on e7 reaches the last rank and must promote",
        ),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e1e2q", Rule::WrongPromotion, "the king on e1 does not promote on e2"),
        ("7k/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1", Rule::NotItsMove, "the king on e1 does not move"),
    ] {
        let explained = position(fen).explain(text).unwrap();
        assert_eq!((explained.rule, explained.sentence.as_str()), (rule, sentence), "{fen} {text}");
    }
}

/// The moves that led to a position say how a right was lost, and when the double step was.
#[test]
fn history_is_told() {
    for (fen, moves, text, sentence) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2 e8e7 e2e1 e7e8", "e1g1", "the king moved with e1e2"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 e8e7 h2h1 e7e8", "e1g1", "the rook moved with h1h2"),
        ("4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1", "b7h1 h5h1 e8e7", "e1g1", "the rook on h1 was captured with b7h1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8e7", "O-O", "it has castled already"),
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7", "e5d6", "its double step was 3 plies ago"),
        ("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5", "e5d6", "it came from d6, without a double step"),
    ] {
        let (mut pos, mut before) = (position(fen), Vec::new());
        for word in moves.split(' ') {
            let m = pos.parse_move(word).unwrap();
            before.push((pos, m));
            pos.make(m);
        }
        let explained = crate::explain::chess::explain(&pos, text, &before).unwrap();
        assert!(!explained.legal && explained.sentence.ends_with(sentence), "{explained}");
    }
}

/// Any text gets an answer or an error.
#[test]
fn any_text_is_answered() {
    let pos = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for text in ["", "e2", "e2e", "e2e4e5", "z1z2", "é2e4", "0000", "e1g1?", "Nf3", "O-O-O-O"] {
        assert!(pos.explain(text).is_err(), "{text}");
    }
    let squares = || crate::chess::Square::all();
    for (from, to) in squares().flat_map(|from| squares().map(move |to| (from, to))) {
        for letter in ["", "q", "k", "p", "x"] {
            let text = format!("{from}{to}{letter}");
            let legal = pos.legal_moves().into_iter().any(|m| pos.move_text(m).as_str() == text);
            // Castling is also read in the form of Chess960.
            let explained = pos.explain(&text).unwrap();
            assert!(explained.legal == legal || explained.rule == Rule::Castling, "{text}: {explained}");
        }
    }
}
