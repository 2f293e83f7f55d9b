//! Totals of 2^128 and more: every mode counts exactly to the last depth that fits, and refuses the next one with one
//! line. Two kings have the largest totals that a table can still reach.

use crate::common::program::{Folder, Run, run};
use crate::common::sample;

const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - - 0 1";

/// The last depth whose total is below 2^128, and the total, counted ply by ply in wider numbers.
const LAST: &str = "48";
const TOTAL: &str = "270488675661692507126563718525773314511";

/// The total one ply deeper, and what it is modulo 2^128.
const BEYOND: &str = "1846702560952419459500824962501184804704";
const WRAPPED: &str = "145290726347727142183951925342343747424";

fn perft(arguments: &[&str]) -> Run {
    run(&[&["perft"], arguments].concat())
}

#[test]
fn counts_divides_and_statistics() {
    let folder = Folder::new("beyond");
    let checkpoint = folder.text("checkpoint");
    for options in [
        &["--hash", "64"][..],
        &["--hash", "16", "--divide", "--threads", "1"],
        &["--hash", "64", "--json", "--divide", "--seed", "7"],
        &["--hash", "64", "--stats"],
        &["--hash", "64", "--stats=full", "--divide"],
        &["--checkpoint", &checkpoint],
    ] {
        let fits = perft(&[&[LAST, "--fen", KINGS], options].concat());
        assert_eq!(fits.code, Some(0), "{options:?}: {}", fits.err);
        assert!(fits.out.contains(TOTAL), "{options:?}: {}", fits.out);
        let _ = std::fs::remove_file(&checkpoint);
        for depth in sample(&["49"][..], &["49", "50", "77", "100"]) {
            let reason = format!("tabiya: DEPTH: the total is 2^128 or more at depth {depth}; 48 is the last depth");
            perft(&[&[depth, "--fen", KINGS], options].concat()).assert_refused(&[&reason]);
            assert!(!std::path::Path::new(&checkpoint).exists());
        }
    }
}

#[test]
fn distinct_positions() {
    // Here the ways to one position end the count, long before the total is too large.
    let run = perft(&["60", "--fen", KINGS, "--unique"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    let last = run.out.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(run.out.lines().count(), words[0].parse::<usize>().unwrap() + 2);
    assert!(perft(&[words[0], "--fen", KINGS, "--hash", "64"]).out.ends_with(&format!(": {}\n", words[2])), "{last}");
    let reason = format!("--unique: after ply {}: 2^55 or more sequences lead to one position", words[0]);
    assert!(run.err.contains(&reason), "{}", run.err);
}

#[test]
fn printed_divides() {
    let folder = Folder::new("beyond-compare");
    let file = folder.write("divide", format!("c1b1: {WRAPPED}\nc1d1: {BEYOND}\n"));
    let arguments = ["49", "--fen", KINGS, "--hash", "64", "--compare", &file];
    perft(&arguments).assert_refused(&["the total is 2^128 or more at depth 49"]);
}

/// With a wrapped total the suite would pass.
#[test]
fn suites() {
    let folder = Folder::new("beyond-suite");
    for options in [&["--json"][..], &[], &["--stats"]] {
        for count in &[WRAPPED, TOTAL, "340282366920938463463374607431768211455"][..sample(1, 3)] {
            let file = folder.write("suite", format!("{KINGS} ;D48 {TOTAL} ;D49 {count}\n"));
            let run = perft(&[&["--suite", &file, "--hash", "64"], options].concat());
            assert_eq!(run.code, Some(1), "{}", run.err);
            let (counted, nodes) = match options {
                ["--json"] => ("\"counted\":null", "\"nodes\":null"),
                _ => ("counted 2^128 or more, expected", "Nodes searched: 2^128 or more"),
            };
            assert!(run.out.contains(counted) && run.out.contains(nodes), "{}", run.out);
            assert_eq!(run.out.matches(counted).count(), 1, "{}", run.out);
        }
        // Each total fits, the sum does not.
        let file = folder.write("suite", format!("{KINGS} ;D48 {TOTAL}\n{KINGS} ;D48 {TOTAL}\n"));
        let run = perft(&[&["--suite", &file, "--hash", "64"], options].concat());
        assert_eq!(run.code, Some(0), "{} {}", run.out, run.err);
        assert!(!run.out.contains("Nodes searched: 2009"), "{}", run.out);
        assert!(run.out.contains("null") || run.out.contains("2^128 or more"), "{}", run.out);
    }
    let file = folder.write("suite", format!("{KINGS} ;D1 3\n{KINGS} ;D49 {BEYOND}\n"));
    perft(&["--suite", &file, "--hash", "64"]).assert_refused(&["line 2: the count of depth 49 is 2^128 or more"]);
}

/// Records of positions have 55 bits for the sequences that lead there; a whole run goes on without them.
#[test]
fn parts() {
    let folder = Folder::new("beyond-parts");
    for depth in ["48", "100"] {
        for options in [&[][..], &["--divide"], &["--stats"]] {
            let path = folder.text("part");
            let _ = std::fs::remove_file(&path);
            let run = ["--part", "1/2", "--checkpoint", &path];
            let counted = perft(&[&[depth, "--fen", KINGS, "--hash", "64"], &run[..], options].concat());
            counted.assert_refused(&["2^55 or more sequences lead to one position; count without --part"]);
        }
    }
}
