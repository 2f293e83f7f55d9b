//! The reader with what programs print, right and wrong.

use super::*;
use crate::chess;

use crate::base::rng::SplitMix64;
use crate::doctor::diff::{self, Wrong};
use crate::xiangqi;

fn divide<B: Counting>(pos: &Position<B>, depth: u32) -> Divide<B::Move> {
    let list = pos.legal_moves();
    let count = |&m: &B::Move| {
        let mut child = *pos;
        child.make(m);
        (m, u128::from(child.perft(depth - 1)))
    };
    let moves: Vec<_> = list.as_slice().iter().map(count).collect();
    Divide { total: moves.iter().map(|&(_, n)| n).sum(), moves }
}

/// What is wrong with moves.
type Wrongs = Vec<(Wrong, String)>;

/// The moves with which the same is wrong.
fn moves_of(found: &Wrongs, kind: Wrong) -> Vec<&str> {
    found.iter().filter(|(wrong, _)| *wrong == kind).map(|(_, text)| text.as_str()).collect()
}

/// The wrong counts, with the moves, the right ones and the others.
fn counts_of(found: &Wrongs) -> Vec<(String, u128, u128)> {
    let count = |(wrong, text): &(Wrong, String)| match *wrong {
        Wrong::Miscounted(ours, theirs) => Some((text.clone(), ours, theirs)),
        _ => None,
    };
    found.iter().filter_map(count).collect()
}

/// How the divide in a text differs, and the line where it begins.
fn compared<B: Counting>(
    pos: &Position<B>,
    ours: &Divide<B::Move>,
    text: &str,
) -> Result<(Wrongs, Option<usize>), String> {
    let theirs = read(pos, ours, text, &mut Habits::default())?;
    Ok((diff::differences(pos, ours, &theirs), theirs.begins))
}

fn differences<B: Counting>(pos: &Position<B>, ours: &Divide<B::Move>, text: &str) -> Wrongs {
    compared(pos, ours, text).unwrap_or_else(|e| panic!("{e}: {text}")).0
}

#[test]
fn castling_is_understood_in_every_notation() {
    let fen = "r3k2r/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
    let pos = chess::Position::from_fen(fen).unwrap();
    let ours = divide(&pos, 2);
    for (castling, other) in [("e1g1", "e1c1"), ("e1h1", "e1a1"), ("O-O", "0-0-0"), ("Ke1-g1", "E1C1")] {
        let mut text = String::new();
        for &(m, count) in &ours.moves {
            let shown = match pos.move_text(m).to_string() {
                m if m == "e1g1" => castling.to_string(),
                m if m == "e1c1" => other.to_string(),
                m => m,
            };
            text.push_str(&format!("{shown}: {count}\n"));
        }
        assert_eq!(differences(&pos, &ours, &text), [], "{castling}");
    }
}

#[test]
fn differing_moves_are_reported_with_both_counts() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 3);
    let mut text: String = ours
        .moves
        .iter()
        .filter(|&&(m, _)| pos.move_text(m).to_string() != "a2a3")
        .map(|&(m, n)| format!("{}: {}\n", pos.move_text(m), if n == 600 { 601 } else { n }))
        .collect();
    text.push_str("e2e5: 3\n");
    let differences = differences(&pos, &ours, &text);
    assert_eq!(moves_of(&differences, Wrong::Missing), ["a2a3"]);
    assert_eq!(moves_of(&differences, Wrong::Extra), ["e2e5"]);
    assert_eq!(moves_of(&differences, Wrong::Miscounted(600, 601)), ["e2e4"]);
    assert_eq!(differences.len(), 3);
}

/// The output of a program that counts `depth` plies from `pos`, with its total.
fn printed<B: Counting>(pos: &Position<B>, depth: u32) -> String {
    let Divide { total, mut moves } = divide(pos, depth);
    moves.sort_by_key(|&(m, _)| pos.move_text(m));
    let lines: String = moves.iter().map(|&(m, n)| format!("{}: {n}\n", pos.move_text(m))).collect();
    format!("{lines}\nNodes searched: {total}\n")
}

