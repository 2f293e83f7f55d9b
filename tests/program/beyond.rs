//! Too many sequences: every mode refuses them with one line and leaves no file. Two kings have few positions, so that
//! the number of sequences to one of them ends the count.

use crate::common::program::{Folder, Run, run};
use std::path::Path;

const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - - 0 1";

/// The last depth that can be counted, and the total, which was also counted ply by ply in 128-bit numbers.
const LAST: &str = "27";
const TOTAL: &str = "828351997403667880381";

const REASON: &str = "too many sequences: 2^55 or more lead to one position";

fn perft(arguments: &[&str]) -> Run {
    run(&[&["perft"], arguments].concat())
}

#[test]
fn counts_divides_statistics_and_parts() {
    let folder = Folder::new("beyond");
    let checkpoint = folder.text("checkpoint");
    for options in [
        &["--hash", "64"][..],
        &["--hash", "64", "--json", "--divide", "--seed", "7"],
        &["--hash", "64", "--stats"],
        &["--checkpoint", &checkpoint],
        &["--checkpoint", &checkpoint, "--part", "1/2"],
    ] {
        let fits = perft(&[&[LAST, "--fen", KINGS], options].concat());
        assert_eq!(fits.code, Some(0), "{options:?}: {}", fits.err);
        assert!(fits.out.contains(TOTAL) || options.contains(&"--part"), "{options:?}: {}", fits.out);
        let _ = std::fs::remove_file(&checkpoint);
        for depth in ["49", "100"] {
            perft(&[&[depth, "--fen", KINGS], options].concat()).assert_refused(&[&format!("tabiya: DEPTH: {REASON}")]);
            assert!(!Path::new(&checkpoint).exists());
        }
    }
}

#[test]
fn distinct_positions() {
    let run = perft(&["60", "--fen", KINGS, "--unique"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    let last = run.out.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(run.out.lines().count(), words[0].parse::<usize>().unwrap() + 2);
    assert!(run.err.contains(&format!("--unique: after ply {}: {REASON}", words[0])), "{}", run.err);
}

#[test]
fn suites() {
    let folder = Folder::new("beyond-suite");
    let file = folder.write("suite", format!("{KINGS} ;D{LAST} {TOTAL}\n{KINGS} ;D48 {}\n", u128::MAX));
    let run = perft(&["--suite", &file, "--hash", "64"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(run.err.contains(&format!("suite, line 2: depth 48: {REASON}")), "{}", run.err);
    let file = folder.write("suite", format!("{KINGS} ;D1 3\n{KINGS} ;D49 {}9\n", u128::MAX));
    perft(&["--suite", &file, "--hash", "64"]).assert_refused(&["line 2: the count of depth 49 is 2^128 or more"]);
}
