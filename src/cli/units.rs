//! Distributed perft: `--split PLIES` writes work units, `--units FILE` counts them, `--merge FILE RESULTS…` adds up
//! the results.
//!
//! `crate::perft::{split, units, merge}` do the work.

use super::json;
use super::output::{self, counter, in_numbers};
use super::perft_options::Options;
use super::prelude::*;
use super::unique::memory;
use crate::game::Columns;
use crate::perft::count::{Counter, Settings};
use crate::perft::distinct::Limits;
use crate::perft::hashed::Countable;
use crate::perft::merge::{Contradiction, Merge, MergeError};
use crate::perft::quantity::Quantity;
use crate::perft::records::{Header, RunError};
use crate::perft::split::{self, Split};
use crate::perft::units::{self, Done, Job, Ranges, UnitReader};
use std::io::ErrorKind;
use std::sync::mpsc;
use std::thread::Builder;

/// `perft DEPTH --split PLIES`
pub(super) fn split<P: Variant>(root: &P, options: &Options, out: &mut Stdout) -> Outcome {
    let Options { depth, divide, plies, .. } = *options;
    let least = u32::from(divide);
    if depth <= least {
        let given = if divide { "--split --divide" } else { "--split" };
        return Err(format!("DEPTH: {given} needs a depth of at least {}", least + 1).into());
    }
    if !(least..depth).contains(&plies) {
        let most = depth - 1;
        return Err(format!("--split: \"{plies}\" is not a number from {least} to {most}").into());
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
    print_err(&format!("{units} units, {:.3} s", begin.elapsed().as_secs_f64()));
    Ok(())
}

/// The error of a run of the option `name`, `--split` or `--units`.
fn run_failure(name: &str, error: RunError) -> Failure {
    match error {
        RunError::Refused(reason) => format!("{name}: {reason}").into(),
        RunError::Output(error) => Failure::Output(error),
    }
}

/// The game of the units that the option `name` reads; an error if `--game` names another one.
fn game_of(name: &str, options: &Options, header: &Header) -> Outcome<Game> {
    let game = Game::read(&header.game).map_err(|reason| format!("{name}: {reason}"))?;
    match options.game.filter(|&given| given != game) {
        None => Ok(game),
        Some(given) => {
            let (given, found) = (quoted(given.name()), quoted(game.name()));
            Err(format!("--game: {given}, but the units are of {found}").into())
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

fn count_by<P: Variant, Q: Countable<P>>(mut reader: UnitReader, options: &Options, out: &mut Stdout) -> Outcome {
    let counter: Counter<P, Q> = counter(options)?;
    let Header { units: all, depth, plies, .. } = reader.header;
    let ranges = match &options.range {
        None => Ranges::one(0..all),
        Some(text) => Ranges::read(text, all).map_err(|reason| format!("--range: {reason}"))?,
    };
    let Settings { threads, seed, .. } = *counter.settings();
    // If there are few units, all threads count each one together.
    let together = ranges.units() < 2 * threads as u64;
    let left = depth - plies;
    let count = |pos: &P| match together {
        true => counter.total(pos, left),
        false => counter.total_here(pos, left),
    };
    let watch = Progress::new();
    let threads = if together { 1 } else { threads };
    let job = Job { threads, ranges, seed, watch: &watch };
    let begin = Instant::now();
    let done = with_writer(out, |emit| units::run(&mut reader, &job, count, emit));
    watch.clear();
    let done = done.map_err(|error| run_failure("--units", error))?;
    let (seconds, speed) = (begin.elapsed().as_secs_f64(), mnps(done.nodes, begin.elapsed()));
    print_err(&format!("{} units, {seconds:.3} s, {speed:.0} Mnps", done.units));
    Ok(())
}

/// Pause between two writes, in which the result lines of small units gather.
const WRITE_INTERVAL: Duration = Duration::from_millis(5);

/// Result lines that may gather before counting waits for the output.
const MAX_WAITING_LINES: usize = 1 << 12;

/// Runs `counting` and writes the lines that it passes to its argument to `out`. Lines are written whole, and at most
/// [`WRITE_INTERVAL`] late, since a killed run should leave its results behind.
fn with_writer(
    out: &mut Stdout,
    counting: impl FnOnce(&(dyn Fn(String) -> io::Result<()> + Sync)) -> Result<Done, RunError>,
) -> Result<Done, RunError> {
    let (sender, receiver) = mpsc::sync_channel::<String>(MAX_WAITING_LINES);
    let writing = move || -> io::Result<()> {
        while let Ok(mut lines) = receiver.recv() {
            receiver.try_iter().for_each(|line| lines += &line);
            out.write_all(lines.as_bytes())?;
            out.flush()?;
            // Small units can finish in millions a minute; without the pause each would cost a system call.
            std::thread::sleep(WRITE_INTERVAL);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let writer = Builder::new().spawn_scoped(scope, writing).map_err(RunError::Output)?;
        // Sending fails if the writer thread has failed; joining it gives the error.
        let done = counting(&|line| sender.send(line).map_err(|_| ErrorKind::BrokenPipe.into()));
        drop(sender);
        match writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            Ok(()) => done,
            Err(error) => Err(RunError::Output(error)),
        }
    })
}

/// Warnings printed one by one; further ones are only counted.
const MAX_WARNINGS: u64 = 20;

/// Most ranges in a printed command. If there are more, ranges are joined across units that are already done.
const MAX_RANGES: usize = 200;

/// `perft --merge FILE RESULTS…`
pub(super) fn merge(options: &Options, out: &mut Stdout) -> Outcome {
    match options.stats {
        Some(_) => merge_by::<Columns<u128>>(options, out),
        None => merge_by::<u128>(options, out),
    }
}

fn merge_by<Q: Quantity>(options: &Options, out: &mut Stdout) -> Outcome {
    let merge = Merge::<Q>::new(&options.file);
    let mut merge = merge.map_err(|error| merge_failure(error, out))?;
    let game = game_of("--merge", options, &merge.header)?;
    if options.divide && merge.header.moves.is_none() {
        return Err("--divide: the units were split without --divide".into());
    }
    let mut warnings = 0;
    for results in &options.files {
        let on_warning = |warning: String| {
            warnings += 1;
            if warnings <= MAX_WARNINGS {
                warn(&warning);
            }
        };
        merge.add(results, on_warning).map_err(|error| merge_failure(error, out))?;
    }
    if warnings > MAX_WARNINGS {
        warn(&format!("{} more lines left out", warnings - MAX_WARNINGS));
    }
    check_complete(&merge, options, out)?;
    let sum = merge.sum(options.divide).map_err(|error| merge_failure(error, out))?;
    let sum = in_numbers(sum.moves.into_iter(), sum.total);
    let Header { fen, depth, units, .. } = &merge.header;
    let (results, left_out) = (merge.results, merge.left_out);
    let facts = |object: Object| {
        object.raw("units", units).raw("results", results).raw("left_out", left_out).raw("verified", options.verified)
    };
    by_game!(game, P => output::print::<P>(&sum, (fen, *depth), options, facts, out))?;
    if !options.json {
        print_err(&format!("{units} units, {results} results, {left_out} lines left out"));
    }
    Ok(())
}

/// Prints a contradiction between two results on `out`; returns the failure.
fn merge_failure(error: MergeError, out: &mut Stdout) -> Failure {
    match error {
        MergeError::Input(reason) => format!("--merge: {reason}").into(),
        MergeError::Contradiction(found) => {
            let Contradiction { number, fen, first, second, column } = *found;
            let what = column.map_or(String::new(), |column| format!(" in {column}"));
            let printed = writeln!(
                out,
                "two results of unit {number} differ{what}: {} sequences with seed {}, {} with seed {}\n\
                 fen: {fen}",
                first.0, first.1, second.0, second.1
            );
            match printed.and_then(|()| out.flush()) {
                Ok(()) => Failure::Difference,
                Err(error) => Failure::Output(error),
            }
        }
    }
}

/// Checks that every unit has its results. If not, prints the missing ranges on stdout and the commands that complete
/// the run on stderr, and fails.
fn check_complete<Q: Quantity>(merge: &Merge<Q>, options: &Options, out: &mut Stdout) -> Outcome {
    let verified = options.verified;
    // With `verified`, a unit without any result is in both.
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
        writeln!(out, "{object}")?;
    } else {
        for range in wanted.as_slice() {
            writeln!(out, "{}..{}", range.start, range.end)?;
        }
    }
    out.flush()?;
    let what = if verified { "results with two seeds" } else { "a result" };
    let (missing, all) = (wanted.units(), merge.header.units);
    let mut text = format!("tabiya: {missing} of {all} units lack {what}; to complete the run:\n");
    let (path, seed) = (shell_word(&options.file), merge.fresh_seed());
    let stats = if options.stats.is_some() { " --stats" } else { "" };
    let commands = match verified {
        true => vec![(second, format!(" --seed {seed}")), (first, format!(" --seed {}", seed + 1))],
        false => vec![(first, String::new())],
    };
    for (ranges, seed) in commands.into_iter().filter(|(ranges, _)| ranges.units() > 0) {
        let (mut short, mut gap) = (ranges.clone(), 1);
        while short.as_slice().len() > MAX_RANGES {
            (short, gap) = (ranges.joined(gap), gap * 2);
        }
        let range = short.text();
        text += &format!("  tabiya perft --units {path} --range {range}{seed}{stats} >> MORE_RESULTS\n");
    }
    let _ = write!(io::stderr(), "{text}");
    Err(Failure::Difference)
}

/// Quotes a word for a shell's command line.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
