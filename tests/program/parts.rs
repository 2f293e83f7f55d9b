//! `perft --part` and `--merge`: a run in parts ends with the correct total or with none.

use crate::common::program::{self, Folder, PATIENCE, Run, output, run, tabiya};
use crate::common::{by_build, standard};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::farm::checkpoint::{seal, unseal};

/// Counts a run in `of` parts and returns their files.
fn count(folder: &Folder, name: &str, arguments: &[&str], of: usize) -> Vec<String> {
    let path = |index| folder.text(&format!("{name}-{index}"));
    let paths: Vec<String> = (1..=of).map(path).collect();
    for (index, path) in (1..).zip(&paths) {
        let _ = fs::remove_file(path);
        let part = format!("{index}/{of}");
        let run = run(&[&["perft"], arguments, &["--part", &part, "--checkpoint", path]].concat());
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
        assert!(run.out.starts_with(&format!("Part {index} of {of}: ")), "{}", run.out);
    }
    paths
}

fn merge(depth: &str, paths: &[String], options: &[&str]) -> Run {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    run(&[&["perft", depth, "--merge"], &paths[..], options].concat())
}

fn assert_merged(depth: &str, paths: &[String], nodes: u64) {
    let run = merge(depth, paths, &[]);
    assert_eq!((run.code, run.out), (Some(0), format!("Nodes searched: {nodes}\n")), "{}", run.err);
}

