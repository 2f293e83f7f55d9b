//! `perft DEPTH --checkpoint FILE`: a run killed at any moment resumes and ends with the correct total; damaged and
//! forged files are refused and not changed. `tests/transcripts/checkpoint.txt` has the rest.

use crate::common::program::{self, Folder, run, tabiya};
use crate::common::{by_build, sample};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tabiya::base::rng::SplitMix64;
use tabiya::farm::checkpoint::{seal, unseal};

/// A run of many units and, with the slow kernel, of half a second on one core: position, depth and total.
const LONG: (&str, &str, u64) = ("position3", "8", 3_009_794_393);

/// A run of several units.
const UNITS: [&str; 6] = ["perft", "7", "--fen", "position3", "--hash", "16"];
const NODES: u64 = 178_633_661;

/// That run with a checkpoint.
fn units_with(path: &str) -> Vec<&str> {
    [&UNITS[..], &["--checkpoint", path]].concat()
}

fn total(nodes: u64) -> String {
    format!("Nodes searched: {nodes}\n")
}

/// A line with the checksum that it has behind this header.
fn sealed(header: &str, line: &str) -> String {
    let run = format!("{}\t", unseal(header.trim_end()).unwrap().1);
    let mut sealed = run.clone() + line;
    seal(&mut sealed, 0);
    sealed[run.len()..].into()
}

/// The counts of finished units in a checkpoint file, and the total. Checks the file's form.
fn units(path: &Path) -> (BTreeMap<u64, u64>, Option<u64>) {
    let text = fs::read_to_string(path).unwrap();
    let (header, lines) = text.split_once('\n').unwrap();
    let (fields, _) = unseal(header.trim_end()).unwrap();
    assert_eq!(fields[..2], ["tabiya-checkpoint", "version=4"]);
    assert!(text.ends_with('\n'));
    let (mut units, mut total) = (BTreeMap::new(), None);
    for line in lines.lines() {
        let (body, _) = line.rsplit_once('\t').unwrap();
        assert_eq!(sealed(header, body).trim_end(), line.trim_end());
        let (name, count) = body.split_once('\t').unwrap();
        let before = match name {
            "total" => total.replace(count.parse().unwrap()),
            _ => units.insert(name.parse().unwrap(), count.parse().unwrap()),
        };
        assert_eq!(before, None, "{name} is there twice");
    }
    (units, total)
}

#[test]
fn killed_runs_resume_and_end_with_the_correct_total() {
    let folder = Folder::new("killed");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let (name, depth, nodes) = LONG;
    let mut rng = SplitMix64::new(0x5eed_6001);
    let (wanted, mut kills, mut resumed, mut finished, mut most) = (sample(8, 30), 0, 0, 0, 0);
    let mut known = 0;
    for _ in 0..200 {
        let enough = kills >= wanted && resumed >= 3;
        if enough && finished >= 2 {
            break;
        }
        let threads = ["1", "2", "3", "0"][rng.below(4)];
        // The slow kernel leaves time for the kill; the last runs are not killed.
        let kernel = if enough { "auto" } else { "scalar" };
        let settings = ["--threads", threads, "--kernel", kernel];
        let run = ["perft", depth, "--fen", name, "--checkpoint", &text];
        let arguments = [&run[..], &settings].concat();
        let mut child = program::start(&mut tabiya(&arguments));
        // Soon after the start, or around the times of writing.
        let longest = [60, 400, 400][rng.below(3)];
        let wait = rng.below(longest) as u64;
        if !enough {
            thread::sleep(Duration::from_millis(wait));
            child.kill().unwrap(); // SIGKILL
        }
        let run = program::finish(child);
        if run.code.is_some() {
            assert_eq!((run.code, run.out), (Some(0), total(nodes)), "{arguments:?}: {}", run.err);
            let (done, total) = units(&path);
            assert_eq!((total, done.values().sum()), (Some(nodes), nodes));
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
                let (done, total) = units(&path);
                assert!(
                    done.len() >= known && total.is_none_or(|total| total == nodes),
                    "{} after {known}",
                    done.len()
                );
                resumed += usize::from(known > 0);
                known = done.len();
                most = most.max(known);
            } else {
                assert_eq!(known, 0, "the file is gone");
            }
        }
    }
    assert!(kills >= wanted && resumed >= 3 && finished >= 2, "{kills} {resumed} {finished}");
    println!("{finished} finished, {kills} kills, {resumed} resumed runs killed again, at most {most} units kept");
}

