//! `perft --split`, `--units` and `--merge`: a run in pieces ends with the correct total or with none.

use crate::common::program::{self, Folder, PATIENCE, Run, output, run, tabiya};
use crate::common::{by_build, standard};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess;
use tabiya::perft::checkpoint::seal;

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Splits a run and returns the path of its units.
fn split(folder: &Folder, name: &str, arguments: &[&str]) -> String {
    let text = output(&[&["perft"], arguments].concat());
    folder.write(name, text)
}

/// Counts units and returns the path of the results.
fn count(folder: &Folder, name: &str, arguments: &[&str]) -> String {
    let text = output(&[&["perft", "--units"], arguments].concat());
    folder.write(name, text)
}

fn merge(units: &str, results: &[&str]) -> Run {
    run(&[&["perft", "--merge", units], results].concat())
}

fn assert_merged(units: &str, results: &[&str], nodes: u64) {
    let run = merge(units, results);
    let expected = format!("Nodes searched: {nodes}\n");
    assert_eq!((run.code, run.out), (Some(0), expected), "{}", run.err);
}

#[test]
fn pieces_give_the_results_of_the_whole() {
    let folder = Folder::new("whole");
    for (run, plies) in [
        (&["5"][..], &["0", "1", "3", "4"][..]),
        (&["4", "--fen", "kiwipete"], &["1", "2", "3"]),
        (&["5", "--fen", "position3"], &["3"]),
        (&["3", "--game", "xiangqi"], &["1", "2"]),
        (&["3", "--chess960", "--fen", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"], &["2"]),
        // Mate after one ply, and at the root.
        (&["3", "--fen", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"], &["1", "2"]),
        (&["3", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], &["1", "2"]),
    ] {
        let whole = output(&[&["perft"], run].concat());
        let divided = output(&[&["perft", "--divide"], run].concat());
        let stats = output(&[&["perft", "--stats", "--divide"], run].concat());
        for plies in plies {
            let units = split(&folder, "units", &[run, &["--split", plies]].concat());
            let results = count(&folder, "results", &[&units]);
            assert_eq!(merge(&units, &[&results]).out, whole, "{run:?} {plies}");
            let hashed = count(&folder, "hashed", &[&units, "--hash", "4", "--seed", "3"]);
            assert_eq!(merge(&units, &[&hashed, "--verified", &results]).out, whole);
            if *plies == "0" {
                continue;
            }
            let units = split(&folder, "units", &[run, &["--divide", "--split", plies]].concat());
            let results = count(&folder, "results", &[&units, "--stats", "--threads", "2"]);
            assert_eq!(merge(&units, &[&results, "--divide"]).out, divided, "{run:?} {plies}");
            assert_eq!(merge(&units, &[&results, "--divide", "--stats"]).out, stats);
        }
    }
}

#[test]
fn the_file_of_units_is_reproducible() {
    let folder = Folder::new("same");
    for split in [&["6", "--split", "4"][..], &["5", "--split", "3", "--fen", "kiwipete", "--divide"]] {
        let text = output(&[&["perft"], split].concat());
        for other in
            [&["--threads", "1"][..], &["--threads", "3", "--memory", "64"], &["--seed", "12345", "--memory", "16"]]
        {
            assert!(output(&[&["perft"], split, other].concat()) == text, "{split:?} {other:?}");
        }
        let head: Vec<&str> = lines(&text)[0].split('\t').collect();
        assert_eq!(head[..3], ["tabiya-units", "version=1", "game=chess"]);
        assert_eq!(lines(&text).len() - 1, head[5].strip_prefix("units=").unwrap().parse::<usize>().unwrap());
        let _ = folder.write("units", &text);
    }
    let text = output(&["perft", "6", "--split", "4"]);
    let fen = |line: &str| line.split('\t').nth(2).unwrap().to_string();
    assert_eq!(lines(&text).len(), 72_079);
    assert!(lines(&text)[0].contains("\tunits=72078\tsequences=197281\t"));
    assert_eq!(fen(lines(&text)[1]).split(' ').nth(1), Some("w"));
    let sum: u64 = text.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 197_281);
}

#[test]
fn neighbouring_units_are_similar() {
    let fens = |arguments: &[&str]| -> Vec<String> {
        let text = output(&[&["perft", "8", "--split"], arguments].concat());
        lines(&text)[1..].iter().map(|line| line.split('\t').nth(2).unwrap().to_string()).collect()
    };
    // Units with the same placement of Black, who has just moved, are consecutive.
    let rows = |fens: &[String], pieces: &str| {
        let of_black = |fen: &String| -> String {
            let board = fen.split(' ').next().unwrap();
            let squares = board.chars().flat_map(|c| {
                let empty = c.to_digit(10).unwrap_or(u32::from(!pieces.contains(c)));
                if empty > 0 { vec!['.'; empty as usize] } else { vec![if c == 'p' { c } else { 'x' }] }
            });
            squares.collect()
        };
        let mut row: Vec<String> = fens.iter().map(of_black).collect();
        row.dedup();
        let rows = row.len();
        row.sort_unstable();
        row.dedup();
        (rows, row.len())
    };
    let units = fens(&["4"]);
    assert_eq!(units.len(), 72_078);
    for pieces in ["p/", "pnbrqk/"] {
        let (rows, different) = rows(&units, pieces);
        assert_eq!(rows, different, "{pieces}");
    }
    // Deeper plies are not sorted but follow the order of the ply before, for any memory and with --divide.
    assert_eq!(fens(&["4", "--divide"]), units);
    let deeper = fens(&["5", "--memory", "1000"]);
    assert_eq!(deeper.len(), 822_518);
    assert_eq!(fens(&["5", "--memory", "64"]), deeper);
    let position = |fen: &String| chess::Position::from_fen(fen).unwrap();
    let mut child = position(&units[0]);
    let list = child.legal_moves();
    child.make(list.as_slice()[0]);
    assert_eq!(position(&deeper[0]), child);
}

/// Pipes units to the program as `parallel --pipe` does: pieces of the file, each after the header.
fn through_stdin(text: &str, arguments: &[&str]) -> Run {
    let mut command = tabiya(&[&["perft", "--units", "-"], arguments].concat());
    let mut child = program::start(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_string();
    let writer = thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    let run = program::finish(child);
    writer.join().unwrap();
    run
}

#[test]
fn ranges_and_streams() {
    let folder = Folder::new("ranges");
    let units = split(&folder, "units", &["5", "--split", "4"]);
    let text = fs::read_to_string(&units).unwrap();
    let all = lines(&text);
    let mut results = Vec::new();
    for (i, range) in ["0..1", "1..30000", "72077..72078", "30000..72077"].iter().enumerate() {
        results.push(count(&folder, &format!("r{i}"), &[&units, "--range", range]));
    }
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    assert_merged(&units, &results, 4_865_609);
    // There is a header and a line for every unit of the range.
    let some = output(&["perft", "--units", &units, "--range", "70000..70003,5..6,35000..35002"]);
    let mut numbers: Vec<u64> =
        some.lines().skip(1).map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
    numbers.sort();
    assert_eq!(numbers, [5, 35_000, 35_001, 70_000, 70_001, 70_002]);
    // Blocks in any order, each with the header.
    let mut streamed = String::new();
    for block in all[1..].chunks(20_000).rev() {
        let run = through_stdin(&format!("{}\n{}\n", all[0], block.join("\n")), &["--threads", "2"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        streamed += &run.out;
    }
    let streamed = folder.write("streamed", streamed);
    assert_merged(&units, &[&streamed], 4_865_609);
    let run = through_stdin(&format!("{}\n{}\n", all[0], all[7]), &["--range", "0..6"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 1), "unit 6 is outside");
}

#[test]
fn damaged_results_never_change_the_total() {
    let folder = Folder::new("damaged");
    let units = split(&folder, "units", &["4", "--split", "2", "--divide"]);
    let results = count(&folder, "results", &[&units, "--threads", "1"]);
    let text = fs::read_to_string(&results).unwrap();
    let all = lines(&text);
    let total = "Nodes searched: 197281\n";
    assert_eq!(all.len(), 401);

    // Truncated at every byte of two lines and then continued. The header of the second run ends the torn line.
    let start = all[..200].iter().map(|line| line.len() + 1).sum::<usize>();
    let end = start + all[200].len() + all[201].len() + 2;
    for cut in (start..end).step_by(by_build(3, 7)) {
        let again = count(&folder, "again", &[&units, "--range", "199..400"]);
        let torn = format!("{}{}", &text[..cut], fs::read_to_string(&again).unwrap());
        let torn = folder.write("torn", torn);
        let run = merge(&units, &[&torn]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), total), "cut at {cut}: {}", run.err);
    }
    // One flipped bit: the line is reported and left out, and its unit is missing.
    let mut rng = SplitMix64::new(0x5eed_8001);
    for _ in 0..by_build(60, 20) {
        let at = all[0].len() + 1 + rng.below(text.len() - all[0].len() - 1);
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1 << rng.below(7);
        let flipped = folder.write("flipped", &bytes);
        let run = merge(&units, &[&flipped]);
        assert_eq!(run.code, Some(1), "byte {at}: {run:?}");
        assert!(run.err.contains("left out") && run.err.contains("to complete the run"), "{run:?}");
        assert!(!run.out.contains("Nodes"), "{run:?}");
        assert_merged(&units, &[&flipped, &results], 197_281);
    }
    // Foreign results: another run, another depth, a file of units, a binary file.
    let other = split(&folder, "other", &["5", "--split", "2", "--divide"]);
    let foreign = count(&folder, "foreign", &[&other]);
    let binary = folder.write("binary", [0xff; 3_000]);
    let empty = folder.write("empty", "");
    for (foreign, word) in
        [(&foreign, "of another run"), (&units, "a file of units"), (&binary, "not text"), (&empty, "")]
    {
        let run = merge(&units, &[foreign, &results]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), total), "{run:?}");
        assert!(run.err.contains(word), "{word}: {}", run.err);
        let run = merge(&units, &[foreign]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), "0..400\n"), "{run:?}");
    }
    // A result for the unit with the same number in another file, forged into this run.
    let forged = forge(&all, 7, |fields| fields[5] = "0123456789abcdef".into());
    let forged = folder.write("forged", forged);
    let run = merge(&units, &[&forged]);
    assert!(run.code == Some(1) && run.err.contains("not that of the units' file"), "{run:?}");
    assert_eq!(run.out, "6..7\n");
}

