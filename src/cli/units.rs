//! `tabiya perft DEPTH --split PLIES`, `--units FILE` and `--merge FILE RESULTS…`: one run on many machines.
//!
//! Called by `cli::perft`; the work is done by `crate::perft::{split, units, merge}`.

use super::failure::{Failure, Outcome, tell, warn};
use super::games::{Game, Offered, by_game};
use super::json::{self, Object};
use super::perft_options::Options;
use super::progress::Progress;
use super::shown::{self, counter};
use super::unique::memory;
use crate::game::Columns;
use crate::game::columns::COUNTED_NAMES;
use crate::game::notation::quoted;
use crate::perft::count::{Counter, Settings};
use crate::perft::distinct::Limits;
use crate::perft::hashed::Countable;
use crate::perft::merge::{Contradiction, Merge, MergeError};
use crate::perft::records::{Header, RunError};
use crate::perft::split::{self, Split};
use crate::perft::units::{self, Done, Job, Ranges, UnitReader};
use std::io::{self, ErrorKind, Stdout, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// `perft DEPTH --split PLIES`
pub(super) fn split<P: Offered>(root: &P, options: &Options, out: &mut Stdout) -> Outcome {
    let Options { depth, divide, plies, .. } = *options;
    let least = u32::from(divide);
    if depth <= least {
        let given = if divide { "--split --divide" } else { "--split" };
        return Err(format!("DEPTH: {given} needs a depth of at least {}", least + 1).into());
    }
    if !(least..depth).contains(&plies) {
        let most = depth - 1;
        return Err(format!("--split: \"{plies}\" is no number from {least} to {most}").into());
    }
    let Settings { threads, seed, .. } = options.settings::<P>()?;
    let limits = Limits::new(threads, memory(options)?);
    let split = Split { game: P::NAME.into(), depth, plies, divide, seed };
    let watch = Progress::new();
    let begin = Instant::now();
    let mut out = std::io::BufWriter::with_capacity(1 << 16, out);
    let written = split::write(root, &split, limits, &mut out, &watch);
    watch.clear();
    let units = written.map_err(|error| run_failure("--split", error))?;
    tell(&format!("{units} units, {:.3} s", begin.elapsed().as_secs_f64()));
    Ok(())
}

/// Why the units that the option `name` is about were not all written or counted.
fn run_failure(name: &str, error: RunError) -> Failure {
    match error {
        RunError::Refused(reason) => format!("{name}: {reason}").into(),
        RunError::Output(error) => Failure::Output(error),
    }
}

/// The names of the columns of statistics behind the number of sequences.
fn column_names(options: &Options) -> &'static [&'static str] {
    if options.stats.is_some() { &COUNTED_NAMES[1..] } else { &[] }
}

/// The game of the units that the option `name` is about: that of `--game`, if it is given.
fn game_of(name: &str, options: &Options, header: &Header) -> Outcome<Game> {
    let game = Game::read(&header.game).map_err(|reason| format!("{name}: {reason}"))?;
    match options.game.filter(|&given| given != game) {
        None => Ok(game),
        Some(given) => {
            let (given, found) = (quoted(given.name()), quoted(game.name()));
            Err(format!("--game: {given}, but the units are of the game {found}").into())
        }
    }
}

/// `perft --units FILE`
pub(super) fn count(options: &Options, out: &mut Stdout) -> Outcome {
    let reader = match options.file.as_str() {
        "-" => UnitReader::stream(std::io::stdin()),
        path => UnitReader::open(path),
    };
    let reader = reader.map_err(|reason| format!("--units: {:?}: {reason}", options.file))?;
    by_game!(game_of("--units", options, &reader.header)?, P => match options.stats {
        Some(_) => count_by::<P, Columns<u128>>(reader, options, out),
        None => count_by::<P, u128>(reader, options, out),
    })
}

fn count_by<P: Offered, Q: Countable<P>>(
    mut reader: UnitReader,
    options: &Options,
    out: &mut Stdout,
) -> Outcome {
    let counter: Counter<P, Q> = counter(options)?;
    let Header { units: all, depth, plies, .. } = reader.header;
    let ranges = match &options.range {
        None => Ranges::one(0..all),
        Some(text) => Ranges::read(text, all).map_err(|reason| format!("--range: {reason}"))?,
    };
    let Settings { threads, seed, .. } = *counter.settings();
    // Few units are counted one after the other, each by all threads.
    let together = ranges.units() < 2 * threads as u64;
    let left = depth - plies;
    let count = |pos: &P| match together {
        true => counter.total(pos, left).numbers(),
        false => counter.total_here(pos, left).numbers(),
    };
    let watch = Progress::new();
    let columns = column_names(options);
    let threads = if together { 1 } else { threads };
    let job = Job { threads, ranges, seed, columns, watch: &watch };
    let begin = Instant::now();
    let done = written(out, |emit| units::run(&mut reader, &job, count, emit));
    watch.clear();
    let done = done.map_err(|error| run_failure("--units", error))?;
    let seconds = begin.elapsed().as_secs_f64();
    let speed = done.nodes as f64 / seconds.max(1e-9) / 1e6;
    tell(&format!("{} units, {seconds:.3} s, {speed:.0} Mnps", done.units));
    Ok(())
}

/// Time between two writes, in which the lines of small units gather.
const GATHERED: Duration = Duration::from_millis(5);

/// Lines that may gather before counting waits for the output.
const LINES: usize = 1 << 12;

