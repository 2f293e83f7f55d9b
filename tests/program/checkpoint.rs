//! `perft DEPTH --checkpoint FILE`: a run killed at any moment resumes and ends with the correct total; other files are
//! refused and not changed.

use crate::common::by_build;
use crate::common::program::{self, Folder, Run, run, tabiya};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tabiya::base::rng::SplitMix64;

/// A run of some seconds on one core: position, depth and total.
const LONG: (&str, &str, u64) =
    by_build(("startpos", "7", 3_195_901_860), ("kiwipete", "5", 193_690_690));

fn total(nodes: u64) -> String {
    format!("Nodes searched: {nodes}\n")
}

/// The finished units of a checkpoint file with their counts, and the number of all units. Checks the file's form.
fn units(path: &Path) -> (Vec<(usize, u128)>, usize) {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "tabiya perft checkpoint, version 3");
    let all = lines[2].strip_prefix("units ").unwrap().parse().unwrap();
    assert!(lines[3].starts_with("seeds "), "{}", lines[3]);
    let (last, done) = lines[4..].split_last().unwrap();
    assert!(last.starts_with("sum ") && text.ends_with('\n'), "{last}");
    let unit = |line: &&str| {
        let (unit, count) = line.split_once(' ').unwrap();
        (unit.parse().unwrap(), count.parse().unwrap())
    };
    (done.iter().map(unit).collect(), all)
}

#[test]
fn killed_runs_resume_and_end_with_the_correct_total() {
    let folder = Folder::new("killed");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let (name, depth, nodes) = LONG;
    let mut rng = SplitMix64::new(0x5eed_6001);
    let (mut kills, mut resumed, mut finished, mut most) = (0, 0, 0, 0);
    let mut known = 0;
    for _ in 0..200 {
        let enough = kills >= 12 && resumed >= 3;
        if enough && finished >= 2 {
            break;
        }
        let threads = ["1", "2", "3", "0"][rng.below(4)];
        let hash = ["0", "0", "0", "4"][rng.below(4)];
        // The slow kernel leaves time for the kill; the last runs are not killed.
        let kernel = if enough { "auto" } else { "scalar" };
        let settings = ["--threads", threads, "--hash", hash, "--kernel", kernel];
        let run = ["perft", depth, "--fen", name, "--checkpoint", &text];
        let arguments = [&run[..], &settings].concat();
        let mut child = program::start(&mut tabiya(&arguments));
        // Soon after the start, or around the times of writing.
        let longest = [60, 1_600, 1_600][rng.below(3)];
        let wait = rng.below(longest) as u64;
        if !enough {
            thread::sleep(Duration::from_millis(wait));
            child.kill().unwrap(); // SIGKILL
        }
        let run = program::finish(child);
        if run.code.is_some() {
            assert_eq!((run.code, run.out), (Some(0), total(nodes)), "{arguments:?}: {}", run.err);
            let (done, all) = units(&path);
            assert_eq!(done.len(), all, "a finished run has every unit in its file");
            // Positions that several first moves reach are counted once.
            assert!(done.iter().map(|&(_, n)| n).sum::<u128>() <= u128::from(nodes));
            finished += 1;
            known = 0;
            fs::remove_file(&path).unwrap();
        } else {
            kills += 1;
            // There may be no file before the first write; after it there is always a complete one.
            if path.exists() {
                let (done, all) = units(&path);
                assert!(done.len() >= known && done.len() <= all, "{} after {known}", done.len());
                resumed += usize::from(known > 0);
                known = done.len();
                most = most.max(known);
            } else {
                assert_eq!(known, 0, "the file is gone");
            }
        }
    }
    assert!(kills >= 12 && resumed >= 3 && finished >= 2, "{kills} {resumed} {finished}");
    println!(
        "{finished} finished, {kills} kills, {resumed} resumed runs killed again, at most {most} units kept"
    );
}