/// The results with one line changed, with a correct checksum.
fn forge(lines: &[&str], line: usize, change: impl Fn(&mut Vec<String>)) -> String {
    let mut fields: Vec<String> = lines[line].split('\t').map(String::from).collect();
    fields.pop();
    change(&mut fields);
    let mut forged = fields.join("\t");
    seal(&mut forged, 0);
    let mut lines: Vec<&str> = lines.to_vec();
    lines[line] = forged.trim_end();
    lines.join("\n") + "\n"
}

#[test]
fn results_that_differ_end_with_the_position() {
    let folder = Folder::new("differ");
    let units = split(&folder, "units", &["4", "--split", "2"]);
    let results = count(&folder, "results", &[&units, "--threads", "1", "--stats"]);
    let text = fs::read_to_string(&results).unwrap();
    let all = lines(&text);
    let fen = |n: usize| {
        let units = fs::read_to_string(&units).unwrap();
        units.lines().nth(n + 1).unwrap().split('\t').nth(2).unwrap().to_string()
    };
    let more = folder.write("more", forge(&all, 100, |fields| fields[1] = "1".into()));
    for pair in [[&results, &more], [&more, &results]] {
        let run = merge(&units, &[pair[0], pair[1]]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.out.contains("unit 99 differ") && run.out.contains(&fen(99)), "{}", run.out);
        assert!(!run.out.contains("Nodes"), "{run:?}");
    }
    // A column that differs matters only with --stats; the sequences agree.
    let column = |fields: &mut Vec<String>| fields[6] = "captures=99999".into();
    let columns = folder.write("columns", forge(&all, 42, column));
    let run = merge(&units, &[&results, &columns, "--stats"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("differ in captures") && run.out.contains(&fen(41)), "{}", run.out);
    assert_merged(&units, &[&results, &columns], 197_281);
    // Units may be counted twice, with the same seed or another one.
    assert_merged(&units, &[&results, &results], 197_281);
    let plain = count(&folder, "plain", &[&units, "--seed", "9", "--hash", "4"]);
    assert_merged(&units, &[&plain, &results], 197_281);
    let run = merge(&units, &[&plain, "--stats"]);
    assert!(run.code == Some(1) && run.err.contains("counted without --stats"), "{run:?}");
}

/// Runs the commands that a merge printed, in the folder, with the built program as `tabiya`; returns their number.
fn run_printed_commands(folder: &Folder, err: &str) -> usize {
    let commands: Vec<&str> = err.lines().filter_map(|line| line.strip_prefix("  tabiya ")).collect();
    for command in &commands {
        let line = format!("{} {command}", program::own());
        let mut shell = Command::new("sh");
        let status = shell.args(["-c", &line]).current_dir(folder.path()).stderr(Stdio::null());
        assert!(status.status().unwrap().success(), "{line}");
    }
    commands.len()
}

#[test]
fn the_printed_command_completes_the_run() {
    let folder = Folder::new("complete");
    let units = split(&folder, "units' file", &["4", "--split", "2"]);
    let results = count(&folder, "results", &[&units, "--threads", "1"]);
    let text = fs::read_to_string(&results).unwrap();
    let mut rng = SplitMix64::new(0x5eed_8002);
    let kept = |share: usize, rng: &mut SplitMix64| -> String {
        text.lines().filter(|_| rng.below(100) < share).map(|line| format!("{line}\n")).collect()
    };
    for (share, verified) in [(90, false), (20, false), (0, false), (90, true), (0, true)] {
        let partial = folder.write("partial", kept(share, &mut rng));
        let _ = fs::remove_file(folder.at("MORE_RESULTS"));
        let more = folder.write("MORE_RESULTS", "");
        let flags: &[&str] = if verified { &["--verified"] } else { &[] };
        let arguments = [&[partial.as_str(), &more][..], flags].concat();
        let run = merge(&units, &arguments);
        assert_eq!(run.code, Some(1), "{run:?}");
        // The ranges on stdout can be used as --range.
        let ranges = lines(&run.out).join(",");
        assert!(output(&["perft", "--units", &units, "--range", &ranges]).lines().count() > 1);
        assert_eq!(run_printed_commands(&folder, &run.err), if verified && share < 100 { 2 } else { 1 }, "{}", run.err);
        let run = merge(&units, &arguments);
        assert_eq!(run.out, "Nodes searched: 197281\n", "{share} {verified}: {}", run.err);
    }
    // Results with one seed are not enough for --verified.
    let run = merge(&units, &[&results, &results, "--verified"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), "0..400\n"), "{run:?}");
    let json = merge(&units, &[&results, "--verified", "--json"]);
    assert_eq!((json.code, json.out.as_str()), (Some(1), "{\"units\":400,\"missing\":400,\"ranges\":[\"0..400\"]}\n"));
    let json = merge(&units, &[&results, "--json"]).out;
    assert!(json.contains("\"nodes\":197281,\"units\":400"), "{json}");
}

