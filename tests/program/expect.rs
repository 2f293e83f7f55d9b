//! `perft DEPTH --expect TOTALS` and `perft --suite FILE --explain`: the fault behind wrong totals.

use crate::common::program::{self, Folder, Run, run};
use crate::common::sample;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind};
use tabiya::doctor::seeded::totals;
use tabiya::game::Position;
use tabiya::{chess, xiangqi};

/// The faults that the program names.
fn named(run: &Run) -> Vec<&str> {
    let marked = " of an engine that ";
    run.out.lines().filter_map(|line| line.split_once(marked).map(|(_, deed)| deed)).collect()
}

/// The total of every seeded fault names the fault, and its kind is hardly ever one of many.
fn every_fault_is_named<B: Diagnosis>(game: &str, fen: &str, depth: u32, step: usize) {
    let pos = Position::<B>::from_fen_lenient(fen).unwrap().0;
    let all = Fault::<B::Fault>::all();
    let engines: Vec<_> = all.iter().map(|&fault| vec![fault]).collect();
    let counts = totals(&pos, depth, &engines, 0, &AtomicBool::new(false)).unwrap();
    let ours = u128::from(pos.perft(depth));
    let wrong: Vec<_> = all.iter().zip(&counts).filter(|(_, n)| **n != ours).collect();
    assert!(wrong.len() >= 20, "{}", wrong.len());
    for (fault, total) in wrong.into_iter().step_by(step) {
        let words =
            [&depth.to_string(), "--game", game, "--fen", fen, "--expect", &total.to_string()].map(String::from);
        let run = run(&[&["perft".to_string()], &words[..]].concat());
        let named = named(&run);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(named.iter().any(|n| n.starts_with(fault.kind.deed())), "{fault:?}: {run:?}");
        assert!(named.len() <= 6, "{fault:?}: {named:?}");
    }
}

#[test]
fn the_totals_of_seeded_faults_name_them() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    every_fault_is_named::<chess::Board>("chess", kiwipete, 3, sample(110, 7));
    every_fault_is_named::<chess::Board>("chess", chess::Position::START_FEN, 4, sample(150, 11));
    every_fault_is_named::<xiangqi::Board>("xiangqi", xiangqi::Position::START_FEN, 3, sample(50, 5));
}

/// Where moves are not made, the count is a power.
#[test]
fn moves_that_are_not_made() {
    let run = run(&["perft", "2", "--fen", "kiwipete", "--expect", "2304"]);
    assert_eq!(named(&run), ["counts on without making the move (both sides or White only)"], "{run:?}");
    assert!(run.out.contains("\nevidence: with "), "{run:?}");
}

/// What may well fit by chance is said to be weak evidence, with the total that decides; a pair is never told as a
/// single fault is.
#[test]
fn weak_evidence_is_called_so() {
    let weak = run(&["perft", "1", "--fen", "kiwipete", "--expect", "47"]);
    assert!(weak.out.contains("this total may be that of an engine that does not castle king side"), "{weak:?}");
    assert!(weak.out.contains("\nweak evidence: with ") && !weak.out.contains("total is that"), "{weak:?}");
    // Common faults come before rare ones.
    assert!(named(&weak)[2].starts_with("leaves out one of the four diagonal directions"), "{weak:?}");
    // The total that is to decide tells all that fit apart, and from the right one.
    let (_, decide) = weak.out.split_once("\nto decide, count depth ").unwrap();
    let (depth, rest) = decide.split_once(" of ").unwrap();
    let (fen, rest) = rest.split_once("; ").unwrap();
    let totals: BTreeSet<&str> = rest.lines().map(|line| line.trim().split(' ').next().unwrap()).collect();
    assert_eq!(totals.len(), 4, "{weak:?}");
    let wrong = rest.lines().find(|line| line.contains("does not castle queen side")).unwrap().trim();
    // It is a total of the same position, one ply deeper; both together are firm.
    let both = format!("47,{}", wrong.split(' ').next().unwrap());
    let next = run(&["perft", depth, "--fen", fen, "--expect", &both]);
    assert_eq!(named(&next), ["does not castle queen side"], "{next:?}");
    assert!(next.out.contains("these totals are those of") && next.out.contains("\nevidence: "), "{next:?}");

    let pairs = run(&["perft", "2", "--fen", "kiwipete", "--expect", "2130"]);
    assert!(pairs.out.contains("no single fault gives this total; ") && named(&pairs).is_empty(), "{pairs:?}");
    assert!(pairs.out.contains("\nweak evidence: with ") && pairs.out.contains("\nto decide, "), "{pairs:?}");
    // Of few pairs hardly any hits numbers near this one, and yet two fit the total of an engine with another fault:
    // it captures en passant around the edge of the board.
    let few = run(&["perft", "3", "--expect", "8903"]);
    assert!(few.out.contains("of 39 pairs of faults do") && few.out.contains(" by chance in 60 % of cases"), "{few:?}");
}

/// A total that is right but for its type.
#[test]
fn counts_of_too_small_a_type() {
    let overflown = run(&["perft", "5", "--expect", "15945"]);
    assert_eq!((overflown.code, 4_865_609 % (1 << 15)), (Some(1), 15_945), "{overflown:?}");
    assert!(overflown.out.contains("all counts are right modulo 2^15"), "{overflown:?}");
    let folder = Folder::new("overflow");
    let lines = chess::Position::default().divide(4).map(|(m, n)| format!("{m}: {}\n", n % 256));
    let file = folder.write("divide", lines.collect::<String>());
    let compared = run(&["perft", "4", "--compare", &file]);
    assert!(compared.out.contains("\nall counts are right modulo 2^8"), "{compared:?}");
}

