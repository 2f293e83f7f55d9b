//! `tabiya perft DEPTH --split PLIES`, `--units FILE` and `--merge FILE RESULTS…`: one run on many machines.
//!
//! Called by `cli::perft`; the work is done by `crate::perft::{split, units, merge}`.

use super::args::Args;
use super::failure::Failure;
use super::games::Offered;
use super::json::Object;
use super::perft_options::{FLAGS, OPTIONS, exclude, settings};
use super::progress::Progress;
use super::shown::{Shown, counter, wants_columns};
use super::unique::memory;
use crate::chess;
use crate::game::columns::{COUNTED, COUNTED_NAMES};
use crate::game::notation::{FenReader, quoted};
use crate::game::{Columns, NotationError};
use crate::perft::count::{Counter, Divide, Settings};
use crate::perft::distinct::Limits;
use crate::perft::merge::{Contradiction, Merge, MergeError, Sum};
use crate::perft::records::Header;
use crate::perft::split::{self, Split, SplitError};
use crate::perft::units::{self, Done, Job, Ranges, Reader, UnitsError};
use crate::xiangqi;
use std::io::{self, ErrorKind, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Refuses every option of `perft` but those of `allowed`.
fn allow(args: &Args, name: &str, allowed: &[&'static str]) -> Result<(), Failure> {
    let all = FLAGS.iter().chain(OPTIONS).map(|option| option.trim_end_matches('='));
    let others: Vec<&'static str> = all.filter(|option| !allowed.contains(option)).collect();
    exclude(args, name, &others)
}

/// `perft DEPTH --split PLIES`
pub(super) fn split<P: Offered>(
    root: &P,
    depth: u32,
    args: &Args,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let allowed =
        ["--split", "--fen", "--game", "--divide", "--chess960", "--seed", "--threads", "--memory"];
    allow(args, "--split", &allowed)?;
    let divide = args.flag("--divide");
    let Some(most) = depth.checked_sub(1) else {
        return Err(Failure::Usage("DEPTH: --split needs a depth of at least 1".into()));
    };
    let range = u128::from(divide)..=u128::from(most);
    if range.is_empty() {
        return Err(Failure::Usage("DEPTH: --split --divide needs a depth of at least 2".into()));
    }
    let plies = args.number("--split", 0, range)? as u32;
    let Settings { threads, seed, .. } = settings::<P>(args)?;
    let limits = Limits::new(threads, memory(args)?);
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
        Err(SplitError::Refused(reason)) => Err(Failure::Usage(format!("--split: {reason}"))),
        Err(SplitError::Output(error)) => Err(Failure::Output(error)),
    }
}

/// The names of the columns of statistics behind the number of sequences.
fn column_names(args: &Args) -> Result<Vec<&'static str>, Failure> {
    let names = &COUNTED_NAMES[1..];
    Ok(if wants_columns(args)? { names.to_vec() } else { Vec::new() })
}

/// The statistics of the number of sequences and the columns.
fn statistics(numbers: &[u128]) -> Columns<u128> {
    let mut counted = [0; COUNTED];
    counted.iter_mut().zip(numbers).for_each(|(place, &n)| *place = n);
    Columns::from_counted(counted)
}

/// Refuses a `--game` that is not that of the units.
fn check_game(args: &Args, header: &Header) -> Result<(), Failure> {
    match args.value("--game") {
        Some(game) if game != header.game => {
            let (given, found) = (quoted(game), quoted(&header.game));
            Err(Failure::Usage(format!("--game: {given}, but the units are of the game {found}")))
        }
        _ => Ok(()),
    }
}

fn strange_game(name: &str, header: &Header) -> Failure {
    let game = quoted(&header.game);
    Failure::Usage(format!("{name}: {game} is no game; expected chess or xiangqi"))
}

/// `perft --units FILE`
pub(super) fn count(args: &Args, out: &mut (impl Write + Send)) -> Result<(), Failure> {
    let allowed =
        ["--units", "--range", "--game", "--hash", "--threads", "--seed", "--kernel", "--stats"];
    allow(args, "--units", &allowed)?;
    if let [word, ..] = args.words() {
        let shown = quoted(word);
        return Err(Failure::Usage(format!("{shown} follows --units FILE, expected an option")));
    }
    let path = args.value("--units").unwrap_or_default();
    let reader = match path {
        "-" => Reader::stream(std::io::stdin()),
        path => Reader::open(path),
    };
    let reader = reader.map_err(|reason| Failure::Usage(format!("--units: {path:?}: {reason}")))?;
    check_game(args, &reader.header)?;
    match reader.header.game.as_str() {
        chess::Position::NAME => count_of::<chess::Position>(reader, args, out),
        xiangqi::Position::NAME => count_of::<xiangqi::Position>(reader, args, out),
        _ => Err(strange_game("--units", &reader.header)),
    }
}

fn count_of<P: Offered>(
    reader: Reader,
    args: &Args,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let settings = settings::<P>(args)?;
    match wants_columns(args)? {
        true => count_by::<P, Columns<u128>>(&counter(settings)?, reader, args, out),
        false => count_by::<P, u128>(&counter(settings)?, reader, args, out),
    }
}