#[test]
fn killed_runs_are_completed() {
    let folder = Folder::new("killed");
    let (name, depth, nodes) = by_build(("kiwipete", "5", 193_690_690), ("kiwipete", "4", 4_085_603));
    let units = split(&folder, "units", &[depth, "--fen", name, "--split", "2"]);
    let more = folder.write("MORE_RESULTS", "");
    let mut rng = SplitMix64::new(0x5eed_8003);
    let (begin, mut kills) = (Instant::now(), 0);
    let mut last = 0;
    while kills < 8 {
        assert!(begin.elapsed() < PATIENCE);
        let output = fs::File::options().append(true).open(&more).unwrap();
        let kernel = ["--kernel", "scalar", "--threads", "2"];
        let mut command = tabiya(&[&["perft", "--units", &units], &kernel[..]].concat());
        let mut child = command.stdout(output).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(rng.below(120) as u64));
        child.kill().unwrap(); // SIGKILL
        program::wait(&mut child);
        kills += 1;
        // Also tear a line in the middle, as a kill during a write does.
        let mut bytes = fs::read(&more).unwrap();
        bytes.truncate(bytes.len() - rng.below(bytes.len().min(40) + 1));
        last = bytes.len();
        fs::write(&more, bytes).unwrap();
    }
    let run = merge(&units, &[&more]);
    if run.code == Some(1) {
        assert_eq!(run_printed_commands(&folder, &run.err), 1, "{run:?}");
    }
    assert_merged(&units, &[&more], nodes);
    println!("{kills} kills left {last} bytes of results");
}

