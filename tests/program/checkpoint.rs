//! `perft DEPTH --checkpoint FILE`: a run killed at any moment resumes and ends with the correct total; other files are
//! refused and not changed.

use crate::common::by_build;
use crate::common::program::{self, Folder, run, tabiya};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tabiya::base::rng::SplitMix64;
use tabiya::perft::checkpoint::{seal, unseal};
use tabiya::perft::records::UnitResult;

/// A run of some seconds on one core: position, depth and total.
const LONG: (&str, &str, u64) = by_build(("startpos", "7", 3_195_901_860), ("kiwipete", "5", 193_690_690));

fn total(nodes: u64) -> String {
    format!("Nodes searched: {nodes}\n")
}

/// The finished units of a checkpoint file, and the number of all units. Checks the file's form.
fn units(path: &Path) -> (BTreeMap<u64, UnitResult>, usize) {
    let text = fs::read_to_string(path).unwrap();
    let (header, lines) = text.split_once('\n').unwrap();
    let (fields, run) = unseal(header.trim_end()).unwrap();
    assert_eq!(fields[..2], ["tabiya-checkpoint", "version=4"]);
    let all = fields.last().unwrap().strip_prefix("units=").unwrap().parse().unwrap();
    assert!(text.ends_with('\n'));
    let results = lines.lines().map(|line| UnitResult::read(line).unwrap().unwrap());
    let results: Vec<UnitResult> = results.inspect(|result| assert_eq!(result.run, run)).collect();
    let found = results.len();
    let units = BTreeMap::from_iter(results.into_iter().map(|result| (result.number, result)));
    assert_eq!(units.len(), found, "a unit is there twice");
    (units, all)
}

/// The number of sequences from each unit of a checkpoint file.
fn counts(path: &Path) -> Vec<u128> {
    units(path).0.into_values().map(|result| result.nodes).collect()
}

