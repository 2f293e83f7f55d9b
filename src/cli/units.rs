//! `tabiya perft DEPTH --split PLIES`, `--units FILE` and `--merge FILE RESULTS…`: one run on many machines.
//!
//! Called by `cli::perft`; the work is done by `crate::perft::{split, units, merge}`.

use super::failure::{Failure, warn};
use super::games::{Game, Offered};
use super::json::Object;
use super::perft_options::Options;
use super::progress::Progress;
use super::shown::{Shown, counter};
use super::unique::memory;
use crate::chess;
use crate::game::columns::COUNTED_NAMES;
use crate::game::notation::{FenReader, quoted};
use crate::game::{Columns, NotationError};
use crate::perft::count::{Counter, Divide, Settings};
use crate::perft::distinct::Limits;
use crate::perft::merge::{Contradiction, Merge, MergeError};
use crate::perft::quantity::Quantity;
use crate::perft::records::{Header, RunError};
use crate::perft::split::{self, Split};
use crate::perft::units::{self, Done, Job, Ranges, UnitReader};
use crate::xiangqi;
use std::io::{self, ErrorKind, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// `perft DEPTH --split PLIES`
pub(super) fn split<P: Offered>(
    root: &P,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), Failure> {
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
    match written {
        Ok(units) => {
            let seconds = begin.elapsed().as_secs_f64();
            let _ = writeln!(std::io::stderr(), "{units} units, {seconds:.3} s");
            Ok(())
        }
        Err(RunError::Refused(reason)) => Err(format!("--split: {reason}").into()),
        Err(RunError::Output(error)) => Err(Failure::Output(error)),
    }
}

/// The names of the columns of statistics behind the number of sequences.
fn column_names(options: &Options) -> &'static [&'static str] {
    if options.stats.is_some() { &COUNTED_NAMES[1..] } else { &[] }
}

/// The statistics of the number of sequences and the columns.
fn statistics(numbers: &[u128]) -> Columns<u128> {
    Columns::from_numbers(numbers).unwrap_or_default()
}

/// Refuses a `--game` that is not that of the units.
fn check_game(options: &Options, header: &Header) -> Result<(), Failure> {
    match options.game.map(Game::name) {
        Some(game) if game != header.game => {
            let (given, found) = (quoted(game), quoted(&header.game));
            Err(format!("--game: {given}, but the units are of the game {found}").into())
        }
        _ => Ok(()),
    }
}

fn strange_game(name: &str, header: &Header) -> Failure {
    let game = quoted(&header.game);
    format!("{name}: {game} is no game; expected chess or xiangqi").into()
}

/// `perft --units FILE`
pub(super) fn count(options: &Options, out: &mut (impl Write + Send)) -> Result<(), Failure> {
    let reader = match options.file.as_str() {
        "-" => UnitReader::stream(std::io::stdin()),
        path => UnitReader::open(path),
    };
    let reader = reader.map_err(|reason| format!("--units: {:?}: {reason}", options.file))?;
    check_game(options, &reader.header)?;
    match reader.header.game.as_str() {
        chess::Position::NAME => count_of::<chess::Position>(reader, options, out),
        xiangqi::Position::NAME => count_of::<xiangqi::Position>(reader, options, out),
        _ => Err(strange_game("--units", &reader.header)),
    }
}

fn count_of<P: Offered>(
    reader: UnitReader,
    options: &Options,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let settings = options.settings::<P>()?;
    match options.stats {
        Some(_) => count_by::<P, Columns<u128>>(&counter(settings)?, reader, options, out),
        None => count_by::<P, u128>(&counter(settings)?, reader, options, out),
    }
}

fn count_by<P: Offered, Q: Shown<P>>(
    counter: &Counter<P, Q>,
    mut reader: UnitReader,
    options: &Options,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let Header { units: all, depth, plies, .. } = reader.header;
    let ranges = match &options.range {
        None => Ranges::one(0..all),
        Some(text) => Ranges::read(text, all).map_err(|reason| format!("--range: {reason}"))?,
    };
    let Settings { threads, seed, .. } = *counter.settings();
    // Few units are counted one after the other, each by all threads.
    let together = ranges.units() < 2 * threads as u64;
    let left = depth - plies;
    let count = |pos: &P| -> Vec<u128> {
        let total = |pos, left| match together {
            true => counter.total(pos, left),
            false => counter.total_here(pos, left),
        };
        total(pos, left).numbers()
    };
    let watch = Progress::new();
    let columns = column_names(options);
    let threads = if together { 1 } else { threads };
    let job = Job { threads, ranges, seed, columns, watch: &watch };
    let begin = Instant::now();
    let done = written(out, |emit| units::run(&mut reader, &job, count, emit));
    watch.clear();
    match done {
        Ok(done) => {
            let seconds = begin.elapsed().as_secs_f64();
            let speed = done.nodes as f64 / seconds.max(1e-9) / 1e6;
            let units = done.units;
            let _ = writeln!(std::io::stderr(), "{units} units, {seconds:.3} s, {speed:.0} Mnps");
            Ok(())
        }
        Err(RunError::Refused(reason)) => Err(format!("--units: {reason}").into()),
        Err(RunError::Output(error)) => Err(Failure::Output(error)),
    }
}

/// Time between two writes, in which the lines of small units gather.
const GATHERED: Duration = Duration::from_millis(5);

/// Lines that may gather before counting waits for the output.
const LINES: usize = 1 << 12;

