//! `perft --compare` with divides that are not what they are taken for.

use crate::common::program::{Folder, Run, run};

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
fn another_position_is_told() {
    let found = compare(&divide(&["2", "--fen", "position3"]), &["2"]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let said = "the divide is of another position: of its 14 moves 4 are legal here\nfen: ";
    assert!(found.out.starts_with(said) && found.out.lines().count() == 2, "{found:?}");
}

#[test]
fn totals_that_contradict_each_other_are_refused() {
    let right = divide(&["3"]);
    assert_eq!(compare(&right, &["3"]).code, Some(0));
    let found = compare(&format!("{right}\nNodes searched: 8903\n"), &["3"]);
    found.assert_refused(&["the counts agree, but on line 24, what the total is cannot be decided"]);
    // Moves that follow a total.
    let found = compare(&format!("{right}\ne2e5: 7\n"), &["3"]);
    assert!(found.code == Some(1) && found.out.contains("\ne2e5: not legal here, counted 7 there\n"), "{found:?}");
    let found = compare(&format!("{right}\na2a3: 7\n"), &["3"]);
    assert!(found.code == Some(1) && found.out.contains("\na2a3: printed twice, on lines 1 24\n"), "{found:?}");
    compare("\0\0e2e4: 20", &["3"]).assert_refused(&["this is no text"]);
}