fn count_by<P: Offered, Q: Shown<P>>(
    counter: &Counter<P, Q>,
    mut reader: Reader,
    args: &Args,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let Header { units: all, depth, plies, .. } = reader.header;
    let ranges = match args.value("--range") {
        None => Ranges::one(0..all),
        Some(text) => Ranges::read(text, all)
            .map_err(|reason| Failure::Usage(format!("--range: {reason}")))?,
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
    let columns = column_names(args)?;
    let threads = if together { 1 } else { threads };
    let job = Job { threads, ranges, seed, columns: &columns, watch: &watch };
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
        Err(UnitsError::Input(reason)) => Err(Failure::Usage(format!("--units: {reason}"))),
        Err(UnitsError::Output(error)) => Err(Failure::Output(error)),
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
    counting: impl FnOnce(&(dyn Fn(String) -> io::Result<()> + Sync)) -> Result<Done, UnitsError>,
) -> Result<Done, UnitsError> {
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
            Err(error) => Err(UnitsError::Output(error)),
        }
    })
}

/// Warnings that are printed one by one.
const WARNINGS: u64 = 20;

/// Ranges of a printed command; more of them are joined over units that are done already.
const COMMAND_RANGES: usize = 200;

/// `perft --merge FILE RESULTS…`
pub(super) fn merge(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let allowed = ["--merge", "--game", "--divide", "--stats", "--json", "--verified"];
    allow(args, "--merge", &allowed)?;
    let path = args.value("--merge").unwrap_or_default();
    if args.words().is_empty() {
        return Err(Failure::Usage("--merge: expected files of results after FILE".into()));
    }
    let names = column_names(args)?;
    let merge = Merge::new(path, &names);
    let mut merge = merge.map_err(|error| merge_failure(error, out))?;
    check_game(args, &merge.reader().header)?;
    if args.flag("--divide") && merge.reader().header.moves.is_none() {
        let reason = "--divide: the units were split without --divide";
        return Err(Failure::Usage(reason.into()));
    }
    let mut warnings = 0;
    for results in args.words() {
        let warn = |warning: String| {
            warnings += 1;
            if warnings <= WARNINGS {
                let _ = writeln!(std::io::stderr(), "tabiya: {warning}");
            }
        };
        merge.add(results, warn).map_err(|error| merge_failure(error, out))?;
    }
    if warnings > WARNINGS {
        let more = warnings - WARNINGS;
        let _ = writeln!(std::io::stderr(), "tabiya: {more} more lines left out");
    }
    let (first, second) = merge.missing(args.flag("--verified"));
    if first.units() + second.units() > 0 {
        return missing(path, &merge, &first, &second, args, out);
    }
    let sum = merge.sum(args.flag("--divide")).map_err(|error| merge_failure(error, out))?;
    match merge.reader().header.game.as_str() {
        chess::Position::NAME => print::<chess::Position>(&merge, sum, args, out),
        xiangqi::Position::NAME => print::<xiangqi::Position>(&merge, sum, args, out),
        _ => Err(strange_game("--merge", &merge.reader().header)),
    }
}

/// Tells of a contradiction on `out`; the rest is for stderr.
fn merge_failure(error: MergeError, out: &mut impl Write) -> Failure {
    match error {
        MergeError::Input(reason) => Failure::Usage(format!("--merge: {reason}")),
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
    path: &str,
    merge: &Merge,
    first: &Ranges,
    second: &Ranges,
    args: &Args,
    out: &mut impl Write,
) -> Result<(), Failure> {
    // Units that need a second result may have none: those are among both.
    let verified = args.flag("--verified");
    let wanted = if verified { second } else { first };
    if args.flag("--json") {
        let texts: Vec<String> =
            wanted.as_slice().iter().map(|r| format!("\"{}..{}\"", r.start, r.end)).collect();
        let object = Object::new()
            .raw("units", merge.reader().header.units)
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
            let stats = if args.flag("--stats") { " --stats" } else { "" };
            let path = shell_word(path);
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
    let (lacking, all) = (wanted.units(), merge.reader().header.units);
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
    sum: Sum,
    args: &Args,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let header = &merge.reader().header;
    let fault = |e: &dyn std::fmt::Display| Failure::Usage(format!("--merge: the header: {e}"));
    let pos = P::read_fen(&header.fen, &mut FenReader::lenient()).map_err(|e| fault(&e))?;
    let mut moves = sum.moves;
    moves.sort();
    // The moves were written as those of Chess960 if they do not read as anything else.
    let plain = moves.iter().all(|(m, _)| pos.parse_move(m).is_ok());
    let pos = if plain { pos } else { pos.with_chess960() };
    let nodes = sum.total.first().copied().unwrap_or_default();
    let divide = || -> Result<Divide<P::Move, Columns<u128>>, Failure> {
        let row = |(m, row): &(String, Vec<u128>)| Ok((pos.parse_move(m)?, statistics(row)));
        let moves: Result<_, NotationError> = moves.iter().map(row).collect();
        Ok(Divide { moves: moves.map_err(|e| fault(&e))?, total: statistics(&sum.total) })
    };
    if args.flag("--json") {
        let mut object = Object::new()
            .string("game", &header.game)
            .string("fen", &header.fen)
            .raw("depth", header.depth)
            .raw("nodes", nodes)
            .raw("units", header.units)
            .raw("results", merge.results)
            .raw("left_out", merge.left_out)
            .raw("verified", args.flag("--verified"));
        if args.flag("--divide") {
            let add = |object: Object, (m, row): &(String, Vec<u128>)| {
                object.raw(m, row.first().copied().unwrap_or_default())
            };
            object = object.raw("divide", moves.iter().fold(Object::new(), add).finish());
        }
        if args.flag("--stats") {
            object = Columns::json(&pos, &divide()?, args, object);
        }
        writeln!(out, "{}", object.finish())?;
        return Ok(out.flush()?);
    }
    if args.flag("--stats") {
        Columns::text(&pos, &divide()?, args, out)?;
    } else if args.flag("--divide") {
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