/// Runs `counting`, which hands lines to its argument, and writes them to `out`: whole, and at once or after
/// [`GATHERED`], since they are what a killed run leaves behind.
fn written(
    out: &mut (impl Write + Send),
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
pub(super) fn merge(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    if options.files.is_empty() {
        return Err("--merge: expected files of results after FILE".into());
    }
    let merge = Merge::new(&options.file, column_names(options));
    let mut merge = merge.map_err(|error| merge_failure(error, out))?;
    check_game(options, &merge.header)?;
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
    let (first, second) = merge.missing(options.verified);
    if first.units() + second.units() > 0 {
        return missing(&merge, &first, &second, options, out);
    }
    let sum = merge.sum(options.divide).map_err(|error| merge_failure(error, out))?;
    match merge.header.game.as_str() {
        chess::Position::NAME => print::<chess::Position>(&merge, sum, options, out),
        xiangqi::Position::NAME => print::<xiangqi::Position>(&merge, sum, options, out),
        _ => Err(strange_game("--merge", &merge.header)),
    }
}

/// Tells of a contradiction on `out`; the rest is for stderr.
fn merge_failure(error: MergeError, out: &mut impl Write) -> Failure {
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

/// Tells which units are missing: ranges on stdout, commands to complete the run on stderr.
fn missing(
    merge: &Merge,
    first: &Ranges,
    second: &Ranges,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), Failure> {
    // Units that need a second result may have none: those are among both.
    let verified = options.verified;
    let wanted = if verified { second } else { first };
    if options.json {
        let texts: Vec<String> =
            wanted.as_slice().iter().map(|r| format!("\"{}..{}\"", r.start, r.end)).collect();
        let object = Object::new()
            .raw("units", merge.header.units)
            .raw("missing", wanted.units())
            .raw("ranges", format_args!("[{}]", texts.join(",")));
        writeln!(out, "{}", object.finish())?;
    } else {
        for range in wanted.as_slice() {
            writeln!(out, "{}..{}", range.start, range.end)?;
        }
    }
    out.flush()?;
    let seed = merge.fresh_seed();
    let mut commands = Vec::new();
    let mut command = |ranges: &Ranges, seed: Option<u64>| {
        if ranges.units() > 0 {
            let (mut short, mut gap) = (ranges.clone(), 1);
            while short.as_slice().len() > COMMAND_RANGES {
                (short, gap) = (ranges.joined(gap), gap * 2);
            }
            let seed = seed.map_or(String::new(), |seed| format!(" --seed {seed}"));
            let stats = if options.stats.is_some() { " --stats" } else { "" };
            let path = shell_word(&options.file);
            commands
                .push(format!("tabiya perft --units {path} --range {}{seed}{stats}", short.text()));
        }
    };
    if verified {
        command(second, Some(seed));
        command(first, Some(seed + 1));
    } else {
        command(first, None);
    }
    let what = if verified { "results with two seeds" } else { "a result" };
    let (lacking, all) = (wanted.units(), merge.header.units);
    let mut text = format!("tabiya: {lacking} of {all} units lack {what}; to complete the run:\n");
    commands.iter().for_each(|command| text += &format!("  {command} >> MORE_RESULTS\n"));
    let _ = write!(std::io::stderr(), "{text}");
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

/// Prints the sum of a run as any perft does.
fn print<P: Offered>(
    merge: &Merge,
    sum: Divide<String, Vec<u128>>,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let header = &merge.header;
    let fault = |e: NotationError| Failure::Usage(format!("--merge: the header: {e}"));
    let pos = P::read_fen(&header.fen, &mut FenReader::lenient()).map_err(fault)?;
    let mut moves = sum.moves;
    moves.sort();
    // The moves were written as those of Chess960 if they do not read as anything else.
    let plain = moves.iter().all(|(m, _)| pos.parse_move(m).is_ok());
    let pos = if plain { pos } else { pos.with_chess960() };
    let nodes = sum.total.first().copied().unwrap_or_default();
    let divide = || -> Result<Divide<P::Move, Columns<u128>>, Failure> {
        let row = |(m, row): &(String, Vec<u128>)| Ok((pos.parse_move(m)?, statistics(row)));
        let moves: Result<_, NotationError> = moves.iter().map(row).collect();
        Ok(Divide { moves: moves.map_err(fault)?, total: statistics(&sum.total) })
    };
    if options.json {
        let mut object = Object::new()
            .string("game", &header.game)
            .string("fen", &header.fen)
            .raw("depth", header.depth)
            .raw("nodes", nodes)
            .raw("units", header.units)
            .raw("results", merge.results)
            .raw("left_out", merge.left_out)
            .raw("verified", options.verified);
        if options.divide {
            let add = |object: Object, (m, row): &(String, Vec<u128>)| {
                object.raw(m, row.first().copied().unwrap_or_default())
            };
            object = object.raw("divide", moves.iter().fold(Object::new(), add).finish());
        }
        if options.stats.is_some() {
            object = Columns::json(&pos, &divide()?, options, object);
        }
        writeln!(out, "{}", object.finish())?;
        return Ok(out.flush()?);
    }
    if options.stats.is_some() {
        Columns::text(&pos, &divide()?, options, out)?;
    } else if options.divide {
        for (m, row) in &moves {
            writeln!(out, "{m}: {}", row.first().copied().unwrap_or_default())?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {nodes}")?;
    out.flush()?;
    let (units, results, left_out) = (header.units, merge.results, merge.left_out);
    let _ =
        writeln!(std::io::stderr(), "{units} units, {results} results, {left_out} lines left out");
    Ok(())
}