#[test]
fn a_move_printed_twice_is_reported() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 2);
    let all = printed(&pos, 2);
    let (moves, total) = all.split_once("\n\n").unwrap();
    let spaced = moves.replace('\n', "\n\n");
    // The same count, another count, another notation, the same line, far away, under headings, without a total.
    for text in [
        format!("{all}a2a3: 20\n").replace(&format!("\n{total}"), ""),
        format!("a2a3: 20\n{all}"),
        format!("{moves}\na2a3: 21\n\n{total}"),
        format!("{moves}\na2-a3 = 20\n{total}"),
        format!("{moves} a2a3: 20\n{total}"),
        format!("Pawns\n{moves}\nKnights\na2a3: 20\n{total}"),
        format!("{spaced}\n\na2a3: 20\n\n{total}"),
    ] {
        let found = differences(&pos, &ours, &text);
        assert_eq!(moves_of(&found, Wrong::Repeated), ["a2a3"], "{text}: {found:?}");
        let counts: &[_] = if text.contains("a2a3: 21") { &[("a2a3".to_string(), 20, 21)] } else { &[] };
        assert!(counts_of(&found) == counts && found.len() == 1 + counts.len(), "{text}: {found:?}");
    }
    // Three times, and an illegal move twice.
    let text = format!("{moves}\nb2b3 20\nb2b3 20\nb2b5 1\nb2b5 1");
    let found = differences(&pos, &ours, &text);
    assert_eq!(moves_of(&found, Wrong::Repeated), ["b2b3", "b2b5"]);
    assert_eq!(moves_of(&found, Wrong::Extra), ["b2b5"]);
}

#[test]
fn the_last_of_several_divides_counts() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 3);
    let [one, two, three] = [1, 2, 3].map(|depth| printed(&pos, depth));
    let bare = |text: &str| text.split("\n\n").next().unwrap().to_string();
    for text in [
        format!("{one}{two}{three}"),
        format!("depth 1\n{one}\ndepth 2\n{two}\ndepth 3\n{three}"),
        format!("depth 1\n{}\ndepth 3\n{}\n", bare(&one), bare(&three)),
        format!("{}\n\n{}\n", bare(&three), bare(&three)),
        // In a different order.
        format!("{two}{}", three.lines().rev().collect::<Vec<_>>().join("\n")),
    ] {
        let (found, begins) = compared(&pos, &ours, &text).unwrap();
        assert!(found.is_empty(), "{text}: {found:?}");
        assert!(begins.is_some_and(|line| line > 20), "{text}: {begins:?}");
    }
    // A summary that repeats moves, headings between groups of moves, a running total.
    let (first, last) = three.split_at(three.find("b1a3").unwrap());
    let totals: String = bare(&three).lines().map(|l| format!("{l}\nnodes so far: 7\n")).collect();
    for text in [
        format!("{three}\nlargest: e2e4 600\n"),
        format!("nodes expected: 8902\n{three}"),
        format!("Some\n{first}\nOthers\n{last}"),
        totals,
    ] {
        let (found, begins) = compared(&pos, &ours, &text).unwrap();
        assert!(found.is_empty() && begins.is_none(), "{text}: {found:?} {begins:?}");
    }
    // The last one has the wrong depth.
    assert_eq!(counts_of(&differences(&pos, &ours, &format!("{three}{two}"))).len(), 20);
    let twice = format!("{two}{}a2a3: 380\n", bare(&three) + "\n");
    let found = differences(&pos, &ours, &twice);
    assert_eq!(moves_of(&found, Wrong::Repeated), ["a2a3"], "{twice}");
    // The last one lacks a move, so it is not a divide by itself and all its moves are repetitions.
    let found = differences(&pos, &ours, &format!("{two}{}", three.replace("a2a3: 380\n", "")));
    assert_eq!(moves_of(&found, Wrong::Repeated).len(), 19);
}

