//! `perft --compare` with divides that are not what they are taken for, and with those of faulty engines.

use crate::common::program::{Folder, Run, run};
use tabiya::chess;
use tabiya::doctor::chess::ChessFault;
use tabiya::doctor::expect::divides_of;
use tabiya::doctor::faults::{Fault, FaultKind as _};

/// `perft DEPTH --compare` with a text.
fn compare(text: &str, arguments: &[&str]) -> Run {
    let folder = Folder::new("compare");
    let file = folder.write("divide", text);
    run(&[&["perft"], arguments, &["--compare", &file]].concat())
}

/// Our own divide.
fn divide(arguments: &[&str]) -> String {
    run(&[&["perft"], arguments, &["--divide"]].concat()).out
}

#[test]
fn counts_of_another_depth_are_told() {
    for (theirs, ours) in [("3", "4"), ("4", "3"), ("1", "4")] {
        let found = compare(&divide(&[theirs]), &[ours]);
        assert_eq!(found.code, Some(1), "{found:?}");
        assert_eq!(found.out, format!("these are the right counts of depth {theirs}, not of depth {ours}\n"));
    }
}

#[test]
fn a_divide_of_another_position_is_refused() {
    let said = "of its 14 moves 4 are legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; expected";
    compare(&divide(&["2", "--fen", "position3"]), &["2"]).assert_refused(&[said]);
    let replies = "e2e4: 20\n  e7e5: 1\n  e7e6: 1\nd2d4: 20\n  d7d5: 1\n  d7d6: 1\n";
    compare(replies, &["2"]).assert_refused(&["of its 6 moves 2 are legal in "]);
}

#[test]
fn what_is_not_clear_is_refused() {
    let right = divide(&["3"]);
    assert_eq!(compare(&right, &["3"]).code, Some(0));
    compare(&format!("{right}\ne2e5: 7\n"), &["3"]).assert_refused(&["line 24 has a move behind the total; expected"]);
    let found = compare(&right.replace("\n\n", "\na2a3: 7\ne2e5: 7\n\n"), &["3"]);
    assert!(found.code == Some(1) && found.out.contains("\na2a3 is listed more than once\n"), "{found:?}");
    assert!(found.out.contains("\ne2e5 is not legal: "), "{found:?}");
    compare("\0\0e2e4: 20", &["3"]).assert_refused(&["this is no text"]);
    compare("\n", &["3"]).assert_refused(&["there is no text; what a program prints on stderr needs 2>&1"]);
    // The counts are right: no fault of a move generator explains the total.
    let found = compare(&right.replace("8902", "8903"), &["3"]);
    let last = "\nthe total is printed as 8903, but the counts add up to 8902\n";
    assert!(found.code == Some(1) && found.out.ends_with(last), "{found:?}");
}

/// A divide that one of the known faults gives names it, and says by which rule its moves are wrong.
#[test]
fn the_fault_behind_a_divide_is_named() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let pos = chess::Position::from_fen(fen).unwrap();
    for (kind, depth) in [(ChessFault::CastlingKingSideMissing, 1), (ChessFault::EnPassantMissing, 3)] {
        let theirs = divides_of(&pos, depth, &[Fault { kind, side: None }]).remove(0);
        let text: String = theirs.iter().map(|(m, count)| format!("{m}: {count}\n")).collect();
        let found = compare(&text, &[&depth.to_string(), "--fen", fen]);
        let said = format!("\nthis divide is that of an engine that {}", kind.symptom());
        assert!(found.code == Some(1) && found.out.contains(&said), "{found:?}");
        assert_eq!(found.out.contains("\ne1g1 is missing: White may castle king side"), depth == 1, "{found:?}");
    }
}