#[test]
fn damaged_units_are_refused() {
    let folder = Folder::new("units");
    let units = split(&folder, "units", &["4", "--split", "2"]);
    let results = count(&folder, "results", &[&units]);
    let text = fs::read_to_string(&units).unwrap();
    let all = lines(&text);
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let mut swapped = all.clone();
    swapped.swap(10, 11);
    let double = [&all[..], &all[5..6]].concat();
    for (damage, word) in [
        (String::new(), "the file is empty"),
        ("a letter\n".into(), "not a header"),
        (text.replacen("version=1", "version=2", 1), "another version"),
        (text.replacen("depth=4", "depth=5", 1), "the header is damaged"),
        (joined(&all[1..]), "not a header"),
        (text.replacen("\t1\trnb", "\t2\trnb", 1), "line "),
        (joined(&all[..200]), "is not whole"),
        (joined(&[&all[..100], &all[101..]].concat()), "out of order"),
        (joined(&swapped), "out of order"),
        (joined(&double), "out of order"),
        (text[..text.len() - 30].to_string(), "line 401 is no unit, or damaged"),
    ] {
        let damaged = folder.write("damaged", &damage);
        merge(&damaged, &[&results]).assert_refused(&[word]);
        if word == "out of order" && damage == joined(&double) {
            continue; // counting stops before the extra lines
        }
        let run = crate::common::program::run(&["perft", "--units", &damaged, "--threads", "1"]);
        assert_eq!(run.code, Some(2), "{word}: {run:?}");
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.starts_with("tabiya: --units: "), "{}", run.err);
    }
    // A truncated line is detected, also in a stream.
    for cut in [1, 5, 20, 60] {
        let line = &all[3][..all[3].len() - cut];
        let run = through_stdin(&format!("{}\n{}\n{line}\n", all[0], all[2]), &[]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains("line 3 is no unit, or damaged"), "{}", run.err);
    }
}