#[test]
fn promotions_without_letters_are_matched_by_count() {
    let pos = chess::Position::from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    let ours = divide(&pos, 3);
    let bare: String = printed(&pos, 3)
        .lines()
        .map(|line| match line.split_once(": ") {
            Some((m, count)) if m.len() == 5 => format!("{}: {count}\n", &m[..4]),
            _ => format!("{line}\n"),
        })
        .collect();
    assert_eq!(bare.matches("a7a8: ").count(), 4);
    assert_eq!(differences(&pos, &ours, &bare), []);
    assert_eq!(differences(&pos, &ours, &format!("{bare}{bare}")), []);
    // One promotion too many, and one with a wrong count.
    let found = differences(&pos, &ours, &format!("a7a8: 7\n{bare}"));
    let kinds = [Wrong::Repeated, Wrong::Extra, Wrong::Missing];
    assert_eq!(kinds.map(|kind| moves_of(&found, kind).len()), [1, 1, 4], "{found:?}");
    let largest = ours.moves.iter().filter(|(m, _)| chess::Board::facts(&pos, *m).promotion);
    let largest = largest.filter(|(m, _)| pos.move_text(*m).as_str().starts_with("a7a8"));
    let largest = largest.map(|m| m.1).max().unwrap();
    let wrong = bare.replacen(&format!("a7a8: {largest}"), "a7a8: 9999", 1);
    let found = differences(&pos, &ours, &wrong);
    assert!(matches!(counts_of(&found)[..], [(_, _, 9999)]), "{found:?}");
}

#[test]
fn a_promotion_printed_once_for_all_pieces_is_named() {
    let pos = chess::Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    for depth in [1, 3] {
        let ours = divide(&pos, depth);
        let promotions = ours.moves.iter().filter(|(m, _)| chess::Board::facts(&pos, *m).promotion).map(|&(_, n)| n);
        let sum = promotions.sum::<u128>();
        let others = Vec::from_iter(ours.moves.iter().filter(|(m, _)| !chess::Board::facts(&pos, *m).promotion));
        let others: String = others.iter().map(|(m, n)| format!("{}: {n}\n", pos.move_text(*m))).collect();
        let found = differences(&pos, &ours, &format!("a7a8: {sum}\n{others}"));
        assert_eq!(found, [(Wrong::Letterless, "a7a8".to_string())]);
        // A pawn that stays one on the last rank has another count.
        let found = differences(&pos, &ours, &format!("a7a8: {}\n{others}", sum - 1));
        let kinds = [Wrong::Extra, Wrong::Missing, Wrong::Letterless];
        assert_eq!(kinds.map(|kind| moves_of(&found, kind).len()), [1, 4, 0], "{found:?}");
    }
}

#[test]
fn ranks_of_xiangqi_may_start_at_one() {
    let pos = xiangqi::Position::from_fen(xiangqi::Position::START_FEN).unwrap();
    let ours = divide(&pos, 2);
    for offset in [0, 1] {
        let text: String = ours
            .moves
            .iter()
            .map(|&(m, n)| {
                let text = pos.move_text(m).to_string();
                let b = text.as_bytes();
                let rank = |b: u8| u32::from(b - b'0') + offset;
                let (from, to) = (char::from(b[0]), char::from(b[2]));
                format!("{from}{}{to}{}: {n}\n", rank(b[1]), rank(b[3]))
            })
            .collect();
        assert_eq!(differences(&pos, &ours, &text), [], "{text}");
    }
}

/// The divide of `pos` with each move written by `line`, which takes its number, its text and its count.
fn written<B: Counting>(
    pos: &Position<B>,
    ours: &Divide<B::Move>,
    line: impl Fn(usize, &str, u128) -> String,
) -> String {
    let write = |(i, &(m, n)): (usize, &(B::Move, u128))| line(i + 1, &pos.move_text(m).to_string(), n);
    ours.moves.iter().enumerate().map(|each| write(each) + "\n").collect()
}

fn grouped(count: u128, separator: &str) -> String {
    let text = count.to_string();
    let groups = text.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(separator)
}

type Line = fn(usize, &str, u128) -> String;

