//! The generator with faults against the real one, and the explanations against the faults.

use super::*;
use crate::base::sample;
use crate::chess::explain::board::Step;
use crate::chess::{Move, Rule};
use crate::doctor::diff::Node;
use crate::doctor::faults::{Engines, Fault, FaultKind, FaultyBoard, Switches};
use crate::game;
use std::collections::{BTreeMap, BTreeSet};

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

#[test]
fn features_tell_what_generators_overlook() {
    for (fen, moves, text, words) in [
        ("3r3k/8/6b1/8/R2pP3/3K4/8/8 b - e3 0 1", "d4e3", "a4e4", "that answer only the check by a bishop"),
        (
            "8/8/3k4/3Pp3/7r/6B1/8/K2R4 w - e6 0 1",
            "d5e6",
            "h4d4",
            "that answer only the check by the first piece in the order a1, b1 to h8",
        ),
        (
            "8/8/8/8/4Q3/K7/7p/5k2 w - - 2 2",
            "",
            "a3a2",
            "to a square that a pawn attacks only around the edge of the board",
        ),
        (
            "8/8/K6p/2PpP2r/8/3R4/8/7k w - - 0 2",
            "",
            "c5c6",
            "while a pawn attacks the king around the edge of the board",
        ),
        ("r5k1/8/8/8/8/8/1p6/R5K1 b - - 0 1", "", "a8a1", "over a2, behind a1, where a pawn could capture"),
        ("r5k1/8/8/8/8/8/1p6/R5K1 b - - 0 1", "b2a1q g1f2", "a1a5", "over a2, behind a1, where a pawn could capture"),
        ("1k5r/6P1/8/8/8/8/8/1K5R w - - 0 1", "b1b2", "h7h6", "from h7, behind h8, where a pawn could capture"),
        (
            "2n2K2/1p3brr/B7/8/2k2p2/8/3Q4/5r2 b - - 0 1",
            "b7b5 d2e3",
            "f4e3",
            "while a piece on the square of a pawn after its double step shields the king",
        ),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1d1", "d5d4", "from the square of a pawn after its double step"),
        (
            "8/p7/8/2n5/8/8/8/R3K2k w Q - 0 1",
            "e1c1",
            "a7a6",
            "while only a piece on the square of the castled rook attacks the king",
        ),
        ("8/p7/8/2n5/8/8/8/R3K2k w Q - 0 1", "e1c1", "a7a6", "in check over the square that the last move has left"),
        ("8/8/5k2/4p3/3K1P2/5R2/8/8 w - - 0 1", "", "f4f5", "to the square after that of the piece that gives check"),
        (
            "8/8/5k2/4p3/3K1P2/5R2/8/8 w - - 0 1",
            "",
            "f4e5",
            "in check from the a-, c-, e- or g-file as read from a FEN",
        ),
        ("8/8/5k2/4p3/3K1P2/5R2/8/8 w - - 0 1", "", "f4e5", "of a piece that is not pinned"),
        ("8/8/8/8/8/k7/2p5/7K w - - 0 1", "", "h1g1", "while a pawn of the opponent is a step from promotion"),
        (
            "k7/8/8/8/8/8/8/B3K2R w K - 0 1",
            "a1b2 a8a7",
            "e1c1",
            "after a move from or to a corner whose right was gone",
        ),
    ] {
        let mut node = Node::root_of(0, Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            node = node.child(node.position.parse_move(text).unwrap());
        }
        let features = features::features(&node.position, &node.before, text);
        assert!(features.iter().any(|feature| feature.words == words), "{fen} {text}: {features:?}");
    }
}

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