#[test]
fn bad_arguments_are_named() {
    let folder = Folder::new("arguments");
    let units = split(&folder, "units", &["4", "--split", "2"]);
    let results = count(&folder, "results", &[&units]);
    let (units, results) = (units.as_str(), results.as_str());
    let nowhere = folder.text("nowhere");
    let nowhere = nowhere.as_str();
    let place = folder.path().to_str().unwrap();
    for (arguments, word) in [
        (&["4", "--split", "4"][..], "--split: \"4\" is not a number from 0 to 3"),
        (&["4", "--split", "0", "--divide"], "--split: \"0\" is not a number from 1 to 3"),
        (&["0", "--split", "0"], "DEPTH"),
        (&["4", "--split", "2", "--hash", "4"], "--hash cannot be used with --split"),
        (&["4", "--split", "2", "--json"], "--json cannot be used with --split"),
        (&["--split", "2"], "DEPTH is missing"),
        (&["--units", nowhere], "nowhere"),
        (&["--units", place], "folder"),
        (&["--units", results], "not a header"),
        (&["4", "--units", units], "unexpected argument \"4\" after --units FILE"),
        (&["--units", units, "--range", "400..401"], "--range: \"400..401\" begins beyond"),
        (&["--units", units, "--range", "5"], "--range: \"5\" is no range"),
        (&["--units", units, "--game", "xiangqi"], "--game: \"xiangqi\""),
        (&["--units", units, "--fen", "kiwipete"], "--fen cannot be used with --units"),
        (&["--units", units, "--split", "2"], "--split cannot be used with --units"),
        (&["--merge", units], "RESULTS... is missing"),
        (&["--merge", units, nowhere], "nowhere"),
        (&["--merge", nowhere, results], "nowhere"),
        (&["--merge", units, place], "directory"),
        (&["--merge", units, results, "--divide"], "split without --divide"),
        (&["--merge", units, results, "--hash", "4"], "--hash cannot be used with --merge"),
        (&["4", "--range", "1..2"], "--range needs --units"),
        (&["4", "--verified"], "--verified needs --merge"),
    ] {
        run(&[&["perft"], arguments].concat()).assert_refused(&[word]);
    }
}

/// On Linux every write to `/dev/full` fails with "no space left".
#[test]
fn a_full_disk_is_an_error() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return crate::common::skip_or_fail("/dev/full", "a_full_disk_is_an_error");
    }
    let folder = Folder::new("full");
    let units = split(&folder, "units", &["5", "--split", "3"]);
    let results = count(&folder, "results", &[&units]);
    for arguments in
        [&["5", "--split", "3"][..], &["--units", &units], &["--merge", &units, &results], &["4", "--unique"]]
    {
        let mut command = tabiya(&[&["perft"], arguments].concat());
        let output = fs::File::options().write(true).open(full).unwrap();
        let child = command.stdout(output).stderr(Stdio::piped()).spawn().unwrap();
        let run = program::finish(child);
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.err.contains("cannot write the output"), "{arguments:?}: {}", run.err);
    }
}

/// The totals of a standard position, counted by units with statistics, against the suite.
#[test]
fn totals_of_the_suite() {
    let folder = Folder::new("suite");
    for name in ["position4", "position5", "position6"] {
        let (depth, nodes) = standard(name).within(by_build(5_000_000, 500_000)).last().unwrap();
        let (depth, plies) = (depth.to_string(), (depth - 2).to_string());
        let units = split(&folder, "units", &[&depth, "--fen", name, "--split", &plies]);
        let results = count(&folder, "results", &[&units, "--hash", "8"]);
        assert_merged(&units, &[&results], nodes);
    }
}