/// A checkpoint file with the header of `whole` and these results.
fn file<'a>(whole: &str, results: impl IntoIterator<Item = &'a UnitResult>) -> String {
    let lines = results.into_iter().map(UnitResult::line);
    format!("{}\n{}", whole.lines().next().unwrap(), String::from_iter(lines))
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
            assert!(counts(&path).iter().sum::<u128>() <= u128::from(nodes));
            finished += 1;
            known = 0;
            fs::remove_file(&path).unwrap();
        } else {
            kills += 1;
            // Whole lines, and perhaps the beginning of another.
            let text = fs::read_to_string(&path).unwrap_or_default();
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            if whole > 0 {
                fs::write(&path, &text[..whole]).unwrap();
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
    println!("{finished} finished, {kills} kills, {resumed} resumed runs killed again, at most {most} units kept");
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
    let (mut results, all) = units(&path);
    let before = counts(&path);
    results.get_mut(&0).unwrap().nodes += 1;
    fs::write(&path, file(&whole, results.values())).unwrap();
    assert_eq!(run(&arguments).out, total(193_690_691));
    // Two missing units are counted again, with any settings and any way of naming the position.
    results.retain(|&number, _| number != 0 && number != 2);
    fs::write(&path, file(&whole, results.values())).unwrap();
    let fen = crate::common::standard("kiwipete").fen;
    let other = ["perft", "5", "--fen", &fen, "--threads", "2", "--hash", "4", "--divide"];
    let again = run(&[&other[..], &["--seed", "7", "--checkpoint", &text]].concat());
    assert!(again.err.contains(&format!("{} of {all} parts counted", all - 2)), "{}", again.err);
    assert_eq!(again.out, run(&other).out);
    assert!(again.out.ends_with(&total(193_690_690)));
    assert_eq!(counts(&path), before);
    assert!(run(&arguments).err.contains("seeds 0, 7"));
}

#[test]
fn strange_files_are_refused_and_left_alone() {
    let folder = Folder::new("strange");
    let good = folder.text("good");
    assert_eq!(run(&["perft", "4", "--checkpoint", &good]).out, total(197_281));
    let whole = fs::read_to_string(&good).unwrap();

    // A valid file, but of another run.
    for other in [&["perft", "5"][..], &["perft", "3"], &["perft", "4", "--fen", "kiwipete"]] {
        run(&[other, &["--checkpoint", &good]].concat()).assert_refused(&["--checkpoint: ", "another run"]);
    }
    let later = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
    run(&["perft", "4", "--fen", later, "--checkpoint", &good]).assert_refused(&["--checkpoint: ", "another run"]);
    assert_eq!(fs::read_to_string(&good).unwrap(), whole);

    // Damaged and foreign files.
    let header = |from: &str, to: &str| {
        let (header, lines) = whole.split_once('\n').unwrap();
        let (header, _) = header.rsplit_once('\t').unwrap();
        let mut header = header.replacen(from, to, 1);
        seal(&mut header, 0);
        (header + lines).into_bytes()
    };
    let (results, _) = units(Path::new(&good));
    let with = |change: &dyn Fn(&mut UnitResult)| {
        let mut other = results[&0].clone();
        change(&mut other);
        [whole.as_bytes(), other.line().as_bytes()].concat()
    };
    let flipped = |at: usize| {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        bytes
    };
    for (content, word) in [
        (b"a letter to a friend\n".to_vec(), "no perft checkpoint"),
        (vec![0xff; 5_000], "no perft checkpoint"),
        (vec![0; 5_000], "no perft checkpoint"),
        (b"tabiya perft checkpoint, version 3\nchess 4\n".to_vec(), "another version"),
        (header("version=4", "version=5"), "another version"),
        (flipped(50), "line 1 is damaged"),
        (flipped(whole.len() / 2), "damaged"),
        (flipped(whole.len() - 3), "line 21 is damaged"),
        (flipped(3), "no perft checkpoint"),
        ([whole.as_bytes(), b"more\n"].concat(), "line 22 is damaged"),
        ([whole.as_bytes(), whole.as_bytes()].concat(), "line 22 is damaged"),
        ([whole.as_bytes(), b"\xff\xfe\n"].concat(), "line 22 is damaged"),
        (header("units=20", "units=19"), "another run"),
        (header("columns=1", "columns=14"), "another run"),
        (header("chess 4", "chess\x1b[31m 4"), "another run"),
        (with(&|result| result.run ^= 1), "damaged"),
        (with(&|result| result.unit ^= 1), "damaged"),
        (with(&|result| result.number = 1), "damaged"),
        (with(&|result| result.number = 20), "damaged"),
        (with(&|result| result.number = u64::MAX), "damaged"),
    ] {
        let path = folder.write("strange", &content);
        run(&["perft", "4", "--checkpoint", &path]).assert_refused(&["--checkpoint: ", word]);
        assert_eq!(fs::read(&path).unwrap(), content, "{word}: the file was changed");
    }
}

/// What a kill, Windows or a user may leave behind.
#[test]
fn incomplete_and_converted_files_are_continued() {
    let folder = Folder::new("continued");
    let good = folder.text("good");
    assert_eq!(run(&["perft", "4", "--checkpoint", &good]).out, total(197_281));
    let whole = fs::read_to_string(&good).unwrap();
    let half = whole.len() / 2;
    for (content, word) in [
        (String::new(), "new checkpoint"),
        (whole[..60].into(), "new checkpoint"),
        (whole[..half].into(), "the last line of the checkpoint is incomplete"),
        (whole[..whole.len() - 1].into(), "20 of 20 parts"),
        (whole.replace('\n', "\r\n"), "20 of 20 parts"),
    ] {
        let path = folder.write("other", content);
        let again = run(&["perft", "4", "--checkpoint", &path]);
        assert_eq!((again.code, again.out), (Some(0), total(197_281)), "{}", again.err);
        assert!(again.err.contains(word), "{word}: {}", again.err);
        assert_eq!(units(Path::new(&path)).0.len(), 20, "{word}");
    }
    // A link stays one.
    #[cfg(unix)]
    {
        let link = folder.at("link");
        std::os::unix::fs::symlink(&good, &link).unwrap();
        fs::write(&good, &whole[..half]).unwrap();
        assert_eq!(run(&["perft", "4", "--checkpoint", link.to_str().unwrap()]).code, Some(0));
        assert!(link.is_symlink());
        assert_eq!(units(Path::new(&good)).0.len(), 20);
    }
}

#[test]
fn a_checkpoint_serves_one_run_at_a_time() {
    let folder = Folder::new("two");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let mut first = program::start(&mut tabiya(&["perft", "20", "--kernel", "scalar", "--checkpoint", &text]));
    while fs::read(&path).unwrap_or_default().is_empty() {
        thread::sleep(Duration::from_millis(2));
        assert!(first.try_wait().unwrap().is_none());
    }
    run(&["perft", "20", "--checkpoint", &text]).assert_refused(&["--checkpoint: ", "another process is using"]);
    first.kill().unwrap();
    program::finish(first);
    assert!(run(&["perft", "4", "--checkpoint", &text]).err.contains("another run"));
}

/// Reading a device would not end, and opening a pipe would wait for its other end.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_opened() {
    let folder = Folder::new("devices");
    let pipe = folder.text("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in ["/dev/zero", "/dev/full", "/dev/null", &pipe, folder.path().to_str().unwrap()] {
        let reason = "this is not a regular file";
        run(&["perft", "4", "--checkpoint", path]).assert_refused(&["--checkpoint: ", path, reason]);
        run(&["datagen", "--games", "1", "--out", path]).assert_refused(&["--out ", path, reason]);
    }
}

#[test]
fn places_that_cannot_be_written_are_refused_before_counting() {
    let folder = Folder::new("places");
    let text = folder.path().to_str().unwrap();
    // Depth 20 would never end, so the refusal must come first.
    run(&["perft", "20", "--checkpoint", text]).assert_refused(&["--checkpoint: ", text]);
    let nowhere = folder.text("no/such/folder/run");
    run(&["perft", "20", "--checkpoint", &nowhere]).assert_refused(&["--checkpoint: ", &nowhere]);
    run(&["perft", "20", "--checkpoint", ""]).assert_refused(&["--checkpoint: ", "--checkpoint"]);
    let good = folder.text("good");
    assert_eq!(run(&["perft", "4", "--checkpoint", &good]).code, Some(0));
    // A path below a file.
    run(&["perft", "4", "--checkpoint", &format!("{good}/run")]).assert_refused(&["--checkpoint: ", "good/run"]);
}
