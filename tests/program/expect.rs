//! `perft DEPTH --expect TOTALS`: the fault behind wrong totals.

use crate::common::program::{self, Folder, Run, run};
use crate::common::sample;
use std::collections::BTreeSet;
use tabiya::doctor::expect::divides_of;
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind};
use tabiya::game::Position;
use tabiya::{chess, xiangqi};

/// The faults that the program names.
fn named(run: &Run) -> Vec<&str> {
    run.out.lines().filter_map(|line| line.strip_prefix("an engine that ")).collect()
}

/// The total of every seeded fault names the fault, and its kind is hardly ever one of many.
fn every_fault_is_named<B: Diagnosis>(game: &str, fen: &str, depth: u32, step: usize) {
    let pos = Position::<B>::from_fen_lenient(fen).unwrap().0;
    let all = Fault::<B::Fault>::all();
    let counts = divides_of(&pos, depth, &all).into_iter().map(|divide| divide.values().sum());
    let counts: Vec<u128> = counts.collect();
    let ours = u128::from(pos.perft(depth));
    let wrong: Vec<_> = all.iter().zip(&counts).filter(|(_, n)| **n != ours).collect();
    assert!(wrong.len() >= 20, "{}", wrong.len());
    for (fault, total) in wrong.into_iter().step_by(step) {
        let words =
            [&depth.to_string(), "--game", game, "--fen", fen, "--expect", &total.to_string()].map(String::from);
        let run = run(&[&["perft".to_string()], &words[..]].concat());
        let named = named(&run);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(named.iter().any(|n| n.starts_with(fault.kind.symptom())), "{fault:?}: {run:?}");
        assert!(named.len() <= 6, "{fault:?}: {named:?}");
    }
}

#[test]
fn the_totals_of_seeded_faults_name_them() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    every_fault_is_named::<chess::Board>("chess", kiwipete, 3, sample(220, 7));
    every_fault_is_named::<xiangqi::Board>("xiangqi", xiangqi::Position::START_FEN, 3, sample(120, 5));
    if sample(false, true) {
        every_fault_is_named::<chess::Board>("chess", chess::Position::START_FEN, 4, 11);
    }
}

/// Where moves are not made, the count is a power.
#[test]
fn moves_that_are_not_made() {
    let run = run(&["perft", "2", "--fen", "kiwipete", "--expect", "2304"]);
    assert_eq!(named(&run), ["counts on without making the move (both sides or White only)"], "{run:?}");
}

/// What fits by chance is not told as certain: the number of faults that were tried is told with those that fit.
#[test]
fn all_that_fit_are_listed() {
    let run = run(&["perft", "2", "--fen", "kiwipete", "--expect", "2038"]);
    assert!(run.out.contains("\nof 279 single faults, 8 give this total:\n"), "{run:?}");
    assert!(named(&run).len() > 3, "{run:?}");
}

/// What is too large to be counted with every fault is refused, with the depth that can be asked.
#[test]
fn large_totals_are_refused() {
    let run = run(&["perft", "6", "--expect", "119060325"]);
    let said = "depth 6 is too large to be counted with each of 279 faults; give the total of depth 5\n";
    assert!(run.code == Some(1) && run.out.ends_with(said), "{run:?}");
}

/// A total that is right but for its type.
#[test]
fn counts_of_too_small_a_type() {
    let overflown = run(&["perft", "5", "--expect", "15945"]);
    assert_eq!((overflown.code, 4_865_609 % (1 << 15)), (Some(1), 15_945), "{overflown:?}");
    assert!(overflown.out.contains("what differs is right modulo 2^15"), "{overflown:?}");
    let folder = Folder::new("overflow");
    let lines = chess::Position::default().divide(4).map(|(m, n)| format!("{m}: {}\n", n % 256));
    let file = folder.write("divide", lines.collect::<String>());
    let compared = run(&["perft", "4", "--compare", &file]);
    assert!(compared.out.contains("\nwhat differs is right modulo 2^8"), "{compared:?}");
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

/// Thousands in any usual form are one number, also where they might be a list.
#[test]
fn totals_with_separators() {
    for total in ["4,865,609", "4 865 609", "4_865_609", "4.865.609", "4'865'609", "4865609 ", "197281, 4 865 609"] {
        let run = run(&["perft", "5", "--expect", total]);
        assert!(run.code == Some(0) && run.out.ends_with("the totals are right\n"), "{total}: {run:?}");
    }
    for (depth, totals) in [("2", "20, 400"), ("2", "20;400"), ("3", "20,400,8902"), ("3", "400,8.902")] {
        let run = run(&["perft", depth, "--expect", totals]);
        assert!(run.code == Some(0) && run.out.ends_with("the totals are right\n"), "{totals}: {run:?}");
    }
    let run = run(&["perft", "2", "--expect", "20,400"]);
    assert!(run.code == Some(1) && run.out.contains("\ndepth 2: 20400 is 20000 too many\n"), "{run:?}");
}

#[test]
fn the_total_of_another_depth_is_told() {
    for (depth, total, right) in [("4", "8902", 3), ("3", "197,281", 4)] {
        let run = run(&["perft", depth, "--expect", total]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.ends_with(&format!("that is the right total of depth {right}\n")), "{run:?}");
    }
}

/// When the time is up, that is said.
#[test]
fn time_is_limited() {
    let run = program::run(&["perft", "5", "--expect", "1", "--time", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.ends_with("the time is up before all of 279 single faults were counted\n"), "{run:?}");
}

/// Where nothing fits, the answer says so.
#[test]
fn nothing_fits() {
    let run = run(&["perft", "2", "--expect", "12279"]);
    assert!(run.code == Some(1) && named(&run).is_empty(), "{run:?}");
    assert!(run.out.ends_with("none of 279 single faults gives this total\n"), "{run:?}");
}

#[test]
fn bad_totals_are_refused() {
    for (words, reason) in [
        (&["3", "--expect", "x"][..], "--expect: \"x\" is not a number"),
        (&["3", "--expect", ""], "--expect"),
        (&["3", "--expect", "1,,2"], "--expect: \"\" is not a number"),
        (&["3", "--expect", "400 8902"], "--expect: \"400 8902\" is not a number"),
        (&["2", "--expect", "1,2,3"], "totals: expected at most 2, those of the last depths"),
        (&["--expect", "20"], "DEPTH is missing"),
        (&["3", "--expect", "5", "--json"], "--json cannot be used with --expect"),
    ] {
        run(&[&["perft"], words].concat()).assert_refused(&[reason]);
    }
}