#[test]
fn the_count_is_found_among_other_numbers() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 4);
    let lines: [Line; 31] = [
        |_, m, n| format!("{m}: {}", grouped(n, ",")),
        |_, m, n| format!("{m}: {}", grouped(n, ".")),
        |_, m, n| format!("{m}: {}.", grouped(n, ".")),
        |_, m, n| format!("{m}: {}", grouped(n, " ")),
        |_, m, n| format!("{m} {}", grouped(n, "'")),
        |_, m, n| format!("{m} {}", grouped(n, "’")),
        |_, m, n| format!("{m} {}", grouped(n, "_")),
        |_, m, n| format!("{m} {}", grouped(n, "\u{a0}")),
        |_, m, n| format!("{m} {}", grouped(n, "\u{202f}")),
        |_, m, n| format!("{m} {}", grouped(n, "\u{2009}")),
        |i, m, n| format!("{i:>2}/20 {m} {}", grouped(n, ".")),
        |i, m, n| format!("{m} {i}/20 {}", grouped(n, " ")),
        |_, m, n| format!("{m} depth=3 nodes={n}"),
        |_, m, n| format!("{m}, depth: 3, time: 12, nodes: {n}, nps: 1200"),
        |_, m, n| format!("{m} (depth 3): {n} nodes in 12 ms"),
        |i, m, n| format!("{m} {i}/20 {n}"),
        |i, m, n| format!("[{i}/20] {n} {m}"),
        |_, m, n| format!("{m} 3.05% {n}"),
        |_, m, n| format!("{m} 3.125 % {n}"),
        |_, m, n| format!("{m} {n} 12.125 s"),
        |_, m, n| format!("{m} {n} 12.125"),
        |_, m, n| format!("{m}: {n} 400 123456"),
        |i, m, n| format!("{i} {n} {m}"),
        |i, m, n| format!("{i}) {n} {m}"),
        |_, m, n| format!("\u{1b}[32m{m}\u{1b}[0m: \u{1b}[1;33m{n}\u{1b}[0m"),
        |_, m, n| format!("{}->{} {n}", &m[..2], &m[2..]),
        |_, m, n| format!("{} -> {}: {n}", &m[..2], &m[2..]),
        |_, m, n| format!("{}→{} = {n}", &m[..2], &m[2..]),
        |_, m, n| format!("{}–{} = {n}", &m[..2], &m[2..]),
        |_, m, n| format!("{{\"move\": \"{m}\", \"depth\": 3, \"nodes\": {n}}}"),
        |i, m, n| format!("{m};{i};3;{n}"),
    ];
    for (number, line) in lines.into_iter().enumerate() {
        let text = written(&pos, &ours, line);
        let (found, _) = compared(&pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(found, [], "{number}: {text}");
        // One wrong count is found, whatever stands around it.
        let text = written(&pos, &ours, |i, m, n| line(i, m, if i == 7 { n + 1 } else { n }));
        let (found, _) = compared(&pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!((found.len(), counts_of(&found).len()), (1, 1), "{number}: {text}");
    }
    // With one number for a move there is no doubt, even if all are wrong.
    let text = written(&pos, &ours, |_, m, n| format!("{m}: {}", n + 1));
    assert_eq!(counts_of(&compared(&pos, &ours, &text).unwrap().0).len(), 20);
}

#[test]
fn what_cannot_be_decided_is_refused() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 4);
    let lines: [Line; 5] = [
        |i, m, n| format!("{m} {i} {}", n + 1),
        |i, m, n| format!("{m} {i}/20 {}", n + 7),
        |_, m, n| format!("{m} {}", grouped(n + 1, " ")),
        |_, m, n| format!("{m} {} 12.345", n + 1),
        |i, m, n| if i % 2 == 0 { format!("{m} {n} 5") } else { format!("{m} 5 {n}") },
    ];
    for line in lines {
        let text = written(&pos, &ours, line);
        let error = compared(&pos, &ours, &text).unwrap_err();
        assert!(error.contains("cannot be decided") && error.contains("line 1 "), "{error}");
    }
    for text in ["", "nothing", "e2e4\n", "20\n", "Nodes searched: 400\n"] {
        assert!(compared(&pos, &ours, text).unwrap_err().contains("there is no divide"));
    }
}