#[test]
fn parts_give_the_results_of_the_whole() {
    let folder = Folder::new("whole");
    for (run, parts) in [
        (&["0"][..], 3),
        (&["1"], 2),
        (&["3"], 2),
        (&["4"], 3),
        (&["5"], 5),
        (&["4", "--fen", "kiwipete"], 2),
        (&["6", "--fen", "position3"], 3),
        (&["4", "--game", "xiangqi"], 3),
        (&["4", "--chess960", "--fen", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"], 2),
        // A single move, mate after one ply, and at the root.
        (&["5", "--fen", "k7/8/1K6/8/8/8/8/7R b - - 0 1"], 2),
        (&["5", "--fen", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"], 2),
        (&["5", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 2),
    ] {
        let whole = |options: &[&str]| output(&[&["perft"], run, options].concat());
        let paths = count(&folder, "plain", run, parts);
        assert_eq!(merge(run[0], &paths, &[]).out, whole(&[]), "{run:?}");
        let paths = count(&folder, "columns", &[run, &["--stats", "--divide", "--threads", "2"]].concat(), parts);
        for options in [&["--stats"][..], &["--stats", "--divide"], &["--stats=full", "--divide"]] {
            assert_eq!(merge(run[0], &paths, options).out, whole(options), "{run:?} {options:?}");
        }
        let paths = count(&folder, "divide", &[run, &["--divide"]].concat(), parts);
        assert_eq!(merge(run[0], &paths, &["--divide"]).out, whole(&["--divide"]), "{run:?}");
    }
}

/// With one root move a divide has the units of the total: both may be parts of one run.
#[test]
fn a_single_root_move_may_be_divided_or_not() {
    let folder = Folder::new("single");
    let run = ["4", "--fen", "k7/8/1K6/8/8/8/8/7R b - - 0 1"];
    let plain = count(&folder, "plain", &run, 2);
    let divided = count(&folder, "divided", &[&run[..], &["--divide"]].concat(), 2);
    for paths in [[&plain[0], &divided[1]], [&divided[0], &plain[1]]] {
        let merged = merge("4", &paths.map(String::clone), &[]);
        assert_eq!((merged.code, merged.out), (Some(0), output(&[&["perft"], &run[..]].concat())), "{}", merged.err);
    }
}

#[test]
fn parts_may_have_other_memory_threads_and_kernels() {
    let folder = Folder::new("settings");
    let run = ["6", "--fen", "position3", "--seed", "5"];
    let mut paths = count(&folder, "a", &[&run[..], &["--hash", "16"]].concat(), 3);
    let others = count(&folder, "b", &[&run[..], &["--kernel", "scalar", "--threads", "1"]].concat(), 3);
    assert_merged(run[0], &others, 11_030_083);
    paths[1] = others[1].clone();
    assert_merged(run[0], &paths, 11_030_083);
    // A part may be there twice, in any order.
    paths.extend(others);
    paths.reverse();
    assert_merged(run[0], &paths, 11_030_083);
    let json = merge(run[0], &paths, &["--json"]).out;
    assert!(json.contains("\"depth\":6,\"nodes\":11030083,\"parts\":3"), "{json}");
}

#[test]
fn missing_parts_are_named() {
    let folder = Folder::new("missing");
    let paths = count(&folder, "part", &["4"], 4);
    let text = fs::read_to_string(&paths[1]).unwrap();
    let (without_total, _) = text.split_at(text.find("total").unwrap());
    // Not yet begun, killed in the header, killed between units, killed in the last line.
    for unfinished in ["", &text[..40], without_total, &text[..text.len() - 10]] {
        let path = folder.write("unfinished", unfinished);
        let some = [paths[3].clone(), path, paths[0].clone()];
        let run = merge("4", &some, &[]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), "missing: 2/4 3/4\n"), "{run:?}");
        assert!(run.err.contains("parts missing or not finished: 2 of 4;"), "{}", run.err);
        assert!(run.err.contains("tabiya perft 4 --part 2/4 --checkpoint FILE"), "{}", run.err);
        let json = merge("4", &some, &["--json"]);
        assert_eq!((json.code, json.out.as_str()), (Some(1), "{\"parts\":4,\"missing\":[2,3]}\n"));
        // A finished file of the same part is enough.
        assert_merged("4", &[&some[..], &paths[1..3]].concat(), 197_281);
        assert_merged("4", &[&paths[1..3], &some[..]].concat(), 197_281);
    }
}

#[test]
fn damage_never_changes_the_total() {
    let folder = Folder::new("damage");
    let paths = count(&folder, "part", &["4", "--divide"], 2);
    let bytes = fs::read(&paths[0]).unwrap();
    let total = "Nodes searched: 197281\n";
    let (mut whole, mut missing, mut refused) = (0, 0, 0);
    let mut check = |damaged: &[u8], what: &str| {
        let path = folder.write("other", damaged);
        let run = merge("4", &[path, paths[1].clone()], &[]);
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
    assert!(whole > 0 && missing > 0 && refused > 0, "{whole} {missing} {refused}");
    // Windows line ends, and two files in one.
    let text = String::from_utf8(bytes.clone()).unwrap();
    let windows = folder.write("windows", text.replace('\n', "\r\n"));
    assert_merged("4", &[windows, paths[1].clone()], 197_281);
    let both = folder.write("both", [bytes.clone(), fs::read(&paths[1]).unwrap()].concat());
    merge("4", &[both], &[]).assert_refused(&["is damaged; delete this line"]);
    // The lines of one part after the header of the other are no counts.
    let (header, _) = text.split_once('\n').unwrap();
    let other = fs::read_to_string(&paths[1]).unwrap();
    let mixed = folder.write("mixed", format!("{header}\n{}", other.split_once('\n').unwrap().1));
    merge("4", &[mixed.clone(), paths[1].clone()], &[]).assert_refused(&["line 2 is damaged"]);
    run(&["perft", "4", "--divide", "--part", "1/2", "--checkpoint", &mixed]).assert_refused(&["line 2 is damaged"]);
}

#[test]
fn files_of_other_runs_are_refused() {
    let folder = Folder::new("other");
    let paths = count(&folder, "part", &["4"], 2);
    for (arguments, of, word) in [
        (&["5"][..], 2, "of another run: chess 5"),
        (&["4", "--fen", "kiwipete"], 2, "of another run: chess 4 r3k2r"),
        (&["4", "--seed", "1"], 2, "seed=1"),
        (&["4"], 3, "parts=3"),
        (&["4", "--divide"], 2, "counts=20"),
        (&["4", "--game", "xiangqi"], 2, "of another run: xiangqi 4"),
    ] {
        let others = count(&folder, "other", arguments, of);
        merge("4", &[paths[0].clone(), others[1].clone()], &[]).assert_refused(&["--merge: ", word]);
        // Nor does a run continue the file of another.
        let run = run(&["perft", "4", "--part", "2/2", "--checkpoint", &others[1]]);
        run.assert_refused(&["--checkpoint: ", "of another run"]);
    }
    // Two results of one part that differ.
    let text = fs::read_to_string(&paths[0]).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let prefix = format!("{}\t", unseal(header).unwrap().1);
    let mut line = format!("{prefix}total\t7");
    seal(&mut line, 0);
    let forged = folder.write("forged", format!("{header}\n{}", &line[prefix.len()..]));
    let run = merge("4", &[&paths[..], &[forged]].concat(), &[]);
    run.assert_refused(&["two files of part 1 of 2 differ"]);
}

#[test]
fn bad_arguments_are_named() {
    let folder = Folder::new("arguments");
    let part = &count(&folder, "part", &["4"], 1)[0];
    let (nowhere, place) = (folder.text("nowhere"), folder.path().to_str().unwrap());
    let letter = folder.write("letter", "a letter to a friend\n");
    let statistics = &count(&folder, "statistics", &["4", "--stats"], 1)[0];
    for (arguments, word) in [
        (&["4", "--part", "1/2"][..], "--part needs --checkpoint"),
        (&["4", "--part", "0/2", "--checkpoint", &nowhere], "--part: \"0/2\" is not a part; expected I/N"),
        (&["4", "--part", "3/2", "--checkpoint", &nowhere], "--part: \"3/2\""),
        (&["4", "--part", "1", "--checkpoint", &nowhere], "--part: \"1\""),
        (&["4", "--part", "1/10001", "--checkpoint", &nowhere], "N at most 10000"),
        (&["4", "--part", "-1/2", "--checkpoint", &nowhere], "--part: \"-1/2\""),
        (&["4", "--unique", "--part", "1/2"], "--part cannot be used with --unique"),
        (&["--merge", part], "DEPTH"),
        (&["4", "--merge"], "FILE... is missing"),
        (&["3", "--merge", part], "DEPTH: 3, but the files are of depth 4"),
        (&["4", "--merge", part, &nowhere], "nowhere"),
        (&["4", "--merge", place], "not a regular file"),
        (&["4", "--merge", &letter], "not a perft checkpoint"),
        (&["4", "--merge", part, "--divide"], "counted without --divide"),
        (&["4", "--merge", part, "--stats"], "this was counted without --stats"),
        (&["4", "--merge", statistics], "this was counted with --stats; give --stats"),
        (&["4", "--merge", part, "--game", "xiangqi"], "--game: the files are of \"chess\""),
        (&["4", "--merge", part, "--hash", "16"], "--hash cannot be used with --merge"),
        (&["4", "--merge", part, "--fen", "kiwipete"], "--fen cannot be used with --merge"),
    ] {
        run(&[&["perft"], arguments].concat()).assert_refused(&[word]);
    }
    assert!(!std::path::Path::new(&nowhere).exists());
}

/// Parts are killed at random moments and started again by the same command.
#[test]
fn killed_parts_are_continued() {
    let folder = Folder::new("killed");
    let (depth, nodes) = by_build(("7", 178_633_661), ("6", 11_030_083));
    let paths = [1, 2, 3].map(|index| folder.text(&format!("part-{index}")));
    let mut rng = SplitMix64::new(0x5eed_8003);
    let (begin, mut kills) = (Instant::now(), 0);
    while kills < 9 {
        assert!(begin.elapsed() < PATIENCE);
        let index = rng.below(3);
        let part = format!("{}/3", index + 1);
        let run = ["perft", depth, "--fen", "position3", "--part", &part, "--checkpoint", &paths[index]];
        let slow = ["--hash", "16", "--kernel", "scalar", "--threads", "2"];
        let mut child = program::start(&mut tabiya(&[&run[..], &slow].concat()));
        thread::sleep(Duration::from_millis(rng.below(150) as u64));
        child.kill().unwrap(); // SIGKILL
        program::wait(&mut child);
        kills += 1;
        // Whatever is there, it is no wrong total.
        let there: Vec<String> = paths.iter().filter(|path| fs::metadata(path).is_ok()).cloned().collect();
        if !there.is_empty() {
            let run = merge(depth, &there, &[]);
            assert!(run.code != Some(0) || run.out == format!("Nodes searched: {nodes}\n"), "{run:?}");
        }
    }
    for (index, path) in (1..).zip(&paths) {
        let part = format!("{index}/3");
        let run = ["perft", depth, "--fen", "position3", "--hash", "16", "--part", &part, "--checkpoint", path];
        assert!(output(&run).starts_with("Part "));
    }
    assert_merged(depth, &paths, nodes);
}

/// On Linux every write to `/dev/full` fails with "no space left".
#[test]
fn a_full_disk_is_an_error() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return crate::common::skip_or_fail("/dev/full", "a_full_disk_is_an_error");
    }
    let folder = Folder::new("full");
    let part = &count(&folder, "part", &["4"], 1)[0];
    let other = folder.text("other");
    for arguments in
        [&["4"][..], &["4", "--part", "1/1", "--checkpoint", &other], &["4", "--merge", part], &["4", "--unique"]]
    {
        let mut command = tabiya(&[&["perft"], arguments].concat());
        let output = fs::File::options().write(true).open(full).unwrap();
        let child = command.stdout(output).stderr(Stdio::piped()).spawn().unwrap();
        let run = program::finish(child);
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.err.contains("cannot write the output"), "{arguments:?}: {}", run.err);
    }
}

/// The file is the result of a part, so a part that cannot be saved has none. The total of a whole run is printed.
#[cfg(unix)]
#[test]
fn a_part_that_cannot_be_saved_is_an_error() {
    let folder = Folder::new("unsaved");
    for (part, code) in [(&["--part", "1/2"][..], 2), (&[], 0)] {
        let path = folder.text("run");
        let count = ["perft", "5", "--divide", "--checkpoint", &path];
        // Files may have 512 bytes: enough for the header. The shell passes the ignored signal on.
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", &program::own()]);
        let run = program::finish(program::start(command.args(count).args(part)));
        if code == 2 {
            run.assert_refused(&["--checkpoint: the checkpoint cannot be written: ", &path]);
        } else {
            assert!(run.out.ends_with("Nodes searched: 4865609\n"), "{run:?}");
            assert!(run.err.contains("warning: the checkpoint cannot be written: "), "{run:?}");
        }
        assert_eq!(run.code, Some(code));
        fs::remove_file(path).unwrap();
    }
}

/// Nothing beyond the first wrong line is read, however long the file is.
#[test]
fn long_foreign_files_are_refused_at_once() {
    let folder = Folder::new("long");
    let part = &count(&folder, "part", &["4"], 1)[0];
    let lines = fs::read_to_string(part).unwrap().lines().count();
    let sparse = folder.write("sparse", "");
    for (path, word) in
        [(&sparse, "the file is not a perft checkpoint"), (part, &format!("line {} is damaged", lines + 1))]
    {
        fs::File::options().write(true).open(path).unwrap().set_len(5 << 30).unwrap();
        merge("4", std::slice::from_ref(path), &[]).assert_refused(&["--merge: ", word]);
    }
    run(&["perft", "4", "--part", "1/1", "--checkpoint", part]).assert_refused(&["is damaged"]);
}

/// The totals of a standard position, counted in parts, against the suite.
#[test]
fn totals_of_the_suite() {
    let folder = Folder::new("suite");
    for name in ["position4", "position5", "position6"] {
        let (depth, nodes) = standard(name).within(by_build(100_000_000, 5_000_000)).last().unwrap();
        let depth = depth.to_string();
        assert_merged(&depth, &count(&folder, "part", &[&depth, "--fen", name, "--hash", "32"], 3), nodes);
    }
}