/// Without faults the generator lists the legal moves, to the second ply of every position.
#[test]
fn without_faults_it_is_an_oracle() {
    let switches = Switches::new::<ChessFault>(&[]);
    let list = |pos: &Position, board: &Board| {
        let mut steps = Vec::new();
        board.moves(&switches, 1, &mut steps);
        let mut theirs: Vec<_> = steps.iter().map(|&(step, _)| board.move_text(step)).collect();
        let mut legal: Vec<_> = pos.legal_moves().into_iter().map(|m| pos.move_text(m)).collect();
        theirs.sort();
        legal.sort();
        assert_eq!(theirs, legal, "{pos}");
        steps
    };
    let mut checked = 0;
    for pos in positions() {
        let board = Board::new(&pos);
        for (step, _) in list(&pos, &board) {
            let mut child = pos;
            child.make(pos.parse_move(board.move_text(step).as_str()).unwrap());
            let mut after = Vec::new();
            board.make(step, &switches, 1, &mut after);
            assert_eq!(after.len(), 1);
            let expected = Board { homes: board.homes, ..Board::new(&child) };
            assert!(after[0].0 == expected, "{pos}: {step:?}\n{:?}\n{expected:?}", after[0].0);
            list(&child, &expected);
            checked += 1;
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// Faults that show in a walk.
#[derive(Default)]
struct Shown {
    /// The positions in which each fault shows.
    by_fault: BTreeMap<ChessFault, usize>,
    /// The positions in which a move is explained by each rule.
    by_rule: BTreeMap<Rule, BTreeSet<String>>,
}

/// An engine without faults, which walks with the others. A board that it does not reach has a copy of it all the same.
const SOUND: Engines = 1 << 127;

/// Walks the tree with engines that have a fault each until all of them have shown it, and checks each explanation.
struct Walk<'a> {
    faults: &'a [Fault<ChessFault>],
    switches: Switches,
    shown: Shown,
}

impl Walk<'_> {
    fn walk(
        &mut self,
        pos: &Position,
        (board, engines): (&Board, Engines),
        before: &mut Vec<(Position, Move)>,
        depth: u32,
    ) {
        let mut list = Vec::new();
        board.moves(&self.switches, engines, &mut list);
        let legal = pos.legal_moves();
        // The last engine has no fault.
        if list.len() != legal.len() || list.iter().any(|&(_, who)| who != engines) {
            let wrong = self.compare(pos, board, engines, &list, before);
            for (_, who) in &mut list {
                // An engine that has shown its fault is done.
                *who &= !wrong;
            }
        }
        for (step, who) in list.into_iter().filter(|&(_, who)| depth > 0 && who & !SOUND != 0) {
            let text = board.move_text(step);
            let Some(&m) = legal.iter().find(|&&m| pos.move_text(m) == text) else { continue };
            let mut child = *pos;
            child.make(m);
            before.push((*pos, m));
            let mut boards = Vec::new();
            board.make(step, &self.switches, who, &mut boards);
            for (board, who) in boards {
                self.walk(&child, (&board, who | SOUND), before, depth - 1);
            }
            before.pop();
        }
    }

    /// The engines whose moves are wrong. Checks the explanations.
    fn compare(
        &mut self,
        pos: &Position,
        board: &Board,
        engines: Engines,
        list: &[(Step, Engines)],
        before: &[(Position, Move)],
    ) -> Engines {
        let mut listed: BTreeMap<String, Engines> = BTreeMap::new();
        let mut twice = 0;
        for &(step, who) in list {
            let known = listed.entry(board.move_text(step).to_string()).or_default();
            twice |= *known & who;
            *known |= who;
        }
        let legal: BTreeMap<String, Move> =
            pos.legal_moves().into_iter().map(|m| (pos.move_text(m).to_string(), m)).collect();
        let texts: BTreeSet<&String> = listed.keys().chain(legal.keys()).collect();
        let mut wrong = twice;
        for text in texts {
            let has = listed.get(text).copied().unwrap_or_default();
            let here = if legal.contains_key(text) { engines & !has } else { has };
            wrong |= here;
            if here == 0 {
                continue;
            }
            let explained = <crate::chess::Board as game::Explained>::explain(pos, text, before).unwrap();
            assert_eq!(explained.legal, legal.contains_key(text), "{pos}: {text}: {explained}");
            assert!(explained.sentence.len() > 10 && !explained.sentence.ends_with('.'));
            let (board, rule) = (pos.to_string(), explained.rule);
            self.shown.by_rule.entry(rule).or_default().insert(board);
            for (i, fault) in self.faults.iter().enumerate().filter(|(i, _)| here >> i & 1 != 0) {
                let rules = fault.kind.rules();
                let fits = rules.is_empty() || rules.contains(&rule);
                assert!(fits, "{i} {fault:?}: {rule:?}: {text}: {explained}\n{pos} {before:?}");
            }
        }
        for (_, fault) in self.faults.iter().enumerate().filter(|(i, _)| wrong >> i & 1 != 0) {
            *self.shown.by_fault.entry(fault.kind).or_default() += 1;
        }
        wrong
    }
}

/// Every fault, for both sides and for each alone, shows in the suites, and every move that it changes is explained by
/// one of its rules. Every rule is the explanation in five positions at least.
///
/// The moves of all positions are explained, those a ply later in a share of them, and the deep walks are for the
/// faults that have hardly shown before.
#[test]
fn faults_are_explained_by_their_rules() {
    let (step, enough, least) = sample((8, 10, 5), (1, usize::MAX, 10));
    let all = Fault::<ChessFault>::all();
    let mut by_rule: BTreeMap<Rule, BTreeSet<String>> = BTreeMap::new();
    for (sides, faults) in all.chunks(ChessFault::ALL.len()).enumerate() {
        let engines: Vec<Vec<_>> = faults.iter().map(|&fault| vec![fault]).collect();
        let switches = Switches::new(&engines);
        let mut walk = Walk { faults, switches, shown: Shown::default() };
        let everyone = Engines::MAX >> (128 - faults.len()) | SOUND;
        let made = MADE.map(|(depth, fen)| (depth, position(fen)));
        let suites = positions().into_iter().enumerate();
        let suites = suites.map(|(i, pos)| (u32::from(sides == 0 && i.is_multiple_of(step)), pos));
        for (depth, pos) in suites.chain(made) {
            let shown = |fault: &Fault<ChessFault>| walk.shown.by_fault.get(&fault.kind).copied().unwrap_or_default();
            let rare = faults.iter().enumerate().filter(|(_, fault)| shown(fault) < enough);
            let rare = rare.fold(SOUND, |engines, (i, _)| engines | 1 << i);
            let everyone = if depth > 1 { rare } else { everyone };
            let mut read = Vec::new();
            Board::new(&pos).read(&walk.switches, everyone, &mut read);
            for (board, who) in read {
                walk.walk(&pos, (&board, who | SOUND), &mut Vec::new(), depth);
            }
        }
        for fault in faults {
            let shown = walk.shown.by_fault.get(&fault.kind).copied().unwrap_or_default();
            assert!(shown >= 1, "{fault:?} shows in {shown} positions");
        }
        for (rule, positions) in walk.shown.by_rule {
            by_rule.entry(rule).or_default().extend(positions);
        }
    }
    let few: Vec<_> = by_rule.iter().filter(|(_, positions)| positions.len() < least).collect();
    assert!(few.is_empty(), "{few:?}");
    assert!(ChessFault::ALL.len() >= 40 && by_rule.len() >= 40, "{:?}", by_rule.keys());
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
        let explained = <crate::chess::Board as game::Explained>::explain(&pos, text, &before).unwrap();
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