/// A run is killed once its file has results, and the next run uses them.
#[test]
fn what_is_in_the_file_is_not_counted_again() {
    let folder = Folder::new("used");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let arguments = ["perft", "5", "--fen", "kiwipete", "--checkpoint", &text];
    assert_eq!(run(&arguments).out, total(193_690_690));
    // With the complete file the total comes from the file; a forged count proves that.
    assert_eq!(run(&arguments).out, total(193_690_690));
    let whole = fs::read_to_string(&path).unwrap();
    let (done, _) = units(&path);
    let (first, third) = (format!("\n0 {}\n", done[0].1), format!("\n2 {}\n", done[2].1));
    assert!(whole.contains(&first) && whole.contains(&third));
    fs::write(&path, with_checksum(&whole.replace(&first, &format!("\n0 {}\n", done[0].1 + 1))))
        .unwrap();
    assert_eq!(run(&arguments).out, total(193_690_691));
    // Two missing units are counted again, with any settings and any way of naming the position.
    fs::write(&path, with_checksum(&whole.replace(&first, "\n").replace(&third, "\n"))).unwrap();
    let fen = crate::common::standard("kiwipete").fen;
    let other = ["perft", "5", "--fen", &fen, "--threads", "2", "--hash", "4", "--divide"];
    let again = run(&[&other[..], &["--checkpoint", &text]].concat());
    assert_eq!(again.out, run(&other).out);
    assert!(again.out.ends_with(&total(193_690_690)));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

/// The file with its checksum corrected: FNV-1a over the text between title and sum.
fn with_checksum(text: &str) -> String {
    let (title, rest) = text.split_once('\n').unwrap();
    let (body, _) = rest.rsplit_once("sum ").unwrap();
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let sum = format!("\n{body}").bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{title}\n{body}sum {sum:016x}\n")
}

fn assert_refused(run: &Run, word: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
    assert!(run.err.starts_with("tabiya: --checkpoint: ") && run.err.contains(word), "{run:?}");
}

#[test]
fn strange_files_are_refused_and_left_alone() {
    let folder = Folder::new("strange");
    let good = folder.text("good");
    assert_eq!(run(&["perft", "4", "--checkpoint", &good]).out, total(197_281));
    let whole = fs::read_to_string(&good).unwrap();

    // A valid file, but of another run.
    for other in [&["perft", "5"][..], &["perft", "3"], &["perft", "4", "--fen", "kiwipete"]] {
        assert_refused(&run(&[other, &["--checkpoint", &good]].concat()), "another run");
    }
    let later = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
    assert_refused(&run(&["perft", "4", "--fen", later, "--checkpoint", &good]), "another run");
    assert_eq!(fs::read_to_string(&good).unwrap(), whole);

    // Damaged and foreign files.
    let with = |from: &str, to: &str| with_checksum(&whole.replacen(from, to, 1)).into_bytes();
    let unit = whole.lines().nth(4).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        bytes
    };
    for (content, word) in [
        (Vec::new(), "no perft checkpoint"),
        (b"a letter to a friend\n".to_vec(), "no perft checkpoint"),
        (vec![0xff; 5_000], "strange"),
        (vec![0; 5_000], "no perft checkpoint"),
        (whole.as_bytes()[..whole.len() / 2].to_vec(), "damaged"),
        (flipped(whole.len() / 2), "damaged"),
        (flipped(whole.len() - 3), "damaged"),
        (flipped(3), "no perft checkpoint"),
        ([whole.as_bytes(), b"more\n"].concat(), "damaged"),
        (with("units 20", "units 19"), "another run"),
        (with("seeds 0\n", ""), "damaged"),
        (with("seeds 0", "seeds"), "damaged"),
        (with("seeds 0", "seeds 0 -1"), "damaged"),
        (with(unit, "0"), "damaged"),
        (with(unit, "20 400"), "damaged"),
        (with(unit, "0 -400"), "damaged"),
        (with(unit, "0 999999999999999999999999999999999999999999"), "damaged"),
        (with("chess 4", "chess\x1b[31m 4"), "another run"),
    ] {
        let path = folder.write("strange", &content);
        assert_refused(&run(&["perft", "4", "--checkpoint", &path]), word);
        assert_eq!(fs::read(&path).unwrap(), content, "{word}: the file was changed");
    }
    // No temporary files are left.
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["good", "strange"]);
}

#[test]
fn places_that_cannot_be_written_are_refused_before_counting() {
    let folder = Folder::new("places");
    let text = folder.path().to_str().unwrap();
    // Depth 20 would never end, so the refusal must come first.
    assert_refused(&run(&["perft", "20", "--checkpoint", text]), text);
    let nowhere = folder.text("no/such/folder/run");
    assert_refused(&run(&["perft", "20", "--checkpoint", &nowhere]), &nowhere);
    assert_refused(&run(&["perft", "20", "--checkpoint", ""]), "--checkpoint");
    // The new file is first written next to the old one; a folder with that name prevents it.
    let good = folder.text("good");
    assert_eq!(run(&["perft", "4", "--checkpoint", &good]).code, Some(0));
    let before = fs::read(&good).unwrap();
    fs::create_dir(folder.at("good.new")).unwrap();
    assert_refused(&run(&["perft", "4", "--checkpoint", &good]), "good");
    assert_eq!(fs::read(&good).unwrap(), before);
    // A path below a file.
    assert_refused(&run(&["perft", "4", "--checkpoint", &format!("{good}/run")]), "good/run");
}