/// Checks a divide in another notation: as it is, with a wrong count, with a move missing, and with an illegal one.
fn check_notation<B: Counting>(pos: &Position<B>, depth: u32, write: impl Fn(B::Move) -> String, illegal: &str) {
    let ours = divide(pos, depth);
    let forms: [fn(&str, u128) -> String; 6] = [
        |m, n| format!("{m}: {n}"),
        |m, n| format!("{m} {n}"),
        |m, n| format!("{n:>8}  {m}"),
        |m, n| format!("\"{m}\": {n},"),
        |m, n| format!("3.05% {m} -> {n} nodes"),
        |m, n| format!("[{m}] ({n})"),
    ];
    for form in forms {
        let lines: Vec<String> = ours.moves.iter().map(|&(m, n)| form(&write(m), n)).collect();
        let compared = |lines: &[String]| {
            let text = format!("{}\n\nNodes searched: {}\n", lines.join("\n"), ours.total);
            compared(pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}")).0
        };
        assert_eq!(compared(&lines), [], "{lines:?}");
        let first = pos.move_text(ours.moves[0].0).to_string();
        let found = compared(&lines[1..]);
        assert_eq!(found, [(Wrong::Missing, first.clone())], "{lines:?}");
        let mut wrong = lines.clone();
        wrong[0] = form(&write(ours.moves[0].0), ours.moves[0].1 + 1);
        wrong.push(form(illegal, 7));
        let found = compared(&wrong);
        let wrong = Wrong::Miscounted(ours.moves[0].1, ours.moves[0].1 + 1);
        assert_eq!(found, [(Wrong::Extra, illegal.to_string()), (wrong, first)]);
    }
}

#[test]
fn divides_in_san_are_read() {
    for fen in [
        chess::Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/k7/8/4K2R w K - 0 1",
        "1n2k3/P1P5/8/8/8/8/8/R3K2R w KQ - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ] {
        let pos = chess::Position::from_fen(fen).unwrap();
        for depth in [1, 2, 3] {
            check_notation(&pos, depth, |m| pos.san(m).to_string(), "Qh8");
            check_notation(&pos, depth, |m| format!("{}+!?", pos.san(m)), "exf8=N");
            check_notation(&pos, depth, |m| format!("1.{}", pos.san(m)), "Nxe8");
        }
    }
}

#[test]
fn divides_in_the_notations_of_xiangqi_are_read() {
    for fen in [
        xiangqi::Position::START_FEN,
        "3k5/4a4/3r5/9/9/4R4/9/4B4/2C6/2C1K4 w - - 0 1",
        "3k5/9/9/4P4/4P4/9/9/9/9/4K4 w - - 0 1",
    ] {
        let pos = xiangqi::Position::from_fen(fen).unwrap();
        for depth in [1, 2] {
            check_notation(&pos, depth, |m| pos.wxf(m).to_string(), "N9+7");
            check_notation(&pos, depth, |m| pos.iccs(m).to_string(), "a9a1");
        }
    }
}

#[test]
fn an_ambiguous_move_is_refused() {
    let pos = chess::Position::from_fen("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1").unwrap();
    let ours = divide(&pos, 2);
    let text = written(&pos, &ours, |_, m, n| match m {
        "b1d2" | "f1d2" => format!("Nd2: {n}"),
        m => format!("{}: {n}", pos.san(pos.parse_move(m).unwrap())),
    });
    let error = compared(&pos, &ours, &text).unwrap_err();
    assert!(error.contains("\"Nd2\" is ambiguous"), "{error}");
}

/// Each has thousands of moves that no line ends.
#[test]
fn what_is_no_divide_is_refused() {
    let pos = chess::Position::default();
    let ours = divide(&pos, 1);
    let mut rng = SplitMix64::new(7);
    let mut random = |letters: &[u8], length| -> String {
        (0..length).map(|_| char::from(letters[rng.below(letters.len())])).collect()
    };
    let of_bytes = Vec::from_iter(0..=255u8);
    for (text, word) in [
        (random(&of_bytes, 10_000), ""),
        (random(&of_bytes[1..], 10_000), ""),
        (random(b"abcdefgh12345678NBRQKx=+-", 10_000), ""),
        (random(b"abcdefgh12345678 ", 10_000), ""),
        ("e2e5 ".repeat(2_000), "there is no divide"),
    ] {
        match compared(&pos, &ours, &text) {
            Err(reason) => assert!(reason.contains(word), "{reason}"),
            // By chance some moves have a number behind them.
            Ok((found, _)) => assert!(word.is_empty() && !moves_of(&found, Wrong::Missing).is_empty(), "{word}"),
        }
    }
}

/// A position with three moves, and their divide of one ply.
const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - - 0 1";

