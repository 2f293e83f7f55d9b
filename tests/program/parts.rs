//! `perft --part` and `--merge` with damaged and forged files, and after kills. `tests/transcripts/parts.txt` has the
//! rest.

use crate::common::by_build;
use crate::common::program::{Folder, Run, output, run};
use std::fs;
use tabiya::base::rng::SplitMix64;
use tabiya::farm::checkpoint::{seal, unseal};

/// Counts depth 4 in two parts and returns their files.
fn count(folder: &Folder, options: &[&str]) -> [String; 2] {
    ["1/2", "2/2"].map(|part| {
        let path = folder.text(&part[..1]);
        output(&[&["perft", "4", "--part", part, "--checkpoint", &path], options].concat());
        path
    })
}

fn merge(depth: &str, paths: &[String]) -> Run {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    run(&[&["perft", depth, "--merge"], &paths[..]].concat())
}

#[test]
fn damage_never_changes_the_total() {
    let folder = Folder::new("damage");
    let paths = count(&folder, &["--divide"]);
    let bytes = fs::read(&paths[0]).unwrap();
    let total = "Nodes searched: 197281\n";
    let (mut whole, mut missing, mut refused) = (0, 0, 0);
    let mut check = |damaged: &[u8], what: &str| {
        let path = folder.write("other", damaged);
        let run = merge("4", &[path, paths[1].clone()]);
        match run.code {
            Some(0) => assert_eq!(run.out, total, "{what}"),
            Some(1) => assert_eq!(run.out, "missing: 1/2\n", "{what}"),
            _ => {
                run.assert_refused(&["--merge: "]);
                assert!(run.err.contains("is damaged") || run.err.contains("not a perft checkpoint"), "{}", run.err);
            }
        }
        *[&mut whole, &mut missing, &mut refused][usize::from(run.code.unwrap() as u8)] += 1;
    };
    let mut rng = SplitMix64::new(0x5eed_8001);
    for _ in 0..by_build(60, 20) {
        let at = rng.below(bytes.len());
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << rng.below(8);
        check(&flipped, &format!("byte {at}"));
        let cut = bytes.len() - rng.below(300);
        check(&bytes[..cut], &format!("cut at {cut}"));
    }
    check(&bytes[..bytes.len() - 1], "without the last line end");
    check(&bytes, "undamaged");
    assert!(whole > 0 && missing > 0 && refused > 0, "{whole} {missing} {refused}");
}

#[test]
fn two_results_of_one_part_that_differ_are_refused() {
    let folder = Folder::new("other");
    let paths = count(&folder, &[]);
    let text = fs::read_to_string(&paths[0]).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let prefix = format!("{}\t", unseal(header).unwrap().1);
    let mut line = format!("{prefix}total\t7");
    seal(&mut line, 0);
    let forged = folder.write("forged", format!("{header}\n{}", &line[prefix.len()..]));
    let run = merge("4", &[&paths[..], &[forged]].concat());
    run.assert_refused(&["two files of part 1 of 2 differ"]);
}