#[test]
fn what_is_in_the_file_is_not_counted_again() {
    let folder = Folder::new("used");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let arguments = units_with(&text);
    assert!(run(&arguments).err.starts_with("new checkpoint: "));
    let whole = fs::read_to_string(&path).unwrap();
    let (header, _) = whole.split_once('\n').unwrap();
    let (before, sum) = units(&path);
    assert!(before.len() > 1 && sum == Some(NODES) && before.values().sum::<u64>() == NODES);
    // With the complete file the total comes from the file; a forged one proves that.
    let file = |units: &BTreeMap<u64, u64>, total: Option<u64>| {
        let lines = units.iter().map(|(unit, count)| sealed(header, &format!("{unit}\t{count}")));
        let total = total.map(|total| sealed(header, &format!("total\t{total}")));
        fs::write(&path, format!("{header}\n{}", String::from_iter(lines.chain(total)))).unwrap();
    };
    file(&before, Some(NODES + 1));
    assert_eq!(run(&arguments).out, total(NODES + 1));
    let mut forged = before.clone();
    *forged.get_mut(&0).unwrap() += 1;
    file(&forged, None);
    assert_eq!(run(&arguments).out, total(NODES + 1));
    // Missing units are counted again, with any number of threads, any kernel, and any way of naming the position.
    let fen = crate::common::standard("position3").fen;
    for lost in [&[0][..], &[1], &[0, before.len() as u64 - 1]] {
        let mut some = before.clone();
        some.retain(|unit, _| !lost.contains(unit));
        file(&some, None);
        let other = ["perft", UNITS[1], "--fen", &fen, "--hash=16", "--threads", "1", "--kernel", "scalar"];
        let again = run(&[&other[..], &["--checkpoint", &text]].concat());
        assert!(again.err.contains(&format!("{} of ", some.len())), "{}", again.err);
        assert_eq!(again.out, total(NODES));
        assert_eq!(units(&path), (before.clone(), Some(NODES)));
    }
}

/// In little memory a run has passes within passes. One that is left out, because all its units are in the file, must
/// not change which units later passes have.
#[test]
fn a_run_in_passes_is_continued_anywhere() {
    let folder = Folder::new("passes");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let fen = "k7/7r/8/8/8/8/8/KQ6 w - - 0 1";
    let arguments = ["perft", "10", "--fen", fen, "--hash", "16", "--checkpoint", &text];
    let nodes = 2_005_692_119_325;
    assert_eq!(run(&arguments).out, total(nodes));
    let whole = fs::read_to_string(&path).unwrap();
    let (header, _) = whole.split_once('\n').unwrap();
    let before = units(&path).0;
    assert!(before.len() > 40, "{}", before.len());
    for kept in by_build(&[40, 60][..], &[40]) {
        let lines = before.iter().take(*kept).map(|(unit, count)| sealed(header, &format!("{unit}\t{count}")));
        fs::write(&path, format!("{header}\n{}", String::from_iter(lines))).unwrap();
        assert_eq!(run(&arguments).out, total(nodes), "{kept} units kept");
        assert_eq!(units(&path), (before.clone(), Some(nodes)), "{kept} units kept");
    }
}

#[test]
fn strange_files_are_refused_and_left_alone() {
    let folder = Folder::new("strange");
    let good = folder.text("good");
    assert_eq!(run(&units_with(&good)).out, total(NODES));
    let whole = fs::read_to_string(&good).unwrap();
    let lines = whole.lines().count();

    let header = |from: &str, to: &str| {
        let (header, lines) = whole.split_once('\n').unwrap();
        let (header, _) = header.rsplit_once('\t').unwrap();
        let mut header = header.replacen(from, to, 1);
        seal(&mut header, 0);
        (header + lines).into_bytes()
    };
    let with = |line: &str| {
        let first = whole.lines().next().unwrap();
        [whole.as_bytes(), sealed(first, line).as_bytes()].concat()
    };
    let flipped = |at: usize| {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        bytes
    };
    let (last, next) = (format!("line {lines} is damaged"), format!("line {} is damaged", lines + 1));
    let mut other_run = "1\t5".to_string();
    seal(&mut other_run, 0);
    for (content, word) in [
        (b"a letter to a friend\n".to_vec(), "not a perft checkpoint"),
        (vec![0xff; 5_000], "not a perft checkpoint"),
        (vec![0; 5_000], "not a perft checkpoint"),
        (header("version=4", "version=5"), "another version"),
        (flipped(50), "line 1 is damaged"),
        (flipped(whole.len() / 2), "is damaged"),
        (flipped(whole.len() - 3), &last),
        (flipped(3), "not a perft checkpoint"),
        ([whole.as_bytes(), b"more\n"].concat(), &next),
        ([whole.as_bytes(), whole.as_bytes()].concat(), &next),
        ([whole.as_bytes(), b"\xff\xfe\n"].concat(), &next),
        ([whole.as_bytes(), other_run.as_bytes()].concat(), &next),
        (header("part=1/1", "part=1/2"), "another run"),
        (header("columns=1", "columns=14"), "another run"),
        (header("chess ", "chess\x1b[31m "), "another run"),
        (with("0\t1"), &next),
        (with("0"), &next),
        (with("999999\t1\t1"), &next),
        (with("-1\t1"), &next),
        (with("18446744073709551616\t1"), &next),
        (with("999999\t340282366920938463463374607431768211456"), &next),
    ] {
        let path = folder.write("strange", &content);
        run(&units_with(&path)).assert_refused(&["--checkpoint: ", word]);
        assert_eq!(fs::read(&path).unwrap(), content, "{word}: the file was changed");
    }
}

#[test]
fn a_checkpoint_serves_one_run_at_a_time() {
    let folder = Folder::new("two");
    let (path, text) = (folder.at("run"), folder.text("run"));
    let mut first = program::start(&mut tabiya(&["perft", "9", "--kernel", "scalar", "--checkpoint", &text]));
    while fs::read(&path).unwrap_or_default().is_empty() {
        thread::sleep(Duration::from_millis(2));
        assert!(first.try_wait().unwrap().is_none());
    }
    run(&["perft", "9", "--checkpoint", &text]).assert_refused(&["--checkpoint: ", "another process is using"]);
    first.kill().unwrap();
    program::finish(first);
    assert!(run(&["perft", "4", "--checkpoint", &text]).err.contains("another run"));
}
