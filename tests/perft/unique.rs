//! `perft DEPTH --unique`: distinct positions after each ply. `frontier` tests the counting itself.

use crate::common::by_build;
use crate::common::program::run;

/// The positions of a `--json` run.
fn positions(arguments: &[&str]) -> Vec<u64> {
    let run = run(&[&["perft"], arguments, &["--unique", "--json"]].concat());
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    let list = run.out.split("\"positions\":[").nth(1).unwrap().split(']').next().unwrap();
    list.split(',').map(|n| n.parse().unwrap()).collect()
}

#[test]
fn published_and_independent_numbers() {
    // Tromp, and others: distinct positions after n plies.
    let chess = [1, 20, 400, 5_362, 72_078, 822_518, 9_417_681];
    let depth = by_build(6, 5);
    let known = &chess[..=depth];
    assert_eq!(positions(&[&depth.to_string()]), known);
    // Counted with pyffish, which identified positions by FEN.
    assert_eq!(positions(&["3", "--game", "xiangqi"]), XIANGQI);
    // Another seed for the keys, one thread.
    assert_eq!(positions(&["5", "--seed", "77", "--threads", "1"]), &chess[..6]);
    let kiwipete = [1, 48, 2_038, 57_548, 1_374_152];
    assert_eq!(positions(&["4", "--fen", "kiwipete", "--memory", "32", "--threads", "2"]), kiwipete);
    assert_eq!(positions(&["4", "--fen", "kiwipete", "--memory", "1024"]), kiwipete);
    assert_eq!(positions(&["0"]), [1]);
    assert_eq!(positions(&["3", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]), [1, 0, 0, 0]);
}

/// Distinct positions of xiangqi from the start position.
const XIANGQI: [u64; 4] = [1, 44, 1_920, 42_282];

#[test]
fn rows_on_stdout() {
    let run = run(&["perft", "3", "--unique"]);
    assert_eq!(run.code, Some(0));
    let rows: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ply", "distinct", "positions", "sequences"]);
    assert_eq!(rows[1..5], [["0", "1", "1"], ["1", "20", "20"], ["2", "400", "400"], ["3", "5362", "8902"]]);
    assert_eq!(run.out.lines().skip(5).collect::<Vec<_>>(), ["", "Nodes searched: 8902"]);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn bad_arguments_are_named() {
    for (arguments, word) in [
        (&["5", "--unique", "--memory", "1"][..], "--memory: \"1\" is not a number from 16"),
        (&["5", "--unique", "--memory", "16000000"], "MB are free"),
        (&["5", "--unique", "--memory", "x"], "--memory"),
        (&["5", "--unique", "--hash", "16"], "--hash cannot be used with --unique"),
        (&["5", "--unique", "--divide"], "--divide cannot be used with --unique"),
        (&["5", "--unique", "--part", "1/2"], "cannot be used with"),
        (&["5", "--memory", "100"], "--memory needs --unique"),
        (&["--unique"], "DEPTH is missing"),
    ] {
        let run = run(&[&["perft"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}: {run:?}");
        assert!(run.err.contains(word) && run.err.lines().count() == 1, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn running_out_of_memory_is_an_error_and_keeps_the_rows_before() {
    let run = run(&["perft", "7", "--unique", "--memory", "16"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("--unique: after ply 4: the next ply needs about"), "{}", run.err);
    assert_eq!(run.out.lines().last().unwrap().split_whitespace().collect::<Vec<_>>(), ["4", "72078", "197281"]);
}