/// How the divide of [`KINGS`] differs in which `line` writes each move and `total` the total.
fn kings(line: impl Fn(&str, u32) -> String, total: &str) -> Result<(Wrongs, Option<usize>), String> {
    let pos = chess::Position::from_fen(KINGS).unwrap();
    let ours = divide(&pos, 1);
    let lines = ["c1c2", "c1d1", "c1d2"].map(|m| line(m, 1));
    let theirs = read(&pos, &ours, &format!("{}\n{total}\n", lines.join("\n")), &mut Habits::default())?;
    Ok((diff::differences(&pos, &ours, &theirs), theirs.unclear_total))
}

#[test]
fn a_total_is_found_among_other_numbers() {
    for line in [
        "Nodes searched: {n}",
        "Total(1): {n}",
        "Nodes[1] = {n}",
        "1 nodes {n}",
        "#1 Nodes: {n}",
        "90: Nodes: {n}",
        "[12:33:01] Nodes searched: {n}",
        "1/1 nodes: {n}",
        "Nodes: {n} (depth 1)",
        "depth 1 nodes {n} time 5 ms nps 600",
        "Total nodes: {n} in 5 ms",
        "Total: {n} nodes, 5.02 Mnps",
        "total {n}",
        "Nodes(1)={n}, 600 nodes/s",
        "perft(1) nodes: {n}",
        "2026-11-28 12:33:01,123 INFO Nodes searched: {n}",
        "info string Nodes searched: {n}",
        "nodes={n} time=5 speed=600",
        "Total leaf nodes at depth 1: {n}",
        // Others.
        "Nodes {n}, depth 1, 2 threads, 16 MB",
        "1. nodes {n}",
        "> Nodes searched: {n} <",
        "\u{1b}[1mNodes searched: {n}\u{1b}[0m",
        "| 1 | Nodes | {n} |",
        "Nodes searched : {n}.",
        "Total number of nodes: {n} (3 moves)",
        "nodes: {n} leaves: {n}",
    ] {
        let of = |n: &str| kings(|m, n| format!("{m}: {n}"), &line.replace("{n}", n));
        let (found, unclear) = of("3").unwrap();
        assert!(found.is_empty() && unclear.is_none(), "{line}: {found:?} {unclear:?}");
        // A wrong one is told, or cannot be decided.
        let (found, unclear) = of("4").unwrap();
        let is_told = found == [(Wrong::Total(3, 4), String::new())];
        assert!(is_told || unclear.is_some() || line.contains("3 moves"), "{line}: {found:?}");
        assert!(is_told || found.is_empty(), "{line}: {found:?}");
    }
    // Two totals, of which one may be meant.
    for (totals, wrong) in [("Nodes: 3\nNodes: 4", false), ("Nodes: 4\nNodes: 3", false), ("Nodes: 4\nNodes: 4", true)]
    {
        let (found, unclear) = kings(|m, n| format!("{m}: {n}"), totals).unwrap();
        assert_eq!((!found.is_empty(), unclear.is_some()), (wrong, !wrong), "{totals}");
    }
    // What is no total.
    for line in
        ["Nodes/second: 600", "nodes per second 600", "Total time: 5 ms", "nodes so far: 2", "Nodes expected: 7"]
    {
        let (found, unclear) = kings(|m, n| format!("{m}: {n}"), &format!("Nodes: 3\n{line}")).unwrap();
        assert!(found.is_empty() && unclear.is_none(), "{line}: {found:?} {unclear:?}");
    }
}

#[test]
fn prefixes_are_not_counts() {
    for prefix in [
        "[12:33:01] ",
        "12:33:01.123 | ",
        "2026-11-28 12:33:01 INFO ",
        "90: ",
        "#7 ",
        "info string ",
        "(1) ",
        "1/3 ",
        "> ",
        "depth 1: ",
    ] {
        for total in ["Nodes: 3".to_string(), format!("{prefix}Nodes: 3")] {
            let (found, unclear) = kings(|m, n| format!("{prefix}{m}: {n}"), &total).unwrap();
            assert!(found.is_empty() && unclear.is_none(), "{prefix}: {found:?} {unclear:?}");
            let wrong = |m: &str, n| format!("{prefix}{m}: {}", if m == "c1d1" { 2 } else { n });
            let (found, _) = kings(wrong, &total).unwrap();
            assert_eq!(counts_of(&found), [("c1d1".to_string(), 1, 2)], "{prefix}");
        }
    }
}

