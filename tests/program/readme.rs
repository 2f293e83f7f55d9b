//! Checks the transcripts of the README and of the manual in `src/guide`: runs every command after a prompt in the
//! project's root and compares its output line by line. Times and speeds may differ; `…` is any number of lines.
//!
//! A block that runs `tabiya` without arguments is a dialogue: lines that are commands are sent, all others are the
//! expected output. Other blocks run in bash, with `tabiya` and the example `my-engine` on the path, and with the
//! tables of `tests/data` as `~/syzygy`.
#![cfg(unix)]

use crate::common::engine::Engine;
use crate::common::pipe::Pipe;
use crate::common::program::{Folder, Run, finish, own, start};
use crate::common::{root, skip_or_fail};
use std::collections::{BTreeSet, HashMap};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

/// The command that begins a dialogue.
const DIALOGUE: &str = "tabiya";
/// Any number of lines.
const OMITTED: &str = "…";

/// The engine of the recipes, an example that Cargo builds with all tests.
fn my_engine() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_tabiya")).with_file_name("examples").join("my-engine")
}

/// A command of a block and the lines after it.
struct Step {
    command: String,
    output: Vec<String>,
}

/// The blocks of a page that contain a prompt.
fn transcripts(page: &str) -> Vec<Vec<Step>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.by_ref().any(|line| line.starts_with("```")) {
        let mut steps: Vec<Step> = Vec::new();
        let mut block = lines.by_ref().take_while(|line| !line.starts_with("```"));
        while let Some(line) = block.next() {
            if let Some(command) = line.strip_prefix("$ ") {
                let mut command = command.to_string();
                while command.ends_with('\\') {
                    command.push('\n');
                    command.push_str(block.next().expect("a line behind the backslash"));
                }
                steps.push(Step { command, output: Vec::new() });
            } else if let Some(step) = steps.last_mut() {
                step.output.push(line.to_string());
            }
        }
        if !steps.is_empty() {
            blocks.push(steps);
        }
    }
    blocks
}

/// A line without the numbers that vary from run to run.
fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_time = |i: usize| i > 0 && matches!(words[i - 1], "time" | "nps");
    let masked = |i: usize| if is_time(i) && line.starts_with("info ") { "_" } else { words[i] };
    (0..words.len()).map(masked).collect::<Vec<_>>().join(" ")
}

/// The first line of `expected` that is missing in `printed`, if any.
fn difference(expected: &[String], printed: &[String]) -> Option<String> {
    let mut printed = printed.iter().map(|line| masked(line)).peekable();
    let mut expected = expected.iter();
    while let Some(line) = expected.next() {
        if line == OMITTED {
            let next = masked(expected.next()?);
            if !printed.any(|line| line == next) {
                return Some(format!("{next:?} is not printed"));
            }
            continue;
        }
        match printed.next() {
            Some(found) if found == masked(line) => {}
            found => return Some(format!("{found:?} is printed instead of {line:?}")),
        }
    }
    printed.next().map(|line| format!("{line:?} is printed as well"))
}

/// Runs a dialogue: each line that begins with a command is sent after the output before it has arrived.
fn dialogue(lines: &[String]) -> Result<(), String> {
    let is_command = |line: &String| line.split(' ').next().is_some_and(tabiya::protocol::is_command);
    let mut pipe = Pipe::start();
    let mut printed = Vec::new();
    for turn in lines.chunk_by(|a, b| is_command(a) == is_command(b)) {
        if is_command(&turn[0]) {
            for line in turn.iter() {
                pipe.send(line);
            }
            continue;
        }
        let last = turn.last().and_then(|line| line.split(' ').next()).unwrap_or_default();
        printed.extend(pipe.until(last));
    }
    pipe.close();
    printed.extend(pipe.rest());
    let awaited: Vec<String> = lines.iter().filter(|line| !is_command(line)).cloned().collect();
    difference(&awaited, &printed).map_or(Ok(()), Err)
}

/// A program that `command` needs and that is not installed.
fn missing_peer(command: &str) -> Option<&'static str> {
    let fairy = command.contains("fairy-stockfish");
    if fairy && Engine::fairy_stockfish().is_none() {
        return Some("Fairy-Stockfish");
    }
    if !fairy && command.contains("stockfish") && Engine::stockfish().is_none() {
        return Some("Stockfish");
    }
    (command.contains("my-engine") && !my_engine().exists()).then_some("my-engine (cargo build --example my-engine)")
}

/// What bash runs for the last command of a block's beginning.
fn script(steps: &[Step]) -> Option<String> {
    let (step, before) = steps.split_last()?;
    let missing = step.command == DIALOGUE || missing_peer(&step.command).is_some();
    let before = before.iter().map(|step| format!("{} >/dev/null 2>&1\n", step.command));
    (!missing).then(|| before.chain([step.command.clone()]).collect())
}

/// Runs a script in bash.
fn shell(script: &str, programs: &Path) -> Run {
    let path = env::var("PATH").unwrap_or_default();
    let mut bash = Command::new("bash");
    bash.args(["-c", script])
        .env("PATH", format!("{}:{path}:/usr/games", programs.display()))
        .env("HOME", root().join("tests/data"))
        .current_dir(root())
        .stdin(Stdio::null());
    finish(start(&mut bash))
}

/// The runs of all scripts. Several pages may show the same one.
type Runs = HashMap<String, Run>;

/// Runs the scripts of all blocks, four side by side.
fn run_all(blocks: &[Vec<Step>], programs: &Path) -> Runs {
    let scripts = blocks.iter().flat_map(|block| (1..=block.len()).filter_map(|length| script(&block[..length])));
    let scripts = Mutex::new(BTreeSet::from_iter(scripts));
    let runs = Mutex::new(Runs::new());
    let next = || scripts.lock().unwrap().pop_first();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(script) = next() {
                    let run = shell(&script, programs);
                    runs.lock().unwrap().insert(script, run);
                }
            });
        }
    });
    runs.into_inner().unwrap()
}

/// The README and the pages of the manual.
fn pages() -> Vec<String> {
    let guide = fs::read_dir(root().join("src/guide")).unwrap();
    let paths = guide.map(|entry| entry.unwrap().path()).chain([root().join("README.md")]);
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn every_transcript_is_what_the_program_prints() {
    let programs = Folder::new("readme");
    symlink(own(), programs.at("tabiya")).unwrap();
    symlink(my_engine(), programs.at("my-engine")).unwrap();
    let mut faults = Vec::new();
    let blocks: Vec<Vec<Step>> = pages().iter().flat_map(|page| transcripts(page)).collect();
    let (mut dialogues, runs) = (0, run_all(&blocks, programs.path()));
    for block in &blocks {
        for (i, step) in block.iter().enumerate() {
            let result = if step.command == DIALOGUE {
                dialogues += 1;
                dialogue(&step.output)
            } else if let Some(peer) = missing_peer(&step.command) {
                skip_or_fail(peer, &format!("transcript: {}", step.command));
                continue;
            } else {
                let run = &runs[&script(&block[..=i]).expect("all peers are there")];
                let printed: Vec<String> = run.out.lines().map(String::from).collect();
                difference(&step.output, &printed).map_or(Ok(()), |found| Err(format!("{found}\n{}", run.err)))
            };
            if let Err(reason) = result {
                faults.push(format!("$ {}\n{reason}", step.command));
            }
        }
    }
    assert!(faults.is_empty(), "{} transcripts differ:\n{}", faults.len(), faults.join("\n\n"));
    assert!(dialogues >= 3, "{dialogues} dialogues");
}