/// Several totals are those of the last depths.
#[test]
fn several_totals_narrow_the_choice() {
    let kiwipete = ["perft", "3", "--fen", "kiwipete", "--expect"];
    let with = |totals| run(&[&kiwipete[..], &[totals]].concat());
    let right = with("48,2039,97862");
    assert_eq!((right.code, right.out.as_str()), (Some(0), "Nodes searched: 97862\nthe totals are right\n"));
    // Castling is left out: 2 moves of the first ply, and more later.
    let one: BTreeSet<String> = named(&with("47")).iter().map(ToString::to_string).collect();
    let run = run(&["perft", "1", "--fen", "kiwipete", "--expect", "47"]);
    let shallow: BTreeSet<String> = named(&run).iter().map(ToString::to_string).collect();
    assert!(one.is_empty() && shallow.contains("does not castle king side (both sides or White only)"), "{run:?}");
}

/// Thousands in any usual form are one number; what may be a list is read as what is nearer.
#[test]
fn totals_with_separators() {
    for total in ["4,865,609", "4 865 609", "4_865_609", "4.865.609", "4'865'609", "4865609 ", "197281, 4 865 609"] {
        let run = run(&["perft", "5", "--expect", total]);
        assert!(run.code == Some(0) && run.out.ends_with("the totals are right\n"), "{total}: {run:?}");
    }
    for (depth, totals) in [("2", "20,400"), ("3", "20,400,8902"), ("3", "400,8.902"), ("3", "400 8902")] {
        let run = run(&["perft", depth, "--expect", totals]);
        assert!(run.code == Some(0) && run.out.ends_with("the totals are right\n"), "{totals}: {run:?}");
    }
}

#[test]
fn the_total_of_another_depth_is_told() {
    for (depth, total, right) in [("4", "8902", 3), ("3", "197,281", 4)] {
        let run = run(&["perft", depth, "--expect", total]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.ends_with(&format!("that is the right total of depth {right}\n")), "{run:?}");
    }
}

/// When the time is up, what is known is printed. Progress is told where there is no terminal, too.
#[test]
fn time_and_progress() {
    let mut program = program::tabiya(&["perft", "6", "--expect", "1", "--time", "1"]);
    // A minute takes a millisecond.
    let run = program::finish(program::start(program.env("TABIYA_HASTE", "60000")));
    assert_eq!(run.code, Some(1), "{run:?}");
    let up = run.out.lines().find_map(|line| line.strip_prefix("the time is up: ")).unwrap();
    let (left, rest) = up.split_once(' ').unwrap();
    let all = Fault::<tabiya::doctor::chess::ChessFault>::all().len();
    assert_eq!(rest, format!("of {all} single faults are not ruled out"));
    assert!((1..=all).contains(&left.parse().unwrap()), "{run:?}");
    assert!(run.err.lines().any(|line| line.contains(" %  depth ")), "{run:?}");
}

/// Where nothing fits, the answer says so, and what the columns say.
#[test]
fn nothing_fits() {
    let run = run(&["perft", "3", "--expect", "8868"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(named(&run).is_empty() || run.out.contains("8868 is 34 too few"), "{run:?}");
    let columns = program::run(&["perft", "2", "--fen", "kiwipete", "--expect", "2130"]);
    assert!(columns.out.contains("2130 is 91 too many"), "{columns:?}");
    let odd = program::run(&["perft", "2", "--expect", "12345"]);
    assert!(odd.out.contains("none of ") && odd.out.contains(" pairs gives this total\n"), "{odd:?}");
}

#[test]
fn a_suite_of_another_program_is_explained() {
    let folder = Folder::new("expect");
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    // What an engine counts that captures en passant when both pawns leave the king's rank.
    let pos = chess::Position::from_fen(fen).unwrap();
    let fault = Fault { kind: tabiya::doctor::chess::ChessFault::EnPassantRank, side: None };
    let theirs = [1, 2, 3].map(|depth| {
        let total = totals(&pos, depth, &[vec![fault]], 1, &AtomicBool::new(false)).unwrap()[0];
        format!(" ;D{depth} {total}")
    });
    let right = format!("{fen} ;D1 14 ;D2 191 ;D3 2812 ;D4 43238\n");
    let file = folder.write("theirs.epd", format!("{fen}{}\n", theirs.concat()));
    let run = run(&["perft", "--suite", &file, "--explain"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let deed = fault.kind.deed();
    assert!(named(&run).iter().any(|named| named.starts_with(deed)), "{run:?}");
    assert!(run.out.contains("both leave the rank"), "{run:?}");
    let file = folder.write("right.epd", right);
    let run = program::run(&["perft", "--suite", &file, "--explain"]);
    assert!(run.code == Some(0) && named(&run).is_empty(), "{run:?}");
}

#[test]
fn bad_totals_are_refused() {
    for (words, reason) in [
        (&["3", "--expect", "x"][..], "--expect: \"x\" is not a number"),
        (&["3", "--expect", ""], "--expect"),
        (&["3", "--expect", "1,,2"], "--expect: \"\" is not a number"),
        (&["2", "--expect", "1,2,3"], "totals: expected at most 2, those of the last depths"),
        (&["--expect", "20"], "DEPTH is missing"),
        (&["3", "--explain"], "--explain needs --suite"),
        (&["3", "--expect", "5", "--json"], "--json cannot be used with --expect"),
    ] {
        run(&[&["perft"], words].concat()).assert_refused(&[reason]);
    }
}