#[test]
fn a_speed_or_time_is_no_count() {
    for line in [
        "{m} {n} nps: 5",
        "{m} {n} (5 nodes/s)",
        "{m} {n} at 5 nodes/s",
        "{m} {n} nps=5",
        "{m} {n} ms: 5",
        "{m} {n} seconds=5",
        "{m} {n} (1.04e+07 nodes/s)",
        "{m}: {n} time 5",
        "{m}: {n} 5ms",
        "{m}: {n} 5 ms",
        "{m}: {n} (5 s)",
        "{m}: {n} in 5 seconds",
        "{m}: {n} [5 knps]",
        "{m}: {n} 5 Mn/s",
        "{m}: {n}, 5 nodes per second",
        "{m}: {n} nodes, 5 nodes/sec",
        "{m}: {n} nodes in 5 ms (5 nps)",
        "{m} nodes {n} nps 5 time 5",
        "{m}: {n} | 5.25 Mnps",
        "{m}: {n} (time: 5, nps: 5)",
        "{m} {n} elapsed=5us",
        "{m} {n} speed 5",
        "{m} 5 ms: {n}",
        "{m} (5 ms) {n}",
        "{m} nps=5 nodes={n}",
        // Others.
        "{m} {n} 5%",
        "{m} {n} (33.3 %)",
        "{m}: {n} leaves/s 5",
        "{m}: {n} rate 5/s",
        "{m}: {n} nodes 5 kN/s",
        "{m}: {n} | time 0:05",
        "{m}: {n} duration: 5 msec",
        "{m}: {n} nodesPerSecond: 5",
        "{m}: {n} nodes_per_second: 5",
        "{\"move\": \"{m}\", \"count\": {n}, \"time\": 5, \"nps\": 5}",
        "{m},{n},0.005",
        "{m};{n};5ms",
        "{m} -> {n} (took 5 ms)",
        "{m} = {n} @ 5 nps",
        "{m} {n} nodes 5 ns/node",
        "{m}: {n}\t5 µs",
        "{m}: {n} 5.0e3 nps",
        "{m}: {n} 1,234 nps",
        "{m}: {n} 5 min",
        "{n} {m} 5 ms",
    ] {
        let line = |m: &str, n: u32| line.replace("{m}", m).replace("{n}", &n.to_string());
        let (found, unclear) = kings(line, "Nodes: 3").unwrap_or_else(|e| panic!("{e}: {}", line("c1c2", 1)));
        assert!(found.is_empty() && unclear.is_none(), "{}: {found:?}", line("c1c2", 1));
        let (found, _) = kings(|m, n| line(m, if m == "c1d1" { 2 } else { n }), "Nodes: 4").unwrap();
        assert_eq!(counts_of(&found), [("c1d1".to_string(), 1, 2)], "{}", line("c1c2", 1));
    }
    // Nothing says which is which, and both fit.
    let error = kings(|m, n| format!("{m} {n} {}", if m == "c1d1" { 2 } else { 1 }), "Nodes: 3").unwrap_err();
    assert!(error.contains("which number on line 1 is the count cannot be decided"), "{error}");
}

#[test]
fn a_divide_has_one_form() {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let ours = divide(&pos, 2);
    let lines = written(&pos, &ours, |_, m, n| format!("{m}: {n}"));
    for text in [
        format!("info string hello a2a3: 5\n{lines}"),
        format!("info depth 1 currmove a2a3 nodes 5\n{lines}"),
        lines.replace("a2a3", "info string a2a3").replace("a2a4", "a2a3: 20\na2a4"),
        written(&pos, &ours, |i, m, n| format!("info currmove {m} currmovenumber {i} nodes {n}")),
        written(&pos, &ours, |_, m, n| format!("info string {m}: {n}")),
    ] {
        assert_eq!(differences(&pos, &ours, &text), [], "{text}");
    }
    // The nodes of a search are no divide.
    let text =
        written(&pos, &ours, |i, m, n| format!("info currmove {m} currmovenumber {i} nodes {}", n * i as u128 + 1));
    assert_eq!(counts_of(&differences(&pos, &ours, &text)).len(), 20);
    // Where there is no move, that is all it says.
    let missing = differences(&pos, &ours, "info depth 2 nodes 0 nps 0 time 1\n");
    assert_eq!(missing.iter().filter(|(wrong, _)| *wrong == Wrong::Missing).count(), 20, "{missing:?}");
}