/// Runs `counting`, which hands lines to its argument, and writes them to `out`: whole, and at once or after
/// [`GATHERED`], since they are what a killed run leaves behind.
fn written(
    out: &mut Stdout,
    counting: impl FnOnce(&(dyn Fn(String) -> io::Result<()> + Sync)) -> Result<Done, RunError>,
) -> Result<Done, RunError> {
    let (sender, receiver) = mpsc::sync_channel::<String>(LINES);
    let writing = move || -> io::Result<()> {
        while let Ok(mut lines) = receiver.recv() {
            receiver.try_iter().for_each(|line| lines += &line);
            out.write_all(lines.as_bytes())?;
            out.flush()?;
            // Millions of units a minute would cost as many calls of the system.
            std::thread::sleep(GATHERED);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let writer = scope.spawn(writing);
        // The writer is gone if it has failed; why is known when it is joined.
        let done = counting(&|line| sender.send(line).map_err(|_| ErrorKind::BrokenPipe.into()));
        drop(sender);
        match writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            Ok(()) => done,
            Err(error) => Err(RunError::Output(error)),
        }
    })
}

/// Warnings that are printed one by one.
const WARNINGS: u64 = 20;

/// Ranges of a printed command; more of them are joined over units that are done already.
const COMMAND_RANGES: usize = 200;

/// `perft --merge FILE RESULTS…`
pub(super) fn merge(options: &Options, out: &mut Stdout) -> Outcome {
    let merge = Merge::new(&options.file, column_names(options));
    let mut merge = merge.map_err(|error| merge_failure(error, out))?;
    let game = game_of("--merge", options, &merge.header)?;
    if options.divide && merge.header.moves.is_none() {
        return Err("--divide: the units were split without --divide".into());
    }
    let mut warnings = 0;
    for results in &options.files {
        let told = |warning: String| {
            warnings += 1;
            if warnings <= WARNINGS {
                warn(&warning);
            }
        };
        merge.add(results, told).map_err(|error| merge_failure(error, out))?;
    }
    if warnings > WARNINGS {
        warn(&format!("{} more lines left out", warnings - WARNINGS));
    }
    complete(&merge, options, out)?;
    let mut sum = merge.sum(options.divide).map_err(|error| merge_failure(error, out))?;
    sum.moves.sort();
    let Header { fen, depth, units, .. } = &merge.header;
    let (results, left_out) = (merge.results, merge.left_out);
    let facts = |object: Object| {
        object
            .raw("units", units)
            .raw("results", results)
            .raw("left_out", left_out)
            .raw("verified", options.verified)
    };
    by_game!(game, P => shown::print::<P>(&sum, (fen, *depth), options, facts, out))?;
    if !options.json {
        tell(&format!("{units} units, {results} results, {left_out} lines left out"));
    }
    Ok(())
}

/// Tells of a contradiction on `out`; the rest is for stderr.
fn merge_failure(error: MergeError, out: &mut Stdout) -> Failure {
    match error {
        MergeError::Input(reason) => format!("--merge: {reason}").into(),
        MergeError::Contradiction(found) => {
            let Contradiction { number, fen, first, second, column } = *found;
            let what = column.map_or(String::new(), |column| format!(" in {column}"));
            let told = writeln!(
                out,
                "two results of unit {number} differ{what}: {} sequences with seed {}, {} with seed {}\n\
                 fen: {fen}",
                first.0, first.1, second.0, second.1
            );
            match told.and_then(|()| out.flush()) {
                Ok(()) => Failure::Difference,
                Err(error) => Failure::Output(error),
            }
        }
    }
}

/// Whether every unit has its results; tells which do not: ranges on stdout, commands to complete the run on stderr.
fn complete(merge: &Merge, options: &Options, out: &mut Stdout) -> Outcome {
    let verified = options.verified;
    // Units that need a second result may have none: those are among both.
    let (first, second) = &merge.missing(verified);
    let wanted = if verified { second } else { first };
    if first.units() + second.units() == 0 {
        return Ok(());
    }
    if options.json {
        let texts = wanted.as_slice().iter().map(|r| format!("\"{}..{}\"", r.start, r.end));
        let object = Object::new()
            .raw("units", merge.header.units)
            .raw("missing", wanted.units())
            .raw("ranges", json::list(texts));
        writeln!(out, "{}", object.finish())?;
    } else {
        for range in wanted.as_slice() {
            writeln!(out, "{}..{}", range.start, range.end)?;
        }
    }
    out.flush()?;
    let what = if verified { "results with two seeds" } else { "a result" };
    let (lacking, all) = (wanted.units(), merge.header.units);
    let mut text = format!("tabiya: {lacking} of {all} units lack {what}; to complete the run:\n");
    let (path, seed) = (shell_word(&options.file), merge.fresh_seed());
    let stats = if options.stats.is_some() { " --stats" } else { "" };
    let commands = match verified {
        true => vec![(second, format!(" --seed {seed}")), (first, format!(" --seed {}", seed + 1))],
        false => vec![(first, String::new())],
    };
    for (ranges, seed) in commands.into_iter().filter(|(ranges, _)| ranges.units() > 0) {
        let (mut short, mut gap) = (ranges.clone(), 1);
        while short.as_slice().len() > COMMAND_RANGES {
            (short, gap) = (ranges.joined(gap), gap * 2);
        }
        let range = short.text();
        text += &format!(
            "  tabiya perft --units {path} --range {range}{seed}{stats} >> MORE_RESULTS\n"
        );
    }
    let _ = write!(io::stderr(), "{text}");
    Err(Failure::Difference)
}

/// A word of a shell's command line.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
